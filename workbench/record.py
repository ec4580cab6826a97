"""The record of a VGR turn: enough to recompute its decision, and no content (SPEC 7, "Records hold no content").

Texts are given by their lengths; of a remark about the paste the record keeps its code and place, not its sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..core.conversation.model import Role, ToolCall
from ..core.explain.clause import Clause
from ..core.explain.trace import Trace
from ..core.vgr.capabilities import Capabilities, ToolErrors, ToolErrorSource
from ..core.vgr.decision import Decision, Readiness, decide
from ..core.vgr.flat import signals_from_json
from ..core.vgr.policy import Policy, RecoveredRun, TurnVerification, changed_constants
from ..core.vgr.signals import Signals, ToolReport
from ..prompts import vgr_prompt_set
from ..widgets.screen import Derived
from .record_parts import asked, head, length, number, number_from, numbers

if TYPE_CHECKING:
    from .result import Result

#: The policy's groups of constants.
_PARTS = ("recovered_run", "turn_verification")
_TEXTS = ("task_text", "final_answer", "transcript", "attempt")


def record(result: Result) -> dict[str, Any]:
    """The record of a result, ready for JSON."""
    outcome = result.outcome
    made = head(result, vgr_prompt_set() if outcome is None else outcome.prompt_set)
    # What differs from policy 1.0.0 is a what-if: no route sets it.
    made |= {"policy": _policy(result.policy), "policy_changes": list(changed_constants(result.policy))}
    if result.derived is not None:
        made["derived"] = _derived(result.derived)
    if outcome is None:
        return made
    made["asked"] = [asked(row) for row in outcome.asked]
    made["not_asked"] = [{"rung": rung.value, "why": why} for rung, why in outcome.not_asked]
    made["stopped"] = outcome.stopped
    made["signals"] = _signals(outcome.signals)
    made["turn_verification"] = {"streak": outcome.streak, "latched": outcome.latched}
    if outcome.ending is not None:
        made["ending"] = outcome.ending.value
    if outcome.decision is not None:
        made["decision"] = _decision(outcome.decision)
    if result.trace is not None:
        made["trace"] = _trace(result.trace)
    made["served"] = outcome.served.value
    if result.reason is not None:
        made["reason"] = result.reason.headline
    return made


def decision_from_record(made: Mapping[str, Any]) -> Decision:
    """The decision recomputed from a record alone. Raises KeyError where the record holds none of its inputs."""
    fields = dict(made["derived"]["capabilities"])
    errors = fields.pop("tool_errors")
    fields["prior_local"] = number_from(fields["prior_local"])
    for name in _TEXTS:
        fields[name] = None if fields[name] is None else "x"  # only its presence decides
    capabilities = Capabilities(
        **fields, tool_errors=errors and ToolErrors(ToolErrorSource(errors["source"]), errors["count"])
    )
    readiness = Readiness(made["controls"]["checker_validated"])
    return decide(capabilities, signals_from_json(made["signals"]), readiness, _policy_from_record(made["policy"]))


def _policy(policy: Policy) -> dict[str, Any]:
    made = numbers(asdict(policy))
    return made | {name: numbers(made[name]) for name in _PARTS}


def _policy_from_record(made: Mapping[str, Any]) -> Policy:
    fields = {name: value if name == "version" else number_from(value) for name, value in made.items()}
    parts = {name: {key: number_from(value) for key, value in made[name].items()} for name in _PARTS}
    fields["recovered_run"] = RecoveredRun(**parts["recovered_run"])
    fields["turn_verification"] = TurnVerification(**parts["turn_verification"])
    return Policy(**fields)


def _derived(derived: Derived) -> dict[str, Any]:
    capabilities = derived.capabilities
    messages = derived.request.messages
    fields: dict[str, Any] = {name: length(getattr(capabilities, name)) for name in _TEXTS}
    for name in ("has_checks", "is_coding", "is_chat", "is_agentic", "default_verified", "structured_answer"):
        fields[name] = getattr(capabilities, name)
    errors = capabilities.tool_errors
    fields["prior_local"] = number(capabilities.prior_local)
    fields["tool_errors"] = None if errors is None else {"source": errors.source.value, "count": errors.count}
    fields["tool_results"] = capabilities.tool_results
    fields["tool_tail_clean"] = capabilities.tool_tail_clean
    return {
        "instructions": len(derived.request.instructions),
        "messages": len(messages),
        "assistant_turns": sum(message.role is Role.ASSISTANT for message in messages),
        "tool_calls": sum(isinstance(block, ToolCall) for message in messages for block in message.content),
        "attempt": "none" if derived.attempt is None else "pasted" if derived.attempt_origin is None else "produced",
        "task_type": derived.task_type,
        "task_type_origin": derived.task_type_origin,
        "rule": derived.rule,
        "capabilities": fields,
        "branch": derived.ladder.taken.value,
        "ladder": [{"branch": row.branch.value, "state": row.state.value} for row in derived.ladder.rows],
    }


def _signals(signals: Signals) -> dict[str, Any]:
    """The signals in the flat form of the vectors: a key is absent where nothing was asked."""
    made: dict[str, Any] = {}
    for name in ("readout", "deliberation"):
        if (score := getattr(signals, name)) is not None:
            made[name] = number(score)
    for name in (
        "evidence_strict",
        "cloud_judge",
        "evidence_confirm",
        "agreement",
        "answer_verifier",
        "evidence_verifier",
        "tests_pass",
    ):
        if (verdict := getattr(signals, name)) is not None:
            made[name] = verdict.value
    reported = signals.tool_errors
    if reported.report is not ToolReport.ABSENT:
        counted = reported.report is ToolReport.COUNT
        made["tool_errors"] = f"count:{reported.count}" if counted else reported.report.value
    return made


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "branch": decision.branch.value,
        "predicted": decision.predicted.value,
        "readiness_gate": decision.readiness_gate.value,
        "effective": decision.effective.value,
        "resolved": asdict(decision.resolved),
        "policy_version": decision.policy_version,
    }


def _trace(trace: Trace) -> dict[str, Any]:
    return {
        "sentence": trace.sentence,
        "conclusion": trace.conclusion,
        "decided_by": trace.decided_by,
        "rule": _clause(trace.rule),
        "gate": [_clause(clause) for clause in trace.gate_clauses],
    }


def _clause(clause: Clause) -> dict[str, Any]:
    made: dict[str, Any] = {"key": clause.key, "label": clause.label, "holds": clause.holds.value}
    compared = clause.comparison
    if compared is not None:
        made |= {
            "source": compared.source,
            "value": compared.value,
            "needs": compared.needs,
            "margin": number(compared.margin),
        }
    if clause.clauses:
        made |= {"join": clause.join, "clauses": [_clause(part) for part in clause.clauses]}
    return made
