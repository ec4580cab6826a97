"""The extension field, as people edit it and as nobody should write it: what it does not say right is not taken."""

from __future__ import annotations

import json
from typing import Any

import pytest
from routing_workbench.core.conversation import Reading, Severity, read
from routing_workbench.core.conversation.model import Message, Role, StopReason, Text, ToolResult

FIELD = "x_routing_workbench"
ASKED = {"role": "user", "content": "Open it."}


def codes(found: Reading) -> list[str]:
    """The codes of what is remarked."""
    return [d.code for d in found.diagnostics]


def with_field(value: Any, **message: Any) -> dict[str, Any]:
    """A message with the field."""
    return {**ASKED, **message, FIELD: value}


@pytest.mark.parametrize(
    "value",
    [
        None,
        1,
        [],
        "messages",
        {},
        {"messages": {}},
        {"messages": [1]},
        {"messages": [{"role": "critic"}]},
        {"messages": [{"role": ["user"]}]},
        {"messages": [{"content": 0}]},
        {"messages": [{"content": [1]}]},
        {"messages": [{"content": [-1]}]},
        {"messages": [{"content": [True]}]},
        {"messages": [{"content": ["0"]}]},
        {"messages": [{"content": [{"of": 0, "is_error": True}]}]},
        {"messages": [{"content": [{"type": "text", "text": 5}]}]},
        {"messages": [{"content": [{"type": "tool_call", "id": "c", "name": "f"}]}]},
        {"messages": [{"content": [{"type": "smoke"}]}]},
        {"messages": [{"list": "turns"}]},
        {"messages": [{"source_role": 4}]},
    ],
    ids=json.dumps,
)
@pytest.mark.parametrize("content", ["Open it.", [{"type": "text", "text": "Open it."}]])
def test_a_field_that_says_nothing_we_know_changes_nothing(value: Any, content: Any) -> None:
    """The message is read as it stands; the field is kept, and a warning says so."""
    found = read(json.dumps({"messages": [with_field(value, content=content)], "system": "s"}))
    (conversation,) = found.conversations
    assert conversation.request.messages == (Message(Role.USER, (Text("Open it."),)),)
    assert "extension-unread" in codes(found)
    assert conversation.extras.get(f"messages[0].{FIELD}") == (value or None)


@pytest.mark.parametrize(
    "value",
    [
        5,
        {"stop_reason": "tired"},
        {"alternatives": [1]},
        {"alternatives": 4},
        {"extras": []},
        {"title": 1},
        {"session_id": 2},
        {"system": [{"role": "user", "content": [0]}]},
    ],
    ids=json.dumps,
)
def test_a_field_of_the_document_is_taken_whole_or_not_at_all(value: Any) -> None:
    """Nothing of one that cannot be read."""
    found = read(json.dumps({"messages": [ASKED], FIELD: value}))
    (conversation,) = found.conversations
    assert "extension-unread" in codes(found)
    assert conversation.extras == {FIELD: value}
    assert (conversation.stop_reason, conversation.title, conversation.request.session_id) == (None, "", None)


def test_a_document_says_what_stands_beside_its_messages() -> None:
    """Stop reason, session, other answers and fields."""
    answer = {"role": "assistant", "content": [{"type": "text", "text": "No."}]}
    said = {"stop_reason": "end_turn", "session_id": "", "alternatives": [answer], "extras": {"spend": 1, "none": None}}
    (found,) = read(json.dumps({"messages": [ASKED], FIELD: said})).conversations
    assert (found.stop_reason, found.request.session_id) == (StopReason.END_TURN, "")
    assert found.alternatives == (Message(Role.ASSISTANT, (Text("No."),)),)
    assert found.extras == {"spend": 1, "none": None}


def test_what_is_edited_in_a_message_is_what_is_read() -> None:
    """The field points at what is there; it does not hold it a second time."""
    edited = with_field({"messages": [{"role": "developer", "content": [0]}]}, content="Close it.")
    (found,) = read(json.dumps({"messages": [ASKED, edited]})).conversations
    assert found.request.instructions == (Message(Role.DEVELOPER, (Text("Close it."),)),)


def test_parts_of_a_message_are_put_together_also_in_a_bare_list() -> None:
    """A part whose beginning is gone stands by itself."""
    part = {"role": "tool", "tool_call_id": "c", "content": "x", FIELD: {"messages": [{"role": "user", "joins": True}]}}
    result = ToolResult("c", (Text("x"),))
    begin = with_field({"messages": [{}]})
    (found,) = read(json.dumps([begin, part, part])).conversations
    assert found.request.messages == (Message(Role.USER, (Text("Open it."), result, result)),)
    (alone,) = read(json.dumps([{"role": "assistant", "content": "a"}, part])).conversations
    assert alone.request.messages[1:] == (Message(Role.USER, (result,)),)


def test_many_parts_take_linear_time() -> None:
    """One message of a hundred thousand parts."""
    part = {"role": "user", "content": "x", FIELD: {"messages": [{"joins": True}]}}
    (found,) = read(json.dumps({"messages": [part] * 100_000})).conversations
    assert len(found.request.messages[0].content) == 100_000


def test_what_was_taken_from_the_field_is_said() -> None:
    """A note, at the message and at the document, so that nothing is read silently that the eye does not see."""
    found = read(json.dumps({"messages": [with_field({"messages": []}), ASKED], FIELD: {"title": "Fog"}}))
    assert [(d.severity, d.place.path) for d in found.diagnostics if d.code == "extension-read"] == [
        (Severity.NOTE, "messages[0]"),
        (Severity.NOTE, FIELD),
    ]
    assert found.conversations[0].request.messages == (Message(Role.USER, (Text("Open it."),)),)
