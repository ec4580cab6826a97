"""Marks of tool results: where each stands, and the rule by which it failed (SPEC 2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from routing_workbench.core.conversation.model import Message, Request, Role, Text, ToolResult
from routing_workbench.core.conversation.normalized import request_from_json
from routing_workbench.core.explain.results import ResultMark, result_marks

TESTS = Path(__file__).resolve().parents[2]


def vectors(name: str) -> list[Any]:
    """The lines of a vector file as parameters."""
    lines = (TESTS / "vectors" / f"{name}.jsonl").read_text("utf-8").split("\n")
    return [pytest.param(v["input"], v["expected"], id=v["id"]) for v in map(json.loads, filter(None, lines))]


@pytest.mark.parametrize(("given_input", "expected"), vectors("tool_record"))
def test_marks_add_up_to_the_tool_record(given_input: dict[str, Any], expected: dict[str, Any]) -> None:
    """As many results, as many failures, the same last one; each mark points at a tool result."""
    request = request_from_json(given_input["request"])
    marks = result_marks(request)
    assert {
        "error_count": sum(mark.failed for mark in marks),
        "tool_results": len(marks),
        "tool_tail_clean": bool(marks) and not marks[-1].failed,
    } == expected
    assert all(isinstance(request.turns[mark.turn].content[mark.block], ToolResult) for mark in marks)


def test_a_mark_names_turn_block_and_rule() -> None:
    """Turns are counted from the instructions on, whose own results have no part in the record."""

    def result(text: str, error: bool | None = None) -> ToolResult:
        return ToolResult("i", (Text(text),), error)

    request = Request(
        (Message(Role.SYSTEM, (result("AssertionError"),)),),
        (
            Message(Role.USER, (Text("AssertionError"),)),
            Message(Role.TOOL, (result("fine"), Text("-"), result("AssertionError"))),
            Message(Role.TOOL, (result("", error=True),)),
        ),
    )
    assert result_marks(request) == (
        ResultMark(2, 0, False, ""),
        ResultMark(2, 2, True, "assertion"),
        ResultMark(3, 0, True, "is_error"),
    )
