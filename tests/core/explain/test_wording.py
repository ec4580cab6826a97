"""Numbers in words: what is shown stands on the side of the bar that the exact value stands on (UI 10)."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from routing_workbench.core.explain.wording import bar, chars, count_margin, listed, number, probability, score_margin


@pytest.mark.parametrize(
    ("value", "bars", "shown"),
    [
        (0.34, [0.2], "0.34"),
        (0.9, [0.9], "0.90"),
        (0.899, [0.9], "0.899"),
        (0.8999, [0.9], "0.8999"),
        (0.8999999999999999, [0.9], "0.8999999999999999"),
        (0.9000000000000001, [0.9], "0.90"),
        (0.8999, [0.2], "0.90"),
        (0.1951, [0.2, 0.9], "0.195"),
        (0.895, [0.895], "0.895"),
        (0.5, [], "0.50"),
        (1.0, [0.9], "1.00"),
        (-0.0, [0.3], "0.00"),
        (-1.0, [0.3], "−1.00"),
        (-0.001, [0.0], "−0.001"),
        (-0.001, [0.3], "0.00"),
        (1e300, [0.3], "1e+300"),
        (math.nan, [0.3], "NaN"),
        (math.inf, [0.3], "∞"),
        (-math.inf, [0.3], "−∞"),
    ],
)
def test_a_probability_is_shown_on_its_side_of_the_bar(value: float, bars: list[float], shown: str) -> None:
    """Two decimals, more only where two would hide the side."""
    assert probability(value, bars) == shown


@settings(deadline=None)  # how long one example takes says nothing on a shared machine
@given(st.floats(0, 1), st.lists(st.floats(0, 1), max_size=4))
@example(0.8999, [0.9])
@example(math.nextafter(0.2, 0), [0.2])
@example(5e-324, [5e-324])
def test_a_shown_probability_compares_like_the_value(value: float, bars: list[float]) -> None:
    """Reading the shown number and comparing it gives the same answer, for every bar."""
    shown = float(probability(value, bars).replace("−", "-"))
    assert [shown >= b for b in bars] == [value >= b for b in bars]


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.9, "0.90"), (0.895, "0.895"), (0.0, "0.00"), (-0.0, "0.00"), (1.0, "1.00"), (1e-7, "1e−07"), (math.nan, "NaN")],
)
def test_a_bar_is_never_rounded(value: float, shown: str) -> None:
    """At least two decimals, and all the digits it has."""
    assert bar(value) == shown


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_shown_bar_reads_back_exactly(value: float) -> None:
    """The text of a bar is the bar."""
    assert float(bar(value).replace("−", "-")) == value


@pytest.mark.parametrize(
    ("margin", "shown"),
    [
        (0.14, "+0.14"),
        (-0.04, "−0.04"),
        (0, "+0.00"),
        (-0.0, "−0.00"),
        (-0.0001, "−0.0001"),
        (-1.1e-16, "−1e−16"),
        (math.inf, "+∞"),
        (-math.inf, "−∞"),
    ],
)
def test_a_margin_of_a_score_has_a_sign_and_is_zero_only_at_the_bar(margin: float, shown: str) -> None:
    """Two decimals unless they would read as zero."""
    assert score_margin(margin) == shown


def test_counts_have_separators_and_a_true_minus() -> None:
    """U+2212 for negative counts and margins, no sign at zero."""
    assert [number(n) for n in (7, 7289, -2147483648)] == ["7", "7,289", "−2,147,483,648"]
    assert [count_margin(n) for n in (6, -7, 0, -2147483648)] == ["+6", "−7", "0", "−2,147,483,648"]


def test_a_text_is_shown_by_its_length_in_code_points() -> None:
    """Never by its content."""
    assert [chars(text) for text in ("", "x", "a\N{THUMBS UP SIGN}", "y" * 7289)] == [
        "0 chars",
        "1 char",
        "2 chars",
        "7,289 chars",
    ]


def test_words_are_listed_as_in_a_sentence() -> None:
    """One, two, and more."""
    assert [listed("A"), listed("AB"), listed("ABC", "or")] == ["A", "A and B", "A, B or C"]
