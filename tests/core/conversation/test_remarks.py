"""Remarks as diagnostics: a flood of one kind is cut, for the paste and for each conversation by itself."""

from __future__ import annotations

from collections import Counter

import pytest
from routing_workbench.core.conversation.diagnostics import Severity
from routing_workbench.core.conversation.positions import Lines, place_at
from routing_workbench.core.conversation.remarks import Remark, settle


def warning(conversation=None, code="odd"):
    """A remark on a conversation, or on the paste."""
    return Remark(Severity.WARNING, code, "This is odd.", conversation=conversation)


def found(remarks):
    """The diagnostics of these remarks."""
    return settle(remarks, lambda paths: {})


def test_each_conversation_has_its_own_remarks():
    """Whatever others had before it."""
    said = found([warning(at) for at in range(500)])
    assert Counter(one.conversation for one in said) == dict.fromkeys(range(500), 1)


def test_a_flood_in_one_conversation_is_cut_there():
    """And counted there."""
    said = found([warning(0) for _ in range(30)] + [warning(1)])
    assert Counter(one.conversation for one in said) == {0: 21, 1: 1}
    assert [one.message for one in said if " more like " in one.message] == [
        "Conversation 1: 10 more like \u201cThis is odd.\u201d"
    ]


def test_a_flood_of_the_paste_as_a_whole_is_cut():
    """Of each kind by itself."""
    said = found([warning() for _ in range(25)] + [warning(code="strange")])
    assert Counter(one.code for one in said) == {"odd": 21, "strange": 1}


@pytest.mark.parametrize("offsets", [1, 1000])
def test_places_of_many_offsets_are_those_of_one(offsets):
    """Looked up or counted."""
    text = "ab\n\ncd\r\n\u00e4\n" * 3
    lines = Lines(text, offsets)
    places = [lines.place(at, at + 1, "x") for at in range(len(text) + 1)]
    assert places == [place_at(text, at, at + 1, "x") for at in range(len(text) + 1)]
