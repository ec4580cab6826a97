"""Anthropic Messages requests; results stay in the user turns they ride in, in the order of the blocks."""

from __future__ import annotations

from ..extension import FIELD, finish, read_extended
from ..model import Block, Json, Message, Role, quick_message, quick_text_message
from ..positions import Path
from .anthropic_blocks import MEDIA, PROVIDER, blocks_of, clean_block, is_plain
from .draft import Draft, role_named
from .format import Format, Holds, Match, Source
from .message_list import MessageList, first_of
from .openai_chat import note_form, read_message, session_of

_STRONG = (
    *("tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "mcp_tool_use"),
    *("search_result", "container_upload"),
)
#: Fields of a body that speak for it without being its own.
_OWN = ("system", "anthropic_version", "stop_sequences")
#: What speaks for OpenAI Chat instead: fields of a message.
_FOREIGN = frozenset({"tool_calls", "tool_call_id", "function_call"})
_RESULTS = frozenset({"tool", "function"})
# Members are bound once: looking one up on its class costs more than the comparison it is for.
_USER, _ASSISTANT, _TOOL = Role.USER, Role.ASSISTANT, Role.TOOL


def match_request(source: Source) -> Match | None:
    """Score a request body, a bare list or one bare message."""
    messages = source.messages
    if messages is None or not messages.is_chat:
        return None
    strong = first_of(_STRONG, messages.block_types)
    weak = _weak(source.value if isinstance(source.value, dict) else {}, messages)
    hundredths = 88 + 2 * bool(weak) if strong else 50 + 30 * bool(weak)
    if not (_FOREIGN.isdisjoint(messages.fields) and messages.roles.isdisjoint(_RESULTS)):
        hundredths -= 30
    reason = f"`{strong}` blocks" if strong else weak or "`messages` with `role` and `content`"
    return Match(hundredths / 100, reason)


def _weak(body: dict[str, Json], messages: MessageList) -> str:
    """What speaks for it without being its own; empty where nothing does."""
    if name := first_of(_OWN, body):
        return f"a top-level `{name}`"
    if "source" in messages.block_fields:
        for kind in MEDIA:
            if kind in messages.block_types:
                return f"`{kind}` blocks with a `source`"
    tools = body.get("tools")
    if isinstance(tools, list) and any(isinstance(tool, dict) and "input_schema" in tool for tool in tools):
        return "tools with an `input_schema`"
    return ""


def read_request(source: Source, draft: Draft) -> None:
    """Read `system` and the messages; all other fields of the body are kept as extras."""
    body, messages = source.value, source.messages
    if messages is None:
        return
    note_form(messages, draft)
    system = None
    if isinstance(body, dict) and body.get("system"):
        system = len(draft.instructions)
        at = (*source.path, "system")
        draft.add(Role.SYSTEM, blocks_of(body["system"], at, draft), at)
    add, stands_at = draft.messages.append, draft.messages_at.append
    for raw, where in messages.with_paths():
        clean = _clean(raw)
        if clean is None:
            _read_message(raw, where, draft)
        else:
            add(clean)
            stands_at(where)
    if isinstance(body, dict) and "messages" in body:
        draft.session_id = session_of(body)
        read = ("messages", "system", FIELD)
        draft.keep(body, read if draft.session_id is None else (*read, "session_id"), source.path)
    finish(body, source.path, draft, system)


def _clean(raw: Json) -> Message | None:
    """A turn that is as the API writes it, with nothing to remark and nothing to keep; None for all else.

    A short way for what most messages are: what it gives, `_read_message` gives too.
    """
    if type(raw) is not dict or len(raw) != 2:
        return None
    role, content = raw.get("role"), raw.get("content")
    if (role != "user" and role != "assistant") or type(content) is not list:
        return None
    who = _USER if role == "user" else _ASSISTANT
    if len(content) == 1 and is_plain(content[0]):
        return quick_text_message(who, content[0]["text"])
    blocks: list[Block] = []
    for block in content:
        if (clean := clean_block(block)) is None:
            return None
        blocks.append(clean)
    return quick_message(who, tuple(blocks))


def _read_message(raw: Json, at: Path, draft: Draft) -> None:
    if isinstance(raw, dict) and FIELD in raw:
        read_extended(raw, at, draft, _read_message)
        return
    role = role_named(raw.get("role")) if isinstance(raw, dict) else None
    if role is None or role is _TOOL or len(raw) > 2 or "content" not in raw:
        if _is_openai(raw):
            if not isinstance(raw.get("content"), list):
                draft.note("other-dialect", "This is a message of OpenAI Chat; read as that.", at)
            read_message(raw, at, draft)
            return
        if role is None or role is _TOOL:
            draft.add_unread(raw.get("role") if isinstance(raw, dict) else None, PROVIDER, raw, at)
            return
        draft.keep(raw, ("role", "content"), at)
    draft.add(role, blocks_of(raw.get("content"), (*at, "content"), draft), at)


def _is_openai(raw: Json) -> bool:
    """Whether a message is one of a mixed list that only OpenAI Chat has."""
    return isinstance(raw, dict) and (raw.get("role") in ("tool", "function") or any(raw.get(key) for key in _FOREIGN))


ANTHROPIC_MESSAGES_REQUEST = Format(
    "anthropic-messages-request",
    "Anthropic Messages request",
    "`tool_use`, `tool_result` and `thinking` blocks; a top-level `system`",
    "nothing; signatures, citations and cache marks are kept as extras, server tool blocks unread",
    match_request,
    read_request,
    holds=Holds.REQUEST,
    example="anthropic-opaque-blocks",
)
