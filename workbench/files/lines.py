"""The lines of a large file in a stream: each with its place, and none longer than memory has room for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from .headway import Headway
from .source import Source, pieces

#: Bytes of a line up to which it is kept whole; of a longer one its two ends are.
KEPT: Final = 4_000_000
#: Bytes of each end.
END: Final = 64_000


@dataclass(frozen=True, slots=True)
class Line:
    """One line, without its line feed. Lines of white space are none."""

    #: From 1.
    number: int
    #: Offset in the file, and length, both in bytes.
    start: int
    length: int
    #: Its bytes; of one longer than `KEPT` its beginning.
    head: bytes = field(repr=False)
    #: The end of a line that is not kept whole.
    tail: bytes = field(default=b"", repr=False)

    @property
    def whole(self) -> bool:
        """Whether `head` is all of it."""
        return len(self.head) == self.length


def lines(source: Source, headway: Headway) -> Iterator[Line]:
    """The lines that hold something. Raises NotOpened and Stopped."""
    made = _Making()
    for piece in pieces(source, headway):
        at = 0
        while (found := piece.find(b"\n", at)) >= 0:
            made.add(piece[at:found])
            if line := made.end():
                yield line
            at = found + 1
        made.add(piece[at:])
    if line := made.end():
        yield line


class _Making:
    """A line of which more may come."""

    def __init__(self) -> None:
        self._number = 1
        self._start = 0
        self._length = 0
        self._parts: list[bytes] = []
        self._kept = 0
        self._tail = b""

    def add(self, piece: bytes) -> None:
        """What comes next of it."""
        self._length += len(piece)
        if self._length <= KEPT:
            self._parts.append(piece)
            return
        if self._kept == 0:
            head = b"".join(self._parts)
            self._tail = (head + piece)[-END:] if len(piece) < END else piece[-END:]
            head = (head + piece[:END])[:END] if len(head) < END else head[:END]
            self._parts, self._kept = [head], len(head)
        else:
            self._tail = (self._tail + piece)[-END:]

    def end(self) -> Line | None:
        """It is over: the line, or None where it holds nothing; the next one begins."""
        head = b"".join(self._parts)
        line = Line(self._number, self._start, self._length, head, self._tail)
        self._number += 1
        self._start += self._length + 1
        self._length, self._parts, self._kept, self._tail = 0, [], 0, b""
        return None if line.whole and not line.head.strip() else line
