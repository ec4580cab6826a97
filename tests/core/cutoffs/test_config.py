"""The configuration of ordered cutoffs: checks, reading and writing (SPEC 6.1)."""

from __future__ import annotations

import datetime
import json
import math
from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.cutoffs.config import (
    ConfigCheck,
    CutoffsConfig,
    InvalidCutoffs,
    Rule,
    check_config,
    config_from_json,
    config_from_text,
    config_to_json,
)

CONFIG = CutoffsConfig((("small", "coder-8b"), ("large", "coder-400b")), (Rule("small", 0.6),), "large")
RAW: dict[str, Any] = {
    "candidates": {"small": "coder-8b", "large": "coder-400b"},
    "policy": {"rules": [{"candidate": "small", "cutoff": 0.6}]},
    "fallback": "large",
}


def refusal(config: CutoffsConfig) -> tuple[ConfigCheck, str]:
    """The check that refuses a configuration, and its sentence."""
    with pytest.raises(InvalidCutoffs) as caught:
        check_config(config)
    return caught.value.check, str(caught.value)


def reading_refusal(raw: Any) -> str:
    """The sentence that refuses a JSON value; its check is the policy's."""
    with pytest.raises(InvalidCutoffs) as caught:
        config_from_json(raw)
    assert caught.value.check is ConfigCheck.POLICY
    return str(caught.value)


def test_labels_are_sorted_by_code_point_and_candidates_keep_their_order() -> None:
    """Large letters come before small ones, and every letter before é."""
    config = replace(CONFIG, candidates=(("é", "m0"), ("b", "m1"), ("B", "m2"), ("小", "m3")))
    assert config.labels == ("B", "b", "é", "小")
    assert [label for label, _ in config.candidates] == ["é", "b", "B", "小"]
    assert config.target_of("小") == "m3"


def test_candidates_may_be_given_as_a_table() -> None:
    """As a file has them."""
    table: Any = {"b": "m2", "a": "m1"}
    assert CutoffsConfig(table, (), "a") == CutoffsConfig((("b", "m2"), ("a", "m1")), (), "a")


def test_neither_instructions_nor_evidence_are_in_the_repr() -> None:
    """They may hold text of a conversation."""
    shown = repr(replace(CONFIG, instructions="secret words", evidence={"k": "secret fact"}))
    assert "secret" not in shown


def test_a_config_with_evidence_can_be_a_key() -> None:
    """Evidence is opaque and need not be hashable."""
    assert hash(replace(CONFIG, evidence={"k": []})) == hash(replace(CONFIG, evidence={"k": [1]}))


def test_a_valid_config_passes() -> None:
    """Both ends of [0, 1] are cutoffs, and a rule may name the fallback."""
    check_config(replace(CONFIG, rules=(Rule("small", 0.0), Rule("large", 1.0)), recent_turn_window=1))


POLICY = [
    (replace(CONFIG, rules=()), "There is no rule. Add one with a candidate and a cutoff."),
    (
        replace(CONFIG, rules=(Rule("small", 0.5), Rule("mid", 0.5))),
        "Rule 2 names 'mid', which is no candidate. Choose one of 'large', 'small'.",
    ),
    (
        replace(CONFIG, rules=(Rule("small", -5e-324),)),
        "The cutoff of rule 1 is -5e-324. Give a number from 0 to 1.",
    ),
    (replace(CONFIG, rules=(Rule("small", math.nan),)), "The cutoff of rule 1 is nan. Give a number from 0 to 1."),
    (
        replace(CONFIG, rules=(Rule("small", 0.5), Rule("large", math.inf))),
        "The cutoff of rule 2 is inf. Give a number from 0 to 1.",
    ),
    (
        replace(CONFIG, fallback="Large"),
        "The fallback is 'Large', which is no candidate. Choose one of 'large', 'small'.",
    ),
    (
        replace(CONFIG, candidates=(*CONFIG.candidates, ("small", "coder-70b"))),
        "Two candidates have the label 'small'. Give each a label of its own.",
    ),
    (replace(CONFIG, recent_turn_window=0), "The recent turn window is 0. Give 1 or more, or leave it out."),
    (replace(CONFIG, recent_turn_window=True), "The recent turn window must be a whole number, not true."),
    (replace(CONFIG, rules=(Rule("small", True),)), "The cutoff of rule 1 must be a number, not true."),
    (replace(CONFIG, rules=(Rule("small", cast("Any", "0.5")),)), "The cutoff of rule 1 must be a number, not '0.5'."),
]


@pytest.mark.parametrize(("config", "sentence"), POLICY, ids=[case[1] for case in POLICY])
def test_a_policy_is_refused_with_the_value_and_the_next_step(config: CutoffsConfig, sentence: str) -> None:
    """One sentence for each thing that can be wrong."""
    assert refusal(config) == (ConfigCheck.POLICY, sentence)


def test_two_labels_for_one_model_are_refused_before_the_policy() -> None:
    """Even where there is no rule either."""
    config = CutoffsConfig((("a", "m"), ("b", "n"), ("c", "m")), (), "")
    assert refusal(config) == (
        ConfigCheck.DISTINCT_TARGETS,
        "Candidates 'a' and 'c' are both model 'm'. Give each label a model of its own.",
    )


def test_a_long_offending_value_is_shortened() -> None:
    """And its control characters are escaped."""
    check, sentence = refusal(replace(CONFIG, fallback="\x1b[31m" + "x" * 100_000))
    assert check is ConfigCheck.POLICY
    assert sentence.startswith("The fallback is '\\x1b[31mxxxxxx")
    assert len(sentence) < 130


def test_rules_may_stand_in_the_policy_or_beside_it() -> None:
    """The vectors have them at the top, the specification in `policy`."""
    top = {"candidates": RAW["candidates"], "rules": RAW["policy"]["rules"], "fallback": "large"}
    inside = {"candidates": RAW["candidates"], "policy": {**RAW["policy"], "fallback": "large"}}
    assert config_from_json(RAW) == config_from_json(top) == config_from_json(inside) == CONFIG


def test_every_key_is_read() -> None:
    """Integers are numbers, and the order of candidates and rules is kept."""
    raw = {
        "candidates": {"z": "m1", "a": "m2"},
        "policy": {"rules": [{"cutoff": 1, "candidate": "z"}, {"candidate": "a", "cutoff": 0}]},
        "fallback": "a",
        "instructions": "Which?",
        "evidence": [{"budget": 0.5}, None, True],
        "fail_open": True,
        "recent_turn_window": 3,
    }
    config = config_from_json(raw)
    rules = (Rule("z", 1.0), Rule("a", 0.0))
    assert config == CutoffsConfig((("z", "m1"), ("a", "m2")), rules, "a", "Which?", raw["evidence"], True, 3)
    assert [type(rule.cutoff) for rule in config.rules] == [float, float]


def test_null_is_as_good_as_absent_where_absence_means_something() -> None:
    """Instructions, evidence and the window may be null."""
    assert config_from_json({**RAW, "instructions": None, "evidence": None, "recent_turn_window": None}) == CONFIG


SHAPES: list[tuple[Any, str]] = [
    ([], "The configuration must be an object, not a list."),
    ({**RAW, "temperature": 0}, "The configuration has the unknown key 'temperature'. Known keys: candidates, rules, "),
    (
        {**RAW, "policy": {"rules": [], "rule": []}},
        "The policy has the unknown key 'rule'. Known keys: rules, fallback.",
    ),
    (
        {**RAW, "policy": {"rules": [{"candidate": "small", "cutoff": 0.5, "weight": 1}]}},
        "Rule 1 has the unknown key 'weight'. Known keys: candidate, cutoff.",
    ),
    ({**RAW, "rules": []}, "rules stands in the policy and beside it. Keep one of the two."),
    ({"policy": RAW["policy"], "fallback": "large"}, "The configuration has no candidates. Add it."),
    ({"candidates": {}, "fallback": "large"}, "The configuration has no rules. Add it."),
    ({"candidates": {}, "rules": []}, "The configuration has no fallback. Add it."),
    ({**RAW, "candidates": ["small"]}, "The candidates must be an object, not a list."),
    ({**RAW, "candidates": {"small": 8}}, "The model of 'small' must be text, not 8."),
    ({**RAW, "candidates": {7: "m"}}, "Each key of the candidates must be text, not 7."),
    ({**RAW, "policy": None}, "The policy must be an object, not null."),
    ({**RAW, "policy": {"rules": {}}}, "The rules must be a list, not an object."),
    ({**RAW, "policy": {"rules": ["small"]}}, "Rule 1 must be an object, not 'small'."),
    ({**RAW, "policy": {"rules": [{"candidate": "small"}]}}, "Rule 1 has no cutoff. Add it."),
    ({**RAW, "policy": {"rules": [{"cutoff": 0.1}]}}, "Rule 1 has no candidate. Add it."),
    (
        {**RAW, "policy": {"rules": [{"candidate": "small", "cutoff": "-inf"}]}},
        "The cutoff of rule 1 must be a number, not '-inf'.",
    ),
    (
        {**RAW, "policy": {"rules": [{"candidate": "small", "cutoff": True}]}},
        "The cutoff of rule 1 must be a number, not true.",
    ),
    (
        {**RAW, "policy": {"rules": [{"candidate": "small", "cutoff": 10**5000}]}},
        "The cutoff of rule 1 is an integer of 16,610 bits. Give a number from 0 to 1.",
    ),
    ({**RAW, "fallback": None}, "The fallback must be text, not null."),
    ({**RAW, "instructions": 1}, "The instructions must be text, not 1."),
    ({**RAW, "fail_open": "no"}, "fail_open must be true or false, not 'no'."),
    ({**RAW, "fail_open": 1}, "fail_open must be true or false, not 1."),
    ({**RAW, "recent_turn_window": 2.0}, "The recent turn window must be a whole number, not 2.0."),
    ({**RAW, "recent_turn_window": True}, "The recent turn window must be a whole number, not true."),
    ({**RAW, "evidence": [math.inf]}, "The evidence holds inf, which JSON has no number for. Leave it out."),
    (
        {**RAW, "evidence": {"since": datetime.date(2026, 1, 1)}},
        "The evidence holds a value of type date, which JSON does not know. Give it as text.",
    ),
    ({**RAW, "evidence": {"a": {1: 2}}}, "Each key of the evidence must be text, not 1."),
]


@pytest.mark.parametrize(("raw", "sentence"), SHAPES, ids=[case[1] for case in SHAPES])
def test_another_shape_is_refused_by_name(raw: Any, sentence: str) -> None:
    """Never a silent default."""
    assert reading_refusal(raw).startswith(sentence)


def test_a_read_config_is_checked() -> None:
    """Targets first, here too."""
    with pytest.raises(InvalidCutoffs) as caught:
        config_from_json({**RAW, "candidates": {"a": "m", "b": "m"}})
    assert caught.value.check is ConfigCheck.DISTINCT_TARGETS


def test_text_is_read_as_json() -> None:
    """What an operator pastes."""
    assert config_from_text(json.dumps(RAW)) == CONFIG


TEXTS = [
    ('{"candidates":\n {"a": }}', "Line 2, column 8: this is no JSON. Correct it there."),
    ('{"candidates": {"a": "m", "a": "n"}}', "The key 'a' stands twice in one object. Keep one of the two."),
    ('{"evidence": NaN}', "This is no JSON: not a JSON number. Correct it."),
    ('{"evidence": 1e999}', "This is no JSON: number beyond double range. Correct it."),
    ('{"evidence": "\ud800"}', "This is no JSON: half a surrogate pair. Correct it."),
    ("[" * 200 + "]" * 200, "This is no JSON: nested too deeply. Correct it."),
]


@pytest.mark.parametrize(("text", "sentence"), TEXTS, ids=[case[1] for case in TEXTS])
def test_a_text_that_is_no_config_is_refused(text: str, sentence: str) -> None:
    """A repeated key is one of the two lost, so it is refused."""
    with pytest.raises(InvalidCutoffs) as caught:
        config_from_text(text)
    assert str(caught.value) == sentence
    assert caught.value.__cause__ is None


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def configs(draw: st.DrawFn) -> CutoffsConfig:
    """A valid configuration."""
    labels = draw(st.lists(st.text(max_size=4), min_size=1, max_size=4, unique=True))
    rule = st.builds(Rule, st.sampled_from(labels), st.floats(0, 1))
    return CutoffsConfig(
        tuple((label, f"model-{at}") for at, label in enumerate(labels)),
        tuple(draw(st.lists(rule, min_size=1, max_size=4))),
        draw(st.sampled_from(labels)),
        draw(st.none() | st.text()),
        draw(JSON),
        draw(st.booleans()),
        draw(st.none() | st.integers(1, 50)),
    )


@given(configs())
def test_a_config_survives_its_json(config: CutoffsConfig) -> None:
    """Through text, with the order of candidates and rules."""
    assert config_from_text(json.dumps(config_to_json(config))) == config


def test_what_is_not_set_is_not_written() -> None:
    """The JSON is that of the specification."""
    assert config_to_json(CONFIG) == RAW


@given(JSON)
def test_junk_is_refused(junk: Any) -> None:
    """With our own error, whatever it is."""
    with pytest.raises(InvalidCutoffs):
        config_from_json(junk)
