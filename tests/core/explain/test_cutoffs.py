"""What the Cutoffs tab shows: rules, usability, the sentence and the flips (SPEC 6.1; UI 5, 10)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.cutoffs import CutoffsConfig, ReasonCode, Rule, decide_by_cutoffs, fail_open_decision
from routing_workbench.core.explain.clause import Holds
from routing_workbench.core.explain.cutoff_flips import apply_flip
from routing_workbench.core.explain.cutoffs import (
    CutoffFlip,
    FlipKind,
    RuleRow,
    RuleState,
    Side,
    UsabilityRow,
    cutoff_reason,
    rule_rows,
    smallest_flips,
    usability_rows,
)
from routing_workbench.core.explain.reason import Reason

CONFIG = CutoffsConfig(
    (("small", "local-coder-8b"), ("mid", "relay-coder-32b"), ("large", "summit-coder")),
    (Rule("small", 0.6), Rule("mid", 0.35)),
    "large",
)
DRAWN = {"small": 0.22, "mid": 0.35, "large": 0.43}


def rows(config: CutoffsConfig, probabilities: Mapping[str, float] | None) -> tuple[RuleRow, ...]:
    """The rows of a decided answer."""
    return rule_rows(config, probabilities, decide_by_cutoffs(config, probabilities))


def states(config: CutoffsConfig, probabilities: Mapping[str, float] | None) -> list[RuleState]:
    """What became of each rule and of the fallback."""
    return [row.state for row in rows(config, probabilities)]


def cells(row: RuleRow) -> tuple[str, str, str, str]:
    """A row as shown: probability, what it takes, margin, state."""
    return row.value, row.needs, row.margin_text, row.state.value


def test_the_rows_are_those_of_the_drawing() -> None:
    """Equal does not win."""
    small, mid, large = rows(CONFIG, DRAWN)
    assert small == RuleRow(1, "small", "local-coder-8b", 0.6, 0.22, 0.22 - 0.6, RuleState.NO)
    assert mid == RuleRow(2, "mid", "relay-coder-32b", 0.35, 0.35, 0.0, RuleState.EQUAL)
    assert large == RuleRow(None, "large", "summit-coder", None, 0.43, None, RuleState.TAKEN)
    assert [cells(row) for row in (small, mid, large)] == [
        ("0.22", "> 0.60", "−0.38", "no"),
        ("0.35", "> 0.35", "0.00", "no, equal"),
        ("0.43", "fallback", "not compared", "taken"),
    ]


def test_what_lies_behind_the_winner_is_not_reached() -> None:
    """Its margin is shown all the same."""
    small, mid, large = rows(CONFIG, {"small": 0.61, "mid": 0.9, "large": 0.0})
    assert [cells(row) for row in (small, mid, large)] == [
        ("0.61", "> 0.60", "+0.01", "wins"),
        ("0.90", "> 0.35", "+0.55", "not reached"),
        ("0.00", "fallback", "not compared", "not reached"),
    ]


def test_before_anything_was_asked_there_are_rules_alone() -> None:
    """Not asked is not unknown."""
    assert [cells(row) for row in rule_rows(CONFIG, None, None)] == [
        ("not asked", "> 0.60", "not compared", "not asked"),
        ("not asked", "> 0.35", "not compared", "not asked"),
        ("not asked", "fallback", "not compared", "not asked"),
    ]


def test_an_unusable_answer_leaves_the_rules_unknown() -> None:
    """Even where a probability that was given would have won."""
    found = rows(CONFIG, {"small": 0.9, "mid": math.nan})
    assert [cells(row) for row in found] == [
        ("0.90", "> 0.60", "not compared", "unknown"),
        ("none", "> 0.35", "not compared", "unknown"),
        ("none", "fallback", "not compared", "taken"),
    ]


def test_a_failed_call_leaves_the_rules_unknown() -> None:
    """There is no answer to compare."""
    found = rule_rows(CONFIG, None, fail_open_decision(CONFIG, ReasonCode.TIMEOUT))
    assert [row.state for row in found] == [RuleState.UNKNOWN, RuleState.UNKNOWN, RuleState.TAKEN]


def test_a_shown_value_never_hides_the_side_of_its_cutoff() -> None:
    """Nor does its margin hide that there is one."""
    above, below = math.nextafter(0.35, 1), math.nextafter(0.35, 0)
    assert cells(rows(CONFIG, {**DRAWN, "mid": above})[1]) == (repr(above), "> 0.35", "+6e−17", "wins")
    assert cells(rows(CONFIG, {**DRAWN, "mid": below})[1]) == (repr(below), "> 0.35", "−6e−17", "no")


def test_a_shadowed_rule_says_which_rule_shadows_it() -> None:
    """An earlier rule of the same label with no higher cutoff, or a cutoff that nothing exceeds."""
    rules = (Rule("small", 0.5), Rule("mid", 0.5), Rule("small", 0.5), Rule("small", 0.4), Rule("mid", 1.0))
    found = rule_rows(replace(CONFIG, rules=rules), None, None)
    assert [row.shadowed for row in found] == [
        "",
        "",
        "Never wins: rule 1 comes first with the same label and a cutoff of 0.50.",
        "",
        "Never wins: no probability is greater than 1.",
        "",
    ]


CUTOFFS = st.sampled_from([0.0, 0.2, 0.5, math.nextafter(1, 0), 1.0]) | st.floats(0, 1)


@st.composite
def configs(draw: st.DrawFn) -> CutoffsConfig:
    """A valid configuration of few labels, so that rules meet."""
    labels = draw(st.sampled_from([("a",), ("a", "b"), ("a", "b", "c")]))
    rules = draw(st.lists(st.builds(Rule, st.sampled_from(labels), CUTOFFS), min_size=1, max_size=6))
    return CutoffsConfig(tuple((x, f"model-{x}") for x in labels), tuple(rules), draw(st.sampled_from(labels)))


@st.composite
def asked(draw: st.DrawFn) -> tuple[CutoffsConfig, dict[str, float]]:
    """A configuration and a usable answer, often at or beside a cutoff."""
    config = draw(configs())
    near = [rule.cutoff for rule in config.rules]
    near += [math.nextafter(cutoff, side) for cutoff in near for side in (0.0, 1.0)]
    return config, {label: draw(st.sampled_from(near) | st.floats(0, 1)) for label in config.labels}


@given(asked())
def test_a_shadowed_rule_never_wins(case: tuple[CutoffsConfig, dict[str, float]]) -> None:
    """For any usable answer."""
    config, probabilities = case
    won = decide_by_cutoffs(config, probabilities).rule
    assert won is None or rule_rows(config, None, None)[won].shadowed == ""


@given(configs())
def test_a_rule_without_a_shadow_wins_for_some_answer(config: CutoffsConfig) -> None:
    """For the one that gives its label just more than its cutoff, and all others nothing."""
    for at, row in enumerate(rule_rows(config, None, None)[:-1]):
        if not row.shadowed:
            just = dict.fromkeys(config.labels, 0.0) | {row.label: math.nextafter(config.rules[at].cutoff, 1)}
            assert decide_by_cutoffs(config, just).rule == at


@given(asked())
def test_the_rows_tell_the_decision(case: tuple[CutoffsConfig, dict[str, float]]) -> None:
    """One row takes the turn, its margin is positive, and no earlier one's is."""
    config, probabilities = case
    found = rows(config, probabilities)
    taking = [row for row in found if row.state in (RuleState.WINS, RuleState.TAKEN)]
    assert [row.label for row in taking] == [decide_by_cutoffs(config, probabilities).label]
    for row in found[:-1]:
        assert row.margin is not None
        if row.state is not RuleState.NOT_REACHED:
            assert (row.margin > 0) is (row.state is RuleState.WINS)
            assert (row.margin == 0) is (row.state is RuleState.EQUAL)
            assert (row.margin_text[0] == "+") is (row.state is RuleState.WINS)


EXACT, RANGE, SUM = (
    "a probability for exactly the configured labels",
    "each in [0, 1], none NaN",
    ("sum, not required to be 1"),
)
USABILITY: list[tuple[Any, tuple[Holds, str], tuple[Holds, str], str]] = [
    (DRAWN, (Holds.YES, "3 of 3"), (Holds.YES, "yes"), "1.00"),
    ({"small": 0.9, "mid": 1, "large": 0.9}, (Holds.YES, "3 of 3"), (Holds.YES, "yes"), "2.80"),
    (
        {"small": 0.5, "large": 0.499},
        (Holds.NO, "2 of 3, 'mid' missing"),
        (Holds.YES, "yes"),
        "0.999",
    ),
    (
        {"small": 0.5, "mid": 0.2, "large": 0.2, "a": 0, "b": 0, "c": 0, "d": 0.1, "e": 5e-324},
        (Holds.NO, "3 of 3, 'a', 'b', 'c' and 2 more unknown"),
        (Holds.YES, "yes"),
        "1.00",
    ),
    (
        {"small": math.nan, "mid": 1.0000000000000002, "Large": None},
        (Holds.NO, "2 of 3, 'large' missing, 'Large' unknown"),
        (Holds.NO, "'small' is NaN, 'mid' is 1.0000000000000002 and 'Large' is no number"),
        "not summed",
    ),
    (
        {"small": math.inf, "mid": -math.inf, "large": 10**400},
        (Holds.YES, "3 of 3"),
        (Holds.NO, "'small' is ∞, 'mid' is −∞ and 'large' is no number"),
        "not summed",
    ),
    (
        {"small": 2, "mid": -1, "large": 3, "a": 4, "b": 5},
        (Holds.NO, "3 of 3, 'a' and 'b' unknown"),
        (Holds.NO, "'small' is 2.00, 'mid' is −1.00, 'large' is 3.00 and 2 more"),
        "not summed",
    ),
    (
        {},
        (Holds.NO, "0 of 3, 'large', 'mid' and 'small' missing"),
        (Holds.NOT_ASKED, "none given"),
        "none given",
    ),
    (
        None,
        (Holds.NO, "0 of 3, 'large', 'mid' and 'small' missing"),
        (Holds.NOT_ASKED, "no distribution"),
        "no distribution",
    ),
]


@pytest.mark.parametrize(("probabilities", "exact", "ranges", "total"), USABILITY)
def test_usability_is_shown_point_by_point(
    probabilities: Any, exact: tuple[Holds, str], ranges: tuple[Holds, str], total: str
) -> None:
    """The labels, the values, and a sum that decides nothing."""
    assert usability_rows(CONFIG, probabilities) == (
        UsabilityRow(EXACT, *exact),
        UsabilityRow(RANGE, *ranges),
        UsabilityRow(SUM, None, total),
    )


JUNK = st.none() | st.booleans() | st.text(max_size=2) | st.integers() | st.floats()


@given(st.none() | st.dictionaries(st.sampled_from(["small", "mid", "large", "x"]), JUNK))
def test_usability_agrees_with_the_decision(junk: Any) -> None:
    """Both required points hold exactly where the rules are applied; junk of any kind is shown."""
    decision = decide_by_cutoffs(CONFIG, junk)
    holds = [row.holds for row in usability_rows(CONFIG, junk)[:2]]
    assert (holds == [Holds.YES, Holds.YES]) is (decision.reason_code is None)
    assert len(cutoff_reason(CONFIG, junk, decision).headline) <= 80
    assert [len(cells(row)) for row in rule_rows(CONFIG, junk, decision)] == [4, 4, 4]


STRICT = "Cutoffs are strict. The fallback takes the turn with confidence 1.0."
UNUSABLE = "An unusable answer always takes the fallback, with confidence 0.0."
FIRST = "It is the first rule. The first rule that wins takes the turn, with confidence 1.0."
LATER = "No rule before it won. The first rule that wins takes the turn, with confidence 1.0."
REASONS: list[tuple[Any, str, str]] = [
    (DRAWN, "No rule won: mid scored 0.35, and 0.35 is not greater than its cutoff of 0.35.", STRICT),
    ({**DRAWN, "mid": 0.1}, "No rule won: mid scored 0.10, below its cutoff of 0.35.", STRICT),
    ({**DRAWN, "small": 0.5, "mid": 0.1}, "No rule won: small scored 0.50, below its cutoff of 0.60.", STRICT),
    ({**DRAWN, "mid": 0.36}, "Rule 2 won: mid scored 0.36, greater than its cutoff of 0.35.", LATER),
    ({**DRAWN, "small": 0.75}, "Rule 1 won: small scored 0.75, greater than its cutoff of 0.60.", FIRST),
    (None, "The judge's answer holds no distribution over the labels.", UNUSABLE),
    ({"small": 0.9}, "The judge's answer lacks a configured label.", UNUSABLE),
    ({**DRAWN, "Mid": 0.1}, "The judge's answer holds a label that is not configured.", UNUSABLE),
    ({**DRAWN, "mid": math.nan}, "The judge's answer holds a probability that is not a number.", UNUSABLE),
    ({**DRAWN, "mid": 1.1}, "The judge's answer holds a probability outside [0, 1].", UNUSABLE),
]


@pytest.mark.parametrize(("probabilities", "headline", "detail"), REASONS, ids=[case[1] for case in REASONS])
def test_the_reason_names_the_deciding_fact(probabilities: Any, headline: str, detail: str) -> None:
    """The winner, the nearest miss, or what is wrong with the answer."""
    decision = decide_by_cutoffs(CONFIG, probabilities)
    assert cutoff_reason(CONFIG, probabilities, decision) == Reason(headline, detail)


@pytest.mark.parametrize("code", ReasonCode)
def test_a_failed_call_has_a_sentence_of_its_own(code: ReasonCode) -> None:
    """No two failures read alike."""
    said = {other: cutoff_reason(CONFIG, DRAWN, fail_open_decision(CONFIG, other)).headline for other in ReasonCode}
    assert [other for other in ReasonCode if said[other] == said[code]] == [code]
    assert len(said[code]) <= 80


def test_a_failed_call_names_fail_open() -> None:
    """It is what let the fallback take the turn."""
    reason = cutoff_reason(CONFIG, None, fail_open_decision(CONFIG, ReasonCode.TRANSPORT))
    assert reason == Reason(
        "The connection to the judge failed.", "fail_open is on: the fallback takes the turn with confidence 0.0."
    )


@given(asked(), st.text(max_size=90))
def test_a_headline_fits_whatever_the_label(case: tuple[CutoffsConfig, dict[str, float]], label: str) -> None:
    """A long label or a long number is left out of it."""
    config, probabilities = case
    if label in probabilities:
        return
    renamed = {"a": label}
    long = CutoffsConfig(
        tuple((renamed.get(name, name), model) for name, model in config.candidates),
        tuple(Rule(renamed.get(rule.candidate, rule.candidate), rule.cutoff) for rule in config.rules),
        renamed.get(config.fallback, config.fallback),
    )
    given_to = {renamed.get(name, name): value for name, value in probabilities.items()}
    assert len(cutoff_reason(long, given_to, decide_by_cutoffs(long, given_to)).headline) <= 80


def test_the_flips_of_the_drawing() -> None:
    """Nearest first, with the exact boundary and the side of it."""
    below, above = math.nextafter(0.35, 0), math.nextafter(0.35, 1)
    flips = smallest_flips(CONFIG, DRAWN)
    assert flips == (
        CutoffFlip(FlipKind.CONFIG, "mid", 1, 0.35, Side.BELOW, 0.35, below, "mid"),
        CutoffFlip(FlipKind.ANSWER, "mid", None, 0.35, Side.ABOVE, 0.35, above, "mid"),
        CutoffFlip(FlipKind.CONFIG, "small", 0, 0.6, Side.BELOW, 0.22, math.nextafter(0.22, 0), "small"),
        CutoffFlip(FlipKind.ANSWER, "small", None, 0.22, Side.ABOVE, 0.6, math.nextafter(0.6, 1), "small"),
    )
    assert [flip.change for flip in flips] == [
        "mid cutoff 0.35 → below 0.35",
        "p(mid) 0.35 → above 0.35",
        "small cutoff 0.60 → below 0.22",
        "p(small) 0.22 → above 0.60",
    ]


def test_a_winner_is_turned_by_its_own_cutoff_and_probability() -> None:
    """Raised to the probability, or lowered to the cutoff, it does not win any more."""
    flips = smallest_flips(CONFIG, {"small": 0.1, "mid": 0.4, "large": 0.5})
    assert [(flip.change, flip.gives) for flip in flips] == [
        ("mid cutoff 0.35 → at least 0.40", "large"),
        ("p(mid) 0.40 → at most 0.35", "large"),
        ("small cutoff 0.60 → below 0.10", "small"),
        ("p(small) 0.10 → above 0.60", "small"),
    ]


def test_a_change_that_leaves_the_label_is_no_flip() -> None:
    """Another rule, or the fallback, gives the same label."""
    config = replace(CONFIG, rules=(Rule("small", 0.6), Rule("small", 0.3)), fallback="small")
    assert smallest_flips(config, {"small": 0.7, "mid": 0.9, "large": 0.9}) == ()


def test_a_probability_must_pass_every_rule_of_its_label() -> None:
    """At most the lowest of the cutoffs it stands above."""
    config = replace(CONFIG, rules=(Rule("small", 0.6), Rule("small", 0.3)))
    flips = smallest_flips(config, {"small": 0.7, "mid": 0.9, "large": 0.9})
    assert [(flip.change, flip.gives) for flip in flips] == [("p(small) 0.70 → at most 0.30", "large")]


def test_cutoffs_of_one_rounded_distance_are_told_apart() -> None:
    """From 1.0 the distances to both cutoffs are the double 1.0; the higher one is nearer."""
    rules = (Rule("small", 1e-138), Rule("mid", 0.0), Rule("small", 0.0))
    flips = smallest_flips(replace(CONFIG, rules=rules), {"small": 1.0, "mid": 0.5, "large": 0.0})
    assert [flip.change for flip in flips if flip.kind is FlipKind.ANSWER] == ["p(small) 1.00 → at most 1e−138"]


def test_nothing_turns_an_unusable_answer() -> None:
    """No single cutoff does, and no single probability is known to."""
    assert smallest_flips(CONFIG, None) == smallest_flips(CONFIG, {"small": 0.1}) == ()


def variables(config: CutoffsConfig) -> list[tuple[str, int | None]]:
    """Everything a single change may touch."""
    return [(rule.candidate, at) for at, rule in enumerate(config.rules)] + [(label, None) for label in config.labels]


def turned(config: CutoffsConfig, probabilities: dict[str, float], label: str, rule: int | None, value: float) -> str:
    """The label where one cutoff or one probability has another value."""
    if rule is None:
        return decide_by_cutoffs(config, {**probabilities, label: value}).label
    rules = list(config.rules)
    rules[rule] = replace(rules[rule], cutoff=value)
    return decide_by_cutoffs(replace(config, rules=tuple(rules)), probabilities).label


@given(asked())
def test_each_flip_turns_the_decision(case: tuple[CutoffsConfig, dict[str, float]]) -> None:
    """To the label it names; and they stand in the order of their distance, one for each thing that can change."""
    config, probabilities = case
    now = decide_by_cutoffs(config, probabilities).label
    flips = smallest_flips(config, probabilities)
    for flip in flips:
        assert decide_by_cutoffs(*apply_flip(config, probabilities, flip)).label == flip.gives != now
    assert [flip.distance for flip in flips] == sorted(flip.distance for flip in flips)
    assert len({(flip.label, flip.rule) for flip in flips}) == len(flips)


@given(asked(), st.data())
def test_nothing_nearer_turns_it(case: tuple[CutoffsConfig, dict[str, float]], data: st.DataObject) -> None:
    """No other value of the same cutoff or probability that turns the decision lies nearer than the flip's."""
    config, probabilities = case
    now = decide_by_cutoffs(config, probabilities).label
    flips = {(flip.label, flip.rule): flip for flip in smallest_flips(config, probabilities)}
    label, rule = data.draw(st.sampled_from(variables(config)))
    before = probabilities[label] if rule is None else config.rules[rule].cutoff
    marks = [*probabilities.values(), *[r.cutoff for r in config.rules]]
    marks += [math.nextafter(mark, side) for mark in marks for side in (0.0, 1.0)]
    value = data.draw(st.sampled_from(marks) | st.floats(0, 1))
    if turned(config, probabilities, label, rule, value) != now:
        assert abs(value - before) >= flips[label, rule].distance


@given(asked(), st.data())
def test_every_value_on_the_side_of_the_boundary_turns_it(
    case: tuple[CutoffsConfig, dict[str, float]], data: st.DataObject
) -> None:
    """And none on the other side, up to the old value: the words say what the change takes."""
    config, probabilities = case
    now = decide_by_cutoffs(config, probabilities).label
    for flip in smallest_flips(config, probabilities):
        low, high = (0.0, flip.after) if flip.side in (Side.BELOW, Side.AT_MOST) else (flip.after, 1.0)
        value = data.draw(st.floats(low, high))
        assert turned(config, probabilities, flip.label, flip.rule, value) == flip.gives
        back = math.nextafter(flip.after, flip.before)
        assert turned(config, probabilities, flip.label, flip.rule, back) == now
        assert (flip.boundary == flip.after) is (flip.side in (Side.AT_MOST, Side.AT_LEAST))
