"""The Evidence timeline: chart and table at once; a heavy line says where production stops, and why (UI 5)."""

from __future__ import annotations

import math
from typing import Final

from ...core.explain.clause import Holds
from ...core.explain.wording import counted
from ...core.vgr.evidence import Asked, Miss, Rung
from .. import marks
from ..screen import RunState, Screen
from ..text import Child, Html, h
from . import asked, frame
from .durations import milliseconds
from .run import elapsed

_STEPS: Final = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)


def timeline(screen: Screen) -> Html:
    """The panel: what was asked, when, by whom, what it gave, and what was not asked."""
    rows = asked.shown(screen)
    asking = screen.asking if screen.state is RunState.RUNNING else None
    if not rows and asking is None and screen.outcome is None:
        return frame.panel(screen, "timeline", "Evidence timeline", _nothing(screen))
    scale = _scale(asked.end(rows))
    production = [row for row in rows if not row.extra]
    extra = [row for row in rows if row.extra]
    body = h(
        "ol",
        {"class": "wf"},
        _heads(scale),
        [_row(row, scale, f"p{index}") for index, row in enumerate(production)],
        _stop(screen, production),
        [_row(row, scale, f"x{index}") for index, row in enumerate(extra)],
        _asking(screen, asking) if asking else None,
        _not_asked(screen),
        _sum(production, extra),
    )
    took, allowed = milliseconds(asked.end(rows)), milliseconds(_deadline(screen))
    says = f"{counted(asked.sent(rows), 'call')}, {took} ms of {allowed} ms"
    return frame.panel(
        screen,
        "timeline",
        "Evidence timeline",
        h("div", {"class": "pb"}, body, _readout(rows), _diagnose(screen, extra)),
        beside=frame.dim(says),
        stale=screen.state is RunState.STALE,
    )


def _nothing(screen: Screen) -> Html:
    what = ", ".join(rung.value for rung in screen.will_ask)
    says = f"Nothing asked yet. Run asks: {what}." if what else "Nothing asked yet."
    return h("div", {"class": "pb"}, h("p", {"class": "t1 dim"}, says), _diagnose(screen, []))


def _deadline(screen: Screen) -> float:
    running = screen.state in (RunState.RUNNING, RunState.CANCELLED, RunState.FAILED)
    return screen.controls.deadline if running or screen.outcome is None else screen.outcome.deadline


def _scale(end: float) -> float:
    """The axis' end in seconds: the next round number."""
    if end <= 0:
        return 1.0
    power: float = 10.0 ** math.floor(math.log10(end))
    return next(step * power for step in _STEPS if step * power >= end * 0.999999)


def _tick(value: float, scale: float) -> str:
    return f"{value:,.4g} s" if scale >= 1 else f"{value * 1000:,.4g} ms"


def _heads(scale: float) -> Html:
    axis = [h("span", None, text) for text in ("0", _tick(scale / 2, scale), _tick(scale, scale))]
    return h(
        "li",
        {"class": "hd", "data-k": "hd"},
        h("span", None, "rung"),
        h("span", None, "answer"),
        h("span", {"class": "ticks"}, axis),
        h("span", {"class": "num"}, "ms"),
        h("span", None, "origin"),
    )


def _row(row: Asked, scale: float, key: str) -> Html:
    left = min(100.0, 100 * row.started / scale)
    width = min(100.0 - left, 100 * row.took / scale)
    kind = "f" if row.miss in asked.FAULTS else "x" if row.extra else None
    return h(
        "li",
        {"data-k": key},
        h("span", {"class": "extra" if row.extra else None}, row.rung.value),
        asked.answer(row),
        h("span", {"class": "trk"}, h("i", {"class": kind, "style": f"left:{left:.2f}%;width:{width:.2f}%"})),
        h("span", {"class": "num b"}, milliseconds(row.took)),
        marks.origin(row.origin),
        _unused(row),
    )


def _unused(row: Asked) -> Child:
    """Why a reply that came gave no evidence: what kept it from being read."""
    if row.miss is not Miss.UNPARSABLE or not row.note:
        return None
    return h("span", {"class": "dim", "style": "grid-column:2/-1"}, row.note)


def _stop(screen: Screen, production: list[Asked]) -> Child:
    outcome = screen.outcome
    if outcome is None or not outcome.stopped or asked.shown(screen) is not outcome.asked:
        return None
    at = f"Production stops here at {milliseconds(asked.end(tuple(production)))} ms: "
    ends = "" if outcome.stopped.endswith(".") else "."
    return h("li", {"class": "note", "data-k": "stop"}, at, frame.coded(outcome.stopped), ends)


def _asking(screen: Screen, rung: Rung) -> Html:
    cells = [h("span", None, rung.value), h("span", {"class": "dim"}, "asking"), h("span", {"class": "trk"})]
    return h("li", {"data-k": "asking"}, cells, h("span", {"class": "num dim"}, elapsed(screen)), h("span"))


def _not_asked(screen: Screen) -> list[Html]:
    """What the branch could ask and did not, grouped by the reason."""
    outcome = screen.outcome
    if outcome is None or asked.shown(screen) is not outcome.asked:
        return []
    groups: dict[str, list[str]] = {}
    for rung, why in outcome.not_asked:
        groups.setdefault(why, []).append(rung.value)
    return [
        h(
            "li",
            {"data-k": f"n{index}", "class": "rest"},
            h("span", {"class": "dim"}, ", ".join(names)),
            marks.holds(Holds.NOT_ASKED),
            h("span", {"class": "dim", "style": "grid-column:3/-1"}, frame.coded(why)),
        )
        for index, (why, names) in enumerate(groups.items())
    ]


def _sum(production: list[Asked], extra: list[Asked]) -> Html:
    # Of the numbers in the column, so that they add up as they stand there.
    spent, more = (sum(round(row.took * 1000) for row in rows) for rows in (production, extra))
    says = f"All calls: production {spent:,} ms, extra {more:,} ms" if extra else "All calls"
    total = h("span", {"class": "num"}, f"{spent + more:,}")
    return h("li", {"class": "sum", "data-k": "sum"}, h("span", {"style": "grid-column:1/4"}, says), total, h("span"))


def _readout(rows: tuple[Asked, ...]) -> Child:
    """How the readout's probability came about."""
    row = asked.by_rung(rows).get(Rung.READOUT)
    if row is None or not isinstance(row.value, float):
        return None
    return h(
        "div",
        {"data-k": "readout"},
        h("div", {"class": "sub gap"}, "Readout, first token"),
        h(
            "p",
            {"class": "t1"},
            "p(yes) = ",
            h("span", {"class": "b"}, f"{row.value:.4f}"),
            " ",
            marks.origin(row.origin),
        ),
        h("p", {"class": "t1 dim"}, row.note) if row.note else None,
    )


def _diagnose(screen: Screen, extra: list[Asked]) -> Html:
    cost = ""
    if extra:
        cost = f" ({counted(len(extra), 'extra call')}, {milliseconds(sum(row.took for row in extra))} ms)"
    text = f"Ask every rung, for diagnosis{cost}"
    return h("p", {"class": "t1 dim gap"}, frame.check(text, "controls:diagnose", screen.controls.diagnose))
