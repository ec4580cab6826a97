"""When a failed call is made again, and how long that waits (SPEC 8)."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

#: Seconds before the first repetition; doubled before the next. Jitter takes up to half of it.
BACKOFF = 0.25
#: Too early, too many: statuses below 500 that may pass.
_PASSING = frozenset({408, 429})
#: A server that says so says so for good.
_NOT_IMPLEMENTED = 501


def may_pass(status: int) -> bool:
    """Whether a status is worth another call: 408, 429 and 5xx, without 501."""
    return status in _PASSING or (500 <= status <= 599 and status != _NOT_IMPLEMENTED)


def backoff(repetition: int, draw: float) -> float:
    """Seconds before repetition 0, 1, ...; `draw` in [0, 1) is the jitter."""
    return float(BACKOFF * 2**repetition * (1.0 - draw / 2))


def retry_after(value: str | None, now: datetime) -> float | None:
    """The seconds a Retry-After header asks for, from seconds or an HTTP date; None where it says nothing readable."""
    if value is None:
        return None
    value = value.strip()
    try:
        seconds = float(value)
    except ValueError:
        return _until(value, now)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _until(date: str, now: datetime) -> float | None:
    try:
        then = parsedate_to_datetime(date)
    except (ValueError, OverflowError):
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max(0.0, (then - now).total_seconds())
