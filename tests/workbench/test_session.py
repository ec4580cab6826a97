"""A session: what is shown and when, that nothing is lost, and that a closed one leaves nothing behind."""

from __future__ import annotations

import asyncio
import threading

import pytest
from routing_workbench.core.vgr.decision import Mode, Route
from routing_workbench.core.vgr.evidence import Ending, OriginKind, Rung
from routing_workbench.widgets.screen import Controls, RunState
from routing_workbench.workbench import seats as seats_module
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.examples import example, examples

EMPTY = RunState.EMPTY
IDLE = RunState.IDLE
RUNNING = RunState.RUNNING
DONE = RunState.DONE
STALE = RunState.STALE
CANCELLED = RunState.CANCELLED
FAILED = RunState.FAILED
BROKEN = '{"messages": [{"role": "user", "content": "x"}'


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def rungs(screen):
    """The names of what was asked."""
    return [row.rung for row in screen.asked]


def test_a_session_starts_empty(opened):
    """With the examples, the mock's panel and no result."""
    session, watch = opened()
    assert (session.screen.state, session.result, session.text) == (EMPTY, None, "")
    assert session.screen.examples == examples()
    assert session.screen.driver.origin.kind is OriginKind.MOCK
    assert watch.screens == []


def test_the_mock_is_asked_at_once(opened, talk):
    """Asking it sends nothing."""
    session, watch = opened(text=talk)
    assert session.screen.state is DONE
    assert session.screen.outcome is session.result.outcome
    assert session.screen.outcome.served is Route.LOCAL
    assert rungs(session.screen) == [Rung.TYPING, Rung.READOUT]
    assert watch.states[-1] is DONE


def test_a_first_result_is_preceded_by_what_is_computed(opened, held, talk):
    """There is nothing to flicker against."""
    _, watch = opened(MockDriver(sleep=held), talk, settle=False)
    shown = watch.until(lambda screen: screen.state is RUNNING and screen.asking is Rung.TYPING)
    assert shown.derived.capabilities.attempt == "It is about tides."
    assert (shown.outcome, shown.remark) == (None, "")
    assert shown.will_ask == (Rung.TYPING,)


@pytest.mark.usefixtures("no_reveal")
def test_a_short_run_shows_nothing_between_two_results(opened, talk):
    """So nothing flickers, although the loop turns while it is on."""
    session, watch = opened(MockDriver(sleep=lambda seconds: asyncio.sleep(0)), talk)
    watch.clear()
    session.set_rung(Rung.READOUT, answer="0.1")
    settled(session)
    assert [screen.state for screen in watch.screens] == [DONE]


def test_a_long_run_shows_itself_with_the_result_before_it(monkeypatch, opened, held, talk):
    """The old result stands, and says why it is stale."""
    monkeypatch.setattr(seats_module, "REVEAL_AFTER", 0.0)
    driver = MockDriver()
    session, watch = opened(driver, talk)
    old = session.screen.outcome
    watch.clear()
    driver._sleep = held
    session.set_controls(mode=Mode.SHADOW)
    shown = watch.until(lambda screen: screen.state is RUNNING)
    assert (shown.outcome, shown.remark) == (old, "mode changed")
    driver._sleep = asyncio.sleep
    held.release()
    assert settled(session).screen.state is DONE
    assert watch.states == [RUNNING, DONE]


def test_rows_arrive_one_by_one(opened, held, talk):
    """Each answer is on screen before the next question is answered."""
    session, watch = opened(MockDriver(sleep=held), talk, settle=False)
    watch.until(lambda screen: screen.asking is Rung.TYPING)
    held.release()
    shown = watch.until(lambda screen: screen.asking is Rung.READOUT)
    assert rungs(shown) == [Rung.TYPING]
    held.release()
    assert settled(session).screen.state is DONE


def test_an_unreadable_text_keeps_the_result_as_stale(opened, talk):
    """And the text stays as it was typed."""
    session, _ = opened(text=talk)
    before, result = session.screen, session.result
    session.set_text(BROKEN)
    settled(session)
    assert (session.screen.state, session.screen.remark) == (STALE, "the text can't be read")
    assert session.screen.reading.diagnostics[0].code == "json-cut-off"
    assert (session.screen.outcome, session.screen.derived) == (before.outcome, before.derived)
    assert (session.result, session.text) == (result, BROKEN)


def test_an_unreadable_first_text_leaves_nothing_to_route(opened):
    """The remark says what and where."""
    session, _ = opened(text=BROKEN)
    assert (session.screen.state, session.screen.derived, session.result) == (IDLE, None, None)
    assert session.screen.reading.diagnostics[0].place.column == 47


def test_a_mended_text_is_routed_again(opened, talk):
    """The stale result goes then."""
    session, _ = opened(text=talk)
    session.set_text(BROKEN)
    session.set_text(talk)
    assert settled(session).screen.state is DONE


def test_removing_the_text_empties_the_bench_but_not_the_controls(opened, talk):
    """Nor the driver's script."""
    session, _ = opened(text=talk)
    session.set_controls(mode=Mode.SHADOW, prior_local=0.4)
    session.choose_scenario("hedging judge")
    session.set_text("")
    screen = settled(session).screen
    assert (screen.state, screen.reading, screen.outcome, screen.asked, session.result) == (EMPTY, None, None, (), None)
    assert screen.controls == Controls(mode=Mode.SHADOW, prior_local=0.4)
    assert screen.driver.scenario == "hedging judge"


def test_controls_set_before_a_text_are_used(opened, talk):
    """The order of inputs does not matter."""
    session, _ = opened()
    session.set_controls(kill_switch=True)
    session.set_text(talk)
    assert settled(session).screen.outcome.ending is Ending.KILL_SWITCH


def test_cancelling_keeps_what_was_gathered(opened, held, talk):
    """And says where it stood."""
    session, watch = opened(MockDriver(sleep=held), talk, settle=False)
    watch.until(lambda screen: screen.asking is Rung.TYPING)
    held.release()
    watch.until(lambda screen: screen.asking is Rung.READOUT)
    session.cancel()
    screen = settled(session).screen
    assert (screen.state, rungs(screen), screen.asking) == (CANCELLED, [Rung.TYPING], None)
    assert screen.remark.startswith("asking readout, at ")
    assert (screen.outcome, session.result) == (None, None)


@pytest.mark.usefixtures("no_reveal")
def test_cancelling_before_a_run_shows_keeps_its_rows_not_the_old_ones(opened, held, talk):
    """What is kept is of this run."""
    driver = MockDriver()
    session, _ = opened(driver, talk)
    driver._sleep = held
    session.set_controls(mode=Mode.SHADOW)
    assert held.reached.wait(30)
    session.cancel()
    screen = settled(session).screen
    assert (screen.state, screen.asked) == (CANCELLED, ())
    assert screen.remark.startswith("asking typing, at ")


def test_nothing_of_a_cancelled_run_shows_later(opened, held, talk):
    """However close the two are."""
    session, watch = opened(MockDriver(sleep=held))
    for number in range(30):
        watch.clear()
        session.set_text(talk + " " * number)
        session.cancel()
        assert settled(session).screen.state is CANCELLED
        assert watch.screens[-1].state is CANCELLED


def test_cancelling_nothing_does_nothing(opened, talk):
    """A late click."""
    session, watch = opened(text=talk)
    watch.clear()
    session.cancel()
    settled(session)
    assert (watch.screens, session.screen.state) == ([], DONE)


def test_unchanged_messages_are_the_same_objects(opened, chat):
    """So that what was derived of them stays."""
    turns = [("user", f"Question {number}") for number in range(5)]
    session, _ = opened(text=chat(*turns, ("assistant", "One")))
    before = session.screen.reading.conversations[0].request.messages
    turns[2] = ("user", "Another question")
    session.set_text(chat(*turns, ("assistant", "One")))
    after = settled(session).screen.reading.conversations[0].request.messages
    assert [new is old for new, old in zip(after, before, strict=True)] == [True, True, False, True, True, True]


def test_closing_ends_the_thread_and_the_call_in_flight(opened, held, talk):
    """Twice is once, and what comes later is ignored."""
    session, watch = opened(MockDriver(sleep=held), talk, settle=False)
    assert held.reached.wait(30)
    thread, loop = session._loop._thread, session._loop._loop
    session.close()
    session.close()
    assert held.cancelled.is_set()
    assert (thread.is_alive(), loop.is_closed(), asyncio.all_tasks(loop)) == (False, True, set())
    watch.clear()
    session.set_text("later")
    session.run()
    assert (session.wait(1), watch.screens) == (True, [])


def test_a_session_can_close_itself(opened, talk):
    """From what watches it, on its own thread."""
    closed = threading.Event()
    session, _ = opened()

    def close(screen):
        session.close()
        closed.set()

    session._display.told = close
    session.set_text(talk)
    assert closed.wait(30)
    session._loop._thread.join(30)
    assert not session._loop._thread.is_alive()


def test_two_sessions_do_not_meet(opened, talk, chat):
    """Neither controls nor script nor strikes."""
    one, _ = opened(text=talk)
    other, _ = opened(text=chat(("user", "Hi"), ("assistant", "Hello")))
    one.choose_scenario("everything denies")
    one.set_controls(mode=Mode.SHADOW)
    settled(one)
    assert settled(other).screen.controls == Controls()
    assert (other.screen.outcome.served, other.screen.driver.scenario) == (Route.LOCAL, "everything affirms")
    assert other.screen.derived.capabilities.attempt == "Hello"


def test_every_example_can_be_chosen(opened):
    """And is read without an error."""
    session, _ = opened()
    for name, _ in examples():
        session.choose_example(name)
        assert settled(session).screen.source_name == name
        assert (session.text, session.screen.state) == (example(name), DONE)
