"""A redacted text that knows where its secrets stood and where it was clipped (SPEC 2).

What stood in place of a mark is not kept: only its kind and its length are.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from ..vgr.text import REDACTED, clip_mid, kept_ends, redact_pieces
from .judged import Span
from .wording import chars, number


class Mark(NamedTuple):
    """A run of the text, by characters, that stands for a secret: its kind and length, as shown."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Clip:
    """The run of the text that is a clip's marker (without the line breaks around it), and what it stands for."""

    start: int
    end: int
    note: str
    omitted: MarkedText


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text as a judge reads it, with its marks in order; it is clipped at most once."""

    text: str = field(repr=False)
    marks: tuple[Mark, ...] = ()
    clip: Clip | None = None

    def __len__(self) -> int:
        return len(self.text)

    def spans(self, start: int = 0, end: int | None = None) -> tuple[Span, ...]:
        """A run of the text, cut at its marks; a mark that the run cuts through keeps its label."""
        stop = len(self.text) if end is None else end
        spans: list[Span] = []
        done = start
        for mark in self._marks(start, stop):
            first, last = max(mark.start, start), min(mark.end, stop)
            if first > done:
                spans.append(Span(self.text[done:first]))
            spans.append(Span(self.text[first:last], mark.label))
            done = last
        if done < stop:
            spans.append(Span(self.text[done:stop]))
        return tuple(spans)

    def cut(self, start: int, end: int) -> MarkedText:
        """A run of a text that is not clipped, as a text of its own."""
        marks = [
            Mark(max(mark.start, start) - start, min(mark.end, end) - start, mark.label)
            for mark in self._marks(start, end)
        ]
        return MarkedText(self.text[start:end], tuple(marks))

    def clipped(self, budget: int, head_fraction: float) -> MarkedText:
        """`clip_mid` of it: the marker is marked, and what it stands for is kept beside it."""
        if len(self.text) <= budget:
            return self
        text = clip_mid(self.text, budget, head_fraction)
        head, tail = kept_ends(budget, head_fraction)
        rest = len(self.text) - tail
        start, end = head + 1, len(text) - tail - 1
        note = clip_note(len(self.text) - budget, len(self.text))
        clip = Clip(start, end, note, self.cut(head, max(head, rest)))
        marks = (*self.cut(0, head).marks, *_shifted(self.cut(rest, len(self.text)).marks, end + 1))
        return MarkedText(text, marks, clip)

    def after(self, prefix: str) -> MarkedText:
        """The text with a prefix that a view gives it."""
        by = len(prefix)
        clip = self.clip and Clip(self.clip.start + by, self.clip.end + by, self.clip.note, self.clip.omitted)
        return MarkedText(prefix + self.text, _shifted(self.marks, by), clip)

    def _marks(self, start: int, end: int) -> Iterable[Mark]:
        """The marks that a run touches."""
        for at in range(bisect_right(self.marks, start, key=lambda mark: mark.end), len(self.marks)):
            if self.marks[at].start >= end:
                return
            yield self.marks[at]


def _shifted(marks: tuple[Mark, ...], by: int) -> tuple[Mark, ...]:
    return tuple([Mark(start + by, end + by, label) for start, end, label in marks]) if marks else ()


def clip_note(omitted: int, length: int) -> str:
    """`clipped: 257 of 1,657 chars`, the length being that after redaction."""
    return f"clipped: {number(omitted)} of {number(length)} chars"


def marked(text: str) -> MarkedText:
    """The text redacted, with a mark where each secret stood."""
    pieces = redact_pieces(text)
    if len(pieces) == 1 and not pieces[0].kind:
        return MarkedText(text)
    shown: list[str] = []
    marks: list[Mark] = []
    at = 0
    for piece in pieces:
        shown.append(REDACTED if piece.kind else piece.text)
        end = at + len(shown[-1])
        if piece.kind:
            marks.append(Mark(at, end, f"{piece.kind}, {chars(piece.text)}"))
        at = end
    return MarkedText("".join(shown), tuple(marks))


def joined(texts: Iterable[MarkedText], separator: str) -> MarkedText:
    """Texts that are not clipped, joined into one."""
    parts = list(texts)
    marks: list[Mark] = []
    at = 0
    for part in parts:
        marks.extend(_shifted(part.marks, at))
        at += len(part) + len(separator)
    return MarkedText(separator.join([part.text for part in parts]), tuple(marks))
