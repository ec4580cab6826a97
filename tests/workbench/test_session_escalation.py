"""The escalation judge on a bench: turns as they are judged, one looked at, verdicts read again (SPEC 6.2)."""

from __future__ import annotations

import asyncio

import pytest
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.escalation.streak import TurnVerdict
from routing_workbench.core.vgr.decision import Route
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.widgets.algorithm import Algorithm
from routing_workbench.widgets.screen import RunState
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.script import Script

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
def circling(chat):
    """Six turns of an assistant that gets nowhere."""
    turns = [(("user", f"Again, {number}."), ("assistant", f"Try number {number}.")) for number in range(1, 7)]
    return chat(*[message for turn in turns for message in turn])


@pytest.fixture
def bench(opened, instant, circling):
    """A session on the Escalation tab; the judge says these words, one a turn."""

    def make(said="decline, decline, escalate x9", text=circling, *, driver=None, sleep=instant, **keywords):
        mock = MockDriver(Script().edited(JUDGE, answer=said), sleep=sleep)
        return opened(mock if driver is None else driver(mock), text, algorithm=Algorithm.ESCALATION, **keywords)

    return make


@pytest.fixture
def live_bench(bench, live):
    """The same with a driver that is no mock, once it has run."""
    made = []

    def make(said="decline, decline, escalate x9", **keywords):
        session, _ = bench(said, driver=lambda mock: made.append(live(mock)) or made[-1], **keywords)
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


def test_a_replay_judges_every_turn_until_it_latches(bench):
    """Two in a row latch; whoever comes after is not judged."""
    session, _ = bench()
    shown = session.screen.escalation
    assert evidence(session) == [CONTINUE, CONTINUE, PENDING, ESCALATE, LATCHED, LATCHED]
    assert (session.screen.state, shown.total, shown.outcome.latched_at) == (DONE, 6, 4)
    assert [row.rung for row in session.screen.asked] == [JUDGE] * 4
    assert (session.result.served, session.result.latched_at) == (Route.CLOUD, 4)


def test_the_whole_conversation_is_replayed(bench, chat):
    """Its last message is a reply that was held, not an attempt apart from it."""
    session, _ = bench(text=chat(("user", "Hi"), ("assistant", "Hello")))
    assert session.screen.escalation.total == 1
    assert "[assistant] Hello" in session.screen.escalation.view.text


def test_a_conversation_that_waits_for_a_reply_has_a_live_turn(bench, chat):
    """The efficient tier writes it, and the judge reads it."""
    session, _ = bench("decline", text=chat(("user", "Hi")))
    assert [row.rung for row in session.screen.asked] == [Rung.EFFICIENT, JUDGE]
    assert "written by the mock efficient tier" in session.screen.escalation.view.text
    assert session.result.reply is not None


def test_turns_arrive_one_by_one(bench, held):
    """Each is on screen while the next one is judged."""
    session, watch = bench(sleep=held, settle=False)
    for judged in range(3):
        watch.until(lambda screen, judged=judged: screen.asking is JUDGE and len(screen.escalation.turns) == judged)
        held.release()
    shown = watch.until(lambda screen: len(screen.escalation.turns) == 3)
    assert (shown.state, shown.escalation.outcome, shown.escalation.total) == (RUNNING, None, 6)
    session.cancel()


def test_cancelling_keeps_the_turns_judged(bench, held):
    """And says where it stood; there is no outcome."""
    session, watch = bench(sleep=held, settle=False)
    for judged in range(2):
        watch.until(lambda screen, judged=judged: screen.asking is JUDGE and len(screen.escalation.turns) == judged)
        held.release()
    watch.until(lambda screen: screen.asking is JUDGE and len(screen.escalation.turns) == 2)
    session.cancel()
    screen = settled(session).screen
    assert (screen.state, evidence(session)) == (CANCELLED, [CONTINUE, CONTINUE])
    assert screen.remark.startswith("asking escalation_judge, at ")
    assert (screen.escalation.outcome, session.result) == (None, None)
    assert held.cancelled.is_set()


def test_a_tier_that_refuses_fails_the_replay_and_keeps_its_turns(bench, chat):
    """What was judged until then stays, on screen and in the record."""
    text = chat(("user", "One"), ("assistant", "Two"), ("user", "Three"))
    session, _ = bench("decline", text=text)
    session.set_rung(Rung.EFFICIENT, fault="HTTP 401")
    screen = settled(session).screen
    assert (screen.state, screen.escalation.outcome) == (FAILED, None)
    assert screen.failure.what == "Efficient tier failed: HTTP 401."
    assert evidence(session) == [CONTINUE]
    assert [turn["verdict"] for turn in session.result.record()["turns"]] == ["decline"]


def test_will_ask_names_a_judge_call_for_each_turn(opened, live, circling, chat):
    """And the efficient tier where a reply is to be written."""
    session, _ = opened(live(), circling, algorithm=Algorithm.ESCALATION)
    assert session.screen.will_ask == (JUDGE,) * 6
    session.set_text(chat(("user", "One"), ("assistant", "Two"), ("user", "Three")))
    assert settled(session).screen.will_ask == (JUDGE, Rung.EFFICIENT, JUDGE)


# The turn that is looked at.


def test_the_latching_turn_is_looked_at_first(bench):
    """Else the last one."""
    assert bench()[0].screen.escalation.selected == 4
    assert bench("decline")[0].screen.escalation.selected == 6


def test_a_turn_is_looked_at(bench):
    """With what the judge read then: nothing after it."""
    session, watch = bench()
    watch.clear()
    session.look_at_turn(2)
    shown = settled(session).screen.escalation
    assert shown.selected == 2
    assert "Try number 2." in shown.view.text
    assert "Try number 3." not in shown.view.text
    assert [screen.state for screen in watch.screens] == [DONE]


@pytest.mark.parametrize(("turn", "found"), [(0, 1), (-3, 1), (99, 6)])
def test_the_nearest_turn_is_looked_at_where_there_is_none(bench, turn, found):
    """A click may come late."""
    session, _ = bench()
    session.look_at_turn(turn)
    assert settled(session).screen.escalation.selected == found


def test_stepping_goes_from_turn_to_turn_and_not_beyond(bench):
    """Earlier and later."""
    session, _ = bench()
    seen = []
    for steps in (-1, 1, 1, 1, 1):
        session.step_turn(steps)
        seen.append(settled(session).screen.escalation.selected)
    assert seen == [3, 4, 5, 6, 6]


def test_looking_sends_nothing_and_needs_no_run(opened, live, circling):
    """What would be read is computed."""
    driver = live()
    session, _ = opened(driver, circling, algorithm=Algorithm.ESCALATION)
    assert session.screen.escalation.selected == 6
    session.look_at_turn(1)
    assert "Try number 1." in settled(session).screen.escalation.view.text
    assert driver.calls == []


def test_going_back_to_a_turn_gives_the_same_view(bench):
    """It is kept."""
    session, _ = bench()
    first = session.screen.escalation.view
    session.look_at_turn(2)
    session.look_at_turn(4)
    assert settled(session).screen.escalation.view is first


def test_a_transcript_that_was_not_computed_on_another_tab_is_there_on_the_way_back(opened, live, circling):
    """Of the settings that hold by then."""
    driver = live()
    session, _ = opened(driver, circling, algorithm=Algorithm.ESCALATION)
    session.choose_algorithm(Algorithm.VGR)
    session.set_escalation(recent_turn_window=1)
    settled(session)
    session.choose_algorithm(Algorithm.ESCALATION)
    text = settled(session).screen.escalation.view.text
    assert ("Try number 6." in text, "Try number 5." in text) == (True, False)


def test_the_turn_that_is_looked_at_stays_while_the_text_is_edited(bench, circling, chat):
    """As long as there is one of its number."""
    session, _ = bench()
    session.look_at_turn(2)
    session.set_text(circling.replace("Try number 5", "Try number five"))
    assert settled(session).screen.escalation.selected == 2
    session.set_text(chat(("user", "Hi"), ("assistant", "Hello")))
    assert settled(session).screen.escalation.selected == 1


# Its settings.


def test_a_setting_runs_again_with_the_mock(bench):
    """At once."""
    session, _ = bench()
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
def test_a_refused_setting_says_why_and_changes_nothing(bench, change, says):
    """In the core's words; the next good one takes them away."""
    session, _ = bench()
    before = session.screen.escalation
    session.set_escalation(**change)
    shown = settled(session).screen.escalation
    assert (shown.problem.lower(), shown.config, session.screen.state) == (says.lower(), before.config, DONE)
    session.set_escalation(confirmations=3)
    assert settled(session).screen.escalation.problem == ""


def test_without_a_session_id_no_streak_is_kept(bench):
    """So two confirmations are never reached."""
    session, _ = bench()
    session.set_escalation(has_session=False)
    assert evidence(session) == [CONTINUE, CONTINUE, PENDING, PENDING, PENDING, PENDING]
    assert session.result.record()["never_latches"]


def test_resetting_takes_the_configuration_back_and_not_the_switches(bench):
    """Those are no part of it."""
    session, _ = bench()
    session.set_escalation(confirmations=5, redact=True)
    session.reset_escalation()
    shown = settled(session).screen.escalation
    assert (shown.config, shown.redact) == (EscalationConfig(), True)


def test_a_setting_that_is_none_is_an_error_of_the_call(bench):
    """Where the caller sees it."""
    with pytest.raises(TypeError, match="colour"):
        bench()[0].set_escalation(colour="red")


# Verdicts read again.


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


def test_escalation_is_given_when_a_session_is_made(bench):
    """It is what later edits are compared with."""
    config = EscalationConfig(confirmations=1)
    shown = bench(escalation=config)[0].screen.escalation
    assert (shown.config, shown.baseline, shown.source, shown.outcome.latched_at) == (config, config, "given", 3)
