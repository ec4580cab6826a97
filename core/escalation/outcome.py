"""What the turns of a session asked the escalation judge, and which tier served each (SPEC 6.2).

LOCAL stands for the efficient tier and CLOUD for the capable one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ..vgr.decision import Route
from ..vgr.evidence import Asked
from .config import EscalationConfig
from .streak import TurnVerdict
from .verdict import EscalationVerdict


class Fallback(StrEnum):
    """Why the capable tier took a turn that nobody judged."""

    CONTEXT_OVERFLOW = "context overflow"
    TRANSPORT = "transport failure"


@dataclass(frozen=True, slots=True)
class EscalationTurn:
    """One assistant turn: what was asked, what the judge said, what became of the streak, and who served."""

    #: Counted from 1, over the assistant messages of the session.
    turn: int
    #: Index in `Request.turns` of the reply under judgement; `len(turns)` for one that was produced.
    message: int
    asked: tuple[Asked, ...]
    #: None where the judge was not asked: the session was latched, or the efficient tier gave no reply.
    verdict: EscalationVerdict | None
    #: The SPEC's evidence verdict; None on a fallback.
    evidence: TurnVerdict | None
    streak_before: int
    streak_after: int
    served: Route
    #: The judge's own words; untrusted.
    reason: str = field(default="", repr=False)
    #: Why the judge's reply carries no verdict, in our words; empty where it carries one.
    absent: str = ""
    #: What a reader that forgives would have read; shown beside an unavailable verdict, never used.
    tolerant: bool | None = None
    fallback: Fallback | None = None
    #: Whether the request forwarded to the capable tier carries the handoff note.
    note_sent: bool = False


@dataclass(frozen=True, slots=True)
class EscalationOutcome:
    """A session's turns in order, judged one after the other."""

    turns: tuple[EscalationTurn, ...]
    config: EscalationConfig
    #: Whether the streak is kept from turn to turn; without a session id each turn starts from 0.
    has_session: bool = True
    #: The version of the rubric that was asked.
    prompt_set: str = ""

    @property
    def latched_at(self) -> int | None:
        """The turn whose reply was discarded for the capable tier's, from which the session stays latched."""
        return next((turn.turn for turn in self.turns if turn.evidence is TurnVerdict.ESCALATE), None)

    @property
    def served(self) -> Route | None:
        """The tier that served the last turn; None where there is none."""
        return self.turns[-1].served if self.turns else None
