"""The places of a conversation's turns, each made when it is looked at: most are never shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from .diagnostics import Place
from .positions import Path, path_text


class Places(Sequence[Place]):
    """A sequence of places, kept as the paths and places that a reader noted."""

    __slots__ = ("_noted",)

    def __init__(self, noted: Sequence[Path | Place]) -> None:
        self._noted = noted

    def __len__(self) -> int:
        return len(self._noted)

    @overload
    def __getitem__(self, index: int) -> Place: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Place]: ...

    def __getitem__(self, index: int | slice) -> Place | Sequence[Place]:
        if isinstance(index, slice):
            return Places(self._noted[index])
        noted = self._noted[index]
        return noted if isinstance(noted, Place) else Place(path=path_text(noted))

    def moved(self, by: Callable[[Place], Place]) -> Places:
        """The same places in another text; paths stay."""
        return Places([by(noted) if isinstance(noted, Place) else noted for noted in self._noted])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))
