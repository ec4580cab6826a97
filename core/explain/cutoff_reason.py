"""Why a label takes the turn, in one sentence: the rule that won, the nearest miss, or what failed (SPEC 6.1; UI 5)."""

from __future__ import annotations

from collections.abc import Mapping

from ..cutoffs.config import CutoffsConfig
from ..cutoffs.decision import CutoffDecision, ReasonCode, Unusable, usable
from .cutoff_wording import score_at
from .phrases import fitting
from .reason import Reason
from .wording import bar

_FAILED = {
    ReasonCode.TIMEOUT: "The judge gave no answer in time.",
    ReasonCode.TRANSPORT: "The connection to the judge failed.",
    ReasonCode.UPSTREAM_5XX: "The judge's endpoint answered with a 5xx status.",
    ReasonCode.UPSTREAM_NON_5XX: "The judge's endpoint answered with an error status other than 5xx.",
    ReasonCode.INVALID_RESPONSE: "The judge's reply was not what its protocol promises.",
    ReasonCode.CLIENT_ERROR: "The question to the judge could not be sent.",
    ReasonCode.CALL_ERROR: "The call of the judge failed.",
    ReasonCode.INVALID_VERDICT: "The judge's answer is not usable.",
}
_UNUSABLE = {
    Unusable.NO_DISTRIBUTION: "The judge's answer holds no distribution over the labels.",
    Unusable.MISSING_LABEL: "The judge's answer lacks a configured label.",
    Unusable.UNKNOWN_LABEL: "The judge's answer holds a label that is not configured.",
    Unusable.NOT_A_NUMBER: "The judge's answer holds a probability that is not a number.",
    Unusable.OUT_OF_RANGE: "The judge's answer holds a probability outside [0, 1].",
}


def cutoff_reason(config: CutoffsConfig, probabilities: Mapping[str, float] | None, decision: CutoffDecision) -> Reason:
    """Why this label takes the turn. The headline has at most 80 characters, and names a label only where it fits."""
    if decision.reason_code is ReasonCode.INVALID_VERDICT:
        why = usable(config, probabilities)
        headline = _FAILED[ReasonCode.INVALID_VERDICT] if why is None else _UNUSABLE[why]
        return Reason(headline, "An unusable answer always takes the fallback, with confidence 0.0.")
    if decision.reason_code is not None:
        return Reason(
            _FAILED[decision.reason_code], "fail_open is on: the fallback takes the turn with confidence 0.0."
        )
    given = probabilities or {}
    if decision.rule is None:
        return _no_rule(config, given)
    rule = config.rules[decision.rule]
    number, cutoff = decision.rule + 1, bar(rule.cutoff)
    score = score_at(given[rule.candidate], rule.cutoff)
    headline = fitting(
        f"Rule {number} won: {rule.candidate} scored {score}, greater than its cutoff of {cutoff}.",
        f"Rule {number} won: its label scored {score}, greater than its cutoff of {cutoff}.",
        f"Rule {number} won: its label scored above its cutoff.",
    )
    first = "It is the first rule." if number == 1 else "No rule before it won."
    return Reason(headline, f"{first} The first rule that wins takes the turn, with confidence 1.0.")


def _no_rule(config: CutoffsConfig, given: Mapping[str, float]) -> Reason:
    """The nearest miss, the first of equally near ones."""
    rule = max(config.rules, key=lambda rule: given[rule.candidate] - rule.cutoff)
    label, cutoff = rule.candidate, bar(rule.cutoff)
    score = score_at(given[label], rule.cutoff)
    said = f"and {score} is not greater than its cutoff of {cutoff}"
    if given[label] < rule.cutoff:
        said = f"below its cutoff of {cutoff}"
    headline = fitting(
        f"No rule won: {label} scored {score}, {said}.",
        f"No rule won: the nearest label scored {score}, {said}.",
        "No rule won: no label scored above its cutoff.",
    )
    return Reason(headline, "Cutoffs are strict. The fallback takes the turn with confidence 1.0.")
