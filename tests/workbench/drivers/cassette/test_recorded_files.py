"""The file of a recording: whole after each line, never written over, and ended where it can't go on."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from routing_workbench.workbench.drivers.cassette.errors import CassetteError
from routing_workbench.workbench.drivers.cassette.prompt_versions import prompt_sets
from routing_workbench.workbench.drivers.cassette.reading import parse_cassette, read_cassette
from routing_workbench.workbench.drivers.cassette.recording import RecordingDriver, record_to
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.protocol import Reply


def test_what_does_not_fit_the_format_ends_the_recording_and_not_the_call(tape: SimpleNamespace) -> None:
    """And `stopped` says so, without quoting it."""
    odd = tape.reply(usage={"output_tokens": "canary"})
    replies = iter([tape.reply(), odd, tape.reply()])
    made = tape.recorder(lambda _: next(replies))
    assert tape.ask(made.driver, *[tape.call()] * 3)[1] is odd
    assert made.driver.stopped == "Recording stopped after call 1: the next one does not fit the format."
    assert len(parse_cassette("".join(made.lines)).calls) == 1


def test_a_full_disk_ends_the_recording_and_not_the_call(tape: SimpleNamespace) -> None:
    """What was written before stays."""
    lines = list[str]()

    def sink(line: str) -> None:
        if len(lines) == 2:
            raise OSError(28, "No space left on device")
        lines.append(line)

    mock = MockDriver(replies=lambda _: "yes")
    driver = RecordingDriver(mock, sink, name="n", recorded=tape.day, prompt_sets={})
    replies = tape.ask(driver, *[tape.call()] * 3)
    assert [type(reply) for reply in replies] == [Reply, Reply, Reply]
    assert driver.stopped == "Recording stopped after call 1: No space left on device."
    assert len(parse_cassette("".join(lines)).calls) == 1


def test_a_cassette_that_would_be_too_long_to_read_is_ended(
    tape: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is recorded can always be read."""
    monkeypatch.setattr("routing_workbench.workbench.drivers.cassette.recording.MAX_BYTES", 1200)
    made = tape.recorder(lambda _: tape.reply())
    tape.ask(made.driver, *[tape.call()] * 9)
    assert made.driver.stopped == f"Recording stopped after call {made.driver.calls}: the cassette is full."
    assert 0 < made.driver.calls < 9
    assert len("".join(made.lines).encode()) <= 1200


def test_a_file_is_whole_after_each_call(tape: SimpleNamespace, tmp_path: Path) -> None:
    """So that a crash loses nothing that was answered."""
    path = tmp_path / "first-run.jsonl"
    driver = record_to(path, MockDriver(replies=lambda _: "yes"), recorded=tape.day)
    counts = [len(read_cassette(path).calls)]
    for _ in range(2):
        tape.ask(driver, tape.call())
        counts.append(len(read_cassette(path).calls))
    assert counts == [0, 1, 2]
    header = read_cassette(path).header
    assert (header.name, header.recorded, header.prompt_sets) == ("first-run", "2031-04-02", prompt_sets())
    assert path.read_bytes().endswith(b"\n")


def test_an_existing_file_is_not_recorded_over(tape: SimpleNamespace, tmp_path: Path) -> None:
    """It says what to do."""
    path = tmp_path / "kept.jsonl"
    path.write_text("kept", encoding="utf-8")
    with pytest.raises(CassetteError) as raised:
        record_to(path, MockDriver(), recorded=tape.day, prompt_sets={})
    assert str(raised.value) == "kept.jsonl exists. Choose another name, or delete the file first."
    assert path.read_text(encoding="utf-8") == "kept"


def test_a_folder_that_is_not_there_is_said_to_be(tape: SimpleNamespace, tmp_path: Path) -> None:
    """Before anything is asked."""
    with pytest.raises(CassetteError) as raised:
        record_to(tmp_path / "none" / "a.jsonl", MockDriver(), recorded=tape.day, prompt_sets={})
    assert raised.value.what == "a.jsonl can't be written: No such file or directory"


def test_a_name_that_no_header_holds_makes_no_file(tape: SimpleNamespace, tmp_path: Path) -> None:
    """120 characters are enough."""
    path = tmp_path / "a.jsonl"
    with pytest.raises(CassetteError, match="Give a name of 1 to 120 characters"):
        record_to(path, MockDriver(), recorded=tape.day, prompt_sets={}, name="n" * 121)
    assert not path.exists()


def test_a_file_deleted_meanwhile_does_not_come_back_headless(tape: SimpleNamespace, tmp_path: Path) -> None:
    """The recording ends."""
    path = tmp_path / "a.jsonl"
    driver = record_to(path, MockDriver(replies=lambda _: "yes"), recorded=tape.day, prompt_sets={})
    path.unlink()
    tape.ask(driver, tape.call())
    assert driver.stopped == "Recording stopped after call 0: No such file or directory."
    assert not path.exists()


def test_a_path_may_be_a_text_and_the_day_is_today(tmp_path: Path) -> None:
    """As a person writes it; the cassette reads back by the same text."""
    path = str(tmp_path / "a.jsonl")
    record_to(path, MockDriver())
    assert read_cassette(path).header.recorded == f"{datetime.now().astimezone():%Y-%m-%d}"
