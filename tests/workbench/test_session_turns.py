"""From turn to turn of a session: strikes, the latch, breakers and the kill switch."""

from __future__ import annotations

import asyncio

import pytest
from routing_workbench.core.vgr.decision import Route
from routing_workbench.core.vgr.evidence import Ending, Rung
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.scenarios import scenario
from routing_workbench.workbench.drivers.script import Fault


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def test_repeating_a_turn_by_edits_earns_no_strikes(opened, proposal):
    """It is the same turn each time."""
    session, _ = opened(MockDriver(scenario("turn checks escalate").script), proposal)
    for answer in ("0.7", "0.9", "0.6"):
        session.set_rung(Rung.TURN_CHECK, answer=answer)
        settled(session)
        session.set_controls(diagnose=answer == "0.9")
        outcome = settled(session).screen.outcome
        assert (outcome.streak, outcome.latched, outcome.served) == (1, False, Route.LOCAL)


def test_run_is_the_next_turn_and_two_strikes_latch(opened, proposal):
    """The one after that is served by cloud without a question."""
    session, _ = opened(MockDriver(scenario("turn checks escalate").script), proposal)
    seen = []
    for _ in range(3):
        outcome = settled(session).screen.outcome
        seen.append((outcome.streak, outcome.ending))
        session.run()
    assert seen == [
        (1, Ending.TURN_VERIFICATION_COMPLETE),
        (2, Ending.TURN_VERIFICATION_ESCALATED),
        (2, Ending.TURN_VERIFICATION_LATCHED),
    ]
    assert settled(session).screen.asked == ()


def test_an_edit_repeats_the_turn_that_run_began(opened, proposal):
    """From where it began: a kinder check takes the latch back."""
    session, _ = opened(MockDriver(scenario("turn checks escalate").script), proposal)
    session.run()
    assert settled(session).screen.outcome.latched
    session.set_rung(Rung.TURN_CHECK, answer="0.1")
    outcome = settled(session).screen.outcome
    assert (outcome.streak, outcome.latched) == (0, False)


def test_a_cancelled_turn_leaves_the_session_as_it_was(opened, held, proposal):
    """Run again is the same turn."""
    driver = MockDriver(scenario("turn checks escalate").script)
    session, _ = opened(driver, proposal)
    driver._sleep = held
    session.run()
    assert held.reached.wait(30)
    session.cancel()
    driver._sleep = asyncio.sleep
    session.run()
    assert settled(session).screen.outcome.streak == 2


@pytest.mark.parametrize("change", ["text", "driver"])
def test_another_conversation_or_driver_begins_a_new_session(opened, proposal, change):
    """Strikes are not carried over."""
    session, _ = opened(MockDriver(scenario("turn checks escalate").script), proposal)
    session.run()
    settled(session)
    if change == "text":
        session.set_text(proposal.replace("build", "tests"))
    else:
        session.set_driver(MockDriver(scenario("turn checks escalate").script))
    assert settled(session).screen.outcome.streak == 1


def _down(opened, chat):
    script = scenario("everything affirms").script.edited(Rung.ATTEMPT, fault=Fault.HTTP_503)
    return opened(MockDriver(script), chat(("user", "Hi")))[0]


def test_repeating_a_turn_by_edits_does_not_open_a_breaker(opened, chat):
    """It is one failure, however often it is looked at."""
    session = _down(opened, chat)
    for number in range(8):
        session.set_controls(diagnose=number % 2 == 0)
        assert settled(session).screen.outcome.ending is Ending.LOCAL_UNAVAILABLE


def test_run_after_run_opens_the_breaker(opened, chat):
    """After five failures the local tier is not asked again."""
    session = _down(opened, chat)
    endings = []
    for _ in range(6):
        endings.append(settled(session).screen.outcome.ending)
        session.run()
    assert endings == [Ending.LOCAL_UNAVAILABLE] * 5 + [Ending.BREAKER_OPEN]
    assert settled(session).screen.asked == ()


def test_the_kill_switch_sends_every_turn_to_cloud(opened, talk):
    """Until it is released."""
    session, _ = opened(text=talk)
    session.set_controls(kill_switch=True)
    outcome = settled(session).screen.outcome
    assert (outcome.ending, outcome.served, outcome.asked) == (Ending.KILL_SWITCH, Route.CLOUD, ())
    session.set_controls(kill_switch=False)
    assert settled(session).screen.outcome.ending is None
