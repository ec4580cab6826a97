"""The rule trace: the decision again, from its clauses alone; its letters, margins and words (SPEC 4.5, 4.6)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from decision_inputs import CAPABILITIES, COUNT, READINESS, SIGNALS
from hypothesis import given, settings
from hypothesis import strategies as st
from routing_workbench.core.explain.trace import Clause, Comparison, Holds, Join, Trace, trace
from routing_workbench.core.vgr.branch import Branch
from routing_workbench.core.vgr.capabilities import Capabilities, ToolErrors, ToolErrorSource
from routing_workbench.core.vgr.decision import Mode, Readiness, ReadinessGate, Route, decide
from routing_workbench.core.vgr.flat import capabilities_from_json, signals_from_json
from routing_workbench.core.vgr.policy import POLICY_1_0_0, Policy, RecoveredRun
from routing_workbench.core.vgr.serving import serve
from routing_workbench.core.vgr.signals import Signals, Verdict

VECTORS = Path(__file__).resolve().parents[2] / "vectors" / "decide.jsonl"
CASES = [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()]


def traced(case: dict[str, Any], mode: Mode = Mode.EVALUATE) -> Trace:
    """The trace of a vector's input."""
    given_ = case["input"]
    return trace(
        capabilities_from_json(given_["capabilities"]),
        signals_from_json(given_["signals"]),
        Readiness(**given_["readiness"]),
        mode,
    )


def holds(clause: Clause) -> bool:
    """A clause worked out here, from comparisons alone."""
    if clause.comparison is not None:
        return clause.comparison.holds is Holds.YES
    parts = [holds(part) for part in clause.clauses]
    assert parts
    return all(parts) if clause.join is Join.ALL else any(parts)


def routes(of: Trace) -> tuple[str, str, str]:
    """Predicted, effective and served route, worked out from the clauses, the gate's comparisons and the mode."""
    predicted = "local" if holds(of.rule) else "cloud"
    effective = predicted if all(holds(clause) for clause in of.gate_clauses) else "cloud"
    served = {"evaluate": predicted, "active": effective}.get(of.mode, "cloud")
    return predicted, effective, served


def comparisons(clause: Clause) -> Iterator[Comparison]:
    """Every comparison of a clause."""
    if clause.comparison is not None:
        yield clause.comparison
    for part in clause.clauses:
        yield from comparisons(part)


def assert_margins_agree(of: Trace) -> None:
    """A margin's sign, that of zero included, says whether the comparison holds."""
    for found in comparisons(of.rule):
        if found.margin is not None:
            assert (math.copysign(1, found.margin) > 0) is (found.holds is Holds.YES), found
            assert found.margin_text.startswith("−") is (found.holds is not Holds.YES), found


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_verdict_of_a_vector_follows_from_the_trace_alone(case: dict[str, Any]) -> None:
    """Predicted, effective, gate and the served route of every mode, and no margin on the wrong side."""
    expected = case["expected"]
    for mode in Mode:
        of = traced(case, mode)
        assert routes(of) == (expected["predicted"], expected["effective"], expected["served"][mode])
        assert (of.predicted, of.effective, of.served) == routes(of)
        assert (of.branch, of.gate, of.commits) == (
            expected["branch"],
            expected["readiness_gate"],
            expected["predicted"] == "local",
        )
        assert_margins_agree(of)


# How it reads -----------------------------------------------------------------------------------------------------

LOOP = Capabilities(
    is_agentic=True,
    transcript="view",
    tool_errors=ToolErrors(ToolErrorSource.HOST, 7),
    tool_results=16,
    tool_tail_clean=False,
)
CODING = Capabilities(is_coding=True)


def told(clause: Clause) -> list[tuple[str, ...]]:
    """The rows of a clause as they are shown: key, label, value, needs, margin, holds."""
    found = clause.comparison
    cells = (found.value, found.needs, found.margin_text) if found else ("", "", "")
    return [(clause.key, clause.label, *cells, clause.holds), *(row for part in clause.clauses for row in told(part))]


def run(capabilities: Capabilities, signals: Signals = Signals(), **more: Any) -> Trace:  # noqa: B008 - frozen
    """The trace with a checker deployed, in mode evaluate."""
    return trace(capabilities, signals, Readiness(True), Mode.EVALUATE, **more)


def test_the_agentic_rule_reads_as_in_the_drawing() -> None:
    """Letters, values, needs, margins and outcomes of the drawing's trace; what was not asked says so."""
    of = run(LOOP)
    assert told(of.rule)[1:] == [
        ("A", "Tool record: A1 or A2", "", "", "", "no"),
        ("A1", "resolved tool errors", "7", "= 0", "−7", "no"),
        ("A2", "recovered run: all five", "", "", "", "no"),
        ("A2.1", "recovered runs enabled", "on", "on", "", "yes"),
        ("A2.2", "count attested by", "host", "host", "", "yes"),
        ("A2.3", "tool errors", "7", "≥ 1", "+6", "yes"),
        ("A2.4", "tool results", "16", "≤ 15", "−1", "no"),
        ("A2.5", "last result clean", "failed", "clean", "", "no"),
        ("B", "Score: B1 or B2", "", "", "", "not asked"),
        ("B1", "readout", "not asked", "≥ 0.20", "", "not asked"),
        ("B2", "deliberation", "not asked", "≥ 0.50", "", "not asked"),
    ]
    assert (of.sentence, of.decided_by) == ("Commit when A and B", "A")
    assert of.conclusion == "A is no, so the attempt is not committed"


def test_the_coding_rule_shows_all_four_arms_and_the_veto() -> None:
    """Each arm has its own comparisons; a value that would round onto its bar is shown in full, in every row."""
    of = run(CODING, Signals(readout=0.8999, cloud_judge=Verdict.UNKNOWN, evidence_strict=Verdict.NO))
    assert told(of.rule)[1:] == [
        ("A", "Verification: A1, A2, A3 or A4", "", "", "", "unknown"),
        ("A1", "readout alone: both", "", "", "", "no"),
        ("A1.1", "readout", "0.8999", "≥ 0.90", "−0.0001", "no"),
        ("A1.2", "cloud_judge", "unknown", "yes, if asked", "", "unknown"),
        ("A2", "local evidence: all three", "", "", "", "no"),
        ("A2.1", "evidence_strict", "no", "yes", "", "no"),
        ("A2.2", "deliberation", "not asked", "≥ 0.50", "", "not asked"),
        ("A2.3", "no objection to a sure readout: either", "", "", "", "yes"),
        ("A2.3.1", "readout below its bar", "0.8999", "not ≥ 0.90", "+0.0001", "yes"),
        ("A2.3.2", "cloud_judge", "unknown", "yes, if asked", "", "unknown"),
        ("A3", "band: all four", "", "", "", "unknown"),
        ("A3.1", "readout", "0.8999", "≥ 0.50", "+0.40", "yes"),
        ("A3.2", "readout", "0.8999", "< 0.90", "+0.0001", "yes"),
        ("A3.3", "cloud_judge", "unknown", "yes", "", "unknown"),
        ("A3.4", "evidence_confirm", "not asked", "yes", "", "not asked"),
        ("A4", "dial: both", "", "", "", "unknown"),
        ("A4.1", "readout", "0.8999", "≥ 0.20", "+0.70", "yes"),
        ("A4.2", "cloud_judge", "unknown", "yes", "", "unknown"),
        ("B", "Tool veto", "no information", "= 0 or no information", "", "yes"),
    ]
    assert of.conclusion == "A is unknown, so the attempt is not committed"


def test_a_commit_names_the_arm_that_holds() -> None:
    """`decided_by` is the first arm of the evidence that holds."""
    of = run(CODING, Signals(readout=0.3, cloud_judge=Verdict.YES))
    assert (of.decided_by, of.conclusion) == ("A4", "A and B are yes, so the attempt is committed")
    assert of.decisive.label == "dial: both"
    assert run(Capabilities(has_checks=True), Signals(tests_pass=Verdict.YES)).decided_by == "A"
    assert (
        run(LOOP._replace(tool_errors=ToolErrors(ToolErrorSource.HOST, 0)), Signals(deliberation=1.0)).decided_by
        == "B2"
    )


def test_a_veto_decides_where_the_evidence_would_commit() -> None:
    """The group that fails is named, with its count."""
    of = run(CODING._replace(tool_errors=ToolErrors(ToolErrorSource.UNTRUSTED, 1)), Signals(readout=0.95))
    assert (of.decided_by, of.conclusion) == ("B", "B is no, so the attempt is not committed")
    assert told(of.decisive) == [("B", "Tool veto", "1", "= 0 or no information", "−1", "no")]


def test_the_gate_is_traced_with_the_value_it_read() -> None:
    """A commit that is held back says so; branches without a gate have no gate clause."""
    of = trace(CODING, Signals(readout=0.95), Readiness(False), Mode.ACTIVE)
    assert told(of.gate_clauses[0]) == [("G", "validated checker", "not deployed", "deployed", "", "no")]
    assert (of.predicted, of.effective, of.served) == ("local", "cloud", "cloud")
    assert of.conclusion == "A and B are yes, so the attempt is committed, but secure_checker_missing holds it back"
    recognized = Capabilities(transcript="view", prior_local=0.8)
    assert told(run(recognized).gate_clauses[0]) == [("G", "count attested by", "nobody", "host", "", "no")]
    assert run(Capabilities(is_chat=True)).gate_clauses == ()


def test_unknown_never_commits_and_says_so() -> None:
    """The rule of `unknown` is one clause that never holds."""
    of = run(Capabilities(task_text="q"), Signals(readout=1.0, tests_pass=Verdict.YES))
    assert (of.branch, of.sentence, of.decided_by) == (Branch.UNKNOWN, "Never commit", "A")
    assert of.conclusion == "A is no, so the attempt is not committed"


def test_a_clause_that_nobody_asked_for_is_concluded_in_words() -> None:
    """Not asked is not the same as no."""
    of = run(Capabilities(has_checks=True))
    assert (of.sentence, of.conclusion) == ("Commit when A", "A was not asked, so the attempt is not committed")


def test_an_asked_score_without_an_answer_is_unknown() -> None:
    """`unanswered` tells a score that was asked from one that was not; it never moves the verdict."""
    of = run(Capabilities(is_chat=True), unanswered={"deliberation"})
    assert told(of.rule)[2:4] == [
        ("A1", "deliberation", "none", "≥ 0.50", "", "unknown"),
        ("A2", "readout", "not asked", "≥ 0.30", "", "not asked"),
    ]
    assert not of.commits


def test_what_the_policy_leaves_out_is_shown_as_such() -> None:
    """An unset dial, a judge that is not required, a clean tail that is not required, arms that are off."""
    policy = replace(POLICY_1_0_0, chat_dial=None, coding_dial_requires_judge=False)
    policy = replace(policy, recovered_run=RecoveredRun(require_clean_tail=False))
    chat = run(Capabilities(is_chat=True), Signals(readout=0.4), policy=policy)
    assert told(chat.rule)[3] == ("A2", "readout", "0.40", "≥ a bar, none set", "", "no")
    dial = run(CODING, Signals(readout=0.4, cloud_judge=Verdict.NO), policy=policy)
    assert told(dial.rule)[-2] == ("A4.2", "cloud_judge", "no", "not required", "", "yes")
    tail = run(LOOP, policy=policy)
    assert told(tail.rule)[8] == ("A2.5", "last result clean", "failed", "not required", "", "yes")
    answer = run(Capabilities(task_text="q", final_answer="a"))
    assert told(answer.rule)[5] == ("A3.1", "answer judge arms enabled", "off", "on", "", "no")


def test_bars_are_named_and_the_lower_of_bar_and_dial_is_the_one_shown() -> None:
    """The default rule shows the bar it really uses."""
    default = Capabilities(default_verified=True, transcript="view")
    found = [
        next(comparisons(run(default, policy=replace(POLICY_1_0_0, default_verified_dial=dial)).rule))
        for dial in (0.7, 0.95, None)
    ]
    assert [(c.needs, c.bar_name) for c in found] == [
        ("≥ 0.70", "default_verified_dial"),
        ("≥ 0.90", "readout_bar"),
        ("≥ 0.90", "readout_bar"),
    ]


def test_at_an_exclusive_bar_the_zero_margin_has_the_sign_of_the_miss() -> None:
    """0.90 is not below 0.90: the margin is -0, and at the inclusive bar it is +0."""
    found = {(c.needs, c.margin_text, c.holds) for c in comparisons(run(CODING, Signals(readout=0.9)).rule)}
    assert {("≥ 0.90", "+0.00", "yes"), ("< 0.90", "−0.00", "no"), ("not ≥ 0.90", "−0.00", "no")} <= found


@pytest.mark.parametrize(
    ("results", "row"),
    [
        (16, ("16", "≤ 15", "−1", "no")),
        (15, ("15", "≤ 15", "0", "yes")),
        (0, ("0", "≤ 15", "+15", "yes")),
        (-1, ("−1", "≥ 0", "−1", "no")),
        (None, ("not known", "≤ 15", "", "no")),
    ],
)
def test_a_number_of_results_is_held_between_zero_and_its_limit(results: int | None, row: tuple[str, ...]) -> None:
    """The side that binds is the one shown."""
    of = run(LOOP._replace(tool_results=results))
    assert next(r[2:] for r in told(of.rule) if r[0] == "A2.4") == row


def test_scores_that_are_no_numbers_are_shown_and_not_measured() -> None:
    """NaN misses, without a margin; infinity clears."""
    chat = Capabilities(is_chat=True)
    shown = [told(run(chat, Signals(readout=value)).rule)[3] for value in (math.nan, math.inf, -math.inf)]
    assert shown == [
        ("A2", "readout", "NaN", "≥ 0.30", "", "no"),
        ("A2", "readout", "∞", "≥ 0.30", "+∞", "yes"),
        ("A2", "readout", "−∞", "≥ 0.30", "−∞", "no"),
    ]


# What holds for any input -----------------------------------------------------------------------------------------

#: Bars that are no probability too, unlike those of the shared strategies.
BAR = st.floats()
POLICIES = st.builds(
    Policy,
    st.text(max_size=5),
    *[BAR] * 4,
    *[st.none() | BAR] * 5,
    st.booleans(),
    st.booleans(),
    st.builds(RecoveredRun, st.booleans(), COUNT, COUNT, st.booleans()),
)


@settings(deadline=None)  # how long one example takes says nothing on a shared machine
@given(CAPABILITIES, SIGNALS, READINESS, st.sampled_from(Mode), POLICIES)
def test_trace_and_decision_agree_on_any_input(
    capabilities: Capabilities, signals: Signals, readiness: Readiness, mode: Mode, policy: Policy
) -> None:
    """The comparisons alone give the decision's routes, for any evidence and any policy, NaN bars included."""
    decision = decide(capabilities, signals, readiness, policy)
    of = trace(capabilities, signals, readiness, mode, policy)
    assert of.commits is (decision.predicted is Route.LOCAL)
    assert routes(of) == (decision.predicted, decision.effective, serve(decision, mode))
    assert_margins_agree(of)


@settings(deadline=None)
@given(CAPABILITIES, SIGNALS, POLICIES)
def test_a_group_is_yes_exactly_when_its_comparisons_say_so(
    capabilities: Capabilities, signals: Signals, policy: Policy
) -> None:
    """The state shown at a group is never another than what its rows give; and keys are unique."""
    of = trace(capabilities, signals, Readiness(), Mode.EVALUATE, policy)
    keys: list[str] = []

    def check(clause: Clause) -> None:
        keys.append(clause.key)
        assert (clause.holds is Holds.YES) is holds(clause)
        for part in clause.clauses:
            check(part)

    check(of.rule)
    assert len(keys) == len(set(keys))
    assert of.decisive.key == of.decided_by
    assert (of.decisive.holds is Holds.YES) is of.commits


@settings(deadline=None)
@given(CAPABILITIES, SIGNALS, POLICIES, st.sets(st.sampled_from(["readout", "deliberation"])))
def test_what_went_unanswered_never_moves_the_verdict(
    capabilities: Capabilities, signals: Signals, policy: Policy, unanswered: set[str]
) -> None:
    """`unanswered` is for display."""
    plain = trace(capabilities, signals, Readiness(), Mode.ACTIVE, policy)
    marked = trace(capabilities, signals, Readiness(), Mode.ACTIVE, policy, unanswered)
    assert (plain.commits, plain.served, plain.gate) == (marked.commits, marked.served, marked.gate)


@settings(deadline=None)
@given(CAPABILITIES, SIGNALS)
def test_the_gate_stands_in_the_trace_where_it_stands_in_the_decision(
    capabilities: Capabilities, signals: Signals
) -> None:
    """A gate's name is none exactly where the trace's gate comparison holds or nothing was predicted local."""
    of = trace(capabilities, signals, Readiness(), Mode.ACTIVE)
    held = of.commits and not all(holds(clause) for clause in of.gate_clauses)
    assert (of.gate is not ReadinessGate.NONE) is held
