"""The frame of a bench: its stylesheet, its keys, and the names of its parts for screen readers (UI 8, 9)."""

from __future__ import annotations

from typing import Any, Final

import anywidget

from .surface import asset

#: The stylesheet, as in the design; then what the panels and the boxes of ipywidgets need beyond it.
_SHEETS: Final = ("workbench.css", "panels/panels.css", "panels/escalation.css", "reader.css", "boxes.css")
STYLESHEET: Final = "\n".join(asset(name) for name in _SHEETS)

#: Role and name by class, for the boxes that ipywidgets makes.
_NAMES: Final = {
    "rw-conversation": ("region", "Conversation"),
    "rw-probabilities": ("region", "Probabilities"),
    "panels.rw-of-vgr": ("tabpanel", "VGR"),
    "panels.rw-of-cutoffs": ("tabpanel", "Cutoffs"),
    "panels.rw-of-escalation": ("tabpanel", "Escalation"),
    "rw-chart": ("img", "Scores against their bars; the values stand beside them"),
}


class Frame(anywidget.AnyWidget):
    """The first child of a bench's root. anywidget puts its stylesheet into a page once, for all benches."""

    _esm = asset("frame.js")
    _css = STYLESHEET

    def __init__(self) -> None:
        super().__init__()
        self.on_msg(self._receive)

    def _receive(self, _: object, content: dict[str, Any], __: object) -> None:
        if content.get("want"):
            self.send({"names": _NAMES})
