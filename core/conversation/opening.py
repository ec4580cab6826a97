"""Opening a paste: the document in it that a format reads, taken out of what it is wrapped in; and its places."""

from __future__ import annotations

from .choosing import source_of
from .diagnostics import Place
from .document import parse_document
from .formats import REGISTRY, Source
from .formats.elsewhere import recognize
from .formats.events import has_events
from .formats.format import Medium
from .parsed import Document
from .positions import path_from_text
from .reading import FormatMatch

#: From this score on a format counts as one that a wrapped document is in.
_FITS = 0.5


def opened(text: str, force: str | None = None) -> tuple[Document, Source, tuple[FormatMatch, ...]]:
    """The paste, taken apart; what the formats look at; and all formats that fit it, best first.

    A paste that is no JSON is taken out of what it is wrapped in where a format then fits it. `force` names the format
    that is wanted: one of text is given the paste as it stands.
    """
    document = parse_document(text)
    source, found = source_of(document)
    if _is_settled(document, source, found) or (force is not None and _is_of_text(force)):
        return document, source, found
    # Loaded when a paste needs it: most are strict JSON.
    from .unwrapping.candidates import candidates

    for one in candidates(document):
        inner, fitting = source_of(one)
        best = fitting[0].score if fitting else 0.0
        if one.is_certain or (one.roots and one.prose_behind is None and best >= _FITS):
            return one, inner, fitting
        if not one.roots and not one.broken and best >= _FITS:
            return one, inner, fitting
    return document, source, found


def _is_settled(document: Document, source: Source, found: tuple[FormatMatch, ...]) -> bool:
    """Whether the paste is JSON, or text that a format of text fits."""
    if document.is_empty or (document.roots and document.prose_behind is None):
        return True
    if "\0" in document.text[:400]:
        return False
    if document.broken or source.is_json:
        return False
    sign = recognize(source)
    # A part of a document may be read as one, and a single event may be a body with a mark before it.
    named = sign is not None and sign.code == "format-not-read" and not has_events(document.text, document.start)
    return named or any(match.score >= _FITS for match in found)


def _is_of_text(name: str) -> bool:
    named = REGISTRY.named(name)
    return named is not None and named.medium is Medium.TEXT


def locate(text: str, path: str) -> Place:
    """Where the value at a JSON path stands in a paste, e.g. `messages[3].content`; for a jump from the screen."""
    steps = path_from_text(path)
    try:
        return opened(text)[0].places([steps])[steps]
    except RecursionError:
        return Place(path=path)
