"""Searching a conversation: where a text stands in the rows of the Messages panel, in any case."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from ...core.conversation.model import Media
from .reader_parts import block_text
from .reader_rows import Row

#: Places of one row that are marked; the rest of them is counted alone.
_MARKED: Final = 2_000

#: A block and the half-open range of a match in its text, in code points.
Hit = tuple[int, int, int]


def found_in(rows: Sequence[Row], sought: str) -> list[tuple[int, int]]:
    """The rows that hold a text, by index, with how often they do."""
    needle = sought.casefold()
    if not needle:
        return []
    counts = ((at, sum(text.count(needle) for _, text in _folded(row))) for at, row in enumerate(rows))
    return [(at, count) for at, count in counts if count]


def hits(row: Row, sought: str) -> list[Hit]:
    """Where a text stands in a row."""
    needle = sought.casefold()
    made: list[Hit] = []
    if not needle:
        return made
    for block, folded in _folded(row):
        back = _Back(block_text(row, block), folded)
        at = folded.find(needle)
        while at >= 0 and len(made) < _MARKED:
            made.append((block, back.start(at), back.end(at + len(needle))))
            at = folded.find(needle, at + len(needle))
    return made


def _folded(row: Row) -> Iterator[tuple[int, str]]:
    for at, block in enumerate(row.content):
        if not isinstance(block, Media):
            yield at, block_text(row, at).casefold()


class _Back:
    """From places of a text without case back to the text: some characters become several."""

    def __init__(self, text: str, folded: str) -> None:
        self._ends = [] if len(text) == len(folded) else list(accumulate(len(one.casefold()) for one in text))

    def start(self, at: int) -> int:
        return bisect_right(self._ends, at) if self._ends else at

    def end(self, at: int) -> int:
        return bisect_right(self._ends, at - 1) + 1 if self._ends else at
