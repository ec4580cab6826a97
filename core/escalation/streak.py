"""The streak of one session, its latch, and the word of evidence each turn gives (SPEC 6.2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .config import EscalationConfig
from .verdict import EscalationVerdict


class TurnVerdict(StrEnum):
    """The verdict of a turn's evidence."""

    #: This turn's judgement completed the streak: the held reply is discarded, the session is latched from now on.
    ESCALATE = "escalate"
    #: Nothing speaks against the efficient tier.
    CONTINUE = "continue"
    #: The streak has begun and is not complete.
    PENDING = "pending"
    #: An earlier turn completed the streak: the capable tier serves, and no judge is asked.
    LATCHED = "latched"


@dataclass(frozen=True, slots=True)
class StreakState:
    """What a session keeps between turns: how many turns in a row were judged `escalate`."""

    streak: int = 0

    def latched(self, config: EscalationConfig) -> bool:
        """Whether the session belongs to the capable tier, whatever is said from now on."""
        return self.streak >= config.confirmations


def after(state: StreakState, verdict: EscalationVerdict, config: EscalationConfig) -> tuple[StreakState, TurnVerdict]:
    """The state after a turn was judged, and the turn's evidence.

    `escalate` adds one, `decline` clears, `unavailable` leaves the streak as it is. A latched state stays, although its
    turns are not judged at all.
    """
    if state.latched(config):
        return state, TurnVerdict.LATCHED
    if verdict is EscalationVerdict.ESCALATE:
        state = StreakState(state.streak + 1)
        return state, TurnVerdict.ESCALATE if state.latched(config) else TurnVerdict.PENDING
    if verdict is EscalationVerdict.DECLINE:
        state = StreakState()
    return state, TurnVerdict.PENDING if state.streak else TurnVerdict.CONTINUE


def never_latches(config: EscalationConfig, has_session: bool) -> bool:
    """Whether no number of turns can latch: confirmations are to add up, and no session id carries the streak."""
    return config.confirmations > 1 and not has_session
