"""What reading a paste had to say: severity, place, what was found, and the next step."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING


class Severity(StrEnum):
    """How much a remark matters. An error means that something could not be read."""

    # Severities key small tables; an enum's own hash is a call into Python.
    __hash__ = str.__hash__

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in the paste: line and column from 1, code-point offsets, JSON path."""

    line: int | None = None
    column: int | None = None
    path: str | None = field(default=None, repr=False)
    #: Half-open range of code points in the pasted text, for selecting it in the source.
    start: int | None = None
    end: int | None = None

    def __str__(self) -> str:
        """`line 41, column 7, messages[3].content`, as far as known."""
        parts = []
        if self.line is not None:
            parts.append(f"line {self.line}")
        if self.column is not None:
            parts.append(f"column {self.column}")
        if self.path:
            parts.append(self.path)
        return ", ".join(parts)


class _UnfrozenPlace:
    __slots__ = Place.__slots__
    if TYPE_CHECKING:
        line: int | None
        column: int | None
        path: str | None
        start: int | None
        end: int | None


def quick_place(line: int, column: int, start: int, end: int) -> Place:
    """What `Place` makes, in half the time; streams have thousands (see `model.quick_message`)."""
    made = _UnfrozenPlace()
    made.line = line
    made.column = column
    made.path = None
    made.start = start
    made.end = end
    made.__class__ = Place  # type: ignore[assignment]
    return made  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One remark about a paste. `code` is stable and names the kind, e.g. `unsupported-role`."""

    severity: Severity
    code: str
    #: What was found, one plain sentence; quotes at most a few characters of the paste.
    message: str = field(repr=False)
    #: What to do about it, one plain sentence; empty for notes that ask for nothing.
    next_step: str = ""
    place: Place = Place()
    #: The conversation it is about, by its index; None where the paste holds but one, or it is about the whole paste.
    conversation: int | None = None
