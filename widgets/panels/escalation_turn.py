"""One turn of a judged session in words and shapes, as every panel of the Escalation tab shows it (SPEC 6.2; UI 4)."""

from __future__ import annotations

from typing import Final

from ...core.conversation.model import Message, Role
from ...core.escalation.outcome import EscalationOutcome, EscalationTurn, Fallback
from ...core.escalation.streak import TurnVerdict
from ...core.escalation.transcript import message_text
from ...core.escalation.verdict import EscalationVerdict
from ...core.explain.clause import Holds
from ...core.vgr.decision import Route
from ...core.vgr.evidence import Asked, Rung
from .. import marks
from ..algorithm import EscalationScreen
from ..screen import RunState, Screen
from ..text import Html, h

#: Who LOCAL and CLOUD stand for.
TIERS: Final = {Route.LOCAL: "efficient", Route.CLOUD: "capable"}
#: The evidence of a turn that nobody judged.
FELL_BACK: Final = "fallback"
#: A triangle argues for CLOUD; the dot of a decline argues for neither, since it only clears.
_TRIANGLE: Final = h(
    "svg", {"class": "g tri", "viewBox": "0 0 12 12", "aria-hidden": True}, h("path", {"d": "M6 .5 11.5 11H.5z"})
)
_DOT: Final = h(
    "svg", {"class": "g", "viewBox": "0 0 12 12", "aria-hidden": True}, h("circle", {"cx": 6, "cy": 6, "r": 3})
)


def shown_turns(screen: Screen) -> tuple[EscalationTurn, ...]:
    """The turns judged so far, of the run that is on or of the outcome."""
    return screen.escalation.turns if screen.escalation is not None else ()


def turn_at(screen: Screen, number: int) -> EscalationTurn | None:
    """The turn of this number, where it was judged."""
    return next((turn for turn in shown_turns(screen) if turn.turn == number), None)


def latch_of(shown: EscalationScreen) -> int | None:
    """The turn that latched the session; None where none did, or where no session id keeps the latch."""
    if not _kept_session(shown):
        return None
    return next((turn.turn for turn in shown.turns if turn.evidence is TurnVerdict.ESCALATE), None)


def confirmations(shown: EscalationScreen) -> int:
    """The bar of the turns on screen, which a setting that is being changed may differ from."""
    outcome = _outcome(shown)
    return outcome.config.confirmations if outcome is not None else shown.config.confirmations


def judged_by(turn: EscalationTurn) -> Html:
    """What the judge said: escalate, decline, unavailable or not asked."""
    match turn.verdict:
        case EscalationVerdict.ESCALATE:
            return h("span", {"class": "v no"}, _TRIANGLE, "escalate")
        case EscalationVerdict.DECLINE:
            return h("span", {"class": "v"}, _DOT, "decline")
        case EscalationVerdict.UNAVAILABLE:
            return marks.holds(Holds.UNKNOWN, "unavailable")
    return marks.holds(Holds.NOT_ASKED)


def evidence(turn: EscalationTurn) -> str:
    """The SPEC's evidence verdict; a fallback has none."""
    return turn.evidence.value if turn.evidence is not None else FELL_BACK


def fell_back(fallback: Fallback) -> Html:
    """Why the efficient tier gave no reply, as the fault it is."""
    return marks.failed(fallback.value)


def streak(value: int, bar: int) -> str:
    """`1 of 2`."""
    return f"{value:,} of {bar:,}"


def row_of(turn: EscalationTurn, rung: Rung) -> Asked | None:
    """The row of this rung, where it was asked."""
    return next((row for row in turn.asked if row.rung is rung), None)


def held_reply(screen: Screen, turn: EscalationTurn) -> str:
    """The length of the reply that was held: `154 chars`, as the judge reads it; empty where it is not known."""
    produced = row_of(turn, Rung.EFFICIENT)
    if produced is not None:
        return produced.answer
    if screen.reading is None or screen.chosen is None or screen.state is RunState.STALE:
        return ""
    turns = screen.reading.conversations[screen.chosen].request.turns
    message: Message | None = turns[turn.message] if 0 <= turn.message < len(turns) else None
    if message is None or message.role is not Role.ASSISTANT:
        return ""
    size = len(message_text(message))
    return f"{size:,} char{'' if size == 1 else 's'}"


def said_reason(turn: EscalationTurn) -> str:
    """The reason of a verdict: the judge's own words, untrusted, or ours for why there is no verdict."""
    return turn.reason or turn.absent or "no reason given"


def _outcome(shown: EscalationScreen) -> EscalationOutcome | None:
    """The outcome that the turns on screen are of; None while a new run makes others."""
    outcome = shown.outcome
    return outcome if outcome is not None and outcome.turns == shown.turns else None


def _kept_session(shown: EscalationScreen) -> bool:
    outcome = _outcome(shown)
    return outcome.has_session if outcome is not None else shown.has_session
