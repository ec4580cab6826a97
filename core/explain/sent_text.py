"""Texts that are sent unredacted: what redaction would have replaced is marked, not replaced (SPEC 6.2).

What is not sent of them is shown redacted, as everywhere else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..vgr.text import REDACTED, redact_pieces
from .judged import Span
from .marked_text import Mark, MarkedText
from .wording import chars, listed, number

_ONE = {"API key": "API key", "access key": "access key", "bearer": "bearer token", "e-mail": "e-mail address"}
_MANY = {"e-mail": "e-mail addresses"}


def as_it_stands(text: str) -> MarkedText:
    """The text itself, with a mark on each secret."""
    marks: list[Mark] = []
    at = 0
    for piece in redact_pieces(text):
        end = at + len(piece.text)
        if piece.kind:
            marks.append(Mark(at, end, f"{piece.kind}, {chars(piece.text)}"))
        at = end
    return MarkedText(text, tuple(marks))


def sent(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans of such a text that are sent: their labels tell that nothing was replaced."""
    return tuple([Span(one.text, sent=f"{one.redacted}, sent unredacted") if one.redacted else one for one in spans])


def unsent(spans: Iterable[Span]) -> MarkedText:
    """A text of these spans to be shown only: each secret of it, also a part of one, is replaced."""
    pieces: list[str] = []
    marks: list[Mark] = []
    at = 0
    for span in spans:
        label = span.redacted or span.sent.removesuffix(", sent unredacted")
        pieces.append(REDACTED if label else span.text)
        end = at + len(pieces[-1])
        if label:
            marks.append(Mark(at, end, label))
        at = end
    return MarkedText("".join(pieces), tuple(marks))


def sent_note(spans: Iterable[Span]) -> str:
    """`1 e-mail address, sent as it stands`; empty where nothing would have been redacted."""
    found = Counter(span.sent.partition(",")[0] for span in spans if span.sent)
    if not found:
        return ""
    parts = [f"{number(many)} {_counted(kind, many)}" for kind, many in found.items()]
    return f"{listed(parts)}, sent as {'it stands' if found.total() == 1 else 'they stand'}"


def _counted(kind: str, many: int) -> str:
    one = _ONE.get(kind, kind)
    return one if many == 1 else _MANY.get(kind, f"{one}s")
