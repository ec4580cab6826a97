"""A folder's manifest: what it tells apart, what it refuses, its limits, and the copy made on the way."""

from __future__ import annotations

import os
import shutil
import socket
import stat
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from routing_workbench.workbench.checker import folder
from routing_workbench.workbench.checker.config import CheckerRefused
from routing_workbench.workbench.checker.folder import Entry, manifest_of


def test_a_manifest_lists_every_file_and_folder(tests_dir: Path) -> None:
    """By path, with the SHA-256 of its bytes and its executable bit."""
    assert manifest_of(tests_dir).entries == (
        Entry("check.py", sha256(b"").hexdigest()),
        Entry("deeper", ""),
        Entry("deeper/expected.txt", sha256(b"40 litres\n").hexdigest()),
        Entry("tool", sha256(b"#!/bin/sh\nexit 0\n").hexdigest(), executable=True),
    )


def test_the_hash_does_not_depend_on_the_place(tests_dir: Path, tmp_path: Path) -> None:
    """The same folder elsewhere has the same hash."""
    shutil.copytree(tests_dir, tmp_path / "elsewhere")
    assert manifest_of(tmp_path / "elsewhere").hash == manifest_of(tests_dir).hash


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "check.py").write_text("x"),
        lambda root: (root / "check.py").rename(root / "Check.py"),
        lambda root: (root / "check.py").chmod(0o755),
        lambda root: (root / "tool").chmod(0o644),
        lambda root: (root / "tool").unlink(),
        lambda root: (root / "added").mkdir(),
        lambda root: (root / "deeper" / "conftest.py").touch(),
        lambda root: (root / "deeper" / "expected.txt").rename(root / "expected.txt"),
    ],
    ids=["bytes", "name", "executable", "no longer", "removed", "folder added", "file added", "moved"],
)
def test_any_change_changes_manifest_and_hash(tests_dir: Path, change: Callable[[Path], object]) -> None:
    """Bytes, names, places, executable bits and what is added or gone."""
    before = manifest_of(tests_dir)
    change(tests_dir)
    after = manifest_of(tests_dir)
    assert after != before
    assert after.hash != before.hash


@pytest.mark.parametrize("target", ["check.py", "deeper", "/etc", "nowhere"])
def test_a_symbolic_link_is_refused(tests_dir: Path, target: str) -> None:
    """Wherever it points to, and it is named with what to do."""
    (tests_dir / "deeper" / "link").symlink_to(target)
    with pytest.raises(CheckerRefused, match=r"symbolic link 'deeper/link'\. A link can't be pinned: replace it"):
        manifest_of(tests_dir)


def test_a_link_in_the_folders_place_is_refused(tests_dir: Path, tmp_path: Path) -> None:
    """The folder itself is looked at without following, too."""
    (tmp_path / "link").symlink_to(tests_dir)
    with pytest.raises(CheckerRefused, match=r"is no folder"):
        manifest_of(tmp_path / "link")


def test_a_pipe_is_refused_unopened(tests_dir: Path) -> None:
    """Opening one would wait for ever."""
    os.mkfifo(tests_dir / "pipe")
    with pytest.raises(CheckerRefused, match=r"holds 'pipe', which is neither file nor folder"):
        manifest_of(tests_dir)


def test_a_socket_is_refused(tests_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is neither file nor folder."""
    monkeypatch.chdir(tests_dir)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")
        with pytest.raises(CheckerRefused, match=r"holds 'socket'"):
            manifest_of(tests_dir)


def test_the_limit_of_bytes_is_inclusive_and_named(tests_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts all files together."""
    monkeypatch.setattr(folder, "MAX_BYTES", 1024**2)
    held = sum(path.stat().st_size for path in tests_dir.rglob("*") if path.is_file())
    (tests_dir / "large").write_bytes(bytes(1024**2 - held))
    assert len(manifest_of(tests_dir).entries) == 5
    (tests_dir / "check.py").write_text("x")
    with pytest.raises(CheckerRefused, match=r"holds more than 1 MiB\. Point tests_dir at a smaller folder"):
        manifest_of(tests_dir)


def test_the_limit_of_entries_is_inclusive_and_named(tests_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files and folders count."""
    monkeypatch.setattr(folder, "MAX_ENTRIES", 4)
    assert len(manifest_of(tests_dir).entries) == 4
    (tests_dir / "more").mkdir()
    with pytest.raises(CheckerRefused, match=r"more than 4 files and folders\. Point tests_dir at a smaller folder"):
        manifest_of(tests_dir)


def test_a_copy_is_what_the_manifest_says_and_read_only(tests_dir: Path, tmp_path: Path) -> None:
    """The copy has the same manifest; only its owner reads it, and nobody writes."""
    copy = tmp_path / "copy"
    copy.mkdir()
    assert manifest_of(tests_dir, copy_to=copy) == manifest_of(copy) == manifest_of(tests_dir)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (copy, *copy.rglob("*"))}
    assert modes == {"copy": 0o500, "check.py": 0o400, "deeper": 0o500, "expected.txt": 0o400, "tool": 0o500}


def test_names_that_are_no_text_are_pinned_as_they_are(tests_dir: Path, tmp_path: Path) -> None:
    """A file system's name is bytes."""
    with open(os.fsencode(tests_dir) + b"/\xff\n", "wb"):
        pass
    copy = tmp_path / "copy"
    copy.mkdir()
    assert manifest_of(tests_dir, copy_to=copy).hash == manifest_of(copy).hash
    assert b"\xff\n" in os.listdir(os.fsencode(copy))
