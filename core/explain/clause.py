"""Clauses as values: a comparison with its value, need and margin, and groups of them (SPEC 4.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Holds(StrEnum):
    """Whether a clause holds. Only YES commits; UNKNOWN = asked, no usable answer."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    NOT_ASKED = "not asked"


class Join(StrEnum):
    """How a group's clauses combine."""

    ALL = "all"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One comparison: a value against what it needs. `margin` is signed; None = not compared.

    The margin is the distance to the bar, with the sign of the outcome: + (or +0) holds, - (or -0) misses. For
    `≥` that is value minus bar, for `<` and `≤` bar minus value, for `=` minus the distance.
    """

    #: The field it reads, e.g. `readout`, `cloud_judge`, `tool_errors`, `policy.answer_judge_arms`.
    source: str
    #: The value as shown: "0.34", "yes", "not asked", "7".
    value: str
    #: What it needs as shown: "≥ 0.20", "yes", "= 0", "on".
    needs: str
    holds: Holds
    margin: float | None = None
    #: The name of the policy constant that is the bar, e.g. `coding_dial`; empty where none is.
    bar_name: str = ""
    #: The margin as shown: "+0.14", "−7"; empty where nothing is compared.
    margin_text: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """A lettered clause: a comparison, or a group of clauses.

    Keys are unique in a rule: A, A1, A1.1. The drawing shows those of the first two levels.
    """

    key: str
    label: str
    holds: Holds
    comparison: Comparison | None = None
    join: Join | None = None
    clauses: tuple[Clause, ...] = ()

    def comparisons(self) -> Iterator[Comparison]:
        """Every comparison in it, in order."""
        if self.comparison is not None:
            yield self.comparison
        for part in self.clauses:
            yield from part.comparisons()

    def find(self, key: str) -> Clause | None:
        """The clause of this key in it."""
        if self.key == key:
            return self
        return next((found for part in self.clauses if (found := part.find(key))), None)


def holds_by_comparisons(clause: Clause) -> bool:
    """Whether a clause holds, worked out from its comparisons alone."""
    if clause.comparison is not None:
        return clause.comparison.holds is Holds.YES
    parts = [holds_by_comparisons(part) for part in clause.clauses]
    return any(parts) if clause.join is Join.ANY else bool(parts) and all(parts)
