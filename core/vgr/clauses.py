"""The clauses rules are made of: comparisons and groups of them (SPEC 4.5).

A rule is a tree of these values. The decision walks it and stops as soon as it knows; the trace walks the same
tree and writes every clause out. So there is one description of each rule, and the two cannot drift.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from .capabilities import Capabilities
from .policy import Policy
from .readiness import Readiness
from .resolution import ToolErrorCount
from .signals import Signals, Verdict

#: The name of a policy constant and its value; None where the policy leaves it unset.
Bar: TypeAlias = Callable[[Policy], tuple[str, float | None]]


@dataclass(frozen=True, slots=True)
class Facts:
    """All that a clause may read."""

    capabilities: Capabilities
    signals: Signals
    readiness: Readiness
    policy: Policy
    #: The resolved count of failed tool results.
    tool_errors: ToolErrorCount


class Relation(Enum):
    """How a number is held against its bar. Every comparison with NaN is false, so NaN misses every bar."""

    AT_LEAST = ("≥", operator.ge)
    BELOW = ("<", operator.lt)
    #: Holds for a missing value too: the negation of AT_LEAST, which BELOW is not.
    NOT_AT_LEAST = ("not ≥", lambda value, bar: not value >= bar)
    EXACTLY = ("=", operator.eq)
    #: From 0 to the bar: a count that cannot be negative.
    WITHIN = ("≤", lambda value, bar: 0 <= value <= bar)

    def __init__(self, symbol: str, test: Callable[[float, float], bool]) -> None:
        self.symbol = symbol
        self.test = test


@dataclass(frozen=True, slots=True, eq=False)
class Score:
    """A probability against a bar. A missing score clears none, and a bar that is unset is cleared by none."""

    label: str
    source: str
    read: Callable[[Facts], float | None]
    bar: Bar
    relation: Relation = Relation.AT_LEAST

    def holds(self, facts: Facts) -> bool:
        """Whether the comparison is true."""
        value, bar = self.read(facts), self.bar(facts.policy)[1]
        if value is None or bar is None:
            return self.relation is Relation.NOT_AT_LEAST
        return self.relation.test(value, bar)


@dataclass(frozen=True, slots=True, eq=False)
class Count:
    """A number of tool results against a bar. Where there is no number, `read` gives the word that says why."""

    label: str
    source: str
    read: Callable[[Facts], int | str]
    bar: Callable[[Policy], tuple[str, int]]
    relation: Relation
    #: The word that holds although it is no number.
    passes: str | None = None

    def holds(self, facts: Facts) -> bool:
        """Whether the comparison is true."""
        value = self.read(facts)
        if isinstance(value, str):
            return value == self.passes
        return self.relation.test(value, self.bar(facts.policy)[1])


@dataclass(frozen=True, slots=True, eq=False)
class Says:
    """A verdict that must be yes."""

    source: str
    read: Callable[[Facts], Verdict | None]
    #: A verifier that was never asked does not count against the attempt; one without a usable answer does.
    if_asked: bool = False
    #: Whether the policy asks for it at all; None = always.
    required: Callable[[Policy], bool] | None = None

    @property
    def label(self) -> str:
        """The verifier's name."""
        return self.source

    def holds(self, facts: Facts) -> bool:
        """Whether it said yes, or need not have."""
        verdict = self.read(facts)
        if verdict is Verdict.YES or (self.if_asked and verdict is None):
            return True
        return self.required is not None and not self.required(facts.policy)


@dataclass(frozen=True, slots=True, eq=False)
class Stated:
    """A fact given by a word, which must be the word needed."""

    label: str
    source: str
    read: Callable[[Facts], str]
    needs: str
    #: Whether the policy asks for it at all; None = always.
    required: Callable[[Policy], bool] | None = None

    def holds(self, facts: Facts) -> bool:
        """Whether the word is the one needed, or need not be."""
        if self.read(facts) == self.needs:
            return True
        return self.required is not None and not self.required(facts.policy)


@dataclass(frozen=True, slots=True, eq=False)
class AllOf:
    """A group that holds when every part does."""

    label: str
    parts: tuple[Node, ...]

    def holds(self, facts: Facts) -> bool:
        """Whether all parts hold; stops at the first that does not."""
        for part in self.parts:  # noqa: SIM110 - a generator costs more than most clauses
            if not part.holds(facts):
                return False
        return True


@dataclass(frozen=True, slots=True, eq=False)
class AnyOf:
    """A group that holds when one part does."""

    label: str
    parts: tuple[Node, ...]

    def holds(self, facts: Facts) -> bool:
        """Whether a part holds; stops at the first that does."""
        for part in self.parts:  # noqa: SIM110 - a generator costs more than most clauses
            if part.holds(facts):
                return True
        return False


Leaf: TypeAlias = Score | Count | Says | Stated
Node: TypeAlias = Leaf | AllOf | AnyOf
