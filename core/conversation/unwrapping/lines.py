"""Marks that stand before each line of a text: quoting, numbers of a listing, prompts of an interpreter."""

from __future__ import annotations

import re

from ..diagnostics import Severity
from ..positions import place_at
from ..remarks import Remark
from .rewriting import Pieces, Rewriting

_LINE = re.compile(r"[^\n]*\n?")
#: Marks that stand before every line, or before none.
_MARKS = {
    "quoted": re.compile(r"[ \t]{0,3}(?:>[ \t]?)+"),
    "a diff": re.compile(r"\+"),
    "commented out with `#`": re.compile(r"[ \t]*#[ \t]?"),
    "commented out with `//`": re.compile(r"[ \t]*//[ \t]?"),
    "a session of Python": re.compile(r"(?:>>>|\.\.\.)(?:[ \t]|(?=\r?\n|\Z))"),
    "in a table": re.compile(r"[ \t]*[|\u2502][ \t]?"),
}
_NUMBER = re.compile(
    r"[ \t]*(?P<number>\d{1,7})(?P<mark>[ \t]*[:|\u2502\u2192]|\t|[ \t]*[.)](?=\s)|[ \t]*(?=\r?\n|\Z)| )[ \t]?"
)


def without_line_marks(text: str) -> tuple[Rewriting, Remark] | None:
    """The text without what stands before each of its lines; None where nothing does."""
    first = text[: text.find("\n")] if "\n" in text else text
    for name, mark in _MARKS.items():
        if first and mark.match(first) and (made := _without(text, mark)) is not None:
            return made, _remark(text, f"Each line is {name}; the marks before the lines were left out.")
    if _NUMBER.match(first) and (made := _without_numbers(text)) is not None:
        return made, _remark(text, "The lines are numbered; the numbers were left out.")
    return None


def _remark(text: str, message: str) -> Remark:
    place = place_at(text, 0, 1)
    return Remark(Severity.NOTE, "line-marks", message, place=place)


def _without(text: str, mark: re.Pattern[str]) -> Rewriting | None:
    pieces = Pieces(text)
    for line in _LINE.finditer(text):
        found = mark.match(text, line.start(), line.end())
        if found is None and line[0].strip():
            return None
        pieces.copy(line.start() if found is None else found.end(), line.end())
    return pieces.finish()


def _without_numbers(text: str) -> Rewriting | None:
    """The numbers must count the lines, one by one, with one mark behind all of them."""
    pieces = Pieces(text)
    last: int | None = None
    marks = set()
    for line in _LINE.finditer(text):
        found = _NUMBER.match(text, line.start(), line.end())
        if found is None:
            if line[0].strip():
                return None
            continue
        number = int(found["number"])
        if last is not None and number != last + 1:
            return None
        last = number
        if text[found.end() : line.end()].strip():
            marks.add(found["mark"].strip(" ") or " ")
        pieces.copy(found.end(), line.end())
    return pieces.finish() if len(marks) == 1 else None
