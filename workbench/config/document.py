"""A configuration file's text as values with places: TOML read by tomlkit, each key with its line and column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import tomlkit
from tomlkit.exceptions import ParseError, TOMLKitError

from ...core.conversation.diagnostics import Diagnostic, Place, Severity
from ...core.conversation.positions import Path, path_text
from ...core.vgr.text import redact

#: Characters of a file that are read. Files of this kind have a few thousand.
LONGEST: Final = 200_000
#: What tomlkit raises on text that is no TOML; beside its own errors some of Python's pass through.
REFUSALS: Final = (TOMLKitError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)

#: How tomlkit's errors are told, by the start of their class's name or of their text; its own text quotes the file.
_WORDS: Final = (
    # How tomlkit calls the end of the file.
    (r"Unexpected character: '\x00'", "a value is missing, or not closed", "Write it, or close it."),
    ("UnexpectedEof", "the file ends inside a value or a table's name", "Close it."),
    ("InvalidNumber", "this is no number", "Write text in quotes, and numbers without leading zeros."),
    ("InvalidDate", "this is no date", "Correct it, or write it as text in quotes."),
    ("InvalidTime", "this is no time", "Correct it, or write it as text in quotes."),
    ("EmptyKey", "a key is missing before this", "Write key = value."),
    ("EmptyTableName", "a table has no name", "Write a name between the brackets."),
    ("InvalidCharInString", "a character stands in text that may not stand there", "Escape it."),
    ("InvalidControlChar", "a control character stands in text", "Escape it, as in \\n."),
    ("InvalidUnicodeValue", "an escape is no character", "Correct the digits behind \\u."),
    ("MixedArrayTypes", "a list mixes types", "Give all its entries one type."),
    ("Key", "a name stands twice", "Keep one of the two."),
    ("Redefinition", "a table stands twice", "Keep one of the two."),
    ("TOML", "values or names are nested too deep", "Nest them less."),
)
#: A character for marks in a copy of the text; private, so that no file has reason to hold it.
_MARK: Final = "\U000f7a3e"
#: tomlkit reads no deeper nesting.
_DEEPEST: Final = 100
_OTHERWISE: Final = ("this is no TOML", "Correct it there; text needs quotes.")


@dataclass(frozen=True, slots=True)
class TomlText:
    """A file that is TOML: its values as plain Python, and a way to say where each stands."""

    text: str
    values: Mapping[str, Any]

    def places(self, paths: Iterable[Path]) -> dict[Path, Place]:
        """Where each path's key starts; what has no text of its own stands where its first child or parent does."""
        wanted = list(dict.fromkeys(paths))
        if not wanted:
            return {}
        # tomlkit keeps no positions. It gives every character back, though, and marks among them tell theirs.
        document = tomlkit.parse(self.text)
        mark = _MARK
        while mark in self.text:
            mark += _MARK
        for number, path in enumerate(wanted):
            for rank, carrier in enumerate(_carriers(document, path)):
                carrier.indent += f"{mark}{number}.{rank}{mark}"
        best: dict[int, tuple[int, int]] = {}
        # A white space that tomlkit drops must not shift what follows: places are counted in all other characters.
        count = end = 0
        written = tomlkit.dumps(document)
        for found in re.finditer(rf"{mark}(\d+)\.(\d+){mark}", written):
            count += _solid(written[end : found.start()])
            number, rank = int(found[1]), int(found[2])
            best[number] = min(best.get(number, (rank, count)), (rank, count))
            end = found.end()
        solid = [at for at, character in enumerate(self.text) if not character.isspace()]
        offsets = {number: solid[count] for number, (_, count) in best.items() if count < len(solid)}
        return {path: self._place(path, offsets.get(number)) for number, path in enumerate(wanted)}

    def _place(self, path: Path, offset: int | None) -> Place:
        words = redact(path_text(path)) or None
        if offset is None:
            return Place(path=words)
        line, column = line_and_column(self.text, offset)
        return Place(line, column, words, offset, offset)


def read_toml(text: str) -> TomlText | Diagnostic:
    """The file's values, or the one thing that keeps it from being TOML, with its line and column."""
    if len(text) > LONGEST:
        message = f"The file has {len(text):,d} characters, and at most {LONGEST:,d} are read."
        return Diagnostic(Severity.ERROR, "file-too-long", message, "Keep the routes you need in a file of their own.")
    try:
        text.encode()
    except UnicodeEncodeError as half:
        place = Place(*line_and_column(text, half.start))
        return Diagnostic(
            Severity.ERROR, "no-toml", "No TOML: half a surrogate pair.", "Save the file as UTF-8.", place
        )
    try:
        return TomlText(text, tomlkit.parse(text).unwrap())
    except REFUSALS as error:
        message, next_step = _told(error)
        return Diagnostic(Severity.ERROR, "no-toml", f"No TOML: {message}.", next_step, _error_place(text, error))


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column of an offset, both from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _solid(text: str) -> int:
    return sum(not character.isspace() for character in text)


def _told(error: Exception) -> tuple[str, str]:
    if not isinstance(error, TOMLKitError):
        return _OTHERWISE
    names = (type(error).__name__, str(error))
    return next(((what, step) for start, what, step in _WORDS if any(n.startswith(start) for n in names)), _OTHERWISE)


def _error_place(text: str, error: Exception) -> Place:
    """Where the error is. tomlkit notices a repeated name, and some errors without a place, only further down."""
    told = _told(error)
    if isinstance(error, ParseError) and not told[0].endswith("twice"):
        return Place(error.line, error.col + 1)
    lines = text.split("\n")

    def fails(count: int) -> bool:
        try:
            tomlkit.parse("\n".join(lines[:count])).unwrap()
        except REFUSALS as found:
            return _told(found) == told
        return False

    line = _first(fails, len(lines))
    return Place(line, len(lines[line - 1]) - len(lines[line - 1].lstrip(" \t")) + 1)


def _first(holds: Callable[[int], bool], last: int) -> int:
    """The least count from 1 to `last` for which it holds, taken to hold from there on."""
    low, high = 1, max(last, 1)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _carriers(document: Any, path: Path) -> Iterator[Any]:
    """The white space before what this path names, before its first children, and before what holds it."""
    chain = [document]
    for step in path:
        found = _child(chain[-1], step)
        if found is None:
            break
        chain.append(found)
    below: list[Any] = []
    first = chain[-1]
    while first is not None and len(below) < _DEEPEST:
        first = _first_child(first)
        below.append(first)
    for item in (chain[-1], *below, *reversed(chain[:-1])):
        trivia = getattr(item, "trivia", None)
        if trivia is not None:
            yield trivia


def _first_child(item: Any) -> Any:
    if isinstance(item, list):
        return _child(item, 0)
    key = next(iter(item), None) if isinstance(item, dict) else None
    return None if key is None else _child(item, key)


def _child(holder: Any, step: str | int) -> Any:
    try:
        # A plain look-up gives some values as Python's own, which have no place.
        return holder.item(step) if hasattr(holder, "item") else holder[step]
    except (TOMLKitError, LookupError, TypeError, AttributeError):
        return None
