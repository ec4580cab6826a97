"""What a path or a long text gives the bench: one text that is read, or a list of conversations."""

from __future__ import annotations

import json
import os
import threading

import pytest
from routing_workbench.workbench.files import opening as opening_module
from routing_workbench.workbench.files.headway import Headway
from routing_workbench.workbench.files.opening import open_listed, open_path, open_text
from routing_workbench.workbench.files.refusal import NotOpened


@pytest.fixture
def small(monkeypatch):
    """Files of 200 bytes and more are large."""
    monkeypatch.setattr(opening_module, "LISTED_FROM", 200)


def test_a_file_is_read_as_what_it_is(written, chats):
    """With its name."""
    opened = open_path(written(chats[:1], "talk.json"), Headway())
    assert (opened.name, opened.large) == ("talk.json", None)
    assert opened.reading.format.name == "openai-chat-request"
    assert json.loads(opened.text) == chats[0]


def test_a_short_file_of_several_is_read_whole(written, chats):
    """It is a list of a paste then."""
    opened = open_path(written(chats), Headway())
    assert opened.large is None
    assert len(opened.reading.conversations) == 3


@pytest.mark.usefixtures("small")
def test_a_large_file_of_several_is_listed(written, chats):
    """None of its conversations is loaded."""
    opened = open_path(written(chats), Headway())
    assert (opened.text, opened.reading) == ("", None)
    assert (opened.large.listing.name, opened.large.listing.bytes, opened.large.listing.chosen) == (
        "talks.jsonl",
        306,
        None,
    )
    one = open_listed(opened.large, 1, None, Headway())
    assert json.loads(one.text) == chats[1]
    assert [len(found.request.messages) for found in one.reading.conversations] == [1]


@pytest.mark.usefixtures("small")
def test_a_large_file_of_one_conversation_is_read_whole(written):
    """A list of one is no choice."""
    opened = open_path(written([{"role": "user", "content": f"Say {at}"} for at in range(20)]), Headway())
    assert opened.large is None
    assert [len(one.request.messages) for one in opened.reading.conversations] == [20]


@pytest.mark.usefixtures("small")
def test_a_large_text_of_several_is_listed(written, chats):
    """What was dropped in the browser has no path."""
    text = "\n".join(map(json.dumps, chats))
    opened = open_text(text, "dropped.jsonl", None, None, Headway())
    assert (opened.large.listing.name, len(opened.large.index)) == ("dropped.jsonl", 3)
    assert json.loads(open_listed(opened.large, 2, None, Headway()).text) == chats[2]


@pytest.mark.usefixtures("small")
def test_a_large_text_that_is_forced_is_read_whole(chats):
    """As the format that was asked for."""
    text = "\n".join(map(json.dumps, chats))
    opened = open_text(text, "", "plain-prompt", None, Headway())
    assert opened.large is None
    assert opened.reading.format.name == "plain-prompt"


@pytest.mark.usefixtures("small")
def test_a_large_document_is_read_whole(tmp_path, chats):
    """Up to the limit."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps(chats, indent=2), encoding="utf-8")
    assert len(open_path(path, Headway()).reading.conversations) == 3


def test_a_pipe_is_read(tmp_path, chats):
    """What a program writes to it."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_text(json.dumps(chats[0]), encoding="utf-8"))
    writer.start()
    opened = open_path(path, Headway())
    writer.join(10)
    assert (opened.name, len(opened.reading.conversations)) == ("pipe", 1)


@pytest.mark.usefixtures("small")
def test_a_listed_file_that_changed_is_said_when_one_is_chosen(written, chats):
    """Its lines may stand elsewhere."""
    path = written(chats)
    opened = open_path(path, Headway())
    path.write_text("\n".join(map(json.dumps, chats[1:])), encoding="utf-8")
    with pytest.raises(NotOpened, match="not the file it was"):
        open_listed(opened.large, 1, None, Headway())
    path.unlink()
    with pytest.raises(NotOpened, match="went away"):
        open_listed(opened.large, 1, None, Headway())
