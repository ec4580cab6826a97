"""OpenAI Chat requests and responses, as routers and gateways write them (SPEC 1)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from routing_workbench.core.conversation import Conversation, Reading, Severity, read
from routing_workbench.core.conversation.model import (
    Media,
    Message,
    Reasoning,
    Refusal,
    Role,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
)


def reading(*messages: Any, **body: Any) -> Reading:
    """The reading of a request with these messages."""
    return read(json.dumps({"messages": list(messages), **body}))


def only(found: Reading) -> Conversation:
    """The one conversation."""
    (conversation,) = found.conversations
    return conversation


def codes(found: Reading, severity: Severity | None = None) -> list[str]:
    """The codes of the diagnostics."""
    return [d.code for d in found.diagnostics if severity in (None, d.severity)]


def call(arguments: Any, **more: Any) -> dict[str, Any]:
    """A message with one call."""
    body = {"name": "find", "arguments": arguments}
    return {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": body, **more}]}


def proposed(found: Reading) -> ToolCall:
    """The one call of the first message."""
    (block,) = only(found).request.messages[0].content
    assert isinstance(block, ToolCall)
    return block


@pytest.mark.parametrize(
    ("given", "read_as"),
    [
        ('{"q": 1}', {"q": 1}),
        ({"q": 1}, {"q": 1}),
        ("", {}),
        ("  ", {}),
        (None, {}),
        ('{"q": 1', '{"q": 1'),
        ("[1]", "[1]"),
        ('"{}"', '"{}"'),
        ('{"q": NaN}', '{"q": NaN}'),
        ('{"q": 1e999}', '{"q": 1e999}'),
        ('{"q": "\\ud800"}', '{"q": "\\ud800"}'),
        ("{} {}", "{} {}"),
        ('{"q": NaN, "r": ', '{"q": NaN, "r": '),
        ('{"q": {"a": 1, "a": 2}, "r', '{"q": {"a": 1, "a": 2}, "r'),
        ('{"q": ' + "[" * 127 + "]" * 127 + "}", '{"q": ' + "[" * 127 + "]" * 127 + "}"),
        ([1], [1]),
        (7, 7),
    ],
)
def test_arguments_are_an_object_or_stay_as_pasted(given: Any, read_as: Any) -> None:
    """What is no JSON object by the routers' rules stays whole and is remarked on."""
    found = reading(call(given))
    assert proposed(found).arguments == read_as
    assert ("bad-arguments" in codes(found, Severity.WARNING)) is not isinstance(read_as, dict)


def test_arguments_cut_off_anywhere_stay_as_pasted() -> None:
    """Also behind a repeated key or a number that JSON has not."""
    whole = '{"q": {"a": NaN, "a": "\\ud800"}, "r": [1e999, {"x": "\\u00e9"}, -0.5'
    for end in range(1, len(whole)):
        assert proposed(reading(call(whole[:end]))).arguments == whole[:end]


def test_bad_arguments_have_a_place_and_a_next_step() -> None:
    """The remark stands at the argument string, with line, column and path."""
    text = (
        '{"messages": [\n {"role": "assistant", "tool_calls": [\n'
        '  {"id": "c", "function": {"name": "f", "arguments": "{"}}]}]}'
    )
    (remark,) = [d for d in read(text).diagnostics if d.code == "bad-arguments"]
    assert (remark.place.line, remark.place.column) == (3, 54)
    assert remark.place.path == "messages[0].tool_calls[0].function.arguments"
    assert text[remark.place.start : remark.place.end] == '"{"'
    assert remark.next_step


def test_parts_become_blocks_in_order() -> None:
    """Text, refusal and media parts keep their order and their source."""
    image = {"url": "data:image/png;base64,AAAA", "detail": "low"}
    parts = [
        {"type": "text", "text": "a"},
        {"type": "image_url", "image_url": image},
        {"type": "input_audio", "input_audio": {"data": "AA", "format": "wav"}},
        {"type": "file", "file": {"file_id": "f1"}},
        {"type": "refusal", "refusal": "no"},
    ]
    (message,) = only(reading({"role": "user", "content": parts})).request.messages
    assert message.content == (
        Text("a"),
        Media("image", image),
        Media("audio", {"data": "AA", "format": "wav"}),
        Media("file", {"file_id": "f1"}),
        Refusal("no"),
    )


def test_a_part_nobody_knows_is_kept_whole() -> None:
    """An unknown part becomes an unknown block with a note at its place."""
    part = {"type": "hologram", "data": [1, 2]}
    found = reading({"role": "user", "content": [{"type": "text", "text": "a"}, part]})
    assert only(found).request.messages[0].content == (Text("a"), Unknown("openai", part))
    (note,) = [d for d in found.diagnostics if d.code == "unknown-block"]
    assert note.place.path == "messages[0].content[1]"


def test_reasoning_refusal_and_audio_of_a_reply_are_blocks() -> None:
    """The fields beside content are read too."""
    message = {
        "role": "assistant",
        "content": "yes",
        "reasoning_content": "hm",
        "refusal": "no",
        "audio": {"id": "a1"},
    }
    (read_as,) = only(reading(message)).request.messages
    assert read_as.content == (Reasoning("hm"), Text("yes"), Refusal("no"), Media("audio", {"id": "a1"}))


def test_an_unknown_role_is_kept_unread_and_named() -> None:
    """A home-grown role is never renamed silently; its turn makes the request unsupported."""
    raw = {"role": "critic", "content": "too short"}
    found = reading({"role": "user", "content": "a"}, raw)
    assert only(found).request.messages[1] == Message(Role.USER, (Unknown("openai", raw),), "critic")
    (warning,) = [d for d in found.diagnostics if d.severity is Severity.WARNING]
    assert "critic" in warning.message
    assert warning.place.path == "messages[1]"


@pytest.mark.parametrize("raw", ["hi", 7, None, ["a"], {"content": "no role"}, {"role": 5, "content": "x"}])
def test_what_is_no_message_is_kept_unread(raw: Any) -> None:
    """An item without a role stays a turn of its own."""
    found = reading({"role": "user", "content": "a"}, raw)
    kept = only(found).request.messages[1]
    assert kept.content == (Unknown("openai", raw),)
    assert kept.source_role == "(no role)"
    assert "unsupported-role" in codes(found, Severity.WARNING)


def test_instructions_are_taken_from_wherever_they_stand() -> None:
    """System and developer messages go in front; a late one is noted; places follow the turns."""
    found = reading(
        {"role": "user", "content": "a"}, {"role": "system", "content": "b"}, {"role": "developer", "content": "c"}
    )
    conversation = only(found)
    assert [m.role for m in conversation.request.turns] == [Role.SYSTEM, Role.DEVELOPER, Role.USER]
    assert [p.path for p in conversation.places] == ["messages[1]", "messages[2]", "messages[0]"]
    assert codes(found).count("late-instruction") == 2


def test_a_legacy_call_and_result_are_joined_by_the_function_name() -> None:
    """`function_call` and role `function` give a call and a result."""
    found = reading(
        {"role": "assistant", "content": None, "function_call": {"name": "add", "arguments": '{"a": 1}'}},
        {"role": "function", "name": "add", "content": "1"},
    )
    messages = only(found).request.messages
    assert messages[0].content == (ToolCall("add", "add", {"a": 1}),)
    assert messages[1] == Message(Role.TOOL, (ToolResult("add", (Text("1"),)),))
    assert codes(found, Severity.WARNING) == []


@pytest.mark.parametrize(
    ("content", "text"), [({"error": "x"}, '{"error":"x"}'), ([{"a": "é"}], '[{"a":"é"}]'), (7, "7"), (False, "false")]
)
def test_a_plain_json_result_is_its_json_text(content: Any, text: str) -> None:
    """A result that is no list of parts stays readable, so that an error in it can be seen."""
    found = reading({"role": "tool", "tool_call_id": "c", "content": content})
    assert only(found).request.messages[0].content == (ToolResult("c", (Text(text),)),)
    assert "json-result" in codes(found, Severity.NOTE)


@pytest.mark.parametrize("content", [7, True, {"a": 1}])
def test_content_of_a_wrong_type_is_kept_and_warned_about(content: Any) -> None:
    """A number, a truth value or an object is no content."""
    found = reading({"role": "user", "content": content})
    assert only(found).request.messages[0].content == (Unknown("openai", content),)
    assert "wrong-content-type" in codes(found, Severity.WARNING)


def test_an_empty_message_stays_a_turn() -> None:
    """No content, null, empty text and an empty list all keep their turn."""
    given = [{"role": "user"}, {"role": "user", "content": None}, {"role": "user", "content": ""}]
    assert only(reading(*given, {"role": "user", "content": []})).request.messages == (Message(Role.USER, ()),) * 4


def test_a_custom_tool_call_is_not_malformed() -> None:
    """Its input is free text by design."""
    raw = {
        "role": "assistant",
        "tool_calls": [{"id": "x", "type": "custom", "custom": {"name": "sh", "input": "ls {"}}],
    }
    found = reading(raw)
    assert only(found).request.messages[0].content == (ToolCall("x", "sh", {"input": "ls {"}),)
    assert codes(found, Severity.WARNING) == []


def test_fields_that_are_not_read_are_kept_with_one_note() -> None:
    """Top-level, message and part fields are all there, under their paths."""
    message = {"role": "user", "name": "ann", "content": [{"type": "text", "text": "a", "cache_control": {"t": 1}}]}
    found = reading(message, model="m", temperature=0)
    assert only(found).extras == {
        "messages[0].content[0].cache_control": {"t": 1},
        "messages[0].name": "ann",
        "model": "m",
        "temperature": 0,
    }
    assert codes(found) == ["fields-kept"]


def test_one_message_where_a_list_is_due() -> None:
    """An object under `messages` is read as a list of one, with a warning."""
    found = read('{"messages": {"role": "user", "content": "hello"}}')
    assert only(found).request.messages == (Message(Role.USER, (Text("hello"),)),)
    assert codes(found, Severity.WARNING) == ["messages-not-a-list"]


@pytest.mark.parametrize("messages", ["hello", None, 7, [], [1, 2], [{"content": "x"}]])
def test_messages_that_are_none_are_an_error_that_names_them(messages: Any) -> None:
    """Nothing is read, and the error says why."""
    found = read(json.dumps({"model": "m", "messages": messages}))
    assert found.conversations == ()
    (error,) = [d for d in found.diagnostics if d.severity is Severity.ERROR]
    assert "`messages`" in error.message
    assert error.next_step


def test_choice_zero_is_the_message_and_the_others_are_alternatives() -> None:
    """Choices go by index, not by position."""
    choices = [
        {"index": 1, "message": {"role": "assistant", "content": "b"}, "finish_reason": "stop"},
        {"index": 0, "message": {"role": "assistant", "content": "a"}, "finish_reason": "length"},
    ]
    found = read(json.dumps({"object": "chat.completion", "choices": choices}))
    conversation = only(found)
    assert conversation.request.messages == (Message(Role.ASSISTANT, (Text("a"),)),)
    assert conversation.alternatives == (Message(Role.ASSISTANT, (Text("b"),)),)
    assert conversation.places[0].path == "choices[1].message"
    assert conversation.stop_reason is StopReason.MAX_TOKENS
    assert {"several-choices", "reply-cut-off"} <= set(codes(found, Severity.WARNING))


def test_a_reply_without_choices_is_an_error() -> None:
    """An empty list of choices is no conversation."""
    found = read('{"object": "chat.completion", "choices": []}')
    assert found.conversations == ()
    assert codes(found, Severity.ERROR) == ["no-choices"]
