"""Reading a cassette: strictly, with the line of what is wrong and what to do next."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from routing_workbench.core.vgr.evidence import OriginKind, Rung
from routing_workbench.workbench.drivers.cassette.errors import CassetteError
from routing_workbench.workbench.drivers.cassette.reading import parse_cassette, read_cassette
from routing_workbench.workbench.drivers.protocol import Answer, Category, HttpStatusError


@pytest.fixture
def lines(tape: SimpleNamespace) -> list[str]:
    """A header and three calls: a reply, an answer, a failure."""
    said = iter([tape.reply(), Answer({"large": 0.25, "small": 0.75}), HttpStatusError(503)])
    made = tape.recorder(lambda _: next(said), takes=0.8)
    tape.ask(made.driver, tape.call(), tape.question(), tape.call())
    return list(made.lines)


def changed(line: str, *path: str | int, to: Any) -> str:
    """The line with one value replaced or added."""
    whole = json.loads(line)
    inner = whole
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    return json.dumps(whole) + "\n"


def error_of(text: str) -> CassetteError:
    """What reading it raises."""
    with pytest.raises(CassetteError) as raised:
        parse_cassette(text)
    return raised.value


def test_header_and_calls_are_read(lines: list[str]) -> None:
    """As they were written."""
    cassette = parse_cassette("".join(lines))
    assert cassette.header.name == "tidewatch-17"
    assert cassette.header.source is OriginKind.LIVE
    assert cassette.header.models[Category.JUDGE] == ["judge-8b"]
    assert [(call.call, call.rung, call.took_ms) for call in cassette.calls] == [
        (1, Rung.DELIBERATION, 800.0),
        (2, Rung.ROUTE, 800.0),
        (3, Rung.DELIBERATION, 800.0),
    ]


def test_the_summary_is_for_a_person(lines: list[str]) -> None:
    """How many calls, how long, when, from whom."""
    text = changed(lines[0], "origin", to={"judge": "judge-8b @ gpu-03.example", "local": "judge-8b @ gpu-03.example"})
    assert parse_cassette(text + "".join(lines[1:])).summary == (
        "3 calls, 2.4 s, recorded on 2031-04-02 from judge-8b @ gpu-03.example"
    )
    assert parse_cassette(text + lines[1]).summary.startswith("1 call, 0.8 s, ")


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\n\n"])
def test_editors_may_change_line_ends_and_add_a_mark(lines: list[str], ending: str, tmp_path: Path) -> None:
    """A byte-order mark, carriage returns, empty lines and a missing last newline change nothing."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(("\ufeff" + ending.join([line.strip() for line in lines])).encode())
    assert read_cassette(path) == parse_cassette("".join(lines))


def test_a_line_cut_short_is_named(lines: list[str]) -> None:
    """A recording that was stopped while it wrote; the rest can be used."""
    error = error_of("".join(lines)[:-9])
    assert str(error) == (
        "Line 4: cut short, the recording stopped in the middle of it. Delete this line; the lines before it are whole."
    )
    assert error.line == 4
    assert len(parse_cassette("".join(lines[:3])).calls) == 2


@pytest.mark.parametrize(
    ("number", "line", "what"),
    [
        (1, "", "empty, no cassette"),
        (1, "{}\n", "no header of a cassette"),
        (1, "[1]\n", "no header of a cassette"),
        (1, '{"cassette": true}\n', "no header of a cassette"),
        (1, '{"cassette": 2}\n', "a cassette of version 2; this workbench reads version 1"),
        (1, "no json\n", "no JSON"),
    ],
)
def test_what_is_no_cassette_is_refused(number: int, line: str, what: str) -> None:
    """Whatever else it is."""
    error = error_of(line)
    assert (error.line, error.what) == (number, what)


@pytest.mark.parametrize(
    ("path", "value", "what"),
    [
        (("extra",), 1, "extra: Extra inputs are not permitted"),
        (("reply", "extra"), 1, "reply.extra: Extra inputs are not permitted"),
        (("reply", "outputs", 0, "content", 0, "extra"), 1, "reply.outputs.0.content.0.text.extra: Extra"),
        (("call",), "1", "call: Input should be a valid integer"),
        (("call",), 0, "call: Input should be greater than or equal to 1"),
        (("call",), True, "call: Input should be a valid integer"),
        (("rung",), "guess", "rung: Input should be 'attempt'"),
        (("category",), "oracle", "category: Input should be 'local'"),
        (("turn",), 0, "turn: Input should be greater than or equal to 1"),
        (("request",), "sha256:abc", "request: String should match pattern"),
        (("request",), "sha256:" + "0" * 64 + "\n", "request: String should match pattern"),
        (("chars",), -1, "chars: Input should be greater than or equal to 0"),
        (("took_ms",), -0.5, "took_ms: Input should be greater than or equal to 0"),
        (("took_ms",), "800", "took_ms: Input should be a valid number"),
        (("redacted",), -1, "redacted: Input should be greater than or equal to 0"),
        (("reply",), None, "a call has one of reply, answer and error"),
        (("error",), {"class": "timeout"}, "a call has one of reply, answer and error"),
        (("reply", "body"), {"id": "x"}, "reply: body holds more than choices[0].logprobs.content[0].top_logprobs"),
        (("reply", "outputs", 0, "role"), "robot", "reply.outputs.0.role: Input should be 'system'"),
        (("reply", "outputs", 0, "stop_reason"), "bored", "reply.outputs.0.stop_reason: Input should be 'end_turn'"),
        (("reply", "outputs", 0, "content", 0, "type"), "song", "reply.outputs.0.content.0: Input tag 'song'"),
        (("reply", "outputs", 0, "content", 0, "text"), 7, "reply.outputs.0.content.0.text.text: Input should be"),
        (("reply", "usage"), {"output_tokens": 1.5}, "reply.usage.output_tokens: Input should be a valid integer"),
    ],
)
def test_a_call_edited_by_hand_is_read_strictly(
    lines: list[str], path: tuple[str | int, ...], value: Any, what: str
) -> None:
    """The error names the line and the key, and shows no more of the file."""
    error = error_of(lines[0] + changed(lines[1], *path, to=value))
    assert error.line == 2
    assert error.what.startswith(what)
    assert error.next_step == "Correct the line, or record the cassette again."


@pytest.mark.parametrize(
    ("failure", "what"),
    [
        ({"class": "http_status"}, "error.http_status.status: Field required"),
        ({"class": "timeout", "status": 503}, "error.timeout.status: Extra inputs are not permitted"),
        ({"class": "http_status", "status": 42}, "error.http_status.status: Input should be greater than or equal"),
        ({"class": "not_checked", "ending": "bored"}, "error.not_checked.ending: Input should be 'passed'"),
        ({"class": "missing_key", "variable": "K"}, "error.missing_key.unusable: Field required"),
        ({"class": "bug"}, "error: Input tag 'bug' found using 'kind' | 'class' does not match"),
        ({"kind": "timeout"}, "error.timeout.class: Field required"),
    ],
)
def test_a_failure_is_one_that_a_driver_raises(lines: list[str], failure: Any, what: str) -> None:
    """With what belongs to it."""
    assert error_of(lines[0] + changed(lines[3], "error", to=failure)).what.startswith(what)


@pytest.mark.parametrize(
    ("path", "value", "what"),
    [
        (("recorded",), "2031-4-2", "recorded: a date is written like 2031-04-02"),
        (("recorded",), "20310402", "recorded: a date is written like 2031-04-02"),
        (("name",), "", "name: String should have at least 1 character"),
        (("source",), "dream", "source: Input should be 'computed'"),
        (("models", "oracle"), [], "models.oracle"),
        (("key",), "x", "key: Extra inputs are not permitted"),
    ],
)
def test_the_header_is_read_strictly(lines: list[str], path: tuple[str, ...], value: Any, what: str) -> None:
    """It is line 1."""
    error = error_of(changed(lines[0], *path, to=value))
    assert error.line == 1
    assert error.what.startswith(what)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"call": 1, "call": 2}\n', "a key is repeated"),
        ('{"took_ms": NaN}\n', "a number or a character that JSON does not have"),
        ('{"took_ms": 1e999}\n', "a number or a character that JSON does not have"),
        ('{"note": "\\ud800"}\n', "a number or a character that JSON does not have"),
        ("{} {}\n", "more than one JSON value"),
        ("{,}\n", "no JSON"),
        ("[" * 150 + "]" * 150 + "\n", "nested too deeply"),
        ("[" * 100_000 + "]" * 100_000 + "\n", "no JSON"),
    ],
)
def test_what_json_does_not_allow_is_refused(lines: list[str], line: str, what: str) -> None:
    """Python's own reader would let most of it through."""
    error = error_of("".join(lines) + line)
    assert (error.line, error.what) == (5, what)


def test_an_error_quotes_little_and_no_secret(lines: list[str]) -> None:
    """A key may be as long as the file."""
    error = error_of(lines[0] + changed(lines[1], "ann@dock.example " + "x" * 500, to=1))
    assert error.what == "[REDACTED] " + "x" * 149 + "..."


def test_a_file_that_is_not_utf_8_is_named_by_line(lines: list[str], tmp_path: Path) -> None:
    """An editor saved it in another encoding."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(lines[0].encode() + "ä".encode("latin-1") + b"\n")
    with pytest.raises(CassetteError) as raised:
        read_cassette(path)
    assert str(raised.value) == "Line 2: not UTF-8. Save the file as UTF-8."


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """So is a folder."""
    for path, why in ((tmp_path / "no.jsonl", "No such file or directory"), (tmp_path, "Is a directory")):
        with pytest.raises(CassetteError) as raised:
            read_cassette(path)
        assert raised.value.what == f"{path.name} can't be opened: {why}"


def test_a_file_that_is_too_long_is_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """32 MiB are enough; here, 10 bytes."""
    monkeypatch.setattr("routing_workbench.workbench.drivers.cassette.reading.MAX_BYTES", 10)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"x" * 11)
    with pytest.raises(CassetteError, match="longer than"):
        read_cassette(path)
    with pytest.raises(CassetteError, match="longer than"):
        parse_cassette("x" * 11)
