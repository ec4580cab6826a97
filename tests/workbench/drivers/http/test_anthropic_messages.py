"""The wire format anthropic_messages: a conversation as sent, and a message as read."""

from __future__ import annotations

from typing import Any

import pytest
from routing_workbench.core.conversation.model import (
    Media,
    Message,
    Output,
    Reasoning,
    Request,
    Response,
    Role,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
)
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.http.anthropic_messages import read_body, request_body
from routing_workbench.workbench.drivers.http.targets import Client, Target, WireFormat
from routing_workbench.workbench.drivers.protocol import Call, Category, InvalidResponse, ReplySchema

TARGET = Target("m", Client("c", WireFormat.ANTHROPIC_MESSAGES, "https://h"))


def call(*turns: Message, instructions: tuple[Message, ...] = (), rung: Rung = Rung.ATTEMPT, **more: Any) -> Call:
    """A call about these messages."""
    return Call(rung, Category.LOCAL, Request(instructions, turns), 30.0, **more)


def user(*blocks: Any) -> Message:
    """A user message."""
    return Message(Role.USER, blocks)


def assistant(*blocks: Any) -> Message:
    """An assistant message."""
    return Message(Role.ASSISTANT, blocks)


def test_instructions_stand_at_the_top() -> None:
    """System and developer alike; a cap is always sent."""
    system = (Message(Role.SYSTEM, (Text("s"), Text("t"))), Message(Role.DEVELOPER, (Text("d"),)))
    made = request_body(call(user(Text("q")), instructions=system), TARGET)
    assert made.body == {
        "model": "m",
        "max_tokens": 4096,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "q"}]}],
        "system": [{"type": "text", "text": "s\nt"}, {"type": "text", "text": "d"}],
    }
    assert request_body(call(user(Text("q")), instructions=system[:1], max_tokens=9), TARGET).body["system"] == "s\nt"


def test_messages_of_one_side_become_one_with_results_first() -> None:
    """The endpoint demands both; tools that were called are declared."""
    made = request_body(
        call(
            user(Text("q")),
            assistant(Text("look")),
            assistant(ToolCall("functions.find:0", "find", {"q": 1}), ToolCall("b", "cut", '{"q": ')),
            user(Text("and")),
            Message(Role.TOOL, (ToolResult("functions.find:0", (Text("found"),), True),)),
            Message(Role.TOOL, (ToolResult("b", ()),)),
        ),
        TARGET,
    )
    assert made.body["messages"][1:] == [
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "look"},
                {"type": "tool_use", "id": "call_1", "name": "find", "input": {"q": 1}},
                {"type": "tool_use", "id": "b", "name": "cut", "input": {"raw": '{"q": '}},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "call_1",
                    "content": [{"type": "text", "text": "found"}],
                    "is_error": True,
                },
                {"type": "tool_result", "tool_use_id": "b", "content": []},
                {"type": "text", "text": "and"},
            ],
        },
    ]
    assert made.body["tools"] == [
        {"name": "find", "input_schema": {"type": "object"}},
        {"name": "cut", "input_schema": {"type": "object"}},
    ]
    assert made.notes == ("tools declared by name only: 2",)


def test_tools_of_the_target_are_the_tools() -> None:
    """Then none is made up."""
    target = Target("m", TARGET.client, {"tools": []})
    made = request_body(call(assistant(ToolCall("a", "find", {}))), target)
    assert (made.body["tools"], made.notes) == ([], ())


def test_blank_text_is_refused_by_the_endpoint_and_left_out() -> None:
    """With a note; a message of nothing else is left out too."""
    made = request_body(call(user(Text("q")), assistant(Text(" \n")), user(Text(""), Text("r"))), TARGET)
    assert made.body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "q"}, {"type": "text", "text": "r"}]}
    ]
    assert made.notes == ("not sent: 2 blank texts",)


def test_media_and_unknown_blocks_of_this_format_are_sent_as_they_came() -> None:
    """Others are counted."""
    source = {"type": "base64", "media_type": "image/png", "data": "AA=="}
    raw = {"type": "search_result", "x": 1}
    made = request_body(
        call(
            user(
                Media("image", source),
                Media("file", {"type": "url", "url": "u"}),
                Media("image", {"url": "data:"}),
                Media("audio", {"data": "", "format": "wav"}),
                Unknown("anthropic", raw),
                Unknown("openai", raw),
                Reasoning("hm"),
                ToolResult("x", (Media("image", source),)),
            )
        ),
        TARGET,
    )
    assert made.body["messages"][0]["content"] == [
        {"type": "tool_result", "tool_use_id": "x", "content": [{"type": "image", "source": source}]},
        {"type": "image", "source": source},
        {"type": "document", "source": {"type": "url", "url": "u"}},
        raw,
    ]
    assert made.notes == ("not sent: 1 audio block, 1 image, 1 reasoning block, 1 unknown block",)


def test_a_schema_is_not_faked() -> None:
    """The note says that only the rubric asks for the shape."""
    made = request_body(call(user(Text("q")), schema=ReplySchema("v", {})), TARGET)
    assert set(made.body) == {"model", "max_tokens", "messages"}
    assert made.notes == ("anthropic_messages was sent no reply schema; the rubric alone asks for the shape",)


def test_a_message_is_read() -> None:
    """Thinking is reasoning, wherever it stands; usage is counted."""
    body = {
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm yes", "signature": "s"},
            {"type": "text", "text": "<think>yes</think>no"},
            {"type": "tool_use", "id": "t", "name": "find", "input": {"q": 1}},
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 5, "output_tokens": 2, "service_tier": "x"},
    }
    reply = read_body(body, call(rung=Rung.DELIBERATION))
    blocks = (Reasoning("hm yes"), Reasoning("yes"), Text("no"), ToolCall("t", "find", {"q": 1}))
    assert reply.response == Response((Output(Role.ASSISTANT, blocks, StopReason.TOOL_USE),))
    assert (reply.body, reply.usage) == (None, {"input_tokens": 5, "output_tokens": 2})


@pytest.mark.parametrize(
    ("word", "reason"),
    [("end_turn", StopReason.END_TURN), ("max_tokens", StopReason.MAX_TOKENS), ("pause_turn", StopReason.UNKNOWN)],
)
def test_stop_reasons(word: str, reason: StopReason) -> None:
    """One that is not known is no end."""
    body = {"role": "assistant", "content": [], "stop_reason": word}
    assert read_body(body, call()).response.outputs == (Output(Role.ASSISTANT, (), reason),)


@pytest.mark.parametrize(
    "body", [None, [], {}, {"role": "assistant"}, {"role": "assistant", "content": 5}, {"role": "user", "content": []},
             {"type": "error", "error": {"type": "overloaded_error"}}],
)  # fmt: skip
def test_what_is_no_message_is_invalid(body: Any) -> None:
    """Never a KeyError."""
    with pytest.raises(InvalidResponse):
        read_body(body, call())
