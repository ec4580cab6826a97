"""The Judge's view panel: what the verifier reads, set against its source (SPEC 3; UI 5).

Against the source, runs kept whole and runs dropped fold, and dropped text is marked; as read, the view's text stands
alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from ...core.conversation.model import Request
from ...core.explain.judged import JudgedView, Row, RowKind, Span
from ...core.explain.wording import counted, number
from ...core.vgr.evidence import Rung
from ...prompts import vgr_closing
from ..screen import Screen
from ..text import Child, Html, h
from . import asked, frame
from .view import START, View
from .words import number as message_number

#: Rows shown at the start of a section before its run folds, and the shortest run worth folding.
LEAD: Final = 3
SHORTEST: Final = 3
#: Lines of one row shown before the rest of it folds.
LINES: Final = 8
#: Most characters of a view that are sent to the browser.
BOUND: Final = 150_000

#: The note of a dropped row: its reason, and its length where that is told.
_DROPPED: Final = re.compile(r"dropped: (.*?)(?:, ([\d,]+) chars?)?")
_KINDS: Final = {RowKind.HEADING: "hd", RowKind.KEPT: "kept", RowKind.CLIPPED: "clip", RowKind.DROPPED: "drop"}


def judge_view(screen: Screen, view: View = START) -> Html:
    """The panel; without a judged view, the sentence that says why nobody reads one."""
    derived = screen.derived
    if derived is None or derived.judged is None:
        why = "the branch is unknown until a conversation is read" if derived is None else "branch unknown"
        if derived is not None and derived.ladder.taken != "unknown":
            why = "no attempt yet"
        return frame.panel(screen, "judge", "Judge\u2019s view", frame.empty(f"No judge reads this: {why}."))
    judged = derived.judged
    return frame.panel(
        screen,
        "judge",
        "Judge\u2019s view",
        marks_row(judged),
        body(judged, derived.request, view),
        h("p", {"class": "pb t1 dim", "data-k": "closing"}, "Then the readout is asked: ", _closing()),
        beside=frame.dim(_reads(screen, judged)),
        right=[switch(view), frame.button("Copy", "copy-view")],
    )


def _closing() -> Html:
    return frame.mono(" ".join(vgr_closing(Rung.READOUT.value).split()))


def switch(view: View) -> Html:
    """Against its source, or as it is read."""
    options = (("source", "Against source"), ("read", "As read"))
    return frame.switch("Judge\u2019s view", "judge:view", options, "source" if view.against_source else "read")


def body(judged: JudgedView, request: Request, view: View) -> Html:
    """The view itself, in the way it is looked at; `request` numbers its messages."""
    return _against_source(judged, request) if view.against_source else _as_read(judged)


def _reads(screen: Screen, judged: JudgedView) -> str:
    """`agentic view, read by readout and deliberation`, as far as they were asked."""
    rows = asked.by_rung(asked.shown(screen))
    readers = [rung.value for rung in (Rung.READOUT, Rung.DELIBERATION) if rung in rows]
    return f"{judged.name} view" + (f", read by {' and '.join(readers)}" if readers else "")


def marks_row(judged: JudgedView, first: Child = None) -> Html:
    """Counts and budgets of a view: what was kept, redacted, clipped and dropped, and what is sent unredacted."""
    budgets = [f"{one.name} {number(one.used)} / {number(one.limit)}" for one in judged.budgets]
    return h(
        "div",
        {"class": "marks", "data-k": "marks"},
        first or h("span", None, h("b", None, number(len(judged.text))), " chars read"),
        h("span", {"class": "key-kept"}, "kept"),
        [
            h("span", None, h("span", {"class": f"key-{kind}"}, name), " ", h("b", None, number(found)))
            for kind, name, found in (
                ("red", "redacted", judged.redacted),
                ("clip", "clipped", judged.clipped),
                ("drop", "dropped", judged.dropped),
            )
        ],
        _sent(judged.unredacted),
        h("span", {"class": "push dim"}, "\N{EN SPACE} ".join(budgets)) if budgets else None,
    )


def _sent(spans: int) -> Child:
    if not spans:
        return None
    return h("span", {"class": "asis-count"}, h("b", None, number(spans)), f" span{'s' * (spans > 1)} sent unredacted")


def _as_read(judged: JudgedView) -> Html:
    cut = _beyond(len(judged.text) - BOUND)
    return h("div", {"class": "pb", "data-k": "read"}, h("pre", {"class": "json"}, judged.text[:BOUND]), cut)


def _beyond(hidden: int) -> Child:
    if hidden <= 0:
        return None
    return h("p", {"class": "t1 dim"}, f"{counted(hidden, 'more char')} are not listed here. Copy has them all.")


def _against_source(judged: JudgedView, request: Request) -> Html:
    page = _Page(judged, request)
    rows = list(page.rows())
    return h("div", {"class": "eye", "data-k": "rows"}, rows, _beyond(page.left_out))


@dataclass(slots=True)
class _Page:
    """The rows of one view as they are written, and what no room was left for."""

    judged: JudgedView
    request: Request
    left_out: int = 0
    _room: int = field(default=BOUND)

    def rows(self) -> Iterator[Html]:
        rows = list(enumerate(self.judged.rows))
        position = 0
        while position < len(rows):
            end = self._run_end(position)
            # The last row of a view is what is judged: it never folds.
            folded = rows[position + self._lead(position) : min(end, len(rows) - 1)]
            if len(folded) < SHORTEST:
                end = max(end, position + 1)
                yield from (self.row(index, row) for index, row in rows[position:end])
            else:
                yield from (self.row(index, row) for index, row in rows[position : folded[0][0]])
                yield self._fold(folded)
                yield from (self.row(index, row) for index, row in rows[folded[-1][0] + 1 : end])
            position = max(end, position + 1)

    def _run_end(self, start: int) -> int:
        """Where the run of plain kept rows, or of dropped ones, that begins here ends."""
        alike = _plain if _plain(self.judged.rows[start]) else _dropped
        end = start
        while end < len(self.judged.rows) and alike(self.judged.rows[end]):
            end += 1
        return end

    def _lead(self, start: int) -> int:
        """How many rows stand before the fold: of what is read the first, of what is dropped none."""
        if _dropped(self.judged.rows[start]):
            return 0
        return LEAD if start == 0 or self.judged.rows[start - 1].kind is RowKind.HEADING else 0

    def _fold(self, folded: list[tuple[int, Row]]) -> Html:
        numbers = [message_number(self.request, row.turn) for _, row in folded if row.turn is not None]
        dropped = _dropped(folded[0][1])
        says = _run_dropped([row for _, row in folded]) if dropped else self._run_kept([row for _, row in folded])
        return h(
            "details",
            {"class": "run cuts" if dropped else "run", "data-k": f"run{folded[0][0]}"},
            h("summary", None, _where(numbers), says),
            h("div", {"class": "eye"}, [self.row(index, row) for index, row in folded]),
        )

    def _run_kept(self, rows: list[Row]) -> str:
        noun = "event" if self.judged.name == "agentic" else "line"
        return f"{counted(len(rows), noun)} kept whole, {counted(sum(map(_length, rows)), 'char')}"

    def row(self, index: int, row: Row) -> Html:
        return h(
            "div",
            {"class": f"{_KINDS[row.kind]} asis" if _sent_spans(row) else _KINDS[row.kind], "data-k": f"r{index}"},
            h("span", None, message_number(self.request, row.turn) if row.turn is not None else None),
            h("span", None, self._text(row)),
            h("span", None, _note(row)),
        )

    def _text(self, row: Row) -> Child:
        size = _length(row)
        if size > self._room:
            self.left_out += size
            return h("span", {"class": "dim"}, f"{counted(size, 'char')} not listed here")
        self._room -= size
        if not _plain(row):
            return [_span(span) for span in row.spans]
        return _folded("".join(span.text for span in row.spans))


def _plain(row: Row) -> bool:
    return row.kind is RowKind.KEPT and not row.note and not any(span.redacted or span.sent for span in row.spans)


def _dropped(row: Row) -> bool:
    return row.kind is RowKind.DROPPED


def _run_dropped(rows: list[Row]) -> str:
    """`11 pieces dropped: outside the window, 1,783 chars`; of several reasons each with its count."""
    told = [_DROPPED.fullmatch(row.note) for row in rows]
    reasons = Counter(one[1] for one in told if one)
    size = sum(int(one[2].replace(",", "")) for one in told if one and one[2])
    why = list(reasons) if len(reasons) == 1 else [f"{found:,} {reason}" for reason, found in reasons.items()]
    says = ", ".join([*why, *([counted(size, "char")] if size else [])])
    return f"{counted(len(rows), 'piece')} dropped{f': {says}' if says else ''}"


def _span(span: Span) -> Child:
    """A run of text: a secret that was replaced, one that is sent as it stands, or plain text."""
    if span.redacted:
        return h("mark", {"title": span.redacted}, span.text)
    return h("mark", {"class": "asis", "title": span.sent}, span.text) if span.sent else span.text


def _sent_spans(row: Row) -> bool:
    return any(span.sent for span in row.spans)


def _length(row: Row) -> int:
    return sum(len(span.text) for span in row.spans)


def _where(numbers: list[str]) -> str:
    """`Messages 4 to 13: `, as far as the rows have one."""
    if not numbers:
        return ""
    return f"Message {numbers[0]}: " if numbers[0] == numbers[-1] else f"Messages {numbers[0]} to {numbers[-1]}: "


def _folded(text: str) -> Child:
    """A long plain row: its first lines, the rest folded."""
    lines = text.split("\n")
    if len(lines) <= LINES + SHORTEST:
        return text
    rest = lines[LINES:]
    summary = h("summary", None, f"{counted(len(rest), 'more line')} kept whole")
    return ["\n".join(lines[:LINES]), h("details", {"data-k": "rest"}, summary, "\n".join(rest))]


def _note(row: Row) -> Child:
    redacted = [span.redacted for span in row.spans if span.redacted]
    if row.note or not redacted:
        return row.note or None
    return f"redacted: {'; '.join(redacted)}"
