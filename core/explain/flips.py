"""The smallest flips of a decision: the fewest changes, alone or in pairs, that give the other tier (SPEC 4; UI 5).

Exact where a number is held against a bar, since only the sides of a boundary matter; exhaustive where a word is one of
few. Nothing is asked: each change is put to the decision itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import inf
from typing import TypeAlias

from ..vgr.capabilities import Capabilities, TaskType
from ..vgr.decision import Route
from .change import Change, Side, Situation
from .changes import changes_of, changes_of_branch

_UNSET = (None, "nobody")
#: What is changed and in which way: changes of one key differ in how far they go only.
_Key: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Flip:
    """One or two changes that, made together, give the other tier; neither of two does so alone."""

    changes: tuple[Change, ...]
    #: The tier that then serves.
    gives: Route

    @property
    def distance(self) -> float | None:
        """How far its numbers move, added up; None where one has no such distance."""
        distances = [
            change.distance for change in self.changes if change.side is not None or change.distance is not None
        ]
        return None if None in distances else sum(distance for distance in distances if distance is not None)

    @property
    def is_trust_finding(self) -> bool:
        """Whether the client could make every change itself, by what it sends."""
        return all(change.client for change in self.changes)

    def apply(self, situation: Situation) -> Situation:
        """The situation with these changes, in their order."""
        for change in self.changes:
            situation = change.apply(situation)
        return situation


def smallest_flips(
    situation: Situation, retyped: Mapping[TaskType | None, Capabilities] | None = None
) -> tuple[Flip, ...]:
    """The flips of a decision: single changes first, then pairs, nearest first.

    `retyped` gives the capabilities under every other task type; without it the type stays.
    """
    served = situation.served
    branching = changes_of_branch(situation, retyped or {})
    staying = changes_of(situation)
    singles = [*staying, *branching]
    alone = [change for change in singles if change.apply(situation).served is not served]
    gives = Route.LOCAL if served is Route.CLOUD else Route.CLOUD
    pairs = _pairs(situation, served, staying, branching, {id(change) for change in alone})
    found = [*(Flip((change,), gives) for change in alone), *(Flip(pair, gives) for pair in pairs)]
    return tuple(sorted(_nearest(found), key=_rank))


def _pairs(
    situation: Situation, served: Route, staying: list[Change], branching: list[Change], alone: set[int]
) -> Iterator[tuple[Change, Change]]:
    """Pairs of which neither flips alone: of changes that are there, and of one that makes room for another.

    What takes another branch, asks what was not asked, or sets what was unset has other boundaries behind it.
    """
    quiet = [change for change in staying if id(change) not in alone]
    for first, second in combinations(quiet, 2):
        if first.name != second.name and second.apply(first.apply(situation)).served is not served:
            yield first, second
    for first in (*branching, *(change for change in quiet if change.before in _UNSET)):
        if id(first) in alone:
            continue
        there = first.apply(situation)
        for second in changes_of(there):
            turned = second.name != first.name and second.apply(there).served is not served
            if turned and second.apply(situation).served is served:
                yield first, second


def _nearest(flips: Iterable[Flip]) -> list[Flip]:
    """Of flips that change the same things in the same way, the one that moves least."""
    best: dict[tuple[_Key, ...], Flip] = {}
    for flip in flips:
        key = tuple(sorted(map(_key, flip.changes)))
        if key not in best or _length(flip) < _length(best[key]):
            best[key] = flip
    return list(best.values())


def _key(change: Change) -> _Key:
    if change.side in (Side.AT_LEAST, Side.ABOVE):
        return change.name, "up"
    if change.side is not None:
        return change.name, "down"
    if (
        change.distance is not None
        and isinstance(change.after, (int, float))
        and isinstance(change.before, (int, float))
    ):
        return change.name, "up" if change.after > change.before else "down"
    return change.name, f"to {change.after}"


def _length(flip: Flip) -> float:
    return inf if flip.distance is None else flip.distance


def _rank(flip: Flip) -> tuple[int, float, str]:
    return len(flip.changes), _length(flip), " ".join(change.name for change in flip.changes)
