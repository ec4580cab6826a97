"""The result of a run as a value: its short cuts, its repr and its trace."""

from __future__ import annotations

import pytest
from routing_workbench.core.explain.clause import Holds
from routing_workbench.core.vgr.branch import Branch
from routing_workbench.core.vgr.capabilities import TaskType
from routing_workbench.core.vgr.decision import Mode, Route
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.widgets.screen import Controls
from routing_workbench.workbench.analysis import analyze
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.scenarios import SCENARIOS, scenario
from routing_workbench.workbench.drivers.script import Fault, Script
from routing_workbench.workbench.examples import example, examples


def test_repr_says_branch_route_and_origin(chat):
    """In one line, without content."""
    found = analyze(chat(("user", "Sum up this memo."), ("assistant", "It is about tides.")))
    assert repr(found) == "<Result: default_verified, served local, 2 asked, mock>"


def test_repr_of_nothing_routed():
    """What was read says why."""
    assert repr(analyze("")) == "<Result: nothing routed>"


def test_a_turn_that_ends_before_the_rules_has_no_decision(chat):
    """But a reason, and a tier that serves."""
    found = analyze(chat(("user", "Hi")), controls=Controls(mode=Mode.OFF))
    assert (found.decision, found.trace, found.served) == (None, None, Route.CLOUD)
    assert found.reason.headline


def test_nothing_routed_has_no_branch_and_no_route():
    """Not even `unknown`."""
    found = analyze("")
    assert (found.branch, found.decision, found.served, found.reason) == (None, None, None, None)


@pytest.mark.parametrize("chosen", SCENARIOS)
@pytest.mark.parametrize("name", [name for name, _ in examples()])
def test_the_trace_is_the_decision_written_out(instant, name, chosen):
    """Recomputed from its clauses, for every example and scenario."""
    controls = Controls(diagnose=True)
    found = analyze(example(name), driver=MockDriver(scenario(chosen).script, sleep=instant), controls=controls)
    if found.decision is None:
        assert found.trace is None
        return
    made = found.trace
    assert made.commits is (found.decision.predicted is Route.LOCAL)
    assert (made.branch, made.predicted, made.gate) == (
        found.decision.branch,
        found.decision.predicted,
        found.decision.readiness_gate,
    )
    assert (made.effective, made.served) == (found.decision.effective, found.served)
    assert len(found.reason.headline) <= 80


def test_a_missed_score_is_unknown_and_one_not_asked_is_not(chat):
    """The trace tells them apart."""
    script = Script().edited(Rung.READOUT, fault=Fault.TIMEOUT)
    found = analyze(chat(("user", "Hi"), ("assistant", "Hello")), driver=MockDriver(script))
    assert found.trace.rule.find("A1").holds is Holds.UNKNOWN
    plain = analyze(chat(("user", "Hi"), ("assistant", "Hello")))
    assert plain.trace.rule.find("A2").holds is Holds.NOT_ASKED


def test_the_result_keeps_what_it_was_made_with(chat):
    """So that its record stands alone."""
    controls = Controls(forced_type=TaskType.CHAT)
    found = analyze(chat(("user", "Hi"), ("assistant", "Hello")), controls=controls)
    assert (found.controls, found.branch) == (controls, Branch.CHAT)
