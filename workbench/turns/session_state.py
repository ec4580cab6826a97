"""What a session keeps from one VGR turn to the next: the turn-verification streak and its latch (SPEC 7)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from ...core.vgr.policy import TurnVerification


@dataclass(frozen=True, slots=True)
class SessionState:
    """A value: a turn reads it and its outcome carries the next one, so a cancelled turn leaves it as it was."""

    #: Proposed turns in a row whose check argued for escalation.
    streak: int = 0
    #: Latched sessions are served by cloud without an attempt.
    latched: bool = False

    def after_check(self, score: float | None, policy: TurnVerification, *, latch: bool = True) -> Checked:
        """What a check with this p(escalate) makes of the session; no score leaves it as it is.

        Without `latch` only the turn at the bar is escalated, and each further strike in a row escalates its own.
        """
        if score is None:
            return Checked(self, self.latched)
        if score < policy.escalate_at:
            return Checked(replace(self, streak=0), self.latched)
        streak = self.streak + 1
        escalated = self.latched or streak >= policy.confirmations
        return Checked(SessionState(streak, self.latched or (latch and escalated)), escalated)


class Checked(NamedTuple):
    """A checked turn: the session's next state, and whether this turn is escalated."""

    state: SessionState
    escalated: bool


#: A session that has had no turn yet.
NEW_SESSION = SessionState()
