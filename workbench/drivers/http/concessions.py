"""What an endpoint refuses and can be asked otherwise, read from its error (OpenAI chat dialects)."""

from __future__ import annotations

from collections.abc import Mapping

from ....core.conversation.model import Json
from .wire import Concession

_REFUSING = frozenset({400, 422})
_NOT_IMPLEMENTED = 501
#: How endpoints name the reply format that they do not take.
_FORMAT_WORDS = ("response_format", "json_schema", "json schema", "structured output", "guided", "grammar")


def concession(status: int, words: str, body: Mapping[str, Json]) -> Concession | None:
    """What of this body the endpoint refused, where it has another form; None where the error is something else.

    `words` are the error's, lower-cased.
    """
    if status in _REFUSING and "max_tokens" in body and "max_completion_tokens" in words:
        return Concession.COMPLETION_TOKENS
    asked = body.get("response_format")
    if isinstance(asked, dict) and asked.get("type") == "json_schema":
        named = any(word in words for word in _FORMAT_WORDS)
        if status == _NOT_IMPLEMENTED or (status in _REFUSING and (named or not words.strip())):
            return Concession.JSON_OBJECT
    return None
