"""The paste editor: the last input wins, long texts are named and not put there, no text is saved."""

from __future__ import annotations

import pytest
from routing_workbench.core.conversation.file_text import NotText, decode
from routing_workbench.widgets.paste import TYPED, Paste


@pytest.fixture
def texts():
    """What was entered: text and file name."""
    return []


@pytest.fixture
def paste(texts):
    """An editor whose messages to the browser are kept in `paste.sent`."""
    made = Paste(lambda text, name, typed: texts.append((text, name, typed) if typed else (text, name)))
    object.__setattr__(made, "sent", [])
    object.__setattr__(made, "send", lambda content, buffers=None: made.sent.append(content))
    yield made
    made.close()


def arrive(paste, content, *buffers):
    """A message from the browser."""
    paste._receive(paste, content, list(buffers))


def test_typed_text_reaches_the_callback(paste, texts):
    """And nothing is sent back: the browser has it."""
    arrive(paste, {"text": "hello", "n": 5})
    assert (texts, paste.text, paste.sent) == ([("hello", "")], "hello", [])


def test_what_was_typed_is_told_from_what_was_pasted(paste, texts):
    """Typing is one step to undo, every paste is one of its own."""
    arrive(paste, {"text": "pasted", "n": 5, "typed": False})
    arrive(paste, {"text": "pasted.", "n": 6, "typed": True})
    assert texts == [("pasted", ""), ("pasted.", "", True)]


def test_an_older_input_is_dropped(paste, texts):
    """Messages may be handled on different threads."""
    arrive(paste, {"text": "new", "n": 6})
    arrive(paste, {"text": "old", "n": 5})
    assert (texts, paste.text) == ([("new", "")], "new")


def test_text_from_python_has_a_higher_number(paste, texts):
    """So the browser takes it over what it has."""
    arrive(paste, {"text": "typed", "n": 5})
    paste.set_text("example")
    assert (paste.sent, texts) == ([{"n": 6, "set": "example"}], [("typed", "")])


def test_what_is_typed_over_it_wins(paste):
    """Input in the same moment: the user's stays on both sides."""
    paste.set_text("example")
    arrive(paste, {"text": "typed", "n": 1})
    assert paste.text == "typed"


def test_a_new_view_gets_limits_and_text(paste):
    """After a page reload."""
    paste.set_text("example")
    paste.sent.clear()
    arrive(paste, {"want": True})
    assert [sorted(message) for message in paste.sent] == [["limits"], ["n", "set"]]


def test_a_long_text_is_named_not_put_there(paste):
    """Editing it would be slow."""
    paste.set_text("x" * (TYPED + 1))
    assert paste.sent == [{"n": 1, "held": "1,000,001 chars, too long to edit here. Type or paste to replace it."}]


def test_saved_state_holds_no_text(paste):
    """Widget state goes into notebooks."""
    paste.set_text("secret words")
    assert "secret words" not in str(paste.get_state())


def test_a_file_arrives_in_pieces(paste, texts):
    """Also where one of them comes late."""
    arrive(paste, {"file": "a.json", "n": 9, "part": 1, "parts": 2}, b"\xa4lo")
    arrive(paste, {"file": "a.json", "n": 9, "part": 0, "parts": 2}, b"h\xc3")
    assert (texts, paste.sent) == ([("h\u00e4lo", "a.json")], [{"n": 10, "set": "h\u00e4lo"}])


def test_a_newer_file_ends_an_older_one(paste, texts):
    """Pieces of two files never mix."""
    arrive(paste, {"file": "a", "n": 1, "part": 0, "parts": 2}, b"a")
    arrive(paste, {"file": "b", "n": 2, "part": 0, "parts": 1}, b"b")
    arrive(paste, {"file": "a", "n": 1, "part": 1, "parts": 2}, b"a")
    assert texts == [("b", "b")]


def test_an_applied_text_stays_in_the_editor(paste, texts):
    """It came from there; nothing is sent back."""
    arrive(paste, {"file": "", "n": 1, "part": 0, "parts": 1}, b"long")
    assert (texts, paste.sent) == ([("long", "")], [])


def test_a_long_paste_that_was_applied_is_named_there(paste, texts):
    """It never was in the text area: there it would hold up the page."""
    text = b"x" * (TYPED + 1)
    arrive(paste, {"file": "", "n": 1, "part": 0, "parts": 1, "held": True}, text)
    assert texts == [(text.decode(), "")]
    assert paste.sent == [{"n": 2, "held": "1,000,001 chars, too long to edit here. Type or paste to replace it."}]


def test_a_file_that_is_no_text_says_so(paste, texts):
    """With its place and the next step, quoting nothing."""
    arrive(paste, {"file": "a.bin", "n": 1, "part": 0, "parts": 1}, b"ab\xff")
    assert (texts, paste.sent) == ([], [{"say": "Byte 3 is not UTF-8: this is not a text file. Save it as UTF-8."}])


def test_an_archive_is_named(paste, texts):
    """Exports come as ZIP files."""
    arrive(paste, {"file": "export.zip", "n": 1, "part": 0, "parts": 1}, b"PK\x03\x04\xff\xfe")
    assert paste.sent == [{"say": "This is a ZIP archive, not a text file. Unpack it, and open the file in it."}]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_files_with_a_byte_order_mark_are_read(encoding):
    """As Windows programs write them."""
    assert decode("\u00e4\U0001f600".encode(encoding)) == "\u00e4\U0001f600"


def test_no_byte_is_replaced():
    """A file is read whole or refused."""
    with pytest.raises(NotText):
        decode(b"\xef\xbb\xbfok\xfe")


@pytest.mark.parametrize(
    ("text", "span", "units"),
    [
        ("abc", (1, 2), (1, 2)),
        ("\U0001f600b", (1, 2), (2, 3)),
        ("a\r\nb", (3, 4), (2, 3)),
        ("a\rb", (2, 3), (2, 3)),
    ],
)
def test_a_range_is_marked_as_the_browser_counts(paste, text, span, units):
    """It counts UTF-16 units and one for each line end."""
    paste.set_text(text)
    paste.select(*span)
    assert paste.sent[-1] == {"select": units}
