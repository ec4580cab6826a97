"""What is promised of every reading holds of every paste here, and with a value of another type in any place."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from readings import exported, located, placed, steady, well, words_lost
from routing_workbench.core.conversation import read

HERE = Path(__file__).resolve().parent
PASTES = {path.parent.name: path.read_bytes().decode() for path in (HERE.parents[1] / "cases").glob("*/input.*")} | {
    paste["id"]: paste["text"]
    for path in HERE.glob("*.toml")
    for paste in tomllib.loads(path.read_text("utf-8"))["paste"]
}
#: Words of markup that is read as what it means, and of a credential.
LEFT_OUT = {"details type", "Thought for", "Tool Executed", "Bearer sk"}
#: Where another value is due, as a reader that takes a type for granted meets them.
ODD: list[Any] = [{}, [], [[]], True, 7, None, "x", {"type": []}]


@pytest.mark.parametrize("name", sorted(PASTES))
def test_what_is_promised_holds(name: str) -> None:
    """Places lie in the paste, reading again gives the same, an export reads back, and no words are lost."""
    text = PASTES[name]
    found = read(text)
    well(found)
    placed(text, found)
    located(text, found)
    steady(text, found)
    exported(found)
    assert words_lost(text, found) <= LEFT_OUT


def documents(text: str) -> list[Any]:
    """The JSON of a paste, or of its lines; lines that are none stay as they are."""
    try:
        return [json.loads(text)]
    except ValueError:
        found: list[Any] = []
    for line in text.strip().split("\n"):
        try:
            found.append(json.loads(line))
        except ValueError:
            return []
    return found


def places(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[Any, Any, tuple[str, ...]]]:
    """Each holder, its key, and the names of the way to it."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        below = (*path, key) if isinstance(key, str) else path
        yield value, key, below
        yield from places(value[key], below)


def test_a_value_of_another_type_fails_no_reader() -> None:
    """In each field of each format, whatever stands there."""
    seen = set()
    for name, text in sorted(PASTES.items()):
        found = read(text) if len(text) < 6_000 else None
        whole = documents(text) if found is not None and found.format is not None else []
        for holder, key, path in list(places(whole)):
            if found is None or found.format is None or (found.format.name, path) in seen:
                continue
            seen.add((found.format.name, path))
            before, odd = holder[key], ODD[len(seen) % len(ODD)]
            for holder[key] in (odd, ODD[(len(seen) + 3) % len(ODD)]):
                made = json.dumps(whole[0]) if len(whole) == 1 else "\n".join(map(json.dumps, whole))
                try:
                    well(read(made))
                except AssertionError as error:
                    raise AssertionError(f"{holder[key]!r} under {'.'.join(path)} of {name}") from error
            holder[key] = before
