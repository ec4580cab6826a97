"""Judge's view of the Escalation tab: the selected turn's transcript, and what is sent unredacted (SPEC 6.2; UI 5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...core.conversation.model import Request, Role
from ...core.escalation.outcome import EscalationTurn
from ...core.escalation.streak import TurnVerdict
from ...core.explain.judged import JudgedView, RowKind
from ...core.explain.wording import number
from ..screen import Screen
from ..text import Html, h
from . import frame, judge_view
from .escalation_turn import turn_at
from .spoken import spoken
from .view import START, View

_TITLE: Final = "Judge\u2019s view"
HELD: Final = "the held reply, under judgement"


def transcript_panel(screen: Screen, view: View = START) -> Html:
    """The panel of the selected turn's transcript; without one, the sentence that says why nobody reads any."""
    shown, request = screen.escalation, spoken(screen)[0]
    if shown is None or shown.view is None or request is None:
        return frame.panel(screen, "transcript", _TITLE, frame.empty("No judge reads this: no assistant turn yet."))
    whole = _whole(screen, request)
    judged = _with_held(shown.view, whole)
    return frame.panel(
        screen,
        "transcript",
        _TITLE,
        judge_view.marks_row(_without_total(judged), _used(judged)),
        judge_view.body(judged, whole, view),
        beside=frame.dim(_what(turn_at(screen, shown.selected), shown.selected)),
        right=[judge_view.switch(view), frame.button("Copy", "copy-transcript")],
    )


def _what(turn: EscalationTurn | None, selected: int) -> str:
    """Whose transcript it is, and whether anybody was asked to read it."""
    what = f"escalation transcript of turn {selected:,}"
    if turn is None:
        return f"{what}, not asked yet"
    if turn.evidence is TurnVerdict.LATCHED:
        return f"{what}, not asked: the session is latched"
    return f"{what}, not asked: no reply to judge" if turn.fallback is not None else what


def _used(judged: JudgedView) -> Html:
    total = next((one for one in judged.budgets if one.name == "total"), None)
    size = h("b", None, number(len(judged.text)))
    return h("span", None, size, f" of {number(total.limit)} chars" if total is not None else " chars")


def _without_total(judged: JudgedView) -> JudgedView:
    """The total is the first of the counts."""
    return replace(judged, budgets=tuple(one for one in judged.budgets if one.name != "total"))


def _with_held(judged: JudgedView, whole: Request) -> JudgedView:
    """The same view, with the reply named that the judge is asked about, unless that is yet to come."""
    last = next((at for at in reversed(range(len(judged.rows))) if judged.rows[at].kind is RowKind.KEPT), None)
    if last is None:
        return judged
    row = judged.rows[last]
    # A produced reply stands behind the last message.
    if row.turn is None or (row.turn < len(whole.turns) and whole.turns[row.turn].role is not Role.ASSISTANT):
        return judged
    note = f"{row.note}; {HELD}" if row.note else HELD
    return replace(judged, rows=(*judged.rows[:last], replace(row, note=note), *judged.rows[last + 1 :]))


def _whole(screen: Screen, request: Request) -> Request:
    """The conversation as pasted, where it is at hand: only its messages' numbers are used."""
    if screen.reading is not None and screen.chosen is not None:
        return screen.reading.conversations[screen.chosen].request
    return request
