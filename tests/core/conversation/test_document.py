"""From a paste to JSON: wrappings, several documents, what is broken and where (DESIGN)."""

from __future__ import annotations

import json

import pytest
from routing_workbench.core.conversation import Diagnostic, Reading, Severity, locate, read
from routing_workbench.core.conversation.document import parse_document
from routing_workbench.core.conversation.model import text_of
from routing_workbench.core.conversation.positions import path_from_text, path_text

HI = '{"messages": [{"role": "user", "content": "hi"}]}'


def texts(found: Reading) -> list[str]:
    """The texts of all turns."""
    (conversation,) = found.conversations
    return [text_of(m.content) for m in conversation.request.turns]


def error(found: Reading) -> Diagnostic:
    """The one error."""
    (only,) = [d for d in found.diagnostics if d.severity is Severity.ERROR]
    return only


@pytest.mark.parametrize(
    "text",
    [
        HI,
        "\ufeff" + HI,
        "\n\n  " + HI + "\r\n",
        HI.replace(" ", "\r\n"),
        "```json\n" + HI + "\n```",
        "```\r\n" + HI + "\r\n```\n",
        json.dumps(HI),
        HI.replace('"hi"', '"\\u0068i"'),
    ],
)
def test_wrappings_are_read_through(text: str) -> None:
    """Marks, fences, white space and a JSON string around the document change nothing."""
    found = read(text)
    assert texts(found) == ["hi"]
    assert not found.failed


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ('{"messages": [\n{"role": "user"', "json-cut-off", 2, 16),
        ('{"messages": [{"role": "user", "content": "a', "json-cut-off", 1, 43),
        ("[{'role': 'user', 'content': 'a", "json-cut-off", 1, 30),
        ('{"messages": [1, // note\n', "json-cut-off", 1, 25),
        ('{\n/* note\n"messages": []}', "json-comment", 2, 1),
        ('{"messages": [1,,\n]}', "json-trailing-comma", 1, 17),
        ("{\u201cmessages\u201d: [\u201ca\u201d b]}", "json-cut-off", 1, 15),
        ('{"a": "\\x"}', "json-escape", 1, 8),
        ("{'a': '\\ud8'}", "json-escape", 1, 8),
        ('["a"\n"b"]', "json-syntax", 2, 1),
        ("[{role: 'user', content: [Object]}]", "json-left-out", 1, 27),
        ('{"messages": [\n// ... 40 more\n]}', "json-left-out", 2, 4),
        ("[{'role': 'user', 'content': 'a'}, ...]", "json-left-out", 1, 36),
        ('{"a": "say "hi" now"}', "json-syntax", 1, 13),
    ],
)
def test_broken_json_is_an_error_at_its_place(text: str, code: str, line: int, column: int) -> None:
    """The likely cause is named, and the paste never becomes a prompt."""
    found = read(text)
    assert found.conversations == ()
    only = error(found)
    assert (only.code, only.place.line, only.place.column) == (code, line, column)
    assert only.message
    assert only.next_step


@pytest.mark.parametrize("text", ["", " ", "\n\t\u00a0\r\n", "\ufeff"])
def test_an_empty_paste_says_so(text: str) -> None:
    """White space and marks alone are no prompt."""
    assert error(read(text)).code == "empty-input"


@pytest.mark.parametrize("text", ["{}", "[]", "[[]]", '{"a": 1}', "[1, 2]", '{"messages": []}', '[{"role": "user"}]'])
def test_json_without_a_conversation_is_never_a_prompt(text: str) -> None:
    """It is an error that offers to route it as it stands."""
    found = read(text)
    assert found.conversations == ()
    assert "Plain prompt" in error(found).next_step


def test_one_message_a_line() -> None:
    """A broken line is kept aside and warned about; the others are the conversation."""
    lines = [
        '{"role": "system", "content": "s"}',
        "",
        '{"role": "user", "content": "a"}',
        '{"role": "assi',
        '{"role": "assistant", "content": "b"}',
    ]
    found = read("\n".join(lines))
    assert texts(found) == ["s", "a", "b"]
    (warning,) = [d for d in found.diagnostics if d.severity is Severity.WARNING]
    assert (warning.code, warning.place.line) == ("line-unread", 4)
    assert found.conversations[0].extras == {"unread lines": {"4": '{"role": "assi'}}


def test_request_and_response_one_behind_the_other() -> None:
    """Two documents are a pair; the reply is the last message."""
    found = read(HI + '\n{"type": "message", "role": "assistant", "content": [{"type": "text", "text": "yo"}]}')
    assert texts(found) == ["hi", "yo"]
    assert [place.path for place in found.conversations[0].places] == ["[0].messages[0]", "[1]"]


def test_text_behind_a_conversation_is_an_error_at_its_place() -> None:
    """Neither the text nor the document is dropped silently."""
    only = error(read(HI + "\nplease route it"))
    assert (only.code, only.place.line, only.place.column) == ("text-behind-json", 2, 1)


def test_a_repeated_key_is_named_with_its_place() -> None:
    """The last value counts, as for every JSON reader, and nothing is lost silently."""
    found = read('{"messages": [{"role": "user",\n "content": "a", "content": "b"}]}')
    assert texts(found) == ["b"]
    (warning,) = [d for d in found.diagnostics if d.severity is Severity.WARNING]
    assert (warning.code, warning.place.line, warning.place.column) == ("repeated-key", 2, 18)
    assert warning.place.path == "messages[0].content"


def test_what_json_does_not_have_is_kept_as_text() -> None:
    """NaN, Infinity and numbers beyond double range get through as text, with a warning."""
    big = "9" * 5000
    found = read(HI[:-1] + f', "a": NaN, "b": -Infinity, "c": 1e999, "d": {big}}}')
    assert found.conversations[0].extras == {"a": "NaN", "b": "-Infinity", "c": "1e999", "d": big}
    assert {"not-a-number", "number-too-large"} <= {d.code for d in found.diagnostics}


@pytest.mark.parametrize("text", [HI.replace("hi", "x\\ud800y"), "x\ud800y", HI.replace("hi", "x\udc00y")])
def test_half_a_surrogate_pair_is_replaced_and_said(text: str) -> None:
    """What no UTF-8 can carry does not reach the screen or a model."""
    found = read(text)
    assert texts(found) == ["x\ufffdy"]
    assert "half-surrogate" in [d.code for d in found.diagnostics]


def test_a_raw_line_break_in_a_string_is_read_with_a_warning() -> None:
    """The text is not changed."""
    found = read(HI.replace("hi", "a\nb\tc\x00"))
    assert texts(found) == ["a\nb\tc\x00"]
    (warning,) = [d for d in found.diagnostics if d.severity is Severity.WARNING]
    assert (warning.code, warning.place.line) == ("raw-control-character", 1)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"messages": [{"role": "user", "content": ' + "[" * 150 + "]" * 150 + "}]}",
        '{"messages": [{"role": "user", "content": [' + '{"type":"tool_result","content":[' * 200 + "]}" * 200 + "]}]}",
        HI[:-1] + ', "tools": ' + '{"a":' * 900 + "1" + "}" * 900 + "}",
    ],
)
def test_deep_nesting_is_an_error(text: str) -> None:
    """What routers refuse is refused here, without an exception."""
    found = read(text)
    assert found.conversations == ()
    assert error(found).code == "json-too-deep"


def test_a_remark_inside_a_fence_stands_where_it_is_in_the_paste() -> None:
    """Offsets, lines and columns are those of the paste, not of the inside."""
    found = read('```json\n{"messages": [\n  {"role": "critic", "content": "é"}]}\n```')
    (warning,) = [d for d in found.diagnostics if d.severity is Severity.WARNING]
    assert (warning.place.line, warning.place.column) == (3, 3)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("messages", '[\n {"role": "a"},\n {"x y": [10, {"z": null}]}]'),
        ("messages[0].role", '"a"'),
        ('messages[1]["x y"][0]', "10"),
        ('messages[1]["x y"][1].z', "null"),
        ("messages[0].nothing.there", '{"role": "a"}'),
        ("", '{"messages": [\n {"role": "a"},\n {"x y": [10, {"z": null}]}]}'),
    ],
)
def test_locate_selects_the_value_or_the_nearest_above(path: str, value: str) -> None:
    """A path leads to the very range of its value."""
    text = '  {"messages": [\n {"role": "a"},\n {"x y": [10, {"z": null}]}]}'
    place = locate(text, path)
    assert text[place.start : place.end] == value


def test_locate_in_several_documents() -> None:
    """The first step of the path is the document."""
    text = '{"role": "a"}\n{"role": "b"}'
    place = locate(text, "[1].role")
    assert (place.line, place.column) == (2, 10)


def test_locate_in_text_has_no_range() -> None:
    """Text has no paths."""
    place = locate("just text", "messages[0]")
    assert (place.start, place.path) == (None, "messages[0]")


@pytest.mark.parametrize("path", [(), ("a",), ("a", 0, "b"), ("x y", 'q"]', 3), ("", "é", "0"), (0, "messages", 2)])
def test_a_path_survives_its_text(path: tuple[str | int, ...]) -> None:
    """What is written can be read back."""
    assert path_from_text(path_text(path)) == path


def test_places_of_many_paths_are_found_in_one_walk() -> None:
    """Each path gets its own place, repeated keys their last value."""
    document = parse_document('{"a": 1, "b": [1, 22], "a": 333}')
    places = document.places([("a",), ("b", 1)])
    assert [document.text[p.start : p.end] for p in places.values()] == ["333", "22"]
