"""The conversation on the bench in another format: as text, to the clipboard, and only where there is one."""

from __future__ import annotations

import json

import pytest
from routing_workbench import Workbench
from routing_workbench.core.conversation.read import read
from routing_workbench.widgets.act import Act
from routing_workbench.widgets.panels import conversation

TALK = json.dumps({"messages": [{"role": "user", "content": "Why is the sky blue?"}], "temperature": 0.5})


@pytest.fixture
def bench():
    """A bench with a conversation."""
    made = Workbench(TALK)
    assert made._session.wait(30)
    yield made
    made.close()


@pytest.mark.parametrize("name", ["openai-chat", "anthropic", "normalized"])
def test_an_export_reads_back_as_it_was_edited(bench, name):
    """With the edits."""
    bench.edit_message(0, 0, "Why is it red?")
    assert bench._session.wait(30)
    found = read(bench.export(name))
    assert found.conversations[0].request.messages[0].content[0].text == "Why is it red?"


def test_a_format_that_is_none_is_refused(bench):
    """Naming those there are."""
    with pytest.raises(ValueError, match="Use one of openai-chat, anthropic, normalized"):
        bench.export("gemini")


def test_without_a_conversation_there_is_nothing_to_export():
    """It says what to do."""
    bench = Workbench()
    try:
        with pytest.raises(RuntimeError, match="Paste one"):
            bench.export("normalized")
        bench._layout.surfaces["bar"]._on_act(Act("copy-normalized"))
        assert bench._errors == [("There is no conversation on the bench. Paste one, or choose one of the paste.", "")]
    finally:
        bench.close()


@pytest.mark.parametrize("act", [act for _, act in conversation._COPIES])
def test_the_buttons_copy(bench, act):
    """And say how much, and what the format cannot hold."""
    copied = []
    object.__setattr__(bench._layout.surfaces["bar"], "copy_text", copied.append)
    bench._on_act(Act(act))
    assert bench._session.wait(30)
    assert copied == [bench.export(act.removeprefix("copy-"))]
    assert bench.screen.notice.what == f"Copied {len(copied[0]):,} chars."


def test_a_saved_page_says_that_the_conversation_was_edited(bench):
    """By a count, never the text."""
    bench.edit_message(0, 0, "Why is it red?")
    assert bench._session.wait(30)
    page = bench._page()
    assert ", 1 edit by hand. " in page["text/plain"]
    assert "Of an edited conversation: 1 edit by hand." in page["text/html"]
    assert "Why is it red?" not in page["text/html"]


def test_steps_back_put_the_text_into_the_editor(bench):
    """The one that was replaced."""
    name = bench.screen.examples[0][0]
    bench._on_act(Act("example", "", name))
    assert bench._session.wait(30)
    assert bench._painter.settle(30)
    assert bench._layout.paste.text != TALK
    bench.undo()
    assert bench._session.wait(30)
    assert bench._painter.settle(30)
    assert bench._layout.paste.text == TALK
    bench.redo()
    assert bench._session.wait(30)
    assert bench.screen.source_name == name
