"""Transcripts and bare prompts (SPEC 1)."""

from __future__ import annotations

import pytest
from routing_workbench.core.conversation import Reading, read
from routing_workbench.core.conversation.model import Text, text_of


def turns(found: Reading) -> list[tuple[str, str]]:
    """Role and text of each turn."""
    (conversation,) = found.conversations
    return [(str(m.role), text_of(m.content)) for m in conversation.request.turns]


@pytest.mark.parametrize(
    "text",
    [
        "User: hi\nAssistant: hello\nUser: bye",
        "Human: hi\n\nAI: hello\n\nHuman: bye\n",
        "user: hi\r\nassistant: hello\r\nuser: bye\r\n",
        "## User\n\nhi\n\n## Assistant\n\nhello\n\n---\n\n## User\n\nbye\n",
        "### Human:\nhi\n### Assistant:\nhello\n### Human:\nbye",
        "**User:** hi\n\n**Assistant:** hello\n\n**User:** bye",
        "**User**: hi\n**Assistant**: hello\n**User**: bye",
        "**User**\n\nhi\n\n**Assistant**\n\nhello\n\n**User**\n\nbye",
        "## \U0001f9d1 User\nhi\n## \U0001f916 Assistant (gpt-x)\nhello\n## \U0001f9d1 User\nbye",
        "USER: hi\nASSISTANT (10:32): hello\nUSER: bye",
        "[user] hi\n[assistant] hello\n[user] bye",
        "You said:\nhi\nChatGPT said:\nhello\nYou said:\nbye",
    ],
)
def test_speaker_lines_cut_the_text(text: str) -> None:
    """Each style of speaker line gives the same three turns."""
    found = read(text)
    assert found.format is not None
    assert found.format.name == "plain-transcript"
    assert turns(found) == [("user", "hi"), ("assistant", "hello"), ("user", "bye")]


@pytest.mark.parametrize(
    "text",
    [
        "What is 6 x 7?",
        "AI: threat or promise?",
        "user: bob\nagent: curl",
        "Summarise this talk:\nUser: a\nAssistant: b",
        "{name} is a placeholder, what for?",
        "{{user}} likes tea",
        "{% if x %} what is this?",
        "[link](https://x.example) what is behind it?",
        "[1] According to the paper, what holds?",
        '{"a": 1} why is this valid?',
        '["a", "b"] sort this list',
        "42",
        '"quoted"',
        "null",
        "- a\n- b",
    ],
)
def test_prose_is_one_user_message(text: str) -> None:
    """A prompt stays whole, whatever it starts with."""
    found = read(text)
    assert found.format is not None
    assert found.format.name == "plain-prompt"
    assert turns(found) == [("user", text)]


def test_a_name_inside_a_fence_is_text() -> None:
    """A code fence hides speaker lines, and an open fence hides nothing."""
    closed = "User: a\nAssistant: b\n```\nUser: c\n```\nd"
    assert turns(read(closed)) == [("user", "a"), ("assistant", "b\n```\nUser: c\n```\nd")]
    open_fence = "User: a\n```\nAssistant: b"
    assert turns(read(open_fence)) == [("user", "a\n```"), ("assistant", "b")]


def test_a_transcript_keeps_to_the_style_of_its_first_speaker_line() -> None:
    """Names in another style are text."""
    assert turns(read("## User\nUser: x\n## Assistant\n# User\ny")) == [("user", "User: x"), ("assistant", "# User\ny")]


def test_places_select_the_turn_in_the_paste() -> None:
    """Line, column and offsets cover the speaker line and its text."""
    text = "User: hi\nAssistant: hello\n  there"
    (conversation,) = read(text).conversations
    place = conversation.places[1]
    assert (place.line, place.column) == (2, 1)
    assert text[place.start : place.end] == "Assistant: hello\n  there"


def test_inner_indentation_and_blank_lines_survive() -> None:
    """Only the white space around a turn goes."""
    assert turns(read("User:\n\n    a\n\n    b\n\nAssistant: c"))[0] == ("user", "    a\n\n    b")


def test_a_last_name_without_text_is_no_turn() -> None:
    """The cue of a completion prompt is noted and left out."""
    found = read("Human: hi\n\nAssistant:")
    assert turns(found) == [("user", "hi")]
    assert "empty-cue" in [d.code for d in found.diagnostics]


def test_text_in_front_is_kept_aside() -> None:
    """A title before the first heading belongs to no turn and is not lost."""
    found = read("# My chat\n\n## User\nhi\n## Assistant\nhello")
    assert turns(found) == [("user", "hi"), ("assistant", "hello")]
    assert found.conversations[0].extras == {"text in front": "# My chat"}
    assert "text-in-front" in [d.code for d in found.diagnostics]


def test_forcing_the_prompt_takes_the_paste_whole() -> None:
    """A transcript, a JSON document and broken JSON can each be routed as they stand."""
    for text in ("User: a\nAssistant: b", '{"messages": []}', '{"a": '):
        found = read(text, force="plain-prompt")
        (conversation,) = found.conversations
        assert conversation.request.messages[0].content == (Text(text.strip()),)
        assert not found.failed
