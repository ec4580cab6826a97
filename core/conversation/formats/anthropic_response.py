"""Anthropic Messages response bodies."""

from __future__ import annotations

from ..model import Role, StopReason
from .anthropic_blocks import blocks_of
from .draft import Draft
from .format import Format, Holds, Match, Source
from .stop_reasons import stop_reason

#: Why a model stopped, by the word of the API.
STOP_REASONS = {
    "end_turn": StopReason.END_TURN,
    "stop_sequence": StopReason.END_TURN,
    "max_tokens": StopReason.MAX_TOKENS,
    "model_context_window_exceeded": StopReason.MAX_TOKENS,
    "tool_use": StopReason.TOOL_USE,
    "refusal": StopReason.CONTENT_FILTER,
}


def match_response(source: Source) -> Match | None:
    """Score a message object that an API returned."""
    body = source.value
    if not isinstance(body, dict) or body.get("role") != "assistant" or "content" not in body:
        return None
    if source.messages is not None and "output_text" in source.messages.block_types:
        return None  # a message of OpenAI Responses
    if body.get("type") == "message":
        return Match(0.97, "`type` is `message` with role `assistant`")
    return Match(0.95, "a message with a `stop_reason`") if "stop_reason" in body else None


def read_response(source: Source, draft: Draft) -> None:
    """Read the one message; all other fields of the body are kept as extras."""
    body = source.value
    if not isinstance(body, dict):
        return
    draft.add(Role.ASSISTANT, blocks_of(body.get("content"), (*source.path, "content"), draft), source.path)
    draft.stop_reason = stop_reason(body.get("stop_reason"), STOP_REASONS, draft, (*source.path, "stop_reason"))
    draft.keep(body, ("type", "role", "content", "stop_reason"), source.path)


ANTHROPIC_MESSAGES_RESPONSE = Format(
    "anthropic-messages-response",
    "Anthropic Messages response",
    "`type: message` with role `assistant`",
    "nothing; usage and ids are kept as extras",
    match_response,
    read_response,
    holds=Holds.REPLY,
    fields=frozenset({"content"}),
)
