"""Pinned tests: a private copy that outlives the original, verified before it is placed."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from routing_workbench.workbench.checker import folder
from routing_workbench.workbench.checker.config import CheckerConfig, CheckerRefused
from routing_workbench.workbench.checker.folder import manifest_of
from routing_workbench.workbench.checker.pinned import pin

Make = Callable[..., CheckerConfig]


def test_only_this_user_can_enter_the_copy(config: Make, private: Path) -> None:
    """It lies in a folder of mode 0700."""
    pinned = pin(config())
    assert list(private.iterdir()) == [pinned.home]
    assert stat.S_IMODE(pinned.home.stat().st_mode) == 0o700


def test_the_hash_is_that_of_the_folder(config: Make, tests_dir: Path) -> None:
    """Whoever has the folder can tell what was pinned."""
    pinned = pin(config())
    assert pinned.manifest_hash == manifest_of(tests_dir).hash
    assert pinned.holds(tests_dir)
    assert pinned.holds(pinned.root)


def test_what_is_placed_is_what_was_pinned(config: Make, tests_dir: Path, tmp_path: Path) -> None:
    """A change of the original afterwards changes neither copy."""
    pinned = pin(config())
    (tests_dir / "check.py").write_text("changed", encoding="utf-8")
    assert pinned.place(tmp_path / "placed")
    assert (tmp_path / "placed" / "check.py").read_text(encoding="utf-8") == ""


def test_a_copy_that_was_tampered_with_is_not_placed(config: Make, tmp_path: Path) -> None:
    """It is verified first."""
    pinned = pin(config())
    (pinned.root / "check.py").chmod(0o600)
    (pinned.root / "check.py").write_text("tampered", encoding="utf-8")
    assert not pinned.holds(pinned.root)
    assert not pinned.place(tmp_path / "placed")
    assert not (tmp_path / "placed").exists()


def test_a_folder_that_became_something_else_does_not_hold(config: Make, tests_dir: Path, tmp_path: Path) -> None:
    """A link to the same files, a pipe, or nothing at all."""
    pinned = pin(config())
    (tmp_path / "link").symlink_to(tests_dir)
    os.mkfifo(tmp_path / "pipe")
    assert [pinned.holds(tmp_path / name) for name in ("link", "pipe", "absent")] == [False, False, False]


def test_once_removed_nothing_is_placed(config: Make, private: Path, tmp_path: Path) -> None:
    """Nothing is left of the copy either."""
    pinned = pin(config())
    pinned.remove()
    assert list(private.iterdir()) == []
    assert not pinned.place(tmp_path / "placed")


def test_a_refused_folder_leaves_nothing_behind(config: Make, private: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was copied before the refusal is removed."""
    monkeypatch.setattr(folder, "MAX_ENTRIES", 2)
    with pytest.raises(CheckerRefused, match=r"more than 2 files and folders"):
        pin(config())
    assert list(private.iterdir()) == []


def test_a_folder_that_is_gone_is_refused(config: Make, tests_dir: Path, private: Path) -> None:
    """It may have gone since it was configured."""
    made = config()
    tests_dir.rename(tests_dir.with_name("moved"))
    with pytest.raises(CheckerRefused, match=r"can't be copied: No such file or directory"):
        pin(made)
    assert list(private.iterdir()) == []
