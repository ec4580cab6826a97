"""The rows of the escalation judge's transcript: lines, what they leave out, and the cut of a transcript (SPEC 6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..conversation.model import Block, Message, Refusal, Text, ToolCall, ToolResult
from ..escalation.transcript import (
    LABELS,
    TOTAL_CHARS,
    TRIMMED,
    TRUNCATED,
    TRUNCATED_CHARS,
    kept_ends,
    message_text,
)
from .judged import Row, RowKind, Span, text_of_rows
from .marked_text import MarkedText, clip_note, marked
from .sent_text import as_it_stands, sent, sent_note, unsent
from .unread import dropped_source, shortened, unread_block
from .wording import counted, number

#: Why a message in the window, or what is cut off, is not read.
OVER = f"over the total of {number(TOTAL_CHARS)} chars"


@dataclass(frozen=True, slots=True)
class Line:
    """A message as a line of the transcript: its label, its whole text and how many characters of that may stay."""

    turn: int
    label: str
    text: MarkedText
    limit: int

    def __len__(self) -> int:
        """The characters of the line."""
        size = len(self.text)
        return len(self.label) + (size if size <= self.limit else sum(kept_ends(size, self.limit)) + len(TRIMMED))

    def rows(self, redacted: bool) -> list[Row]:
        """The line as rows, a clip's marker being one of its own within the line."""
        text, size = self.text, len(self.text)
        if size <= self.limit:
            return [_kept(text.after(self.label).spans(), self.turn, redacted)]
        head, tail = kept_ends(size, self.limit)
        omitted = text.spans(head, size - tail)
        note = clip_note(size - head - tail, size)
        return [
            _kept(text.cut(0, head).after(self.label).spans(), self.turn, redacted),
            Row(RowKind.CLIPPED, (Span(TRIMMED),), self.turn, note, "", shortened(unsent(omitted))),
            replace(_kept(text.spans(size - tail, size), self.turn, redacted), before=""),
        ]


def line_of(message: Message, turn: int, label: str, limit: int, redacted: bool) -> Line:
    """The line of a message; `redacted` tells whether what is sent is redacted first."""
    text = message_text(message)
    return Line(turn, label, marked(text) if redacted else as_it_stands(text), limit)


def line_rows(message: Message, line: Line, redacted: bool) -> list[Row]:
    """A line among the blocks of its message that add nothing to it."""
    before, behind, _ = _unread(message, line.turn)
    return [*before, *line.rows(redacted), *behind]


def dropped_rows(message: Message, turn: int, reason: str) -> list[Row]:
    """All of a message as dropped rows."""
    before, behind, spoken = _unread(message, turn)
    if before and not spoken:
        return before
    return [*before, dropped_source(turn, LABELS[message.role], message_text(message), reason), *behind]


def cut_rows(rows: Sequence[Row]) -> list[Row]:
    """The rows of a transcript that is too long for its total: up to where it is cut, the mark, the rest as dropped."""
    length = len(text_of_rows(tuple(rows)))
    cut: list[Row] = []
    left = TRUNCATED_CHARS
    read = False
    for at, row in enumerate(rows):
        if row.kind is RowKind.DROPPED:
            cut.append(row)
            continue
        before = row.before if read else ""
        size = len(before) + sum(len(span.text) for span in row.spans)
        if size > left:
            note = clip_note(length - TRUNCATED_CHARS, length)
            mark = Row(RowKind.CLIPPED, (Span(TRUNCATED),), None, note, before[:left])
            left -= len(before)
            rest = rows[at:]
            if left > 0:
                kept, behind = _split(row.spans, left)
                mark = replace(mark, before="")
                if row.kind is RowKind.CLIPPED:
                    cut.append(replace(row, spans=kept))
                    rest = rows[at + 1 :]
                else:
                    cut.append(replace(row, spans=kept, note=sent_note(kept)))
                    rest = [replace(row, spans=behind), *rows[at + 1 :]]
            return [*cut, mark, *map(_cut_off, rest)]
        cut.append(row)
        left -= size
        read = True
    return cut


def _kept(spans: tuple[Span, ...], turn: int, redacted: bool) -> Row:
    shown = spans if redacted else sent(spans)
    return Row(RowKind.KEPT, shown, turn, sent_note(shown))


def _split(spans: Sequence[Span], at: int) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The spans before a character and from it on."""
    head: list[Span] = []
    tail: list[Span] = []
    for span in spans:
        size = len(span.text)
        if at > 0:
            head.append(replace(span, text=span.text[:at]))
        if size > at:
            tail.append(replace(span, text=span.text[max(at, 0) :]))
        at -= size
    return tuple(head), tuple(tail)


def _cut_off(row: Row) -> Row:
    """A row that stands behind the cut: nothing of it is sent."""
    if row.kind is RowKind.DROPPED:
        return row
    if row.kind is RowKind.CLIPPED:
        return Row(RowKind.DROPPED, row.omitted, row.turn, row.note)
    note = f"dropped: {OVER}, {counted(sum(len(span.text) for span in row.spans), 'char')}"
    return Row(RowKind.DROPPED, shortened(unsent(row.spans)), row.turn, note)


def _unread(message: Message, turn: int) -> tuple[list[Row], list[Row], bool]:
    """What no line holds of a message, before its text and behind it; and whether there is text."""
    before: list[Row] = []
    behind: list[Row] = []
    spoken = False
    waiting: list[Block] = [*reversed(message.content)]
    while waiting:
        block = waiting.pop()
        if isinstance(block, ToolResult):
            waiting.extend(reversed(block.content))
        elif isinstance(block, (Text, Refusal, ToolCall)):
            spoken = True
        else:
            (behind if spoken else before).extend(unread_block(block, turn))
    return before, behind, spoken
