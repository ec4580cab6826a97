"""Removing a folder: read-only, very deep, with links."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from routing_workbench.workbench.checker.removal import remove_folder


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder that is empty but for what the test puts there."""
    made = tmp_path / "place"
    made.mkdir()
    return made


def test_read_only_and_unreadable_folders_are_removed(place: Path) -> None:
    """Whatever their owner may not do with them."""
    deepest = place / "root" / "a" / "b"
    deepest.mkdir(parents=True)
    (deepest / "file").touch(mode=0o000)
    for folder in (deepest, deepest.parent, place / "root"):
        folder.chmod(0o000)
    assert remove_folder(place / "root")
    assert list(place.iterdir()) == []


def test_a_folder_deeper_than_any_path_is_removed(place: Path) -> None:
    """1,500 levels: more than the stack holds, and a path longer than the system takes."""
    root = place / "root"
    root.mkdir()
    here = os.open(root, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("level-down", dir_fd=here)
        below = os.open("level-down", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    assert remove_folder(root)
    assert list(place.iterdir()) == []


def test_links_are_removed_and_not_followed(place: Path) -> None:
    """What they point to stays, with its mode."""
    kept = place / "kept"
    kept.mkdir(mode=0o755)
    (kept / "file").write_text("stays", encoding="utf-8")
    mode = kept.stat().st_mode
    root = place / "root"
    root.mkdir()
    (root / "folder").symlink_to(kept)
    (root / "file").symlink_to(kept / "file")
    (root / "nowhere").symlink_to("nowhere")
    assert remove_folder(root)
    assert [path.name for path in place.iterdir()] == ["kept"]
    assert (kept / "file").read_text(encoding="utf-8") == "stays"
    assert kept.stat().st_mode == mode


def test_a_folder_that_is_not_there_is_gone(place: Path) -> None:
    """Removing it twice is no failure."""
    assert remove_folder(place / "absent")
