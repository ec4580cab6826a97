"""Which question comes next, branch by branch (SPEC 7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from routing_workbench.core.vgr.branch import Branch
from routing_workbench.core.vgr.capabilities import Capabilities, ToolErrors, ToolErrorSource
from routing_workbench.core.vgr.evidence import COMPUTED, Asked, Miss, Rung
from routing_workbench.core.vgr.policy import POLICY_1_0_0, Policy
from routing_workbench.core.vgr.signals import Signals, Verdict
from routing_workbench.workbench.drivers.protocol import Category
from routing_workbench.workbench.turns.gather import (
    Gathering,
    Stop,
    asked_unless_committed,
    next_step,
    not_asked,
    signals_with,
    skipped,
)

YES, NO, UNKNOWN = Verdict.YES, Verdict.NO, Verdict.UNKNOWN
_BASE = Capabilities(task_text="t", attempt="a", transcript="v")
CHECKS = _BASE._replace(has_checks=True)
CODING = _BASE._replace(is_coding=True)
CHAT = _BASE._replace(is_chat=True)
ANSWER = _BASE._replace(final_answer="a")
STRUCTURED = ANSWER._replace(structured_answer=True)
DEFAULT = _BASE._replace(default_verified=True)
AGENTIC = _BASE._replace(is_agentic=True, tool_errors=ToolErrors(ToolErrorSource.HOST, 0), tool_results=3)
FAILED = AGENTIC._replace(tool_errors=ToolErrors(ToolErrorSource.HOST, 2), tool_tail_clean=False)
RECOVERED = FAILED._replace(tool_tail_clean=True)
RECOGNIZED = _BASE._replace(is_agentic=True, prior_local=0.4)

ALL = frozenset(Category)
NO_CLOUD_JUDGE = ALL - {Category.CLOUD_JUDGE}


def walk(
    capabilities: Capabilities,
    said: dict[str, Any],
    *,
    policy: Policy = POLICY_1_0_0,
    configured: frozenset[Category] = ALL,
) -> tuple[list[str], Gathering, Stop]:
    """Gather with these answers; what is not said is missed."""
    gathering = Gathering(capabilities, configured, policy)
    while isinstance(step := next_step(gathering), Rung):
        value = said.get(step.value)
        gathering = gathering.after(
            Asked(step, 0.0, 0.0, COMPUTED, value, miss=Miss.UNPARSABLE if value is None else None)
        )
    return [rung.value for rung in gathering.asked], gathering, step


LADDERS = [
    ("unknown asks nothing", Capabilities(), {}, []),
    ("checks asks the checker alone", CHECKS, {"checker": NO}, ["checker"]),
    ("a passing checker commits", CHECKS, {"checker": YES}, ["checker"]),
    ("a failed run asks nothing", FAILED, {"readout": 1.0}, []),
    ("a clean run asks readout, then deliberation", AGENTIC, {"readout": 0.1}, ["readout", "deliberation"]),
    ("a recovered run stops after deliberation", RECOVERED, {"readout": 0.1}, ["readout", "deliberation"]),
    ("a clean run commits at its dial", AGENTIC, {"readout": 0.2}, ["readout"]),
    ("default asks readout, then deliberation", DEFAULT, {"readout": 0.69}, ["readout", "deliberation"]),
    ("default commits at its dial", DEFAULT, {"readout": 0.7}, ["readout"]),
    ("a prior below its bar asks both scores", RECOGNIZED, {"readout": 1.0}, ["readout", "deliberation"]),
    ("a prior at its bar asks nothing", RECOGNIZED._replace(prior_local=0.5), {}, []),
    ("coding at the bar needs no judge", CODING, {"readout": 0.9}, ["readout"]),
    ("coding at the dial asks the judge", CODING, {"readout": 0.2, "cloud_judge": YES}, ["readout", "cloud_judge"]),
    ("a strict no is the last word", CODING, {"readout": 0.89, "cloud_judge": NO}, ["readout", "cloud_judge"]),
    ("a strict unknown is the last word", CODING, {"readout": 0.5}, ["readout", "cloud_judge"]),
    (
        "coding below the dial goes the long way",
        CODING,
        {"readout": 0.19, "deliberation": 1.0, "cloud_judge": YES, "evidence_confirm": YES},
        ["readout", "deliberation", "cloud_judge", "evidence_confirm"],
    ),
    (
        "coding without a score goes the long way",
        CODING,
        {"deliberation": 1.0, "cloud_judge": NO},
        ["readout", "deliberation", "cloud_judge"],
    ),
    (
        "answer asks both verifiers in order",
        ANSWER,
        {"readout": 0.6, "deliberation": 1.0, "answer_verifier": NO, "evidence_verifier": NO},
        ["readout", "deliberation", "answer_verifier", "evidence_verifier"],
    ),
    (
        "the first verifier's yes stops",
        ANSWER,
        {"readout": 0.6, "answer_verifier": YES},
        ["readout", "deliberation", "answer_verifier"],
    ),
    (
        "a structured surface asks a witness before the verifiers",
        STRUCTURED,
        {"readout": 0.6, "witness": NO, "answer_verifier": NO, "evidence_verifier": YES},
        ["readout", "deliberation", "witness", "answer_verifier", "evidence_verifier"],
    ),
    ("agreement stops", STRUCTURED, {"readout": 0.6, "witness": YES}, ["readout", "deliberation", "witness"]),
    ("chat commits at its dial", CHAT, {"readout": 0.3}, ["readout"]),
    ("a yes in chat's deliberation stops", CHAT, {"readout": 0.1, "deliberation": 1.0}, ["readout", "deliberation"]),
    (
        "chat confirms after the judge's yes",
        CHAT,
        {"readout": 0.1, "deliberation": 0.0, "cloud_judge": YES, "evidence_confirm": YES},
        ["readout", "deliberation", "cloud_judge", "evidence_confirm"],
    ),
    (
        "chat confirms only after the judge's yes",
        CHAT,
        {"readout": 0.1, "deliberation": 0.0, "cloud_judge": NO, "evidence_confirm": YES},
        ["readout", "deliberation", "cloud_judge"],
    ),
    (
        "an unknown of the judge is not confirmed",
        CHAT,
        {"readout": 0.1, "evidence_confirm": YES},
        ["readout", "deliberation", "cloud_judge"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("capabilities", "said", "asked"), [row[1:] for row in LADDERS], ids=[row[0] for row in LADDERS]
)
def test_ladder(capabilities: Capabilities, said: dict[str, Any], asked: list[str]) -> None:
    """The questions of a branch, in order, up to the one that ends them."""
    assert walk(capabilities, said)[0] == asked


def test_without_a_cloud_judge_coding_stops_at_the_dial() -> None:
    """Nothing that is left could make an arm hold."""
    assert walk(CODING, {"readout": 0.5, "deliberation": 1.0}, configured=NO_CLOUD_JUDGE)[0] == ["readout"]


@pytest.mark.parametrize("capabilities", [CODING, CHAT, ANSWER], ids=["coding", "chat", "answer"])
def test_without_a_cloud_judge_its_rungs_are_not_asked(capabilities: Capabilities) -> None:
    """The ladder ends with deliberation."""
    assert walk(capabilities, {"readout": 0.1}, configured=NO_CLOUD_JUDGE)[0] == ["readout", "deliberation"]


def test_without_a_judge_only_the_cloud_judge_is_asked() -> None:
    """A category without a model is passed over, whichever it is."""
    assert walk(CHAT, {"cloud_judge": NO}, configured=ALL - {Category.JUDGE})[0] == ["cloud_judge"]


def test_chat_without_a_dial_asks_no_readout() -> None:
    """Its readout would be compared with nothing."""
    policy = replace(POLICY_1_0_0, chat_dial=None)
    assert walk(CHAT, {"deliberation": 1.0}, policy=policy)[0] == ["deliberation"]


def test_coding_without_a_dial_has_no_strict_judgement() -> None:
    """In the band the judge then needs a confirmation."""
    policy = replace(POLICY_1_0_0, coding_dial=None)
    asked, gathering, stop = walk(CODING, {"readout": 0.6, "cloud_judge": YES, "evidence_confirm": YES}, policy=policy)
    assert asked == ["readout", "deliberation", "cloud_judge", "evidence_confirm"]
    assert stop == Stop("committed after evidence_confirm", committed=True)
    assert not gathering.strict


def test_a_dial_that_needs_no_judge_commits_after_the_readout() -> None:
    """The policy can waive the judge."""
    policy = replace(POLICY_1_0_0, coding_dial_requires_judge=False)
    assert walk(CODING, {"readout": 0.2}, policy=policy)[0] == ["readout"]


def test_the_strict_judgement_is_the_cloud_judges() -> None:
    """It fills cloud_judge and nothing else, which is what the dial arm reads."""
    signals = walk(CODING, {"readout": 0.5, "cloud_judge": YES})[1].signals
    assert signals == Signals(readout=0.5, cloud_judge=YES)


def test_a_veto_does_not_stop_the_questions() -> None:
    """Only a commit stops them."""
    capabilities = CHAT._replace(tool_errors=ToolErrors(ToolErrorSource.HOST, 1))
    asked, _, stop = walk(capabilities, {"readout": 1.0, "deliberation": 1.0, "cloud_judge": NO})
    assert asked == ["readout", "deliberation", "cloud_judge"]
    assert not stop.committed


@pytest.mark.parametrize(
    ("capabilities", "said", "why"),
    [
        (Capabilities(), {}, "unknown asks nothing"),
        (FAILED, {}, "agentic_verified asks nothing unless tool errors = 0 or the run recovered"),
        (CHAT, {"readout": 0.5}, "committed after readout"),
        (RECOGNIZED._replace(prior_local=1.0), {}, "committed after the operator's prior alone"),
        (CHAT, {}, "nothing committed, and nothing is left to ask"),
        (CHECKS, {}, "checks asks the checker alone"),
    ],
)
def test_why_production_stopped(capabilities: Capabilities, said: dict[str, Any], why: str) -> None:
    """In words that stand in the timeline."""
    assert walk(capabilities, said)[2].why == why


@pytest.mark.parametrize(
    ("rung", "value", "miss", "signals"),
    [
        (Rung.READOUT, 0.4, None, Signals(readout=0.4)),
        (Rung.READOUT, None, Miss.UNPARSABLE, Signals()),
        (Rung.DELIBERATION, 1.0, None, Signals(deliberation=1.0)),
        (Rung.DELIBERATION, None, Miss.TIMED_OUT, Signals()),
        (Rung.CHECKER, YES, None, Signals(tests_pass=YES)),
        (Rung.WITNESS, NO, None, Signals(agreement=NO)),
        (Rung.WITNESS, UNKNOWN, Miss.UNPARSABLE, Signals(agreement=UNKNOWN)),
        (Rung.EVIDENCE_STRICT, YES, None, Signals(evidence_strict=YES)),
        (Rung.ANSWER_VERIFIER, NO, None, Signals(answer_verifier=NO)),
        (Rung.EVIDENCE_VERIFIER, YES, None, Signals(evidence_verifier=YES)),
        (Rung.CLOUD_JUDGE, None, Miss.CALL_FAILED, Signals(cloud_judge=UNKNOWN)),
        (Rung.CLOUD_JUDGE, None, Miss.TIMED_OUT, Signals(cloud_judge=UNKNOWN)),
        (Rung.CLOUD_JUDGE, None, Miss.DEADLINE_EXHAUSTED, Signals()),
        (Rung.EVIDENCE_CONFIRM, YES, None, Signals(evidence_confirm=YES)),
        (Rung.EVIDENCE_CONFIRM, YES, Miss.CALL_FAILED, Signals(evidence_confirm=UNKNOWN)),
        (Rung.TURN_CHECK, 0.9, None, Signals()),
        (Rung.TYPING, None, None, Signals()),
    ],
)
def test_what_a_row_says(rung: Rung, value: Any, miss: Miss | None, signals: Signals) -> None:
    """Missed scores stay absent, missed verdicts are unknown, and what was never sent is neither."""
    assert signals_with(Signals(), Asked(rung, 0.0, 0.0, COMPUTED, value, miss=miss)) == signals


def test_what_was_not_asked_has_its_reason() -> None:
    """Every rung the rule reads and production did not ask, cheapest first."""
    _, gathering, stop = walk(CODING, {"readout": 0.5, "cloud_judge": NO})
    assert not_asked(gathering, stop) == (
        (Rung.EVIDENCE_STRICT, "asked for diagnosis only"),
        (Rung.DELIBERATION, "stopped at the coding dial"),
        (Rung.EVIDENCE_CONFIRM, "stopped at the coding dial"),
    )


@pytest.mark.parametrize(
    ("capabilities", "said", "configured", "reasons"),
    [
        (CHAT, {"readout": 0.5}, ALL, {"committed before"}),
        (FAILED, {}, ALL, {"tool errors, not recovered"}),
        (ANSWER, {"readout": 0.1}, ALL, {"no structured surface"}),
        (CHAT, {"readout": 0.1, "cloud_judge": NO}, ALL, {"the cloud judge did not say yes"}),
        (CHAT, {"readout": 0.1}, NO_CLOUD_JUDGE, {"no cloud judge"}),
        (CHAT, {"cloud_judge": YES, "evidence_confirm": NO}, ALL - {Category.JUDGE}, {"no judge"}),
    ],
)
def test_reasons_for_not_asking(
    capabilities: Capabilities, said: dict[str, Any], configured: frozenset[Category], reasons: set[str]
) -> None:
    """A few words each."""
    _, gathering, stop = walk(capabilities, said, configured=configured)
    assert {why for _, why in not_asked(gathering, stop)} == reasons


def test_skipped_rungs_are_those_the_rule_reads() -> None:
    """They are what diagnosis asks."""
    _, gathering, _ = walk(CODING, {"readout": 0.95})
    assert skipped(gathering) == (Rung.EVIDENCE_STRICT, Rung.DELIBERATION, Rung.CLOUD_JUDGE, Rung.EVIDENCE_CONFIRM)


def test_what_will_be_asked_if_nothing_affirms() -> None:
    """The longest way without a commit."""
    assert asked_unless_committed(Gathering(CHAT, ALL)) == (Rung.READOUT, Rung.DELIBERATION, Rung.CLOUD_JUDGE)
    assert asked_unless_committed(Gathering(FAILED, ALL)) == ()


def test_every_branch_has_its_rungs() -> None:
    """A new branch cannot be forgotten here."""
    for capabilities, branch in [
        (CHECKS, Branch.CHECKS), (CODING, Branch.CODING_NO_CHECKS), (ANSWER, Branch.ANSWER), (CHAT, Branch.CHAT),
        (RECOGNIZED, Branch.AGENTIC_RECOGNIZED), (AGENTIC, Branch.AGENTIC_VERIFIED),
        (DEFAULT, Branch.DEFAULT_VERIFIED), (Capabilities(), Branch.UNKNOWN),
    ]:  # fmt: skip
        gathering = Gathering(capabilities, ALL)
        assert gathering.branch is branch
        assert set(asked_unless_committed(gathering)) <= set(skipped(gathering))
