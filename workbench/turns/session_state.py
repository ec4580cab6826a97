"""What a session keeps from one VGR turn to the next: the turn-verification streak and its latch (SPEC 7)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...core.vgr.policy import TurnVerification


@dataclass(frozen=True, slots=True)
class SessionState:
    """A value: a turn reads it and its outcome carries the next one, so a cancelled turn leaves it as it was."""

    #: Proposed turns in a row whose check argued for escalation.
    streak: int = 0
    #: Latched sessions are served by cloud without an attempt.
    latched: bool = False

    def after_check(self, score: float | None, policy: TurnVerification) -> SessionState:
        """The state after a check with this p(escalate); no score leaves it as it is."""
        if score is None:
            return self
        if score < policy.escalate_at:
            return replace(self, streak=0)
        streak = self.streak + 1
        return SessionState(streak, self.latched or streak >= policy.confirmations)


#: A session that has had no turn yet.
NEW_SESSION = SessionState()
