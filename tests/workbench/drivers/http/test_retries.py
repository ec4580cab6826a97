"""Waits between repetitions."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from routing_workbench.workbench.drivers.http.retries import backoff, may_pass, retry_after

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("repetition", "draw", "seconds"), [(0, 0.0, 0.25), (1, 0.0, 0.5), (0, 0.5, 0.1875), (1, 1.0, 0.25)]
)
def test_backoff_doubles_and_jitter_shortens_it(repetition: int, draw: float, seconds: float) -> None:
    """By half at most."""
    assert backoff(repetition, draw) == seconds


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("5", 5.0),
        (" 1.5 ", 1.5),
        ("-3", 0.0),
        ("nan", None),
        ("inf", None),
        ("1e400", None),
        ("Thu, 01 Jan 2026 00:00:30 GMT", 30.0),
        ("Thu, 01 Jan 2026 00:00:30 -0000", 30.0),
        ("Thu, 01 Jan 2026 02:00:00 +0200", 0.0),
        ("Thu, 99 Jan 2026 00:00:30 GMT", None),
        ("tomorrow", None),
    ],
)
def test_retry_after(header: str | None, seconds: float | None) -> None:
    """Seconds or a date; junk asks for nothing."""
    assert retry_after(header, NOW) == seconds


def test_statuses_that_may_pass() -> None:
    """408, 429 and 5xx, without 501."""
    assert [status for status in range(100, 700) if may_pass(status)] == [408, 429, 500, *range(502, 600)]
