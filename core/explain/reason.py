"""Why in one sentence: the deciding fact, then the consequence, for a decided turn (SPEC 4.5, 4.6; UI 5, 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..vgr.branch import Branch
from ..vgr.capabilities import Capabilities
from ..vgr.decision import Mode, ReadinessGate, Route
from ..vgr.evidence import Asked, Miss, Rung
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


def reason(trace: Trace, capabilities: Capabilities, asked: Sequence[Asked] = ()) -> Reason:
    """Why this route, for the effective one. Texts of the conversation are never quoted.

    `asked` are the questions whose evidence decided; of an escalation, those asked in vain are named.
    """
    if trace.gate is not ReadinessGate.NONE:
        held = f"Predicted LOCAL, held back by gate {trace.gate}. {committed(trace)} {_MODES[trace.mode]}"
        return Reason(_GATES[trace.gate], held)
    if trace.predicted is Route.LOCAL:
        agree = "Predicted, effective and served agree."
        return Reason(committed(trace), agree if trace.served is Route.LOCAL else _MODES[trace.mode])
    return Reason(withheld(trace, capabilities), " ".join([_rule_in_words(trace), *_in_vain(asked)]))


def _in_vain(asked: Sequence[Asked]) -> list[str]:
    """Which questions were not answered, and what helps where it was time that lacked. Typing decides no clause."""
    missed = [row for row in asked if row.miss not in (None, Miss.UNPARSABLE) and row.rung is not Rung.TYPING]
    if not missed:
        return []
    whys = [row.error if row.miss is Miss.CALL_FAILED and row.error else row.miss for row in missed]
    says = [f"No answer from {listed(f'{row.rung} ({why})' for row, why in zip(missed, whys, strict=True))}."]
    if any(row.miss in (Miss.TIMED_OUT, Miss.DEADLINE_EXHAUSTED) for row in missed):
        says.append("A longer deadline or a faster model gives it time.")
    if any(row.error == "transport" for row in missed):
        says.append("Check that the model's server runs, then run again.")
    return says


def _rule_in_words(trace: Trace) -> str:
    words = _RULES[trace.branch]
    if trace.branch is not Branch.AGENTIC_VERIFIED:
        return words
    record, score = trace.rule.clauses
    words += ", so none was asked." if score.holds is Holds.NOT_ASKED and record.holds is not Holds.YES else "."
    if record.holds is Holds.YES:
        return "Branch agentic_verified commits on readout or deliberation: its tool record is clean or recovered."
    return f"{words} Not recovered: {_missing(record.clauses[1])}."


def _missing(recovered: Clause) -> str:
    missed = [(row.label, row.comparison) for row in recovered.clauses if row.holds is not Holds.YES]
    return listed(f"{label} ({found.value}, needs {found.needs})" for label, found in missed if found is not None)
