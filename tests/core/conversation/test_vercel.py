"""Messages of the Vercel AI SDK: places, what is kept aside, and how they are told from other dialects."""

from __future__ import annotations

import json
from typing import Any

import pytest
from routing_workbench.core.conversation import Conversation, read
from routing_workbench.core.conversation.model import Media, Text

TEXT = {"type": "text", "text": "a"}
CALL = {"type": "tool-level", "toolCallId": "c", "state": "output-available", "input": {}, "output": "2 m"}


def one(value: Any) -> Conversation:
    """The only conversation of a paste."""
    (conversation,) = read(json.dumps(value)).conversations
    return conversation


def test_turns_of_one_message_stand_at_their_parts() -> None:
    """The first of them at the message."""
    conversation = one([{"role": "assistant", "parts": [TEXT, CALL, TEXT]}])
    assert [place.path for place in conversation.places] == ["[0]", "[0].parts[1]", "[0].parts[2]"]


def test_what_the_model_never_reads_is_kept() -> None:
    """Sources, data to draw, metadata, the fields of the body."""
    parts = [{"type": "source-url", "sourceId": "s", "url": "u"}, {"type": "data-chart", "data": [1]}, TEXT]
    body = {"id": "chat", "messages": [{"id": "m", "role": "assistant", "metadata": {"k": 1}, "parts": parts}]}
    assert dict(one(body).extras) == {
        "id": "chat",
        "messages[0].id": "m",
        "messages[0].metadata": {"k": 1},
        "messages[0].parts[0].sourceId": "s",
        "messages[0].parts[0].url": "u",
        "messages[0].parts[1].data": [1],
    }


def test_content_that_the_parts_do_not_say_is_kept() -> None:
    """Older messages keep both; where they differ, the parts count."""
    same = one([{"role": "user", "content": "a", "parts": [TEXT]}])
    other = one([{"role": "user", "content": "b", "parts": [TEXT]}])
    assert same.extras == {}
    assert other.extras == {"[0].content": "b"}
    assert other.request.messages[0].content == (Text("a"),)


def test_invocations_that_the_parts_do_not_hold_are_kept() -> None:
    """By their ids."""
    held = [{"state": "call", "toolCallId": "x", "toolName": "level", "args": {}}]
    assert one([{"role": "assistant", "parts": [TEXT], "toolInvocations": held}]).extras == {
        "[0].toolInvocations": held
    }


@pytest.mark.parametrize(
    ("mime", "kind"), [("image/png", "image"), ("audio/wav", "audio"), ("video/mp4", "video"), ("text/csv", "file")]
)
def test_a_file_is_media_of_its_kind(mime: str, kind: str) -> None:
    """By its media type, of either spelling."""
    for name in ("mediaType", "mimeType"):
        part = {"type": "file", name: mime, "url": "data:,"}
        (media,) = one([{"role": "user", "parts": [part]}]).request.messages[0].content
        assert isinstance(media, Media)
        assert (media.kind, media.source) == (kind, part)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ([{"role": "user", "parts": [{"text": "a"}]}], "gemini-request"),
        (
            [{"role": "user", "content": [TEXT]}, {"role": "tool", "tool_call_id": "c", "content": "b"}],
            "openai-chat-request",
        ),
        (
            [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "b"}]}],
            "anthropic-messages-request",
        ),
        ([{"role": "user", "parts": [TEXT]}], "vercel-ui-messages"),
        (
            [{"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c", "result": 1}]}],
            "vercel-model-messages",
        ),
    ],
)
def test_the_dialects_are_told_apart(value: Any, name: str) -> None:
    """By what the parts and blocks look like."""
    found = read(json.dumps(value)).format
    assert found is not None
    assert found.name == name


def test_a_logged_request_of_the_sdk_is_read_inside() -> None:
    """It is a request like any other."""
    request = {"messages": [{"role": "user", "parts": [TEXT]}]}
    reply = {"choices": [{"message": {"role": "assistant", "content": "b"}}]}
    conversation = one({"request": request, "response": reply})
    assert [m.content for m in conversation.request.messages] == [(Text("a"),), (Text("b"),)]
