"""The verdict card of the Escalation tab: who serves the turn on screen, and why (SPEC 6.2; UI 5)."""

from __future__ import annotations

from ...core.escalation.outcome import EscalationOutcome, EscalationTurn
from ...core.escalation.streak import TurnVerdict
from ...core.escalation.verdict import EscalationVerdict
from ...core.explain.clause import Holds
from ...core.explain.escalation_flips import EscalationFlip, escalation_flips
from ...core.explain.escalation_reason import escalation_reason, latching_turn
from ...core.vgr.decision import Route
from ...core.vgr.evidence import Rung
from .. import marks
from ..screen import Screen
from ..text import Child, Html, h
from . import frame
from .durations import milliseconds
from .escalation_turn import TIERS, evidence, fell_back, held_reply, judged_by, row_of, streak
from .escalation_waiting import waiting
from .verdict import card, link


def escalation_verdict(screen: Screen) -> Html:
    """The card of the turn on screen, in the state the bench is in."""
    outcome = screen.escalation.outcome if screen.escalation is not None else None
    if outcome is None or not outcome.turns or not frame.decided(screen):
        return waiting(screen)
    return _card(screen, outcome, _selected(screen, outcome))


def _selected(screen: Screen, outcome: EscalationOutcome) -> EscalationTurn:
    number = screen.escalation.selected if screen.escalation is not None else 0
    return next((turn for turn in outcome.turns if turn.turn == number), outcome.turns[-1])


def _card(screen: Screen, outcome: EscalationOutcome, turn: EscalationTurn) -> Html:
    return card(
        screen,
        turn.served.value,
        (f"Served, turn {turn.turn:,}", [marks.shape(turn.served), marks.word(turn.served)], _who(outcome, turn)),
        escalation_reason(outcome, turn.turn),
        _chain(screen, outcome, turn),
        _foot(outcome, turn),
        says=marks.word(turn.served),
        # Of the whole session, whichever turn is looked at: it is said once, when the replay ends.
        said=f"{marks.word(outcome.turns[-1].served)}. {escalation_reason(outcome).headline}",
    )


def _who(outcome: EscalationOutcome, turn: EscalationTurn) -> str:
    tier = TIERS[turn.served]
    if turn.fallback is not None:
        return f"{tier}, a fallback for this turn"
    if turn.served is Route.LOCAL:
        return f"{tier}, streak {streak(turn.streak_after, outcome.config.confirmations)}"
    if not outcome.has_session:
        return f"{tier}, for this turn alone"
    latching = latching_turn([one for one in outcome.turns if one.turn <= turn.turn])
    if latching is None or latching is turn:
        return f"{tier}, latched at this turn"
    return f"{tier}, latched since turn {latching.turn:,}"


def _chain(screen: Screen, outcome: EscalationOutcome, turn: EscalationTurn) -> list[Html]:
    bar = outcome.config.confirmations
    since = _since(outcome, turn)
    return [
        link("Streak", streak(turn.streak_after, bar), _streak_note(turn, bar)),
        link("Efficient tier", *_efficient(screen, turn, since)),
        link("Judge", judged_by(turn), _judge_note(turn, since)),
        link("Served", marks.tier(turn.served), TIERS[turn.served]),
        link("Evidence", evidence(turn), "source escalation" if turn.evidence is not None else "no verdict"),
    ]


def _streak_note(turn: EscalationTurn, bar: int) -> str:
    if turn.evidence is TurnVerdict.LATCHED or turn.streak_after >= bar:
        return "at the bar"
    if turn.fallback is not None or turn.verdict is EscalationVerdict.UNAVAILABLE:
        return "left as it was"
    if turn.streak_after > turn.streak_before:
        return f"from {turn.streak_before:,}"
    return f"cleared from {turn.streak_before:,}" if turn.streak_before else "nothing to clear"


def _since(outcome: EscalationOutcome, turn: EscalationTurn) -> str:
    latching = latching_turn([one for one in outcome.turns if one.turn <= turn.turn])
    return f"since turn {latching.turn + 1:,}" if latching is not None else "latched before"


def _efficient(screen: Screen, turn: EscalationTurn, since: str) -> tuple[Child, Child]:
    if turn.evidence is TurnVerdict.LATCHED:
        return marks.holds(Holds.NOT_ASKED, "not called"), since
    if turn.fallback is not None:
        return fell_back(turn.fallback), "no reply to hold"
    held = held_reply(screen, turn)
    what = "reply served" if turn.served is Route.LOCAL else "reply discarded"
    came = "asked" if row_of(turn, Rung.EFFICIENT) is not None else "as pasted"
    return what, f"{came}, {held}" if held else came


def _judge_note(turn: EscalationTurn, since: str) -> str:
    if turn.evidence is TurnVerdict.LATCHED:
        return since
    if turn.fallback is not None:
        return "no reply to judge"
    row = row_of(turn, Rung.ESCALATION_JUDGE)
    return f"{milliseconds(row.took)} ms" if row is not None else ""


def _foot(outcome: EscalationOutcome, turn: EscalationTurn) -> Child:
    # Of the evidence that was read, which another driver may have given than the one that is chosen now.
    origins = dict.fromkeys(row.origin for one in outcome.turns for row in one.asked)
    return [
        _flip(escalation_flips(outcome, turn.turn)),
        h("span", {"class": "push"}),
        frame.evidence(origins) if origins else None,
    ]


def _flip(flips: tuple[EscalationFlip, ...]) -> Html:
    if not flips:
        return h(
            "span", {"data-k": "flip"}, frame.dim("Closest flip"), " none: no setting gives this turn the other tier"
        )
    flip = flips[0]
    return h(
        "span",
        {"class": "flip", "data-k": "flip"},
        frame.dim("Closest flip"),
        h(
            "span",
            None,
            f"{flip.change} {'keeps' if flip.gives is Route.LOCAL else 'makes'} turn {flip.turn:,} ",
            marks.tier(flip.gives),
        ),
        frame.button(
            "Try", "escalation:confirmations", k="try", value=str(flip.confirmations), label=f"Try {flip.change}"
        )
        if flip.change.startswith("confirmations")
        else frame.button("Try", "escalation:session", k="try", value="true", label=f"Try {flip.change}"),
    )
