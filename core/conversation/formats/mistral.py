"""Mistral chat requests, responses and streams: OpenAI Chat but for content chunks, `prefix` and a few settings."""

from __future__ import annotations

from typing import Any

from ..model import Json
from .draft import Draft
from .format import Format, Holds, Match, Medium, Source
from .mistral_chunks import MAY_TELL, is_telling, read_chunks
from .openai_chat import note_form, session_of
from .openai_chat_stream import read_chunks as read_records
from .openai_response import read_choices

#: Fields of a body that only this API has.
_FIELDS = ("safe_prompt", "random_seed", "prompt_mode")
_FOREIGN = frozenset({"tool_use", "tool_result"})
_LOOKED_AT = 30


def match_request(source: Source) -> Match | None:
    """Score messages by their chunks, a body by its settings."""
    messages = source.messages
    if messages is None or not messages.is_chat or "parts" in messages.fields:
        return None
    body: dict[str, Any] = source.value if isinstance(source.value, dict) else {}
    if telling := next((name for name in _FIELDS if name in body), ""):
        return Match(0.95, f"`{telling}` beside the messages")
    # Chunks that only this API has do not stand among blocks of Anthropic, of which long sessions have many.
    has_chunks = _FOREIGN.isdisjoint(messages.block_types) and not MAY_TELL.isdisjoint(messages.front_types)
    if not has_chunks and "prefix" not in messages.front_fields:
        return None
    if any(map(is_telling, messages.items[:_LOOKED_AT])):
        return Match(0.9, "`prefix`, `reference` chunks or `thinking` chunks that hold a list")
    return None


def read_request(source: Source, draft: Draft) -> None:
    """Read the messages; all other fields of the body are kept as extras."""
    messages = source.messages
    if messages is None:
        return
    note_form(messages, draft)
    for raw, at in messages.with_paths():
        read_chunks(raw, at, draft)
    if isinstance(source.value, dict) and "messages" in source.value:
        draft.session_id = session_of(source.value)
        read = ("messages",) if draft.session_id is None else ("messages", "session_id")
        draft.keep(source.value, read, source.path)


def match_response(source: Source) -> Match | None:
    """Score a body with choices by the chunks of their messages."""
    body = source.value
    choices = body.get("choices") if isinstance(body, dict) else None
    if not isinstance(choices, list) or not any(is_telling(_message(choice)) for choice in choices):
        return None
    return Match(0.985, "`choices` with `prefix`, `reference` or `thinking` chunks in the message")


def _message(choice: Json) -> Json:
    return choice.get("message") if isinstance(choice, dict) else None


def read_response(source: Source, draft: Draft) -> None:
    """Read the choices in the order of their index."""
    read_choices(source, draft, read_chunks)


def match_stream(source: Source) -> Match | None:
    """Score records by a delta whose content is a list; all other streams are those of OpenAI Chat."""
    for item in source.objects:
        choices = item.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            delta = choice.get("delta") if isinstance(choice, dict) else None
            if isinstance(delta, dict) and isinstance(delta.get("content"), list):
                return Match(0.98, "`choices` with a `delta` that holds chunks")
    return None


def read_stream(source: Source, draft: Draft) -> None:
    """Put the records together; a stream behind the end of another is a conversation of its own."""
    read_records(source, draft, read_response)


MISTRAL_CHAT_REQUEST = Format(
    "mistral-chat-request",
    "Mistral chat request",
    "`messages` with `prefix`, `reference` or `thinking` chunks; `safe_prompt`, `random_seed`",
    "where one text chunk of the model ends and the next begins; references are kept as extras",
    match_request,
    read_request,
    holds=Holds.REQUEST,
    fields=frozenset({"messages", "content"}),
    priority=2,
)
MISTRAL_CHAT_RESPONSE = Format(
    "mistral-chat-response",
    "Mistral chat response",
    "`choices` whose `message` has a `prefix`, `reference` or `thinking` chunks",
    "where one text chunk ends and the next begins; references and usage are kept as extras",
    match_response,
    read_response,
    holds=Holds.REPLY,
    fields=frozenset({"choices"}),
    example="mistral-reference-chunks-response",
    priority=2,
)
MISTRAL_CHAT_SSE = Format(
    "mistral-chat-sse",
    "Mistral chat stream",
    "`choices` with a `delta` that holds content chunks",
    "how the reply was cut into pieces; ids and usage are kept as extras",
    match_stream,
    read_stream,
    holds=Holds.REPLY,
    medium=Medium.BOTH,
    fields=frozenset({"choices"}),
    priority=2,
)
