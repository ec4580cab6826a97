"""A surface: HTML on screen that is patched in place and reports clicks (UI 12).

Its HTML travels by custom message and is no trait: what a conversation says is never part of saved widget state, and a
view made by a page reload asks for what is current.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib.resources import files
from typing import Any, Final, TypeAlias

import anywidget

from .act import Act
from .text import Html

#: Most characters one message carries. The panels list far less; what would be longer is a fault of ours.
LONGEST: Final = 5_000_000


def asset(name: str) -> str:
    """The text of a stylesheet or module of this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


#: Takes an act of the user. Called on whatever thread the kernel handles the message on; must not raise.
OnAct: TypeAlias = Callable[[Act], None]


class Surface(anywidget.AnyWidget):
    """One panel's HTML. `show` replaces it; acts of the user go to the callback."""

    _esm = asset("surface.js")

    def __init__(self, on_act: OnAct | None = None) -> None:
        self._on_act = on_act
        self._html: Html | None = None
        self._showing = threading.Lock()
        super().__init__()
        self.on_msg(self._receive)

    @property
    def html(self) -> Html | None:
        """What is shown; None before the first `show`."""
        return self._html

    def show(self, html: Html) -> None:
        """Show this HTML in every view, now and after a reload. Sends nothing where it is shown already.

        Raises TypeError for text that is not `Html`: wrap it with `esc` or build it with `h`. Raises ValueError for
        more than `LONGEST` characters.
        """
        if not isinstance(html, Html):
            raise TypeError(f"show() takes Html, got {type(html).__name__}. Build it with h() or escape it with esc().")
        if len(html) > LONGEST:
            raise ValueError(f"show() got {len(html):,} characters of HTML, more than {LONGEST:,}. List fewer rows.")
        with self._showing:
            if html == self._html:
                return
            self._html = html
            self.send({"html": str(html)})

    def copy_text(self, text: str) -> None:
        """Put this text on the clipboard of the browser that just acted."""
        self.send({"copy": sendable(text)})

    def _receive(self, _: object, content: dict[str, Any], __: object) -> None:
        if content.get("want"):
            with self._showing:
                if self._html is not None:
                    self.send({"html": str(self._html)})
        elif isinstance(content.get("act"), str) and self._on_act is not None:
            said = (content.get("k"), content.get("value"))
            k, value = ("" if one is None else str(one) for one in said)
            self._on_act(Act(content["act"], k, value))


def sendable(text: str) -> str:
    """The text with lone surrogates as U+FFFD: a message is UTF-8, which has no place for them. Same length."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace") if _lone(text) else text


def _lone(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
