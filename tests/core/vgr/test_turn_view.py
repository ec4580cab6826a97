"""The proposed-turn view and the tests on proposed calls (SPEC 7): the golden vectors and what they do not reach."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from routing_workbench.core.conversation.model import (
    Block,
    Message,
    Output,
    Reasoning,
    Refusal,
    Request,
    Response,
    Role,
    StopReason,
    Text,
    ToolCall,
)
from routing_workbench.core.conversation.normalized import request_from_json, response_from_json
from routing_workbench.core.vgr.policy import TurnVerification
from routing_workbench.core.vgr.turn_view import has_incomplete_tool_call, has_tool_call, turn_view

TESTS = Path(__file__).resolve().parents[2]
CALL = ToolCall("c", "go", {"a": 1})
SHOWN = '[proposed next turn] [assistant] [tool call] go({"a":1})'


def vectors(name: str) -> list[Any]:
    """The lines of a vector file as parameters."""
    lines = (TESTS / "vectors" / f"{name}.jsonl").read_text("utf-8").split("\n")
    return [pytest.param(v["input"], v["expected"], id=v["id"]) for v in map(json.loads, filter(None, lines))]


def proposed(*content: Block, role: Role = Role.ASSISTANT, stop: StopReason | None = None) -> Response:
    """A proposed turn of one output."""
    return Response((Output(role, content, stop),))


def request_of(*turns: tuple[Role, str]) -> Request:
    """A request of plain messages."""
    return Request((), tuple(Message(role, (Text(text),)) for role, text in turns))


@pytest.mark.parametrize(("given_input", "expected"), vectors("turn_view"))
def test_turn_view_vector(given_input: dict[str, Any], expected: dict[str, Any]) -> None:
    """View and tool-call test are the reference's."""
    response = response_from_json(given_input["proposed"])
    text = turn_view(request_from_json(given_input["request"]), response)
    assert {"text": text, "has_tool_call": has_tool_call(response)} == expected


def test_blank_first_user_turn_is_the_task() -> None:
    """Blank turns are not dropped, so the first user turn anchors even without text."""
    request = request_of((Role.USER, ""), (Role.USER, "later"))
    assert turn_view(request, proposed(CALL)) == f"[task] \n[user] later\n{SHOWN}"


def test_second_system_turn_is_a_recent_turn() -> None:
    """Only the first system turn anchors; equal turns are told apart by where they stand."""
    same = Message(Role.SYSTEM, (Text("rules"),))
    view = turn_view(Request((same,), (same, Message(Role.USER, (Text("t"),)))), proposed(CALL))
    assert view == f"[system] rules\n[task] t\n[system] rules\n{SHOWN}"


def test_refusal_is_text_of_a_turn_but_no_fragment_of_the_proposal() -> None:
    """Turns show text-like blocks, the proposal only text blocks that are not blank, and calls."""
    request = Request((), (Message(Role.USER, (Text("t"), Refusal("r"))),))
    response = proposed(Refusal("no"), Reasoning("hm"), Text(" \u3000"), Text("\x1c"), CALL)
    assert turn_view(request, response) == f"[task] t\nr\n{SHOWN.replace('[tool', chr(0x1C) + ' [tool')}"


def test_fragments_of_all_assistant_outputs_are_joined_and_clipped_together() -> None:
    """The budget holds for the joined fragments."""
    response = Response((*proposed(Text("a" * 300)).outputs, *proposed(Text("b" * 300)).outputs))
    clipped = "a" * 250 + "\n...[101 chars omitted]...\n" + "b" * 250
    assert turn_view(request_of(), response) == f"[proposed next turn] [assistant] {clipped}"


def test_each_fragment_is_redacted_on_its_own_before_the_clip() -> None:
    """A secret that a clip would have cut is gone, and fragments never form one together."""
    key = "sk-" + "A1" * 300
    response = proposed(Text("Bearer"), Text("abcdefghijklmnop0123"), Text(key), ToolCall("c", "f", "raw"))
    expected = 'Bearer abcdefghijklmnop0123 [REDACTED] [tool call] f("raw")'
    assert turn_view(request_of(), response) == f"[proposed next turn] [assistant] {expected}"


def test_oldest_recent_turns_go_while_the_total_exceeds_its_limit() -> None:
    """A view of exactly the limit stays whole; one character less drops the oldest recent turn, never an anchor."""
    request = request_of((Role.USER, "t"), (Role.ASSISTANT, "old"), (Role.TOOL, "new"))
    whole = f"[task] t\n[assistant] old\n[tool] new\n{SHOWN}"
    assert turn_view(request, proposed(CALL), TurnVerification(total_chars=len(whole))) == whole
    short = turn_view(request, proposed(CALL), TurnVerification(total_chars=len(whole) - 1))
    assert short == f"[task] t\n[tool] new\n{SHOWN}"
    assert turn_view(request, proposed(CALL), TurnVerification(total_chars=1)) == f"[task] t\n{SHOWN}"


def test_window_of_no_turns_is_empty() -> None:
    """A tail of length 0 is empty (SPEC 5.2)."""
    request = request_of((Role.USER, "t"), (Role.ASSISTANT, "old"))
    limits = replace(TurnVerification(), recent_turn_window=0)
    assert turn_view(request, proposed(CALL), limits) == f"[task] t\n{SHOWN}"


def test_call_in_another_role_is_not_proposed() -> None:
    """Only assistant outputs propose."""
    response = proposed(CALL, role=Role.TOOL)
    assert not has_tool_call(response)
    assert turn_view(request_of(), response) == "[proposed next turn] [assistant] "


@pytest.mark.parametrize(
    ("response", "incomplete"),
    [
        (proposed(CALL, stop=StopReason.TOOL_USE), False),
        (proposed(CALL), False),
        (proposed(CALL, stop=StopReason.MAX_TOKENS), True),
        (proposed(Text("cut"), stop=StopReason.MAX_TOKENS), False),
        (proposed(CALL, ToolCall("d", "go", '{"a":')), True),
        (proposed(ToolCall("d", "go", "")), True),
        (proposed(ToolCall("d", "go", None)), False),
        (Response(()), False),
    ],
)
def test_incomplete_tool_call(response: Response, incomplete: bool) -> None:
    """A call is incomplete when its output was cut off or its arguments did not parse."""
    assert has_incomplete_tool_call(response) is incomplete
