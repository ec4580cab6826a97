"""The wire format openai_responses: input items as sent, and a response as read."""

from __future__ import annotations

from typing import Any

import pytest
from routing_workbench.core.conversation.model import (
    Media,
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
    ToolResult,
    Unknown,
)
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.core.vgr.readout import p_yes
from routing_workbench.workbench.drivers.http.openai_responses import read_body, request_body
from routing_workbench.workbench.drivers.http.targets import Client, Target, WireFormat
from routing_workbench.workbench.drivers.protocol import Call, Category, InvalidResponse, ReplySchema

TARGET = Target("m", Client("c", WireFormat.OPENAI_RESPONSES, "https://h"))


def call(*turns: Message, instructions: tuple[Message, ...] = (), rung: Rung = Rung.ATTEMPT, **more: Any) -> Call:
    """A call about these messages."""
    return Call(rung, Category.LOCAL, Request(instructions, turns), 30.0, **more)


def said(text: str, **more: Any) -> dict[str, Any]:
    """A response that says this."""
    part = {"type": "output_text", "text": text, "annotations": [], **more}
    return {"status": "completed", "output": [{"type": "message", "role": "assistant", "content": [part]}]}


def test_a_conversation_becomes_items() -> None:
    """In the order of its blocks; nothing is stored, and instructions stand apart."""
    made = request_body(
        call(
            Message(Role.USER, (Text("a"), Text("b"))),
            Message(Role.ASSISTANT, (Text("look"), ToolCall("c", "find", {"q": 1}), Refusal("no"), Reasoning("hm"))),
            Message(Role.TOOL, (ToolResult("c", (Text("found"), Text("it")), True),)),
            Message(Role.USER, (Media("image", {"url": "u"}), Text("well?"))),
            instructions=(Message(Role.SYSTEM, (Text("s"),)), Message(Role.DEVELOPER, (Text("d"),))),
        ),
        TARGET,
    )
    assert made.body == {
        "model": "m",
        "store": False,
        "instructions": "s\n\nd",
        "input": [
            {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}],
            },
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "look"}]},
            {"type": "function_call", "call_id": "c", "name": "find", "arguments": '{"q":1}'},
            {"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]},
            {"type": "function_call_output", "call_id": "c", "output": "found\nit"},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "well?"}]},
        ],
    }
    assert made.notes == ("not sent: 1 error flag, 1 image, 1 reasoning block",)


def test_text_of_a_tool_message_answers_the_call_that_waits() -> None:
    """It is no user's."""
    turns = (Message(Role.ASSISTANT, (ToolCall("c", "find", {}),)), Message(Role.TOOL, (Text("found"),)))
    assert request_body(call(*turns), TARGET).body["input"][1] == {
        "type": "function_call_output",
        "call_id": "c",
        "output": "found",
    }


def test_caps_logprobs_and_schema_have_their_fields() -> None:
    """The endpoint takes no cap below 16."""
    body = request_body(call(max_tokens=4, top_logprobs=8, schema=ReplySchema("v", {"type": "object"})), TARGET).body
    assert body == {
        "model": "m",
        "input": [],
        "store": False,
        "max_output_tokens": 16,
        "include": ["message.output_text.logprobs"],
        "top_logprobs": 8,
        "text": {"format": {"type": "json_schema", "name": "v", "strict": True, "schema": {"type": "object"}}},
    }
    assert request_body(call(max_tokens=768), TARGET).body["max_output_tokens"] == 768


def test_logprobs_are_read_as_those_of_a_chat_body() -> None:
    """From the first token of the first text, whatever reasoning stands before it."""
    first = {
        "token": "yes",
        "logprob": -0.1,
        "top_logprobs": [{"token": "yes", "logprob": 0.0}, {"token": "no", "logprob": 0.0}],
    }
    body = said("yes", logprobs=[first, {"token": "."}])
    body["output"].insert(0, {"type": "reasoning", "summary": [{"type": "summary_text", "text": "no"}]})
    reply = read_body(body, call(rung=Rung.READOUT, top_logprobs=8))
    assert p_yes(reply.body) == 0.5
    assert reply.body == {"choices": [{"logprobs": {"content": [first]}}]}
    assert reply.response.outputs[0].content == (Reasoning("no"), Text("yes"))


@pytest.mark.parametrize("logprobs", [[], None, "x"])
def test_without_logprobs_the_note_says_so(logprobs: Any) -> None:
    """And there is no score."""
    reply = read_body(said("yes", logprobs=logprobs), call(rung=Rung.READOUT, top_logprobs=8))
    assert p_yes(reply.body) is None
    assert reply.note == "the endpoint sent no logprobs"


def test_all_items_are_one_output() -> None:
    """Calls end it as tool use; an item that is not known is kept."""
    body = said("look")
    body["output"] += [
        {"type": "function_call", "call_id": "c", "name": "find", "arguments": '{"q": 1}'},
        {"type": "web_search_call", "id": "w"},
    ]
    blocks = (Text("look"), ToolCall("c", "find", {"q": 1}), Unknown("openai", {"type": "web_search_call", "id": "w"}))
    assert read_body(body, call()).response == Response((Output(Role.ASSISTANT, blocks, StopReason.TOOL_USE),))


@pytest.mark.parametrize(
    ("status", "details", "reason"),
    [
        ("completed", None, StopReason.END_TURN),
        ("incomplete", {"reason": "max_output_tokens"}, StopReason.MAX_TOKENS),
        ("incomplete", {"reason": "content_filter"}, StopReason.CONTENT_FILTER),
        ("incomplete", {"reason": "odd"}, StopReason.UNKNOWN),
        ("incomplete", None, StopReason.UNKNOWN),
        (None, None, None),
    ],
)
def test_statuses(status: str | None, details: Any, reason: StopReason | None) -> None:
    """A response that is not complete carries no verdict."""
    body = said("yes") | {"status": status, "incomplete_details": details}
    assert read_body(body, call()).response.outputs[0].stop_reason is reason


@pytest.mark.parametrize(
    ("cap", "tokens", "reason"),
    [(768, 768, StopReason.MAX_TOKENS), (768, 767, StopReason.END_TURN), (4, 15, StopReason.END_TURN),
     (4, 16, StopReason.MAX_TOKENS), (None, 768, StopReason.END_TURN)],
)  # fmt: skip
def test_a_reply_that_fills_its_cap_is_read_as_cut_off(cap: int | None, tokens: int, reason: StopReason) -> None:
    """Whatever its status says; some servers call it complete."""
    reply = read_body(said("yes") | {"usage": {"output_tokens": tokens}}, call(max_tokens=cap))
    assert reply.response.outputs[0].stop_reason is reason
    assert bool(reply.note) is (reason is StopReason.MAX_TOKENS)


@pytest.mark.parametrize(
    "body",
    [None, {}, {"output": {}}, {"output": [], "status": "failed"}, {"output": [], "status": "queued"},
     {"output": [{"type": "message", "content": "yes"}]}, {"output": [{"type": "message", "content": [
         {"type": "output_text", "text": 5}]}]}],
)  # fmt: skip
def test_what_is_no_response_is_invalid(body: Any) -> None:
    """Never a KeyError."""
    with pytest.raises(InvalidResponse):
        read_body(body, call())
