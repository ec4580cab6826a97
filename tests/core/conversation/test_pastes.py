"""Pastes as people make them, each with what a person or the format's specification reads in it (SPEC 1)."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from routing_workbench.core.conversation import Severity, read
from routing_workbench.core.conversation.model import (
    Block,
    Media,
    Message,
    Reasoning,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
    text_of,
)

HERE = Path(__file__).resolve().parent
PASTES: list[dict[str, Any]] = [
    paste | {"format": paste.get("format", "plain-transcript" if path.stem == "transcripts" else None)}
    for path in sorted(HERE.glob("*.toml"))
    for paste in tomllib.loads(path.read_text(encoding="utf-8"))["paste"]
]


def shown(block: Block) -> str:
    """A block as the files write it."""
    if isinstance(block, ToolCall):
        return f"-> {block.name} {json.dumps(block.arguments)}"
    if isinstance(block, ToolResult):
        return f"<-{'!' if block.is_error else ''} {block.tool_call_id} {text_of(block.content)}"
    if isinstance(block, Media):
        return f"({block.kind})"
    if isinstance(block, Unknown):
        return "(unread)"
    return "(thinks)" if isinstance(block, Reasoning) else block.text


def turn(message: Message) -> str:
    """A turn as the files write it."""
    return f"{message.role}: {' | '.join(shown(block) for block in message.content)}"


@pytest.mark.parametrize("paste", PASTES, ids=[paste["id"] for paste in PASTES])
def test_a_paste_is_read_as_a_person_reads_it(paste: dict[str, Any]) -> None:
    """Format, turns and remarks are those of the file, or the error is; an error says what to do."""
    found = read(paste["text"])
    codes = {d.code for d in found.diagnostics}
    assert set(paste.get("codes", ())) <= codes
    if "error" in paste:
        (error,) = [d for d in found.diagnostics if d.severity is Severity.ERROR]
        assert (found.conversations, error.code) == ((), paste["error"])
        assert error.next_step
        return
    read_turns = [[turn(message) for message in one.request.turns] for one in found.conversations]
    assert read_turns == paste.get("conversations", [paste.get("turns")])
    if "titles" in paste:
        assert [one.title for one in found.conversations] == paste["titles"]
    assert found.format is not None
    assert found.format.name == paste["format"]
    assert not found.failed


def test_times_beside_names_are_kept() -> None:
    """What a speaker line says beside the name is no text of the turn and is not lost."""
    (conversation,) = read("[10:32] User: hi\nAssistant (gpt-x): hello").conversations
    assert conversation.extras == {"beside the names": {"1": "[10:32]", "2": "(gpt-x)"}}
    assert conversation.request.messages[0].content == (Text("hi"),)


def test_a_conversation_inside_other_json_is_pointed_at() -> None:
    """The error stands at the part to paste."""
    text = '{"id": 1, "data": {"run": {"messages": [{"role": "user", "content": "hi"}]}}}'
    (error,) = read(text).diagnostics
    assert error.place.path == "data.run"
    assert text[error.place.start : error.place.end] == '{"messages": [{"role": "user", "content": "hi"}]}'


def test_what_stands_beside_the_bodies_of_a_pair_is_kept() -> None:
    """Address, headers and status stay, under their paths; the reply does not stand there a second time."""
    body = {"messages": [{"role": "user", "content": "hi"}]}
    reply = {"status": 200, "body": {"choices": [{"message": {"role": "assistant", "content": "yo"}}]}}
    (conversation,) = read(
        json.dumps({"request": {"url": "u", "body": body}, "response": reply, "ms": 7})
    ).conversations
    assert conversation.extras == {"request.url": "u", "response.status": 200, "ms": 7}
    (beside,) = read(json.dumps({**body, "response": reply["body"]})).conversations
    assert beside.extras == {}


def test_a_flood_of_notes_is_counted() -> None:
    """Three of a kind are listed, and how many more there are."""
    messages = [{"role": "user", "content": ["a"]} for _ in range(10)]
    notes = [d.message for d in read(json.dumps(messages)).diagnostics if d.code == "bare-text-part"]
    assert len(notes) == 4
    assert notes[-1].startswith("7 more like")
