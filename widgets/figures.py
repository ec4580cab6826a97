"""The probability lanes as a plotly figure: created once, then only updated (UI 5, 12; DESIGN, Jupyter facts).

Names and values stand beside it as HTML. Plotly's labels render HTML, so only our own words go in: the bars' labels.
"""

from __future__ import annotations

import threading
from typing import Any, Final

import plotly.graph_objects as go  # type: ignore[import-untyped]  # ships no types

from ..core.vgr.decision import Route
from .panels import Lane
from .surface import asset

#: Pixels of one lane and of the axis; the HTML beside it has rows of the same height.
LANE: Final = 50
AXIS: Final = 18
LANES: Final = 4
_HEIGHT: Final = LANES * LANE + AXIS
#: One value for both themes: plotly does not follow the page's variables (UI 4).
_LOCAL: Final = "#0b8f80"
_CLOUD: Final = "#8a63e0"
_GREY: Final = "#808080"
_TINTS: Final = {Route.LOCAL: "rgba(11,143,128,0.14)", Route.CLOUD: "rgba(138,99,224,0.14)"}
_MARKS: Final = {Route.LOCAL: ("square", _LOCAL), Route.CLOUD: ("circle", _CLOUD), None: ("square", _GREY)}
#: How far from a bar that is read another has its label, in a chart of about 240 px and in the narrowest of about 140.
_APART_WIDE: Final = 0.25
_APART: Final = 0.36
#: Where the question mark of an unknown score may stand, clear of the bars.
_PLACES: Final = (0.5, 0.35, 0.65, 0.8, 0.1)


class ProbabilityFigure(go.FigureWidget):  # type: ignore[misc]
    """Readout, deliberation, prior and turn check against their bars."""

    #: Not plotly's five megabytes, which its figures carry in their saved state: the page asks for them once.
    _esm = asset("figure.js")

    def __init__(self) -> None:
        self.__dict__["_changing"] = threading.Lock()
        axis = {"fixedrange": True, "zeroline": False, "showline": False, "ticks": ""}
        super().__init__(
            data=[
                go.Scatter(
                    x=[None] * LANES,
                    y=[_top(lane) + 30 for lane in range(LANES)],
                    mode="markers",
                    marker={"symbol": ["square"] * LANES, "color": [_GREY] * LANES, "size": 11, "opacity": 1},
                    hoverinfo="skip",
                    cliponaxis=False,
                )
            ],
            layout={
                "height": _HEIGHT,
                "autosize": True,
                "margin": {"l": 6, "r": 6, "t": 0, "b": AXIS, "pad": 0},
                "paper_bgcolor": "rgba(0,0,0,0)",
                "plot_bgcolor": "rgba(0,0,0,0)",
                "showlegend": False,
                "font": {"size": 11, "color": _GREY},
                "xaxis": {**axis, "range": [0, 1], "tickvals": [0, 0.25, 0.5, 0.75, 1], "showgrid": False},
                "yaxis": {**axis, "range": [LANES * LANE, 0], "visible": False},
            },
        )
        self._config = {"displayModeBar": False, "responsive": True, "staticPlot": True, "displaylogo": False}
        self.on_msg(self._receive)

    def show_lanes(self, lanes: tuple[Lane, ...]) -> None:
        """Draw these lanes; one message to the browser, none where nothing changed."""
        symbols, colours = zip(*(_MARKS[lane.argues] for lane in lanes), strict=True)
        x = tuple(None if lane.value is None else _clamped(lane.value) for lane in lanes)
        shapes = [shape for index, lane in enumerate(lanes) for shape in _shapes(lane, _top(index))]
        annotations = [label for index, lane in enumerate(lanes) for label in _labels(lane, _top(index))]
        drawn = (x, symbols, colours, shapes, annotations)
        if drawn == self.__dict__.get("_drawn"):
            return
        self.__dict__["_drawn"] = drawn
        with self._changing, self.batch_update():
            self.data[0].x = x
            self.data[0].marker.symbol = symbols
            self.data[0].marker.color = colours
            self.layout.shapes = shapes
            self.layout.annotations = annotations

    def _receive(self, _: object, content: dict[str, Any], __: object) -> None:
        match content.get("want"):
            case "plotly":
                self.send({"plotly": True}, [str(go.FigureWidget._esm).encode()])
            case "current":
                # No change may come between: the page hears changes only after the answer.
                with self._changing:
                    self.send_state(["_widget_data", "_widget_layout"])
                    self.send({"current": True})

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> dict[str, Any]:
        """The state with live data: plotly syncs its traits once, and a page reload would show that first picture."""
        state: dict[str, Any] = super().get_state(key, drop_defaults)
        live = {"_widget_data": "_data", "_widget_layout": "_layout"}
        for trait, source in live.items():
            if trait in state and source in self.__dict__:
                encode = self.trait_metadata(trait, "to_json", self._trait_to_json)
                state[trait] = encode(self.__dict__[source], self)
        return state

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


def _top(lane: int) -> int:
    return lane * LANE


def _clamped(value: float) -> float:
    return min(1.0, max(0.0, value))


def _shapes(lane: Lane, top: int) -> list[dict[str, Any]]:
    """The lane's base (dotted where nothing was asked), the side that counts, and its bars; the one read is heavy."""
    base = {"color": _GREY, "width": 1, "dash": "solid" if lane.asked else "dot"}
    shapes = [_line(0, 1, top + 40, top + 40, base)]
    read = [bar.at for bar in lane.bars if bar.read]
    if lane.above is not None and read and lane.asked:
        zone = {"type": "rect", "x0": _clamped(min(read)), "x1": 1, "y0": top + 20, "y1": top + 40}
        shapes.append({**zone, "fillcolor": _TINTS[lane.above], "line": {"width": 0}, "layer": "below"})
    for bar in lane.bars:
        at = _clamped(bar.at)
        shapes.append(_line(at, at, top + 18, top + 43, {"color": _GREY, "width": 2 if bar.read else 1}))
    return shapes


def _line(x0: float, x1: float, y0: float, y1: float, line: dict[str, Any]) -> dict[str, Any]:
    return {"type": "line", "x0": x0, "x1": x1, "y0": y0, "y1": y1, "line": line, "layer": "below"}


def _labels(lane: Lane, top: int) -> list[dict[str, Any]]:
    """The bars' labels: those read by name, or by number where they stand close; others where there is room.

    A label in a `span` has room in a wide chart only: the stylesheet hides it in a narrow one.
    """
    read = [bar for bar in lane.bars if bar.read]
    labels = []
    for bar in lane.bars:
        apart = min((abs(other.at - bar.at) for other in read if other is not bar), default=1.0)
        if bar.read:
            number = bar.words.rsplit(" ", 1)[-1]
            labels.append(_label(bar.at, top + 9, f"<b>{number if apart < _APART else bar.words}</b>"))
        elif apart >= _APART:
            labels.append(_label(bar.at, top + 9, bar.words))
        elif apart >= _APART_WIDE:
            labels.append(_label(bar.at, top + 9, f"<span>{bar.words}</span>"))
    if lane.asked and lane.value is None:
        clear = (at for at in _PLACES if all(abs(bar.at - at) > 0.06 for bar in lane.bars))
        labels.append(_label(next(clear, 0.5), top + 30, "<b>?</b>"))
    return labels


def _label(x: float, y: float, text: str) -> dict[str, Any]:
    x = _clamped(x)
    anchor = "left" if x < 0.1 else "right" if x > 0.85 else "center"
    return {"x": x, "y": y, "text": text, "xanchor": anchor, "yanchor": "middle", "showarrow": False, "borderpad": 0}
