"""The branch ladder: all eight branches in order, each with the values its predicate read (SPEC 4.2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..vgr.branch import Branch


class RowState(StrEnum):
    """Where a branch stands on the ladder."""

    #: Tried, and its predicate did not hold.
    FAILED = "failed"
    #: The first whose predicate holds.
    TAKEN = "taken"
    #: Not reached; its predicate would have held.
    WOULD_MATCH = "would_match"
    #: Not reached; its predicate would not have held either.
    NOT_REACHED = "not_reached"


@dataclass(frozen=True, slots=True)
class Condition:
    """One field a predicate reads: its name, what it held (text is given by its length), whether it holds."""

    field: str
    value: str
    holds: bool


@dataclass(frozen=True, slots=True)
class LadderRow:
    """One branch: its state, its conditions, and the failing condition in at most three words."""

    branch: Branch
    state: RowState
    conditions: tuple[Condition, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Ladder:
    """All eight branches in order."""

    rows: tuple[LadderRow, ...]

    @property
    def taken(self) -> Branch:
        """The branch that won."""
        return next(row.branch for row in self.rows if row.state is RowState.TAKEN)
