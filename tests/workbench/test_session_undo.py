"""Editing on the bench, and going back: to before an edit, and to a paste that something else took the place of."""

from __future__ import annotations

import json
import threading

import pytest
from routing_workbench.core.conversation.read import read
from routing_workbench.widgets.screen import Edits, RunState
from routing_workbench.workbench import history as history_module
from routing_workbench.workbench import intake as intake_module
from routing_workbench.workbench import on_the_way
from routing_workbench.workbench.examples import example, examples
from routing_workbench.workbench.files import opening as opening_module

NAME = examples()[0][0]


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def task(session):
    """What is on the bench, by its task."""
    return settled(session).screen.derived.capabilities.task_text


def test_an_edit_routes_again(opened, talk):
    """The text stays as it was pasted; the run says what changed."""
    session, watch = opened(text=talk)
    watch.clear()
    session.edit_message(0, 0, "Sum up that memo.")
    assert task(session) == "Sum up that memo."
    assert session.screen.state is RunState.DONE
    assert session.text == talk
    assert session.screen.edits == Edits(2, 0, "the edit of message 1", (0,), 1)
    assert session.screen.reading.edits == 1
    assert session.result.record()["reading"]["edits"] == 1
    assert "that memo" not in session.result.to_json()


def test_a_driver_that_sends_waits_and_says_what_was_edited(opened, live, talk):
    """As with any other input."""
    session, _ = opened(live(), talk)
    session.run()
    settled(session)
    session.edit_message(1, 0, "It is about rain.")
    screen = settled(session).screen
    assert (screen.state, screen.remark) == (RunState.STALE, "message 2 edited")
    session.remove_message(1)
    assert settled(session).screen.remark == "message 2 removed"
    session.undo()
    assert settled(session).screen.remark == "the removal of message 2 undone"


def test_undo_and_redo_of_an_edit(opened, talk):
    """The very conversation that was read comes back."""
    session, _ = opened(text=talk)
    read_one = session.screen.reading.conversations[0]
    session.edit_message(0, 0, "Other.")
    session.undo()
    assert task(session) == "Sum up this memo."
    assert session.screen.reading.conversations[0] is read_one
    assert (session.screen.edits.undo, session.screen.edits.redo, session.screen.edits.count) == (1, 1, 0)
    session.redo()
    assert task(session) == "Other."
    assert session.screen.edits.count == 1


def test_an_edit_that_changes_nothing_is_no_step(opened, talk):
    """Nothing is asked again."""
    session, _ = opened(text=talk)
    before = session.result
    session.edit_message(0, 0, "Sum up this memo.")
    assert settled(session).screen.edits.undo == 1
    assert session.result is before


def test_an_edit_that_cannot_be_made_is_said(opened, talk):
    """All else stays."""
    session, _ = opened(text=talk)
    session.edit_message(7, 0, "x")
    screen = settled(session).screen
    assert "no part of the paste" in screen.notice.what
    assert (screen.state, screen.edits.undo) == (RunState.DONE, 1)
    session.tell(None)
    assert settled(session).screen.notice is None


def test_an_example_takes_no_paste_away(opened, talk):
    """Its text, its edits and its place in a list of several come back with one step."""
    two = json.dumps([json.loads(talk), {"messages": [{"role": "user", "content": "Second question"}]}])
    session, _ = opened(text=two)
    session.choose_conversation(1)
    session.edit_message(0, 0, "Third question")
    assert task(session) == "Third question"
    session.choose_example(NAME)
    assert settled(session).screen.source_name == NAME
    assert session.screen.edits.words == f"the choice of {NAME}"
    session.undo()
    assert task(session) == "Third question"
    assert (session.text, session.screen.chosen, session.screen.source_name) == (two, 1, "")
    assert session.screen.edits.count == 1
    session.redo()
    assert settled(session).text == example(NAME)


def test_removing_the_text_can_be_undone(opened, talk):
    """And back to the empty bench."""
    session, _ = opened(text=talk)
    session.set_text("", typed=True)
    assert settled(session).screen.state is RunState.EMPTY
    session.undo()
    assert task(session) == "Sum up this memo."
    session.undo()
    assert (settled(session).screen.state, session.text) == (RunState.EMPTY, "")
    session.undo()
    assert settled(session).screen.edits.undo == 0


def test_typing_is_one_step(opened, talk):
    """Whatever was typed in between; a paste begins another."""
    session, _ = opened(text=talk)
    for end in ("a", "ab", "abc"):
        session.set_text(talk.replace("memo", f"memo {end}"), typed=True)
        settled(session)
    assert task(session) == "Sum up this memo abc."
    assert (session.screen.edits.undo, session.screen.edits.words) == (2, "typing")
    session.undo()
    assert task(session) == "Sum up this memo."
    session.set_text(talk.replace("memo", "memo z"), typed=True)
    settled(session)
    session.undo()
    assert task(session) == "Sum up this memo."


def test_another_conversation_of_the_paste_takes_no_edit_away(opened, talk):
    """Without edits, choosing is no step."""
    session, _ = opened(text=json.dumps([json.loads(talk), json.loads(talk.replace("Sum up", "Praise"))]))
    session.choose_conversation(0)
    session.choose_conversation(1)
    assert settled(session).screen.edits.undo == 1
    session.edit_message(0, 0, "Mine.")
    session.choose_conversation(0)
    assert task(session) == "Sum up this memo."
    session.undo()
    assert task(session) == "Mine."


def test_another_format_takes_no_edit_away(opened, talk):
    """It is one step back."""
    session, _ = opened(text=talk)
    session.edit_message(0, 0, "Mine.")
    session.force_format("plain-prompt")
    assert settled(session).screen.reading.format.name == "plain-prompt"
    session.undo()
    assert task(session) == "Mine."
    assert session.screen.reading.format.name != "plain-prompt"


@pytest.mark.parametrize("typed", [False, True])
def test_a_paste_that_is_passed_over_can_be_gone_back_to(monkeypatch, opened, chat, typed):
    """What was typed in the same moment is one with what is typed on."""
    began, go = threading.Event(), threading.Event()

    def slow(text, **keywords):
        began.set()
        assert go.wait(10)
        return read(text, **keywords)

    monkeypatch.setattr(intake_module, "read", slow)
    session, _ = opened()
    session.set_text(chat(("user", "First")))
    assert began.wait(30)
    session.set_text(chat(("user", "Second")), typed=typed)
    session.set_text(chat(("user", "Third")))
    go.set()
    assert task(session) == "Third"
    session.undo()
    assert task(session) == ("First" if typed else "Second")


def test_the_oldest_pastes_go_first(monkeypatch, opened, chat):
    """By number, and by length."""
    monkeypatch.setattr(history_module, "TEXTS", 3)
    session, _ = opened()
    for number in range(6):
        session.set_text(chat(("user", f"Question {number}")))
        settled(session)
    assert session.screen.edits.undo == 3
    monkeypatch.setattr(history_module, "CHARS", 10)
    session.set_text(chat(("user", "The last one")))
    assert settled(session).screen.edits.undo == 1
    session.undo()
    assert task(session) == "Question 5"


@pytest.fixture
def long(monkeypatch, chat):
    """Texts over 150 characters count as long, and are read when `go` is set; short ones as ever."""
    began, go = threading.Event(), threading.Event()
    monkeypatch.setattr(intake_module, "AT_ONCE", 150)
    monkeypatch.setattr(on_the_way, "REVEAL_AFTER", 0.0)

    def slow(text, **keywords):
        began.set()
        assert go.wait(10)
        return read(text, **keywords)

    monkeypatch.setattr(opening_module, "read", slow)

    class Long:
        text = chat(("user", "Long " + "a" * 200))

    Long.began, Long.go = began, go
    return Long


def test_a_long_paste_is_read_beside_the_thread(opened, long, talk):
    """What was there stays until it is there, and the session goes on."""
    session, watch = opened(text=talk)
    session.set_text(long.text)
    shown = watch.until(lambda screen: screen.opening is not None and screen.opening.stage == "parsing")
    assert shown.derived.capabilities.task_text == "Sum up this memo."
    assert session.text == long.text
    session.edit_message(0, 0, "Meanwhile.")
    assert watch.until(lambda screen: screen.edits.count == 1).opening is not None
    long.go.set()
    assert task(session).startswith("Long aaa")
    assert session.screen.opening is None
    session.undo()
    assert task(session) == "Meanwhile."


def test_cancelling_a_long_paste_keeps_what_was_there(opened, long, talk):
    """And the paste can be gone forward to."""
    session, _ = opened(text=talk)
    session.set_text(long.text)
    assert long.began.wait(30)
    session.cancel()
    assert task(session) == "Sum up this memo."
    assert (session.text, session.screen.opening) == (talk, None)
    assert session.screen.notice.what == "Opening the paste was cancelled. What was there before stands."
    assert (session.screen.edits.undo, session.screen.edits.redo) == (1, 1)
    long.go.set()
    session.redo()
    assert task(session).startswith("Long aaa")


def test_a_long_paste_that_is_overtaken_can_be_gone_back_to(opened, long, talk, chat):
    """The last input wins, and nothing pasted is lost."""
    session, _ = opened(text=talk)
    session.set_text(long.text)
    assert long.began.wait(30)
    session.set_text(chat(("user", "Short")))
    assert task(session) == "Short"
    long.go.set()
    session.undo()
    assert task(session).startswith("Long aaa")
    session.undo()
    assert task(session) == "Sum up this memo."


def test_a_long_paste_comes_back_where_the_file_after_it_cannot_be_opened(opened, long, talk, tmp_path):
    """It was on its way, and is again."""
    session, _ = opened(text=talk)
    session.set_text(long.text)
    assert long.began.wait(30)
    session.open_path(tmp_path / "none.json")
    long.go.set()
    assert task(session).startswith("Long aaa")
    assert "There is no file" in session.screen.notice.what


def test_undoing_while_a_long_paste_is_read_leaves_it(opened, long, talk):
    """That is the last step."""
    session, _ = opened(text=talk)
    session.set_text(long.text)
    assert long.began.wait(30)
    session.undo()
    assert task(session) == "Sum up this memo."
    assert session.text == talk
    long.go.set()
