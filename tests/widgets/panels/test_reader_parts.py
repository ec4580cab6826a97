"""What a row says: long texts cut, calls and results folded to a line, media counted, nothing left out."""

from __future__ import annotations

import json

import pytest
from routing_workbench.core.conversation.model import (
    Media,
    Reasoning,
    Refusal,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
)
from routing_workbench.widgets.panels.reader_parts import BLOCKS, block_text, edited_text, media_words, row_json
from routing_workbench.widgets.panels.reader_rows import About, Kind, Partner, Row, Span


def row(*content, kind=Kind.USER, **about):
    """A row of these blocks."""
    known = {"rules": {}, "partners": {}, "spans": {}, "problems": (), "origin": None, "flags": 0} | about
    return Row(7, content, About("user", "user", kind, **known), 0)


def parts(*content, **about):
    """Its parts."""
    return row_json(row(*content, **about))["parts"]


def test_a_short_text_is_there_whole():
    """Nothing of it is hidden."""
    assert parts(Text("Find out why.")) == [
        {"kind": "text", "b": 0, "from": 0, "to": 13, "head": "Find out why.", "edit": "text"}
    ]


@pytest.mark.parametrize(("kind", "shown"), [(Kind.USER, 900), (Kind.ASSISTANT, 480), (Kind.SYSTEM, 160)])
def test_a_long_text_is_cut_and_says_where_it_ends(kind, shown):
    """The head by who speaks; the rest is fetched by its range."""
    (part,) = parts(Text("x" * 30_000), kind=kind)
    assert (len(part["head"]), part["to"]) == (shown, 30_000)


def test_many_lines_are_cut_at_a_line():
    """A text of short lines would fill the panel."""
    (part,) = parts(Text("\n".join("line" for _ in range(100))), kind=Kind.ASSISTANT)
    assert part["head"] == "\n".join("line" for _ in range(8))


def test_little_that_is_left_is_shown():
    """A click for a few characters is none."""
    (part,) = parts(Text("x" * 950))
    assert len(part["head"]) == 950


def test_a_call_is_its_name_and_first_argument():
    """Opened, its arguments follow as JSON; the text that is searched begins with the name."""
    one = row(ToolCall("c", "Read", {"path": "a.py"}), partners={0: Partner(1, 0)})
    (part,) = row_json(one)["parts"]
    text = block_text(one, 0)
    assert text == 'Read {\n  "path": "a.py"\n}'
    assert part == {
        "kind": "call",
        "b": 0,
        "from": 5,
        "to": len(text),
        "label": "Read",
        "line": "a.py",
        "says": "",
        "pair": [1, 0],
        "edit": "arguments of Read",
    }


def test_arguments_that_did_not_parse_are_the_string():
    """As pasted, to be read and edited."""
    one = row(ToolCall("c", "Read", '{"path": '))
    assert block_text(one, 0) == 'Read {"path": '
    assert edited_text(one, 0) == '{"path": '


def test_a_result_is_its_first_line():
    """With the rule by which it failed, and what it answers."""
    result = ToolResult("c", (Text("\n\n1 failed\n22 passed"),))
    (part,) = parts(result, kind=Kind.RESULT, rules={0: "is_error"}, partners={0: Partner(-1, 2)})
    assert (part["kind"], part["line"], part["to"]) == ("result", "1 failed", 20)
    assert (part["rule"], part["pair"], part["edit"]) == ("is_error", [-1, 2], "result")


def test_a_result_names_what_is_no_text():
    """Media in it is counted; its text alone is edited."""
    image = Media("image", {"data": "QUJD" * 100})
    one = row(ToolResult("c", (Text("see:"), image, Text("done"))), kind=Kind.RESULT)
    assert block_text(one, 0) == "see:\n[image, 400 chars, about 300 bytes, never shown]\ndone"
    assert edited_text(one, 0) == "see:\ndone"


def test_an_empty_result_says_so():
    """Its text can still be written."""
    (part,) = parts(ToolResult("c", ()))
    assert (part["kind"], part["line"], part["edit"]) == ("note", "empty result", "result")


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (Reasoning("fold is about times"), {"kind": "reasoning", "label": "reasoning", "to": 19}),
        (Reasoning(""), {"kind": "note", "line": "reasoning without text"}),
        (Refusal("I can't."), {"kind": "text", "label": "refusal", "head": "I can't."}),
        (Text(" \n"), {"kind": "note", "line": "empty text"}),
        (Unknown("openai", {"a": 1}), {"kind": "unknown", "label": "unknown content of openai, kept and not read"}),
        (Unknown("", [1]), {"kind": "unknown", "label": "unknown content, kept and not read", "to": 7}),
        (Media("audio", None), {"kind": "note", "line": "audio without content"}),
    ],
)
def test_every_block_is_named(block, said):
    """What adds no text too."""
    (part,) = parts(block)
    assert part.items() >= said.items()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("data:image/png;base64," + "A" * 400, "image, 422 chars, about 300 bytes, never shown"),
        ({"type": "base64", "data": "A" * 400}, "image, 400 chars, about 300 bytes, never shown"),
        ({"url": "https://images.example/tide.png"}, "image at a remote address of 31 chars, never fetched"),
        ({"file_id": "file-1"}, "image, 6 chars, never shown"),
        ([], "image without content"),
    ],
)
def test_media_is_counted_and_never_shown(source, words):
    """Neither its data nor its address reaches the browser."""
    assert media_words(Media("image", source)) == words


def test_what_a_harness_wrote_is_folded_out_of_a_text():
    """What the user asks stands between, white space does not."""
    text = "<env>UTC</env>\n\nFix it.\n<env>CET</env>"
    spans = (Span(0, 14, "environment"), Span(24, 38, "environment"))
    made = parts(Text(text), spans={0: spans})
    assert [(part["kind"], text[part["from"] : part["to"]]) for part in made] == [
        ("mark", "<env>UTC</env>"),
        ("text", "\n\nFix it.\n"),
        ("mark", "<env>CET</env>"),
    ]
    assert [part.get("label") for part in made] == ["environment", None, "environment"]
    assert [part.get("edit") for part in made] == [None, None, "text"]


def test_marks_that_overlap_or_lie_beyond_lose_nothing():
    """Every character is in one part."""
    spans = (Span(0, 6, "a"), Span(3, 9, "b"), Span(9, 99, "c"))
    made = parts(Text("0123456789"), spans={0: spans})
    assert [(part["from"], part["to"]) for part in made] == [(0, 6), (6, 9), (9, 10)]


def test_blocks_come_in_pages():
    """A message may have thousands."""
    one = row(*[Text(f"block {at}") for at in range(BLOCKS + 3)])
    first, second = row_json(one), row_json(one, BLOCKS)
    assert (len(first["parts"]), first["more"]) == (BLOCKS, 3)
    assert [part["b"] for part in second["parts"]] == [BLOCKS, BLOCKS + 1, BLOCKS + 2]
    assert second["more"] == 0


def test_a_row_is_json():
    """Whatever it holds."""
    blocks = (Text("a"), ToolCall("c", "f", {"x": [1, None, True]}), Media("file", {"a": 1}), Unknown("p", {"q": "r"}))
    assert json.loads(json.dumps(row_json(row(*blocks))))["id"] == 7


def test_no_repr_holds_text():
    """A row may end in a log."""
    assert "secret words" not in repr(row(Text("secret words"), spans={0: (Span(0, 1, "secret words"),)}))
