"""The turn-verification streak and its latch (SPEC 7)."""

from __future__ import annotations

from routing_workbench.core.vgr.policy import TurnVerification
from routing_workbench.workbench.turns.session_state import Checked, SessionState

POLICY = TurnVerification()


def test_a_score_at_the_line_adds_a_strike() -> None:
    """The line of 0.5 is inclusive."""
    assert SessionState().after_check(0.5, POLICY) == Checked(SessionState(1), False)


def test_two_strikes_in_a_row_latch() -> None:
    """The second one latches."""
    assert SessionState(1).after_check(0.9, POLICY) == Checked(SessionState(2, latched=True), True)


def test_a_score_below_clears_the_streak() -> None:
    """Strikes must be in a row."""
    assert SessionState(1).after_check(0.49, POLICY) == Checked(SessionState(0), False)


def test_no_score_leaves_the_streak() -> None:
    """A check that could not be read argues for nothing."""
    assert SessionState(1).after_check(None, POLICY) == Checked(SessionState(1), False)


def test_the_policy_sets_the_line_and_the_confirmations() -> None:
    """Both are policy constants."""
    strict = TurnVerification(confirmations=1, escalate_at=0.2)
    assert SessionState().after_check(0.2, strict) == Checked(SessionState(1, latched=True), True)


def test_without_a_latch_only_the_turns_at_the_bar_are_escalated() -> None:
    """The streak goes on, so the next strike escalates its own turn; a missed check or a better one does not."""
    first = SessionState(1).after_check(0.9, POLICY, latch=False)
    assert first == Checked(SessionState(2), True)
    assert first.state.after_check(0.9, POLICY, latch=False) == Checked(SessionState(3), True)
    assert first.state.after_check(None, POLICY, latch=False) == Checked(SessionState(2), False)
    assert first.state.after_check(0.1, POLICY, latch=False) == Checked(SessionState(0), False)
