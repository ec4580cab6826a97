"""How the ordered rules on screen differ from those they are compared with (UI 5, policy rows)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...core.cutoffs.config import CutoffsConfig, Rule
from ...core.explain.wording import score_margin


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule on screen, and the cutoff that the baseline has for it; None for a rule that it does not have."""

    rule: Rule
    before: float | None
    #: Whether it stands before or after another rule than it did.
    moved: bool

    @property
    def words(self) -> str:
        """`same`, `+0.05`, `moved`, `+0.05, moved`, `new`."""
        if self.before is None:
            return "new"
        delta = self.rule.cutoff - self.before
        said = [score_margin(delta)] if delta else []
        return ", ".join(said + ["moved"] * self.moved) or "same"

    @property
    def changed(self) -> bool:
        """Whether it differs."""
        return self.words != "same"


@dataclass(frozen=True, slots=True)
class Changes:
    """Everything that differs: rules one by one, rules that are gone, and the names of other settings."""

    rules: tuple[RuleChange, ...]
    removed: tuple[Rule, ...]
    settings: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many changes there are."""
        return sum(rule.changed for rule in self.rules) + len(self.removed) + len(self.settings)


def changes(config: CutoffsConfig, baseline: CutoffsConfig) -> Changes:
    """The first rule of a label is compared with the baseline's first rule of that label, and so on."""
    left = list(enumerate(baseline.rules))
    found: list[tuple[int, Rule] | None] = []
    for rule in config.rules:
        was = next((one for one in left if one[1].candidate == rule.candidate), None)
        found.append(was)
        if was is not None:
            left.remove(was)
    kept = iter(sorted(was[0] for was in found if was is not None))
    rules = [
        RuleChange(rule, None, False) if was is None else RuleChange(rule, was[1].cutoff, was[0] != next(kept))
        for rule, was in zip(config.rules, found, strict=True)
    ]
    return Changes(tuple(rules), tuple(rule for _, rule in left), tuple(_settings(config, baseline)))


def _settings(config: CutoffsConfig, baseline: CutoffsConfig) -> Iterator[str]:
    for name in ("candidates", "fallback", "instructions", "evidence", "fail_open", "recent_turn_window"):
        if getattr(config, name) != getattr(baseline, name):
            yield name
