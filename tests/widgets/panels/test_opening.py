"""A file on its way, what came of the last one, and the steps back, in the Conversation panel and the bar."""

from __future__ import annotations

import pytest
from routing_workbench.widgets.files import Notice, Opening, Stage
from routing_workbench.widgets.panels import START, View, bar, conversation_details, conversation_head, looked
from routing_workbench.widgets.screen import Edits, RunState, Screen

EMPTY = Screen(RunState.EMPTY)


def on_its_way(stage, done=0, total=None):
    """A screen with a file on its way for 1.2 s."""
    return Screen(RunState.EMPTY, opening=Opening("a<b>.jsonl", stage, 1.2, done, total))


@pytest.mark.parametrize(
    ("screen", "says"),
    [
        (on_its_way(Stage.READING, 3_200_000, 10_400_000), "Reading a&lt;b&gt;.jsonl, 3.2 of 10.4 MB, "),
        (on_its_way(Stage.READING, 3_200_000), "Reading a&lt;b&gt;.jsonl, 3.2 MB so far, "),
        (
            on_its_way(Stage.LISTING, 0, 1_048_000_000),
            "Listing the conversations of a&lt;b&gt;.jsonl, 0.0 of 1,048.0 MB, ",
        ),
        (
            on_its_way(Stage.PARSING, 0, 12_000_000),
            "Finding the format of a&lt;b&gt;.jsonl, and reading it as that, 12.0 MB, ",
        ),
    ],
)
def test_how_far_it_is_is_said_in_the_panel_and_the_bar(screen, says):
    """With a clock that the browser goes on with, and a way to leave it."""
    clock = '<span data-clock="1.200" data-k="opening-clock">1.2 s</span>'
    for html in (conversation_details(screen), bar(screen)):
        assert says + clock in html
        assert 'data-act="cancel"' in html


def test_bytes_are_a_bar_while_they_are_known():
    """Of reading a format nobody knows how far it is."""
    assert '<progress max="10" value="4" aria-label="Bytes read">' in conversation_details(
        on_its_way(Stage.LISTING, 4, 10)
    )
    assert "<progress" not in conversation_details(on_its_way(Stage.PARSING, 0, 10))
    assert "<progress" not in conversation_details(on_its_way(Stage.READING, 4))


def test_a_failure_is_said_with_the_next_step():
    """It can be closed."""
    html = conversation_details(Screen(RunState.EMPTY, notice=Notice("<i> is a folder.", "Name one file in it.")))
    assert 'role="alert"' in html
    assert "&lt;i&gt; is a folder. Name one file in it." in html
    assert 'data-act="close-notice"' in html


def test_what_was_done_is_no_alarm():
    """A copy, a cancelled file."""
    html = conversation_details(Screen(RunState.EMPTY, notice=Notice("Copied 12 chars.", failed=False)))
    assert 'role="alert"' not in html
    assert 'class="sev error"' not in html


def test_an_empty_bench_has_no_details():
    """The editor says what to do."""
    assert conversation_details(EMPTY) == ""


def test_what_can_be_taken_back_is_said():
    """And how many edits lie over the paste."""
    html = conversation_details(Screen(RunState.EMPTY, edits=Edits(3, 0, "the edit of message 33", (32,), 2)))
    assert ">2 edits<" in html
    assert 'title="Undo the edit of message 33"' in html
    assert 'title="Nothing to redo."' in html
    assert "takes back the edit of message 33" in html


def test_a_removed_text_can_be_taken_back():
    """Though nothing else is on the bench."""
    html = conversation_details(Screen(RunState.EMPTY, edits=Edits(1, 0, "typing")))
    assert "Not edited" in html
    assert 'data-act="undo"' in html


def test_the_field_for_a_path_is_there_when_asked_for():
    """Behind a button of the head."""
    assert "open-path" not in conversation_head(EMPTY)
    view = looked(START, "conversation:path")
    assert view == View(path=True)
    assert 'data-act="open-path"' in conversation_head(EMPTY, view)
    assert 'aria-label="Path on the kernel&#39;s machine"' in conversation_head(EMPTY, view)
    assert looked(view, "conversation:path") == START
