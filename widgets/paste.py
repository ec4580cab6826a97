"""The paste editor: what is typed, pasted, dropped or opened in the browser, as text (DESIGN, Jupyter facts).

An `ipywidgets.Textarea` sends and echoes its whole text with every key and saves it in the notebook. This one sends by
custom message and holds no text in a trait. The last input wins: every input, and every text set here, has a number.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import anywidget

from ..core.conversation.file_text import NotText, decode
from .surface import asset, sendable

#: Characters that are read as they are typed; a longer text asks for Apply.
TYPED: Final = 1_000_000
#: Bytes of a file or of an applied text. A longer file is opened by its path.
FILE: Final = 64_000_000
#: Bytes of one message: far below the 10 MB at which the websocket drops the connection.
PIECE: Final = 512_000

#: Takes a text, the name of the file it came from (empty where it was typed or pasted), and whether it was typed key
#: by key. Must not raise.
OnText: TypeAlias = Callable[[str, str, bool], None]


@dataclass(slots=True)
class _Arriving:
    number: int = -1
    pieces: dict[int, bytes] = field(default_factory=dict, repr=False)


class Paste(anywidget.AnyWidget):
    """The editor. `on_text` is called on whatever thread the kernel handles the message on."""

    _esm = asset("paste.js")

    def __init__(self, on_text: OnText | None = None) -> None:
        self._on_text = on_text
        self._text = ""
        self._held = ""
        self._number = 0
        self._arriving = _Arriving()
        self._changing = threading.RLock()
        super().__init__()
        self.on_msg(self._receive)

    @property
    def text(self) -> str:
        """The text that was entered or set last."""
        return self._text

    def set_text(self, text: str) -> None:
        """Put a text into the editor (an example, an opened file, an undo). Calls nothing back.

        A text over `TYPED` characters is named there and not put there: editing it would be slow.
        """
        with self._changing:
            if text != self._text:
                self._hold(text, self._number + 1)
                self._show()

    def select(self, start: int, end: int) -> None:
        """Mark a half-open range of the text, in code points, and scroll to it."""
        ends = (_units(self._text, start), _units(self._text, end))
        if not self._held:
            self.send({"select": ends})

    def _hold(self, text: str, number: int) -> None:
        self._text = text
        self._number = number
        long = len(text) > TYPED
        self._held = f"{len(text):,} chars, too long to edit here. Type or paste to replace it." if long else ""

    def _show(self) -> None:
        shown = {"held": self._held} if self._held else {"set": sendable(self._text)}
        self.send({"n": self._number, **shown})

    def _receive(self, _: object, content: dict[str, Any], buffers: list[Any]) -> None:
        if content.get("want"):
            self.send({"limits": {"typed": TYPED, "file": FILE, "piece": PIECE}})
            with self._changing:
                if self._number:
                    self._show()
        elif isinstance(content.get("text"), str):
            self._enter(content["text"], int(content["n"]), "", typed=content.get("typed") is True)
        elif "file" in content and buffers:
            self._piece(content, bytes(buffers[0]))

    def _piece(self, content: dict[str, Any], piece: bytes) -> None:
        number, name = int(content["n"]), str(content["file"])
        with self._changing:
            if number < max(self._arriving.number, self._number):
                return
            if number > self._arriving.number:
                self._arriving = _Arriving(number)
            self._arriving.pieces[int(content["part"])] = piece
            if len(self._arriving.pieces) < int(content["parts"]):
                return
            whole = b"".join(part for _, part in sorted(self._arriving.pieces.items()))
            self._arriving = _Arriving(number)
        try:
            text = decode(whole)
        except NotText as error:
            self.send({"say": str(error)})
            return
        self._enter(text, number, name, held=content.get("held") is True)

    def _enter(self, text: str, number: int, name: str, *, typed: bool = False, held: bool = False) -> None:
        with self._changing:
            if number < self._number:
                return
            if name or held:
                self._hold(text, number + 1)
                self._show()
            else:
                self._text, self._number, self._held = text, number, ""
        if self._on_text is not None:
            self._on_text(text, name, typed)


def _units(text: str, at: int) -> int:
    """Where a code point stands in the browser's text area: it counts UTF-16 units and one for each line end."""
    before = text[:at].replace("\r\n", "\n")
    return len(before) + sum(character > "\uffff" for character in before)
