"""Anthropic Messages requests and responses (SPEC 1)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from routing_workbench.core.conversation import Reading, Severity, read
from routing_workbench.core.conversation.model import (
    Media,
    Message,
    Reasoning,
    Role,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
)

RESULT = {"type": "tool_result", "tool_use_id": "t1"}


def reading(*messages: Any, **body: Any) -> Reading:
    """The reading of a request with these messages."""
    return read(json.dumps({"system": "s", "messages": list(messages), **body}))


def first(found: Reading) -> Message:
    """The first message."""
    (conversation,) = found.conversations
    return conversation.request.messages[0]


def codes(found: Reading, severity: Severity) -> list[str]:
    """The codes of the diagnostics of this severity."""
    return [d.code for d in found.diagnostics if d.severity is severity]


def test_results_stay_in_their_user_turn_in_order() -> None:
    """Text, result, text of one user message stay one user message."""
    blocks = [{"type": "text", "text": "a"}, {**RESULT, "content": "r"}, {"type": "text", "text": "b"}]
    message = first(reading({"role": "user", "content": blocks}))
    assert message == Message(Role.USER, (Text("a"), ToolResult("t1", (Text("r"),)), Text("b")))


@pytest.mark.parametrize(
    ("more", "content", "is_error"),
    [
        ({}, (), None),
        ({"content": None}, (), None),
        ({"content": []}, (), None),
        ({"content": "x", "is_error": False}, (Text("x"),), False),
        ({"content": [{"type": "text", "text": "x"}], "is_error": True}, (Text("x"),), True),
        ({"content": {"error": 1}}, (Text('{"error":1}'),), None),
        ({"content": [{"type": "image", "source": {"data": "A"}}]}, (Media("image", {"data": "A"}),), None),
    ],
)
def test_a_result_with_any_content(more: dict[str, Any], content: Any, is_error: bool | None) -> None:
    """Content may be a string, blocks, or absent; the flag may be absent."""
    message = first(reading({"role": "user", "content": [{**RESULT, **more}]}))
    assert message.content == (ToolResult("t1", content, is_error),)


def test_an_error_flag_that_is_no_truth_value_is_not_reported_and_warned_about() -> None:
    """A text in `is_error` is neither true nor false, and it is kept."""
    found = reading({"role": "user", "content": [{**RESULT, "is_error": "yes"}]})
    assert first(found).content == (ToolResult("t1", (), None),)
    assert "wrong-error-flag" in codes(found, Severity.WARNING)
    assert found.conversations[0].extras["messages[0].content[0].is_error"] == "yes"


def test_system_is_an_instruction_as_text_or_blocks() -> None:
    """Both forms of `system` give one system message."""
    for system in ("be brief", [{"type": "text", "text": "be brief", "cache_control": {"type": "ephemeral"}}]):
        (conversation,) = reading({"role": "user", "content": "a"}, system=system).conversations
        assert conversation.request.instructions == (Message(Role.SYSTEM, (Text("be brief"),)),)
        assert [place.path for place in conversation.places] == ["system", "messages[0]"]


def test_calls_thinking_and_documents_are_blocks() -> None:
    """Each known block type has its own kind of block."""
    blocks = [
        {"type": "thinking", "thinking": "hm", "signature": "sig"},
        {"type": "redacted_thinking", "data": "enc"},
        {"type": "tool_use", "id": "t1", "name": "find", "input": {"q": 1}},
        {"type": "document", "source": {"data": "B"}, "title": "plan"},
    ]
    found = reading({"role": "assistant", "content": blocks})
    assert first(found).content == (
        Reasoning("hm"),
        Reasoning(""),
        ToolCall("t1", "find", {"q": 1}),
        Media("file", {"data": "B"}),
    )
    assert found.conversations[0].extras == {
        "messages[0].content[0].signature": "sig",
        "messages[0].content[1].data": "enc",
        "messages[0].content[3].title": "plan",
    }


@pytest.mark.parametrize("kind", ["server_tool_use", "web_search_tool_result", "container_upload", "mcp_tool_use"])
def test_server_tool_blocks_are_kept_unread(kind: str) -> None:
    """They fail closed, and a note says so."""
    block = {"type": kind, "id": "srv1", "content": [{"x": 1}]}
    found = reading({"role": "assistant", "content": [block]})
    assert first(found).content == (Unknown("anthropic", block),)
    assert "unknown-block" in codes(found, Severity.NOTE)


def test_a_response_is_one_assistant_message_with_its_stop_reason() -> None:
    """The body of a reply is the attempt."""
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": "hi"}],
        "stop_reason": "max_tokens",
        "usage": {"output_tokens": 3},
    }
    found = read(json.dumps(body))
    (conversation,) = found.conversations
    assert conversation.request.messages == (Message(Role.ASSISTANT, (Text("hi"),)),)
    assert conversation.stop_reason is StopReason.MAX_TOKENS
    assert conversation.extras == {"id": "msg_1", "usage": {"output_tokens": 3}}
    assert codes(found, Severity.WARNING) == ["reply-cut-off"]


def test_a_message_of_the_other_dialect_is_read_as_that() -> None:
    """Anthropic has no role `tool`; a gateway's mixed list is read message by message, with a note."""
    found = read('[{"role": "tool", "tool_call_id": "c", "content": "x"}]', force="anthropic-messages-request")
    assert first(found) == Message(Role.TOOL, (ToolResult("c", (Text("x"),)),))
    assert "other-dialect" in [d.code for d in found.diagnostics]


def test_a_role_that_anthropic_has_not_is_kept_unread() -> None:
    """It is never renamed, and fails closed."""
    found = read('[{"role": "critic", "content": "x"}]', force="anthropic-messages-request")
    assert first(found).source_role == "critic"
