"""What of a conversation is kept but not read, each value by the text of its path; the texts are made when needed.

Long sessions keep a few fields of every message, and most are never looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from .model import Json
from .positions import Path, path_text, step_text

#: The path of what a value stands in, its key or index there, and the value.
Kept: TypeAlias = tuple[Path, str | int, Json]


class Extras(Mapping[str, Json]):
    """A table of values by the text of their path: what was put in as such, then what is `kept` in its order."""

    __slots__ = ("_kept", "_texts")

    def __init__(self, texts: Mapping[str, Json], kept: Sequence[Kept]) -> None:
        self._texts = texts
        self._kept = kept

    def _all(self) -> Mapping[str, Json]:
        if self._kept:
            # Two threads may both do this; whoever looks in between finds the whole table, or makes it once more.
            self._texts, self._kept = with_kept(dict(self._texts), self._kept), ()
        return self._texts

    def __getitem__(self, key: str) -> Json:
        return self._all()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        return f"Extras of {len(self)} values"


def with_kept(texts: dict[str, Json], kept: Sequence[Kept]) -> dict[str, Json]:
    """The table with these values in it too, each under the text of its path."""
    last: Path | None = None
    above = ""
    for at, step, value in kept:
        if at is not last:
            last, above = at, path_text(at)
        texts[above + step_text(step, is_first=not above)] = value
    return texts
