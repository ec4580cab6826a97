"""The progress events of a VGR turn, in the order they happen; the last one is the `TurnOutcome`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from ...core.conversation.model import Response
from ...core.vgr.capabilities import TaskType
from ...core.vgr.decision import Decision, Route
from ...core.vgr.derive import Derivation
from ...core.vgr.evidence import Asked, Ending, Origin, Rung, TurnOutcome


class Stage(StrEnum):
    """The stages of a turn."""

    ATTEMPT = "attempt"
    TURN_VERIFICATION = "turn_verification"
    TYPING = "typing"
    EVIDENCE = "evidence"
    DIAGNOSIS = "diagnosis"


@dataclass(frozen=True, slots=True)
class StageStarted:
    """A stage began, `at` seconds after the turn."""

    stage: Stage
    at: float


@dataclass(frozen=True, slots=True)
class RungAsked:
    """A question is being sent; `left` is the time it gets, in seconds."""

    rung: Rung
    at: float
    left: float
    extra: bool = False


@dataclass(frozen=True, slots=True)
class RungAnswered:
    """A question gave evidence."""

    asked: Asked


@dataclass(frozen=True, slots=True)
class RungMissed:
    """A question gave none; `asked.miss` says why."""

    asked: Asked


@dataclass(frozen=True, slots=True)
class AttemptProduced:
    """The local tier wrote the attempt."""

    response: Response = field(repr=False)
    origin: Origin


@dataclass(frozen=True, slots=True)
class Typed:
    """The task's type is settled; None is an abstention. `origin` is None where nobody was asked."""

    task_type: TaskType | None
    origin: Origin | None


@dataclass(frozen=True, slots=True)
class Derived:
    """The capabilities were derived, operator declarations included."""

    derivation: Derivation = field(repr=False)


@dataclass(frozen=True, slots=True)
class Stopped:
    """Production stopped asking, and why."""

    why: str
    at: float


@dataclass(frozen=True, slots=True)
class Decided:
    """The rules decided, on production evidence only; extras may still be asked after it."""

    decision: Decision
    served: Route


@dataclass(frozen=True, slots=True)
class Ended:
    """The turn ended before the rules."""

    ending: Ending
    served: Route


TurnEvent: TypeAlias = (
    StageStarted
    | RungAsked
    | RungAnswered
    | RungMissed
    | AttemptProduced
    | Typed
    | Derived
    | Stopped
    | Decided
    | Ended
    | TurnOutcome
)
