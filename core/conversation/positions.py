"""Where a JSON value stands in a paste: paths, their text, and the spans of the values they lead to.

Parsing keeps no positions, so that a paste without remarks costs nothing; a remark's position is found afterwards by
walking down its path, and everything beside the path is skipped by the C scanner.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from .diagnostics import Place

#: Keys and indexes from the root of a document down to a value.
Path: TypeAlias = tuple[str | int, ...]
#: Half-open range of code points.
Span: TypeAlias = tuple[int, int]

_SPACE = re.compile(r"[ \t\n\r]*")
_LINE_END = re.compile(r"\n")
#: So many places are counted one by one: a list of all lines would cost more.
_FEW = 60
_STEP = re.compile(r'\.?([A-Za-z_][A-Za-z0-9_]*)|\[(\d{1,18})\]|\[("(?:[^"\\]|\\.)*")\]')
#: Skips any value that the reader accepts; numbers stay text, so that no length is too much.
_scan = json.JSONDecoder(strict=False, parse_int=str, parse_float=str).raw_decode


def skip_space(text: str, at: int) -> int:
    """The offset behind JSON's white space."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def path_text(path: Path) -> str:
    """The path as people write it: `messages[3].content`, and `["odd key"]` where a key is no name."""
    text = "".join([f"[{step}]" if type(step) is int else step_text(step) for step in path])
    return text[1:] if text[:1] == "." else text


def step_text(step: str | int, *, is_first: bool = False) -> str:
    """One step of a path as it stands in the text of the path."""
    if isinstance(step, int):
        return f"[{step}]"
    if step.isascii() and step.isidentifier():
        return step if is_first else f".{step}"
    return f"[{json.dumps(step, ensure_ascii=False)}]"


def field_name(text: str) -> str:
    """The last key in the text of a path: what people call the value there; of a path without keys, the text."""
    if text.isidentifier():
        return text
    path = path_from_text(text)
    keys = [step for step in path if isinstance(step, str)]
    return keys[-1] if keys and path_text(path) == text else text


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
    # What ends too early is placed at the end, where no character stands.
    end = None if end is None else min(end, len(text))
    return Place(text.count("\n", 0, start) + 1, start - line_start + 1, path, start, end)


class Lines:
    """The places of many offsets of one text: where they are many, its lines are looked up instead of counted."""

    def __init__(self, text: str, offsets: int) -> None:
        self._text = text
        self._ends = [found.start() for found in _LINE_END.finditer(text)] if offsets > _FEW else None

    def place(self, start: int, end: int | None = None, path: str | None = None) -> Place:
        """The place of one offset, as `place_at` gives it."""
        if self._ends is None:
            return place_at(self._text, start, end, path)
        line = bisect_left(self._ends, start)
        line_start = self._ends[line - 1] + 1 if line else 0
        end = None if end is None else min(end, len(self._text))
        end = None if end is None else min(end, len(self._text))
        return Place(line + 1, start - line_start + 1, path, start, end)


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


def repeated_keys(text: str, at: int, path: Path = ()) -> list[tuple[Path, int]]:
    """Each key that stands again in one object, with the offset of the repetition."""
    found: list[tuple[Path, int]] = []
    _walk_keys(text, at, path, found)
    return found


def _walk_keys(text: str, at: int, path: Path, found: list[tuple[Path, int]]) -> int:
    seen: set[str | int] = set()

    def value(step: str | int, key_at: int, value_at: int) -> int:
        if step in seen:
            found.append(((*path, step), key_at))
        seen.add(step)
        return _walk_keys(text, value_at, (*path, step), found)

    return _members(text, at, value) if text[at] in "{[" else _scan(text, at)[1]


def _visit(text: str, at: int, wanted: dict[str | int, Any], path: Path, found: dict[Path, Span]) -> int:
    """Note the span of the value at an offset and of the wanted ones in it; gives the offset behind it."""

    def value(step: str | int, key_at: int, value_at: int) -> int:
        if step in wanted:
            return _visit(text, value_at, wanted[step], (*path, step), found)
        return _scan(text, value_at)[1]

    end = _members(text, at, value) if wanted and text[at] in "{[" else _scan(text, at)[1]
    found[path] = (at, end)
    return end


def _members(text: str, at: int, value: Callable[[str | int, int, int], int]) -> int:
    """Go through the object or array at an offset; gives the offset behind it.

    `value` gets each key or index, its offset and that of the value, and gives the offset behind the value.
    """
    is_object = text[at] == "{"
    at = skip_space(text, at + 1)
    index = 0
    while text[at] not in "]}":
        step: str | int = index
        key_at = at
        if is_object:
            step, at = _scan(text, at)
            at = skip_space(text, text.index(":", at) + 1)
        at = skip_space(text, value(step, key_at, at))
        if text[at] == ",":
            at = skip_space(text, at + 1)
        index += 1
    return at + 1
