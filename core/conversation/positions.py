"""Where a JSON value stands in a paste: paths, their text, and the spans of the values they lead to.

Parsing keeps no positions, so that a paste without remarks costs nothing; a remark's position is found afterwards by
walking down its path, and everything beside the path is skipped by the C scanner.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from .diagnostics import Place

#: Keys and indexes from the root of a document down to a value.
Path: TypeAlias = tuple[str | int, ...]
#: Half-open range of code points.
Span: TypeAlias = tuple[int, int]

_SPACE = re.compile(r"[ \t\n\r]*")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_STEP = re.compile(r'\.?([A-Za-z_][A-Za-z0-9_]*)|\[(\d{1,18})\]|\[("(?:[^"\\]|\\.)*")\]')
#: Skips any value that the reader accepts; numbers stay text, so that no length is too much.
_scan = json.JSONDecoder(strict=False, parse_int=str, parse_float=str).raw_decode


def skip_space(text: str, at: int) -> int:
    """The offset behind JSON's white space."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def path_text(path: Path) -> str:
    """The path as people write it: `messages[3].content`, and `["odd key"]` where a key is no name."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _NAME.match(step):
            text += f".{step}" if text else step
        else:
            text += f"[{json.dumps(step, ensure_ascii=False)}]"
    return text


def path_from_text(text: str) -> Path:
    """Read what `path_text` wrote; stops at the first step it cannot read."""
    steps: list[str | int] = []
    at = 0
    while found := _STEP.match(text, at):
        name, index, quoted = found.groups()
        steps.append(name if name is not None else int(index) if index is not None else json.loads(quoted))
        at = found.end()
    return tuple(steps)


def place_at(text: str, start: int, end: int | None = None, path: str | None = None) -> Place:
    """The place of an offset: lines end at a line feed, columns count code points from 1."""
    line_start = text.rfind("\n", 0, start) + 1
    return Place(text.count("\n", 0, start) + 1, start - line_start + 1, path, start, end)


def spans(text: str, roots: Sequence[int], several: bool, paths: Iterable[Path]) -> dict[Path, Span]:
    """The spans of the values at these paths and of everything above them.

    `roots` are the offsets of the documents; where a paste holds several, a path's first step is the document's index.
    A path that leads nowhere is left out.
    """
    wanted: dict[str | int, Any] = {}
    for path in paths:
        node = wanted
        for step in path:
            node = node.setdefault(step, {})
    found: dict[Path, Span] = {}
    if not several:
        _visit(text, roots[0], wanted, (), found)
    else:
        for index, below in wanted.items():
            if isinstance(index, int) and index < len(roots):
                _visit(text, roots[index], below, (index,), found)
    return found


def repeated_keys(text: str, start: int, path: Path = ()) -> Iterator[tuple[Path, int]]:
    """Each key that stands again in one object, with the offset of the repetition."""
    seen = set()
    for step, key_at, value_at in _members(text, start):
        if key_at is not None and step in seen:
            yield (*path, step), key_at
        seen.add(step)
        if text[value_at] in "{[":
            yield from repeated_keys(text, value_at, (*path, step))


def _visit(text: str, at: int, wanted: dict[str | int, Any], path: Path, found: dict[Path, Span]) -> None:
    found[path] = (at, _scan(text, at)[1])
    if wanted and text[at] in "{[":
        for step, _, value_at in _members(text, at):
            if step in wanted:
                _visit(text, value_at, wanted[step], (*path, step), found)


def _members(text: str, at: int) -> Iterator[tuple[str | int, int | None, int]]:
    """The members of the object or array at an offset: key or index, offset of the key, offset of the value."""
    is_object = text[at] == "{"
    at = skip_space(text, at + 1)
    index = 0
    while text[at] not in "]}":
        step: str | int = index
        key_at = None
        if is_object:
            key_at = at
            step, at = _scan(text, at)
            at = skip_space(text, text.index(":", at) + 1)
        yield step, key_at, at
        at = skip_space(text, _scan(text, at)[1])
        if text[at] == ",":
            at = skip_space(text, at + 1)
        index += 1
