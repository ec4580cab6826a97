"""Verdicts that are there, under another number of confirmations, session or note: the streak folded again (SPEC 6.2).

Neither changes what a judge reads, so nobody has to be asked as long as every verdict that counts was gathered.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...core.escalation.config import EscalationConfig
from ...core.escalation.outcome import EscalationTurn
from ...core.escalation.streak import StreakState, TurnVerdict, after
from ...core.vgr.decision import Route
from ...core.vgr.evidence import Rung
from .settings import EscalationSettings


def same_transcripts(one: EscalationConfig, other: EscalationConfig) -> bool:
    """Whether judges read the same under both: the confirmations and the note are no part of it."""
    apart = {"confirmations": 0, "handoff_note": None}
    return replace(one, **apart) == replace(other, **apart)  # type: ignore[arg-type]  # both fields exist


def refold(
    gathered: Iterable[EscalationTurn], under: EscalationSettings, now: EscalationSettings
) -> tuple[EscalationTurn, ...] | None:
    """The turns as `now` makes them of what was gathered `under` other settings; None where a call is missing.

    Missing is the verdict of a turn that was latched then and is not now, and the capable tier's reply where it was not
    asked then, or was given another note.
    """
    if now.redact is not under.redact or not same_transcripts(under.config, now.config):
        return None
    folded: list[EscalationTurn] = []
    state = StreakState()
    for turn in gathered:
        before = state if now.has_session else StreakState()
        if before.latched(now.config):
            state, made = before, _latched(turn, before.streak)
        elif turn.fallback is not None:
            state, made = before, replace(turn, streak_before=before.streak, streak_after=before.streak)
        elif turn.verdict is None:
            return None
        else:
            state, evidence = after(before, turn.verdict, now.config)
            made = _judged(turn, before.streak, state.streak, evidence)
        noted = now.config.handoff_note is not None and made.evidence in (TurnVerdict.ESCALATE, TurnVerdict.LATCHED)
        made = replace(made, note_sent=noted)
        if _needs_capable(turn, made, under.config.handoff_note == now.config.handoff_note):
            return None
        folded.append(made)
    return tuple(folded)


def _latched(turn: EscalationTurn, streak: int) -> EscalationTurn:
    return replace(
        turn,
        asked=tuple(row for row in turn.asked if row.rung is Rung.CAPABLE),
        verdict=None,
        evidence=TurnVerdict.LATCHED,
        streak_before=streak,
        streak_after=streak,
        served=Route.CLOUD,
        reason="",
        absent="",
        tolerant=None,
        fallback=None,
    )


def _judged(turn: EscalationTurn, before: int, streak: int, evidence: TurnVerdict) -> EscalationTurn:
    escalated = evidence is TurnVerdict.ESCALATE
    return replace(
        turn,
        asked=tuple(row for row in turn.asked if escalated or row.rung is not Rung.CAPABLE),
        evidence=evidence,
        streak_before=before,
        streak_after=streak,
        served=Route.CLOUD if escalated else Route.LOCAL,
    )


def _needs_capable(turn: EscalationTurn, made: EscalationTurn, same_note: bool) -> bool:
    """Whether the capable tier would have to be asked: only of a turn whose reply is no pasted one."""
    live = any(row.rung in (Rung.EFFICIENT, Rung.CAPABLE) for row in turn.asked)
    if not live or made.served is not Route.CLOUD:
        return False
    had = any(row.rung is Rung.CAPABLE for row in turn.asked)
    return not had or (turn.note_sent is not made.note_sent or (made.note_sent and not same_note))
