"""The progress events of a run, in the order they happen; the last one is its outcome."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from ...core.conversation.model import Request, Response
from ...core.cutoffs.outcome import CutoffsOutcome
from ...core.escalation.outcome import EscalationOutcome, EscalationTurn
from ...core.vgr.capabilities import TaskType
from ...core.vgr.decision import Decision, Route
from ...core.vgr.derive import Derivation
from ...core.vgr.evidence import Asked, Ending, Origin, Rung, TurnOutcome


class Stage(StrEnum):
    """The stages of a VGR turn."""

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
    #: Which assistant turn of a replayed session it is about, from 1; None outside a replay.
    turn: int | None = None


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
    """The local tier wrote the attempt; of an escalation session: the efficient tier wrote the reply that is held."""

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


@dataclass(frozen=True, slots=True)
class Forwarded:
    """The cloud tier serves, and this is the request it gets. Whether it is really asked is the operator's choice."""

    request: Request = field(repr=False)
    #: Whether the rejected attempt goes with it, as unverified reference.
    carried: bool = False


@dataclass(frozen=True, slots=True)
class CloudReplied:
    """The cloud tier wrote the reply that is served."""

    response: Response = field(repr=False)
    origin: Origin


@dataclass(frozen=True, slots=True)
class TurnJudged:
    """One assistant turn of a session is settled (SPEC 6.2)."""

    turn: EscalationTurn


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
    | Forwarded
    | CloudReplied
    | TurnOutcome
)
CutoffsEvent: TypeAlias = RungAsked | RungAnswered | RungMissed | CutoffsOutcome
EscalationEvent: TypeAlias = (
    RungAsked | RungAnswered | RungMissed | AttemptProduced | Forwarded | CloudReplied | TurnJudged | EscalationOutcome
)
