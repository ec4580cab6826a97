"""The rule trace: every clause of a decision with its value, bar and margin (SPEC 4.3-4.6).

The trace is the decision written out: `Trace.commits` is recomputed from its clauses alone, and so are
`predicted`, `effective` and `served`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ..vgr.branch import Branch
from ..vgr.capabilities import Capabilities
from ..vgr.decision import Mode, Readiness, ReadinessGate, Route, decide, facts_of
from ..vgr.policy import POLICY_1_0_0, Policy
from ..vgr.rules import GATES, RULES
from ..vgr.serving import serve
from ..vgr.signals import Signals
from .clause import Clause, Comparison, Holds, Join, holds_by_comparisons
from .wording import listed
from .writing import written_gate, written_rule

__all__ = ["Clause", "Comparison", "Holds", "Join", "Trace", "trace"]


@dataclass(frozen=True, slots=True)
class Trace:
    """A decision written out, clause by clause."""

    branch: Branch
    #: The whole rule as one group; its clauses are the evidence and its guard (the veto, or the tool record).
    rule: Clause
    #: The boolean sentence over the lettered clauses: "Commit when A and B".
    sentence: str
    #: The conclusion: "A is no, so the attempt is not committed".
    conclusion: str
    #: Key of the clause that decides: the arm that commits ("A1"), or the clause that fails ("B").
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
        return holds_by_comparisons(self.rule)

    @property
    def decisive(self) -> Clause:
        """The clause that decides."""
        return self.rule.find(self.decided_by) or self.rule


def trace(
    capabilities: Capabilities,
    signals: Signals,
    readiness: Readiness,
    mode: Mode,
    policy: Policy = POLICY_1_0_0,
    unanswered: Collection[str] = (),
) -> Trace:
    """The decision on this evidence, written out.

    A missing score is "not asked" unless `unanswered` names it (`readout`, `deliberation`): then it is unknown.
    """
    decision = decide(capabilities, signals, readiness, policy)
    facts = facts_of(capabilities, signals, readiness, policy)
    rule = RULES[decision.branch]
    written = written_rule(rule, facts, unanswered)
    gate = GATES.get(decision.branch)
    return Trace(
        branch=decision.branch,
        rule=written,
        sentence=_sentence(decision.branch, written),
        conclusion=_conclusion(written, decision.readiness_gate),
        decided_by=_decided_by(written, rule.evidence),
        predicted=decision.predicted,
        gate=decision.readiness_gate,
        gate_clauses=() if gate is None else (written_gate(gate.clause, facts),),
        effective=decision.effective,
        mode=mode,
        served=serve(decision, mode),
    )


def _sentence(branch: Branch, rule: Clause) -> str:
    if branch is Branch.UNKNOWN:
        return "Never commit"
    return f"Commit when {listed([clause.key for clause in rule.clauses])}"


def _failing(rule: Clause) -> Clause | None:
    """The first clause that fails it, one that says no before one that says nothing."""
    for state in (Holds.NO, Holds.UNKNOWN, Holds.NOT_ASKED):
        for clause in rule.clauses:
            if clause.holds is state:
                return clause
    return None


def _decided_by(rule: Clause, evidence: int) -> str:
    failing = _failing(rule)
    if failing is not None:
        return failing.key
    clause = rule.clauses[evidence]
    arm = next((part for part in clause.clauses if part.holds is Holds.YES), clause)
    return arm.key


def _conclusion(rule: Clause, gate: ReadinessGate) -> str:
    failing = _failing(rule)
    if failing is not None:
        verb = "was" if failing.holds is Holds.NOT_ASKED else "is"
        return f"{failing.key} {verb} {failing.holds}, so the attempt is not committed"
    keys = [clause.key for clause in rule.clauses]
    said = f"{listed(keys)} {'is' if len(keys) == 1 else 'are'} yes, so the attempt is committed"
    return said if gate is ReadinessGate.NONE else f"{said}, but {gate} holds it back"
