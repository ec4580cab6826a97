"""The formats that are read, one module each, and the registry (SPEC 1; DESIGN, "How data flows").

A further format is a module with a pure `match` and `read`, and one line in `FORMATS`.
"""

from __future__ import annotations

from ..reading import FormatMatch
from .anthropic import ANTHROPIC_MESSAGES_REQUEST
from .anthropic_response import ANTHROPIC_MESSAGES_RESPONSE
from .format import Format, Source
from .openai_chat import OPENAI_CHAT_REQUEST
from .openai_response import OPENAI_CHAT_RESPONSE
from .pair import REQUEST_RESPONSE_PAIR
from .prompt import PLAIN_PROMPT
from .transcript import TRANSCRIPT

FORMATS: tuple[Format, ...] = (
    OPENAI_CHAT_REQUEST,
    OPENAI_CHAT_RESPONSE,
    ANTHROPIC_MESSAGES_REQUEST,
    ANTHROPIC_MESSAGES_RESPONSE,
    REQUEST_RESPONSE_PAIR,
    TRANSCRIPT,
    PLAIN_PROMPT,
)


def format_named(name: str) -> Format | None:
    """The format of this name."""
    return next((f for f in FORMATS if f.name == name), None)


def candidates(source: Source) -> tuple[FormatMatch, ...]:
    """All formats the source could be in, best first; equal scores in the order of the registry."""
    found = [
        FormatMatch(f.name, f.title, match.score, match.reason)
        for f in FORMATS
        if (match := f.match(source)) is not None
    ]
    return tuple(sorted(found, key=lambda match: -match.score))


__all__ = ["FORMATS", "Format", "Source", "candidates", "format_named"]
