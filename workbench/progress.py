"""A run as one value, whichever algorithm it is of: what its events have told so far."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from ..core.conversation.model import Response
from ..core.cutoffs.outcome import CutoffsOutcome
from ..core.escalation.outcome import EscalationOutcome, EscalationTurn
from ..core.vgr.capabilities import TaskType
from ..core.vgr.evidence import Asked, Origin, Rung, TurnOutcome
from .turns.events import (
    AttemptProduced,
    CutoffsEvent,
    EscalationEvent,
    RungAnswered,
    RungAsked,
    RungMissed,
    TurnEvent,
    TurnJudged,
    Typed,
)

Outcome: TypeAlias = TurnOutcome | CutoffsOutcome | EscalationOutcome
Event: TypeAlias = TurnEvent | CutoffsEvent | EscalationEvent


@dataclass(frozen=True, slots=True)
class Progress:
    """What is known of a run. `outcome` is set by its last event."""

    asked: tuple[Asked, ...] = ()
    asking: Rung | None = None
    #: The attempt that the local tier wrote, or the reply that the efficient tier did, and where it comes from.
    attempt: Response | None = None
    attempt_origin: Origin | None = None
    task_type: TaskType | None = None
    typed_by: Origin | None = None
    #: The turns judged so far (escalation).
    turns: tuple[EscalationTurn, ...] = ()
    outcome: Outcome | None = None

    def after(self, event: Event) -> Progress:
        """The progress once this event has happened."""
        match event:
            case RungAsked():
                return replace(self, asking=event.rung)
            case RungAnswered() | RungMissed():
                return replace(self, asked=(*self.asked, event.asked), asking=None)
            case AttemptProduced():
                return replace(self, attempt=event.response, attempt_origin=event.origin)
            case Typed():
                return replace(self, task_type=event.task_type, typed_by=event.origin)
            case TurnJudged():
                return replace(self, turns=(*self.turns, event.turn))
            case TurnOutcome() | CutoffsOutcome() | EscalationOutcome():
                return replace(self, outcome=event, asking=None)
        return self
