"""The rule trace: every clause of a decision with its value, bar and margin (SPEC 4.3-4.6).

The trace is the decision written out: `Trace.commits` is recomputed from its clauses alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..vgr.branch import Branch
from ..vgr.decision import Mode, ReadinessGate, Route


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
    """One comparison: a value against what it needs. `margin` is signed, value minus bar; None = not compared."""

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


@dataclass(frozen=True, slots=True)
class Clause:
    """A lettered clause: a comparison, or a group of clauses."""

    key: str
    label: str
    holds: Holds
    comparison: Comparison | None = None
    join: Join | None = None
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """A decision written out, clause by clause."""

    branch: Branch
    #: The whole rule as one group; its clauses are the arms and the veto.
    rule: Clause
    #: The boolean sentence over the lettered clauses: "Commit when A and B".
    sentence: str
    #: The conclusion: "A is no, so the attempt is not committed".
    conclusion: str
    #: Key of the clause that decides: the one that makes the rule hold or fail.
    decided_by: str
    predicted: Route
    gate: ReadinessGate
    #: What the gate compared: its comparisons with the values read; empty on branches that have none.
    gate_clauses: tuple[Clause, ...]
    effective: Route
    mode: Mode
    served: Route

    @property
    def commits(self) -> bool:
        """Whether the rule commits, read off the comparisons alone."""
        return _holds(self.rule)


def _holds(clause: Clause) -> bool:
    if clause.comparison is not None:
        return clause.comparison.holds is Holds.YES
    if clause.join is Join.ANY:
        return any(_holds(part) for part in clause.clauses)
    return bool(clause.clauses) and all(_holds(part) for part in clause.clauses)
