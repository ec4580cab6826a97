"""Rendered templates: where their turns stand, what is kept, and that no cut loses or breaks anything."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from routing_workbench.core.conversation import Severity, read
from routing_workbench.core.conversation.model import Message, Text, Unknown, text_of
from routing_workbench.core.conversation.normalized import block_to_json

CASES = Path(__file__).resolve().parents[2] / "cases"
RENDERED = {
    paste["id"]: paste["text"]
    for paste in tomllib.loads((Path(__file__).parent / "rendered.toml").read_text(encoding="utf-8"))["paste"]
    if paste.get("format") in ("chatml-text", "llama3-text", "rendered-template-other")
}
TEMPLATES = ("chatml-hermes-tool-calls", "llama3-header-text", "harmony-gpt-oss-text")


def paste(case: str) -> str:
    """The text of a case."""
    return (CASES / case / "input.txt").read_text(encoding="utf-8")


def spoken(message: Message) -> str:
    """All text of a turn that a person can read."""
    return text_of(message.content) + "".join(str(block) for block in message.content if isinstance(block, Unknown))


@pytest.mark.parametrize("case", TEMPLATES)
def test_every_turn_stands_at_its_marks(case: str) -> None:
    """A jump from the screen shows the turn with its mark."""
    text = paste(case)
    (found,) = read(text).conversations
    for message, place in zip(found.request.turns, found.places, strict=True):
        assert text[place.start : place.end].startswith("<|")
        assert text_of(message.content) in text[place.start : place.end]


@pytest.mark.parametrize("case", TEMPLATES)
def test_a_template_cut_anywhere_is_read_as_far_as_it_goes(case: str) -> None:
    """No cut is a defect, and none gives a turn that the whole does not have."""
    text = paste(case)
    for end in range(len(text)):
        found = read(text[:end])
        assert "reader-failed" not in {d.code for d in found.diagnostics}
        for conversation in found.conversations:
            assert all(spoken(message) in text for message in conversation.request.turns if text_of(message.content))


@pytest.mark.parametrize("case", TEMPLATES)
def test_windows_line_ends_change_nothing(case: str) -> None:
    """The same turns, with the same texts but for the line ends in them."""
    (plain,) = read(paste(case)).conversations
    (windows,) = read(paste(case).replace("\n", "\r\n")).conversations
    assert [text_of(m.content).replace("\r\n", "\n") for m in windows.request.turns] == [
        text_of(m.content) for m in plain.request.turns
    ]


@pytest.mark.parametrize("case", TEMPLATES)
def test_a_template_in_a_json_string_is_read_there(case: str) -> None:
    """As servers log it; all of it stands at the string."""
    found = read(json.dumps({"prompt": paste(case), "max_tokens": 9}))
    (inner,) = found.conversations
    (alone,) = read(paste(case)).conversations
    assert inner.request == alone.request
    assert {place.path for place in inner.places} == {"prompt"}


def test_tools_of_mistral_are_kept_as_an_extra() -> None:
    """The definitions are no turn."""
    (found,) = read('[AVAILABLE_TOOLS] [{"type": "function"}][/AVAILABLE_TOOLS][INST] hi [/INST]').conversations
    assert found.extras == {"tools": [{"type": "function"}]}
    assert [text_of(m.content) for m in found.request.turns] == ["hi"]


def test_text_between_turns_is_kept_and_pointed_at() -> None:
    """It belongs to no turn, and nothing of it is lost."""
    text = "<|im_start|>user\nhi<|im_end|>\nstray\n<|im_start|>assistant\nyo<|im_end|>"
    found = read(text)
    (conversation,) = found.conversations
    assert conversation.extras == {"text between turns": ["\nstray\n"]}
    (warning,) = [d for d in found.diagnostics if d.severity is Severity.WARNING]
    assert (warning.code, warning.place.line) == ("text-between-turns", 2)


def test_names_of_speakers_are_kept() -> None:
    """As examples in a system prompt have them."""
    (found,) = read("<|im_start|>system name=example_user\nhi<|im_end|>\n<|im_start|>user\nyo<|im_end|>").conversations
    assert found.request.instructions == (Message(found.request.instructions[0].role, (Text("hi"),)),)
    assert found.extras == {"names of speakers": {"0": "example_user"}}


@pytest.mark.parametrize(
    "text",
    [
        "<|im_start|>assistant\n" + "<tool_call>" * 20_000,
        "<|im_start|>assistant\n<tool_call>" + "<arg_key>" * 20_000,
        "<|im_start|>assistant\n<tool_call>" + "<function=f>" * 20_000,
        "<|im_start|>" * 20_000,
        "<|start_header_id|>assistant<|end_header_id|>\n\n<|python_tag|>f.call(" + "a" * 200_000 + ")",
        "<|start|>" * 20_000,
        "[INST]" * 20_000,
        "<\uff5cUser\uff5c>" + "<\uff5ctool\u2581call\u2581begin\uff5c>function<\uff5ctool\u2581sep\uff5c>" * 20_000,
        "INFO 01-01 00:00:00 x] Received request a: prompt: '" + "\\" * 200_000,
    ],
    ids=range(9),
)
def test_hostile_marks_cost_no_more_than_their_length(text: str) -> None:
    """They are read, or named; and at once."""
    found = read(text)
    assert found.conversations or found.diagnostics
    assert "reader-failed" not in {d.code for d in found.diagnostics}


@pytest.mark.parametrize("text", RENDERED.values(), ids=RENDERED.keys())
def test_a_word_put_anywhere_is_not_lost(text: str) -> None:
    """Within a mark, a header, a call or a text: it is in a turn, in an extra, or a remark quotes it."""
    for at in range(0, len(text), 3):
        found = read(f"{text[:at]}QWORD{text[at:]}")
        kept = [dict(conversation.extras) for conversation in found.conversations]
        blocks = [block for c in found.conversations for message in c.request.turns for block in message.content]
        sides = [message.source_role for c in found.conversations for message in c.request.turns]
        everything = json.dumps([*kept, *map(block_to_json, blocks), *sides, [d.message for d in found.diagnostics]])
        assert not found.conversations or "QWORD" in everything, at
