"""The driver panel as a value: what the driver is, and what can be edited."""

from __future__ import annotations

import pytest
from routing_workbench.core.vgr.evidence import CUTOFF_RUNGS, ESCALATION_RUNGS, VGR_RUNGS, OriginKind, Rung
from routing_workbench.widgets.algorithm import Algorithm
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.scenarios import SCENARIOS, scenario
from routing_workbench.workbench.drivers.script import Fault, Script
from routing_workbench.workbench.panel import driver_panel


def row_of(panel, rung):
    """The row of a rung."""
    return next(row for row in panel.rungs if row.rung is rung)


def test_every_rung_has_a_row_in_order():
    """With what the script says."""
    panel = driver_panel(MockDriver())
    assert [row.rung for row in panel.rungs] == list(VGR_RUNGS)
    readout = row_of(panel, Rung.READOUT)
    assert (readout.answer, readout.kind, readout.delay_ms, readout.fault, readout.options) == (
        "0.96",
        "number",
        8,
        "none",
        (),
    )


@pytest.mark.parametrize(
    ("algorithm", "rungs"), [(Algorithm.CUTOFFS, CUTOFF_RUNGS), (Algorithm.ESCALATION, ESCALATION_RUNGS)]
)
def test_the_rungs_are_those_of_the_algorithm_on_screen(algorithm, rungs):
    """In the order they may be asked."""
    assert tuple(row.rung for row in driver_panel(MockDriver(), algorithm).rungs) == rungs


def test_the_cloud_tier_has_a_row_where_a_turn_asks_it():
    """After what decides."""
    assert driver_panel(MockDriver(), asks_cloud=True).rungs[-1].rung is Rung.CAPABLE


def test_the_labels_have_what_the_mock_answers_for_them():
    """On the Cutoffs tab alone."""
    driver = MockDriver(Script(probabilities={"a": 0.5}))
    assert driver_panel(driver, Algorithm.CUTOFFS, ("a", "b", "c")).probabilities == (
        ("a", 0.5),
        ("b", 0.25),
        ("c", 0.25),
    )
    assert driver_panel(driver, Algorithm.VGR, ("a", "b")).probabilities == ()


def test_a_verdict_is_a_choice_and_an_attempt_is_text():
    """Other text can still be sent."""
    panel = driver_panel(MockDriver())
    assert (row_of(panel, Rung.CLOUD_JUDGE).kind, row_of(panel, Rung.ATTEMPT).kind) == ("choice", "text")
    assert row_of(panel, Rung.CLOUD_JUDGE).options == ("yes", "no", "unknown")


def test_every_scenario_and_fault_is_offered():
    """With a line that says what happens."""
    panel = driver_panel(MockDriver())
    assert [name for name, _ in panel.scenarios] == list(SCENARIOS)
    assert all(description.endswith(".") for _, description in panel.scenarios)
    assert panel.faults == tuple(fault.value for fault in Fault)


def test_a_scenario_is_named_as_long_as_it_is_unchanged():
    """An edit makes it nobody's, undoing it brings the name back."""
    driver = MockDriver(scenario("hedging judge").script)
    assert driver_panel(driver).scenario == "hedging judge"
    before = driver.script.of(Rung.READOUT).answer
    driver.script = driver.script.edited(Rung.READOUT, answer="0.1")
    assert driver_panel(driver).scenario == ""
    driver.script = driver.script.edited(Rung.READOUT, answer=before)
    assert driver_panel(driver).scenario == "hedging judge"


def test_without_a_cloud_judge_its_rungs_say_why_they_cannot_be_edited():
    """The others can."""
    panel = driver_panel(MockDriver(scenario("no cloud judge").script))
    unset = {row.rung for row in panel.rungs if row.disabled == "no cloud judge configured"}
    assert unset == {Rung.ANSWER_VERIFIER, Rung.EVIDENCE_VERIFIER, Rung.CLOUD_JUDGE, Rung.EVIDENCE_CONFIRM}
    assert {row.disabled for row in panel.rungs if row.rung not in unset} == {""}


def test_another_driver_has_no_script(live):
    """Only its origin, and who answers what."""
    panel = driver_panel(live())
    assert ("local", "local-8b @ test.example") in panel.models
    assert (panel.origin.kind, panel.rungs, panel.scenarios, panel.faults) == (OriginKind.LIVE, (), (), ())
