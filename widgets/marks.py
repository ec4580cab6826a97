"""Tiers, verdicts and origins as a word with a shape (UI 4): square is LOCAL, circle is CLOUD, never colour alone.

Shapes are drawn in place rather than referenced by id: two benches in one notebook and a saved page need nothing from
each other.
"""

from __future__ import annotations

from typing import Final

from ..core.explain.clause import Holds
from ..core.vgr.decision import Route
from ..core.vgr.evidence import Origin
from ..core.vgr.signals import Verdict
from .text import Child, Html, h

_SHAPES: Final[dict[Route, Html]] = {
    Route.LOCAL: h("rect", {"x": "0.5", "y": "0.5", "width": 11, "height": 11}),
    Route.CLOUD: h("circle", {"cx": 6, "cy": 6, "r": 6}),
}
_STROKES: Final[dict[Holds, Html]] = {
    Holds.YES: h("path", {"d": "M2 6.5 4.8 9.3 10 3"}),
    Holds.NO: h("path", {"d": "M2.5 2.5l7 7M9.5 2.5l-7 7"}),
    Holds.UNKNOWN: h("path", {"d": "M3.6 4.2A2.4 2.4 0 1 1 7 6.4c-.7.3-1 .7-1 1.4M6 10.3v.1"}),
    Holds.NOT_ASKED: h("path", {"d": "M3 6h6", "stroke-dasharray": "1.5 2.6"}),
}
_CLASSES: Final = {Holds.YES: "yes", Holds.NO: "no", Holds.UNKNOWN: "unk", Holds.NOT_ASKED: "na"}


def shape(route: Route) -> Html:
    """The tier's shape alone; put its word beside it."""
    return h("svg", {"class": "g", "viewBox": "0 0 12 12", "aria-hidden": True}, _SHAPES[route])


def stroke(kind: Holds) -> Html:
    """Check, cross, question mark or two dashes; put its word beside it."""
    return h("svg", {"class": "m", "viewBox": "0 0 12 12", "aria-hidden": True}, _STROKES[kind])


def word(route: Route) -> str:
    """LOCAL or CLOUD."""
    return route.value.upper()


def tier(route: Route, says: Child = None) -> Html:
    """A tier: its shape and LOCAL or CLOUD (or `says`, a sentence that argues for it), in its colour."""
    return h("span", {"class": f"tier {route.value}"}, shape(route), says or word(route))


def holds(kind: Holds, says: Child = None) -> Html:
    """Whether a clause holds: yes for LOCAL, no for CLOUD, unknown and not asked for neither."""
    return h("span", {"class": f"v {_CLASSES[kind]}"}, stroke(kind), says or kind.value)


def verdict(value: Verdict | None) -> Html:
    """A verifier's answer, or "not asked"."""
    return holds(Holds.NOT_ASKED if value is None else Holds(value.value))


def failed(says: Child = "failed") -> Html:
    """A failed tool result: cross and word in the fault colour."""
    return h("span", {"class": "fail"}, stroke(Holds.NO), says)


def ok(says: Child = "ok") -> Html:
    """A clean tool result: check and word in secondary ink, since it argues for neither tier."""
    return h("span", {"class": "dim"}, stroke(Holds.YES), says)


def origin(of: Origin) -> Html:
    """Where a value comes from, outlined by kind; the label is its title."""
    return h("span", {"class": f"o {of.kind.value}", "title": of.label or None}, of.kind.value)


def badge(of: Origin) -> Html:
    """The driver's badge: kind in capitals and label. Outline and word differ, never only colour."""
    label = f", {of.label}" if of.label else ""
    return h("span", {"class": f"o {of.kind.value} badge"}, f"{of.kind.value.upper()}{label}")
