"""The result of judging a session turn by turn, and its record (SPEC 6.2): no content, and the streak to fold again."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from ..core.conversation.model import Request, Response
from ..core.conversation.reading import Reading
from ..core.escalation.outcome import EscalationOutcome, EscalationTurn
from ..core.escalation.streak import never_latches
from ..core.vgr.decision import Route
from ..core.vgr.evidence import Asked, Origin
from ..prompts import escalation_prompt_set
from ..widgets.algorithm import Algorithm
from ..widgets.screen import Controls, Failure
from .algorithms.settings import EscalationSettings
from .record_parts import asked, head, length


@dataclass(frozen=True, slots=True, repr=False)
class EscalationResult:
    """What one replay found. `outcome` is None where it did not come to its end; then `failure` says why."""

    reading: Reading
    controls: Controls
    origin: Origin
    settings: EscalationSettings
    outcome: EscalationOutcome | None = None
    #: The turns judged, also of a replay that failed at a later one.
    turns: tuple[EscalationTurn, ...] = ()
    failure: Failure | None = None
    #: The whole conversation, and the reply that the efficient tier wrote where it ends without one.
    request: Request | None = None
    reply: Response | None = None
    #: The result as it was asked, where this one reads its verdicts under other settings.
    asked_as: EscalationResult | None = None

    @property
    def algorithm(self) -> Algorithm:
        """The escalation judge."""
        return Algorithm.ESCALATION

    @property
    def served(self) -> Route | None:
        """The tier that served the last turn; None where nothing was routed. LOCAL is the efficient tier."""
        return None if self.outcome is None else self.outcome.served

    @property
    def latched_at(self) -> int | None:
        """The turn that latched the session to the capable tier, from 1; None where none did."""
        return None if self.outcome is None else self.outcome.latched_at

    @property
    def asked(self) -> tuple[Asked, ...]:
        """Everything asked of the turns judged, in order."""
        return tuple(row for turn in self.turns for row in turn.asked)

    def to_json(self) -> str:
        """The record of the replay as JSON: versions, verdicts, streaks, timings and origins, no content."""
        return json.dumps(self.record(), indent=2, allow_nan=False)

    def record(self) -> dict[str, Any]:
        """The record of the replay as a dictionary."""
        config = self.settings.config
        asked_with = escalation_prompt_set() if self.outcome is None else self.outcome.prompt_set
        made = head(self, asked_with) | {
            "config": asdict(config) | {"handoff_note": length(config.handoff_note)},
            "session": self.settings.has_session,
            "redacted": self.settings.redact,
            "never_latches": never_latches(config, self.settings.has_session),
            "turns": [_turn(turn) for turn in self.turns],
        }
        if self.outcome is None:
            return made
        served = None if self.outcome.served is None else self.outcome.served.value
        return made | {"latched_at": self.outcome.latched_at, "served": served}

    def __repr__(self) -> str:
        if self.outcome is None:
            return "<EscalationResult: nothing routed>"
        latched = "not latched" if self.latched_at is None else f"latched at turn {self.latched_at}"
        return f"<EscalationResult: {len(self.turns)} turns, {latched}, {self.origin.kind}>"


def _turn(turn: EscalationTurn) -> dict[str, Any]:
    return {
        "turn": turn.turn,
        "message": turn.message,
        "asked": [asked(row) for row in turn.asked],
        "verdict": turn.verdict,
        "evidence": turn.evidence,
        "streak": [turn.streak_before, turn.streak_after],
        "served": turn.served.value,
        "reason": length(turn.reason),
        "absent": turn.absent,
        "tolerant": turn.tolerant,
        "fallback": turn.fallback,
        "note_sent": turn.note_sent,
    }
