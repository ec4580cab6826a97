"""The Messages panel: a reader for conversations of any length, of which the page holds only what is seen (UI 2, 12).

The browser has a light index of the rows and asks for the contents it is about to show. All of it travels by custom
message and none of it is a trait: no text of a conversation is ever part of saved widget state.
"""

from __future__ import annotations

import sys
import threading
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from operator import is_
from typing import Any, Final

import anywidget

from ..core.conversation.positions import Span
from .act import Act
from .panels import frame
from .panels.reader_parts import EDITED, PIECE, Part, block_text, edited_text, row_json
from .panels.reader_places import stretches
from .panels.reader_rows import (
    Flag,
    Known,
    Row,
    Said,
    calls,
    failed_results,
    rows_of,
    said,
    splice,
    with_problems,
)
from .panels.reader_search import found_in, hits
from .screen import Screen
from .surface import OnAct, asset, sendable

#: Plain scripts and one module, put one after the other: what anywidget loads can import no neighbour.
MODULES: Final = (
    "reader_rows.js",
    "reader_window.js",
    "reader_row.js",
    "reader_contents.js",
    "reader_search.js",
    "reader_edit.js",
    "reader_around.js",
    "reader.js",
)
#: Rows that one message of the index carries, ten bytes each; and rows that come along with a change.
INDEXED: Final = 40_000
PUSHED: Final = 32
#: Rows that are answered at once, and about so many characters of them in one message.
ASKED: Final = 200
ROOM: Final = 100_000
#: Rows that match a search and are told to the browser; more of them are counted alone.
FOUND: Final = 40_000
#: The block that stands for a message as it was pasted.
RAW: Final = -1
_NOTHING_SEEN: Final = (object(), None, None, None)
FILTERS: Final = ("all", "failed", "calls", "problems")


class Reader(anywidget.AnyWidget):
    """The panel. `show` gives it a screen; acts of the user go to the callback."""

    _esm = "\n".join(asset(name) for name in MODULES)

    def __init__(self, on_act: OnAct | None = None) -> None:
        self._on_act = on_act
        self._changing = threading.RLock()
        self._ids = count(1)
        self._forget()
        super().__init__()
        self.on_msg(self._receive)

    def _forget(self) -> None:
        self._rows: list[Row] = []
        self._said: Said | None = None
        self._known = Known()
        #: Reading, chosen conversation, what was derived and edited, as they were shown last.
        self._seen: tuple[object, ...] = _NOTHING_SEEN
        self._source = ""
        self._stretches: list[Span | None] | None = None
        #: Grows with every paste that is read: what was shown of an earlier one is asked for again.
        self._sources = 0
        self._counts = _counts(())
        self._head: Part | None = None
        #: Grows with every message of the index, so that the browser sees what it missed.
        self._number = 0
        self._filter, self._raw, self._search = FILTERS[0], False, ""

    @property
    def rows(self) -> Sequence[Row]:
        """The rows as they are listed."""
        return tuple(self._rows)

    def show(self, screen: Screen, source: str = "") -> None:
        """Show the messages of this screen; `source` is the paste they were read from. Sends only what changed."""
        with self._changing:
            seen = (screen.reading, screen.chosen, screen.derived, screen.edits)
            if not all(map(is_, self._seen, seen)):
                self._take(screen, source)
                self._seen = seen
            else:
                self._send_head(self._around(screen))

    def fail(self, error: Exception) -> None:
        """Say that the panel could not be drawn, by the kind of the error alone; the next screen is drawn anew."""
        with self._changing:
            self._seen = _NOTHING_SEEN
            says = f"This panel could not be drawn: {type(error).__name__}. The other panels stand."
            self._send_head({"fault": says})

    def go_to(self, turn: int) -> None:
        """Bring a message into view and put the focus on it, by its index in `Request.turns`."""
        with self._changing:
            if 0 <= turn < len(self._rows):
                self.send({"go": {"row": turn, "focus": True}})

    def go_to_problem(self, index: int) -> None:
        """Bring the message into view that a remark stands at, if there is one; by index in `Reading.diagnostics`."""
        with self._changing:
            for at, row in enumerate(self._rows):
                if any(one.index == index for one in row.about.problems):
                    self.send({"go": {"row": at, "focus": False}})
                    return

    def close(self) -> None:
        """Close the widget and let go of the conversation."""
        super().close()
        with self._changing:
            self._forget()

    def _take(self, screen: Screen, source: str) -> None:
        now, before = said(screen), self._rows
        reading, _, _, edits = self._seen
        if reading is not screen.reading:
            self._source, self._stretches = source, None
            self._sources += 1
        elif now is not None and now.is_same(self._said) and edits == screen.edits:
            self._send_head(self._around(screen))
            return
        self._said = now
        self._rows = after = [] if now is None else rows_of(now, screen, before, self._ids, self._known)
        self._counts = _counts(after)
        if not after:
            self._filter, self._raw, self._search = FILTERS[0], False, ""
        self._send_head(self._around(screen))
        at, gone, come = splice(before, after)
        if gone or come:
            self._push(after[at : at + min(come, PUSHED)])
            self._send_index(at, gone, after[at : at + come])
            if self._search:
                self._send_found()

    def _around(self, screen: Screen) -> Part:
        """What stands around the list."""
        edits = screen.edits
        return {
            "bench": screen.bench,
            "stale": frame.unread(screen),
            "instructions": 0 if self._said is None else len(self._said.request.instructions),
            "counts": self._counts,
            "edited": edits.count,
            "undo": edits.undo,
            "redo": edits.redo,
            "words": edits.words,
            "source": self._sources,
        }

    def _send_head(self, head: Part) -> None:
        if head != self._head:
            self._head = head
            self.send({"head": head | {"filter": self._filter, "raw": self._raw, "search": self._search}})

    def _send_index(self, at: int, gone: int, rows: Sequence[Row], *, whole: bool = False) -> None:
        """Rows in the place of others; many of them in several messages, each of which stands alone."""
        for first in range(0, max(len(rows), 1), INDEXED):
            part = rows[first : first + INDEXED]
            self._number += 1
            index = {"n": self._number, "at": at + first, "gone": 0 if first else gone, "whole": whole and not first}
            self.send({"index": index}, buffers=_columns(part))

    def _push(self, rows: Iterable[Row]) -> None:
        """The contents of these rows, in messages of bounded size."""
        held: list[Part] = []
        room = ROOM
        for row in rows:
            made = _clean(row_json(row))
            held.append(made)
            room -= _size(made)
            if room < 0:
                self.send({"rows": held})
                held, room = [], ROOM
        if held:
            self.send({"rows": held})

    def _send_found(self, number: int | None = None) -> None:
        found = found_in(self._rows, self._search)
        told = found[:FOUND]
        says = {"q": self._search, "n": number, "total": sum(many for _, many in found), "rows": len(found)}
        self.send({"found": says}, buffers=[_words(at for at, _ in told), _words(many for _, many in told)])

    def _receive(self, _: object, content: dict[str, Any], __: object) -> None:
        if isinstance(content.get("act"), str):
            said_of = (content.get("k"), content.get("value"))
            if self._on_act is not None:
                k, value = ("" if one is None else str(one) for one in said_of)
                self._on_act(Act(content["act"], k, value))
            return
        with self._changing:
            for name, answer in (
                ("want", self._answer_want),
                ("rows", self._answer_rows),
                ("blocks", self._answer_blocks),
                ("piece", self._answer_piece),
                ("raw", self._answer_raw),
                ("edit", self._answer_edit),
                ("hits", self._answer_hits),
                ("search", self._answer_search),
                ("look", self._answer_look),
            ):
                if name in content:
                    answer(content[name], content)

    def _answer_want(self, _: object, __: object) -> None:
        if self._head is None:
            return
        head, self._head = self._head, None
        self._send_head(head)
        self._push(self._rows[:PUSHED])
        self._send_index(0, 0, self._rows, whole=True)
        if self._search:
            self._send_found()

    def _answer_rows(self, wanted: list[int], _: object) -> None:
        self._push(self._at(wanted))

    def _answer_blocks(self, wanted: list[int], _: object) -> None:
        for row in self._at(wanted[:1]):
            self.send({"blocks": _clean(row_json(row, max(0, int(wanted[1]))))})

    def _answer_piece(self, wanted: list[int], _: object) -> None:
        at, block, start, end = map(int, wanted)
        for row in self._at([at]):
            text = self._pasted(at)[0] if block == RAW else block_text(row, block) if block < len(row.content) else ""
            start = min(max(0, start), len(text))
            text = text[start : min(max(start, end), start + PIECE)]
            self.send({"piece": {"id": row.id, "b": block, "from": start, "text": sendable(text)}})

    def _answer_raw(self, wanted: list[int], _: object) -> None:
        rows = [(at, row) for at in wanted[:ASKED] for row in self._at([at])]
        self.send({"raw": [[row.id, len(text), says] for at, row in rows for text, says in [self._pasted(at)]]})

    def _answer_edit(self, wanted: list[int], _: object) -> None:
        at, block = map(int, wanted)
        for row in self._at([at]):
            text = edited_text(row, block) if block < len(row.content) else None
            of = {"id": row.id, "b": block}
            if text is None:
                self.send({"edit": {**of, "says": "This cannot be edited here. Edit it in the source."}})
            elif len(text) > EDITED:
                says = f"{len(text):,} chars, more than the {EDITED:,} that are edited here. Edit it in the source."
                self.send({"edit": {**of, "says": says}})
            else:
                parts = range(0, max(len(text), 1), PIECE)
                for part, start in enumerate(parts):
                    piece = {"part": part, "parts": len(parts), "text": sendable(text[start : start + PIECE])}
                    self.send({"edit": {**of, **piece}})

    def _answer_hits(self, wanted: list[int], _: object) -> None:
        found = [[row.id, [place for hit in hits(row, self._search) for place in hit]] for row in self._at(wanted)]
        self.send({"hits": found, "q": self._search})

    def _answer_search(self, sought: str, content: dict[str, Any]) -> None:
        self._search = str(sought)
        self._send_found(int(content.get("n", 0)))

    def _answer_look(self, wanted: dict[str, Any], _: object) -> None:
        if wanted.get("filter") in FILTERS:
            self._filter = wanted["filter"]
        self._raw = wanted.get("raw") is True

    def _at(self, wanted: Iterable[int]) -> Iterator[Row]:
        """The rows at these places, as far as they are there."""
        for at in list(wanted)[:ASKED]:
            if 0 <= int(at) < len(self._rows):
                yield self._rows[int(at)]

    def _pasted(self, at: int) -> tuple[str, str]:
        """A message as it stands in the paste; else why it does not."""
        row, of = self._rows[at], self._said
        if of is None or of.conversation is None or (row.about.flags & Flag.ALTERNATIVE):
            return "", "No place in the source is known for this message."
        if not row.editable:
            return "", "It was produced here: it is no part of the source."
        if self._stretches is None:
            self._stretches = stretches(self._source, of.conversation)
        found = self._stretches[at] if at < len(self._stretches) else None
        if found is None:
            return "", "No place in the source is known for this message."
        edited = row.about.flags & Flag.EDITED
        return self._source[slice(*found)], "As it was pasted; the edit is not in it." if edited else ""


def _counts(rows: Sequence[Row]) -> list[int]:
    """Messages, failed results, calls, and messages with a problem."""
    return [len(rows), failed_results(rows), calls(rows), with_problems(rows)]


def _columns(rows: Sequence[Row]) -> list[bytes]:
    """Ids and characters as 32 bits, kinds and flags as 8."""
    return [
        _words(row.id for row in rows),
        _words(min(row.chars, 0xFFFFFFFF) for row in rows),
        bytes([row.about.kind for row in rows]),
        bytes([row.about.flags for row in rows]),
    ]


def _words(numbers: Iterable[int]) -> bytes:
    """Numbers as 32 bits each, little-endian as browsers have them."""
    made = array("I", numbers)
    if sys.byteorder == "big":
        made.byteswap()
    return made.tobytes()


def _size(part: Part) -> int:
    """About how many characters a row's contents have."""
    return 200 + sum(120 + sum(len(value) for value in one.values() if isinstance(value, str)) for one in part["parts"])


def _clean(value: Any) -> Any:
    """The value with lone surrogates replaced in its texts: a message is UTF-8."""
    if isinstance(value, str):
        return sendable(value)
    if isinstance(value, list):
        return [_clean(one) for one in value]
    return {name: _clean(one) for name, one in value.items()} if isinstance(value, dict) else value
