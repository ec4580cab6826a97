"""What a session reads: conversations of a paste, formats, files and attempts."""

from __future__ import annotations

import json

import pytest
from routing_workbench.core.conversation.read import read
from routing_workbench.core.conversation.reading import Reading
from routing_workbench.core.vgr.evidence import Ending, OriginKind, Rung
from routing_workbench.widgets.screen import RunState
from routing_workbench.workbench import intake as intake_module

EMPTY = RunState.EMPTY
IDLE = RunState.IDLE
DONE = RunState.DONE


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def rungs(screen):
    """The names of what was asked."""
    return [row.rung for row in screen.asked]


@pytest.fixture
def several(monkeypatch, chat):
    """Reading gives two conversations."""

    def both(text, *, force=None, previous=None):
        first, second = (read(chat(("user", f"{which} {text}"))) for which in ("First", "Second"))
        return Reading(first.conversations + second.conversations, first.format, first.candidates, ())

    monkeypatch.setattr(intake_module, "read", both)


@pytest.mark.usefixtures("several")
def test_of_several_conversations_none_is_routed_before_the_choice(opened):
    """Guessing would show the route of another conversation."""
    session, _ = opened(text="question")
    assert (session.screen.state, session.screen.chosen, session.screen.derived) == (IDLE, None, None)
    assert session.screen.remark == "choose a conversation"


@pytest.mark.usefixtures("several")
def test_the_chosen_conversation_is_routed(opened):
    """Counted from 0."""
    session, _ = opened(text="question")
    session.choose_conversation(1)
    screen = settled(session).screen
    assert (screen.state, screen.chosen) == (DONE, 1)
    assert screen.derived.capabilities.task_text == "Second question"


@pytest.mark.usefixtures("several")
@pytest.mark.parametrize("index", [-1, 2])
def test_a_conversation_that_is_none_is_refused_in_words(opened, index):
    """The one that was chosen stays."""
    session, _ = opened(text="question")
    session.choose_conversation(0)
    settled(session)
    session.choose_conversation(index)
    screen = settled(session).screen
    assert screen.failure.what == f"There is no conversation {index}; the paste holds 2, counted from 0."
    assert screen.chosen == 0


def test_a_forced_format_stays_while_the_text_is_edited(opened, talk):
    """It was chosen for this paste."""
    session, _ = opened(text=talk)
    session.force_format("plain-prompt")
    assert settled(session).screen.reading.format.name == "plain-prompt"
    session.set_text(talk + " ")
    assert settled(session).screen.reading.format.name == "plain-prompt"


def test_a_forced_format_ends_with_none_and_with_another_source(opened, talk):
    """Then the format is detected again."""
    session, _ = opened(text=talk)
    session.force_format("plain-prompt")
    session.force_format(None)
    assert settled(session).screen.reading.format.name == "openai-chat-request"
    session.force_format("plain-prompt")
    session.set_text(talk, "talk.json")
    assert settled(session).screen.reading.format.name == "openai-chat-request"


def test_a_format_forced_before_a_text_leaves_the_bench_empty(opened, talk):
    """And is used for the text that comes."""
    session, _ = opened()
    session.force_format("plain-prompt")
    assert settled(session).screen.state is EMPTY
    session.set_text(talk)
    assert settled(session).screen.reading.format.name == "plain-prompt"


def test_a_pasted_attempt_can_be_left_in_the_conversation(opened, talk):
    """Then the local tier writes one, and the screen says who did."""
    session, _ = opened(text=talk)
    assert session.screen.derived.attempt_origin is None
    session.set_controls(pasted_attempt=False)
    screen = settled(session).screen
    assert screen.derived.attempt_origin.kind is OriginKind.MOCK
    assert len(screen.derived.request.messages) == 2
    assert rungs(screen)[0] is Rung.ATTEMPT


def test_a_tool_call_that_was_cut_off_is_malformed(opened):
    """By the stop reason in the pasted body."""
    content = [{"type": "tool_use", "id": "t1", "name": "read", "input": {"path": "a.py"}}]
    body = {"type": "message", "role": "assistant", "content": content, "stop_reason": "max_tokens"}
    session, _ = opened(text=json.dumps(body))
    assert session.screen.outcome.ending is Ending.MALFORMED_TOOL_CALL


def test_a_file_is_read_with_its_name(opened, tmp_path, talk):
    """Beside the session's thread."""
    path = tmp_path / "talk.json"
    path.write_text(talk, encoding="utf-16")
    session, _ = opened()
    session.open_path(path)
    assert settled(session).screen.source_name == "talk.json"
    assert session.screen.derived.capabilities.attempt == "It is about tides."
    assert session.text == talk
