"""The verdict of one turn: the judge's reply as read, what it did to the streak, and who served (SPEC 6.2)."""

from __future__ import annotations

import json
from typing import Final

from ...core.escalation.outcome import EscalationTurn
from ...core.escalation.streak import TurnVerdict
from ...core.escalation.verdict import EscalationVerdict
from ...core.explain.clause import Holds
from ...core.explain.escalation_reason import latching_turn
from ...core.explain.wording import counted, number
from ...core.vgr.decision import Route
from ...core.vgr.evidence import Asked, Rung
from .. import marks
from ..screen import Screen
from ..text import Child, Html, h
from . import asked, frame
from .durations import milliseconds
from .escalation_turn import confirmations, held_reply, latch_of, row_of, shown_turns, turn_at

#: Output cap of the judge's call, in tokens (SPEC 6.2).
CAP_TOKENS: Final = 4096
#: Most characters of a judge's reason that are shown.
REASON_CHARS: Final = 4000
_NAMES: Final = {
    Rung.EFFICIENT: "efficient call",
    Rung.ESCALATION_JUDGE: "judge call",
    Rung.CAPABLE: "capable call",
}


def escalation_details(screen: Screen) -> Html:
    """The panel of the selected turn."""
    selected = screen.escalation.selected if screen.escalation is not None else 0
    turn = turn_at(screen, selected)
    if turn is None:
        says = f"Turn {selected:,} is not judged yet." if selected else "No assistant turn yet."
        return frame.panel(screen, "turn-verdict", "Verdict of the turn", frame.empty(says))
    latch = latch_of(screen.escalation) if screen.escalation is not None else None
    title = "Verdict that latched" if turn.turn == latch else "Verdict of the turn"
    origins = dict.fromkeys(row.origin for row in turn.asked)
    return frame.panel(
        screen,
        "turn-verdict",
        title,
        h("div", {"class": "pb"}, _reply(screen, turn), h("ul", {"class": "chk"}, _checks(screen, turn))),
        beside=frame.dim(f"turn {turn.turn:,}"),
        right=[[marks.origin(origin), " "] for origin in origins],
        stale=True,
    )


def _reply(screen: Screen, turn: EscalationTurn) -> Child:
    """The reply as read, as the JSON object it is; else why there is none."""
    if turn.evidence is TurnVerdict.LATCHED:
        return _latched(screen, turn)
    if turn.fallback is not None:
        return h("p", None, f"The efficient tier failed: {turn.fallback.value}. There is no reply to judge.")
    if turn.verdict is EscalationVerdict.UNAVAILABLE:
        tolerant = None
        if turn.tolerant is not None:
            read = json.dumps(turn.tolerant)
            says = f"A tolerant reader would read escalate: {read}; the contract does not."
            tolerant = h("p", {"class": "t1 dim"}, says)
        why = turn.absent or "the judge gave no verdict"
        return [h("p", None, marks.holds(Holds.UNKNOWN, "unavailable"), ": ", why, "."), tolerant]
    body = f'{{"escalate": {json.dumps(turn.verdict is EscalationVerdict.ESCALATE)}'
    if turn.reason:
        body += f',\n "reason": {json.dumps(turn.reason[:REASON_CHARS], ensure_ascii=False)}'
    body += "}"
    cut = len(turn.reason) - REASON_CHARS
    more = h("p", {"class": "t1 dim"}, f"{counted(cut, 'more char')} of the reason not shown.") if cut > 0 else None
    return [h("pre", {"class": "json"}, body), more]


def _latched(screen: Screen, turn: EscalationTurn) -> Html:
    latching = latching_turn([one for one in shown_turns(screen) if one.turn < turn.turn])
    if latching is None:
        return h("p", None, "Not asked: the session was latched before.")
    go = frame.button(f"Go to turn {latching.turn:,}", "turn", k="latching", value=str(latching.turn))
    says = f"Not asked: the session is latched since turn {latching.turn:,}."
    return h("p", {"class": "row"}, h("span", None, says), go)


def _checks(screen: Screen, turn: EscalationTurn) -> list[Html]:
    bar = confirmations(screen.escalation) if screen.escalation is not None else 0
    judge = row_of(turn, Rung.ESCALATION_JUDGE)
    rows: list[Html] = []
    if judge is not None and judge.miss not in asked.FAULTS:
        read = turn.verdict is not EscalationVerdict.UNAVAILABLE
        rows.append(_check("read", "read as one JSON object", _yes_or_no(read)))
    moved = f"streak {turn.streak_before:,} \u2192 {turn.streak_after:,}, bar {bar:,}"
    rows.append(_check("streak", moved, _strong(_reached(turn, bar))))
    if turn.verdict is not None:
        held = held_reply(screen, turn)
        fate = "served" if turn.served is Route.LOCAL else "discarded"
        rows.append(_check("held", f"held reply, {held}" if held else "held reply", _strong(fate)))
    rows.append(_check("handoff", "handoff note", _note(screen, turn)))
    rows.extend(_check(row.rung.value, _NAMES.get(row.rung, row.rung.value), _call(row)) for row in turn.asked)
    # Where there is no verdict, the note says why, as the reply above does.
    if judge is not None and judge.note and not turn.absent:
        rows.append(_check("note", "judge\u2019s note", frame.dim(judge.note)))
    return rows


def _reached(turn: EscalationTurn, bar: int) -> str:
    if turn.evidence is TurnVerdict.LATCHED:
        return "at the bar"
    return "reached" if turn.streak_after >= bar else "below"


def _strong(text: Child) -> Html:
    return h("span", {"class": "b"}, text)


def _yes_or_no(holds: bool) -> Html:
    """A check of a format argues for neither tier: ink, not their colours."""
    kind = Holds.YES if holds else Holds.NO
    return _strong([marks.stroke(kind), kind.value])


def _note(screen: Screen, turn: EscalationTurn) -> Html:
    if turn.note_sent:
        return _strong("sent with the request")
    note = screen.escalation.config.handoff_note if screen.escalation is not None else None
    if note is None:
        return frame.dim("none set")
    return frame.dim(f"{counted(len(note), 'char')}, not sent at this turn")


def _call(row: Asked) -> Child:
    """What a call took, and its cap, its answer's length or its fault."""
    took = f"{milliseconds(row.took)} ms"
    if row.miss in asked.FAULTS:
        return [took, ", ", h("span", {"class": "fail"}, asked.missed(row))]
    if row.rung is Rung.ESCALATION_JUDGE:
        return f"{took}, cap {number(CAP_TOKENS)} tokens"
    return f"{took}, {row.answer}" if row.answer else took


def _check(key: str, name: str, value: Child) -> Html:
    return h("li", {"data-k": key}, h("span", None, name), h("span", None, value))
