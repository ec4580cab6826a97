"""What the Cutoffs tab shows: every rule against its probability, and whether the answer is usable (SPEC 6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import fsum

from ..cutoffs.config import CutoffsConfig, Rule
from ..cutoffs.decision import CutoffDecision, CutoffSource, is_number
from ..cutoffs.refusal import quoted
from .clause import Holds
from .cutoff_flips import CutoffFlip, FlipKind, Side, smallest_flips
from .cutoff_reason import cutoff_reason
from .cutoff_wording import score_at
from .wording import bar, listed, score_margin

__all__ = [
    "CutoffFlip",
    "FlipKind",
    "RuleRow",
    "RuleState",
    "Side",
    "UsabilityRow",
    "cutoff_reason",
    "rule_rows",
    "smallest_flips",
    "usability_rows",
]

#: How many labels a row names before it counts the rest.
_NAMED = 3
_SUM_DECIMALS = 4


class RuleState(StrEnum):
    """What became of a rule, in the words of the screen."""

    WINS = "wins"
    NO = "no"
    EQUAL = "no, equal"
    #: An earlier rule won.
    NOT_REACHED = "not reached"
    #: No question was sent.
    NOT_ASKED = "not asked"
    #: Asked, no usable answer: the rules were not applied.
    UNKNOWN = "unknown"
    #: The fallback takes the turn.
    TAKEN = "taken"


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule in order; the last row is the fallback, which compares nothing."""

    #: From 1; None for the fallback.
    order: int | None
    label: str
    model: str
    #: In [0, 1]; None for the fallback.
    cutoff: float | None
    #: What the judge gave this label, as received; None where it gave no number.
    probability: float | None
    #: Probability minus cutoff: positive wins, 0 and negative do not. None = not compared.
    margin: float | None
    state: RuleState
    #: Why this rule can never win; empty where some answer lets it win.
    shadowed: str = ""

    @property
    def value(self) -> str:
        """The probability as shown, on the side of the cutoff it stands on."""
        if self.probability is None:
            return RuleState.NOT_ASKED if self.state is RuleState.NOT_ASKED else "none"
        return score_at(self.probability, *(() if self.cutoff is None else (self.cutoff,)))

    @property
    def needs(self) -> str:
        """What it takes to win: `> 0.60`, or `fallback`."""
        return "fallback" if self.cutoff is None else f"> {bar(self.cutoff)}"

    @property
    def margin_text(self) -> str:
        """The margin as shown; without a sign where it is 0, which does not win."""
        if self.margin is None:
            return "not compared"
        return score_margin(self.margin) if self.margin else "0.00"


@dataclass(frozen=True, slots=True)
class UsabilityRow:
    """One thing an answer is looked at for; `holds` is None where nothing is required."""

    what: str
    holds: Holds | None
    found: str


def rule_rows(
    config: CutoffsConfig, probabilities: Mapping[str, float] | None, decision: CutoffDecision | None
) -> tuple[RuleRow, ...]:
    """The rules in order and the fallback; no decision means that nothing was asked. The configuration must hold."""
    rows = []
    for at, rule in enumerate(config.rules):
        score = _score(probabilities, rule.candidate)
        state = _state(at, rule, score, decision)
        margin = None
        if score is not None and state not in (RuleState.UNKNOWN, RuleState.NOT_ASKED):
            margin = score - rule.cutoff
        model, shadow = config.target_of(rule.candidate), _shadow(config.rules, at)
        rows.append(RuleRow(at + 1, rule.candidate, model, rule.cutoff, score, margin, state, shadow))
    state = RuleState.NOT_ASKED
    if decision is not None:
        state = RuleState.TAKEN if decision.rule is None else RuleState.NOT_REACHED
    fallback, score = config.fallback, _score(probabilities, config.fallback)
    return (*rows, RuleRow(None, fallback, config.target_of(fallback), None, score, None, state))


def usability_rows(config: CutoffsConfig, probabilities: Mapping[str, float] | None) -> tuple[UsabilityRow, ...]:
    """Whether an answer can be used, for one that was given; None is an answer without a distribution."""
    labels, given = config.labels, probabilities or {}
    missing = [label for label in labels if label not in given]
    unknown = [label for label in given if label not in labels]
    wrong = [label for label, value in given.items() if not (is_number(value) and 0 <= value <= 1)]
    found = [f"{len(labels) - len(missing)} of {len(labels)}"]
    found += [f"{_named(those)} {what}" for those, what in ((missing, "missing"), (unknown, "unknown")) if those]
    exact = UsabilityRow("a probability for exactly the configured labels", _yes(len(found) == 1), ", ".join(found))
    ranges, total = "each in [0, 1], none NaN", "sum, not required to be 1"
    if not given:
        none = "no distribution" if probabilities is None else "none given"
        return exact, UsabilityRow(ranges, Holds.NOT_ASKED, none), UsabilityRow(total, None, none)
    if wrong:
        values = [f"{quoted(label)} is {_value(given[label])}" for label in wrong[:_NAMED]]
        in_range = UsabilityRow(ranges, Holds.NO, _counted(values, len(wrong)))
        return exact, in_range, UsabilityRow(total, None, "not summed")
    # Nothing is compared with the sum, so the last digits of its terms are left out.
    shown = bar(round(fsum(given.values()), _SUM_DECIMALS))
    return exact, UsabilityRow(ranges, Holds.YES, "yes"), UsabilityRow(total, None, shown)


def _state(at: int, rule: Rule, score: float | None, decision: CutoffDecision | None) -> RuleState:
    if decision is None:
        return RuleState.NOT_ASKED
    if decision.source is CutoffSource.FAIL_OPEN:
        return RuleState.UNKNOWN
    if decision.rule is None or at < decision.rule:
        return RuleState.EQUAL if score == rule.cutoff else RuleState.NO
    return RuleState.WINS if at == decision.rule else RuleState.NOT_REACHED


def _shadow(rules: tuple[Rule, ...], at: int) -> str:
    rule = rules[at]
    if rule.cutoff >= 1:
        return "Never wins: no probability is greater than 1."
    for number, earlier in enumerate(rules[:at], 1):
        if earlier.candidate == rule.candidate and earlier.cutoff <= rule.cutoff:
            return f"Never wins: rule {number} comes first with the same label and a cutoff of {bar(earlier.cutoff)}."
    return ""


def _score(probabilities: Mapping[str, float] | None, label: str) -> float | None:
    value = None if probabilities is None else probabilities.get(label)
    return float(value) if is_number(value) else None


def _value(value: object) -> str:
    if is_number(value):
        return score_at(value, 0.0, 1.0)
    return "NaN" if isinstance(value, float) else "no number"


def _named(labels: list[str]) -> str:
    return _counted([quoted(label) for label in labels[:_NAMED]], len(labels))


def _counted(shown: Iterable[str], size: int) -> str:
    words = list(shown)
    return listed(words if size == len(words) else [*words, f"{size - len(words)} more"])


def _yes(holds: bool) -> Holds:
    return Holds.YES if holds else Holds.NO
