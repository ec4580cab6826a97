"""A running turn as one value: what its events have told so far."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..core.conversation.model import Response
from ..core.vgr.capabilities import TaskType
from ..core.vgr.evidence import Asked, Origin, Rung, TurnOutcome
from .turns.events import AttemptProduced, RungAnswered, RungAsked, RungMissed, TurnEvent, Typed


@dataclass(frozen=True, slots=True)
class Progress:
    """What is known of a turn. `outcome` is set by its last event."""

    asked: tuple[Asked, ...] = ()
    asking: Rung | None = None
    #: Seconds since the turn began when the question that is open was sent.
    asking_since: float = 0.0
    #: The attempt the local tier wrote, and where it comes from.
    attempt: Response | None = None
    attempt_origin: Origin | None = None
    task_type: TaskType | None = None
    typed_by: Origin | None = None
    outcome: TurnOutcome | None = None

    def after(self, event: TurnEvent) -> Progress:
        """The progress once this event has happened."""
        match event:
            case RungAsked():
                return replace(self, asking=event.rung, asking_since=event.at)
            case RungAnswered() | RungMissed():
                return replace(self, asked=(*self.asked, event.asked), asking=None)
            case AttemptProduced():
                return replace(self, attempt=event.response, attempt_origin=event.origin)
            case Typed():
                return replace(self, task_type=event.task_type, typed_by=event.origin)
            case TurnOutcome():
                return replace(self, outcome=event, asking=None)
        return self
