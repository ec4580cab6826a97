"""The turn-verification streak and its latch (SPEC 7)."""

from __future__ import annotations

from routing_workbench.core.vgr.policy import TurnVerification
from routing_workbench.workbench.turns.session_state import SessionState

POLICY = TurnVerification()


def test_a_score_at_the_line_adds_a_strike() -> None:
    """The line of 0.5 is inclusive."""
    assert SessionState().after_check(0.5, POLICY) == SessionState(1)


def test_two_strikes_in_a_row_latch() -> None:
    """The second one latches."""
    assert SessionState(1).after_check(0.9, POLICY) == SessionState(2, latched=True)


def test_a_score_below_clears_the_streak() -> None:
    """Strikes must be in a row."""
    assert SessionState(1).after_check(0.49, POLICY) == SessionState(0)


def test_no_score_leaves_the_streak() -> None:
    """A check that could not be read argues for nothing."""
    assert SessionState(1).after_check(None, POLICY) == SessionState(1)


def test_the_policy_sets_the_line_and_the_confirmations() -> None:
    """Both are policy constants."""
    strict = TurnVerification(confirmations=1, escalate_at=0.2)
    assert SessionState().after_check(0.2, strict) == SessionState(1, latched=True)
