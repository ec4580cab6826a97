"""The breaker (SPEC 7)."""

from __future__ import annotations

import pytest
from routing_workbench.workbench.drivers.protocol import (
    CallTimeout,
    Category,
    ContextOverflow,
    DriverError,
    HttpStatusError,
    InvalidResponse,
    TransportError,
)
from routing_workbench.workbench.turns.breaker import Breaker, Breakers, CallResult
from routing_workbench.workbench.turns.failures import endpoint_result, failure_words, is_eligible

FAILURE, SUCCESS, NEITHER = CallResult.ENDPOINT_FAILURE, CallResult.SUCCESS, CallResult.NEITHER


def opened(at: float = 0.0) -> Breaker:
    """A breaker that has just opened."""
    breaker = Breaker()
    for _ in range(5):
        assert breaker.admit(at)
        breaker.record(FAILURE, at)
    return breaker


def test_five_failures_in_a_row_open_it() -> None:
    """Four don't."""
    breaker = Breaker()
    for _ in range(4):
        breaker.record(FAILURE, 0.0)
    assert not breaker.is_open(0.0)
    breaker.record(FAILURE, 0.0)
    assert breaker.is_open(0.0)
    assert not breaker.admit(0.0)


def test_a_success_between_starts_the_count_again() -> None:
    """Only failures in a row count."""
    breaker = Breaker()
    for result in [FAILURE] * 4 + [SUCCESS] + [FAILURE] * 4:
        breaker.record(result, 0.0)
    assert not breaker.is_open(0.0)


def test_it_stays_open_for_thirty_seconds_then_admits_one_trial() -> None:
    """A second call during the trial is refused."""
    breaker = opened()
    assert not breaker.admit(29.9)
    assert not breaker.is_open(30.0)
    assert breaker.admit(30.0)
    assert breaker.is_open(30.0)
    assert not breaker.admit(30.0)


def test_a_successful_trial_closes_it() -> None:
    """Then five failures are needed again."""
    breaker = opened()
    assert breaker.admit(30.0)
    breaker.record(SUCCESS, 31.0)
    for _ in range(4):
        breaker.record(FAILURE, 31.0)
    assert not breaker.is_open(31.0)


def test_a_failed_trial_opens_it_for_another_thirty_seconds() -> None:
    """Counted from the trial's end."""
    breaker = opened()
    assert breaker.admit(30.0)
    breaker.record(FAILURE, 35.0)
    assert not breaker.admit(64.9)
    assert breaker.admit(65.0)


def test_a_trial_that_says_nothing_leaves_room_for_the_next() -> None:
    """A cancelled trial neither closes the breaker nor blocks it for ever."""
    breaker = opened()
    assert breaker.admit(30.0)
    breaker.record(NEITHER, 31.0)
    assert breaker.admit(31.0)


def test_each_endpoint_has_its_own() -> None:
    """A judge that is down does not stop the local tier."""
    breakers = Breakers()
    for _ in range(5):
        breakers.of(Category.JUDGE).record(FAILURE, 0.0)
    assert breakers.of(Category.JUDGE).is_open(0.0)
    assert not breakers.of(Category.LOCAL).is_open(0.0)


@pytest.mark.parametrize(
    ("error", "result", "eligible", "words"),
    [
        (CallTimeout("x"), FAILURE, True, "timeout"),
        (TransportError("x"), FAILURE, True, "transport"),
        (ContextOverflow("x"), NEITHER, True, "context overflow"),
        (InvalidResponse("x"), NEITHER, False, "invalid response"),
        (HttpStatusError(400), NEITHER, False, "HTTP 400"),
        (HttpStatusError(401), NEITHER, False, "HTTP 401"),
        (HttpStatusError(403), NEITHER, True, "HTTP 403"),
        (HttpStatusError(404), NEITHER, False, "HTTP 404"),
        (HttpStatusError(408), NEITHER, True, "HTTP 408"),
        (HttpStatusError(429), NEITHER, True, "HTTP 429"),
        (HttpStatusError(500), NEITHER, True, "HTTP 500"),
        (HttpStatusError(502), FAILURE, True, "HTTP 502"),
        (HttpStatusError(503), FAILURE, True, "HTTP 503"),
        (HttpStatusError(504), FAILURE, True, "HTTP 504"),
        (HttpStatusError(505), NEITHER, True, "HTTP 505"),
        (HttpStatusError(599), NEITHER, True, "HTTP 599"),
        (HttpStatusError(600), NEITHER, False, "HTTP 600"),
    ],
)
def test_what_a_failure_means(error: DriverError, result: CallResult, eligible: bool, words: str) -> None:
    """For the breaker, for the attempt, and for the record, which never shows the error's own text."""
    assert (endpoint_result(error), is_eligible(error), failure_words(error)) == (result, eligible, words)
