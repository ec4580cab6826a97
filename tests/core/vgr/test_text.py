"""Lines, redaction and clipping (SPEC 1, 2)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.vgr.text import (
    clip_mid,
    clipped_length,
    redact,
    redact_pieces,
    searches_for,
    split_lines,
)

_VECTORS = Path(__file__).resolve().parents[2] / "vectors"


def _vectors(name: str) -> list[Any]:
    rows = [json.loads(line) for line in (_VECTORS / f"{name}.jsonl").read_text(encoding="utf-8").split("\n") if line]
    return [pytest.param(row["input"], row["expected"], id=row["id"]) for row in rows]


#: Pieces that redaction is about, in any order and any company.
_PIECES = st.sampled_from(
    ["sk-", "rk-", "pk-", "AKIA", "bearer", "Bearer", "BEARER", " ", "\n", "\u2003", "@", ".", "-", "+", "_", "a", "b1",
     "ABCDEFGHIJKLMNOP", "abcdefghijklmnop", "0123456789abcdef", "\u00e9", "\u200d", "\u00b2", "\u017f", "x@y.z", "["]
)  # fmt: skip
_TEXTS = st.one_of(st.text(), st.lists(_PIECES, max_size=14).map("".join))


@pytest.mark.parametrize(("given", "expected"), _vectors("redact"))
def test_redact_vector(given: dict[str, str], expected: dict[str, str]) -> None:
    """Every golden vector of redaction."""
    assert redact(given["text"]) == expected["text"]


@pytest.mark.parametrize(("given", "expected"), _vectors("clip_mid"))
def test_clip_mid_vector(given: dict[str, Any], expected: dict[str, str]) -> None:
    """Every golden vector of clipping."""
    assert clip_mid(given["text"], given["budget"], given["head_fraction"]) == expected["text"]


@given(_TEXTS)
def test_redacting_twice_changes_nothing(text: str) -> None:
    """Redaction is idempotent (SPEC 2)."""
    once = redact(text)
    assert redact(once) == once


@given(st.lists(_PIECES.filter(str.isascii), max_size=14).map("".join))
def test_redaction_is_the_plain_reading_of_the_specification_on_ascii(text: str) -> None:
    """The four searches as patterns, one after the other; on ASCII Python's word boundary is the SPEC's."""
    expected = text
    for pattern in (
        r"\b[srp]k-[A-Za-z0-9_-]{16,}\b",
        r"\bAKIA[A-Z0-9]{16}\b",
        r"\b(?i:bearer)[ \t\n\x0b\x0c\r]+[A-Za-z0-9._-]{16,}",
        r"\b[\w.+-]+@[\w-]+\.[\w.]+\b",
    ):
        expected = re.sub(pattern, "[REDACTED]", expected, flags=re.ASCII)
    assert redact(text) == expected


@given(_TEXTS)
def test_pieces_give_the_text_back_and_name_what_is_redacted(text: str) -> None:
    """The explaining twin of `redact` cuts at the same places."""
    pieces = redact_pieces(text)
    assert "".join(piece.text for piece in pieces) == text
    assert "".join("[REDACTED]" if piece.kind else piece.text for piece in pieces) == redact(text)


@given(_TEXTS, st.text(), st.text())
def test_a_text_may_be_screened_together_with_others(text: str, before: str, after: str) -> None:
    """What is not in the joined text is in no part of it."""
    assert redact(text, searches_for(f"{before}\n{text}\n{after}")) == redact(text)


@given(st.text(), st.integers(2, 60), st.sampled_from([0.0, 1 / 3, 1 / 2, 1.0]))
def test_clipping_keeps_its_bounds(text: str, budget: int, fraction: float) -> None:
    """A text that fits is unchanged; else `budget` of its characters stay, around a marker that counts the rest."""
    clipped = clip_mid(text, budget, fraction)
    assert len(clipped) == clipped_length(len(text), budget)
    if len(text) <= budget:
        assert clipped == text
        return
    marker = f"\n...[{len(text) - budget} chars omitted]...\n"
    head = max(1, int(budget * fraction))
    assert clipped == text[:head] + marker + text[len(text) - (budget - head) :]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("\n", [""]),
        ("a\nb", ["a", "b"]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\rb\n", ["a\rb"]),
        ("a\r", ["a\r"]),
        ("a\x0bb\x0cc\x1cd\x85e\u2028f", ["a\x0bb\x0cc\x1cd\x85e\u2028f"]),
    ],
)
def test_lines_end_at_line_feeds_alone(text: str, lines: list[str]) -> None:
    """Nothing of what `str.splitlines` takes for a line end, but for the two of SPEC 1."""
    assert split_lines(text) == lines


def test_a_redacted_piece_keeps_its_secret_out_of_its_repr() -> None:
    """A repr may reach a log."""
    assert "abcdefghijklmnop" not in repr(redact_pieces("key sk-abcdefghijklmnop0"))
