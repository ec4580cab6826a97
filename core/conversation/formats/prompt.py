"""A bare prompt: the whole paste is one user message."""

from __future__ import annotations

from ..model import Role, Text
from ..positions import place_at
from .draft import Draft
from .format import Format, Match, Source


def match_prompt(source: Source) -> Match | None:
    """Any text that is not JSON can be a prompt."""
    return None if source.is_json or source.start >= source.end else Match(0.4, "text without roles")


def read_prompt(source: Source, draft: Draft) -> None:
    """Take the text whole, without the blank lines around it."""
    text = source.text[source.start : source.end]
    place = place_at(source.text, source.start, source.end)
    draft.note("plain-prompt", "The whole paste is read as one user message.", place)
    draft.add(Role.USER, (Text(text),), place)


PLAIN_PROMPT = Format(
    "plain-prompt",
    "Plain prompt",
    "text that is no JSON and names no roles",
    "white space around the text",
    match_prompt,
    read_prompt,
)
