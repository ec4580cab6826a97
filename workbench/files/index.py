"""The conversations of a large file as a list: where each stands, what to call it, which of its lines are broken.

Kept in arrays, some 20 bytes a line and the titles, so that a list of a million conversations has room in memory.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

#: Bytes of titles that are kept; what comes behind is called by its line alone.
TITLES: Final = 12_000_000
#: Broken lines that are kept by number; further ones are counted.
BROKEN: Final = 20_000


class Index:
    """Filled by `listing` line by line; the panels read it."""

    def __init__(self, unit: str = "message") -> None:
        #: What `size` counts.
        self.unit = unit
        self._groups = array("I")
        self._starts = array("Q")
        self._lengths = array("Q")
        #: Of each conversation: its first line, its count, the end of its title.
        self._first_lines = array("I")
        self._counts = array("I")
        self._ends = array("I")
        self._titles = bytearray()
        self._named: dict[int, bytes] = {}
        self._broken_lines = array("I")
        self._broken_groups = array("I")
        #: How many lines are broken, those beyond `BROKEN` too.
        self.broken = 0
        self._last_search: tuple[str, Sequence[int]] = ("", range(0))

    def __len__(self) -> int:
        """How many conversations there are."""
        return len(self._counts)

    def begin(self, line: int) -> int:
        """A further conversation, which begins at this line; gives its index."""
        self._first_lines.append(line)
        self._counts.append(0)
        return len(self._counts) - 1

    def add(self, conversation: int, start: int, length: int) -> None:
        """A line of it, by its offset and length in bytes; lines that follow each other are one span."""
        if self._groups and self._groups[-1] == conversation and self._end(-1) + 1 == start:
            self._lengths[-1] = start + length - self._starts[-1]
            return
        self._groups.append(conversation)
        self._starts.append(start)
        self._lengths.append(length)

    def count(self, conversation: int, more: int) -> None:
        """So many more messages, or lines, are in it."""
        self._counts[conversation] += more

    def name(self, conversation: int, title: str) -> None:
        """What it is called. To be set in the order of the conversations, or any order before `settle`."""
        self._named[conversation] = title.encode("utf-8", "replace")

    def is_named(self, conversation: int) -> bool:
        """Whether it has a title already, that is not put away yet."""
        return conversation in self._named

    def put_away(self, before: int) -> None:
        """No conversation before this one gets another title."""
        for index in range(len(self._ends), before):
            title = self._named.pop(index, b"")
            if len(self._titles) + len(title) <= TITLES:
                self._titles += title
            self._ends.append(len(self._titles))

    def break_line(self, conversation: int, line: int) -> None:
        """A line of it is no JSON object."""
        self.broken += 1
        if len(self._broken_lines) < BROKEN:
            self._broken_lines.append(line)
            self._broken_groups.append(conversation)

    @property
    def broken_lines(self) -> Sequence[int]:
        """The numbers of the broken lines that are kept."""
        return self._broken_lines

    def title(self, index: int) -> str:
        """Its name or first words; of one that has neither its first line's number."""
        start = self._ends[index - 1] if index else 0
        text = self._titles[start : self._ends[index]].decode("utf-8", "replace")
        return text or f"line {self._first_lines[index]:,}"

    def size(self, index: int) -> str:
        """How long it is, in words; empty where that was not counted."""
        count = self._counts[index]
        return f"{count:,} {self.unit}{'' if count == 1 else 's'}" if count else ""

    def problem(self, index: int) -> str:
        """Which of its lines is broken; empty where none is known to be."""
        lines = [line for line, group in self._broken_at(index) if group == index]
        if not lines:
            return ""
        more = f" and {len(lines) - 1:,} more" if len(lines) > 1 else ""
        return f"line {lines[0]:,}{more}: no JSON object"

    def found(self, words: str) -> Sequence[int]:
        """Those whose title holds these words, in any case."""
        sought = words.casefold().strip()
        if not sought:
            return range(len(self))
        if self._last_search[0] != sought:
            found = array("I", (i for i in range(len(self)) if sought in self.title(i).casefold()))
            self._last_search = (sought, found)
        return self._last_search[1]

    def spans(self, index: int) -> list[tuple[int, int]]:
        """Where its lines stand: offset and length in bytes, in the order of the file."""
        if len(self._groups) == len(self):
            return [(self._starts[index], self._lengths[index])]  # each has one, in order
        found = range(len(self._groups))
        return [(self._starts[at], self._lengths[at]) for at in found if self._groups[at] == index]

    def _end(self, at: int) -> int:
        return self._starts[at] + self._lengths[at]

    def _broken_at(self, index: int) -> list[tuple[int, int]]:
        if not self._broken_lines:
            return []
        # A conversation has no line before its first.
        at = bisect_left(self._broken_lines, self._first_lines[index])
        return list(zip(self._broken_lines[at:], self._broken_groups[at:], strict=True))
