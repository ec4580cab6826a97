"""Deciding by ordered cutoffs (SPEC 6.1): the golden vectors, and what they do not cover."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.cutoffs import (
    ConfigCheck,
    CutoffDecision,
    CutoffsConfig,
    CutoffSource,
    InvalidCutoffs,
    ReasonCode,
    Rule,
    decide_by_cutoffs,
    fail_open_decision,
)
from routing_workbench.core.cutoffs.config import config_from_json
from routing_workbench.core.cutoffs.decision import Unusable, usable

VECTORS = Path(__file__).resolve().parents[2] / "vectors" / "decision_cutoffs.jsonl"
CONFIG = CutoffsConfig((("a", "tiny"), ("b", "mid"), ("c", "big")), (Rule("a", 0.4), Rule("b", 0.2)), "c")


def vectors() -> list[Any]:
    """The lines of the vector file as parameters."""
    lines = VECTORS.read_text("utf-8").split("\n")
    return [pytest.param(v["input"], v["expected"], id=v["id"]) for v in map(json.loads, filter(None, lines))]


def number(raw: Any) -> Any:
    """A number of a vector: not-a-number and infinities are written as words."""
    return float(raw) if raw in ("nan", "inf", "-inf") else raw


def outcome(given_input: dict[str, Any]) -> dict[str, Any]:
    """What a vector's input gives, in the words of the vectors."""
    raw, answer = given_input["config"], given_input["answer"]
    rules = [{**rule, "cutoff": number(rule["cutoff"])} for rule in raw["rules"]]
    probabilities = answer.get("probabilities")
    if probabilities is not None:
        probabilities = {label: number(value) for label, value in probabilities.items()}
    try:
        decision = decide_by_cutoffs(config_from_json({**raw, "rules": rules}), probabilities)
    except InvalidCutoffs as error:
        return {"result": "invalid_config", "error_class": "algorithm_error", "check": error.check}
    made = {"candidate": decision.label, "target": decision.target, "confidence": decision.confidence}
    if decision.source is CutoffSource.FAIL_OPEN:
        return {"result": "fail_open", **made, "reason_code": decision.reason_code}
    return {"result": "routed", **made, "threshold": decision.threshold}


@pytest.mark.parametrize(("given_input", "expected"), vectors())
def test_vector(given_input: dict[str, Any], expected: dict[str, Any]) -> None:
    """Equal to the reference, numbers bit by bit."""
    assert outcome(given_input) == expected


def test_the_winning_rule_is_named_by_its_index() -> None:
    """With its label, target and cutoff."""
    assert decide_by_cutoffs(CONFIG, {"a": 0.4, "b": 0.3, "c": 0.3}) == CutoffDecision(
        "b", "mid", 1.0, CutoffSource.DECISION_CLASSIFIER, 0.2, None, 1
    )


def test_the_fallback_of_the_rules_has_neither_rule_nor_threshold() -> None:
    """But the confidence of a decision."""
    assert decide_by_cutoffs(CONFIG, {"a": 0.4, "b": 0.2, "c": 0.4}) == CutoffDecision(
        "c", "big", 1.0, CutoffSource.DECISION_CLASSIFIER, None, None, None
    )


@pytest.mark.parametrize("fail_open", [True, False])
def test_an_unusable_answer_takes_the_fallback_whatever_fail_open_says(fail_open: bool) -> None:
    """Its reason is the verdict."""
    decision = decide_by_cutoffs(replace(CONFIG, fail_open=fail_open), {"a": 0.9})
    assert decision == CutoffDecision("c", "big", 0.0, CutoffSource.FAIL_OPEN, None, ReasonCode.INVALID_VERDICT, None)


def test_the_evidence_is_in_the_words_of_the_specification() -> None:
    """Of a rule, of the fallback, and of a failed call."""
    source = "decision_classifier"
    assert decide_by_cutoffs(CONFIG, {"a": 0.5, "b": 0.3, "c": 0.3}).evidence == {
        "source": source,
        "verdict": "ordered_cutoffs",
        "target_label": "a",
        "threshold": 0.4,
    }
    assert decide_by_cutoffs(CONFIG, {"a": 0.1, "b": 0.1, "c": 0.3}).evidence == {
        "source": source,
        "verdict": "ordered_cutoffs",
        "target_label": "c",
        "threshold": None,
    }
    assert fail_open_decision(CONFIG, ReasonCode.UPSTREAM_NON_5XX).evidence == {
        "source": "fail_open",
        "reason_code": "upstream_non_5xx",
    }


def test_the_reason_codes_are_those_of_the_specification() -> None:
    """Seven failures of the call and one of the answer."""
    assert [code.value for code in ReasonCode] == [
        "timeout",
        "transport",
        "upstream_5xx",
        "upstream_non_5xx",
        "invalid_response",
        "client_error",
        "call_error",
        "invalid_verdict",
    ]


UNUSABLE: list[tuple[Any, Unusable | None]] = [
    (None, Unusable.NO_DISTRIBUTION),
    ({}, Unusable.MISSING_LABEL),
    ({"a": 0.5, "b": 0.5}, Unusable.MISSING_LABEL),
    ({"a": 0.5, "b": 0.2, "C": 0.3}, Unusable.MISSING_LABEL),
    ({"a": 0.5, "b": 0.2, "c": 0.3, "": 0.0}, Unusable.UNKNOWN_LABEL),
    ({"a": 0.5, "b": 0.2, "c": math.nan}, Unusable.NOT_A_NUMBER),
    ({"a": 0.5, "b": 0.2, "c": "0.3"}, Unusable.NOT_A_NUMBER),
    ({"a": 0.5, "b": 0.2, "c": True}, Unusable.NOT_A_NUMBER),
    ({"a": 0.5, "b": 0.2, "c": None}, Unusable.NOT_A_NUMBER),
    ({"a": 0.5, "b": 0.2, "c": 10**400}, Unusable.NOT_A_NUMBER),
    ({"a": 0.5, "b": 0.2, "c": 2**1024}, Unusable.NOT_A_NUMBER),
    ({"a": 0.5, "b": 0.2, "c": 2**1023}, Unusable.OUT_OF_RANGE),
    ({"a": 0.5, "b": 0.2, "c": math.inf}, Unusable.OUT_OF_RANGE),
    ({"a": 0.5, "b": 0.2, "c": -5e-324}, Unusable.OUT_OF_RANGE),
    ({"a": 0.5, "b": 0.2, "c": 2}, Unusable.OUT_OF_RANGE),
    ({"a": 0.5, "b": -0.0, "c": 1}, None),
]


@pytest.mark.parametrize(("probabilities", "why"), UNUSABLE)
def test_an_answer_is_usable_or_says_why_not(probabilities: Any, why: Unusable | None) -> None:
    """Exactly the configured labels, each a number in [0, 1]."""
    assert usable(CONFIG, probabilities) is why


def test_deciding_refuses_a_config_that_does_not_hold() -> None:
    """A cutoff below 0 would let a probability of 0 win."""
    with pytest.raises(InvalidCutoffs) as caught:
        decide_by_cutoffs(replace(CONFIG, rules=(Rule("a", -1.0),)), {"a": 0.0, "b": 0.0, "c": 0.0})
    assert caught.value.check is ConfigCheck.POLICY


JUNK = st.none() | st.booleans() | st.text() | st.integers() | st.floats() | st.lists(st.floats())


@given(st.none() | st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), JUNK))
def test_junk_never_wins_by_a_rule(junk: Any) -> None:
    """A rule wins only with exactly the labels, each an honest number, and one above its cutoff."""
    decision = decide_by_cutoffs(CONFIG, junk)
    if decision.source is CutoffSource.FAIL_OPEN:
        assert (decision.label, decision.confidence, decision.threshold) == ("c", 0.0, None)
        return
    assert junk.keys() == {"a", "b", "c"}
    assert all(type(value) in (int, float) and 0 <= value <= 1 for value in junk.values())
    winners = [at for at, rule in enumerate(CONFIG.rules) if junk[rule.candidate] > rule.cutoff]
    assert decision.rule == (winners[0] if winners else None)
