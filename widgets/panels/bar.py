"""The bar: name, algorithms, run state, driver badge and the one primary button (UI 5, 6)."""

from __future__ import annotations

from typing import Final

from .. import marks
from ..algorithm import Algorithm
from ..screen import RunState, Screen
from ..text import Child, Html, h
from . import frame, opening, run

#: The tabs' words.
NAMES: Final = {Algorithm.VGR: "VGR", Algorithm.CUTOFFS: "Cutoffs", Algorithm.ESCALATION: "Escalation"}
_WIDTH: Final = "min-width:84px"


def bar(screen: Screen) -> Html:
    """The bar; one line that wraps where the widget is narrow."""
    return h(
        "div",
        {"class": "bar", "data-k": "bar"},
        h("h2", None, "Routing Workbench"),
        h(
            "div",
            {"class": "tabs", "role": "tablist", "aria-label": "Algorithm"},
            [_tab(algorithm, algorithm is screen.algorithm) for algorithm in Algorithm],
        ),
        h("span", {"class": "push"}),
        h("span", {"class": "status"}, _state(screen)),
        marks.badge(screen.driver.origin) if screen.driver else None,
        _primary(screen),
    )


def _tab(algorithm: Algorithm, shown: bool) -> Html:
    """One tab; the frame moves between them by key, so only the one that is shown is a stop of the tab key."""
    return h(
        "button",
        {
            "type": "button",
            "role": "tab",
            "aria-selected": str(shown).lower(),
            "tabindex": 0 if shown else -1,
            "data-act": "algorithm",
            "data-k": algorithm.value,
            "value": algorithm.value,
        },
        NAMES[algorithm],
    )


def _state(screen: Screen) -> Child:
    if screen.opening is not None:
        return h("span", {"class": "b"}, opening.says(screen.opening))
    match screen.state:
        case RunState.EMPTY:
            return None
        case RunState.IDLE:
            return _said("Idle")
        case RunState.RUNNING:
            return h("span", {"class": "b"}, run.asking(screen))
        case RunState.DONE:
            return [_said("Done"), h("span", {"class": "dim"}, run.done(screen))]
        case RunState.STALE:
            return _said(f"Stale: {screen.remark}" if screen.remark else "Stale")
        case RunState.CANCELLED:
            when = run.cancelled(screen.remark)[1]
            return _said(f"Cancelled at {when}" if when else "Cancelled")
        case RunState.FAILED:
            return h("span", {"class": "b fail"}, f"Failed: {screen.failure.stage}" if screen.failure else "Failed")


def _said(text: str) -> Html:
    return h("span", {"class": "b"}, text)


def _primary(screen: Screen) -> Html:
    if screen.state is RunState.RUNNING or screen.opening is not None:
        return frame.button("Cancel", "cancel", kind="primary", k="primary", style=_WIDTH)
    text = "Run" if screen.state in (RunState.EMPTY, RunState.IDLE) else "Run again"
    return frame.button(text, "run", kind="primary", k="primary", style=_WIDTH, disabled=run.cannot_run(screen))
