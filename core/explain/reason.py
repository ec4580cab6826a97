"""Why in one sentence: the deciding fact, then the consequence, for a decided turn (SPEC 4.5, 4.6; UI 5, 10)."""

from __future__ import annotations

from dataclasses import dataclass

from ..vgr.branch import Branch
from ..vgr.capabilities import Capabilities
from ..vgr.decision import Mode, ReadinessGate, Route
from .clause import Clause, Holds
from .committed import committed
from .trace import Trace
from .withheld import withheld
from .wording import listed


@dataclass(frozen=True, slots=True)
class Reason:
    """The headline of the verdict card, at most 80 characters, and the sentences below it."""

    headline: str
    detail: str


_GATES = {
    ReadinessGate.SECURE_CHECKER_MISSING: "No validated checker is deployed.",
    ReadinessGate.TOOL_EVIDENCE_NOT_HOST_ATTESTED: "The host does not attest the count of failed tool results.",
}
#: The rule of each branch in words.
_RULES = {
    Branch.CHECKS: "Branch checks commits when the checker says yes.",
    Branch.CODING_NO_CHECKS: "Branch coding_no_checks commits on a sure readout, local evidence, the band or the dial.",
    Branch.ANSWER: "Branch answer commits on a verifier's yes, on the dial, or on a witness of a structured answer.",
    Branch.CHAT: "Branch chat commits on deliberation, on the dial, or on cloud_judge and evidence_confirm.",
    Branch.AGENTIC_RECOGNIZED: "Branch agentic_recognized commits on the prior that the operator declared.",
    Branch.AGENTIC_VERIFIED: "Branch agentic_verified needs a clean tool record or a recovered run before scores count",
    Branch.DEFAULT_VERIFIED: "Branch default_verified commits on readout or deliberation.",
    Branch.UNKNOWN: "Branch unknown holds unsupported and incomplete input, and never commits.",
}
_MODES = {
    Mode.OFF: "Mode off serves CLOUD whatever is decided.",
    Mode.SHADOW: "Mode shadow serves CLOUD whatever is decided.",
    Mode.EVALUATE: "Mode evaluate serves the predicted route, LOCAL.",
    Mode.ACTIVE: "Mode active serves the effective route, CLOUD.",
}


def reason(trace: Trace, capabilities: Capabilities) -> Reason:
    """Why this route, for the effective one. Texts of the conversation are never quoted."""
    if trace.gate is not ReadinessGate.NONE:
        held = f"Predicted LOCAL, held back by gate {trace.gate}. {committed(trace)} {_MODES[trace.mode]}"
        return Reason(_GATES[trace.gate], held)
    if trace.predicted is Route.LOCAL:
        agree = "Predicted, effective and served agree."
        return Reason(committed(trace), agree if trace.served is Route.LOCAL else _MODES[trace.mode])
    return Reason(withheld(trace, capabilities), _rule_in_words(trace))


def _rule_in_words(trace: Trace) -> str:
    words = _RULES[trace.branch]
    if trace.branch is not Branch.AGENTIC_VERIFIED:
        return words
    record, score = trace.rule.clauses
    words += ", so none was asked." if score.holds is Holds.NOT_ASKED and record.holds is not Holds.YES else "."
    if record.holds is Holds.YES:
        return words
    return f"{words} Not recovered: {_missing(record.clauses[1])}."


def _missing(recovered: Clause) -> str:
    missed = [(row.label, row.comparison) for row in recovered.clauses if row.holds is not Holds.YES]
    return listed(f"{label} ({found.value}, needs {found.needs})" for label, found in missed if found is not None)
