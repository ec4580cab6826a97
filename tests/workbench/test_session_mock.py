"""The mock's script as the screen edits it: every edit moves the decision at once."""

from __future__ import annotations

from routing_workbench.core.vgr.branch import Branch
from routing_workbench.core.vgr.capabilities import TaskType
from routing_workbench.core.vgr.decision import Route
from routing_workbench.core.vgr.evidence import Miss, Rung
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.script import Fault, RungScript


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def rungs(screen):
    """The names of what was asked."""
    return [row.rung for row in screen.asked]


def test_an_edited_answer_moves_the_decision(opened, talk):
    """At once."""
    session, _ = opened(text=talk)
    session.set_rung(Rung.READOUT, answer="0.2")
    session.set_rung(Rung.DELIBERATION, answer="no")
    screen = settled(session).screen
    assert screen.outcome.served is Route.CLOUD
    assert next(row for row in screen.driver.rungs if row.rung is Rung.READOUT).answer == "0.2"


def test_a_fault_is_a_miss(opened, talk):
    """Fails closed."""
    session, _ = opened(text=talk)
    for rung in (Rung.READOUT, Rung.DELIBERATION):
        session.set_rung(rung, fault=Fault.TIMEOUT.value)
    screen = settled(session).screen
    assert [row.miss for row in screen.asked] == [None, Miss.TIMED_OUT, Miss.TIMED_OUT]
    assert screen.outcome.served is Route.CLOUD


def test_a_delay_is_edited_alone(opened, instant, talk):
    """Answer and fault stay."""
    driver = MockDriver(sleep=instant)
    session, _ = opened(driver, talk)
    session.set_rung(Rung.READOUT, delay_ms=58)
    settled(session)
    assert driver.script.of(Rung.READOUT) == RungScript("0.96", 58)


def test_a_scenario_is_loaded_whole(opened, talk):
    """And named."""
    session, _ = opened(text=talk)
    session.set_rung(Rung.READOUT, answer="0.2")
    session.choose_scenario("everything denies")
    screen = settled(session).screen
    assert (screen.driver.scenario, screen.outcome.served) == ("everything denies", Route.CLOUD)


def test_extras_are_asked_but_decide_nothing(opened, talk):
    """Diagnosis shows them beside the decision."""
    session, _ = opened(text=talk)
    decision = session.result.decision
    session.set_controls(diagnose=True)
    screen = settled(session).screen
    assert [row.rung for row in screen.asked if row.extra] == [Rung.DELIBERATION]
    assert (session.result.decision, screen.trace_with_extra is None) == (decision, False)


def test_a_forced_type_changes_the_branch(opened, talk):
    """Nobody is asked for it."""
    session, _ = opened(text=talk)
    session.set_controls(forced_type=TaskType.CHAT)
    screen = settled(session).screen
    assert (session.result.branch, screen.derived.task_type_origin) == (Branch.CHAT, "forced")
    assert Rung.TYPING not in rungs(screen)
