"""The pure core: what a router derives, reads and decides, as values. No I/O, no clock, no randomness."""
