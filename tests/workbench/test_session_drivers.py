"""Drivers on a bench: choosing one sends nothing and loses nothing, and it is let go of in time."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress

import pytest
from routing_workbench.core.vgr.evidence import OriginKind
from routing_workbench.widgets.screen import RunState
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.driving import NO_LIVE

DONE = RunState.DONE
STALE = RunState.STALE


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def panel(session):
    """The driver panel."""
    return settled(session).screen.driver


# Choosing.


def test_mock_and_a_live_driver_that_is_not_configured_are_the_choices(opened):
    """The latter says what to do."""
    choices = {choice.key: choice for choice in panel(opened()[0]).choices}
    assert (choices["mock"].words, choices["mock"].disabled) == ("mock, seed 7", "")
    assert choices["live"].disabled == NO_LIVE


def test_a_driver_that_was_handed_in_is_a_choice_under_its_origin(opened, live, talk):
    """And the mock stays one."""
    session, _ = opened(live(), talk)
    assert panel(session).chosen == "given"
    assert [choice.words for choice in panel(session).choices if choice.key == "given"] == [
        "live: judge-8b @ test.example"
    ]
    session.choose_driver("mock")
    assert (panel(session).chosen, session.screen.state) == ("mock", DONE)


def test_choosing_a_driver_sends_nothing(opened, live, talk):
    """Its result is stale until Run."""
    driver = live()
    session, _ = opened(driver, talk)
    session.choose_driver("mock")
    assert settled(session).screen.state is DONE
    session.choose_driver("given")
    screen = settled(session).screen
    assert (screen.state, screen.remark, driver.calls) == (STALE, "driver switched", [])
    assert screen.outcome.asked[0].origin.kind is OriginKind.MOCK


def test_choosing_the_driver_in_use_changes_nothing(opened, live, talk):
    """Its result stays current, and what it holds stays open."""
    driver = live()
    session, _ = opened(driver, talk)
    session.run()
    settled(session)
    session.choose_driver("live")
    session.choose_driver("given")
    assert (settled(session).screen.state, panel(session).problem, driver.closed) == (DONE, "", [])


@pytest.mark.parametrize(("key", "says"), [("live", NO_LIVE), ("cassette:none", "This driver is not there any more.")])
def test_a_driver_that_cannot_be_chosen_says_why(opened, talk, key, says):
    """The one in use stays."""
    session, _ = opened(text=talk)
    before = session.result
    session.choose_driver(key)
    found = panel(session)
    assert (found.chosen, found.problem.startswith(says), session.result is before) == ("mock", True, True)


def test_the_mocks_script_is_kept_while_another_driver_is_asked(opened, live, talk):
    """Switching back loses nothing."""
    session, _ = opened(text=talk)
    session.choose_scenario("hedging judge")
    session.set_driver(live())
    session.choose_driver("mock")
    assert panel(session).scenario == "hedging judge"


def test_the_panel_says_who_answers_what(opened, live, talk):
    """Category by category."""
    session, _ = opened(live(), talk)
    assert ("judge", "judge-8b @ test.example") in panel(session).models
    session.choose_driver("mock")
    assert panel(session).models == ()


# Letting go.


def test_a_driver_is_let_go_of_when_another_is_chosen(opened, live, talk):
    """On the session's loop, once its calls have ended."""
    driver = live()
    session, _ = opened(driver, talk)
    session.run()
    settled(session)
    session.choose_driver("mock")
    settled(session)
    assert driver.closed == [session._loop._loop]


def test_a_call_has_ended_before_its_driver_is_let_go_of(opened, live, held, talk):
    """Not the other way round."""
    driver = live(MockDriver(sleep=held))
    ended = []

    async def close():
        ended.append(held.cancelled.is_set())

    driver.aclose = close
    session, _ = opened(driver, talk)
    session.run()
    assert held.reached.wait(30)
    session.choose_driver("mock")
    settled(session)
    assert ended == [True]


def test_closing_lets_go_of_the_driver_on_the_sessions_loop(opened, live, held, talk):
    """After the calls that were on; the loop still runs then."""
    driver = live(MockDriver(sleep=held))
    session, _ = opened(driver, talk)
    session.run()
    assert held.reached.wait(30)
    loop = session._loop._loop
    session.close()
    assert (driver.closed, held.cancelled.is_set(), loop.is_closed()) == ([loop], True, True)


def test_a_driver_that_fails_or_hangs_at_its_end_does_not_keep_a_session(opened, live, monkeypatch):
    """What it raises concerns nobody."""
    monkeypatch.setattr("routing_workbench.workbench.own_loop.AT_END", 0.05)
    for close in (lambda: asyncio.sleep(3600), lambda: asyncio.wait_for(asyncio.sleep(1), 0)):
        driver = live()
        driver.aclose = close
        session, _ = opened(driver)
        session.close()
        assert not session._loop._thread.is_alive()


def test_closing_right_after_a_switch_lets_go_of_both_drivers(opened, live, held, talk):
    """Also of one whose call was still ending, and of each once."""
    before, after = live(MockDriver(sleep=held)), live()
    session, _ = opened(before, talk)
    session.run()
    assert held.reached.wait(30)
    loop = session._loop._loop
    session.set_driver(after)
    session.close()
    assert (before.closed, after.closed) == ([loop], [loop])


def test_a_driver_that_is_chosen_again_keeps_what_it_holds(opened, live, talk):
    """Letting go of it would end the calls it makes by then."""
    first, second = live(), live()
    session, _ = opened(first, talk)

    def there_and_back():
        session._desk.give(second)
        session._desk.give(first)

    session._post(there_and_back)
    settled(session)
    assert (first.closed, len(second.closed)) == ([], 1)


def test_calls_that_never_end_keep_no_driver_from_being_let_go_of(opened, live, talk, monkeypatch):
    """Its calls had their time."""
    monkeypatch.setattr("routing_workbench.workbench.leaving.PATIENCE", 0.01)
    monkeypatch.setattr("routing_workbench.workbench.own_loop.AT_END", 0.01)
    reached, closed = threading.Event(), threading.Event()

    async def never(seconds):
        while True:
            reached.set()
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    async def close():
        closed.set()

    driver = live(MockDriver(sleep=never))
    driver.aclose = close
    session, _ = opened(driver, talk)
    session.run()
    assert reached.wait(30)
    session.choose_driver("mock")
    assert closed.wait(30)
    session.close()
    assert not session._loop._thread.is_alive()
