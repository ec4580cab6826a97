"""A text that was made from another, piece by piece, with the way back from each offset."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace

from ..diagnostics import Place
from ..positions import Span, place_at
from ..remarks import Remark


class Rewriting:
    """The new text, and where in the old one each part of it stands."""

    __slots__ = ("_ends", "_new", "_old", "_width", "source", "text")

    def __init__(
        self, source: str, text: str, new: array[int], old: array[int], ends: array[int], width: int = 1
    ) -> None:
        #: The old text.
        self.source = source
        #: The new one.
        self.text = text
        # So many characters of the old text make one of the new.
        self._width = width
        # By piece: where it begins in the new text, and its range in the old one.
        self._new, self._old, self._ends = new, old, ends

    def back(self, offset: int) -> int:
        """Where in the old text a part stands that begins at this offset of the new one."""
        piece = bisect_right(self._new, offset) - 1
        if piece < 0:
            return self._old[0] if self._old else 0
        return min(self._old[piece] + (offset - self._new[piece]) * self._width, self._ends[piece])

    def span(self, start: int, end: int) -> Span:
        """The range of the old text that a range of the new one was made from."""
        if end <= start:
            at = self.back(start)
            return at, at
        piece = bisect_right(self._new, end - 1) - 1
        follows = self._new[piece + 1] if piece + 1 < len(self._new) else len(self.text)
        last = self._ends[piece] if end == follows else self.back(end - 1) + self._width
        return self.back(start), last

    def place(self, place: Place) -> Place:
        """A place in the new text as one in the old text."""
        if place.start is None:
            return place
        start, end = self.span(place.start, place.start if place.end is None else place.end)
        return place_at(self.source, start, None if place.end is None else max(start, end), place.path)

    def remark(self, remark: Remark) -> Remark:
        """A remark on the new text as one on the old text."""
        return remark if remark.place is None else replace(remark, place=self.place(remark.place))


def replaced(
    source: str, start: int, end: int, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]
) -> Rewriting:
    """A range of a text, with every match of a pattern replaced; quick where there are many."""
    new, old, ends = array("q"), array("q"), array("q")
    parts: list[str] = []
    at, length = start, 0
    for found in pattern.finditer(source, start, end):
        begin, behind = found.span()
        if begin > at:
            new.append(length)
            old.append(at)
            ends.append(begin)
            parts.append(source[at:begin])
            length += begin - at
        if made := by(found):
            new.append(length)
            old.append(begin)
            ends.append(behind)
            parts.append(made)
            length += len(made)
        at = behind
    if at < end:
        new.append(length)
        old.append(at)
        ends.append(end)
        parts.append(source[at:end])
    return Rewriting(source, "".join(parts), new, old, ends)


class Pieces:
    """A rewriting in the making. Pieces are numbered, and may be changed until it is finished."""

    __slots__ = ("_ends", "_source", "_starts", "_texts")

    def __init__(self, source: str) -> None:
        self._source = source
        #: By piece: its text (None where it is that of the old range), and its range in the old text.
        self._texts: list[str | None] = []
        self._starts: list[int] = []
        self._ends: list[int] = []

    def __len__(self) -> int:
        return len(self._texts)

    def copy(self, start: int, end: int) -> None:
        """Take over a range of the old text; neighbours become one piece."""
        if self._texts and self._texts[-1] is None and self._ends[-1] == start:
            self._ends[-1] = end
        else:
            self._add(None, start, end)

    def put(self, text: str, start: int, end: int) -> int:
        """Write a text of its own for a range of the old one; gives the number of the piece."""
        self._add(text, start, end)
        return len(self._texts) - 1

    def change(self, piece: int, text: str) -> None:
        """Give a piece another text."""
        self._texts[piece] = text

    def text_of(self, piece: int) -> str:
        """The text of a piece."""
        text = self._texts[piece]
        return self._source[self._starts[piece] : self._ends[piece]] if text is None else text

    def clear(self, start: int, end: int) -> None:
        """Take back the pieces of these numbers; the others keep theirs."""
        self._texts[start:end] = [""] * (min(end, len(self)) - start)

    def drop_last_character(self) -> None:
        """Shorten the last piece by the character at its end."""
        last = self._texts[-1]
        if last is None:
            self._ends[-1] -= 1
        else:
            self._texts[-1] = last[:-1]

    def add_all(self, other: Pieces, start: int = 0, end: int | None = None) -> None:
        """Add (some of) the pieces of another rewriting of the same text."""
        self._texts += other._texts[start:end]
        self._starts += other._starts[start:end]
        self._ends += other._ends[start:end]

    def range(self) -> Span:
        """The range of the old text that all pieces were made from."""
        return (self._starts[0], self._ends[-1]) if self._starts else (0, 0)

    def behind(self, count: int) -> Pieces:
        """These pieces without the first characters of their text."""
        made = Pieces(self._source)
        for piece, (start, end) in enumerate(zip(self._starts, self._ends, strict=True)):
            text = self.text_of(piece)
            if count < len(text):
                is_copy = self._texts[piece] is None
                made._add(None if is_copy else text[count:], start + count if is_copy else start, end)
            count = max(0, count - len(text))
        return made

    def finish(self) -> Rewriting:
        """The text made of all pieces."""
        new, old, ends = array("q"), array("q"), array("q")
        parts = []
        at = 0
        for text, start, end in zip(self._texts, self._starts, self._ends, strict=True):
            part = self._source[start:end] if text is None else text
            if part:
                parts.append(part)
                new.append(at)
                old.append(start)
                ends.append(end)
                at += len(part)
        return Rewriting(self._source, "".join(parts), new, old, ends)

    def _add(self, text: str | None, start: int, end: int) -> None:
        self._texts.append(text)
        self._starts.append(start)
        self._ends.append(end)
