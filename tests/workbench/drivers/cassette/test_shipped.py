"""The cassettes that the package carries."""

from __future__ import annotations

from pathlib import Path

import pytest
from routing_workbench.core.vgr.text import redact
from routing_workbench.workbench.drivers.cassette import shipped
from routing_workbench.workbench.drivers.cassette.reading import read_cassette
from routing_workbench.workbench.drivers.cassette.shipped import shipped_cassettes

_FOLDER = Path(__file__).resolve().parents[4] / "examples" / "cassettes"


def test_every_shipped_cassette_is_found_and_can_be_read() -> None:
    """All that lie in the folder, by name, and none holds a secret."""
    found = shipped_cassettes()
    assert list(found) == sorted([path.stem for path in _FOLDER.glob("*.jsonl")])
    for path in found.values():
        assert read_cassette(path).calls
        text = path.read_text(encoding="utf-8")
        assert redact(text) == text


def test_only_cassettes_are_offered_and_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A note beside them is none."""
    (tmp_path / "cassettes").mkdir()
    for name in ("b.jsonl", "a.jsonl", "README.md"):
        (tmp_path / "cassettes" / name).touch()
    monkeypatch.setattr(shipped, "files", lambda _: tmp_path)
    assert dict(shipped_cassettes()) == {name: tmp_path / "cassettes" / f"{name}.jsonl" for name in ("a", "b")}


def test_a_package_without_cassettes_offers_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder need not be there."""
    monkeypatch.setattr(shipped, "files", lambda _: tmp_path)
    assert dict(shipped_cassettes()) == {}
