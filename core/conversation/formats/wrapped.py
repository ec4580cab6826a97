"""Conversations one field deep in other JSON: the body of a logged call, the list of an export, an API's answer."""

from __future__ import annotations

from typing import Final

from ..model import Json
from ..positions import Path
from ..remarks import shown
from .draft import Draft
from .format import Format, Match
from .source import Source
from .wrapping import read_inside

#: Under these names tools put what they hand on.
_NAMES: Final = (
    "conversations",
    "conversation",
    "chats",
    "chat_history",
    "history",
    "body",
    "request",
    "response",
    "json_data",
    "modelInput",
    "payload",
    "message",
    "msg",
    "log",
    "data",
    "items",
    "results",
    "records",
    "sessions",
    "session",
    "threads",
    "thread",
    "samples",
    "trajectory",
    "transcript",
)
#: What is a conversation itself, or a part of one.
_OWN: Final = frozenset({"messages", "contents", "choices", "candidates", "role", "content", "parts", "mapping"})
#: No format is this sure of what stands in another's field.
_SCORE: Final = 0.88
#: What fits less is not looked for.
_LEAST: Final = 0.6


def match_wrapped(source: Source) -> Match | None:
    """Score an object of which one field, and only one, holds what some format reads."""
    found = _found(source)
    return None if found is None else Match(min(_SCORE, found[1].score), f"`{found[0]}`: {found[1].reason}")


def _found(source: Source) -> tuple[str, Match] | None:
    value = source.value
    if source.registry is None or not isinstance(value, dict) or not _OWN.isdisjoint(value):
        return None
    found: tuple[str, Match] | None = None
    for name in _NAMES:
        match = _best(value[name], (*source.path, name), source) if name in value else None
        if match is not None:
            if found is not None:
                return None
            found = name, match
    return found


def _best(value: Json, at: Path, source: Source) -> Match | None:
    """How well the best format fits a field."""
    is_text = isinstance(value, str) and value.lstrip()[:1] in ("{", "[")
    if source.registry is None or not value or not (is_text or isinstance(value, (dict, list))):
        return None
    inner = source.inside(value, at)
    best = source.registry.top(inner)
    return best.match if best is not None and best.match.score >= _LEAST else None


def read_wrapped(source: Source, draft: Draft) -> None:
    """Read the field; what stands beside it is kept."""
    found = _found(source)
    if found is None:
        return
    name = found[0]
    at = (*source.path, name)
    read_inside(source.value[name], at, source, draft)
    draft.note("wrapped", f"The conversation stands under `{shown(name)}`; what stands beside that is kept.", at)
    draft.keep(source.value, (name,), source.path)


WRAPPED = Format(
    "wrapped",
    "Conversation in a field",
    "one field, such as `body`, `data` or `conversations`, that holds what another format reads",
    "what the format inside loses; what stands beside it is kept as extras",
    match_wrapped,
    read_wrapped,
    fields=frozenset(_NAMES),
    at_most=_SCORE,
    priority=3,
)
