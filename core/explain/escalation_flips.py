"""The smallest change of the escalation judge's settings that gives a turn the other tier (SPEC 6.2; UI 5).

Only the verdicts that are there are folded again: of a turn that was not asked nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..escalation.config import EscalationConfig
from ..escalation.outcome import EscalationOutcome, EscalationTurn
from ..escalation.streak import StreakState, after
from ..vgr.decision import Route
from .escalation_reason import latching_turn
from .wording import number


@dataclass(frozen=True, slots=True)
class EscalationFlip:
    """One change, and the turn that it gives the other tier."""

    #: In words: `confirmations 2 → 3`, `session id off → on`.
    change: str
    #: The settings with this change.
    confirmations: int
    has_session: bool
    #: The turn whose tier turns, from 1; turns behind it follow as they may.
    turn: int
    gives: Route


def escalation_flips(outcome: EscalationOutcome, turn: int | None = None) -> tuple[EscalationFlip, ...]:
    """The changes that give the last turn, or the given one (from 1), the other tier; the closest first.

    Of a latched turn it is the latch that is undone: what the turns behind it would have been judged is not known.
    Empty where no change does it, and for a fallback, which no setting decides.
    """
    turns = [one for one in outcome.turns if turn is None or one.turn <= turn]
    if not turns or turns[-1].fallback is not None:
        return ()
    if turns[-1].served is Route.CLOUD:
        latching = latching_turn(turns)
        return () if latching is None else (_of_confirmations(outcome, 1, latching.turn, Route.LOCAL),)
    flips: list[EscalationFlip] = []
    needed = outcome.config.confirmations
    counting = turns if outcome.has_session else turns[-1:]
    peak = max(counting, key=lambda one: one.streak_after)
    if 0 < peak.streak_after < needed:
        flips.append(_of_confirmations(outcome, peak.streak_after - needed, peak.turn, Route.CLOUD))
    if not outcome.has_session:
        flips.extend(_of_session(turns, outcome.config))
    return tuple(flips)


def _of_confirmations(outcome: EscalationOutcome, by: int, turn: int, gives: Route) -> EscalationFlip:
    before = outcome.config.confirmations
    change = f"confirmations {number(before)} → {number(before + by)}"
    return EscalationFlip(change, before + by, outcome.has_session, turn, gives)


def _of_session(turns: Sequence[EscalationTurn], config: EscalationConfig) -> Iterable[EscalationFlip]:
    """With a session id the streak is kept, and may latch: the first turn that is then no longer served locally."""
    state = StreakState()
    for one in turns:
        if one.verdict is not None:
            state, _ = after(state, one.verdict, config)
        if state.latched(config) and one.served is Route.LOCAL:
            yield EscalationFlip("session id off → on", config.confirmations, True, one.turn, Route.CLOUD)
            return
