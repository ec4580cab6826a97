"""The Turns panel of a replay: a selector, and lanes of tool results, verdicts, streak and route (UI 5, turn lanes)."""

from __future__ import annotations

from typing import Final

from ...core.conversation.model import Role
from ...core.escalation.outcome import EscalationTurn
from ...core.escalation.streak import TurnVerdict
from ...core.explain.wording import counted
from ...core.vgr.decision import Route
from .. import marks
from ..screen import RunState, Screen
from ..text import Child, Html, h
from . import frame
from .escalation_columns import Columns, mark, result_mark, verdict_mark
from .escalation_turn import confirmations, evidence, fell_back, judged_by, latch_of, shown_turns, streak, turn_at
from .spoken import spoken

#: Where each lane begins and how high it is, in pixels: turns, tool results, judge, streak, route.
_LANES: Final = {"turn": (0, 20), "tool result": (20, 22), "judge": (42, 26), "streak": (68, 22), "route": (90, 22)}
_HEIGHT: Final = 112
_ROUTES: Final = {
    Route.LOCAL: h("rect", {"class": "pl", "x": -4, "y": -4, "width": 8, "height": 8}),
    Route.CLOUD: h("circle", {"class": "pc", "r": 4}),
}
#: Most turns whose streak is written into its column.
_WRITTEN: Final = 24


def escalation_turns(screen: Screen) -> Html:
    """The Turns panel with selector and lanes; without a turn, the sentence that says so."""
    shown = screen.escalation
    if shown is None or not shown.total:
        return frame.panel(screen, "turns", "Turns", frame.empty("No assistant turn yet."))
    judged = len(shown_turns(screen))
    origins = dict.fromkeys(row.origin for turn in shown_turns(screen) for row in turn.asked)
    return frame.panel(
        screen,
        "turns",
        "Turns",
        h(
            "div",
            {"class": "pb", "data-k": "escalation-turns"},
            _lanes(screen, shown.selected, shown.total),
            _says(screen, judged, shown.total),
        ),
        beside=[frame.dim(_replayed(judged, shown.total)), [marks.origin(origin) for origin in origins]],
        right=_selector(shown.selected, shown.total),
        stale=True,
    )


def _selector(selected: int, total: int) -> Html:
    first, last = selected <= 1, selected >= total
    return h(
        "span",
        {"class": "pick", "data-k": "pick"},
        frame.button(
            "\u2039", "turn:previous", label="Previous turn", disabled="This is the first turn." if first else ""
        ),
        h("span", {"class": "b"}, f"turn {selected:,} of {total:,}"),
        frame.button("\u203a", "turn:next", label="Next turn", disabled="This is the last turn." if last else ""),
    )


def _replayed(judged: int, total: int) -> str:
    if not judged:
        return counted(total, "turn")
    # Of an earlier text there may be more of them than there are turns now.
    return f"{judged:,} replayed" if judged >= total else f"{judged:,} of {total:,} replayed"


def _says(screen: Screen, judged: int, total: int) -> Html:
    if not judged and screen.state is not RunState.RUNNING:
        return h("p", {"class": "t1 dim"}, f"Not replayed. Replay asks {counted(total, 'verdict')}.")
    return h(
        "p",
        {"class": "t0 dim"},
        "tool result: cross failed, dot ok. judge: triangle escalate, dot decline, ?\u00a0unavailable",
    )


def _lanes(screen: Screen, selected: int, total: int) -> Html:
    drawn = _drawn(screen, selected, total)
    slider = frame.field(
        "Turn",
        "turn",
        str(selected),
        kind="range",
        classes="",
        k="slider",
        min="1",
        max=str(total),
        step="1",
        # The thumb stands under the middle of its column.
        style=f"margin-left:calc(50%/{total} - 6px);width:calc(100% - 100%/{total} + 12px)",
    )
    names = [_cell(name, name) for name in _LANES]
    values = [_cell(name, value) for name, value in zip(_LANES, _values(screen, selected), strict=True)]
    return h(
        "div",
        {"class": "scrub", "data-k": "lanes"},
        h("div", {"class": "lab"}, names),
        h("div", None, drawn, slider),
        h("div", {"class": "val"}, values),
    )


def _cell(name: str, value: Child) -> Html:
    sep = "sep" if name in ("tool result", "judge") else None
    return h("span", {"class": sep, "style": f"height:{_LANES[name][1]}px", "data-k": name}, value)


def _values(screen: Screen, selected: int) -> list[Child]:
    """The selected turn's values in words."""
    turn = turn_at(screen, selected)
    result = results(screen).get(selected)
    tool: Child = frame.dim("none") if result is None else marks.failed() if result else marks.ok()
    if turn is None:
        return [h("span", {"class": "b"}, f"{selected:,}"), tool, frame.dim("not judged"), "", ""]
    said = fell_back(turn.fallback) if turn.fallback is not None else judged_by(turn)
    bar = confirmations(screen.escalation) if screen.escalation is not None else 0
    held = h("span", {"class": "b", "title": evidence(turn)}, streak(turn.streak_after, bar))
    return [h("span", {"class": "b"}, f"{selected:,}"), tool, said, held, marks.tier(turn.served)]


def results(screen: Screen) -> dict[int, bool]:
    """Whether a tool result of each turn's calls failed, by turn; turns without results are left out."""
    request = spoken(screen)[0]
    if request is None or screen.derived is None:
        return {}
    base, replies, at = len(request.instructions), 0, []
    for place, message in enumerate(request.turns):
        replies += place >= base and message.role is Role.ASSISTANT
        at.append(replies)
    found: dict[int, bool] = {}
    for result in screen.derived.results:
        turn = at[result.turn] if result.turn < len(at) else 0
        if turn:
            found[turn] = found.get(turn, False) or result.failed
    return found


def _drawn(screen: Screen, selected: int, total: int) -> Html:
    turns = [turn for turn in shown_turns(screen) if turn.turn <= total]
    latch = latch_of(screen.escalation) if screen.escalation is not None else None
    columns = Columns(total, selected, latch if latch is not None and latch <= total else None)
    says = f"Turns 1 to {total:,}: tool results, verdicts, streak and route; the Streak panel lists the same values"
    return h(
        "svg",
        {"height": _HEIGHT, "role": "img", "aria-label": says},
        columns.axis(_middle("turn") + 4),
        [h("line", {"class": "lvl", "x1": 0, "x2": "100%", "y1": y, "y2": y}) for y in (20, 42)],
        [
            result_mark(failed, columns.middle(turn), _middle("tool result"))
            for turn, failed in results(screen).items()
            if turn <= total
        ],
        columns.latched(43, 90, (42, _HEIGHT)),
        [_column(turn, columns) for turn in turns],
        columns.outline(1, _HEIGHT - 1, 20),
        columns.clicked(_HEIGHT),
    )


def _middle(lane: str) -> int:
    start, height = _LANES[lane]
    return start + height // 2


def _column(turn: EscalationTurn, columns: Columns) -> list[Child]:
    """A turn's marks: verdict, streak as far as there is room for it, and the tier that served."""
    x = columns.middle(turn.turn)
    written = columns.total <= _WRITTEN and turn.evidence is not TurnVerdict.LATCHED
    streak_text = columns.text(
        turn.turn, _middle("streak") + 4, f"{turn.streak_after:,}", "on" if turn.streak_after else ""
    )
    return [
        verdict_mark(turn, x, _middle("judge")),
        streak_text if written else None,
        mark(_ROUTES[turn.served], x, _middle("route")),
    ]
