"""What fails in a session reaches the screen by its kind, and the session lives on."""

from __future__ import annotations

import pytest
from routing_workbench.core.vgr.decision import Mode
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.widgets.screen import Controls, RunState
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.scenarios import scenario

DONE = RunState.DONE
FAILED = RunState.FAILED


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def rungs(screen):
    """The names of what was asked."""
    return [row.rung for row in screen.asked]


def test_a_wrong_key_is_a_failed_run(opened, chat):
    """With what failed and what to do; the turn has no verdict."""
    session, _ = opened(MockDriver(scenario("wrong key").script), chat(("user", "Hi")))
    screen = session.screen
    assert (screen.state, screen.outcome, rungs(screen)) == (FAILED, None, [Rung.ATTEMPT])
    assert (screen.failure.stage, screen.failure.what) == ("attempt", "Local tier failed: HTTP 401.")
    assert session.result.failure == screen.failure


def test_active_without_its_approval_fails_until_it_is_set(opened, talk):
    """The next step says how."""
    session, _ = opened(text=talk, controls=Controls(mode=Mode.ACTIVE))
    assert (session.screen.state, session.screen.failure.stage) == (FAILED, "configuration")
    session.set_controls(approval="prospective-validation-and-canary-approved")
    assert settled(session).screen.state is DONE


def test_a_driver_that_breaks_shows_its_error_by_kind_only(opened, talk):
    """Its text may quote the conversation."""

    def broken(call):
        raise ValueError("secret words of the request")

    session, watch = opened(MockDriver(replies=broken), talk)
    assert (session.screen.state, session.screen.failure.what) == (FAILED, "The run failed: ValueError.")
    shown = "".join(map(repr, watch.screens)) + repr(session.result) + session.result.to_json()
    assert "secret words" not in shown
    assert session.text == talk


def test_a_failed_run_can_be_run_again(opened, talk):
    """The session lives on."""
    driver = MockDriver(replies=lambda call: 1 / 0)
    session, _ = opened(driver, talk)
    driver._function = None
    session.run()
    assert settled(session).screen.state is DONE
    assert session.screen.failure is None


def test_a_control_that_is_none_is_an_error_of_the_call(opened, talk):
    """Where the caller sees it; the session goes on."""
    session, _ = opened(text=talk)
    with pytest.raises(TypeError, match="colour"):
        session.set_controls(colour="red")
    with pytest.raises(ValueError, match="flood"):
        session.set_rung(Rung.READOUT, fault="flood")
    with pytest.raises(ValueError, match="-1"):
        session.set_rung(Rung.READOUT, delay_ms=-1)
    with pytest.raises(KeyError, match="no scenario"):
        session.choose_scenario("weather")
    with pytest.raises(KeyError, match="no example"):
        session.choose_example("weather")
    assert settled(session).screen.state is DONE


def test_a_control_of_the_wrong_kind_is_refused_at_the_caller(opened, talk):
    """In words that do not quote it, and nothing changes."""
    session, _ = opened(text=talk)
    before = settled(session).screen
    with pytest.raises(ValueError, match="prior_local is no probability") as refused:
        session.set_controls(prior_local="secret words")
    assert "secret words" not in str(refused.value)
    assert settled(session).screen == before
