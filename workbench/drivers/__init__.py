"""Drivers: the protocol a turn asks through, and the transports behind it."""
