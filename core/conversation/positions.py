"""Where a JSON value stands in a paste: paths, their text, and the spans of the values they lead to.

Parsing keeps no positions, so that a paste without remarks costs nothing; a remark's position is found afterwards by
walking down its path, and everything beside the path is skipped by the C scanner.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

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
#: Most paths: names and indexes; the first name, and the last one behind it.
_SIMPLE = re.compile(
    r"(?:([A-Za-z_][A-Za-z0-9_]*)|\[(?:0|[1-9]\d{0,17})\])(?:\.([A-Za-z_][A-Za-z0-9_]*)|\[(?:0|[1-9]\d{0,17})\])*"
)
#: Skips any value that the reader accepts; numbers stay text, so that no length is too much.
_scan = json.JSONDecoder(strict=False, parse_int=str, parse_float=str).raw_decode


def skip_space(text: str, at: int) -> int:
    """The offset behind JSON's white space."""
    # Programs write one blank, if any.
    if text[at : at + 1] > " ":
        return at
    if text[at + 1 : at + 2] > " " and text[at] == " ":
        return at + 1
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
    if simple := _SIMPLE.fullmatch(text):
        return simple[2] or simple[1] or text
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
    """The places of many offsets of one text: lines are counted on from the last offset, or looked up for very many."""

    def __init__(self, text: str, offsets: int) -> None:
        self._text = text
        self._ends = [found.start() for found in _LINE_END.finditer(text)] if offsets > _FEW else None
        self._line, self._at = 1, 0

    def place(self, start: int, end: int | None = None, path: str | None = None) -> Place:
        """The place of one offset, as `place_at` gives it."""
        if self._ends is None:
            line, at = (1, 0) if start < self._at else (self._line, self._at)
            self._line, self._at = line + self._text.count("\n", at, start), start
            line, line_start = self._line, self._text.rfind("\n", 0, start) + 1
        else:
            before = bisect_left(self._ends, start)
            line, line_start = before + 1, self._ends[before - 1] + 1 if before else 0
        end = None if end is None else min(end, len(self._text))
        return Place(line, start - line_start + 1, path, start, end)


class _Wanted:
    """Whether the span of a value is wanted, and what of the values in it, by step."""

    __slots__ = ("below", "is_itself")

    def __init__(self) -> None:
        self.is_itself = False
        self.below: dict[str | int, _Wanted] = {}


def spans(
    text: str,
    roots: Sequence[int],
    several: bool,
    paths: Iterable[Path],
    *,
    repeats: bool = True,
    end: int | None = None,
) -> dict[Path, Span]:
    """The spans of the values at these paths; of the nearest value above where a path leads nowhere.

    `roots` are the offsets of the documents; where a paste holds several, a path's first step is the document's index.
    A path that names no document is left out. Only where a key `repeats` in an object, all of it has to be looked at,
    since the last one counts. `end` is that of the one document, where it is known.
    """
    top = _Wanted()
    for path in paths:
        node = top
        for step in path:
            if step not in node.below:
                node.below[step] = _Wanted()
            node = node.below[step]
        node.is_itself = True
    found: dict[Path, Span] = {}
    if not several:
        _locate(text, roots[0], top, (), found, repeats, end)
    else:
        for index, below in top.below.items():
            if isinstance(index, int) and index < len(roots):
                _locate(text, roots[index], below, (index,), found, repeats)
    return found


def _locate(
    text: str,
    at: int,
    wanted: _Wanted,
    path: Path,
    found: dict[Path, Span],
    repeats: bool,
    known: int | None = None,
) -> int | None:
    """Note the spans that are wanted of the value at an offset; gives the offset behind it, where that was reached.

    It is left behind the last value that is wanted, but for an object in which a key may repeat.
    """
    missing = set(wanted.below)
    may_leave = text[at] == "[" or not repeats

    def value(step: str | int, key_at: int, value_at: int) -> int | None:
        below = wanted.below.get(step)
        if below is None:
            return _scan(text, value_at)[1]
        missing.discard(step)
        behind = _locate(text, value_at, below, (*path, step), found, repeats)
        if may_leave and not missing:
            return None
        return _scan(text, value_at)[1] if behind is None else behind

    end = _members(text, at, value) if missing and text[at] in "{[" else None
    if wanted.is_itself or missing or not wanted.below:
        end = known if end is None else end
        end = _scan(text, at)[1] if end is None else end
        found[path] = (at, end)
    return end


def repeated_keys(text: str, at: int, path: Path = ()) -> list[tuple[Path, int]]:
    """Each key that stands again in one object, with the offset of the repetition."""
    found: list[tuple[Path, int]] = []
    _walk_keys(text, at, path, found)
    return found


def _walk_keys(text: str, at: int, path: Path, found: list[tuple[Path, int]]) -> int | None:
    seen: set[str | int] = set()

    def value(step: str | int, key_at: int, value_at: int) -> int | None:
        if step in seen:
            found.append(((*path, step), key_at))
        seen.add(step)
        return _walk_keys(text, value_at, (*path, step), found)

    return _members(text, at, value) if text[at] in "{[" else _scan(text, at)[1]


def _members(text: str, at: int, value: Callable[[str | int, int, int], int | None]) -> int | None:
    """Go through the object or array at an offset; gives the offset behind it, None where it was left before.

    `value` gets each key or index, its offset and that of the value, and gives the offset behind the value, or None to
    leave.
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
        behind = value(step, key_at, at)
        if behind is None:
            return None
        at = skip_space(text, behind)
        if text[at] == ",":
            at = skip_space(text, at + 1)
        index += 1
    return at + 1
