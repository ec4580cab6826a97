"""The branch ladder: all eight branches in order, each with the values its predicate read (SPEC 4.2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..vgr.branch import PREDICATES, Branch, is_set, select_branch
from ..vgr.capabilities import Capabilities
from .wording import bar, chars


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


#: What is missing, in at most three words.
_MISSING = {
    "has_checks": "no checker",
    "is_coding": "not coding",
    "final_answer": "no final answer",
    "task_text": "no task text",
    "is_chat": "not chat",
    "transcript": "no transcript",
    "prior_local": "no prior",
    "is_agentic": "not agentic",
    "default_verified": "not default verified",
}
_WORDS = {RowState.TAKEN: "taken", RowState.WOULD_MATCH: "would match", RowState.NOT_REACHED: "not reached"}
#: Fields an operator declares; the others are derived.
_DECLARED = frozenset({"prior_local"})


def ladder(capabilities: Capabilities) -> Ladder:
    """The ladder of this set. `unknown` is what is left, so where it is not taken it is not reached."""
    taken = select_branch(capabilities)
    rows = []
    reached = True
    for branch, names in (*PREDICATES, (Branch.UNKNOWN, ())):
        conditions = tuple(_condition(capabilities, name) for name in names)
        if branch is taken:
            state, reached = RowState.TAKEN, False
        elif reached:
            state = RowState.FAILED
        elif conditions and all(condition.holds for condition in conditions):
            state = RowState.WOULD_MATCH
        else:
            state = RowState.NOT_REACHED
        rows.append(LadderRow(branch, state, conditions, _words(state, conditions)))
    return Ladder(tuple(rows))


def _words(state: RowState, conditions: tuple[Condition, ...]) -> str:
    if state is not RowState.FAILED:
        return _WORDS[state]
    return next(_MISSING[condition.field] for condition in conditions if not condition.holds)


def _condition(capabilities: Capabilities, name: str) -> Condition:
    return Condition(name, _shown(name, getattr(capabilities, name)), is_set(capabilities, name))


def _shown(name: str, value: str | float | bool | None) -> str:
    if value is None:
        return "not declared" if name in _DECLARED else "not set"
    if isinstance(value, bool):
        return "true" if value else "false"
    return chars(value) if isinstance(value, str) else bar(value)
