"""The version of a prompt set follows every file in its folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.resources import files

import pytest
from routing_workbench import prompts
from routing_workbench.prompts import cutoffs_prompt_set, escalation_prompt_set, vgr_prompt_set

SETS: dict[str, Callable[[], str]] = {
    "vgr": vgr_prompt_set, "cutoffs": cutoffs_prompt_set, "escalation": escalation_prompt_set,
}  # fmt: skip
FILES = [
    (folder.name, entry.name)
    for folder in files(prompts).iterdir()
    if folder.is_dir() and folder.name != "__pycache__"
    for entry in folder.iterdir()
]


def forget() -> None:
    """Let every text and version be read anew."""
    for loaded in vars(prompts).values():
        if callable(clear := getattr(loaded, "cache_clear", None)):
            clear()


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    """No version of a changed file outlives its test."""
    forget()
    yield
    forget()


@pytest.mark.parametrize(("folder", "name"), FILES)
def test_any_changed_file_changes_the_version(folder: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One letter less, or another name of the schema; the other sets stay as they are."""
    before = {of: version() for of, version in SETS.items()}
    forget()
    read = prompts._text

    def changed(of: str, file: str) -> str:
        text = read(of, file)
        if (of, file) != (folder, name):
            return text
        return (
            json.dumps(json.loads(text) | {"name": "another"}) if file.endswith(".json") else text.replace("e", "", 1)
        )

    monkeypatch.setattr(prompts, "_text", changed)
    after = {of: version() for of, version in SETS.items()}
    assert {of for of in SETS if after[of] != before[of]} == {folder}


def test_there_are_files_of_every_set() -> None:
    """So that the test above says something."""
    assert {folder for folder, _ in FILES} == set(SETS)
