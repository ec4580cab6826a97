"""The escalation judge set otherwise on a bench: run again, or verdicts that are there read again (SPEC 6.2)."""

from __future__ import annotations

import asyncio

import pytest
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.escalation.streak import TurnVerdict
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.widgets.screen import RunState

DONE, STALE, FAILED, IDLE = RunState.DONE, RunState.STALE, RunState.FAILED, RunState.IDLE
RUNNING, CANCELLED = RunState.RUNNING, RunState.CANCELLED
JUDGE = Rung.ESCALATION_JUDGE
CONTINUE, PENDING, ESCALATE, LATCHED = (
    TurnVerdict.CONTINUE,
    TurnVerdict.PENDING,
    TurnVerdict.ESCALATE,
    TurnVerdict.LATCHED,
)


@pytest.fixture
def live_bench(replayed, live):
    """The same with a driver that is no mock, once it has run."""
    made = []

    def make(said="decline, decline, escalate x9", **keywords):
        session, _ = replayed(said, driver=lambda mock: made.append(live(mock)) or made[-1], **keywords)
        session.run()
        settled(session)
        return session, made[-1]

    return make


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def evidence(session):
    """What the turns on screen gave."""
    return [turn.evidence for turn in settled(session).screen.escalation.turns]


def test_a_setting_runs_again_with_the_mock(replayed):
    """At once."""
    session, _ = replayed()
    session.set_escalation(confirmations=1)
    assert evidence(session)[:3] == [CONTINUE, CONTINUE, ESCALATE]
    session.set_escalation(confirmations=9)
    assert evidence(session) == [CONTINUE, CONTINUE, PENDING, PENDING, PENDING, PENDING]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"confirmations": 0}, "Confirmations is 0; give at least 1."),
        ({"confirmations": "two"}, "Confirmations is 'two'; give a whole number of at least 1."),
        ({"window_message_chars": 49}, "Window_message_chars is 49; give at least 50."),
        ({"handoff_note": "  "}, "Handoff_note is blank; give a text, or leave it out."),
    ],
)
def test_a_refused_setting_says_why_and_changes_nothing(replayed, change, says):
    """In the core's words; the next good one takes them away."""
    session, _ = replayed()
    before = session.screen.escalation
    session.set_escalation(**change)
    shown = settled(session).screen.escalation
    assert (shown.problem.lower(), shown.config, session.screen.state) == (says.lower(), before.config, DONE)
    session.set_escalation(confirmations=3)
    assert settled(session).screen.escalation.problem == ""


def test_without_a_session_id_no_streak_is_kept(replayed):
    """So two confirmations are never reached."""
    session, _ = replayed()
    session.set_escalation(has_session=False)
    assert evidence(session) == [CONTINUE, CONTINUE, PENDING, PENDING, PENDING, PENDING]
    assert session.result.record()["never_latches"]


def test_resetting_takes_the_configuration_back_and_not_the_switches(replayed):
    """Those are no part of it."""
    session, _ = replayed()
    session.set_escalation(confirmations=5, redact=True)
    session.reset_escalation()
    shown = settled(session).screen.escalation
    assert (shown.config, shown.redact) == (EscalationConfig(), True)


def test_a_setting_that_is_none_is_an_error_of_the_call(replayed):
    """Where the caller sees it."""
    with pytest.raises(TypeError, match="colour"):
        replayed()[0].set_escalation(colour="red")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"confirmations": 1}, [CONTINUE, CONTINUE, ESCALATE, LATCHED, LATCHED, LATCHED]),
        ({"handoff_note": "Start over."}, [CONTINUE, CONTINUE, PENDING, ESCALATE, LATCHED, LATCHED]),
    ],
)
def test_verdicts_that_are_there_are_read_again(live_bench, change, expected):
    """Nobody is asked, and the result is as good as if somebody had been."""
    session, driver = live_bench()
    session.set_escalation(**change)
    assert evidence(session) == expected
    assert (session.screen.state, driver.calls) == (DONE, [JUDGE] * 4)
    outcome = session.screen.escalation.outcome
    assert (outcome.config, outcome is session.result.outcome) == (session.screen.escalation.config, True)


def test_the_session_id_is_read_again_where_no_turn_was_latched(live_bench):
    """All verdicts are there then."""
    session, driver = live_bench("decline, escalate")
    session.set_escalation(confirmations=6)
    session.set_escalation(has_session=False)
    assert settled(session).screen.state is STALE  # turns 4 to 6 were latched, so nobody judged them
    session, driver = live_bench("escalate, decline, escalate, decline, escalate, decline")
    session.set_escalation(has_session=False)
    assert evidence(session) == [PENDING, CONTINUE, PENDING, CONTINUE, PENDING, CONTINUE]
    assert (session.screen.state, len(driver.calls)) == (DONE, 6)


def test_a_verdict_that_nobody_gave_waits_for_run(live_bench):
    """The result stays, stale; going back reads it again, with all verdicts that were there."""
    session, driver = live_bench()
    session.set_escalation(confirmations=1)
    session.set_escalation(confirmations=3)
    assert (settled(session).screen.state, session.screen.remark) == (STALE, "confirmations changed")
    assert evidence(session) == [CONTINUE, CONTINUE, ESCALATE, LATCHED, LATCHED, LATCHED]
    session.set_escalation(confirmations=2)
    assert evidence(session) == [CONTINUE, CONTINUE, PENDING, ESCALATE, LATCHED, LATCHED]
    assert (session.screen.state, len(driver.calls)) == (DONE, 4)


@pytest.mark.parametrize("change", [{"recent_turn_window": 3}, {"window_message_chars": 60}, {"redact": True}])
def test_another_transcript_is_another_question(live_bench, change):
    """Old verdicts are of what the judge read then."""
    session, driver = live_bench()
    session.set_escalation(**change)
    assert (settled(session).screen.state, len(driver.calls)) == (STALE, 4)
    assert evidence(session)[3] is ESCALATE


def test_a_changed_text_is_not_read_again(live_bench, circling):
    """Its verdicts would be of another session."""
    session, driver = live_bench()
    session.set_text(circling.replace("Again, 2.", "Once more."))
    session.set_escalation(confirmations=1)
    assert (settled(session).screen.state, len(driver.calls)) == (STALE, 4)


def test_an_edit_while_a_run_is_on_ends_it(live_bench, held):
    """It would be of the setting before."""
    session, driver = live_bench()
    driver._mock._sleep = held
    session.run()
    assert held.reached.wait(30)
    session.set_escalation(confirmations=1)
    settled(session)
    assert held.cancelled.is_set()
    assert evidence(session)[2] is ESCALATE
    driver._mock._sleep = asyncio.sleep


def test_escalation_is_given_when_a_session_is_made(replayed):
    """It is what later edits are compared with."""
    config = EscalationConfig(confirmations=1)
    shown = replayed(escalation=config)[0].screen.escalation
    assert (shown.config, shown.baseline, shown.source, shown.outcome.latched_at) == (config, config, "given", 3)
