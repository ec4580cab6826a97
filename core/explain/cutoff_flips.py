"""The smallest single changes of a cutoff or a probability that give another label (SPEC 6.1; UI 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from math import nextafter

from ..cutoffs.config import CutoffsConfig
from ..cutoffs.decision import decide_by_cutoffs, usable
from .cutoff_wording import score_at
from .wording import bar


class FlipKind(StrEnum):
    """What is changed."""

    CONFIG = "config"
    ANSWER = "answer"


class Side(StrEnum):
    """Where the new value stands to the boundary."""

    BELOW = "below"
    AT_MOST = "at most"
    AT_LEAST = "at least"
    ABOVE = "above"


@dataclass(frozen=True, slots=True)
class CutoffFlip:
    """One change that gives another label. Values are probabilities in [0, 1]."""

    kind: FlipKind
    #: The label whose cutoff or probability is changed.
    label: str
    #: Index of the rule whose cutoff is changed; None for a probability.
    rule: int | None
    before: float
    #: The new value must stand on this side of the boundary.
    side: Side
    boundary: float
    #: The nearest double that turns the decision: the boundary itself, or its neighbour.
    after: float
    #: The label that then takes the turn.
    gives: str

    @property
    def distance(self) -> float:
        """How far the value moves."""
        return abs(self.after - self.before)

    @property
    def change(self) -> str:
        """The change in words: `mid cutoff 0.35 → below 0.35`, `p(mid) 0.35 → above 0.35`."""
        name = f"{self.label} cutoff" if self.kind is FlipKind.CONFIG else f"p({self.label})"
        before = bar(self.before) if self.kind is FlipKind.CONFIG else score_at(self.before, self.boundary)
        return f"{name} {before} → {self.side} {bar(self.boundary)}"


def smallest_flips(config: CutoffsConfig, probabilities: Mapping[str, float] | None) -> tuple[CutoffFlip, ...]:
    """For every cutoff and every probability its smallest change that gives another label, nearest first.

    Each is the only change, so a changed distribution need not sum to 1. Empty for an answer that is not usable.
    """
    if probabilities is None or usable(config, probabilities) is not None:
        return ()
    flips = [*_of_cutoffs(config, probabilities), *_of_probabilities(config, probabilities)]
    return tuple(sorted(flips, key=lambda flip: flip.distance))


def apply_flip(
    config: CutoffsConfig, probabilities: Mapping[str, float], flip: CutoffFlip
) -> tuple[CutoffsConfig, dict[str, float]]:
    """The configuration and the answer with this one change."""
    if flip.rule is None:
        return config, {**probabilities, flip.label: flip.after}
    rules = list(config.rules)
    rules[flip.rule] = replace(rules[flip.rule], cutoff=flip.after)
    return replace(config, rules=tuple(rules)), dict(probabilities)


def _of_cutoffs(config: CutoffsConfig, probabilities: Mapping[str, float]) -> Iterator[CutoffFlip]:
    """A cutoff matters on its two sides of the probability only: below it the rule wins, from it on it does not."""
    now = decide_by_cutoffs(config, probabilities)
    for at, rule in enumerate(config.rules):
        score = float(probabilities[rule.candidate])
        wins = at == now.rule
        side, after = (Side.AT_LEAST, score) if wins else (Side.BELOW, nextafter(score, 0))
        flip = CutoffFlip(FlipKind.CONFIG, rule.candidate, at, rule.cutoff, side, score, after, rule.candidate)
        gives = decide_by_cutoffs(*apply_flip(config, probabilities, flip)).label
        if gives != now.label:
            yield replace(flip, gives=gives)


def _of_probabilities(config: CutoffsConfig, probabilities: Mapping[str, float]) -> Iterator[CutoffFlip]:
    """A probability matters on the two sides of its own rules' cutoffs only."""
    now = decide_by_cutoffs(config, probabilities)
    for label in config.labels:
        score = float(probabilities[label])
        cutoffs = sorted({rule.cutoff for rule in config.rules if rule.candidate == label})
        # Nearest first on each side. Distances would not do for that: those of close cutoffs can round to one.
        changes = [(Side.AT_MOST, cutoff, cutoff) for cutoff in reversed(cutoffs) if cutoff < score]
        changes += [(Side.ABOVE, cutoff, nextafter(cutoff, 1)) for cutoff in cutoffs if score <= cutoff < 1]
        for side, cutoff, after in changes:
            flip = CutoffFlip(FlipKind.ANSWER, label, None, score, side, cutoff, after, label)
            gives = decide_by_cutoffs(*apply_flip(config, probabilities, flip)).label
            if gives != now.label:
                # Downwards only the winner's probability turns it, upwards only another's: there is one side.
                yield replace(flip, gives=gives)
                break
