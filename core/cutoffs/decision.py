"""The decision by ordered cutoffs: whether an answer is usable, and the first rule that it clears (SPEC 6.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import isnan
from typing import TypeGuard

from .config import CutoffsConfig, check_config


class ReasonCode(StrEnum):
    """Why the fallback took a turn without the rules."""

    TIMEOUT = "timeout"
    TRANSPORT = "transport"
    UPSTREAM_5XX = "upstream_5xx"
    UPSTREAM_NON_5XX = "upstream_non_5xx"
    INVALID_RESPONSE = "invalid_response"
    CLIENT_ERROR = "client_error"
    CALL_ERROR = "call_error"
    #: The judge answered, and its answer is not usable.
    INVALID_VERDICT = "invalid_verdict"


class CutoffSource(StrEnum):
    """What a decision rests on: the judge's distribution, or the fallback in its place."""

    DECISION_CLASSIFIER = "decision_classifier"
    FAIL_OPEN = "fail_open"


#: The verdict named in the evidence of every decision by the rules.
ORDERED_CUTOFFS = "ordered_cutoffs"


@dataclass(frozen=True, slots=True)
class CutoffDecision:
    """A routing decision: the label that takes the turn and the model behind it."""

    label: str
    target: str
    #: 1.0 by the rules, their fallback included; 0.0 where they were not applied.
    confidence: float
    source: CutoffSource
    #: The cutoff of the rule that won; None for the fallback.
    threshold: float | None
    #: Why the rules were not applied; None where they were.
    reason_code: ReasonCode | None
    #: Index of the rule that won; None for the fallback.
    rule: int | None

    @property
    def evidence(self) -> dict[str, str | float | None]:
        """The evidence as a record holds it (SPEC 6.1)."""
        if self.reason_code is not None:
            return {"source": self.source.value, "reason_code": self.reason_code.value}
        return {
            "source": self.source.value,
            "verdict": ORDERED_CUTOFFS,
            "target_label": self.label,
            "threshold": self.threshold,
        }


class Unusable(StrEnum):
    """Why an answer is not usable."""

    NO_DISTRIBUTION = "no distribution"
    MISSING_LABEL = "missing label"
    UNKNOWN_LABEL = "unknown label"
    NOT_A_NUMBER = "not a number"
    OUT_OF_RANGE = "out of range"


def usable(config: CutoffsConfig, probabilities: Mapping[str, float] | None) -> Unusable | None:
    """None where an answer is usable: exactly the configured labels, each in [0, 1]. Their sum is not looked at."""
    if probabilities is None:
        return Unusable.NO_DISTRIBUTION
    labels = frozenset(config.labels)
    if not labels <= probabilities.keys():
        return Unusable.MISSING_LABEL
    if len(probabilities) > len(labels):
        return Unusable.UNKNOWN_LABEL
    if not all(is_number(value) for value in probabilities.values()):
        return Unusable.NOT_A_NUMBER
    if not all(0 <= value <= 1 for value in probabilities.values()):
        return Unusable.OUT_OF_RANGE
    return None


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value from outside is a number that a double can hold: neither true nor false nor NaN."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return not isnan(value)
    except OverflowError:
        return False


def decide_by_cutoffs(config: CutoffsConfig, probabilities: Mapping[str, float] | None) -> CutoffDecision:
    """The first rule whose candidate has a probability strictly greater than its cutoff, else the fallback.

    An answer that is not usable takes the fallback, whatever `fail_open` says. Raises InvalidCutoffs.
    """
    check_config(config)
    if probabilities is None or usable(config, probabilities) is not None:
        return fail_open_decision(config, ReasonCode.INVALID_VERDICT)
    for at, rule in enumerate(config.rules):
        if probabilities[rule.candidate] > rule.cutoff:
            return _by_rules(config, rule.candidate, rule.cutoff, at)
    return _by_rules(config, config.fallback, None, None)


def fail_open_decision(config: CutoffsConfig, reason_code: ReasonCode) -> CutoffDecision:
    """The fallback in place of an answer. Whether a failed call may take it is `config.fail_open`: ask that first."""
    target = config.target_of(config.fallback)
    return CutoffDecision(config.fallback, target, 0.0, CutoffSource.FAIL_OPEN, None, reason_code, None)


def _by_rules(config: CutoffsConfig, label: str, threshold: float | None, rule: int | None) -> CutoffDecision:
    target = config.target_of(label)
    return CutoffDecision(label, target, 1.0, CutoffSource.DECISION_CLASSIFIER, threshold, None, rule)
