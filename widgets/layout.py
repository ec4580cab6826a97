"""The bench on screen: its boxes in reading order, and how a screen is painted into them (UI 2).

Frame, errors, bar; then a grid of two columns, left | right, in which a pane is what one algorithm alone has:

- Conversation (head, editor, details) | Verdict, a pane each
- Turns, Messages (a reader) | VGR: Why, (Probabilities, Timeline), Judge's view, Policy
                  | Cutoffs: Rules, (Question, Answer), (What if, Flips)
                  | Escalation: Streak, (Turn, What if), Judge's view
- VGR's Turn settings, Driver

The panes that are not shown stay as they were: nothing in them is painted, moved or made anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

import ipywidgets  # type: ignore[import-untyped]  # ships no types

from . import panels
from .act import Act
from .algorithm import Algorithm
from .frame import Frame
from .paste import OnText, Paste
from .reader import Reader
from .screen import Screen
from .surface import OnAct, Surface
from .text import Html, h, join

if TYPE_CHECKING:
    from .figures import ProbabilityFigure

#: What the root's class that shows an algorithm's panes begins with.
_SHOWING: Final = "rw-on-"

Render: TypeAlias = Callable[[Screen, panels.View], Html]


@dataclass(frozen=True, slots=True)
class _Part:
    """A surface's renderer.

    A part of one algorithm is painted only while that is on screen: state, failure and what was asked are of it.
    """

    render: Render
    of: Algorithm | None = None


def _alone(render: Callable[[Screen], Html], of: Algorithm | None = None) -> _Part:
    """A part that is looked at in one way only."""
    return _Part(lambda screen, _: render(screen), of=of)


_PARTS: Final[dict[str, _Part]] = {
    "bar": _alone(panels.bar),
    "conversation_head": _Part(panels.conversation_head),
    "conversation_details": _Part(panels.conversation_details),
    "verdict": _alone(panels.verdict, Algorithm.VGR),
    "cutoffs_verdict": _alone(panels.cutoffs_verdict, Algorithm.CUTOFFS),
    "escalation_verdict": _alone(panels.escalation_verdict, Algorithm.ESCALATION),
    "turns": _alone(panels.turns),
    "why": _alone(panels.why, Algorithm.VGR),
    "probabilities_head": _Part(panels.probabilities_head, of=Algorithm.VGR),
    "lane_names": _Part(lambda screen, view: _column(panels.lane_names, screen, view), of=Algorithm.VGR),
    "lane_drawing": _Part(lambda screen, view: _column(panels.lane_drawing, screen, view), of=Algorithm.VGR),
    "lane_values": _Part(lambda screen, view: _column(panels.lane_values, screen, view), of=Algorithm.VGR),
    "verdicts": _Part(panels.probabilities_below, of=Algorithm.VGR),
    "timeline": _alone(panels.timeline, Algorithm.VGR),
    "judge": _Part(panels.judge_view, of=Algorithm.VGR),
    "policy": _alone(panels.policy, Algorithm.VGR),
    "cutoffs_rules": _Part(panels.cutoffs_rules, of=Algorithm.CUTOFFS),
    "cutoffs_question": _alone(panels.cutoffs_question, Algorithm.CUTOFFS),
    "cutoffs_usable": _alone(panels.cutoffs_usable, Algorithm.CUTOFFS),
    "cutoffs_settings": _alone(panels.cutoffs_settings, Algorithm.CUTOFFS),
    "cutoffs_flips": _alone(panels.cutoffs_flips, Algorithm.CUTOFFS),
    "streak": _Part(panels.streak_panel, of=Algorithm.ESCALATION),
    "escalation_details": _alone(panels.escalation_details, Algorithm.ESCALATION),
    "escalation_settings": _alone(panels.escalation_settings, Algorithm.ESCALATION),
    "transcript": _Part(panels.transcript_panel, of=Algorithm.ESCALATION),
    "controls": _alone(panels.controls, Algorithm.VGR),
    "driver": _alone(panels.driver),
}


@dataclass(slots=True)
class Layout:
    """All widgets of one bench. Paint from one thread at a time."""

    on_act: OnAct
    on_text: OnText
    #: Called on another thread when a part was made that has not been painted yet.
    on_ready: Callable[[], None]
    root: ipywidgets.Box = field(init=False)
    paste: Paste = field(init=False)
    reader: Reader = field(init=False)
    surfaces: dict[str, Surface] = field(init=False)
    errors: Surface = field(init=False)
    _frame: Frame = field(init=False)
    _chart: ipywidgets.Box = field(init=False)
    _lanes: ipywidgets.Box = field(init=False)
    _boxes: list[ipywidgets.Box] = field(init=False, default_factory=list)
    _figure: ProbabilityFigure | None = field(init=False, default=None)
    _maker: threading.Thread | None = field(init=False, default=None)
    _closed: bool = field(init=False, default=False)
    _changing: threading.Lock = field(init=False, default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.surfaces = {name: Surface(self._on_act) for name in _PARTS}
        self.reader = Reader(self._on_act)
        self.errors = Surface(self.on_act)
        self.paste = Paste(self.on_text)
        self._frame = Frame()
        at = self.surfaces
        self._chart = self._box("rw-chart", at["lane_drawing"])
        self._lanes = self._box(
            "rw-lanes", self._box("rw-column", at["lane_names"]), self._chart, self._box("rw-column", at["lane_values"])
        )
        conversation = self._box(
            "panel src rw-conversation", at["conversation_head"], self.paste, at["conversation_details"]
        )
        scores = self._box("panel rw-probabilities", at["probabilities_head"], self._lanes, at["verdicts"])
        vgr, cutoffs, escalation = Algorithm
        grid = self._box(
            "grid",
            conversation,
            self._box(
                "top",
                self._pane(vgr, "", at["verdict"]),
                self._pane(cutoffs, "", at["cutoffs_verdict"]),
                self._pane(escalation, "", at["escalation_verdict"]),
            ),
            self._box("stack", at["turns"], self.reader),
            self._pane(
                vgr,
                "stack panels",
                at["why"],
                self._box("pair", scores, at["timeline"]),
                at["judge"],
                at["policy"],
            ),
            self._pane(
                cutoffs,
                "stack panels",
                at["cutoffs_rules"],
                self._box("pair", at["cutoffs_question"], at["cutoffs_usable"]),
                self._box("pair", at["cutoffs_settings"], at["cutoffs_flips"]),
            ),
            self._pane(
                escalation,
                "stack panels",
                at["streak"],
                self._box("pair", at["escalation_details"], at["escalation_settings"]),
                at["transcript"],
            ),
            self._box("stack drivers", self._pane(vgr, "", at["controls"]), at["driver"]),
        )
        self.root = self._box(f"rw {_showing(Algorithm.VGR)}", self._frame, self.errors, at["bar"], grid)

    def _pane(self, of: Algorithm, classes: str, *children: ipywidgets.Widget) -> ipywidgets.Box:
        """A box that is there only while this algorithm is on screen."""
        return self._box(f"{classes} rw-pane rw-of-{of.value}".strip(), *children)

    def _box(self, classes: str, *children: ipywidgets.Widget) -> ipywidgets.Box:
        box = ipywidgets.Box(children)
        for name in classes.split():
            box.add_class(name)
        self._boxes.append(box)
        return box

    def paint(self, screen: Screen, view: panels.View) -> list[tuple[str, Exception]]:
        """Show this screen. A panel that fails says so in its place and is returned with its error; others stand."""
        failed: list[tuple[str, Exception]] = []
        self._bring(screen.algorithm)
        try:
            self.reader.show(screen, self.paste.text)
        except Exception as error:  # noqa: BLE001 - like any other panel's
            failed.append(("messages", error))
            self.reader.fail(error)
        for name, part in _PARTS.items():
            if part.of not in (None, screen.algorithm):
                continue
            try:
                self.surfaces[name].show(part.render(_of_pane(screen, part), view))
            except Exception as error:  # noqa: BLE001 - whatever a panel raises stays in that panel
                failed.append((name, error))
                self.surfaces[name].show(_fault(name, error))
        try:
            if screen.algorithm is Algorithm.VGR:
                self._paint_lanes(screen, view)
        except Exception as error:  # noqa: BLE001 - a chart that fails leaves its values standing beside it
            failed.append(("probabilities", error))
        return failed

    def _on_act(self, act: Act) -> None:
        """What brings a message into view is done here, by any panel; all else is the shell's."""
        if act.act == "go-message":
            self.reader.go_to(_index(act.k))
            return
        if act.act == "jump-diagnostic":
            self.reader.go_to_problem(_index(act.k))
        self.on_act(act)

    def _bring(self, algorithm: Algorithm) -> None:
        """Show the panes of this algorithm, and of no other. A click on its tab has done so in the browser already."""
        if _showing(algorithm) not in self.root._dom_classes:
            kept = [name for name in self.root._dom_classes if not name.startswith(_SHOWING)]
            # At once, so that no page is ever between two of them.
            self.root._dom_classes = (*kept, _showing(algorithm))

    def _paint_lanes(self, screen: Screen, view: panels.View) -> None:
        shown = panels.charted(screen, view)
        if shown and self._figure is not None:
            self._figure.show_lanes(panels.lanes(screen))
        elif shown and self._maker is None:
            self._maker = threading.Thread(target=self._make_figure, name="rw-figure", daemon=True)
            self._maker.start()
        _hide(self._lanes, not shown)

    def _make_figure(self) -> None:
        """Load plotly and make the figure, beside the painting: that takes seconds, and a drawing stands in for it."""
        from .figures import ProbabilityFigure

        figure = ProbabilityFigure()
        with self._changing:
            if not self._closed:
                self._figure = figure
                self._chart.children = (*self._chart.children, figure)
        if self._figure is figure:
            self.on_ready()
        else:
            _close(figure)

    def show_errors(self, sentences: list[tuple[str, str]]) -> None:
        """Show what went wrong in the bench itself: what failed, and the next step. An empty list takes it away."""
        self.errors.show(join(_error(what, step) for what, step in sentences))

    def close(self) -> None:
        """Close every widget; the page forgets them."""
        with self._changing:
            self._closed = True
            figure, self._figure = self._figure, None
        widgets = [*self.surfaces.values(), self.errors, self.paste, self.reader, self._frame, *self._boxes]
        for widget in [*widgets, *([figure] if figure is not None else [])]:
            _close(widget)


def _showing(algorithm: Algorithm) -> str:
    """The root's class that shows the panes of this algorithm."""
    return f"{_SHOWING}{algorithm.value}"


def _of_pane(screen: Screen, part: _Part) -> Screen:
    """The screen with element ids of the part's own pane: every algorithm has a verdict."""
    return screen if part.of in (None, Algorithm.VGR) else replace(screen, bench=f"{screen.bench}-{part.of}")


def _close(widget: ipywidgets.DOMWidget) -> None:
    """Close a widget and its layout, which ipywidgets would keep."""
    layout = widget.__dict__.get("_trait_values", {}).get("layout")
    widget.close()
    if isinstance(layout, ipywidgets.Widget):
        layout.close()


def _column(render: Callable[[tuple[panels.Lane, ...]], Html], screen: Screen, view: panels.View) -> Html:
    return render(panels.lanes(screen)) if panels.charted(screen, view) else Html()


def _hide(box: ipywidgets.Box, hidden: bool) -> None:
    display = "none" if hidden else None
    if box.layout.display != display:
        box.layout.display = display


def _index(k: str) -> int:
    """The index that a key names; -1 for none."""
    return int(k) if k.isascii() and k.isdecimal() else -1


def _error(what: str, step: str) -> Html:
    return h(
        "div",
        {"class": "panel rw-error", "role": "alert"},
        h("span", {"class": "sev error"}, "error"),
        h("span", None, f"{what} {step}"),
        h("span", {"class": "push"}),
        h("button", {"type": "button", "class": "small", "data-act": "dismiss"}, "Close"),
    )


def _fault(name: str, error: Exception) -> Html:
    says = f"This panel could not be drawn: {type(error).__name__}. The other panels stand."
    return h("section", {"class": "panel", "data-k": name}, h("div", {"class": "pb fail"}, says))
