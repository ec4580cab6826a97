"""The breaker (SPEC 7)."""

from __future__ import annotations

from routing_workbench.workbench.drivers.protocol import Category
from routing_workbench.workbench.turns.breaker import Breaker, Breakers, CallResult

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


def test_threshold_and_cooldown_are_the_operators() -> None:
    """Two failures open it, for 5 seconds."""
    breaker = Breakers(threshold=2, cooldown=5.0).of(Category.JUDGE)
    breaker.record(FAILURE, 0.0)
    assert not breaker.is_open(0.0)
    breaker.record(FAILURE, 0.0)
    assert breaker.is_open(4.9)
    assert not breaker.is_open(5.0)
