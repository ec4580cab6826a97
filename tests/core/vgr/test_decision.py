"""The decision: every vector, the reference's own corpus, the traps, and what holds for any input (SPEC 4.2-4.6)."""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from decision_inputs import CAPABILITIES, POLICIES, READINESS, SIGNALS, VERDICTS
from hypothesis import given, settings
from hypothesis import strategies as st
from routing_workbench.core.vgr.branch import PREDICATES, Branch, select_branch
from routing_workbench.core.vgr.capabilities import Capabilities, ToolErrors, ToolErrorSource
from routing_workbench.core.vgr.decision import Decision, Mode, Readiness, Route, agentic_can_gather, decide
from routing_workbench.core.vgr.flat import capabilities_from_json, signals_from_json
from routing_workbench.core.vgr.policy import POLICY_1_0_0, Policy
from routing_workbench.core.vgr.resolution import Unresolved, resolve_tool_errors
from routing_workbench.core.vgr.serving import serve
from routing_workbench.core.vgr.signals import Signals, Verdict

ROOT = Path(__file__).resolve().parents[3]
CORPUS = ROOT.parent / "shared" / "vectors" / "policy_2_11.jsonl"


def read(path: Path) -> list[dict[str, Any]]:
    """The cases of a vector file, none where there is no file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


CASES = read(ROOT / "tests" / "vectors" / "decide.jsonl")


def inputs(case: dict[str, Any]) -> tuple[Capabilities, Signals, Readiness]:
    """What a case decides on."""
    given_ = case["input"]
    return (
        capabilities_from_json(given_["capabilities"]),
        signals_from_json(given_["signals"]),
        Readiness(**given_["readiness"]),
    )


def flat(decision: Decision) -> dict[str, str]:
    """The decision as the reference's corpus has it."""
    return {
        "branch": decision.branch,
        "predicted": decision.predicted,
        "effective": decision.effective,
        "readiness_gate": decision.readiness_gate,
    }


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_decide_vector(case: dict[str, Any]) -> None:
    """Branch, routes, gate, version, resolved signals, the route of every mode, and whether evidence is gathered."""
    capabilities, signals, readiness = inputs(case)
    decision = decide(capabilities, signals, readiness)
    got: dict[str, Any] = flat(decision) | {
        "policy_version": decision.policy_version,
        "resolved": {field.name: getattr(decision.resolved, field.name) for field in fields(decision.resolved)},
        "served": {mode.value: serve(decision, mode) for mode in Mode},
    }
    if decision.branch is Branch.AGENTIC_VERIFIED:
        got["agentic_can_gather"] = agentic_can_gather(capabilities, signals)
    assert got == case["expected"]


def test_the_reference_corpus_decides_alike() -> None:
    """The reference's own ten cases. They stay outside the checkout; without them this warns that it did not run."""
    cases = read(CORPUS)
    if not cases:
        warnings.warn(
            f"policy_2_11 DID NOT RUN: the corpus stays outside the checkout, looked for {CORPUS}", stacklevel=1
        )
        return
    assert len(cases) == 10
    assert {case["id"]: flat(decide(*inputs(case))) for case in cases} == {c["id"]: c["expected"] for c in cases}


# The traps of SPEC 4.2-4.6 ----------------------------------------------------------------------------------------

CODING = Capabilities(is_coding=True)
CHAT = Capabilities(is_chat=True)
DEFAULT = Capabilities(default_verified=True, transcript="view")
AGENTIC = Capabilities(is_agentic=True, transcript="view", tool_errors=ToolErrors(ToolErrorSource.HOST, 0))
ANSWER = Capabilities(task_text="how many", final_answer="36")
YES, NO, UNKNOWN = Verdict.YES, Verdict.NO, Verdict.UNKNOWN


def commits(capabilities: Capabilities, signals: Signals, policy: Policy = POLICY_1_0_0) -> bool:
    """Whether the attempt is committed."""
    return decide(capabilities, signals, Readiness(True), policy).predicted is Route.LOCAL


def test_predicates_name_fields_of_the_capabilities() -> None:
    """The table that selects branches is spelled like the dataclass it reads, and is in the order of the branches."""
    assert {name for _, names in PREDICATES for name in names} <= set(Capabilities._fields)
    assert [branch for branch, _ in PREDICATES] == list(Branch)[:-1]


def test_a_declared_zero_prior_and_empty_texts_are_set() -> None:
    """Only absence unsets a field: a prior of 0, an empty answer and an empty view select their branch."""
    assert select_branch(Capabilities(transcript="", prior_local=0.0)) is Branch.AGENTIC_RECOGNIZED
    assert select_branch(Capabilities(task_text="", final_answer="")) is Branch.ANSWER


def test_a_judge_never_asked_differs_from_one_without_an_answer() -> None:
    """A sure readout commits when the judge was not consulted, and not when it gave no usable answer."""
    assert commits(CODING, Signals(readout=0.9))
    assert not commits(CODING, Signals(readout=0.9, cloud_judge=UNKNOWN))


def test_local_evidence_heeds_the_judge_only_at_a_sure_readout() -> None:
    """Below the bar a refusal of the judge does not count against local evidence; at the bar it does."""
    evidence = Signals(evidence_strict=YES, deliberation=0.5, cloud_judge=NO)
    readouts = [None, 0.1, 0.8999999999999999, math.nan, 0.9]
    assert [commits(CODING, replace(evidence, readout=r)) for r in readouts] == [True, True, True, True, False]


def test_more_evidence_can_flip_a_decision() -> None:
    """A consulted judge without an answer turns a commit into an escalation: extras must never be fed in."""
    assert [commits(CODING, Signals(readout=0.95, cloud_judge=judge)) for judge in (None, UNKNOWN)] == [True, False]


def test_an_unset_dial_is_cleared_by_no_readout() -> None:
    """A dial of None switches its arm off; a dial of 0 lets every score through."""
    for capabilities, name in ((CHAT, "chat_dial"), (ANSWER, "answer_dial")):
        policies = [replace(POLICY_1_0_0, **{name: dial}) for dial in (None, 0.0)]
        assert [commits(capabilities, Signals(readout=1.0), policy) for policy in policies] == [False, True]


def test_the_default_rule_takes_the_lower_of_bar_and_dial() -> None:
    """A dial above the bar does not raise it, and without a dial the bar stands alone."""
    policies = [replace(POLICY_1_0_0, default_verified_dial=dial) for dial in (None, 0.95, 0.7)]
    readouts = (0.7, 0.9)
    got = [[commits(DEFAULT, Signals(readout=r), policy) for r in readouts] for policy in policies]
    assert got == [[False, True], [False, True], [True, True]]


def test_the_agentic_rule_without_a_dial_falls_back_to_the_bar() -> None:
    """`readout >= min(bar, dial)` on agentic_verified too."""
    policy = replace(POLICY_1_0_0, agentic_dial=None)
    assert [commits(AGENTIC, Signals(readout=r), policy) for r in (0.89, 0.9)] == [False, True]


def test_the_coding_dial_can_do_without_the_judge() -> None:
    """Where the policy does not require the judge, its refusal does not stop the dial."""
    policy = replace(POLICY_1_0_0, coding_dial_requires_judge=False)
    assert commits(CODING, Signals(readout=0.2, cloud_judge=NO), policy)
    assert not commits(CODING, Signals(readout=0.19999999999999998, cloud_judge=YES), policy)


def test_the_band_is_the_way_to_commit_without_a_dial() -> None:
    """Floor inclusive, bar exclusive: with no dial, judge and confirmation commit from 0.5 on."""
    policy = replace(POLICY_1_0_0, coding_dial=None)
    said = Signals(cloud_judge=YES, evidence_confirm=YES)
    got = [commits(CODING, replace(said, readout=r), policy) for r in (0.49999999999999994, 0.5, 0.8999999999999999)]
    assert got == [False, True, True]
    assert not commits(CODING, Signals(readout=0.6, cloud_judge=YES, evidence_confirm=UNKNOWN), policy)


def test_answer_judge_arms_are_the_default_rule_without_a_dial() -> None:
    """Off by default; on, the bar and the deliberation count, and the default dial does not."""
    on = replace(POLICY_1_0_0, answer_judge_arms=True, answer_dial=None)
    off = replace(on, answer_judge_arms=False)
    signals = [Signals(readout=0.9), Signals(readout=0.89), Signals(deliberation=0.5)]
    assert [commits(ANSWER, s, on) for s in signals] == [True, False, True]
    assert [commits(ANSWER, s, off) for s in signals] == [False, False, False]


@pytest.mark.parametrize("count", [1, -1])
def test_the_veto_stops_four_branches_and_spares_checks_and_answer(count: int) -> None:
    """A failure, or a count that cannot be, stops what would commit; a passing checker or answer verifier stands."""
    errors = ToolErrors(ToolErrorSource.HOST, count)
    signals = Signals(readout=1.0, tests_pass=YES, answer_verifier=YES)
    recognized = Capabilities(transcript="view", prior_local=1.0)
    vetoed = [CODING, CHAT, DEFAULT, recognized]
    exempt = [Capabilities(has_checks=True), ANSWER]
    assert [commits(c, signals) for c in (*vetoed, *exempt)] == [True] * 6
    assert [commits(c._replace(tool_errors=errors), signals) for c in vetoed] == [False] * 4
    assert [commits(c._replace(tool_errors=errors), signals) for c in exempt] == [True] * 2


def test_odd_scores_follow_ieee_comparison() -> None:
    """NaN clears nothing, infinity clears every bar, minus zero is zero."""
    zero = replace(POLICY_1_0_0, chat_dial=0.0)
    assert [commits(CHAT, Signals(readout=r)) for r in (math.nan, math.inf, -math.inf)] == [False, True, False]
    assert not commits(CHAT, Signals(deliberation=math.nan))
    assert commits(CHAT, Signals(readout=-0.0), zero)
    assert not commits(Capabilities(transcript="v", prior_local=math.nan), Signals())


def test_gathering_goes_on_only_on_agentic_verified() -> None:
    """On another branch the question does not arise."""
    assert agentic_can_gather(AGENTIC, Signals())
    assert not agentic_can_gather(AGENTIC._replace(prior_local=0.4), Signals())


# What holds for any input -----------------------------------------------------------------------------------------


@settings(deadline=None)  # how long one example takes says nothing on a shared machine
@given(CAPABILITIES, SIGNALS, READINESS, POLICIES)
def test_nothing_commits_without_a_definite_affirmative(
    capabilities: Capabilities, signals: Signals, readiness: Readiness, policy: Policy
) -> None:
    """Take every yes away and push every score below its bar: what is left never commits, whatever else it holds."""
    mild = {name: Verdict.UNKNOWN for name in VERDICTS if getattr(signals, name) is Verdict.YES}
    mild |= {name: -1.0 for name in ("readout", "deliberation") if getattr(signals, name) is not None}
    prior = None if capabilities.prior_local is None else -1.0
    silent = replace(signals, **mild)
    decision = decide(capabilities._replace(prior_local=prior), silent, readiness, policy)
    assert (decision.predicted, decision.effective) == (Route.CLOUD, Route.CLOUD)


@settings(deadline=None)
@given(CAPABILITIES, SIGNALS, READINESS, POLICIES)
def test_every_commit_names_a_yes_or_a_cleared_bar(
    capabilities: Capabilities, signals: Signals, readiness: Readiness, policy: Policy
) -> None:
    """A commit without any yes has a score at or above the lowest bar there is for it."""
    if decide(capabilities, signals, readiness, policy).predicted is Route.CLOUD:
        return
    dials = [
        policy.coding_dial,
        policy.chat_dial,
        policy.answer_dial,
        policy.default_verified_dial,
        policy.agentic_dial,
    ]
    lowest = min(dial for dial in (policy.readout_bar, *dials) if dial is not None)
    affirmative = [
        any(getattr(signals, name) is Verdict.YES for name in VERDICTS),
        signals.readout is not None and signals.readout >= lowest,
        signals.deliberation is not None and signals.deliberation >= policy.deliberation_bar,
        capabilities.prior_local is not None and capabilities.prior_local >= policy.prior_bar,
    ]
    assert any(affirmative)


@settings(deadline=None)
@given(CAPABILITIES, SIGNALS, READINESS, POLICIES)
def test_a_gate_only_ever_holds_back(
    capabilities: Capabilities, signals: Signals, readiness: Readiness, policy: Policy
) -> None:
    """Effective local is predicted local; a gate stands exactly where they differ; off and shadow serve cloud."""
    decision = decide(capabilities, signals, readiness, policy)
    held = decision.readiness_gate != "none"
    assert held is (decision.predicted is Route.LOCAL and decision.effective is Route.CLOUD)
    assert {serve(decision, mode) for mode in (Mode.OFF, Mode.SHADOW)} == {Route.CLOUD}


@settings(deadline=None)
@given(CAPABILITIES, SIGNALS, READINESS, POLICIES, st.sampled_from(VERDICTS))
def test_a_yes_never_turns_a_commit_away(
    capabilities: Capabilities, signals: Signals, readiness: Readiness, policy: Policy, name: str
) -> None:
    """Every rule is monotonic in each verdict becoming yes, the consulted judge included."""
    if decide(capabilities, signals, readiness, policy).predicted is Route.LOCAL:
        affirmed = replace(signals, **{name: Verdict.YES})
        assert decide(capabilities, affirmed, readiness, policy).predicted is Route.LOCAL


@settings(deadline=None)
@given(CAPABILITIES, SIGNALS, READINESS, POLICIES, st.floats(0, 2))
def test_a_higher_score_never_turns_a_commit_away_unless_the_judge_objects(
    capabilities: Capabilities, signals: Signals, readiness: Readiness, policy: Policy, rise: float
) -> None:
    """Monotonic in deliberation, and in readout except on coding with a judge that was consulted and not convinced."""
    if decide(capabilities, signals, readiness, policy).predicted is Route.CLOUD:
        return
    names = ["deliberation"]
    if signals.cloud_judge in (None, Verdict.YES) or select_branch(capabilities) is not Branch.CODING_NO_CHECKS:
        names.append("readout")
    for name in names:
        value = getattr(signals, name)
        if value is not None and not math.isnan(value):
            raised = replace(signals, **{name: value + rise})
            assert decide(capabilities, raised, readiness, policy).predicted is Route.LOCAL


@settings(deadline=None)
@given(CAPABILITIES, SIGNALS, READINESS, POLICIES)
def test_a_score_that_is_no_number_counts_as_missing(
    capabilities: Capabilities, signals: Signals, readiness: Readiness, policy: Policy
) -> None:
    """NaN and absence give the same decision."""
    nan = replace(signals, readout=math.nan, deliberation=math.nan)
    missing = replace(signals, readout=None, deliberation=None)
    assert decide(capabilities, nan, readiness, policy) == decide(capabilities, missing, readiness, policy)


@settings(deadline=None)
@given(CAPABILITIES, SIGNALS, READINESS, POLICIES)
def test_a_failed_tool_result_never_commits_under_the_veto(
    capabilities: Capabilities, signals: Signals, readiness: Readiness, policy: Policy
) -> None:
    """On the four vetoed branches a commit means no information or exactly zero."""
    decision = decide(capabilities, signals, readiness, policy)
    vetoed = {Branch.CODING_NO_CHECKS, Branch.CHAT, Branch.AGENTIC_RECOGNIZED, Branch.DEFAULT_VERIFIED}
    if decision.branch in vetoed and decision.predicted is Route.LOCAL:
        assert resolve_tool_errors(capabilities.tool_errors, signals.tool_errors) in (0, Unresolved.NO_INFORMATION)


@settings(deadline=None)
@given(CAPABILITIES, SIGNALS, READINESS, POLICIES)
def test_an_agentic_commit_was_worth_gathering_for(
    capabilities: Capabilities, signals: Signals, readiness: Readiness, policy: Policy
) -> None:
    """Where gathering would not go on, nothing commits; and a recovered run reports its results and tail."""
    decision = decide(capabilities, signals, readiness, policy)
    if decision.branch is Branch.AGENTIC_VERIFIED and decision.predicted is Route.LOCAL:
        assert agentic_can_gather(capabilities, signals, policy)
    resolved = decision.resolved
    if resolved.recovered_run:
        assert decision.branch is Branch.AGENTIC_VERIFIED
        assert (resolved.tool_results, resolved.tool_tail_clean) == (
            capabilities.tool_results,
            capabilities.tool_tail_clean,
        )
    else:
        assert (resolved.tool_results, resolved.tool_tail_clean) == (None, None)
