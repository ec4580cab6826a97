"""LangChain messages: each call once, places, stop reasons, and what is kept beside the turns."""

from __future__ import annotations

import json
from typing import Any

import pytest
from routing_workbench.core.conversation import Conversation, read
from routing_workbench.core.conversation.model import Media, Reasoning, StopReason, Text, ToolCall, ToolResult

PARSED = {"name": "f", "args": {"x": 1}, "id": "k", "type": "tool_call"}
RAW = {"id": "k", "type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}}


def only(value: Any) -> Conversation:
    """The one conversation of a paste."""
    (conversation,) = read(json.dumps(value)).conversations
    return conversation


def said(fields: dict[str, Any]) -> tuple[Any, ...]:
    """The blocks of an assistant message."""
    return only([{"type": "human", "content": "a"}, {"type": "ai", **fields}]).request.messages[1].content


@pytest.mark.parametrize(
    "fields",
    [
        {"content": "", "tool_calls": [PARSED]},
        {"content": "", "additional_kwargs": {"tool_calls": [RAW]}},
        {"content": "", "tool_calls": [PARSED], "additional_kwargs": {"tool_calls": [RAW]}},
        {"content": [{"type": "tool_use", "id": "k", "name": "f", "input": {"x": 1}}], "tool_calls": [PARSED]},
        {
            "content": [{"type": "function_call", "call_id": "k", "name": "f", "arguments": "{}"}],
            "tool_calls": [PARSED],
        },
        {"content": [{"type": "tool_use", "id": "k", "name": "f", "input": {"x": 1}}]},
        {"content": "", "tool_calls": [RAW]},
    ],
)
def test_a_call_is_read_once_wherever_it_stands(fields: dict[str, Any]) -> None:
    """What LangChain parsed counts, else what the provider wrote."""
    assert said(fields) == (ToolCall("k", "f", {"x": 1}),)


def test_calls_of_the_same_tool_are_two() -> None:
    """Though neither has an id."""
    call = {"name": "f", "args": {}, "id": None}
    assert said({"content": "", "tool_calls": [call, call]}) == (ToolCall("", "f", {}), ToolCall("", "f", {}))


def test_a_legacy_call_is_joined_by_its_name() -> None:
    """`function_call` in the raw fields, and a message of type function."""
    call = {"function_call": {"name": "f", "arguments": "{}"}}
    messages = [
        {"type": "ai", "content": "", "additional_kwargs": call},
        {"type": "function", "name": "f", "content": "r"},
    ]
    called, answered = only(messages).request.messages
    assert called.content == (ToolCall("f", "f", {}),)
    assert answered.content == (ToolResult("f", (Text("r"),)),)


@pytest.mark.parametrize(("status", "failed"), [("error", True), ("success", False), (None, None)])
def test_a_result_fails_by_its_status(status: str | None, failed: bool | None) -> None:
    """Never by its text."""
    result = {"type": "tool", "content": "Error: no", "tool_call_id": "k", "status": status}
    messages = [{"type": "ai", "content": "", "tool_calls": [PARSED]}, result]
    assert only(messages).request.messages[1].content == (ToolResult("k", (Text("Error: no"),), failed),)


def test_every_message_stands_at_its_item() -> None:
    """Not at the fields inside."""
    messages = [
        {"type": "human", "data": {"content": "a"}},
        {"type": "tool", "data": {"content": "r", "tool_call_id": "k"}},
    ]
    assert [place.path for place in only(messages).places] == ["[0]", "[1]"]


def test_the_last_message_says_why_it_stopped() -> None:
    """A reply before a further question does not."""
    reply = {"type": "ai", "content": "b", "response_metadata": {"finish_reason": "length"}}
    assert only([{"type": "human", "content": "a"}, reply]).stop_reason is StopReason.MAX_TOKENS
    assert only([reply, {"type": "human", "content": "a"}]).stop_reason is None


def test_reasoning_stands_before_the_text() -> None:
    """As some providers keep it beside the content."""
    fields = {"content": "b", "additional_kwargs": {"reasoning_content": "t"}}
    assert said(fields) == (Reasoning("t"), Text("b"))


def test_metadata_and_artifacts_are_kept() -> None:
    """Each under its path."""
    conversation = only(
        [
            {"type": "ai", "content": "", "id": "m1", "tool_calls": [PARSED], "usage_metadata": {"input_tokens": 1}},
            {"type": "tool", "content": "r", "tool_call_id": "k", "artifact": {"rows": 2}},
        ]
    )
    assert conversation.extras == {
        "[0].id": "m1",
        "[0].usage_metadata": {"input_tokens": 1},
        "[1].artifact": {"rows": 2},
    }


def test_a_message_that_could_not_be_dumped_is_unread() -> None:
    """LangChain writes its repr, which takes no role."""
    lost = {"lc": 1, "type": "not_implemented", "id": ["my", "Message"], "repr": "Message()"}
    human = {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain_core", "messages", "HumanMessage"],
        "kwargs": {"content": "a"},
    }
    first, second = only([human, lost]).request.messages
    assert first.content == (Text("a"),)
    assert second.source_role == "not_implemented"


def test_other_constructors_are_no_messages() -> None:
    """A dumped prompt or model names no speaker."""
    prompt = {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "prompts", "PromptTemplate"],
        "kwargs": {"template": "a"},
    }
    assert read(json.dumps(prompt)).conversations == ()


def test_ordinary_messages_are_not_langchain() -> None:
    """Neither a chat nor records of a session whose `type` says something else."""
    chat = read('[{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]')
    assert [match.name for match in chat.candidates if match.name.startswith("langchain")] == []
    typed = read('[{"type": "system", "content": "a"}, {"type": "user", "content": "b"}]')
    assert "langchain-messages" not in [match.name for match in typed.candidates]


def test_a_result_holds_the_media_of_langchain() -> None:
    """Under names that OpenAI Chat has not."""
    called = {"type": "ai", "content": "", "tool_calls": [PARSED]}
    image = {"type": "image", "source_type": "base64", "data": "aGk=", "mime_type": "image/png"}
    result = {"type": "tool", "tool_call_id": "k", "status": "error", "content": [{"type": "text", "text": "r"}, image]}
    (answered,) = only([called, result]).request.messages[1].content
    assert isinstance(answered, ToolResult)
    assert answered.is_error is True
    assert [type(block) for block in answered.content] == [Text, Media]


def test_a_state_that_the_last_one_does_not_hold_is_kept() -> None:
    """A memory may be trimmed while the stream goes on."""
    states = [{"messages": [{"type": "human", "content": text}]} for text in ("a", "b")]
    found = read("".join(f"event: values\ndata: {json.dumps(state)}\n\n" for state in states))
    (conversation,) = found.conversations
    assert [message.content for message in conversation.request.messages] == [(Text("b"),)]
    assert conversation.extras["earlier states"] == [states[0]]
    assert "state-superseded" in {d.code for d in found.diagnostics}


def test_a_message_of_a_stream_stands_at_its_event() -> None:
    """Each at its own."""
    update = '{"agent": {"messages": [{"type": "ai", "content": "%s"}]}}'
    text = "".join(f"event: updates\ndata: {update % said}\n\n" for said in ("a", "b"))
    (conversation,) = read(text).conversations
    lines = [place.line for place in conversation.places]
    assert lines == [2, 5]


def test_an_error_event_says_that_the_stream_failed() -> None:
    """What came before it is kept."""
    state = {"messages": [{"type": "human", "content": "a"}, {"type": "ai", "content": "b"}]}
    error = {"error": "Boom", "message": "boom"}
    text = f"event: values\ndata: {json.dumps(state)}\n\nevent: error\ndata: {json.dumps(error)}\n\n"
    found = read(text)
    assert "stream-failed" in {d.code for d in found.diagnostics}
    assert len(found.conversations[0].request.messages) == 2
