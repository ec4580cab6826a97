"""Why a tier serves a turn of a judged session, in one sentence: latch, streak, verdict, fallback (SPEC 6.2; UI 5)."""

from __future__ import annotations

from collections.abc import Sequence

from ..escalation.outcome import EscalationOutcome, EscalationTurn, Fallback
from ..escalation.streak import TurnVerdict, never_latches
from ..escalation.verdict import EscalationVerdict
from .phrases import fitting
from .reason import Reason
from .wording import counted, how_many, number

_FELL_BACK = {
    Fallback.CONTEXT_OVERFLOW: "The efficient tier ran out of context",
    Fallback.TRANSPORT: "The efficient tier could not be reached",
}
#: What each part of the rule does, for the sentences below the headline.
_RULE = "A decline clears the streak, an unavailable verdict leaves it as it is."


def escalation_reason(outcome: EscalationOutcome, turn: int | None = None) -> Reason:
    """Why this tier serves the last turn, or the given one (from 1), as far as the session had come by then.

    The headline has at most 80 characters. The judge's own words are never quoted.
    """
    turns = [one for one in outcome.turns if turn is None or one.turn <= turn]
    if not turns:
        return Reason("No assistant turn: there is nothing to judge.", "A turn is a reply of the assistant.")
    last, needed = turns[-1], outcome.config.confirmations
    if last.fallback is not None:
        return Reason(
            f"{_FELL_BACK[last.fallback]}: the capable tier took turn {number(last.turn)}.",
            f"A fallback is not judged: the streak stays at {number(last.streak_after)} of {number(needed)}, "
            "and no handoff note is sent.",
        )
    if last.evidence in (TurnVerdict.ESCALATE, TurnVerdict.LATCHED):
        return _escalated(turns, outcome)
    if never_latches(outcome.config, outcome.has_session):
        return _never(turns, needed)
    if last.verdict is EscalationVerdict.UNAVAILABLE:
        return _unavailable(turns, needed)
    if last.evidence is TurnVerdict.PENDING:
        return _pending(last, needed)
    return _declined(turns, outcome)


def latching_turn(turns: Sequence[EscalationTurn]) -> EscalationTurn | None:
    """The turn that latched the session; of a session without id, where none does, the last one that escalated."""
    return next((one for one in reversed(turns) if one.evidence is TurnVerdict.ESCALATE), None)


def _escalated(turns: Sequence[EscalationTurn], outcome: EscalationOutcome) -> Reason:
    last, latching, needed = turns[-1], latching_turn(turns), outcome.config.confirmations
    if latching is None:
        return Reason("Latched: the capable tier serves.", "A latched session is served without asking the judge.")
    at = number(latching.turn)
    noted = " The handoff note goes with the request." if last.note_sent else ""
    if not outcome.has_session:
        headline = f"Escalated for turn {at} alone: without a session id nothing latches."
        return Reason(headline, f"The held reply of turn {at} is discarded; the next turn starts from streak 0.{noted}")
    if needed == 1:
        start = f"Latched at turn {at}: the judge said escalate"
        headline = fitting(f"{start}, and one confirmation is enough.", f"{start}.")
    else:
        row = "in a row" if _in_a_row(turns, latching, needed) else "with no decline between"
        start = f"Latched at turn {at}: the judge said escalate"
        headline = fitting(f"{start} {_times(needed)} {row}.", f"{start} {_times(needed)}.", f"Latched at turn {at}.")
    if last is latching:
        detail = f"The held reply of turn {at} is discarded, and the capable tier serves from here on."
    else:
        detail = (
            "A latched session is served by the capable tier without asking the efficient one or the judge. "
            f"The held reply of turn {at} was discarded."
        )
    return Reason(headline, detail + noted)


def _in_a_row(turns: Sequence[EscalationTurn], latching: EscalationTurn, needed: int) -> bool:
    """Whether the verdicts that made the streak are those of neighbouring turns."""
    until = [one for one in turns if one.turn <= latching.turn]
    return all(one.verdict is EscalationVerdict.ESCALATE for one in until[-needed:])


def _never(turns: Sequence[EscalationTurn], needed: int) -> Reason:
    said = sum(one.verdict is EscalationVerdict.ESCALATE for one in turns)
    return Reason(
        "Can never latch: without a session id no streak is kept between turns.",
        f"Every turn starts from 0, and {number(needed)} confirmations are needed; the judge said escalate in "
        f"{number(said)} of {counted(len(turns), 'turn')}. Give a session id, or set confirmations to 1.",
    )


def _unavailable(turns: Sequence[EscalationTurn], needed: int) -> Reason:
    last, total = turns[-1], len(turns)
    why = last.absent or "the judge gave no verdict"
    detail = f"{why[:1].upper()}{why[1:]}. It neither adds to the streak nor clears it, so the efficient tier serves."
    if total > 1 and all(one.verdict is EscalationVerdict.UNAVAILABLE for one in turns):
        headline = f"No usable verdict in any of {number(total)} turns: the efficient tier serves."
    else:
        streak = f"{number(last.streak_after)} of {number(needed)}"
        start = f"No usable verdict at turn {number(last.turn)}"
        headline = fitting(f"{start}: the streak stays at {streak}.", f"{start}.")
    return Reason(headline, detail)


def _pending(last: EscalationTurn, needed: int) -> Reason:
    left = needed - last.streak_after
    more = "one more escalate latches" if left == 1 else f"{how_many(left)} more escalates latch"
    start = f"Pending at turn {number(last.turn)}: streak {number(last.streak_after)} of {number(needed)}"
    return Reason(
        fitting(f"{start}, {more} the session.", f"{start}, {more}.", f"{start}."),
        f"The held reply is served by the efficient tier. {_RULE}",
    )


def _declined(turns: Sequence[EscalationTurn], outcome: EscalationOutcome) -> Reason:
    """The last verdict is a decline, and nothing has latched."""
    total, last, needed = len(turns), turns[-1], outcome.config.confirmations
    peak = max(turns, key=lambda one: one.streak_after)
    would = f"{how_many(needed).capitalize()} escalate{'s in a row' if needed > 1 else ''} would"
    detail = f"{would} latch the session. {_RULE}"
    if not outcome.has_session:
        headline = f"The judge declined turn {number(last.turn)}: the efficient tier serves."
        return Reason(headline, f"{would} move a turn to the capable tier; without a session id nothing latches.")
    if peak.streak_after:
        start = f"No latch: the streak reached {number(peak.streak_after)}"
        reached = f"{start} of {number(needed)} at turn {number(peak.turn)}"
        return Reason(fitting(f"{reached}, then a decline cleared it.", f"{start}, then a decline cleared it."), detail)
    declined = sum(one.verdict is EscalationVerdict.DECLINE for one in turns)
    if total == 1:
        headline = f"The judge declined turn {number(last.turn)}: the efficient tier serves."
    elif declined == total:
        so_far = "" if last is outcome.turns[-1] else " so far"
        headline = f"The judge declined all {number(total)} turns{so_far}: the efficient tier serves."
    else:
        rest = counted(total - declined, "turn")
        headline = fitting(
            f"The judge never said escalate: {number(declined)} declined, {rest} without a verdict.",
            "The judge never said escalate: the efficient tier serves.",
        )
    return Reason(headline, detail)


def _times(size: int) -> str:
    return "twice" if size == 2 else f"{how_many(size)} times"
