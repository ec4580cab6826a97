"""The character classes of SPEC 1 against Python's own, which differ."""

from __future__ import annotations

import re
import sys
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.vgr.characters import (
    WHITE_SPACE,
    at_boundary,
    is_alphanumeric,
    is_blank,
    is_letter_or_number,
    is_word,
    trim,
)


@pytest.mark.parametrize("separator", ["\x1c", "\x1d", "\x1e", "\x1f"])
def test_information_separators_are_not_white_space(separator: str) -> None:
    """`str.strip()` eats them, SPEC 1 does not."""
    assert not is_blank(separator)
    assert trim(f" {separator} ") == separator


def test_white_space_is_the_unicode_property() -> None:
    """All that `isspace` says but for the information separators, and nothing else."""
    spaces = {chr(point) for point in range(sys.maxunicode + 1) if chr(point).isspace()}
    assert set(WHITE_SPACE) == spaces - set("\x1c\x1d\x1e\x1f")


@given(st.text(alphabet=WHITE_SPACE))
def test_white_space_alone_is_blank(text: str) -> None:
    """Also the empty text."""
    assert is_blank(text)


@pytest.mark.parametrize(
    ("character", "word", "alphanumeric", "letter_or_number"),
    [
        ("a", True, True, True),
        ("7", True, True, True),
        ("_", True, False, False),
        ("\u203f", True, False, False),  # an undertie is connector punctuation
        ("\u00b2", False, True, True),  # superscript two: a number, no decimal digit
        ("\u24d0", True, True, False),  # circled a: a symbol that is alphabetic
        ("\u093e", True, True, False),  # a vowel sign: an alphabetic mark
        ("\u0301", True, False, False),  # a combining acute: a mark, not alphabetic
        ("\u200d", True, False, False),  # zero width joiner
        ("\u2160", True, True, True),  # roman numeral one, a letter number
        ("\u0661", True, True, True),  # an Arabic-Indic digit
        ("-", False, False, False),
        ("\U0001f642", False, False, False),
    ],
)
def test_the_three_classes_differ(character: str, word: bool, alphanumeric: bool, letter_or_number: bool) -> None:
    """Each class of SPEC 1 decides for itself."""
    found = (is_word(character), is_alphanumeric(character), is_letter_or_number(character))
    assert found == (word, alphanumeric, letter_or_number)


def test_every_letter_and_decimal_digit_is_a_word_character() -> None:
    """And every mark; checked over all of Unicode."""
    for point in range(sys.maxunicode + 1):
        kind = category(chr(point))
        if kind[0] in "LM" or kind in ("Nd", "Nl", "Pc"):
            assert is_word.__wrapped__(chr(point)), hex(point)


@given(st.text(alphabet=st.characters(max_codepoint=127)), st.integers(0, 20))
def test_boundaries_agree_with_the_standard_ones_on_ascii(text: str, index: int) -> None:
    r"""There Python's `\b` means the same."""
    index = min(index, len(text))
    assert at_boundary(text, index) == bool(re.compile(r"\b", re.ASCII).match(text, index))
