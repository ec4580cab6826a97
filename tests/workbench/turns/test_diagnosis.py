"""Extra evidence is shown and never reaches the decision (SPEC 7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from routing_workbench.core.vgr.capabilities import TaskType
from routing_workbench.core.vgr.decision import Readiness, Route, decide
from routing_workbench.core.vgr.evidence import Ending, Rung
from routing_workbench.core.vgr.signals import Signals, Verdict
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.protocol import Category, HttpStatusError
from routing_workbench.workbench.drivers.scenarios import SCENARIOS
from routing_workbench.workbench.drivers.script import Script
from routing_workbench.workbench.turns import events as happened
from routing_workbench.workbench.turns.breaker import Breakers
from routing_workbench.workbench.turns.settings import TurnSettings

RunTurn = Callable[..., Any]
TYPES = [None, *TaskType]


def extras(run: Any) -> list[str]:
    """The rungs asked for diagnosis."""
    return [row.rung.value for row in run.outcome.asked if row.extra]


def test_what_production_skipped_is_asked_after_the_decision(
    run_turn: RunTurn, recording: Any, scene: SimpleNamespace
) -> None:
    """Marked extra, behind production, and after the decision is out."""
    run = run_turn(scene.plain, scene.code, recording(), settings=TurnSettings(diagnose=True))
    assert run.rungs == ["typing", "readout"]
    assert extras(run) == ["evidence_strict", "deliberation", "cloud_judge", "evidence_confirm"]
    decided = next(i for i, event in enumerate(run.events) if isinstance(event, happened.Decided))
    asked = [i for i, event in enumerate(run.events) if isinstance(event, happened.RungAsked) and event.extra]
    assert decided < min(asked)
    assert run.outcome.not_asked == ()


def test_extra_evidence_that_would_change_the_decision_does_not(
    run_turn: RunTurn, recording: Any, scene: SimpleNamespace
) -> None:
    """A coding judge that says no flips the rule, if it is consulted. Production did not consult it."""
    run = run_turn(scene.plain, scene.code, recording({Rung.CLOUD_JUDGE: "no"}), settings=TurnSettings(diagnose=True))
    outcome = run.outcome
    assert outcome.signals == Signals(readout=0.96)
    assert outcome.signals_with_extra.cloud_judge is Verdict.NO
    assert outcome.decision.predicted is Route.LOCAL
    derived = next(event.derivation for event in run.events if isinstance(event, happened.Derived))
    with_all = replace(outcome.signals_with_extra, evidence_strict=None)
    assert decide(derived.capabilities, with_all, Readiness()).predicted is Route.CLOUD


def test_a_run_that_asks_nothing_is_diagnosed(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """What the scores of the failed agentic run would have been."""
    settings = TurnSettings(diagnose=True, forced_type=TaskType.AGENTIC)
    run = run_turn(scene.failed_run, scene.prose, recording({Rung.READOUT: 0.34}), settings=settings)
    assert extras(run) == ["readout", "deliberation"]
    assert run.outcome.signals == Signals()
    assert run.outcome.signals_with_extra == Signals(readout=0.34, deliberation=1.0)
    assert run.outcome.served is Route.CLOUD


def test_without_diagnosis_nothing_is_extra(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """And what was skipped is named with its reason."""
    run = run_turn(scene.plain, scene.prose, recording())
    assert extras(run) == []
    assert run.outcome.not_asked == ((Rung.DELIBERATION, "committed before"),)


def test_a_turn_that_ended_early_is_not_diagnosed(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """There is no rule to read anything for."""
    run = run_turn(scene.clean_run, scene.call, recording(), settings=TurnSettings(diagnose=True))
    assert run.outcome.ending is Ending.TURN_VERIFICATION_COMPLETE
    assert extras(run) == []


def test_extras_have_a_deadline_of_their_own(run_turn: RunTurn, scene: SimpleNamespace) -> None:
    """Even where production used its time up."""
    script = Script().edited(Rung.READOUT, answer="0.1", delay_ms=40).edited(Rung.TYPING, answer="chat")
    settings = TurnSettings(diagnose=True, deadline=0.045, forced_type=TaskType.CHAT)
    run = run_turn(scene.plain, scene.prose, MockDriver(script), settings=settings)
    assert run.rungs == ["readout", "deliberation", "cloud_judge"]
    assert extras(run) == ["evidence_confirm"]
    assert run.row(Rung.EVIDENCE_CONFIRM).value is Verdict.YES


def test_extras_leave_the_breakers_alone(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """Curiosity must not change what the next turn may do."""
    breakers = Breakers(threshold=1)
    driver = recording({Rung.CLOUD_JUDGE: HttpStatusError(503)})
    run = run_turn(scene.plain, scene.code, driver, breakers=breakers, settings=TurnSettings(diagnose=True))
    assert run.row(Rung.CLOUD_JUDGE).error == "HTTP 503"
    assert not breakers.of(Category.CLOUD_JUDGE).is_open(0.0)


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("task_type", TYPES, ids=str)
def test_diagnosis_never_changes_a_decision(
    run_turn: RunTurn, scene: SimpleNamespace, name: str, task_type: TaskType | None
) -> None:
    """In every scenario and for every type: same production, same signals, same decision."""
    plain, diagnosed = (
        run_turn(
            scene.plain,
            scene.prose,
            MockDriver(SCENARIOS[name].script),
            settings=TurnSettings(forced_type=task_type, diagnose=diagnose),
        )
        for diagnose in (False, True)
    )
    assert plain.rungs == diagnosed.rungs
    assert plain.outcome.signals == diagnosed.outcome.signals
    assert (plain.outcome.decision, plain.outcome.served) == (diagnosed.outcome.decision, diagnosed.outcome.served)
