"""The sentence of the verdict card: every branch, outcome and gate, and every ending before the rules (UI 5, 10)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from routing_workbench.core.explain.endings import ending_reason
from routing_workbench.core.explain.reason import Reason, reason
from routing_workbench.core.explain.trace import trace
from routing_workbench.core.vgr.capabilities import Capabilities, ToolErrors, ToolErrorSource
from routing_workbench.core.vgr.decision import Mode, Readiness, Route
from routing_workbench.core.vgr.evidence import COMPUTED, Asked, Ending, Miss, Rung
from routing_workbench.core.vgr.policy import POLICY_1_0_0, Policy
from routing_workbench.core.vgr.signals import ReportedToolErrors, Signals, ToolReport, Verdict

YES, NO, UNKNOWN = Verdict.YES, Verdict.NO, Verdict.UNKNOWN
HOST, UNTRUSTED = ToolErrorSource.HOST, ToolErrorSource.UNTRUSTED
CHECKS = Capabilities(has_checks=True)
CODING = Capabilities(is_coding=True)
ANSWER = Capabilities(task_text="how many", final_answer="36")
CHAT = Capabilities(is_chat=True)
RECOGNIZED = Capabilities(transcript="view", prior_local=0.8, tool_errors=ToolErrors(HOST, 0))
AGENTIC = Capabilities(is_agentic=True, transcript="view", tool_errors=ToolErrors(HOST, 0), tool_results=16)
LOOP = AGENTIC._replace(tool_errors=ToolErrors(HOST, 7), tool_tail_clean=False)
DEFAULT = Capabilities(default_verified=True, transcript="view")


def why(
    capabilities: Capabilities,
    signals: Signals,
    validated: bool = True,
    mode: Mode = Mode.EVALUATE,
    **more: Any,
) -> Reason:
    """The reason for this evidence."""
    return reason(trace(capabilities, signals, Readiness(validated), mode, **more), capabilities)


COMMITTED = [
    (CHECKS, Signals(tests_pass=YES), "The checker passed."),
    (CODING, Signals(readout=0.93), "Readout 0.93 clears the bar of 0.90."),
    (CODING, Signals(readout=0.93, cloud_judge=YES), "Readout 0.93 clears the bar of 0.90 and cloud_judge said yes."),
    (
        CODING,
        Signals(evidence_strict=YES, deliberation=1.0),
        "Deliberation 1.00 clears the bar of 0.50 and evidence_strict said yes.",
    ),
    (CODING, Signals(readout=0.34, cloud_judge=YES), "Readout 0.34 clears the dial of 0.20 and cloud_judge said yes."),
    (
        CODING,
        Signals(readout=0.6, cloud_judge=YES, evidence_confirm=YES),
        "Readout 0.60 is in the band and cloud_judge and evidence_confirm said yes.",
    ),
    (ANSWER, Signals(answer_verifier=YES, readout=0.1), "answer_verifier said yes."),
    (ANSWER, Signals(evidence_verifier=YES), "evidence_verifier said yes."),
    (ANSWER, Signals(readout=0.75), "Readout 0.75 clears the dial of 0.70."),
    (
        ANSWER._replace(structured_answer=True),
        Signals(agreement=YES),
        "The witness agrees with the structured answer.",
    ),
    (CHAT, Signals(deliberation=1.0), "Deliberation 1.00 clears the bar of 0.50."),
    (CHAT, Signals(readout=0.35), "Readout 0.35 clears the dial of 0.30."),
    (CHAT, Signals(cloud_judge=YES, evidence_confirm=YES), "cloud_judge and evidence_confirm said yes."),
    (RECOGNIZED, Signals(), "Prior 0.80 clears the bar of 0.50."),
    (AGENTIC, Signals(readout=0.2), "Readout 0.20 clears the dial of 0.20."),
    (AGENTIC, Signals(deliberation=0.5), "Deliberation 0.50 clears the bar of 0.50."),
    (DEFAULT, Signals(readout=0.93), "Readout 0.93 clears the dial of 0.70."),
]


@pytest.mark.parametrize(("capabilities", "signals", "headline"), COMMITTED, ids=[case[2] for case in COMMITTED])
def test_a_commit_names_the_arm_that_commits(capabilities: Capabilities, signals: Signals, headline: str) -> None:
    """The deciding score with its bar, or who said yes."""
    assert why(capabilities, signals) == Reason(headline, "Predicted, effective and served agree.")


JUDGED = Signals(readout=0.34)
COUNTED = ReportedToolErrors(ToolReport.COUNT, 2)
WITHHELD = [
    (CHECKS, Signals(), "The checker was not asked."),
    (CHECKS, Signals(tests_pass=NO), "The checker said no."),
    (CHECKS, Signals(tests_pass=UNKNOWN), "The checker gave no usable answer."),
    (CODING, Signals(), "Readout was not asked."),
    (CODING, Signals(readout=0.1), "Readout 0.10 misses the dial of 0.20."),
    (CODING, Signals(readout=math.nan), "Readout is not a number."),
    (CODING, JUDGED, "Readout 0.34 clears the dial of 0.20, but cloud_judge was not asked."),
    (CODING, replace(JUDGED, cloud_judge=NO), "Readout 0.34 clears the dial of 0.20, but cloud_judge said no."),
    (
        CODING,
        Signals(readout=0.93, cloud_judge=UNKNOWN),
        "Readout 0.93 clears the bar of 0.90, but cloud_judge gave no usable answer.",
    ),
    (
        CODING,
        Signals(evidence_strict=YES, deliberation=0.0),
        "evidence_strict said yes, but deliberation 0.00 misses the bar of 0.50.",
    ),
    (
        CODING,
        Signals(evidence_strict=NO, deliberation=1.0),
        "Deliberation 1.00 clears the bar of 0.50, but evidence_strict said no.",
    ),
    (
        CODING._replace(tool_errors=ToolErrors(HOST, 2), tool_results=6),
        Signals(readout=0.93),
        "2 of 6 tool results failed, which is a veto.",
    ),
    (ANSWER, Signals(), "Readout was not asked and no verifier was asked."),
    (ANSWER, Signals(readout=0.5), "Readout 0.50 misses the dial of 0.70 and no verifier was asked."),
    (ANSWER, Signals(answer_verifier=NO), "answer_verifier said no."),
    (
        ANSWER,
        Signals(readout=0.5, answer_verifier=NO),
        "Readout 0.50 misses the dial of 0.70 and answer_verifier said no.",
    ),
    (
        ANSWER,
        Signals(readout=0.5, evidence_verifier=UNKNOWN, answer_verifier=UNKNOWN),
        "Readout 0.50 misses the dial of 0.70.",
    ),
    (ANSWER, Signals(agreement=YES), "The witness agrees, but no structured answer is declared."),
    (ANSWER._replace(structured_answer=True), Signals(agreement=NO), "The witness disagrees."),
    (CHAT, Signals(), "No score was asked."),
    (CHAT, Signals(readout=0.29, deliberation=0.0), "Readout 0.29 misses 0.30 and deliberation 0.00 misses 0.50."),
    (CHAT, Signals(cloud_judge=NO), "cloud_judge said no."),
    (CHAT, Signals(cloud_judge=YES, evidence_confirm=NO), "cloud_judge said yes, but evidence_confirm said no."),
    (
        CHAT._replace(tool_errors=ToolErrors(HOST, 1)),
        Signals(deliberation=1.0),
        "1 tool result failed, which is a veto.",
    ),
    (
        CHAT,
        Signals(deliberation=1.0, tool_errors=ReportedToolErrors(ToolReport.INDETERMINATE)),
        "The count of failed tool results is indeterminate, which is a veto.",
    ),
    (RECOGNIZED._replace(prior_local=0.49), Signals(), "Prior 0.49 misses the bar of 0.50."),
    (
        RECOGNIZED._replace(tool_errors=ToolErrors(HOST, -1)),
        Signals(),
        "The count of failed tool results is −1, which is a veto.",
    ),
    (AGENTIC, Signals(readout=0.1), "Readout 0.10 misses the dial of 0.20 and deliberation was not asked."),
    (LOOP, Signals(), "7 of 16 tool results failed and the run did not recover."),
    (LOOP._replace(tool_results=3), Signals(), "7 tool results failed and the run did not recover."),
    (LOOP._replace(tool_errors=None), Signals(), "Nobody counted the failed tool results, so no score counts."),
    (
        LOOP._replace(tool_errors=ToolErrors(UNTRUSTED, 0)),
        Signals(),
        "Only an untrusted source counted the failed tool results, so no score counts.",
    ),
    (
        LOOP,
        Signals(tool_errors=COUNTED),
        "The count of failed tool results is indeterminate, so no score counts.",
    ),
    (
        LOOP._replace(tool_errors=ToolErrors(HOST, -2)),
        Signals(),
        "The count of failed tool results is −2, which no rule accepts.",
    ),
    (
        DEFAULT,
        Signals(readout=0.6999, deliberation=0.0),
        "Readout 0.6999 misses 0.70 and deliberation 0.00 misses 0.50.",
    ),
    (Capabilities(task_text="q"), Signals(readout=1.0), "No branch can verify this turn."),
]


@pytest.mark.parametrize(("capabilities", "signals", "headline"), WITHHELD, ids=[case[2] for case in WITHHELD])
def test_an_escalation_names_the_fact_that_decides(capabilities: Capabilities, signals: Signals, headline: str) -> None:
    """One sentence for each way not to commit."""
    assert why(capabilities, signals).headline == headline


def test_the_detail_of_a_looping_run_says_the_rule_and_what_failed() -> None:
    """The rule in words, what was not asked for its sake, and the conditions that failed with what they need."""
    assert why(LOOP, Signals()).detail == (
        "Branch agentic_verified needs a clean tool record or a recovered run before scores count, so none was asked. "
        "Not recovered: tool results (16, needs ≤ 15) and last result clean (failed, needs clean)."
    )
    assert why(AGENTIC, Signals(readout=0.1)).detail == (
        "Branch agentic_verified commits on readout or deliberation: its tool record is clean or recovered."
    )


def test_what_was_asked_in_vain_is_named_with_what_helps() -> None:
    """A readout out of time, a deliberation that none was left for, a judge that failed; not what was answered."""

    def asked(rung: Rung, miss: Miss, error: str = "") -> Asked:
        return Asked(rung, 0.0, 0.0, COMPUTED, miss=miss, error=error)

    made = trace(DEFAULT, Signals(), Readiness(True), Mode.EVALUATE, unanswered={"readout", "deliberation"})
    typing, late = asked(Rung.TYPING, Miss.TIMED_OUT), asked(Rung.READOUT, Miss.TIMED_OUT, "timeout")
    rule = "Branch default_verified commits on readout or deliberation."
    assert reason(made, DEFAULT, [typing, asked(Rung.DELIBERATION, Miss.UNPARSABLE)]).detail == rule
    assert reason(made, DEFAULT, [typing, late, asked(Rung.DELIBERATION, Miss.DEADLINE_EXHAUSTED)]).detail == (
        f"{rule} No answer from readout (timed_out) and deliberation (deadline_exhausted). "
        "A longer deadline or a faster model gives it time."
    )
    assert reason(made, DEFAULT, [asked(Rung.READOUT, Miss.CALL_FAILED, "HTTP 503")]).detail == (
        f"{rule} No answer from readout (HTTP 503)."
    )
    assert reason(made, DEFAULT, [asked(Rung.READOUT, Miss.CALL_FAILED, "transport")]).detail == (
        f"{rule} No answer from readout (transport). Check that the model's server runs, then run again."
    )


@pytest.mark.parametrize(
    ("mode", "ends"),
    [
        (Mode.OFF, "Mode off serves CLOUD whatever is decided."),
        (Mode.SHADOW, "Mode shadow serves CLOUD whatever is decided."),
        (Mode.EVALUATE, "Mode evaluate serves the predicted route, LOCAL."),
        (Mode.ACTIVE, "Mode active serves the effective route, CLOUD."),
    ],
)
def test_a_gate_is_named_with_what_it_holds_back_and_what_is_served(mode: Mode, ends: str) -> None:
    """Both gates, in every mode."""
    assert why(CHECKS, Signals(tests_pass=YES), validated=False, mode=mode) == Reason(
        "No validated checker is deployed.",
        f"Predicted LOCAL, held back by gate secure_checker_missing. The checker passed. {ends}",
    )
    assert why(RECOGNIZED._replace(tool_errors=None), Signals(), mode=mode) == Reason(
        "The host does not attest the count of failed tool results.",
        "Predicted LOCAL, held back by gate tool_evidence_not_host_attested. "
        f"Prior 0.80 clears the bar of 0.50. {ends}",
    )


def test_a_commit_that_is_not_served_says_which_mode_keeps_it() -> None:
    """Shadow decides and serves cloud all the same; active serves what is effective."""
    details = [why(DEFAULT, Signals(readout=0.8), mode=mode).detail for mode in (Mode.SHADOW, Mode.ACTIVE)]
    assert details == ["Mode shadow serves CLOUD whatever is decided.", "Predicted, effective and served agree."]


def test_a_score_asked_in_vain_is_told_from_one_not_asked() -> None:
    """`unanswered` reaches the sentence."""
    both = {"readout", "deliberation"}
    assert why(DEFAULT, Signals(), unanswered=both).headline == "No usable score came back."
    assert why(CODING, Signals(), unanswered=both).headline == "Readout gave no usable score."


def test_without_a_dial_the_sentence_names_the_bar_or_its_absence() -> None:
    """Coding falls back to the bar, and names the band; chat has no bar for a readout."""
    policy = replace(POLICY_1_0_0, coding_dial=None, chat_dial=None)
    assert why(CODING, Signals(readout=0.3), policy=policy).headline == "Readout 0.30 misses the bar of 0.90."
    band = why(CODING, Signals(readout=0.6, cloud_judge=YES), policy=policy)
    assert band.headline == "Readout 0.60 is in the band, but evidence_confirm was not asked."
    chat = why(CHAT, Signals(readout=0.4), policy=policy)
    assert chat.headline == "Readout 0.40 has no dial to clear and deliberation was not asked."


@pytest.mark.parametrize("ending", Ending)
@pytest.mark.parametrize("served", Route)
def test_every_ending_has_a_sentence(ending: Ending, served: Route) -> None:
    """A headline that fits, and a detail in whole sentences."""
    told = ending_reason(ending, served)
    assert 0 < len(told.headline) <= 80
    assert (told.headline[-1], told.detail[-1]) == (".", ".")


def test_a_checked_turn_says_which_tier_serves_it() -> None:
    """Local, or cloud in shadow."""
    ends = [ending_reason(Ending.TURN_VERIFICATION_COMPLETE, route).detail.split(". ")[-1] for route in Route]
    assert ends == ["LOCAL serves it.", "Mode shadow serves CLOUD all the same."]


SCORE = st.none() | st.floats() | st.floats(0, 1)
VERDICT = st.none() | st.sampled_from(Verdict)
BAR = st.floats(0, 1)


@settings(deadline=None)  # how long one example takes says nothing on a shared machine
@given(
    st.sampled_from([CHECKS, CODING, ANSWER, CHAT, RECOGNIZED, AGENTIC, LOOP, DEFAULT, Capabilities()]),
    st.builds(Signals, SCORE, SCORE, *[VERDICT] * 7),
    st.none() | st.builds(ToolErrors, st.sampled_from(ToolErrorSource), st.integers(-(2**31), 2**31)),
    st.builds(Policy, st.just("x"), *[BAR] * 4, *[st.none() | BAR] * 5, st.booleans(), st.booleans()),
    st.booleans(),
    st.sampled_from(Mode),
)
def test_any_decision_has_a_headline_that_fits(
    capabilities: Capabilities, signals: Signals, errors: ToolErrors | None, policy: Policy, validated: bool, mode: Mode
) -> None:
    """At most 80 characters, one sentence, whatever the numbers; and no dash, null or N/A."""
    told = why(capabilities._replace(tool_errors=errors), signals, validated, mode, policy=policy)
    assert len(told.headline) <= 80
    assert (told.headline[-1], told.detail[-1]) == (".", ".")
    assert not {"None", "N/A", "null", "–"} & set(f"{told.headline} {told.detail}".split())
