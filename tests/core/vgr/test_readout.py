"""The readout p(yes) (SPEC 5): the golden vectors, the cases, its explanation, and junk that must not score."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.vgr.readout import Alternative, NoScore, Readout, Side, p_yes, read_readout

TESTS = Path(__file__).resolve().parents[2]


def vectors(name: str) -> list[Any]:
    """The lines of a vector file as parameters."""
    lines = (TESTS / "vectors" / f"{name}.jsonl").read_text("utf-8").split("\n")
    return [pytest.param(v["input"], v["expected"], id=v["id"]) for v in map(json.loads, filter(None, lines))]


def logprob_cases() -> list[Any]:
    """The cases that carry token probabilities."""
    found = []
    for path in sorted((TESTS / "cases").glob("*/case.json")):
        case = json.loads(path.read_text("utf-8"))
        if case["kind"] == "logprobs":
            body = json.loads((path.parent / case["input"]).read_text("utf-8"))
            found.append(pytest.param(body, case, id=case["id"]))
    return found


def body_of(*entries: Any) -> dict[str, Any]:
    """A body whose first token has these alternatives."""
    return {"choices": [{"logprobs": {"content": [{"top_logprobs": list(entries)}]}}]}


def entry(token: Any, logprob: Any) -> dict[str, Any]:
    """One alternative as an endpoint writes it."""
    return {"token": token, "logprob": logprob}


@pytest.mark.parametrize(("given_input", "expected"), vectors("p_yes"))
def test_p_yes_vector(given_input: dict[str, Any], expected: dict[str, Any]) -> None:
    """p(yes) is the reference's to a relative 1e-12."""
    score, wanted = p_yes(given_input["body"]), expected["p_yes"]
    if wanted is None:
        assert score is None
    elif wanted == "nan":
        assert score is not None
        assert math.isnan(score)
    else:
        assert score == pytest.approx(wanted, rel=1e-12, abs=0)


@pytest.mark.parametrize(("body", "case"), logprob_cases())
def test_logprobs_case(body: dict[str, Any], case: dict[str, Any]) -> None:
    """Score and masses are the case's to its six decimals, and low coverage is told where the case hints at it."""
    readout, expected = read_readout(body), case["expected"]
    if expected["p_yes"] is None:
        assert readout.p_yes is None
        assert readout.absent is not None
        return
    assert readout.p_yes == pytest.approx(expected["p_yes"], abs=1e-6)
    assert readout.yes == pytest.approx(expected.get("yes_mass", readout.yes), abs=1e-6)
    assert readout.no == pytest.approx(expected.get("no_mass", readout.no), abs=1e-6)
    assert readout.low_coverage is case.get("advisory", {}).get("low_coverage", False)


@pytest.mark.parametrize(
    ("body", "reason", "where"),
    [
        (None, NoScore.NO_BODY, ""),
        ([], NoScore.NO_ALTERNATIVES, "choices"),
        ("yes", NoScore.NO_ALTERNATIVES, "choices"),
        ({"choices": []}, NoScore.NO_ALTERNATIVES, "choices[0]"),
        ({"choices": [{"logprobs": None}]}, NoScore.NO_ALTERNATIVES, "choices[0].logprobs"),
        ({"choices": [{"logprobs": {"content": []}}]}, NoScore.NO_ALTERNATIVES, "choices[0].logprobs.content[0]"),
        (body_of(), NoScore.NEITHER_FOUND, ""),
        (body_of(entry("maybe", -0.1)), NoScore.NEITHER_FOUND, ""),
        (body_of(entry("yes", -1000.0), entry("no", -1000.0)), NoScore.ZERO_MASS, ""),
        (body_of(entry("yes", -0.1), {"token": "no"}), NoScore.MALFORMED_ENTRY, "top_logprobs[1]"),
        (body_of({"logprob": -0.1}, entry("yes", -0.1)), NoScore.MALFORMED_ENTRY, "top_logprobs[0]"),
    ],
)
def test_missing_score_says_why_and_where(body: Any, reason: NoScore, where: str) -> None:
    """Without a score the reason is named, and the place where reading stopped."""
    readout = read_readout(body)
    assert (readout.p_yes, readout.absent) == (None, reason)
    assert readout.where.endswith(where)


@pytest.mark.parametrize(
    "logprob", [True, False, None, "-0.1", [], {}, math.nan, math.inf, -math.inf, 10**400, -(10**400)]
)
@pytest.mark.parametrize("token", ["yes", "maybe"])
def test_logprob_that_is_no_finite_number_voids_the_list(token: str, logprob: Any) -> None:
    """One malformed entry is enough, wherever it stands and whatever its token."""
    assert p_yes(body_of(entry("yes", -0.1), entry("no", -3.0), entry(token, logprob))) is None


@pytest.mark.parametrize("token", [None, 1, True, ["yes"], {"yes": 1}])
def test_token_that_is_no_string_voids_the_list(token: Any) -> None:
    """One malformed entry is enough."""
    assert p_yes(body_of(entry("yes", -0.1), entry(token, -2.0))) is None


def test_position_zero_may_be_a_key_of_an_object_at_both_places() -> None:
    """`"0"` stands for position 0 in choices and in content."""
    content = {"0": {"top_logprobs": [entry("yes", 0.0), entry("no", 0.0)]}}
    assert p_yes({"choices": {"0": {"logprobs": {"content": content}}}}) == 0.5


@pytest.mark.parametrize(
    ("yes", "no", "score"), [(-1.0, 1000.0, 0.0), (1000.0, -1.0, math.nan), (1000.0, 1000.0, math.nan)]
)
def test_overflow_is_infinite(yes: float, no: float, score: float) -> None:
    """An overflowing exponential is infinity; infinity over infinity is no number and never reaches a bar."""
    found = p_yes(body_of(entry("yes", yes), entry("no", no)))
    assert found is not None
    assert (math.isnan(found) and not found >= 0.0) if math.isnan(score) else found == score


@pytest.mark.parametrize(
    ("token", "side"),
    [
        ("\u2003\"'.,Y,.'\"\n", Side.YES),
        ("False", Side.NO),
        ("' no'", Side.IGNORED),
        ("`no`", Side.IGNORED),
        ("\x1fno", Side.IGNORED),
        ("no!", Side.IGNORED),
        ("\u2019no\u2019", Side.IGNORED),
        ("", Side.IGNORED),
    ],
)
def test_token_is_trimmed_once_then_stripped_then_lowered(token: str, side: Side) -> None:
    """Only straight quotes, dots and commas around the trimmed token are dropped."""
    assert read_readout(body_of(entry(token, -1.0))).alternatives == (Alternative(token, -1.0, side),)


def test_readout_explains_what_counted() -> None:
    """Sums, alternatives and the summary come from the list; ignored tokens stay out of summary and repr."""
    readout = read_readout(body_of(entry("Yes", -1.0), entry("secret", -2.0), entry(" no.", -1.5), entry("yes", -3.0)))
    assert readout.yes == math.exp(-1.0) + math.exp(-3.0)
    assert readout.no == math.exp(-1.5)
    assert [a.side for a in readout.alternatives] == [Side.YES, Side.IGNORED, Side.NO, Side.YES]
    assert readout.summary == "Yes 0.37, no 0.22, yes 0.05"
    assert "secret" not in repr(readout)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["yes", "no"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "logprobs", "content", "top_logprobs", "token", "logprob", "0"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_json_is_read_without_raising(body: Any) -> None:
    """The readout is total; without a reason it has a score, with one it has none."""
    readout = read_readout(body)
    assert (readout.p_yes is None) == (readout.absent is not None)


@given(st.lists(JSON))
def test_any_list_of_alternatives_scores_a_probability_or_nothing(entries: list[Any]) -> None:
    """Junk among the alternatives never raises, and a score is in [0, 1] or no number."""
    score = p_yes(body_of(*entries))
    assert score is None or math.isnan(score) or 0.0 <= score <= 1.0


@given(st.lists(st.tuples(st.text(), st.floats(-50, 0)), max_size=8))
def test_score_needs_an_affirmative(pairs: list[tuple[str, float]]) -> None:
    """A score above zero needs an alternative that says yes."""
    readout: Readout = read_readout(body_of(*[entry(token, logprob) for token, logprob in pairs]))
    if not any(a.side is Side.YES for a in readout.alternatives):
        assert readout.p_yes in (None, 0.0)


def test_a_score_on_little_mass_is_summed_up_with_a_warning() -> None:
    """The score stays; that its token opens thinking is said, and nothing behind it is read."""
    thinking = read_readout(body_of(entry("<think>", -0.05), entry("No", -3.4), entry("Yes", -4.4)))
    assert thinking.p_yes == pytest.approx(0.268941, abs=1e-6)
    assert thinking.summary == "No 0.03, Yes 0.01: only 0.05 of the first token, which opens thinking"
    prose = read_readout(body_of(entry("The", -0.1), entry("yes", -3.0)))
    assert prose.summary == "yes 0.05: only 0.05 of the first token"


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        ([entry("<think>", -0.1), entry("\n", -3.0)], "neither found: the first token opens thinking"),
        ([entry("maybe", -0.1), entry("<think>", -3.0)], "neither found"),
        ([entry("yes", -1000.0)], "zero mass"),
        ([entry("yes", 1000.0)], "overflow"),
        ([entry("yes", -0.1)], ""),
        ([{"token": "yes"}], "malformed entry"),
    ],
)
def test_a_missing_score_says_why_in_words(entries: list[Any], why: str) -> None:
    """A first token that opens thinking is named."""
    assert read_readout(body_of(*entries)).why == why
