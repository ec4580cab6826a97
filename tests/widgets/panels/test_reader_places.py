"""Places of messages: which remark stands at which turn, and each turn's stretch of the paste."""

from __future__ import annotations

import json

from routing_workbench.core.conversation.diagnostics import Diagnostic, Place, Severity
from routing_workbench.core.conversation.model import Message, Request, Role, Text
from routing_workbench.core.conversation.read import read
from routing_workbench.core.conversation.reading import Conversation, Reading
from routing_workbench.widgets.panels.reader_places import problems_at, stretches

MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Why?"},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f"}}]},
    {"role": "tool", "tool_call_id": "d", "content": "1"},
    {"role": "user", "content": "So?"},
]


def reading(places, *remarks):
    """Three turns at these places, and these remarks."""
    turns = tuple(Message(Role.USER, (Text("a"),)) for _ in range(3))
    return Reading((Conversation(Request((), turns), places),), None, (), tuple(remarks))


def remark(place, severity=Severity.WARNING, conversation=None):
    """A remark at this place."""
    return Diagnostic(severity, "code", "Found.", "Do this.", place, conversation)


PATHS = tuple(Place(path=f"messages[{at}]") for at in range(3))
OFFSETS = (Place(1, 1, None, 0, 10), Place(2, 1, None, 10, 20), Place(3, 1, None, 25, 30))


def test_a_remark_stands_at_the_message_around_it():
    """By the longest path that is a message's."""
    found = problems_at(reading(PATHS, remark(Place(path="messages[1].content[0].input"))), 0)
    assert [(turn, [one.index for one in at]) for turn, at in found.items()] == [(1, [0])]


def test_a_remark_in_a_text_stands_at_the_message_of_its_offset():
    """Between two messages it stands at none."""
    made = reading(OFFSETS, remark(Place(2, 3, None, 12, 13)), remark(Place(2, 9, None, 22, 23)))
    assert list(problems_at(made, 0)) == [1]


def test_remarks_elsewhere_are_at_no_message():
    """About the whole paste, another field, or another conversation."""
    made = reading(
        PATHS, remark(Place()), remark(Place(path="tools[0]")), remark(Place(path="messages[1]"), conversation=1)
    )
    assert problems_at(made, 0) == {}


def test_a_real_paste_has_its_remarks_at_their_messages():
    """An orphaned result and an unanswered call."""
    found = problems_at(read(json.dumps({"messages": MESSAGES})), 0)
    assert [turn for turn, at in sorted(found.items()) if any(one.severity is Severity.WARNING for one in at)] == [2, 3]


def test_a_message_has_its_own_json():
    """As it was pasted, white space and all."""
    text = json.dumps({"model": "m", "messages": MESSAGES}, indent=1)
    made = stretches(text, read(text).conversations[0])
    assert [json.loads(text[slice(*found)]) for found in made] == MESSAGES


def test_documents_one_a_line_have_their_own():
    """Messages as JSON lines."""
    text = "\n".join(json.dumps(message) for message in MESSAGES)
    made = stretches(text, read(text).conversations[0])
    assert [json.loads(text[slice(*found)]) for found in made] == MESSAGES


def test_a_transcript_has_its_lines():
    """By offset."""
    text = "User: why?\n\nAssistant: so.\n\nUser: why so?"
    made = stretches(text, read(text).conversations[0])
    assert ["why?" in text[slice(*made[0])], "so." in text[slice(*made[1])]] == [True, True]


def test_no_place_is_none():
    """Where none is known, and where the paste is another one by now."""
    assert stretches("no JSON", reading((Place(), *PATHS[1:])).conversations[0]) == [None, None, None]
