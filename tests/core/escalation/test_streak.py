"""Streak and latch (SPEC 6.2): the words of evidence, and invariants over any course of verdicts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.escalation.streak import StreakState, TurnVerdict, after, never_latches
from routing_workbench.core.escalation.verdict import EscalationVerdict

E, D, U = EscalationVerdict


def course(verdicts: list[EscalationVerdict], confirmations: int) -> list[tuple[int, str]]:
    """Streak and word of evidence after each turn."""
    config, state, turns = EscalationConfig(confirmations=confirmations), StreakState(), []
    for verdict in verdicts:
        state, word = after(state, verdict, config)
        turns.append((state.streak, word.value))
    return turns


@pytest.mark.parametrize(
    ("verdicts", "confirmations", "expected"),
    [
        ([E], 1, [(1, "escalate")]),
        ([E, E], 2, [(1, "pending"), (2, "escalate")]),
        ([E, D, E], 2, [(1, "pending"), (0, "continue"), (1, "pending")]),
        ([E, U, E], 2, [(1, "pending"), (1, "pending"), (2, "escalate")]),
        ([U, D, U], 2, [(0, "continue"), (0, "continue"), (0, "continue")]),
        ([E, E, D, U, E], 2, [(1, "pending"), (2, "escalate"), (2, "latched"), (2, "latched"), (2, "latched")]),
        ([E, E, E], 3, [(1, "pending"), (2, "pending"), (3, "escalate")]),
    ],
)
def test_course_of_a_session(
    verdicts: list[EscalationVerdict], confirmations: int, expected: list[tuple[int, str]]
) -> None:
    """Escalate adds, decline clears, unavailable leaves as it is; the turn that completes the streak latches."""
    assert course(verdicts, confirmations) == expected


@given(st.lists(st.sampled_from(list(EscalationVerdict)), max_size=40), st.integers(1, 5))
def test_a_session_latches_once_and_for_good(verdicts: list[EscalationVerdict], confirmations: int) -> None:
    """It latches on an escalate that completes the streak, counted without declines between, and stays so."""
    turns = course(verdicts, confirmations)
    words = [word for _, word in turns]
    assert words.count("escalate") <= 1
    if "escalate" in words:
        at = words.index("escalate")
        assert verdicts[at] is E
        since = max((i for i in range(at) if verdicts[i] is D), default=-1)
        assert verdicts[since + 1 : at + 1].count(E) == confirmations
        assert turns[at:] == [(confirmations, "escalate"), *[(confirmations, "latched")] * (len(turns) - at - 1)]
    else:
        assert "latched" not in words
        assert all(streak < confirmations for streak, _ in turns)
        assert all((word == "pending") is (streak > 0) for streak, word in turns)


@given(st.lists(st.sampled_from([D, U]), max_size=20), st.integers(1, 3))
def test_without_an_escalate_nothing_is_pending(verdicts: list[EscalationVerdict], confirmations: int) -> None:
    """Nothing but a definite `escalate` speaks against the efficient tier."""
    assert course(verdicts, confirmations) == [(0, "continue")] * len(verdicts)


def test_the_latch_reads_the_bar_of_now() -> None:
    """The streak is kept, not the latch: a raised bar is met later, a lowered one at once."""
    state = StreakState(2)
    assert state.latched(EscalationConfig(confirmations=2))
    assert not state.latched(EscalationConfig(confirmations=3))
    assert after(state, D, EscalationConfig(confirmations=1)) == (state, TurnVerdict.LATCHED)


@pytest.mark.parametrize(
    ("confirmations", "has_session", "never"), [(1, False, False), (1, True, False), (2, False, True), (2, True, False)]
)
def test_several_confirmations_need_a_session(confirmations: int, has_session: bool, never: bool) -> None:
    """Without one, every turn begins at 0."""
    assert never_latches(EscalationConfig(confirmations=confirmations), has_session) is never
