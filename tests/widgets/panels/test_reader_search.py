"""Searching rows: in any case, over all they say, with the places of each match in the text as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.conversation.model import Media, Reasoning, Text, ToolCall, ToolResult
from routing_workbench.widgets.panels.reader_parts import block_text
from routing_workbench.widgets.panels.reader_rows import About, Kind, Row
from routing_workbench.widgets.panels.reader_search import found_in, hits


def row(*content):
    """A row of these blocks."""
    return Row(1, content, About("user", "user", Kind.USER, 0, {}, {}, {}, (), None), 0)


def test_rows_are_counted_by_their_matches():
    """Those without one are left out."""
    made = [row(Text("Tide, tide")), row(Text("low water")), row(Text("TIDE"))]
    assert found_in(made, "tide") == [(0, 2), (2, 1)]


def test_nothing_is_sought_by_an_empty_text():
    """Which would be everywhere."""
    assert (found_in([row(Text("a"))], ""), hits(row(Text("a")), "")) == ([], [])


def test_all_that_is_said_is_searched():
    """Texts, names and arguments of calls, results, reasoning; not media."""
    one = row(
        Text("tide"),
        Reasoning("tide"),
        ToolCall("c", "tide", {"tide": 1}),
        ToolResult("c", (Text("tide"),)),
        Media("image", "tide"),
    )
    assert found_in([one], "tide") == [(0, 5)]
    assert [block for block, _, _ in hits(one, "tide")] == [0, 1, 2, 2, 3]


@pytest.mark.parametrize(
    ("text", "sought", "found"),
    [
        ("Straße und STRASSE", "strasse", ["Straße", "STRASSE"]),
        ("İİ abc İ", "abc", ["abc"]),
        ("ﬁne ﬁnd", "find", ["ﬁnd"]),
        ("😀 tide 😀 Tide", "tide", ["tide", "Tide"]),
        ("ΣΊΣΥΦΟΣ", "σίσυφος", ["ΣΊΣΥΦΟΣ"]),
    ],
)
def test_matches_stand_where_they_are_in_the_text(text, sought, found):
    """Also where a character becomes two without its case."""
    one = row(Text(text))
    assert [text[start:end] for _, start, end in hits(one, sought)] == found


@given(text=st.text(max_size=40), sought=st.text(min_size=1, max_size=4))
def test_every_match_holds_what_was_sought(text, sought):
    """For any text; as many as were counted."""
    one = row(Text(text))
    made = hits(one, sought)
    assert [(0, len(made))] * bool(made) == found_in([one], sought)
    for _, start, end in made:
        assert sought.casefold() in block_text(one, 0)[start:end].casefold()
