"""Files and pipes: what is read of them, and every way in which they cannot be."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path

import pytest
from routing_workbench.workbench.files.headway import Headway, Stopped
from routing_workbench.workbench.files.opening import check_path
from routing_workbench.workbench.files.refusal import NotOpened
from routing_workbench.workbench.files.source import FileSource, TextSource, find, pieces, read_pipe


@pytest.fixture
def pipe(tmp_path):
    """A pipe with a name."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def found(path):
    """A file that is there."""
    source = find(path)
    assert isinstance(source, FileSource)
    return source


def refused(path):
    """What is said of a path."""
    with pytest.raises(NotOpened) as refusal:
        find(path)
    return refusal.value.notice


def test_a_file_is_read_in_pieces_and_counted(tmp_path):
    """So progress can be told."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 2_500_000)
    headway = Headway()
    assert [len(piece) for piece in pieces(found(path), headway)] == [1_048_576, 1_048_576, 402_848]
    assert headway.done == 2_500_000


def test_reading_stops_between_two_pieces(tmp_path):
    """Cancel is heard there."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 2_500_000)
    headway = Headway()
    read = pieces(found(path), headway)
    next(read)
    headway.stop()
    with pytest.raises(Stopped):
        next(read)


def test_a_missing_file_is_said_with_its_path(tmp_path):
    """And on which machine."""
    notice = refused(tmp_path / "none.json")
    assert notice.what == f"There is no file {tmp_path}/none.json on the kernel's machine."
    assert notice.next_step == "Check the path."


def test_a_folder_is_said(tmp_path):
    """One file is read."""
    assert refused(tmp_path).what == f"{tmp_path} is a folder."


def test_what_is_below_a_file_is_missing(tmp_path):
    """A path through a file."""
    (tmp_path / "a.txt").write_text("x")
    assert "There is no file" in refused(tmp_path / "a.txt" / "b.json").what


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
def test_a_name_that_no_file_can_have_is_said(tmp_path, name):
    """Whatever was in the clipboard."""
    assert refused(tmp_path / name).what == "That is no path of a file."


def test_a_file_without_permission_is_said(tmp_path, monkeypatch):
    """Root may read everything, so the answer is put in its place."""
    path = tmp_path / "a.txt"
    path.write_text("x")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert refused(path).what == f"The kernel may not read {path}."


def test_a_device_is_no_file():
    """It may never end."""
    assert refused(Path("/dev/zero")).what == "/dev/zero is a device or a socket, no file."


def test_a_socket_is_no_file(tmp_path, monkeypatch):
    """Nor can it be read."""
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("s")
        assert "is a device or a socket" in refused(tmp_path / "s").what


@pytest.mark.parametrize(
    ("name", "kind"), [("none.json", FileNotFoundError), (".", IsADirectoryError), ("a\0", OSError)]
)
def test_as_an_error_of_a_call_it_has_the_kind_of_the_systems(tmp_path, name, kind):
    """`bench.open` raises it in the cell."""
    with pytest.raises(kind):
        check_path(tmp_path / name)


def test_a_file_that_went_away_is_said(tmp_path):
    """Between the look and the reading."""
    path = tmp_path / "a.txt"
    path.write_text("x")
    source = found(path)
    path.unlink()
    with pytest.raises(NotOpened, match="went away"):
        list(pieces(source, Headway()))


def test_a_file_that_became_shorter_is_said(tmp_path):
    """Half of it is no conversation."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 3_000_000)
    read = pieces(found(path), Headway())
    next(read)
    os.truncate(path, 1_048_576)
    with pytest.raises(NotOpened, match="became shorter"):
        list(read)


def test_a_file_that_grows_is_read_as_far_as_it_was(tmp_path):
    """Agents go on writing to their sessions."""
    path = tmp_path / "a.txt"
    path.write_text("old")
    source = found(path)
    with path.open("a") as more:
        more.write("new")
    assert list(pieces(source, Headway())) == [b"old"]


def test_another_file_at_the_path_is_said(tmp_path):
    """Its lines stand elsewhere."""
    path = tmp_path / "a.txt"
    path.write_text("old")
    source = found(path)
    other = tmp_path / "b.txt"
    other.write_text("others")
    other.replace(path)
    with pytest.raises(NotOpened, match="not the file it was"):
        source.open()


def test_a_text_is_a_source_too():
    """Of what the browser sent."""
    assert list(pieces(TextSource("a", b"abc"), Headway())) == [b"abc"]


def test_a_pipe_is_read_to_its_end(pipe):
    """However slowly it is written to."""
    assert find(pipe) is None
    step = threading.Event()

    def write():
        with pipe.open("wb", buffering=0) as opened:
            opened.write(b"one")
            step.wait(10)
            opened.write(b"two")

    writer = threading.Thread(target=write)
    writer.start()
    headway = Headway()
    reader_done = []
    reader = threading.Thread(target=lambda: reader_done.append(read_pipe(pipe, 100, headway)))
    reader.start()
    step.set()
    reader.join(10)
    writer.join(10)
    assert reader_done == [b"onetwo"]
    assert headway.done == 6


def test_a_pipe_that_nobody_writes_to_can_be_left(pipe):
    """The thread ends."""
    headway = Headway()
    ended = []

    def read():
        try:
            read_pipe(pipe, 100, headway)
        except Stopped:
            ended.append(True)

    reader = threading.Thread(target=read)
    reader.start()
    headway.stop()
    reader.join(10)
    assert ended == [True]


def test_more_than_the_limit_through_a_pipe_is_refused(pipe):
    """It may never end."""
    with_data = threading.Thread(target=lambda: pipe.write_bytes(b"x" * 5_000))
    with_data.start()
    with pytest.raises(NotOpened, match="More than 1,000 bytes"):
        read_pipe(pipe, 1_000, Headway())
    with_data.join(10)
