"""Bedrock Converse requests; those of Amazon Nova's own API are the same."""

from __future__ import annotations

from ..model import Role
from .bedrock_blocks import PROVIDER, TELLING, blocks_of
from .draft import Draft, role_named
from .format import Format, Holds, Match, Source
from .openai_chat import note_form, session_of

#: Fields of a body that only this API has.
_FIELDS = (
    "inferenceConfig",
    "toolConfig",
    "guardrailConfig",
    "additionalModelRequestFields",
    "additionalModelResponseFieldPaths",
    "schemaVersion",
    "modelId",
)
#: Of messages of other dialects.
_FOREIGN = frozenset({"tool_calls", "tool_call_id", "function_call", "parts"})


def match_request(source: Source) -> Match | None:
    """Score messages whose blocks have no `type`."""
    messages = source.messages
    if messages is None or not messages.is_chat or not _FOREIGN.isdisjoint(messages.fields):
        return None
    untyped = "" in messages.block_types and len(messages.block_types) == 1
    body = source.value if isinstance(source.value, dict) else {}
    telling = next((name for name in _FIELDS if name in body), "")
    if telling and (untyped or not messages.block_types):
        return Match(0.95, f"`{telling}` beside the messages")
    if not untyped:
        return None
    if block := min(messages.block_fields & TELLING, default=""):
        return Match(0.9, f"`{block}` blocks, without a `type`")
    system = body.get("system")
    if isinstance(system, list) and any(isinstance(block, dict) and "type" not in block for block in system):
        return Match(0.9, "`system` and `text` blocks without a `type`")
    return Match(0.88, "`text` blocks without a `type`") if "text" in messages.block_fields else None


def read_request(source: Source, draft: Draft) -> None:
    """Read `system` and the messages; all other fields of the body are kept as extras."""
    body, messages = source.value, source.messages
    if messages is None:
        return
    note_form(messages, draft)
    if isinstance(body, dict) and body.get("system"):
        at = (*source.path, "system")
        draft.add(Role.SYSTEM, blocks_of(body["system"], at, draft), at)
    for raw, where in messages.with_paths():
        role = role_named(raw.get("role")) if isinstance(raw, dict) else None
        if role is None:
            draft.add_unread(raw.get("role") if isinstance(raw, dict) else None, PROVIDER, raw, where)
            continue
        draft.add(role, blocks_of(raw.get("content"), (*where, "content"), draft), where)
        if len(raw) > 2 or "content" not in raw:
            draft.keep(raw, ("role", "content"), where)
    if isinstance(body, dict) and "messages" in body:
        draft.session_id = session_of(body)
        read = ("messages", "system") if draft.session_id is None else ("messages", "system", "session_id")
        draft.keep(body, read, source.path)


BEDROCK_CONVERSE_REQUEST = Format(
    "bedrock-converse-request",
    "Bedrock Converse request",
    "blocks named by their field, without a `type`: `toolUse`, `toolResult`; `inferenceConfig`",
    "nothing; cache points, signatures and settings are kept as extras",
    match_request,
    read_request,
    holds=Holds.REQUEST,
    fields=frozenset({"messages", "content"}),
    tells=frozenset({"", *_FIELDS}),
    example="bedrock-converse-status-error",
    priority=2,
)
