"""What a verifier reads, set against its source: kept, redacted, clipped and dropped text (SPEC 3).

No value here holds a secret that redaction found: of each, only its kind and its length are told. The one exception
is what a view sends unredacted because the specification has it so (`Span.sent`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class RowKind(StrEnum):
    """What became of a piece of the conversation."""

    #: A heading of the view itself.
    HEADING = "heading"
    KEPT = "kept"
    #: The marker that stands for clipped characters.
    CLIPPED = "clipped"
    #: Not part of the view; never part of its text.
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text; `redacted` names what was redacted here ("e-mail, 27 chars"), empty for plain text.

    `sent` names what redaction would have replaced here and the view does not ("e-mail, 27 chars, sent unredacted").
    """

    text: str = field(repr=False)
    redacted: str = ""
    sent: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One line or several of the view from one place of the conversation."""

    kind: RowKind
    spans: tuple[Span, ...]
    #: Index into `Request.turns`; `len(turns)` for the attempt; None for headings.
    turn: int | None
    #: "clipped: 257 of 1,657 chars", "dropped: reasoning, 69 chars"; lengths of what is there, however much is shown.
    note: str = ""
    #: Text that stands between this row and the one before it in the view (usually a newline).
    before: str = "\n"
    #: Only of a marker: the start of what it stands for, redacted; never part of the text. Empty for the marker of the
    #: whole trajectory, which is followed by rows of what it stands for.
    omitted: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Budget:
    """A cap of the view: characters used of the limit, or turns where its name says so."""

    name: str
    used: int
    limit: int


@dataclass(frozen=True, slots=True)
class JudgedView:
    """A judged view: its text, and the same text in marked rows (`text_of_rows` gives it back)."""

    #: `session`, `agentic`, `coding`, `turn` or `escalation`.
    name: str
    text: str = field(repr=False)
    rows: tuple[Row, ...]
    budgets: tuple[Budget, ...]
    #: Runs of the text that stand for a secret; markers in the text; rows that are not part of the text.
    redacted: int
    clipped: int
    dropped: int
    #: Runs of the text that redaction would have replaced and that are sent as they stand.
    unredacted: int = 0


def text_of_rows(rows: tuple[Row, ...]) -> str:
    """The view's text, read off its rows: every row but the dropped ones, with what stands before it."""
    pieces: list[str] = []
    for row in rows:
        if row.kind is RowKind.DROPPED:
            continue
        if pieces:
            pieces.append(row.before)
        pieces.append("".join(span.text for span in row.spans))
    return "".join(pieces)
