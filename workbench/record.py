"""The record of a run: enough to recompute its decision, and no content (SPEC 7, "Records hold no content").

Texts are given by their lengths; of a remark about the paste the record keeps its code and place, not its sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING, Any

from ..core.conversation.model import Role, ToolCall
from ..core.conversation.reading import Reading
from ..core.explain.clause import Clause
from ..core.explain.trace import Trace
from ..core.vgr.capabilities import Capabilities, ToolErrors, ToolErrorSource
from ..core.vgr.decision import Decision, Readiness, decide
from ..core.vgr.evidence import Asked, Origin
from ..core.vgr.flat import signals_from_json
from ..core.vgr.policy import Policy, RecoveredRun, TurnVerification
from ..core.vgr.signals import Signals, ToolReport
from ..prompts import vgr_prompt_set
from ..widgets.screen import Controls, Derived

if TYPE_CHECKING:
    from .result import Result

#: The version of the record's own shape.
RECORD_VERSION = 1

#: The policy's groups of constants.
_PARTS = ("recovered_run", "turn_verification")
_TEXTS = ("task_text", "final_answer", "transcript", "attempt")


def record(result: Result) -> dict[str, Any]:
    """The record of a result, ready for JSON."""
    from .. import __version__

    made: dict[str, Any] = {
        "record": RECORD_VERSION,
        "workbench": __version__,
        "algorithm": "vgr",
        "prompt_set": vgr_prompt_set(),
        "driver": _origin(result.origin),
        "policy": _policy(result.policy),
        "controls": _controls(result.controls),
        "reading": _reading(result.reading),
    }
    if result.failure is not None:
        made["failure"] = {"stage": result.failure.stage, "what": result.failure.what}
    if result.derived is not None:
        made["derived"] = _derived(result.derived)
    outcome = result.outcome
    if outcome is None:
        return made
    made["asked"] = [_asked(row) for row in outcome.asked]
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
    fields["prior_local"] = _float(fields["prior_local"])
    for name in _TEXTS:
        fields[name] = None if fields[name] is None else "x"  # only its presence decides
    capabilities = Capabilities(
        **fields, tool_errors=errors and ToolErrors(ToolErrorSource(errors["source"]), errors["count"])
    )
    readiness = Readiness(made["controls"]["checker_validated"])
    return decide(capabilities, signals_from_json(made["signals"]), readiness, _policy_from_record(made["policy"]))


def _origin(origin: Origin) -> dict[str, str]:
    return {"kind": origin.kind.value, "label": origin.label}


def _number(value: float | None) -> float | str | None:
    """A number as JSON has it; NaN and the infinities as words."""
    return value if value is None or isfinite(value) else str(value)


def _float(value: Any) -> Any:
    """The number that `_number` wrote."""
    return float(value) if isinstance(value, str) else value


def _numbers(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _number(value) if isinstance(value, float) else value for name, value in fields.items()}


def _policy(policy: Policy) -> dict[str, Any]:
    made = _numbers(asdict(policy))
    return made | {name: _numbers(made[name]) for name in _PARTS}


def _policy_from_record(made: Mapping[str, Any]) -> Policy:
    fields = {name: value if name == "version" else _float(value) for name, value in made.items()}
    parts = {name: {key: _float(value) for key, value in made[name].items()} for name in _PARTS}
    fields["recovered_run"] = RecoveredRun(**parts["recovered_run"])
    fields["turn_verification"] = TurnVerification(**parts["turn_verification"])
    return Policy(**fields)


def _controls(controls: Controls) -> dict[str, Any]:
    # Whether an approval was given matters; a mistyped one could be anything that was in the clipboard.
    return _numbers(asdict(controls)) | {"approval": {"chars": len(controls.approval)}}


def _reading(reading: Reading) -> dict[str, Any]:
    return {
        "format": None if reading.format is None else reading.format.name,
        "conversations": len(reading.conversations),
        "remarks": [
            {
                "severity": remark.severity.value,
                "code": remark.code,
                "line": remark.place.line,
                "column": remark.place.column,
            }
            for remark in reading.diagnostics
        ],
    }


def _derived(derived: Derived) -> dict[str, Any]:
    capabilities = derived.capabilities
    messages = derived.request.messages
    fields: dict[str, Any] = {name: _length(getattr(capabilities, name)) for name in _TEXTS}
    for name in ("has_checks", "is_coding", "is_chat", "is_agentic", "default_verified", "structured_answer"):
        fields[name] = getattr(capabilities, name)
    errors = capabilities.tool_errors
    fields["prior_local"] = _number(capabilities.prior_local)
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


def _length(text: str | None) -> dict[str, int] | None:
    return None if text is None else {"chars": len(text)}


def _asked(row: Asked) -> dict[str, Any]:
    return {
        "rung": row.rung.value,
        "started_ms": round(row.started * 1000, 3),
        "took_ms": round(row.took * 1000, 3),
        "value": _number(row.value) if isinstance(row.value, float) else row.value,
        "miss": row.miss,
        "error": row.error,
        "extra": row.extra,
        "origin": _origin(row.origin),
    }


def _signals(signals: Signals) -> dict[str, Any]:
    """The signals in the flat form of the vectors: a key is absent where nothing was asked."""
    made: dict[str, Any] = {}
    for name in ("readout", "deliberation"):
        if (score := getattr(signals, name)) is not None:
            made[name] = _number(score)
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
            "margin": _number(compared.margin),
        }
    if clause.clauses:
        made |= {"join": clause.join, "clauses": [_clause(part) for part in clause.clauses]}
    return made
