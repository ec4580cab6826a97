"""Ollama requests: `/api/chat` with its messages, `/api/generate` with one prompt."""

from __future__ import annotations

from typing import Any

from ..model import Role
from .call_ids import CallIds
from .draft import Draft
from .format import Format, Holds, Match, Source
from .ollama_messages import is_bare, read_message, read_text
from .openai_chat import note_form, session_of
from .source import BARE_CALL

#: Fields of a body that only this API has, and those of its messages.
_FIELDS = ("keep_alive", "options", "think")
_MESSAGE_FIELDS = ("tool_name", "thinking", "images")
#: What it has in common with other APIs, for a prompt; beside other fields it is none of Ollama's.
_PROMPT = frozenset(
    "model prompt suffix system template context stream raw format images logprobs top_logprobs".split()
) | frozenset(_FIELDS)
#: Of other dialects.
_FOREIGN = frozenset({"parts", "tool_call_ids", "uuid"})


def match_chat(source: Source) -> Match | None:
    """Score messages by their fields, or by calls without ids."""
    messages = source.messages
    if messages is None or not messages.is_chat or not _FOREIGN.isdisjoint(messages.fields):
        return None
    body: dict[str, Any] = source.value if isinstance(source.value, dict) else {}
    telling = next((name for name in _FIELDS if name in body), "")
    if telling and "model" in body and not (telling == "options" and not isinstance(body["options"], dict)):
        return Match(0.95, f"`{telling}` beside the messages")
    if "tool_call_id" not in messages.fields and not messages.front_fields.isdisjoint(_MESSAGE_FIELDS):
        for name in _MESSAGE_FIELDS:
            if any(name in item and "tool_call_id" not in item for item in messages.front):
                return Match(0.9, f"`{name}` in a message")
    if is_bare(messages.first_call):
        return Match(0.9, "`tool_calls` with arguments as objects and without ids")
    return None


def read_chat(source: Source, draft: Draft) -> None:
    """Read the messages; all other fields of the body are kept as extras."""
    messages = source.messages
    if messages is None:
        return
    note_form(messages, draft)
    ids = CallIds(draft)
    for raw, at in messages.with_paths():
        read_message(raw, at, draft, ids)
    if isinstance(source.value, dict) and "messages" in source.value:
        draft.session_id = session_of(source.value)
        read = ("messages",) if draft.session_id is None else ("messages", "session_id")
        draft.keep(source.value, read, source.path)


def match_generate(source: Source) -> Match | None:
    """Score a body with a prompt and nothing that Ollama does not have."""
    body = source.value
    if not isinstance(body, dict) or not isinstance(body.get("prompt"), str) or not isinstance(body.get("model"), str):
        return None
    if not body.keys() <= _PROMPT:
        return None
    telling = next((name for name in _FIELDS if name in body), "")
    return Match(0.95 if telling else 0.88, f"`prompt` and `{telling or 'model'}`")


def read_generate(source: Source, draft: Draft) -> None:
    """Read `system` and the prompt, with its images."""
    body = source.value
    if not isinstance(body, dict):
        return
    if isinstance(body.get("system"), str) and body["system"]:
        read_text(body["system"], Role.SYSTEM, (*source.path, "system"), draft)
    read_text(body.get("prompt"), Role.USER, (*source.path, "prompt"), draft, body.get("images"))
    read = {"prompt"}
    read |= {"system"} if isinstance(body.get("system"), str) else set()
    read |= {"images"} if isinstance(body.get("images"), list) else set()
    draft.keep(body, read, source.path)


OLLAMA_CHAT_REQUEST = Format(
    "ollama-chat-request",
    "Ollama chat request",
    "`messages` with `tool_name`, `thinking`, `images` or calls without ids; `options`, `keep_alive`",
    "nothing; options are kept as extras",
    match_chat,
    read_chat,
    holds=Holds.REQUEST,
    fields=frozenset({"messages", "content"}),
    tells=frozenset((*_FIELDS, *_MESSAGE_FIELDS, BARE_CALL)),
    priority=2,
)
OLLAMA_GENERATE_REQUEST = Format(
    "ollama-generate-request",
    "Ollama generate request",
    "`model` and one `prompt`",
    "nothing; options are kept as extras",
    match_generate,
    read_generate,
    holds=Holds.REQUEST,
    fields=frozenset({"prompt"}),
    priority=2,
)
