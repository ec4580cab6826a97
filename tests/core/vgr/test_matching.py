"""Typed agreement (SPEC 5.1): the golden vectors, the rules they do not reach, and that junk never agrees."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.vgr.characters import is_letter_or_number
from routing_workbench.core.vgr.matching import answer_tokens, match_answer_verdict, match_answers
from routing_workbench.core.vgr.quantity import parse_quantity
from routing_workbench.core.vgr.signals import Verdict

TESTS = Path(__file__).resolve().parents[2]


def vectors(name: str) -> list[Any]:
    """The lines of a vector file as parameters."""
    lines = (TESTS / "vectors" / f"{name}.jsonl").read_text("utf-8").split("\n")
    return [pytest.param(v["input"], v["expected"], id=v["id"]) for v in map(json.loads, filter(None, lines))]


@pytest.mark.parametrize(("given_input", "expected"), vectors("match_answers"))
def test_match_answers_vector(given_input: dict[str, Any], expected: dict[str, Any]) -> None:
    """Terse agreement is the reference's, either way round."""
    assert match_answers(given_input["a"], given_input["b"]) is expected["agree"]
    assert match_answers(given_input["b"], given_input["a"]) is expected["agree"]


@pytest.mark.parametrize(("given_input", "expected"), vectors("match_answer_verdict"))
def test_match_answer_verdict_vector(given_input: dict[str, Any], expected: dict[str, Any]) -> None:
    """The verdict is the reference's."""
    assert match_answer_verdict(given_input["answer"], given_input["message"]) == expected["verdict"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$20 or 5 %", ["cur36u20", "or", "pct5"]),
        ("a.5 b.c 1.2.3", ["a.5", "b", "c", "1.2", "3"]),
        ("Don't DON\u2019T don\u02bct don\uff07t don`t", ["dont"] * 4 + ["don", "t"]),
        ("\u03a3\u039f\u03a3", ["\u03c3\u03bf\u03c3"]),
        ("\u0130x", ["i", "x"]),
        ("x\u00b2 \u24d0 \u2163 a_b", ["x\u00b2", "\u2173", "a", "b"]),
        ("a.\u0665", ["a", "\u0665"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    """Amounts spelled, apostrophes dropped, each character lowered on its own, runs of letters and numbers."""
    assert answer_tokens(text) == expected


def test_token_characters_are_exactly_letters_and_numbers() -> None:
    """General categories L and N only (SPEC 1), over all of Unicode."""
    every = [chr(point) for point in range(sys.maxunicode + 1)]
    assert answer_tokens("".join(c for c in every if not is_letter_or_number(c))) == []
    # The dotted capital I alone lowers to a letter and a mark.
    assert len(answer_tokens("".join(c for c in every if is_letter_or_number(c) and c != "\u0130"))) == 1


def test_quantity_never_agrees_with_prose() -> None:
    """Not even where the tokens are equal."""
    assert answer_tokens("7") == answer_tokens("7!")
    assert match_answers("7", "7!") is False


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("abc--", "yes"),  # exactly 60 % alphanumeric
        ("abc---", "no"),
        ("n/a", "no"),
        ("Final Task", "no"),
        ("the fox", "yes"),
        ("if else for", "no"),
    ],
)
def test_uninformative_answer_is_never_confirmed(answer: str, verdict: str) -> None:
    """Step 1: an answer that says nothing is no, even where the message is the answer itself."""
    assert match_answer_verdict(answer, answer) == verdict


@pytest.mark.parametrize("message", ["", " \t\r\n", "\u2028\u3000"])
def test_blank_message_is_no(message: str) -> None:
    """Step 1: there is nothing to agree with."""
    assert match_answer_verdict("36", message) == "no"


@pytest.mark.parametrize(
    ("message", "verdict"),
    [
        ("CORRECTION\u2003:\u00a036\nbye", "yes"),
        ("Revised answer = 36\nbye", "yes"),
        ("Answer: 35\nResult - 36", "yes"),
        ("Answer: 36\nresults: 35", "unknown"),
        ("Answer\x1c: 36\n7", "no"),
        ("actually\u0131: 36\n7", "no"),
        ("re\u017fult i\u017f 36\nbye", "yes"),
        ("The answer is not 36", "unknown"),
        # Read to the letter: nothing asks for a word boundary after "is".
        ("The answer isn't 36", "yes"),
        ("Answer: 36\nThe answer isn't 35", "no"),
        ("Answer: 36\n\nanswer =  \n", "no"),
    ],
)
def test_span_starts_after_the_last_marker(message: str, verdict: str) -> None:
    """Step 2: the last marker counts, in any case, at a word boundary, up to the end of the message."""
    assert match_answer_verdict("36", message) == verdict


def test_without_a_marker_the_last_line_counts() -> None:
    """Step 2: earlier lines are not read, and only newlines end a line."""
    assert match_answer_verdict("36", "36\r\n35\r\n \r\n") == "no"
    assert match_answer_verdict("36", "35\u2028 36") == "unknown"


@pytest.mark.parametrize(
    ("message", "verdict"),
    [
        ("35, REVI\u017fED: 36", "yes"),
        ("35 revised answers 36", "yes"),
        ("35 i\u00a0meant,: 36", "yes"),
        ("35 i meantx 36", "unknown"),
        ("35 i       meantx 36", "unknown"),
        ("35 xi meant 36", "unknown"),
        ("35 actually36", "no"),
        ("35; RATHER, 36", "yes"),
        ("35 rather, 36", "unknown"),
        ("35; rather 36", "unknown"),
        ("35,instead of: 36", "unknown"),
        ("35 corrections 36", "unknown"),
        ("36 actually,  ", "yes"),
        ("not 35, actually: 36", "yes"),
        ("Answer: 35\ninstead, 36", "unknown"),
    ],
)
def test_correction_keeps_the_last_part(message: str, verdict: str) -> None:
    """Step 3: whole words in any case, or instead / rather set off on both sides."""
    assert match_answer_verdict("36", message) == verdict


@pytest.mark.parametrize(
    "word", "not no never isnt wasnt without excluding except rather instead neither nor wrong incorrect".split()
)
def test_negation_makes_agreement_unknown(word: str) -> None:
    """Step 4 comes before the comparison, for quantities and text alike."""
    assert match_answer_verdict("36", f"{word.upper()} 36") == "unknown"
    assert match_answer_verdict(f"{word} really", f"{word} really") == "unknown"


@pytest.mark.parametrize("message", ["xinstead of 36", "INSTEAD OF 36", "xrather than 36"])
def test_held_phrases_make_agreement_unknown(message: str) -> None:
    """Step 4: the phrases count wherever they stand."""
    assert match_answer_verdict("36", message) == "unknown"


@pytest.mark.parametrize(
    ("answer", "message", "verdict"),
    [
        ("36", "36,000x", "yes"),
        ("36,000", "36,000x", "no"),
        ("36", "36 or $36%", "unknown"),
        ("-36", "-36", "no"),
        ("36", "none here", "no"),
        ("$36", "costs $36, all told", "yes"),
        ("36%", "36%", "yes"),
        ("36%", "36", "no"),
    ],
)
def test_quantity_is_compared_with_the_only_delimited_one(answer: str, message: str, verdict: str) -> None:
    """Step 5: two are unknown, one decides with its unit, none is no."""
    assert match_answer_verdict(answer, message) == verdict


@pytest.mark.parametrize(
    ("answer", "message", "verdict"),
    [
        ("Paris", "Paris, the city", "unknown"),
        ("Paris", "the city Paris", "yes"),
        ("Paris", "Paris means Paris", "unknown"),
        ("Oslo", "the city Oslo", "no"),
        ("Oslo", "oslo!", "yes"),
        ("ab cde", "so ab cde it is", "yes"),
        ("ab cde", "so ab x cde", "no"),
        ("ab cde ab", "so ab cde ab cde ab", "unknown"),
        ("cde ab", "xcde ab", "no"),
        ("1,2 km away", "it is 1,2 km away", "unknown"),
    ],
)
def test_text_is_equal_or_occurs_once_in_a_part_that_is_no_list(answer: str, message: str, verdict: str) -> None:
    """Step 6: equal tokens, or a run of them in a part that names nothing else beside."""
    assert match_answer_verdict(answer, message) == verdict


JUNK = st.text(
    alphabet=st.sampled_from("19 ,.;:%$-_'\nabyes\u0130\u0131\u017f\x1c\u2028") | st.characters(), max_size=40
)


@given(JUNK, JUNK)
def test_yes_needs_the_answer_in_the_message(answer: str, message: str) -> None:
    """Junk never agrees: a yes has the answer's letters in the message (spelled amounts aside), or some digit."""
    if match_answer_verdict(answer, message) is Verdict.YES:
        letters = {character for token in answer_tokens(answer) for character in token if character.isalpha()}
        assert letters - set("curpt") <= set("".join(answer_tokens(message)))
        assert parse_quantity(answer) is None or not set("0123456789").isdisjoint(message)


@given(JUNK, JUNK)
def test_terse_agreement_is_symmetric_and_total(a: str, b: str) -> None:
    """Order does not matter, and nothing raises."""
    assert match_answers(a, b) is match_answers(b, a)
