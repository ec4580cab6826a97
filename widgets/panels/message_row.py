"""One row of the Messages panel: its blocks in order, long ones folded, failed results with the rule that said so."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ...core.conversation.model import Block, ToolCall
from ...core.explain.results import ResultMark
from ...core.explain.wording import counted
from ..text import Child, Html, h
from . import frame
from .words import Piece, pieces

#: Characters shown of one block before it folds.
FOLD: Final = 600
#: Characters shown of one row, folded and opened.
FOLDED: Final = 3_000
OPENED: Final = 20_000
#: A text up to this many characters and without a line break stays on its line.
LINE: Final = 110


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message as it is listed."""

    #: Index into `Request.turns`; `len(turns)` for the attempt.
    turn: int
    role: str
    #: The role as pasted.
    source_role: str
    content: tuple[Block, ...] = field(repr=False)
    #: How its results count, by block.
    marks: dict[int, ResultMark]
    #: "instruction", "turn 3" or empty.
    place: str
    attempt: bool = False

    @property
    def calls(self) -> int:
        """How many calls it makes."""
        return sum(isinstance(block, ToolCall) for block in self.content)

    @property
    def chars(self) -> int:
        """Characters it has to show."""
        return sum(len(piece.text) for piece in pieces(self.content))

    @property
    def failed(self) -> int:
        """How many of its results failed."""
        return sum(mark.failed for mark in self.marks.values())


def said(row: MessageRow, opened: bool) -> list[Child]:
    """What the row says; what does not fit is counted, and behind a button as far as it can be opened."""
    page = _Page(row, opened, OPENED if opened else FOLDED)
    parts: list[Child] = [page.piece(piece) for piece in pieces(row.content)]
    if opened and page.hidden:
        says = f"{counted(page.hidden, 'more char')} are in the source, not listed here."
        parts.append(h("div", {"class": "dim"}, says))
    if opened or page.hidden:
        text = "Show less" if opened else f"Show {counted(page.hidden, 'more char')}"
        parts.append(frame.button(text, "messages:open", k=str(row.turn), kind="quiet small"))
    return parts


@dataclass(slots=True)
class _Page:
    row: MessageRow
    opened: bool
    room: int
    hidden: int = field(default=0)

    def piece(self, piece: Piece) -> Child:
        """One block within what room is left."""
        if self.room <= 0:
            self.hidden += len(piece.text)
            return None
        shown = piece.text[: self.room if self.opened else min(self.room, FOLD)]
        # A block without text takes room as well: a message may have thousands.
        self.room -= max(len(shown), 20)
        self.hidden += len(piece.text) - len(shown)
        return [self._text(piece, shown), self._rule(piece)]

    def _text(self, piece: Piece, shown: str) -> Html:
        if piece.kind == "note":
            return h("div", {"class": "cut dim"}, shown)
        if not piece.text.strip():
            return h("div", {"class": "cut dim"}, f"empty {piece.kind}")
        mono = " call" if piece.kind in ("call", "result") else ""
        if len(piece.text) <= LINE and "\n" not in piece.text:
            return h("div", {"class": f"cut{mono}"}, shown)
        whole = h("div", {"class": f"full{mono}"}, shown)
        if self.opened or (not mono and (self.row.role == "user" or self.row.attempt)):
            return whole
        first = h("summary", {"class": f"cut{mono}"}, shown.strip().split("\n", 1)[0])
        return h("details", {"data-k": f"b{piece.block}"}, first, whole)

    def _rule(self, piece: Piece) -> Child:
        mark = self.row.marks.get(piece.block)
        if mark is None or not mark.failed or not mark.rule:
            return None
        return h("div", {"class": "dim t0"}, f"failed by: {mark.rule}")
