"""Changing one value in a TOML text through tomlkit, and proving that nothing else changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import tomlkit
from tomlkit.items import AoT, Item, SingleKey

from ...core.conversation.positions import Path
from .document import REFUSALS, TomlText, read_toml
from .findings import named
from .route import ConfigurationProblem


def with_value(text: str, path: Path, value: object) -> str:
    """The text with this value at a path of keys, or without the key where the value is None.

    The tables on the way are made where they are missing. Raises ConfigurationProblem where TOML cannot hold the value.
    """
    before = read_toml(text)
    if not isinstance(before, TomlText):
        raise ConfigurationProblem("The text is no TOML.")
    wanted = deepcopy(dict(before.values))
    if not _put(wanted, path, value):
        return text
    if value is not None:
        _item(value)
    endings = text.count("\r\n") == text.count("\n") > 0
    for attempt in _attempts(before, path, value):
        changed = re.sub(r"(?<!\r)\n", "\r\n", attempt) if endings else attempt
        after = read_toml(changed)
        if isinstance(after, TomlText) and same(after.values, wanted):
            return changed
    raise ConfigurationProblem(
        f"{named(path[-1])} cannot be written into this file without changing more. Change it in the file by hand."
    )


def same(one: object, other: object) -> bool:
    """Whether two values are the same in TOML; a whole number is its float, and no boolean."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) is isinstance(other, bool) and one == other


def _put(values: dict[str, Any], path: Path, value: object) -> bool:
    """Put the value into plain values; False where it is there already."""
    holder: Any = values
    for step in path[:-1]:
        if step not in holder:
            if value is None:
                return False
            holder[step] = {}
        holder = holder[step]
        if not isinstance(holder, dict):
            raise ConfigurationProblem(f"{named(step)} is no table, so nothing can be written into it.")
    if value is None:
        return holder.pop(path[-1], None) is not None
    if path[-1] in holder and same(holder[path[-1]], value):
        return False
    holder[path[-1]] = value
    return True


def _attempts(before: TomlText, path: Path, value: object) -> Iterator[str]:
    """Ways to write it, the tidiest first: in place, as a line of its own, and as tomlkit adds a key."""
    holders: list[Any] = [before.values]
    for step in path[:-1]:
        if step not in holders[-1]:
            break
        holders.append(holders[-1][step])
    # The first key that is missing, with the tables below it, is what has to be written.
    depth = len(holders) - 1
    for step in reversed(path[depth + 1 :]):
        value = {step: value}
    path = path[: depth + 1]
    if path[-1] not in holders[-1]:
        yield from _lines(before, path, holders[-1], value)
    document = tomlkit.parse(before.text)
    unchanged = tomlkit.dumps(document)
    holder: Any = document
    for step in path[:-1]:
        holder = holder[step]
    try:
        if value is None:
            del holder[path[-1]]
        else:
            _assign(holder, path[-1], value)
        yield _spliced(before.text, unchanged, tomlkit.dumps(document))
    except REFUSALS:
        return


def _spliced(text: str, before: str, after: str) -> str:
    """The text with the lines that differ between two of tomlkit's writings: it drops a white space here and there."""
    kept, old, new = (one.splitlines(keepends=True) for one in (text, before, after))
    if len(kept) != len(old):
        return after
    least = min(len(old), len(new))
    head = next((n for n in range(least) if old[n] != new[n]), least)
    tail = next((n for n in range(least - head) if old[-1 - n] != new[-1 - n]), least - head)
    return "".join([*kept[:head], *new[head : len(new) - tail], *kept[len(kept) - tail :]])


def _lines(before: TomlText, path: Path, holder: Mapping[str, Any], value: object) -> Iterator[str]:
    """The text with a line behind the holder's last plain key, under the names that may be right there."""
    plain = [(*path[:-1], key) for key, one in holder.items() if not isinstance(one, dict) and not _holds_tables(one)]
    offsets = [place.start for place in before.places(plain).values() if place.start is not None]
    if not offsets:
        return
    text = before.text
    start = text.rfind("\n", 0, max(offsets)) + 1
    end = start
    while end < len(text):
        at = text.find("\n", end)
        end = len(text) if at < 0 else at + 1
        if isinstance(read_toml(text[start:end]), TomlText):
            break
    line = text[start:end]
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    head = text[:end] if line.endswith("\n") else f"{text[:end]}\n"
    for first in range(len(path) - 1, -1, -1):
        key = ".".join(SingleKey(str(step)).as_string() for step in path[first:])
        yield f"{head}{indent}{key} = {_item(value).as_string()}\n{text[end:]}"


def _holds_tables(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(one, dict) for one in value)


def _assign(holder: Any, key: Any, value: object) -> None:
    """Set one value, descending into tables and lists so that only what differs is written anew."""
    old = holder.get(key) if isinstance(holder, dict) else holder[key]
    plain = old.unwrap() if isinstance(old, Item) else old
    if old is not None and same(plain, value):
        return
    if isinstance(old, dict) and isinstance(value, Mapping):
        for gone in [one for one in old if one not in value]:
            del old[gone]
        for one, wanted in value.items():
            _assign(old, one, wanted)
    elif isinstance(old, list) and isinstance(value, (list, tuple)):
        # What stands behind the last table of a list of tables belongs to what follows, though tomlkit counts it in.
        behind = _behind(old[-1]) if isinstance(old, AoT) and len(old) != len(value) else []
        while len(old) > len(value):
            del old[-1]
        for number, wanted in enumerate(value[: len(old)]):
            _assign(old, number, wanted)
        for wanted in value[len(old) :]:
            if isinstance(old, AoT):
                old[-1].add(tomlkit.nl())
            old.append(_table(wanted) if isinstance(old, AoT) else _item(wanted))
        for item in behind:
            old[-1].add(item)
    else:
        holder[key] = _item(value)


def _behind(table: Any) -> list[Item]:
    """Take away the white space and comments behind a table's last key."""
    body = table.value.body
    taken: list[Item] = []
    while body and body[-1][0] is None:
        taken.insert(0, body.pop()[1])
    return taken


def _item(value: object) -> Item:
    """A value as tomlkit writes it on one line."""
    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        for key, one in value.items():
            table[str(key)] = _item(one)
        return table
    if isinstance(value, (list, tuple)):
        array = tomlkit.array()
        for one in value:
            array.append(_item(one))
        return array
    if not isinstance(value, (str, bool, int, float)):
        raise ConfigurationProblem(f"TOML has no way to write a value of type {type(value).__name__}.")
    return tomlkit.item(value)


def _table(value: object) -> Item:
    if not isinstance(value, Mapping):
        raise ConfigurationProblem("A list of tables takes tables alone.")
    table = tomlkit.table()
    for key, one in value.items():
        table[str(key)] = _item(one)
    return table
