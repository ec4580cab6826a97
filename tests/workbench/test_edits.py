"""Edits over a conversation: what changes, what is shared, what is refused, and what is remarked then."""

from __future__ import annotations

import json

import pytest
from routing_workbench.core.conversation.model import Media, Role, Text, ToolCall, ToolResult
from routing_workbench.core.conversation.read import read
from routing_workbench.workbench import edits

CALL = {"id": "c1", "type": "function", "function": {"name": "run", "arguments": '{"cmd": "ls"}'}}
MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "List the files."},
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "a.py"},
    {"role": "assistant", "content": "One file."},
]


@pytest.fixture
def reading():
    """A call with its result, between a system message and an answer."""
    return read(json.dumps({"messages": MESSAGES}))


@pytest.fixture
def edited(reading):
    """It, without an edit."""
    return edits.unedited(reading.conversations[0])


def test_a_text_is_replaced_and_all_else_is_shared(edited):
    """The messages beside it are the very objects, so nothing is derived of them again."""
    made = edits.with_text(edited, 1, 0, "List all files.")
    now, then = made.conversation.request.turns, edited.conversation.request.turns
    assert now[1].content == (Text("List all files."),)
    assert [a is b for a, b in zip(now, then, strict=True)] == [True, False, True, True, True]
    assert (made.turns, made.count) == ((1,), 1)


def test_the_role_of_an_edited_message_stays(edited):
    """An instruction is edited as any other message."""
    made = edits.with_text(edited, 0, 0, "Be long.")
    assert made.conversation.request.instructions[0].role is Role.SYSTEM
    assert edits.turn_words(made.conversation.request, 0) == "instruction 1"
    assert edits.turn_words(made.conversation.request, 1) == "message 1"


def test_an_edit_back_to_what_was_read_is_none(edited):
    """The conversation is the very object that was read."""
    made = edits.with_text(edits.with_text(edited, 1, 0, "Other."), 1, 0, "List the files.")
    assert made.conversation is edited.original
    assert made.count == 0


def test_the_text_of_a_result_is_replaced_beside_its_media():
    """What it shows stays."""
    content = [
        {"type": "text", "text": "one"},
        {"type": "image", "source": {"type": "url"}},
        {"type": "text", "text": "2"},
    ]
    call = {"type": "tool_use", "id": "t", "name": "see", "input": {}}
    messages = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": [call]},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t", "content": content, "is_error": True}],
        },
    ]
    found = edits.unedited(read(json.dumps({"max_tokens": 1, "messages": messages})).conversations[0])
    made = edits.with_text(found, 2, 0, "three").conversation.request.turns[2].content[0]
    assert isinstance(made, ToolResult)
    assert (made.tool_call_id, made.is_error) == ("t", True)
    assert made.content[0] == Text("three")
    assert [type(block) for block in made.content] == [Text, Media]


def test_arguments_are_read_as_json(edited):
    """As a paste's are."""
    made = edits.with_text(edited, 2, 0, '{"cmd": "pwd"}').conversation.request.turns[2].content[0]
    assert made == ToolCall("c1", "run", {"cmd": "pwd"})


def test_arguments_that_are_no_json_are_kept_and_remarked(reading, edited):
    """The call counts as malformed, as one that was pasted so."""
    made = edits.with_text(edited, 2, 0, '{"cmd": ')
    assert made.conversation.request.turns[2].content[0].arguments == '{"cmd": '
    found = edits.shown(reading, 0, made)
    assert [(one.code, one.place.path) for one in found.diagnostics if one.code == "bad-arguments"] == [
        ("bad-arguments", "messages[2]")
    ]


def test_mending_arguments_takes_the_remark_away():
    """Of that call alone."""
    broken = {"id": "c2", "type": "function", "function": {"name": "run", "arguments": "{"}}
    other = {"id": "c3", "type": "function", "function": {"name": "run", "arguments": "["}}
    messages = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": "", "tool_calls": [broken]},
        {"role": "assistant", "content": "", "tool_calls": [other]},
    ]
    reading = read(json.dumps({"messages": messages}))
    made = edits.with_text(edits.unedited(reading.conversations[0]), 1, 0, "{}")
    found = edits.shown(reading, 0, made)
    paths = [one.place.path for one in found.diagnostics if one.code == "bad-arguments"]
    assert len(paths) == 1
    assert paths[0].startswith("messages[2]")


def test_one_and_true_are_not_the_same_arguments(edited):
    """To Python they are equal."""
    one = edits.with_text(edited, 2, 0, '{"cmd": 1}')
    made = edits.with_text(one, 2, 0, '{"cmd": true}')
    assert made.conversation.request.turns[2].content[0].arguments == {"cmd": True}
    assert made.conversation.request.turns[2].content[0].arguments["cmd"] is True


def test_removing_a_call_leaves_its_result_an_orphan(reading, edited):
    """Which is remarked, as it is of a paste."""
    made = edits.without(edited, 2)
    assert [turn.role for turn in made.conversation.request.turns] == ["system", "user", "tool", "assistant"]
    assert (made.turns, made.count) == ((), 1)
    assert "orphan-result" in [one.code for one in edits.shown(reading, 0, made).diagnostics]


def test_removing_the_orphan_takes_its_remark_away():
    """What no longer holds is not said."""
    reading = read(json.dumps({"messages": [MESSAGES[1], MESSAGES[3], MESSAGES[4]]}))
    assert "orphan-result" in [one.code for one in reading.diagnostics]
    made = edits.without(edits.unedited(reading.conversations[0]), 1)
    assert "orphan-result" not in [one.code for one in edits.shown(reading, 0, made).diagnostics]


def test_places_and_edits_follow_a_removal(edited):
    """Each turn keeps the place it was pasted at."""
    made = edits.without(edits.with_text(edited, 4, 0, "One."), 1)
    assert [place.path for place in made.conversation.places] == [f"messages[{at}]" for at in (0, 2, 3, 4)]
    assert (made.turns, made.count) == ((3,), 2)


def test_removing_an_instruction_leaves_the_messages(edited):
    """They are counted apart."""
    made = edits.without(edited, 0)
    assert (len(made.conversation.request.instructions), len(made.conversation.request.messages)) == (0, 4)


def test_the_shown_reading_counts_the_edits(reading, edited):
    """Records say so."""
    assert edits.shown(reading, 0, edited) is reading
    made = edits.shown(reading, 0, edits.with_text(edited, 1, 0, "Other."))
    assert made.edits == 1
    assert made.conversations[0].request.messages[0].content == (Text("Other."),)


@pytest.mark.parametrize(("turn", "block"), [(-1, 0), (5, 0), (1, 1), (1, -1)])
def test_what_is_not_there_is_refused(edited, turn, block):
    """In words."""
    with pytest.raises(edits.NotEdited):
        edits.with_text(edited, turn, block, "x")


def test_the_last_message_is_not_removed():
    """A bench without a message has nothing to route."""
    only = edits.unedited(read(json.dumps({"messages": MESSAGES[1:2]})).conversations[0])
    with pytest.raises(edits.NotEdited, match="only message"):
        edits.without(only, 0)


def test_an_image_has_no_text_to_edit():
    """It is removed with its message."""
    content = [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]
    found = edits.unedited(read(json.dumps({"messages": [{"role": "user", "content": content}]})).conversations[0])
    with pytest.raises(edits.NotEdited, match="no text"):
        edits.with_text(found, 0, 0, "x")


def test_a_repr_holds_no_text(edited):
    """Of an edit neither."""
    assert "files" not in repr(edits.with_text(edited, 1, 0, "List all files."))
