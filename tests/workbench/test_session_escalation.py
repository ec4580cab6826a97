"""The escalation judge on a bench: turns as they are judged, and one looked at (SPEC 6.2)."""

from __future__ import annotations

import pytest
from routing_workbench.core.escalation.streak import TurnVerdict
from routing_workbench.core.vgr.decision import Route
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.widgets.algorithm import Algorithm
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


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def evidence(session):
    """What the turns on screen gave."""
    return [turn.evidence for turn in settled(session).screen.escalation.turns]


def test_a_replay_judges_every_turn_until_it_latches(replayed):
    """Two in a row latch; whoever comes after is not judged."""
    session, _ = replayed()
    shown = session.screen.escalation
    assert evidence(session) == [CONTINUE, CONTINUE, PENDING, ESCALATE, LATCHED, LATCHED]
    assert (session.screen.state, shown.total, shown.outcome.latched_at) == (DONE, 6, 4)
    assert [row.rung for row in session.screen.asked] == [JUDGE] * 4
    assert (session.result.served, session.result.latched_at) == (Route.CLOUD, 4)


def test_the_whole_conversation_is_replayed(replayed, chat):
    """Its last message is a reply that was held, not an attempt apart from it."""
    session, _ = replayed(text=chat(("user", "Hi"), ("assistant", "Hello")))
    assert session.screen.escalation.total == 1
    assert "[assistant] Hello" in session.screen.escalation.view.text


def test_a_conversation_that_waits_for_a_reply_has_a_live_turn(replayed, chat):
    """The efficient tier writes it, and the judge reads it."""
    session, _ = replayed("decline", text=chat(("user", "Hi")))
    assert [row.rung for row in session.screen.asked] == [Rung.EFFICIENT, JUDGE]
    assert "written by the mock efficient tier" in session.screen.escalation.view.text
    assert session.result.reply is not None


def test_turns_arrive_one_by_one(replayed, held):
    """Each is on screen while the next one is judged."""
    session, watch = replayed(sleep=held, settle=False)
    for judged in range(3):
        watch.until(lambda screen, judged=judged: screen.asking is JUDGE and len(screen.escalation.turns) == judged)
        held.release()
    shown = watch.until(lambda screen: len(screen.escalation.turns) == 3)
    assert (shown.state, shown.escalation.outcome, shown.escalation.total) == (RUNNING, None, 6)
    session.cancel()


def test_cancelling_keeps_the_turns_judged(replayed, held):
    """And says where it stood; there is no outcome."""
    session, watch = replayed(sleep=held, settle=False)
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


def test_a_tier_that_refuses_fails_the_replay_and_keeps_its_turns(replayed, chat):
    """What was judged until then stays, on screen and in the record."""
    text = chat(("user", "One"), ("assistant", "Two"), ("user", "Three"))
    session, _ = replayed("decline", text=text)
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


def test_the_latching_turn_is_looked_at_first(replayed):
    """Else the last one."""
    assert replayed()[0].screen.escalation.selected == 4
    assert replayed("decline")[0].screen.escalation.selected == 6


def test_a_turn_is_looked_at(replayed):
    """With what the judge read then: nothing after it."""
    session, watch = replayed()
    watch.clear()
    session.look_at_turn(2)
    shown = settled(session).screen.escalation
    assert shown.selected == 2
    assert "Try number 2." in shown.view.text
    assert "Try number 3." not in shown.view.text
    assert [screen.state for screen in watch.screens] == [DONE]


@pytest.mark.parametrize(("turn", "found"), [(0, 1), (-3, 1), (99, 6)])
def test_the_nearest_turn_is_looked_at_where_there_is_none(replayed, turn, found):
    """A click may come late."""
    session, _ = replayed()
    session.look_at_turn(turn)
    assert settled(session).screen.escalation.selected == found


def test_stepping_goes_from_turn_to_turn_and_not_beyond(replayed):
    """Earlier and later."""
    session, _ = replayed()
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


def test_going_back_to_a_turn_gives_the_same_view(replayed):
    """It is kept."""
    session, _ = replayed()
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


def test_the_turn_that_is_looked_at_stays_while_the_text_is_edited(replayed, circling, chat):
    """As long as there is one of its number."""
    session, _ = replayed()
    session.look_at_turn(2)
    session.set_text(circling.replace("Try number 5", "Try number five"))
    assert settled(session).screen.escalation.selected == 2
    session.set_text(chat(("user", "Hi"), ("assistant", "Hello")))
    assert settled(session).screen.escalation.selected == 1
