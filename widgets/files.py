"""What the screen shows of a file that is being opened, could not be, or holds more conversations than are loaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol


class Stage(StrEnum):
    """What opening is busy with."""

    #: Bytes are read.
    READING = "reading"
    #: The conversations of a large file are listed.
    LISTING = "listing"
    #: The text is all there; its format is found, and it is read as that.
    PARSING = "parsing"


@dataclass(frozen=True, slots=True)
class Opening:
    """A file, or a long text, on its way to the bench; what was there before stays until it has come."""

    name: str = field(repr=False)
    stage: Stage
    #: Seconds since it began, as this screen was made.
    seconds: float
    #: Bytes read, and of how many; None where nobody knows (a pipe).
    done: int = 0
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """What came of the last input beside a conversation: why a file could not be opened, or what was copied."""

    what: str = field(repr=False)
    next_step: str = field(default="", repr=False)
    failed: bool = True


class Listed(Protocol):
    """The conversations of a large file, each by its index from 0."""

    def __len__(self) -> int:
        """How many there are."""
        ...

    def title(self, index: int) -> str:
        """What to choose it by: its name or its first words, in one line; empty where it has neither."""
        ...

    def size(self, index: int) -> str:
        """How long it is, in words: `34 messages`, `412 lines`."""
        ...

    def problem(self, index: int) -> str:
        """What is wrong with a line of it; empty where nothing is known to be."""
        ...

    def found(self, words: str) -> Sequence[int]:
        """The conversations whose title holds these words, in any case, in their order."""
        ...


@dataclass(frozen=True, slots=True)
class Listing:
    """A large file by its conversations. None of them is loaded but the one that was chosen."""

    name: str = field(repr=False)
    conversations: Listed = field(repr=False)
    #: Bytes of the file.
    bytes: int
    #: What is wrong with lines of the file, a sentence each.
    remarks: tuple[str, ...] = ()
    #: Index of the one on the bench; None while a choice is due.
    chosen: int | None = None
