"""Formats inside other formats: a JSON value, a JSON text in a string, or a text is handed to the registry.

This is the one way for a reader to have a part of its own read by whatever format that part is in.
"""

from __future__ import annotations

from ..model import Json
from ..positions import Path, path_text
from .draft import Draft
from .elsewhere import recognize
from .format import Format, Holds
from .registry import MAX_DEPTH
from .source import Source


def read_inside(value: Json, at: Path, source: Source, draft: Draft, holds: Holds | None = None) -> Format | None:
    """Read a part of the source into the draft, by the format that fits it best.

    None where none fits; then the draft is as it was, and the caller keeps the part (`keep_inside`) or reads it itself.
    A string is decoded where it is JSON; all that is found in it stands at the string. Several conversations in the
    part become conversations of the draft.
    """
    inner = source.inside(value, at)
    found = format_of(inner, holds)
    if found is not None:
        read_as(found, inner, draft)
    return found


def format_of(inner: Source, holds: Holds | None = None) -> Format | None:
    """The best format for a part of another format; None where none fits, or where there is no registry."""
    found = None if inner.registry is None else inner.registry.top(inner, holds)
    return None if found is None else found.format


def read_as(found: Format, inner: Source, draft: Draft) -> None:
    """Read a part of a source as this format, with what was remarked while a string was taken apart."""
    draft.remarks += inner.remarks
    if inner.unread_lines:
        draft.extras[path_text((*inner.path, "unread lines"))] = dict(inner.unread_lines)
    found.read(inner, draft)


def keep_inside(value: Json, at: Path, source: Source, draft: Draft, what: str) -> None:
    """Keep a part that no format reads, and say so. `what` names it, e.g. "The body of this line"."""
    draft.extras[path_text(at)] = value
    draft.warn(
        "inner-unread", f"{what} is not read: {why_unread(source.inside(value, at))}; it is kept aside.", STEP, at
    )


STEP = "Paste it alone to see more, or convert it to OpenAI Chat or Anthropic Messages JSON."


def why_unread(inner: Source) -> str:
    """Why no format reads a part, in half a sentence."""
    if inner.depth > MAX_DEPTH:
        return f"more than {MAX_DEPTH} formats stand in each other there"
    if (fault := inner.why_broken()) is not None:
        return fault.message.rstrip(".")[:1].lower() + fault.message.rstrip(".")[1:]
    sign = recognize(inner)
    return f"it looks like {sign.title}" if sign is not None else "no conversation was found in it"
