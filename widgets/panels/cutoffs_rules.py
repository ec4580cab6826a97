"""The Ordered rules panel: each label's probability as a bar with the rule's cutoff on it, in rule order (UI 5).

The bars are drawn in the rows themselves, so that each stands beside its values; the table gives the same values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...core.explain.clause import Holds
from ...core.explain.cutoffs import RuleRow, RuleState
from ...core.vgr.evidence import Origin
from .. import marks
from ..screen import Screen
from ..text import Child, Html, Value, h
from . import frame
from .cutoffs_shown import NO_RULES, shown
from .readable import readable, shortened
from .view import START, View

_NAME: Final = "cutoffs-rules"
_TITLE: Final = "Ordered rules"
_HEADS: Final = (
    ("order", None),
    ("label", None),
    ("probability against its cutoff, 0 to 1", None),
    ("p", "num"),
    ("needs", "num"),
    ("margin", "num"),
    ("wins", None),
)
_DIAMOND: Final = "M0-6 6 0 0 6-6 0z"


@dataclass(frozen=True, slots=True)
class _Line:
    """A row of the panel: a rule, the fallback, or a candidate that nothing can choose."""

    key: str
    order: str
    row: RuleRow
    needs: str
    #: What became of it, in ink: labels are no tiers.
    state: Child
    #: Whether it takes the turn.
    takes: bool = False


def cutoffs_rules(screen: Screen, view: View = START) -> Html:
    """The panel: the rules in order, the first that wins marked, and the fallback below them."""
    of = shown(screen)
    if of is None or not of.config.rules:
        return frame.panel(screen, _NAME, _TITLE, frame.empty(NO_RULES))
    if of.refusal:
        return frame.panel(screen, _NAME, _TITLE, frame.empty(["These rules cannot be used. ", readable(of.refusal)]))
    lines = [*map(_line, of.rows()), *map(_left, of.rest())]
    origin = of.outcome.asked.origin if of.outcome else None
    options = (("chart", "Chart"), ("table", "Table"))
    return frame.panel(
        screen,
        _NAME,
        _TITLE,
        h("div", {"class": "pb"}, (_table if view.cutoffs_table else _list)(lines, origin)),
        beside=frame.dim("first probability strictly greater than its cutoff wins"),
        right=frame.switch("Show as", "cutoffs:view", options, "table" if view.cutoffs_table else "chart"),
        stale=of.outcome is not None,
    )


def _line(row: RuleRow) -> _Line:
    order = "else" if row.order is None else f"{row.order:,}"
    return _Line(f"r{order}", order, row, row.needs, _state(row), row.state in (RuleState.WINS, RuleState.TAKEN))


def _left(row: RuleRow) -> _Line:
    return _Line(f"left {row.label}", "", row, "no rule", h("span", {"class": "dim"}, "never chosen"))


def _state(row: RuleRow) -> Child:
    match row.state:
        case RuleState.WINS | RuleState.TAKEN:
            return [marks.stroke(Holds.YES), row.state.value]
        case RuleState.NO | RuleState.EQUAL:
            return [marks.stroke(Holds.NO), row.state.value]
        case RuleState.UNKNOWN:
            return marks.holds(Holds.UNKNOWN)
        case RuleState.NOT_ASKED:
            return marks.holds(Holds.NOT_ASKED)
    return h("span", {"class": "dim"}, row.state.value)


def _list(lines: list[_Line], origin: Origin | None) -> Html:
    heads = h("li", {"class": "hd", "data-k": "hd"}, [h("span", {"class": kind}, name) for name, kind in _HEADS])
    return h("ol", {"class": "rules"}, heads, [_item(line, origin) for line in lines])


def _item(line: _Line, origin: Origin | None) -> Html:
    row = line.row
    return h(
        "li",
        {"class": "win" if line.takes else None, "data-k": line.key},
        h("span", {"class": "num" if row.order else "num dim"}, line.order),
        _label(row),
        _lane(row),
        _value(row, origin),
        h("span", {"class": "num dim"}, readable(line.needs)),
        h("span", {"class": "num" if row.margin is not None else "num dim"}, row.margin_text),
        h("span", {"class": "b" if line.takes else None}, line.state),
        h("span", {"class": "t0 dim note"}, readable(row.shadowed)) if row.shadowed else None,
    )


def _label(row: RuleRow) -> Html:
    return h(
        "span",
        {"class": "who"},
        h("span", {"class": "b cut", "title": row.label}, frame.short(row.label)),
        h("span", {"class": "mono dim cut", "title": row.model}, frame.short(row.model)),
    )


def _value(row: RuleRow, origin: Origin | None) -> Html:
    """The probability with its origin; without one, that there is none."""
    if row.probability is None:
        return h("span", {"class": "num dim"}, row.value)
    shown_origin = [h("br"), marks.origin(origin)] if origin else None
    return h("span", {"class": "num"}, h("span", {"class": "b"}, readable(row.value)), shown_origin)


def _lane(row: RuleRow) -> Html:
    """The bar from 0 to the probability, its end marked; right of the heavy cutoff the side that wins."""
    base = "base off" if row.probability is None else "base"
    return h(
        "svg",
        {"class": "ch", "aria-hidden": True},
        _side(row.cutoff) if row.cutoff is not None else None,
        _bar(row.probability) if row.probability is not None else None,
        h("line", {"class": base, "x1": 0, "x2": "100%", "y1": 38, "y2": 38}),
        _cutoff(row.cutoff, row.needs) if row.cutoff is not None else None,
        _end(row.probability) if row.probability is not None else None,
    )


def _side(cutoff: float) -> Html:
    return h("rect", {"class": "side", "x": percent(cutoff), "width": percent(1 - cutoff), "y": 18, "height": 20})


def _bar(probability: float) -> Html:
    return h("rect", {"class": "pbar", "x": 0, "width": percent(probability), "y": 24, "height": 8})


def _end(probability: float) -> Html:
    at: dict[str, Value] = {"x": percent(probability), "y": 28, "overflow": "visible"}
    return h("svg", at, h("path", {"class": "end", "d": _DIAMOND}))


def _cutoff(cutoff: float, needs: str) -> list[Html]:
    anchor = "start" if cutoff < 0.1 else "end" if cutoff > 0.9 else "middle"
    at = percent(cutoff)
    return [
        h("line", {"class": "thr on", "x1": at, "x2": at, "y1": 16, "y2": 41}),
        h(
            "text",
            {"class": "on", "x": at, "y": 12, "text-anchor": anchor},
            f"cutoff {shortened(needs.removeprefix('> '))}",
        ),
    ]


def percent(value: float) -> str:
    """A place on the axis from 0 to 1, ends included: `22%`."""
    return f"{100 * min(1.0, max(0.0, value)):.4f}".rstrip("0").rstrip(".") + "%"


def _table(lines: list[_Line], origin: Origin | None) -> Html:
    heads = ("order", "label", "model", "p", "needs", "margin", "wins", "origin")
    cells = [
        h("th", {"scope": "col", "class": "num" if at in (3, 4, 5) else None}, name) for at, name in enumerate(heads)
    ]
    return h(
        "table",
        {"class": "tab", "data-k": "table"},
        h("caption", {"class": "sr"}, "The rules in order, each probability against its cutoff"),
        h("thead", None, h("tr", None, cells)),
        h("tbody", None, [_table_row(line, origin) for line in lines]),
    )


def _table_row(line: _Line, origin: Origin | None) -> Html:
    row = line.row
    return h(
        "tr",
        {"data-k": line.key},
        h("td", None, line.order),
        h(
            "th",
            {"scope": "row"},
            h("span", {"title": row.label}, frame.short(row.label)),
            [h("br"), h("span", {"class": "t0 dim"}, readable(row.shadowed))] if row.shadowed else None,
        ),
        h("td", {"class": "mono", "title": row.model}, frame.short(row.model)),
        h("td", {"class": "num"}, readable(row.value)),
        h("td", {"class": "num"}, readable(line.needs)),
        h("td", {"class": "num"}, row.margin_text),
        h("td", None, line.state),
        h("td", None, marks.origin(origin) if origin and row.probability is not None else None),
    )
