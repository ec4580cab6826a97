"""Quantities (SPEC 5.1): what is one, how magnitudes are normalized, and which stand on their own in a text."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.vgr.characters import is_alphanumeric
from routing_workbench.core.vgr.quantity import Quantity, delimited_quantities, parse_quantity, spell_amounts


@pytest.mark.parametrize(
    ("text", "unit", "magnitude"),
    [
        ("7", "", "7"),
        (" \u3000-$ 1,2 3.50\u2028", "$", "-123.5"),
        ("1 000 .5", "", "1000.5"),
        ("+ 00.00 %\u00a0", "%", "0"),
        ("-0%", "%", "0"),
        ("\u00a3\u00a3+7,,", "\u00a3", "7"),
    ],
)
def test_quantity_is_read_with_its_unit(text: str, unit: str, magnitude: str) -> None:
    """Signs, marks and white space before the digits, grouping, one decimal tail, one percent sign."""
    assert parse_quantity(text) == Quantity(unit, magnitude)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "-",
        "$",
        "%",
        "7.",
        ".7",
        "1.2.3",
        "1.2,3",
        "7%%",
        "7$",
        "$7%",
        "$\u20ac7",
        "7 -",
        "\u0667",
        "7\x1c",
        "7. 5",
    ],
)
def test_text_is_no_quantity(text: str) -> None:
    """Anything else beside the number makes it prose."""
    assert parse_quantity(text) is None


def test_negative_and_positive_differ_and_so_do_units() -> None:
    """Sign and unit are part of the value."""
    assert len({parse_quantity(t) for t in ("5", "-5", "$5", "\u20ac5", "\u00a35", "5%")}) == 6


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$20", " cur36u20 "),
        ("\u20ac \u00a01,000.50x", " cur8364u1000.5 x"),
        ("5%", " pct5 "),
        ("1.2.3 %", "1. pct2.3 "),
        ("00.10%,5", " pct0.1 ,5"),
        ("7 $", "7 $"),
        ("$.5", "$.5"),
        ("5\x1c%", "5\x1c%"),
    ],
)
def test_amounts_are_spelled_in_normalized_form(text: str, expected: str) -> None:
    """Currency needs its mark before the digits; white space may stand between."""
    assert spell_amounts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("36", ["36"]),
        ("36.", []),
        ("36.5", ["36.5"]),
        ("36,x", ["36"]),
        ("36,000x", ["36"]),
        ("36,,x", ["36,"]),
        ("36,,", ["36,,"]),
        ("36,5.5x", ["36"]),
        ("x36,000", ["000"]),
        ("36%", ["36%"]),
        ("36%%", []),
        ("36%x", []),
        ("36%5", ["5"]),
        ("$36,x", ["$36"]),
        ("a$36", []),
        ("$36$", ["$36"]),
        ("36$36", ["36"]),
        ("1/2-3", ["1", "2", "3"]),
        ("_1 1_", []),
        ("36\u0301", ["36\u0301"[:2]]),
        ("\u200d36", ["36"]),
    ],
)
def test_delimited_quantities(text: str, expected: list[str]) -> None:
    """They touch no alphanumeric, `_`, `.`, mark before or `%` after; a shorter reading may do."""
    assert list(delimited_quantities(text)) == expected


ALPHANUMERIC = "".join(re.escape(chr(c)) for c in range(sys.maxunicode + 1) if is_alphanumeric(chr(c)))
BY_LOOKAROUND = re.compile(rf"(?<![_.$€£{ALPHANUMERIC}])[$€£]?[0-9][0-9,]*(?:\.[0-9]+)?%?(?![_.%{ALPHANUMERIC}])")


@given(st.text(alphabet="19,.%$€x_ \u00b2\u0301-", max_size=14))
def test_delimited_quantities_are_what_a_backtracking_pattern_finds(text: str) -> None:
    """The scan agrees with the rule written as one pattern with look-around."""
    assert list(delimited_quantities(text)) == BY_LOOKAROUND.findall(text)


@given(st.text())
def test_any_text_is_read_without_raising(text: str) -> None:
    """Reading is total."""
    parse_quantity(text)
    spell_amounts(text)
    assert all(re.search("[0-9]", found) for found in delimited_quantities(text))
