"""Traces of code work and of tool work in an attempt (SPEC 2)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.vgr.activity import RUNNERS, code_activity, tool_activity

_VECTORS = Path(__file__).resolve().parents[2] / "vectors"


def _vectors(name: str) -> list[Any]:
    rows = [json.loads(line) for line in (_VECTORS / f"{name}.jsonl").read_text(encoding="utf-8").split("\n") if line]
    return [pytest.param(row["input"]["text"], row["expected"]["active"], id=row["id"]) for row in rows]


#: The rules as plain patterns; on ASCII Python's classes are the SPEC's.
_CODE = re.compile(
    r"```|^(?:\$ |diff --git|@@ )|\bTraceback \(most recent call last\)|\b\d+ (?:passed|failed)\b"
    rf"|^(?:[$>] )?(?:{'|'.join(RUNNERS)})\b",
    re.ASCII | re.MULTILINE,
)
_TOOL = re.compile(r'^\[tool\b|^\[[^\]\n]* calls tools?:|"tool_calls?"[ \t\n\x0b\x0c\r]*:', re.ASCII | re.MULTILINE)
_PIECES = st.sampled_from(
    ["```", "``", "$ ", "> ", "$", "diff --git", "@@ ", "Traceback (most recent call last)", "12", "1", " passed",
     " failed", "s", "_", "\n", "\r\n", " ", ".", "-", "[", "]", "[tool", " calls tool", " calls tools:", ":",
     '"tool_call"', '"tool_calls"', '"', *RUNNERS]
)  # fmt: skip
_ATTEMPTS = st.lists(_PIECES, max_size=10).map("".join)


@pytest.mark.parametrize(("text", "active"), _vectors("code_activity"))
def test_code_activity_vector(text: str, active: bool) -> None:
    """Every golden vector."""
    assert code_activity(text) == active


@pytest.mark.parametrize(("text", "active"), _vectors("tool_activity"))
def test_tool_activity_vector(text: str, active: bool) -> None:
    """Every golden vector."""
    assert tool_activity(text) == active


@given(_ATTEMPTS)
def test_code_activity_is_the_plain_reading_of_the_specification_on_ascii(attempt: str) -> None:
    """The searches for literals find what the patterns find."""
    assert code_activity(attempt) == bool(_CODE.search(attempt))


@given(_ATTEMPTS)
def test_tool_activity_is_the_plain_reading_of_the_specification_on_ascii(attempt: str) -> None:
    """The same for tool work."""
    assert tool_activity(attempt) == bool(_TOOL.search(attempt))


@pytest.mark.parametrize("digits", ["\u0663\u0661", "7"])
def test_any_decimal_digits_count_outcomes(digits: str) -> None:
    """Digits before passed and failed may be of any script."""
    assert code_activity(f"All {digits} passed.")


def test_prose_about_a_runner_is_no_code() -> None:
    """A runner counts at the start of a line alone."""
    assert not code_activity("You could run pytest here, or make test, as you like.")
