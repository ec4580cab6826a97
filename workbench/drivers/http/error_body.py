"""What an error body says, without what it may repeat of the request (some servers echo the input they refuse)."""

from __future__ import annotations

from ....core.conversation.json_text import decode
from ....core.conversation.model import Json

#: The fields that hold a server's own words, and those that lead to them.
_SAYING = frozenset(
    {"code", "detail", "error", "error_msg", "message", "msg", "param", "raw", "reason", "title", "type"}
)
_LEADING = frozenset({"detail", "details", "error", "errors", "metadata"})
#: Characters looked at of each text, and levels of the body.
_LONGEST = 2_000
_DEEPEST = 6


def error_words(text: str) -> str:
    """The server's own words in an error body, lower-cased; of a body that is no JSON, its beginning."""
    body = text.strip()
    try:
        value, end, _ = decode(body)
    except (ValueError, RecursionError):
        return body[:_LONGEST].lower()
    return "\n".join(_words(value, _DEEPEST) if end == len(body) else [body[:_LONGEST]]).lower()


def _words(value: Json, deepest: int) -> list[str]:
    if deepest == 0:
        return []
    if isinstance(value, str):
        return [value[:_LONGEST]]
    if isinstance(value, list):
        return [word for item in value[:20] for word in _words(item, deepest - 1)]
    if not isinstance(value, dict):
        return []
    words: list[str] = []
    for key, inner in value.items():
        name = key.lower()
        if (isinstance(inner, str) and name in _SAYING) or (isinstance(inner, (dict, list)) and name in _LEADING):
            words += _words(inner, deepest - 1)
    return words
