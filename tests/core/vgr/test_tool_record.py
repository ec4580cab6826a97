"""The tool record and its error table (SPEC 2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.conversation.model import Message, Request, Role, Text, ToolResult
from routing_workbench.core.conversation.normalized import request_from_json
from routing_workbench.core.vgr.tool_errors import ERROR_TABLE, failing_rules
from routing_workbench.core.vgr.tool_record import ToolRecord, result_rules, tool_record

_VECTORS = Path(__file__).resolve().parents[2] / "vectors"


def _vectors() -> list[Any]:
    lines = (_VECTORS / "tool_record.jsonl").read_text(encoding="utf-8").split("\n")
    rows = [json.loads(line) for line in lines if line]
    return [pytest.param(row["input"]["request"], row["expected"], id=row["id"]) for row in rows]


def _result(text: str, is_error: bool | None = None) -> ToolResult:
    return ToolResult("c", (Text(text),), is_error)


def _request(*texts: str) -> Request:
    return Request((), tuple(Message(Role.TOOL, (_result(text),)) for text in texts))


@pytest.mark.parametrize(("raw", "expected"), _vectors())
def test_tool_record_vector(raw: Any, expected: dict[str, Any]) -> None:
    """Every golden vector."""
    record = ToolRecord(expected["error_count"], expected["tool_results"], expected["tool_tail_clean"])
    assert tool_record(request_from_json(raw)) == record


_TEXTS = st.lists(
    st.sampled_from(
        [*(needle for rule in ERROR_TABLE for needle in rule.needles), "exit code 0", "exit code 07", "Exit Status: 2",
         "\n", " ", "    at ", "  at f", "\ngoroutine 1", "TypeError: x", "error[E0308]: mismatched", "fine", "0"]
    ),
    max_size=5,
).map("".join)  # fmt: skip


@given(st.lists(_TEXTS, max_size=6))
def test_results_judged_together_are_judged_as_each_alone(texts: list[str]) -> None:
    """The scan over all texts leaves no rule out that one of them needs."""
    results = [_result(text) for text in texts]
    assert failing_rules(results) == [failing_rules([result])[0] for result in results]


@given(_TEXTS)
def test_every_screen_is_in_every_text_its_rule_matches(text: str) -> None:
    """Otherwise a screen would hide failures."""
    lowered = text.lower()
    for rule in ERROR_TABLE:
        if rule.matches(lowered):
            assert rule.screen in lowered


def test_a_flagged_result_failed_whatever_its_text() -> None:
    """`is_error` true is enough; false clears nothing."""
    assert failing_rules([_result("fine", True), _result("fine", False), _result("Timed out", False)]) == [
        "is_error",
        "",
        "timeout",
    ]


def test_a_message_keeps_what_was_found_of_its_results() -> None:
    """An edited conversation judges only the results that are new."""
    request = _request("fine", "command not found")
    tool_record(request)
    assert [result_rules(message) for message in request.messages] == [("",), ("command not found",)]
    longer = Request((), (*request.messages, Message(Role.TOOL, (_result("ok"),))))
    assert tool_record(longer) == ToolRecord(1, 3, True)


def test_no_results_have_no_clean_tail() -> None:
    """Nothing ran, so nothing ended well."""
    assert tool_record(Request((), ())) == ToolRecord(0, 0, False)
