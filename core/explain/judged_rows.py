"""Rows of a judged view that are read: text, markers and headings, and the view they make (SPEC 3; UI 5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..vgr.views import ATTEMPT_BUDGET
from .judged import Budget, JudgedView, Row, RowKind, Span
from .marked_text import MarkedText, marked
from .unread import shortened

#: Stands before the heading of every section but the first.
SECTION = "\n\n"


def heading(text: str) -> Row:
    """A heading of the view."""
    return Row(RowKind.HEADING, (Span(text),), None, "", SECTION)


def nothing(turn: int | None, note: str) -> Row:
    """The empty body of a section that always stands."""
    return Row(RowKind.KEPT, (), turn, note)


def kept_rows(
    text: MarkedText, turn: int | None, before: str = "\n", start: int = 0, end: int | None = None
) -> list[Row]:
    """A text, or a run of it, as rows; its marker is a row of its own.

    The line breaks around a marker stand between the rows. Where the run holds none of the marker, they are text.
    """
    stop = len(text) if end is None else end
    clip = text.clip
    if clip is None or stop <= clip.start or start >= clip.end:
        return [Row(RowKind.KEPT, text.spans(start, stop), turn, "", before)]
    rows = []
    if start < clip.start:
        rows.append(Row(RowKind.KEPT, text.spans(start, clip.start - 1), turn, "", before))
        before = "\n"
    marker = Span(text.text[max(start, clip.start) : min(stop, clip.end)])
    rows.append(Row(RowKind.CLIPPED, (marker,), turn, clip.note, before, shortened(clip.omitted)))
    if stop > clip.end:
        rows.append(Row(RowKind.KEPT, text.spans(clip.end + 1, stop), turn))
    return rows


def attempt_rows(attempt: str, turn: int, prefix: str = "") -> tuple[list[Row], Budget]:
    """The attempt as the session and agentic views show it, and its budget."""
    text = marked(attempt)
    rows = kept_rows(text.clipped(ATTEMPT_BUDGET, 1 / 3).after(prefix), turn)
    return rows, used("attempt", (text,), ATTEMPT_BUDGET)


def used(name: str, texts: Iterable[MarkedText], limit: int) -> Budget:
    """The budget of texts that each may have so much: what the longest of them takes of it."""
    return Budget(name, min(max(map(len, texts), default=0), limit), limit)


def judged(name: str, text: str, rows: Sequence[Row], budgets: Sequence[Budget]) -> JudgedView:
    """The view of these rows, with its marks counted. `text` is the renderer's, so it is what the judge reads."""
    read = [row for row in rows if row.kind is not RowKind.DROPPED]
    return JudgedView(
        name,
        text,
        tuple(rows),
        tuple(budgets),
        redacted=sum(1 for row in read for span in row.spans if span.redacted),
        clipped=sum(row.kind is RowKind.CLIPPED for row in read),
        dropped=len(rows) - len(read),
        unredacted=sum(1 for row in read for span in row.spans if span.sent),
    )
