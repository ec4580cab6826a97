"""Turn runners: one an algorithm; each asks the driver, feeds the core and yields progress events."""
