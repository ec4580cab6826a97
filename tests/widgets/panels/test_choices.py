"""Conversations to choose from, and the remarks on the one that was chosen."""

from __future__ import annotations

import json
import re

import pytest
from routing_workbench.core.conversation.read import read
from routing_workbench.widgets.files import Listing
from routing_workbench.widgets.panels import START, View, conversation_details, looked
from routing_workbench.widgets.screen import RunState, Screen

BAD_CALL = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{"}}


class Titles:
    """A list of conversations by their titles."""

    def __init__(self, titles, problems=()):
        self._titles, self._problems = titles, dict(problems)

    def __len__(self):
        """How many."""
        return len(self._titles)

    def title(self, index):
        """What it is called."""
        return self._titles[index]

    def size(self, index):
        """How long it is."""
        return f"{index + 1} lines"

    def problem(self, index):
        """What is wrong with it."""
        return self._problems.get(index, "")

    def found(self, words):
        """Those with these words."""
        return [index for index, title in enumerate(self._titles) if words.casefold() in title.casefold()]


def rows(html):
    """The titles of the rows."""
    return re.findall(r'<li data-k="c\d+"><button[^>]*>(.*?)</button>', html)


@pytest.fixture
def several():
    """Twelve conversations, each with a call that is cut off."""
    return read(
        "\n".join(
            json.dumps(
                {
                    "messages": [
                        {"role": "user", "content": f"Question {number}"},
                        {"role": "assistant", "content": "", "tool_calls": [BAD_CALL]},
                    ]
                }
            )
            for number in range(12)
        )
    )


def test_each_conversation_says_how_long_it_is_and_what_was_remarked(several):
    """So the one with the problem is found."""
    html = conversation_details(Screen(RunState.IDLE, reading=several))
    assert rows(html) == [f"Question {number}" for number in range(12)]
    assert html.count("2 messages, 1 warning") == 12


def test_the_list_is_filtered_by_title(several):
    """In any case."""
    view = looked(START, "conversations:search", "", "QUESTION 1")
    html = conversation_details(Screen(RunState.IDLE, reading=several), view)
    assert rows(html) == ["Question 1", "Question 10", "Question 11"]
    assert "No title holds this." in conversation_details(
        Screen(RunState.IDLE, reading=several), View(conversation_search="zebra")
    )


def test_a_chosen_conversation_has_all_of_its_own_remarks(several):
    """The last one too: a flood of others takes nothing away. Those are counted."""
    html = conversation_details(Screen(RunState.IDLE, reading=several, chosen=11))
    assert html.count('<li data-k="d') == 1
    assert html.count("Conversation 12: ") == 1
    assert "11 remarks on other conversations." in html


def test_a_large_file_is_a_list():
    """With its size, and what is wrong with it."""
    listing = Listing("a.jsonl", Titles(["One", "<b>Two"], {1: "line 7: no JSON object"}), 104_857_600, ("One line.",))
    html = conversation_details(Screen(RunState.STALE, listing=listing))
    assert "2 conversations in a.jsonl, 104.9 MB. Choose one to load it." in html
    assert rows(html) == ["One", "&lt;b&gt;Two"]
    assert "2 lines, line 7: no JSON object" in html
    assert "One line." in html
    assert 'data-act="choose-listed" data-k="1" value="1"' in html


def test_a_long_list_goes_on_behind_a_button():
    """So many rows at a time."""
    listing = Listing("a.jsonl", Titles([f"Talk {number}" for number in range(1_000)]), 1, chosen=3)
    html = conversation_details(Screen(RunState.IDLE, listing=listing))
    assert len(rows(html)) == 200
    assert "Show 200 more" in html
    assert "Number 4 is loaded." in html
    assert html.count('aria-pressed="true"') == 1
    assert len(rows(conversation_details(Screen(RunState.IDLE, listing=listing), View(conversation_rows=400)))) == 400
