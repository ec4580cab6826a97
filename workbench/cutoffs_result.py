"""The result of a run of ordered cutoffs, and its record (SPEC 6.1): no content, and enough to decide it again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from ..core.conversation.reading import Reading
from ..core.cutoffs.config import CutoffsConfig, config_from_json, config_to_json
from ..core.cutoffs.decision import CutoffDecision, ReasonCode, decide_by_cutoffs, fail_open_decision, is_number
from ..core.cutoffs.outcome import CutoffsOutcome
from ..core.vgr.evidence import Asked, Origin
from ..prompts import cutoffs_prompt_set
from ..widgets.algorithm import Algorithm
from ..widgets.screen import Controls, Failure
from .record_parts import asked, head, length, number_from
from .turns.cutoffs import OPERATORS_WORDS, RouteQuestion

#: Stands for what a provider named and nobody configured, where a decision is made again from a record.
_UNKNOWN: Final = "\0unknown"


@dataclass(frozen=True, slots=True, repr=False)
class CutoffsResult:
    """What one run found. `outcome` is None where nothing was routed; then `reading` or `failure` says why."""

    reading: Reading
    controls: Controls
    origin: Origin
    config: CutoffsConfig
    #: What the judge is asked, exactly as it is sent; None where there is no conversation.
    question: RouteQuestion | None = None
    outcome: CutoffsOutcome | None = None
    failure: Failure | None = None

    @property
    def algorithm(self) -> Algorithm:
        """Ordered cutoffs."""
        return Algorithm.CUTOFFS

    @property
    def decision(self) -> CutoffDecision | None:
        """The decision; None where nothing was routed."""
        return None if self.outcome is None else self.outcome.decision

    @property
    def served(self) -> str | None:
        """The label that takes the turn; None where nothing was routed."""
        return None if self.outcome is None else self.outcome.decision.label

    @property
    def target(self) -> str | None:
        """The model behind that label."""
        return None if self.outcome is None else self.outcome.decision.target

    @property
    def asked(self) -> tuple[Asked, ...]:
        """Everything asked, in order."""
        return () if self.outcome is None else (self.outcome.asked,)

    def to_json(self) -> str:
        """The record of the run as JSON: versions, rules, probabilities, timings and origins, no content."""
        return json.dumps(self.record(), indent=2, allow_nan=False)

    def record(self) -> dict[str, Any]:
        """The record of the run as a dictionary."""
        made = head(self, self._prompt_set) | {"config": _config(self.config)}
        if self.question is not None:
            context = json.dumps(self.question.context, ensure_ascii=False)
            made["question"] = {"instructions": length(self.question.instructions), "context": length(context)}
        if self.outcome is None:
            return made
        decision = self.outcome.decision
        return made | {
            "asked": [asked(self.outcome.asked)],
            "answer": _answer(self.config, self.outcome),
            "decision": {
                "label": decision.label,
                "target": decision.target,
                "confidence": decision.confidence,
                "rule": decision.rule,
                "evidence": decision.evidence,
            },
        }

    @property
    def _prompt_set(self) -> str:
        if self.outcome is not None:
            return self.outcome.prompt_set
        return cutoffs_prompt_set() + ("" if self.config.instructions is None else OPERATORS_WORDS)

    def __repr__(self) -> str:
        if self.outcome is None:
            return "<CutoffsResult: nothing routed>"
        return f"<CutoffsResult: served {self.served}, {self.origin.kind}>"


def redecided(config: CutoffsConfig, outcome: CutoffsOutcome) -> CutoffsOutcome | None:
    """What the same answer decides under these rules; None where the call failed and they would raise its error."""
    failed = outcome.decision.reason_code
    if failed in (None, ReasonCode.INVALID_VERDICT):
        given = None if outcome.probabilities is None else dict(outcome.probabilities)
        return replace(outcome, decision=decide_by_cutoffs(config, given))
    return replace(outcome, decision=fail_open_decision(config, failed)) if config.fail_open else None


def cutoffs_decision_from_record(made: Mapping[str, Any]) -> CutoffDecision:
    """The decision made again from a record alone. Raises KeyError where the record holds none of its inputs."""
    # Neither the question's words nor the evidence decide anything.
    config = config_from_json(made["config"] | {"instructions": None, "evidence": None})
    code = made["decision"]["evidence"].get("reason_code")
    if code not in (None, ReasonCode.INVALID_VERDICT):
        return fail_open_decision(config, ReasonCode(code))
    answer = made["answer"]
    if answer["probabilities"] is None:
        return decide_by_cutoffs(config, None)
    given = {label: number_from(value) for label, value in answer["probabilities"].items()}
    return decide_by_cutoffs(config, given | {f"{_UNKNOWN}{at}": 0.0 for at in range(answer["unknown_labels"])})


def _config(config: CutoffsConfig) -> dict[str, Any]:
    evidence = None if config.evidence is None else json.dumps(config.evidence, ensure_ascii=False)
    return config_to_json(config) | {"instructions": length(config.instructions), "evidence": length(evidence)}


def _answer(config: CutoffsConfig, outcome: CutoffsOutcome) -> dict[str, Any]:
    """The answer as received, but for labels that are not the operator's: those are a model's own words."""
    given = outcome.probabilities
    known = None if given is None else {label: _received(value) for label, value in given if label in config.labels}
    return {
        "probabilities": known,
        "unknown_labels": 0 if given is None or known is None else len(given) - len(known),
        "choice": outcome.choice if outcome.choice in config.labels else length(outcome.choice),
        "confidence": _received(outcome.confidence),
        "covered": _received(outcome.covered),
    }


def _received(value: object) -> Any:
    """A value from outside as strict JSON: what is no number in [0, 1] or beyond by its kind alone."""
    if value is None or isinstance(value, bool):
        return value
    if is_number(value) and abs(value) != float("inf"):
        return value
    return str(float(value)) if isinstance(value, float) else {"kind": type(value).__name__}
