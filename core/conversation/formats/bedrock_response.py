"""Bedrock Converse responses: the message under `output`."""

from __future__ import annotations

from ..model import Role, StopReason
from .bedrock_blocks import blocks_of
from .draft import Draft
from .format import Format, Holds, Match, Source
from .reply_role import note_role
from .stop_reasons import stop_reason

_STOP = {
    "end_turn": StopReason.END_TURN,
    "stop_sequence": StopReason.END_TURN,
    "tool_use": StopReason.TOOL_USE,
    "max_tokens": StopReason.MAX_TOKENS,
    "model_context_window_exceeded": StopReason.MAX_TOKENS,
    "guardrail_intervened": StopReason.CONTENT_FILTER,
    "content_filtered": StopReason.CONTENT_FILTER,
    "malformed_model_output": StopReason.ERROR,
    "malformed_tool_use": StopReason.ERROR,
}


def match_response(source: Source) -> Match | None:
    """Score a body whose `output` holds a message."""
    body = source.value
    output = body.get("output") if isinstance(body, dict) else None
    message = output.get("message") if isinstance(output, dict) else None
    if not isinstance(message, dict) or "content" not in message:
        return None
    return Match(0.97 if "stopReason" in body else 0.94, "`output` with a `message`")


def read_response(source: Source, draft: Draft) -> None:
    """Read the one message; all other fields of the body are kept as extras."""
    body = source.value
    output = body.get("output") if isinstance(body, dict) else None
    message = output.get("message") if isinstance(output, dict) else None
    if not isinstance(message, dict) or not isinstance(output, dict):
        return
    at = (*source.path, "output", "message")
    draft.add(Role.ASSISTANT, blocks_of(message.get("content"), (*at, "content"), draft), at)
    draft.stop_reason = stop_reason(body.get("stopReason"), _STOP, draft, (*source.path, "stopReason"))
    draft.keep(message, ("role", "content"), at)
    note_role(message.get("role"), (*at, "role"), draft)
    draft.keep(output, ("message",), at[:-1])
    draft.keep(body, ("output", "stopReason"), source.path)


BEDROCK_CONVERSE_RESPONSE = Format(
    "bedrock-converse-response",
    "Bedrock Converse response",
    "`output` with a `message`, and a `stopReason`",
    "nothing; usage, metrics and traces are kept as extras",
    match_response,
    read_response,
    holds=Holds.REPLY,
    fields=frozenset({"output"}),
    priority=2,
)
