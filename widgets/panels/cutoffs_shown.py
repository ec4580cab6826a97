"""What the Cutoffs tab shows: its rules, and the answer as far as it was decided with these rules (SPEC 6.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from ...core.cutoffs.config import CutoffsConfig, InvalidCutoffs, check_config
from ...core.cutoffs.decision import CutoffDecision, ReasonCode, decide_by_cutoffs, fail_open_decision
from ...core.cutoffs.outcome import CutoffsOutcome
from ...core.explain.cutoffs import CutoffFlip, RuleRow, RuleState, rule_rows, smallest_flips
from ...core.vgr.evidence import Asked, Rung
from ..screen import RunState, Screen
from . import run

#: Characters of a label in a row, and of a model id.
LABEL_CHARS: Final = 40
NO_RULES: Final = "No rules. Add one, or paste a configuration."


@dataclass(frozen=True, slots=True)
class Shown:
    """The configuration, and what an answer gives under it."""

    config: CutoffsConfig
    #: Why the configuration cannot be used; empty where it can.
    refusal: str
    #: The outcome on screen, where these rules give it; None where there is none, or it was made with others.
    outcome: CutoffsOutcome | None
    #: The route question's row of the run on screen, answered or not.
    asked: Asked | None
    #: Whether the run failed, so that there is no outcome.
    failed: bool

    @property
    def probabilities(self) -> Mapping[str, float] | None:
        """The answer's probabilities by label, as received."""
        return given(self.outcome) if self.outcome else None

    def rows(self) -> tuple[RuleRow, ...]:
        """The rules in order and the fallback; empty for a configuration that cannot be used."""
        if self.refusal:
            return ()
        rows = rule_rows(self.config, self.probabilities, self.outcome.decision if self.outcome else None)
        # A judge that failed was asked all the same.
        return tuple(replace(row, state=RuleState.UNKNOWN) for row in rows) if self.failed else rows

    def rest(self) -> tuple[RuleRow, ...]:
        """The candidates that no rule is about and that are no fallback: nothing can choose them."""
        known = {row.label for row in self.rows()}
        left = (label for label in self.config.labels if label not in known and not self.refusal)
        # As the fallback of the same rules, which is how the core reads a probability that is not compared.
        alone = (CutoffsConfig(self.config.candidates, self.config.rules, label) for label in left)
        return tuple(rule_rows(one, self.probabilities, None)[-1] for one in alone)

    def flips(self) -> tuple[CutoffFlip, ...]:
        """The smallest single changes that give another label; empty where no answer can be used."""
        return () if self.refusal else smallest_flips(self.config, self.probabilities)


def shown(screen: Screen) -> Shown | None:
    """What is shown of this screen; None where there is no configuration."""
    if screen.cutoffs is None:
        return None
    config, outcome = screen.cutoffs.config, screen.cutoffs.outcome
    refusal = refused(config)
    holds = outcome is not None and not refusal and gives(config, outcome)
    asked = next((row for row in reversed(run.rows(screen)) if row.rung is Rung.ROUTE), None)
    failed = screen.state is RunState.FAILED and asked is not None
    return Shown(config, refusal, outcome if holds and not failed else None, asked, failed)


def refused(config: CutoffsConfig) -> str:
    """Why a configuration cannot be used; empty where it can."""
    try:
        check_config(config)
    except InvalidCutoffs as refusal:
        return str(refusal)
    return ""


def given(outcome: CutoffsOutcome) -> Mapping[str, float] | None:
    """The probabilities of an outcome by label; None where its answer carried none."""
    return None if outcome.probabilities is None else dict(outcome.probabilities)


def gives(config: CutoffsConfig, outcome: CutoffsOutcome) -> bool:
    """Whether these rules make this decision of the outcome's answer."""
    return _decided(config, outcome) == outcome.decision


def label_under(config: CutoffsConfig, outcome: CutoffsOutcome) -> str:
    """The label that takes the turn where these rules read the outcome's answer. The configuration must hold."""
    return _decided(config, outcome).label


def _decided(config: CutoffsConfig, outcome: CutoffsOutcome) -> CutoffDecision:
    code = outcome.decision.reason_code
    if code in (None, ReasonCode.INVALID_VERDICT):
        return decide_by_cutoffs(config, given(outcome))
    return fail_open_decision(config, code)
