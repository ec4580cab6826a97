"""The Probabilities panel in pieces: head, lanes in three columns, and what stands below them.

Between `lane_names` and `lane_values` a figure of its own draws the lanes; `lane_drawing` stands in for it until its
library is loaded, at the same places.
"""

from __future__ import annotations

from typing import Final

from ...core.explain.clause import Holds
from ...core.explain.wording import score_margin
from ...core.vgr.decision import Route
from ...core.vgr.signals import Verdict
from .. import marks
from ..screen import Screen
from ..text import Child, Html, Value, h, join
from . import asked, frame
from .lanes import Bar, Lane, lanes
from .view import START, View

_HEIGHT: Final = 50
_TICKS: Final = ("0", "0.25", "0.5", "0.75", "1")


def probabilities_head(screen: Screen, view: View = START) -> Html:
    """The panel's head alone."""
    options = (("chart", "Chart"), ("table", "Table"))
    switch = frame.switch("Show as", "probabilities:view", options, "table" if view.table else "chart")
    beside = frame.dim("strong bar: read here") if screen.derived is not None else None
    return frame.head(screen, "probabilities", "Probabilities", beside=beside, right=switch, stale=True)


def charted(screen: Screen, view: View = START) -> bool:
    """Whether the lanes are shown: once a score was asked, unless the table stands for them."""
    return screen.derived is not None and not view.table and any(lane.asked for lane in lanes(screen))


def probabilities_below(screen: Screen, view: View = START) -> Html:
    """The verdicts, below the lanes, their table, or the sentence that stands for them."""
    above: Child = None
    if screen.derived is not None and view.table:
        above = probability_table(lanes(screen))
    elif not charted(screen, view):
        above = h("p", {"class": "t1 dim"}, "No score asked.")
    return h("div", {"class": "pb"}, above, verdicts(screen) if screen.derived is not None else None)


def lane_names(found: tuple[Lane, ...]) -> Html:
    """The names of the lanes, one 50 px row each."""
    return join(h("div", {"class": "lane one", "data-k": lane.name}, _name(lane)) for lane in found)


def lane_values(found: tuple[Lane, ...]) -> Html:
    """The values of the lanes, one 50 px row each."""
    return join(h("div", {"class": "lane one", "data-k": lane.name}, _value(lane)) for lane in found)


def lane_drawing(found: tuple[Lane, ...]) -> Html:
    """The lanes themselves, one 50 px row each, and their axis."""
    rows = [h("div", {"class": "lane one", "data-k": lane.name}, _drawn(lane)) for lane in found]
    return h("div", {"class": "rw-drawn"}, rows, _axis()) if found else Html()


def _name(lane: Lane) -> Html:
    return h("span", None, h("span", {"class": "b"}, lane.name), h("br"), h("span", {"class": "t0 dim"}, lane.note))


def _value(lane: Lane) -> Html:
    origin = [marks.origin(lane.origin), " "] if lane.origin else None
    if lane.value is not None:
        return h("span", {"class": "num"}, origin, h("span", {"class": "b"}, lane.shown), h("br"), lane.says)
    why = [h("span", {"class": "dim"}, lane.missed), h("br")] if lane.asked else None
    return h("span", {"class": "num"}, why, origin, lane.says)


def _drawn(lane: Lane) -> Html:
    return h(
        "svg",
        {"role": "img", "aria-label": _described(lane)},
        _zone(lane),
        h("line", {"class": "base" if lane.asked else "base off", "x1": 0, "x2": "100%", "y1": 40, "y2": 40}),
        [_bar(bar, lane.bars) for bar in lane.bars],
        _mark(lane),
        _question(lane) if lane.asked and lane.value is None else None,
    )


def _described(lane: Lane) -> str:
    bars = ", ".join(f"{bar.words}{'' if bar.read else ' (not read here)'}" for bar in lane.bars)
    value = lane.shown if lane.value is not None else lane.missed or "no value"
    return f"{lane.name}: {value}; {bars}"


def _zone(lane: Lane) -> Child:
    read = [bar.at for bar in lane.bars if bar.read]
    if lane.above is None or not read or not lane.asked:
        return None
    left = _clamped(min(read))
    kind = "zl" if lane.above is Route.LOCAL else "zc"
    return h("rect", {"class": kind, "x": _percent(left), "width": _percent(1 - left), "y": 20, "height": 20})


def _bar(bar: Bar, bars: tuple[Bar, ...]) -> Child:
    at = _clamped(bar.at)
    on = " on" if bar.read else ""
    anchor = "start" if at < 0.1 else "end" if at > 0.85 else "middle"
    # A label that would run into a heavier one is left to the table.
    apart = min((abs(other.at - bar.at) for other in bars if other.read and not bar.read), default=1.0)
    hidden = apart < 0.25
    kind = "on" if bar.read else "shy" if apart < 0.36 else None
    label = h("text", {"class": kind, "x": _percent(at), "y": 13, "text-anchor": anchor}, bar.words)
    line = h("line", {"class": f"thr{on}", "x1": _percent(at), "x2": _percent(at), "y1": 18, "y2": 43})
    return [line, None if hidden else label]


def _mark(lane: Lane) -> Child:
    if lane.value is None:
        return None
    at: dict[str, Value] = {"x": _percent(_clamped(lane.value)), "y": 30, "overflow": "visible"}
    if lane.argues is Route.CLOUD:
        return h("svg", at, h("circle", {"class": "pc", "cx": 0, "cy": 0, "r": "5.5"}))
    kind = "pl" if lane.argues is Route.LOCAL else "pg"
    return h("svg", at, h("rect", {"class": kind, "x": -5, "y": -5, "width": 10, "height": 10}))


def _question(lane: Lane) -> Html:
    """In the lane, clear of its bars."""
    at = next(at for at in (0.5, 0.3, 0.7, 0.1) if all(abs(bar.at - at) > 0.06 for bar in lane.bars) or at == 0.1)
    return h("text", {"class": "unk", "x": _percent(at), "y": 35, "text-anchor": "middle"}, "?")


def _axis() -> Html:
    ticks = [h("text", {"x": _percent(float(at)), "y": 12, "text-anchor": "middle"}, at) for at in _TICKS]
    return h("div", {"class": "lane one axis", "data-k": "axis"}, h("svg", {"aria-hidden": True}, ticks))


def _clamped(value: float) -> float:
    return min(1.0, max(0.0, value))


def _percent(value: float) -> str:
    return f"{100 * value:.2f}".rstrip("0").rstrip(".") + "%"


def probability_table(found: tuple[Lane, ...]) -> Html:
    """The lanes as a table: one row for each score and bar."""
    heads = (("score", None), ("value", "num"), ("bar", None), ("margin", "num"), ("here", None), ("origin", None))
    return h(
        "table",
        {"class": "tab", "data-k": "table"},
        h("caption", {"class": "sr"}, "Scores against their bars"),
        h("thead", None, h("tr", None, [h("th", {"scope": "col", "class": kind}, name) for name, kind in heads])),
        h("tbody", None, [_table_row(lane, bar) for lane in found for bar in lane.bars]),
    )


def _table_row(lane: Lane, bar: Bar) -> Html:
    margin = "" if lane.value is None else score_margin(lane.value - bar.at)
    operator = lane.name == "prior" and lane.asked
    return h(
        "tr",
        {"data-k": f"{lane.name} {bar.label}"},
        h("th", {"scope": "row"}, lane.name),
        h("td", {"class": "num"}, lane.shown or lane.missed or lane.says),
        h("td", None, bar.words),
        h("td", {"class": "num"}, margin),
        h("td", None, "read" if bar.read else "not read"),
        h("td", None, marks.origin(lane.origin) if lane.origin else "operator" if operator else None),
    )


def verdicts(screen: Screen) -> Html:
    """Every verdict of the evidence: yes, no, unknown and why, or not asked."""
    rows = asked.by_rung(asked.shown(screen))
    cells = []
    for name in asked.VERDICTS:
        row = rows.get(asked.RUNG_OF[name])
        said = _verdict(screen, name) if row is not None else marks.verdict(None)
        extra = h("span", {"class": "extra"}, "extra") if row is not None and row.extra else None
        origin = marks.origin(row.origin) if row is not None else None
        cells.append(
            h(
                "div",
                {"data-k": name},
                h("span", {"class": "mono"}, name),
                h("span", None, extra, " ", said, " ", origin),
            )
        )
    return h(
        "div", {"data-k": "verdicts"}, h("div", {"class": "sub gap"}, "Verdicts"), h("div", {"class": "vgrid"}, cells)
    )


def _verdict(screen: Screen, name: str) -> Html:
    row = asked.by_rung(asked.shown(screen))[asked.RUNG_OF[name]]
    if row.miss is not None:
        return marks.holds(Holds.UNKNOWN, f"unknown: {asked.missed(row)}")
    if screen.outcome is not None and not frame.shows_stale(screen):
        return marks.verdict(getattr(screen.outcome.signals_with_extra, name))
    return marks.verdict(row.value) if isinstance(row.value, Verdict) else asked.answer(row)
