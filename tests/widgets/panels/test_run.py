"""A run in words: what is asked and what it took, of a session that is replayed turn by turn (UI 6)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.escalation.outcome import EscalationOutcome, EscalationTurn
from routing_workbench.core.escalation.streak import TurnVerdict
from routing_workbench.core.escalation.verdict import EscalationVerdict
from routing_workbench.core.vgr.decision import Route
from routing_workbench.core.vgr.evidence import Asked, Miss, Origin, OriginKind, Rung
from routing_workbench.widgets import panels
from routing_workbench.widgets.algorithm import Algorithm, EscalationScreen
from routing_workbench.widgets.panels.run import repeated
from routing_workbench.widgets.screen import RunState

JUDGED = Asked(Rung.ESCALATION_JUDGE, 0.0, 0.25, Origin(OriginKind.MOCK), answer="decline")


def turn(number: int, evidence: TurnVerdict, *asked: Asked) -> EscalationTurn:
    """One turn, as far as the words read it."""
    verdict = EscalationVerdict.DECLINE if asked else None
    return EscalationTurn(number, number, asked, verdict, evidence, 0, 0, Route.LOCAL)


def session(screens, *turns: EscalationTurn, **more):
    """A replayed session."""
    config = EscalationConfig()
    tab = EscalationScreen(config, config, total=3, turns=turns, outcome=EscalationOutcome(turns, config))
    return replace(screens.idle(), state=RunState.DONE, algorithm=Algorithm.ESCALATION, escalation=tab, **more)


@pytest.mark.parametrize(
    ("turns", "says"),
    [
        ([turn(1, TurnVerdict.CONTINUE, JUDGED)], "Done 1 turn, 1 call MOCK"),
        (
            [
                turn(1, TurnVerdict.CONTINUE, JUDGED),
                turn(2, TurnVerdict.ESCALATE, JUDGED),
                turn(3, TurnVerdict.LATCHED),
            ],
            "Done 3 turns, 2 calls until the latch MOCK",
        ),
        (
            [turn(1, TurnVerdict.ESCALATE, JUDGED), turn(2, TurnVerdict.LATCHED, replace(JUDGED, rung=Rung.CAPABLE))],
            "Done 2 turns, 1 call until the latch, 1 after MOCK",
        ),
        (
            [turn(1, TurnVerdict.CONTINUE, replace(JUDGED, miss=Miss.TIMED_OUT))],
            "Done 1 turn, 1 call, 1 fault MOCK",
        ),
    ],
)
def test_a_replay_counts_its_turns_and_calls(screens, text, turns, says):
    """Up to the latch, from which nobody is asked."""
    assert says in text(panels.bar(session(screens, *turns)))


def test_a_replay_that_runs_says_at_which_turn(screens, text):
    """With the time of all calls so far; each has a deadline of its own."""
    done = (turn(1, TurnVerdict.CONTINUE, JUDGED), turn(2, TurnVerdict.CONTINUE, JUDGED))
    screen = session(screens, *done, asked=(JUDGED, JUDGED), asking=Rung.ESCALATION_JUDGE)
    html = panels.bar(replace(screen, state=RunState.RUNNING))
    assert "Asking judge at turn 3 of 3, 0.5 s MOCK" in text(html)
    assert 'data-clock="0.500"' in html


def test_rungs_that_follow_each_other_are_counted():
    """Sixteen questions of one kind are one entry."""
    judge = Rung.ESCALATION_JUDGE
    assert repeated([judge, judge, judge, Rung.EFFICIENT, judge]) == ["judge ×3", "efficient", "judge"]


def test_the_turns_panel_shows_the_replay(screens, text):
    """On the Escalation tab; elsewhere it says where turns are replayed."""
    says = text(panels.turns(screens.idle()))
    assert says == (
        "Turns 16 assistant turns before the attempt. The Escalation tab replays them; replaying turn checks is not in "
        "this version."
    )
    assert "The Escalation tab" not in panels.turns(session(screens, turn(1, TurnVerdict.CONTINUE, JUDGED)))
