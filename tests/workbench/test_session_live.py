"""A driver that is no mock is asked by Run alone; whatever changes makes its result stale."""

from __future__ import annotations

import pytest
from routing_workbench.core.vgr.decision import Mode
from routing_workbench.core.vgr.evidence import OriginKind, Rung
from routing_workbench.widgets.screen import RunState
from routing_workbench.workbench.drivers.mock import MockDriver

IDLE = RunState.IDLE
DONE = RunState.DONE
STALE = RunState.STALE


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def test_another_driver_is_not_asked_before_run(opened, live, talk):
    """Pasting computes what needs nobody, and says what Run will ask."""
    driver = live()
    session, _ = opened(driver, talk)
    screen = session.screen
    assert (driver.calls, screen.state, screen.outcome) == ([], IDLE, None)
    assert screen.derived.capabilities.attempt == "It is about tides."
    assert screen.will_ask == (Rung.TYPING,)
    session.run()
    settled(session)
    assert driver.calls == [Rung.TYPING, Rung.READOUT]
    assert (session.screen.state, session.result.origin.kind) == (DONE, OriginKind.LIVE)


def test_switching_the_driver_sends_nothing(opened, live, talk):
    """The mock's result is stale then, and still marked as the mock's."""
    driver = live()
    session, _ = opened(text=talk)
    session.set_driver(driver)
    screen = settled(session).screen
    assert (driver.calls, screen.state, screen.remark) == ([], STALE, "driver switched")
    assert screen.outcome.asked[0].origin.kind is OriginKind.MOCK
    assert (screen.driver.origin.kind, screen.driver.rungs) == (OriginKind.LIVE, ())


@pytest.mark.parametrize(
    ("change", "remark"),
    [
        (lambda session: session.set_controls(mode=Mode.SHADOW), "mode changed"),
        (lambda session: session.set_controls(diagnose=True, deadline=5.0), "diagnosis and deadline changed"),
        (lambda session: session.force_format("plain-prompt"), "conversation changed"),
    ],
    ids=["one", "two", "format"],
)
def test_a_change_makes_the_result_of_another_driver_stale(opened, live, talk, change, remark):
    """It stays, and nothing is sent."""
    driver = live()
    session, _ = opened(driver, talk)
    session.run()
    outcome, asked = settled(session).screen.outcome, len(driver.calls)
    change(session)
    screen = settled(session).screen
    assert (screen.state, screen.remark, screen.outcome, len(driver.calls)) == (STALE, remark, outcome, asked)


def test_an_edited_message_makes_the_result_stale(opened, live, chat):
    """The remark names it."""
    session, _ = opened(live(), chat(("user", "One"), ("assistant", "Two")))
    session.run()
    settled(session)
    session.set_text(chat(("user", "One"), ("assistant", "Three")))
    screen = settled(session).screen
    assert (screen.state, screen.remark) == (STALE, "message 2 edited")
    assert screen.derived.capabilities.attempt == "Three"


def test_a_control_that_did_not_change_changes_nothing(opened, live, talk):
    """The result is as good as before."""
    session, watch = opened(live(), talk)
    session.run()
    settled(session)
    watch.clear()
    session.set_controls(mode=Mode.EVALUATE)
    assert settled(session).screen.state is DONE
    assert watch.screens == []


def test_an_edit_ends_the_run_of_another_driver(opened, live, held, talk, chat):
    """What it had gathered is of another text."""
    session, watch = opened(live(MockDriver(sleep=held)), talk)
    session.run()
    watch.until(lambda screen: screen.asking is Rung.TYPING)
    session.set_text(chat(("user", "Another")))
    screen = settled(session).screen
    assert held.cancelled.is_set()
    assert (screen.state, screen.asked, screen.will_ask) == (IDLE, (), (Rung.ATTEMPT, Rung.TYPING))


def test_editing_the_mock_does_nothing_to_another_driver(opened, live, talk):
    """It has no script."""
    driver = live()
    session, watch = opened(driver, talk)
    watch.clear()
    session.set_rung(Rung.READOUT, answer="0.1")
    session.choose_scenario("silent judge")
    settled(session)
    assert (watch.screens, driver.calls) == ([], [])
