"""Files on the bench: read beside the thread with progress, listed where they are large, and refused in words."""

from __future__ import annotations

import json
import os

import pytest
from routing_workbench.widgets.files import Stage
from routing_workbench.widgets.screen import RunState
from routing_workbench.workbench import on_the_way
from routing_workbench.workbench.files import opening as opening_module


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def task(session):
    """What is on the bench, by its task."""
    return settled(session).screen.derived.capabilities.task_text


@pytest.fixture
def pipe(tmp_path, monkeypatch):
    """A pipe that is open to be written to; what is on its way shows at once."""
    monkeypatch.setattr(on_the_way, "REVEAL_AFTER", 0.0)
    path = tmp_path / "pipe"
    os.mkfifo(path)
    opened = os.open(path, os.O_RDWR)
    yield path, opened
    os.close(opened)


@pytest.fixture
def large(tmp_path, monkeypatch):
    """A file of three conversations that counts as large."""
    monkeypatch.setattr(opening_module, "LISTED_FROM", 100)
    path = tmp_path / "talks.jsonl"
    rows = [{"messages": [{"role": "user", "content": f"Question {number}"}]} for number in range(3)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_progress_is_shown_and_what_was_there_stays(opened, pipe, talk):
    """Bytes read, of how many where that is known."""
    path, to = pipe
    session, watch = opened(text=talk)
    session.open_path(path)
    os.write(to, b"x" * 1000)
    shown = watch.until(lambda screen: screen.opening is not None and screen.opening.done == 1000)
    assert (shown.opening.name, shown.opening.stage, shown.opening.total) == ("pipe", Stage.READING, None)
    assert shown.derived.capabilities.task_text == "Sum up this memo."
    assert (shown.state, session.text) == (RunState.DONE, talk)


def test_cancel_stops_the_reading(opened, pipe, talk):
    """Whoever writes to the pipe finds nobody who reads."""
    path, _ = pipe
    session, watch = opened(text=talk)
    session.open_path(path)
    watch.until(lambda screen: screen.opening is not None)
    session.cancel()
    screen = settled(session).screen
    assert (screen.opening, screen.edits.redo) == (None, 0)
    assert screen.notice.what == "Opening pipe was cancelled. What was there before stands."
    assert (task(session), session.text) == ("Sum up this memo.", talk)


def test_a_text_set_meanwhile_wins(opened, pipe, talk):
    """The last input does."""
    path, _ = pipe
    session, watch = opened()
    session.open_path(path)
    watch.until(lambda screen: screen.opening is not None)
    session.set_text(talk)
    assert task(session) == "Sum up this memo."
    assert session.screen.opening is None


def test_a_second_file_ends_the_first(opened, pipe, tmp_path, talk):
    """Two are never on their way."""
    path, _ = pipe
    session, watch = opened()
    session.open_path(path)
    watch.until(lambda screen: screen.opening is not None)
    (tmp_path / "talk.json").write_text(talk, encoding="utf-8")
    session.open_path(tmp_path / "talk.json")
    assert task(session) == "Sum up this memo."
    assert session.screen.source_name == "talk.json"


@pytest.mark.parametrize(
    ("name", "what"),
    [("none.json", "There is no file"), (".", "is a folder"), ("no.bin", "could not be read")],
)
def test_a_failure_is_a_sentence_and_nothing_is_lost(opened, tmp_path, talk, name, what):
    """With the next step; it goes with the next input."""
    (tmp_path / "no.bin").write_bytes(b"\xff\xfe\xff")
    session, _ = opened(text=talk)
    session.edit_message(0, 0, "Mine.")
    session.open_path(tmp_path / name)
    screen = settled(session).screen
    assert what in screen.notice.what
    assert screen.notice.next_step
    assert (task(session), session.text, screen.state) == ("Mine.", talk, RunState.DONE)
    session.undo()
    assert settled(session).screen.notice is None


def test_a_large_file_is_listed_and_one_is_loaded(opened, large, talk):
    """The result before stays, stale, until one is chosen."""
    session, _ = opened(text=talk)
    session.open_path(large)
    screen = settled(session).screen
    assert [screen.listing.conversations.title(at) for at in range(3)] == ["Question 0", "Question 1", "Question 2"]
    assert (screen.reading, screen.chosen, screen.listing.chosen) == (None, None, None)
    assert (screen.state, screen.remark) == (RunState.STALE, "choose a conversation")
    session.choose_listed(1)
    assert task(session) == "Question 1"
    assert (session.screen.listing.chosen, session.screen.source_name) == (1, "talks.jsonl")
    assert json.loads(session.text)["messages"][0]["content"] == "Question 1"


def test_another_one_is_loaded_without_a_step(opened, large):
    """The file is still there; an edit is one."""
    session, _ = opened()
    session.open_path(large)
    settled(session)
    session.choose_listed(0)
    settled(session)
    session.choose_listed(1)
    assert task(session) == "Question 1"
    assert session.screen.edits.undo == 1
    session.edit_message(0, 0, "Mine.")
    session.choose_listed(2)
    assert task(session) == "Question 2"
    session.undo()
    assert task(session) == "Mine."
    assert session.screen.listing.chosen == 1


def test_the_list_goes_with_another_paste_and_comes_back(opened, large, talk):
    """It is part of what was there."""
    session, _ = opened()
    session.open_path(large)
    settled(session)
    session.choose_listed(2)
    settled(session)
    session.set_text(talk)
    assert settled(session).screen.listing is None
    session.undo()
    assert task(session) == "Question 2"
    assert len(session.screen.listing.conversations) == 3


def test_the_list_stays_while_the_loaded_text_is_typed_over(opened, large):
    """None of it is the chosen one then."""
    session, _ = opened()
    session.open_path(large)
    settled(session)
    session.choose_listed(2)
    text = settled(session).text
    session.set_text(text.replace("Question", "Riddle"), typed=True)
    assert task(session) == "Riddle 2"
    assert session.screen.listing.chosen is None
    session.choose_listed(0)
    assert task(session) == "Question 0"
    session.undo()
    assert task(session) == "Riddle 2"


@pytest.mark.parametrize("index", [-1, 3])
def test_a_conversation_that_is_none_is_refused_in_words(opened, large, index):
    """The list stands."""
    session, _ = opened()
    session.open_path(large)
    settled(session)
    session.choose_listed(index)
    assert settled(session).screen.failure.what == f"There is no conversation {index} in a list."
    assert session.screen.listing is not None


def test_a_screen_holds_no_name_and_no_title_in_its_repr(opened, large):
    """A log may print it."""
    session, _ = opened()
    session.open_path(large)
    settled(session)
    session.choose_listed(1)
    shown = repr(settled(session).screen)
    assert "talks.jsonl" not in shown
    assert "Question" not in shown
