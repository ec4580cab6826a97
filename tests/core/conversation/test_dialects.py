"""Dialects of providers: what tells them apart, where their turns stand, what is kept beside them, why they ended."""

from __future__ import annotations

import json
from typing import Any

import pytest
from routing_workbench.core.conversation import Conversation, read
from routing_workbench.core.conversation.model import Json, Media, Reasoning, Text, ToolCall
from routing_workbench.core.conversation.model import StopReason as Stop


def one(value: Json) -> Conversation:
    """The one conversation of a JSON paste."""
    (found,) = read(json.dumps(value)).conversations
    return found


def chosen(value: Json) -> str | None:
    """The format that a JSON paste is read as."""
    match = read(json.dumps(value)).format
    return match.name if match else None


def chat(**message: Any) -> list[dict[str, Any]]:
    """A bare list of one user's message."""
    return [{"role": "user", **message}]


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (chat(content="hi"), "openai-chat-request"),
        (chat(content=[{"type": "text", "text": "hi"}]), "openai-chat-request"),
        (chat(content=[{"text": "hi"}]), "bedrock-converse-request"),
        (chat(content=[{"type": "text", "text": "a"}, {"text": "b"}]), "openai-chat-request"),
        (chat(parts=[{"text": "hi"}]), "gemini-request"),
        (chat(content="hi", images=["AAAA"]), "ollama-chat-request"),
        ({"model": "m", "messages": chat(content="hi"), "options": {"seed": 1}}, "ollama-chat-request"),
        ({"model": "m", "messages": chat(content="hi"), "temperature": 1}, "openai-chat-request"),
        ({"model": "m", "messages": chat(content="hi"), "random_seed": 1}, "mistral-chat-request"),
        ({"messages": chat(content="hi"), "inferenceConfig": {}}, "bedrock-converse-request"),
        ({"messages": chat(content="hi"), "system": "s"}, "anthropic-messages-request"),
    ],
)
def test_the_dialects_of_chat_are_told_apart(value: Json, name: str) -> None:
    """By fields and blocks, never by what is said."""
    assert chosen(value) == name


@pytest.mark.parametrize(
    "value",
    [
        {"contents": "a table of contents", "title": "x"},
        {"candidates": [{"name": "Ada", "votes": 3}]},
        {"output": {"message": "done"}, "stopReason": "x"},
        {"model": "m", "prompt": ["a", "b"]},
        {"done": True, "response": 200},
        {"events": [{"message": "a"}]},
        {"prompt": "a", "width": 512},
        {"schemaType": "Other", "input": {"x": 1}},
    ],
)
def test_what_only_looks_like_a_dialect_is_none(value: Json) -> None:
    """The same names are used for much else."""
    assert read(json.dumps(value)).conversations == ()


def test_places_and_extras_of_gemini() -> None:
    """Turns stand at their content; signatures and settings are kept under their paths."""
    found = one(
        {
            "systemInstruction": {"role": "system", "parts": [{"text": "s"}]},
            "contents": [
                {"parts": [{"text": "hi"}]},
                {"role": "model", "parts": [{"functionCall": {"name": "f"}, "thoughtSignature": "AA"}]},
            ],
            "generationConfig": {"temperature": 0},
        }
    )
    assert [place.path for place in found.places] == ["systemInstruction", "contents[0]", "contents[1]"]
    assert found.extras == {
        "contents[1].parts[0].thoughtSignature": "AA",
        "generationConfig": {"temperature": 0},
    }


def test_an_id_that_joins_nothing_is_kept() -> None:
    """A result of another id is joined by its function's name; its id stays beside it."""
    found = one(
        [
            {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
            {"role": "user", "parts": [{"functionResponse": {"id": "x9", "name": "f", "response": {"a": 1}}}]},
        ]
    )
    assert found.extras == {"[1].parts[0].functionResponse.id": "x9"}


def test_media_in_a_function_response_stands_in_the_result() -> None:
    """Beside its JSON; a part that is empty is none."""
    response = {"name": "f", "response": {"a": 1}, "parts": [{"inlineData": {"mimeType": "image/png", "data": "A"}}]}
    found = one([{"role": "user", "parts": [{"functionResponse": response}, {"text": ""}]}])
    (result,) = found.request.messages[0].content
    assert result.content == (Text('{"a":1}'), Media("image", response["parts"][0]["inlineData"]))  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("finish", "stop"),
    [
        ("STOP", Stop.END_TURN),
        ("MAX_TOKENS", Stop.MAX_TOKENS),
        ("RECITATION", Stop.CONTENT_FILTER),
        ("MALFORMED_FUNCTION_CALL", Stop.ERROR),
        ("OTHER", Stop.UNKNOWN),
        (None, None),
    ],
)
def test_why_gemini_ended(finish: str | None, stop: Stop | None) -> None:
    """Each word of the API has its meaning."""
    body = {"candidates": [{"content": {"parts": [{"text": "yo"}]}, "finishReason": finish}]}
    assert one(body).stop_reason is stop


@pytest.mark.parametrize(
    ("word", "stop"),
    [
        ("end_turn", Stop.END_TURN),
        ("tool_use", Stop.TOOL_USE),
        ("max_tokens", Stop.MAX_TOKENS),
        ("guardrail_intervened", Stop.CONTENT_FILTER),
        ("new_word", Stop.UNKNOWN),
    ],
)
def test_why_converse_ended(word: str, stop: Stop) -> None:
    """Each word of the API has its meaning."""
    body = {"output": {"message": {"role": "assistant", "content": [{"text": "yo"}]}}, "stopReason": word}
    assert one(body).stop_reason is stop


@pytest.mark.parametrize(
    ("word", "stop"), [("stop", Stop.END_TURN), ("length", Stop.MAX_TOKENS), ("load", None), (None, None)]
)
def test_why_ollama_ended(word: str | None, stop: Stop | None) -> None:
    """A model that was only loaded wrote nothing, so it did not end."""
    body = {"model": "m", "message": {"role": "assistant", "content": "yo"}, "done": True, "done_reason": word}
    assert one(body).stop_reason is stop


def test_the_settings_of_a_converse_stream_are_kept() -> None:
    """Usage and metrics come in a record of their own."""
    records = [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "yo"}}},
        {"messageStop": {"stopReason": "end_turn", "additionalModelResponseFields": {"a": 1}}},
        {"metadata": {"usage": {"totalTokens": 2}, "metrics": {"latencyMs": 1}}},
    ]
    found = one(records)
    assert found.extras == {
        "additionalModelResponseFields": {"a": 1},
        "usage": {"totalTokens": 2},
        "metrics": {"latencyMs": 1},
    }


def test_references_of_mistral_are_kept_where_they_stand() -> None:
    """The sentence around them is one text."""
    content = [
        {"type": "text", "text": "18"},
        {"type": "reference", "reference_ids": [0]},
        {"type": "text", "text": "12"},
    ]
    found = one({"choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}]})
    assert found.request.messages[0].content == (Text("1812"),)
    assert found.extras == {"choices[0].message.content[1]": content[1]}


def test_a_stream_of_openai_keeps_text_before_and_behind_parts() -> None:
    """A delta that holds a list after a text, or a text after a list, replaces nothing."""
    deltas: list[Json] = ["a", [{"type": "text", "text": "b"}], "c"]
    records = [{"id": "x", "choices": [{"index": 0, "delta": {"content": delta}}]} for delta in deltas]
    (found,) = read("\n".join(map(json.dumps, records))).conversations
    assert found.request.messages[0].content == (Text("abc"),)


def test_thoughts_of_a_stream_are_one_thought() -> None:
    """However many records they came in; a call ends them."""
    parts: list[Json] = [
        {"text": "a", "thought": True},
        {"text": "b", "thought": True},
        {"functionCall": {"name": "f", "args": {}}},
        {"text": "c", "thought": True},
    ]
    found = one([{"candidates": [{"content": {"role": "model", "parts": [part]}}]} for part in parts])
    assert found.request.messages[0].content == (Reasoning("ab"), ToolCall("f", "f", {}), Reasoning("c"))
