"""Times as the screen writes them, with their unit (UI 10)."""

from __future__ import annotations


def milliseconds(seconds: float) -> str:
    """Seconds as whole milliseconds, without the unit for a column that names it: `1,316`."""
    return f"{round(seconds * 1000):,}"


def seconds(value: float) -> str:
    """A measured time: `1.316 s`."""
    return f"{value:,.3f} s"


def limit(value: float) -> str:
    """A limit, as short as it is exact: `30 s`, `0.5 s`."""
    return f"{value:,.12g} s"
