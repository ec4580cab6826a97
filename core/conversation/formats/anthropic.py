"""Anthropic Messages requests; results stay in the user turns they ride in, in the order of the blocks."""

from __future__ import annotations

from typing import Literal

from ..json_text import MAX_DEPTH, TooDeep, compact
from ..model import Block, Json, Media, Reasoning, Role, Text, ToolCall, ToolResult, Unknown
from ..positions import Path
from ..remarks import shown
from .arguments import arguments
from .draft import Draft, role_named
from .format import Format, Match, Source
from .openai_chat import note_form, session_of

PROVIDER = "anthropic"

_CALL = frozenset({"type", "id", "name", "input"})
_RESULT = frozenset({"type", "tool_use_id", "is_error", "content"})
_MEDIA: dict[str, Literal["image", "file"]] = {"image": "image", "document": "file"}
_STRONG = ("tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use")
#: What speaks for OpenAI Chat instead: fields of a message.
_FOREIGN = frozenset({"tool_calls", "tool_call_id", "function_call"})


def match_request(source: Source) -> Match | None:
    """Score a request body, a bare list or one bare message."""
    messages = source.messages
    if messages is None or not messages.is_chat:
        return None
    body = source.value if isinstance(source.value, dict) else {}
    score, reasons = 0.5, ["`messages` with `role` and `content`"]
    strong = [f"`{kind}` blocks" for kind in _STRONG if kind in messages.block_types]
    weak = [f"a top-level `{name}`" for name in ("system", "anthropic_version", "stop_sequences") if name in body]
    if "source" in messages.block_fields:
        weak += [f"`{kind}` blocks with a `source`" for kind in _MEDIA if kind in messages.block_types]
    tools = body.get("tools")
    if isinstance(tools, list) and any(isinstance(tool, dict) and "input_schema" in tool for tool in tools):
        weak.append("tools with an `input_schema`")
    if strong:
        score, reasons = score + 0.4, strong
    if weak:
        score, reasons = score + (0.09 if strong else 0.3), (strong + weak)
    if _FOREIGN & messages.fields or not messages.roles.isdisjoint({"tool", "function"}):
        score -= 0.3
    return Match(round(score, 2), " and ".join(reasons[:3]))


def read_request(source: Source, draft: Draft) -> None:
    """Read `system` and the messages; all other fields of the body are kept as extras."""
    body, messages = source.value, source.messages
    if messages is None:
        return
    note_form(messages, draft)
    if isinstance(body, dict) and body.get("system"):
        at = (*source.path, "system")
        draft.add(Role.SYSTEM, blocks_of(body["system"], at, draft), at)
    for index, raw in enumerate(messages.items):
        _read_message(raw, messages.path_of(index), draft)
    if isinstance(body, dict) and "messages" in body:
        draft.session_id = session_of(body)
        read = ("messages", "system") if draft.session_id is None else ("messages", "system", "session_id")
        draft.keep(body, read, source.path)


def _read_message(raw: Json, at: Path, draft: Draft) -> None:
    role = role_named(raw.get("role")) if isinstance(raw, dict) else None
    if role is None or role is Role.TOOL:
        draft.add_unread(raw.get("role") if isinstance(raw, dict) else None, PROVIDER, raw, at)
        return
    draft.add(role, blocks_of(raw.get("content"), (*at, "content"), draft), at)
    if len(raw) > 2:
        draft.keep(raw, ("role", "content"), at)


def blocks_of(content: Json, at: Path, draft: Draft) -> list[Block]:
    """The blocks of a content: a text, a list of blocks, or nothing."""
    if isinstance(content, str):
        return [Text(content)] if content else []
    if content is None:
        return []
    if isinstance(content, list):
        return [_block(block, (*at, index), draft) for index, block in enumerate(content)]
    draft.warn(
        "wrong-content-type",
        "Here a text or a list of blocks is due, and something else stands.",
        "Put it in a list of typed blocks, or make it a text.",
        at,
    )
    return [_block(content, at, draft) if isinstance(content, dict) else Unknown(PROVIDER, content)]


def _block(raw: Json, at: Path, draft: Draft) -> Block:
    if isinstance(raw, str):
        draft.note("bare-text-part", "A block is a bare text; read as a text block.", at)
        return Text(raw)
    kind = raw.get("type") if isinstance(raw, dict) else None
    if kind == "text" and isinstance(raw.get("text"), str):
        if len(raw) > 2:
            draft.keep(raw, ("type", "text"), at)
        return Text(raw["text"])
    if kind == "tool_use":
        return _call(raw, at, draft)
    if kind == "tool_result":
        return _result(raw, at, draft)
    if kind == "thinking" and isinstance(raw.get("thinking", ""), str):
        draft.keep(raw, ("type", "thinking"), at)
        return Reasoning(raw.get("thinking", ""))
    if kind == "redacted_thinking":
        draft.keep(raw, ("type",), at)
        return Reasoning("")
    if isinstance(kind, str) and kind in _MEDIA and "source" in raw:
        draft.keep(raw, ("type", "source"), at)
        return Media(_MEDIA[kind], raw["source"])
    what = f"A block of type `{shown(kind)}`" if kind else "A block without a type"
    return draft.unknown(PROVIDER, raw, what, at)


def _call(raw: dict[str, Json], at: Path, draft: Draft) -> ToolCall:
    given, name = raw.get("id"), raw.get("name")
    if not isinstance(name, str) or not name:
        draft.warn("call-without-name", "This tool call names no tool.", "Add the name of the tool.", at)
        name = "" if name is None else compact(name)
    if not (raw.keys() <= _CALL and isinstance(given, str)):
        draft.keep(raw, _CALL if isinstance(given, str) else _CALL - {"id"}, at)
    read = arguments(raw.get("input"), name, draft, (*at, "input"))
    return ToolCall(given if isinstance(given, str) else "", name, read)


def _result(raw: dict[str, Json], at: Path, draft: Draft) -> ToolResult:
    if len(at) > MAX_DEPTH:
        raise TooDeep
    given, failed, content = raw.get("tool_use_id"), raw.get("is_error"), raw.get("content")
    if failed is not None and not isinstance(failed, bool):
        draft.warn(
            "wrong-error-flag",
            "`is_error` is neither true nor false; read as not reported.",
            "Make it true or false.",
            (*at, "is_error"),
        )
        draft.keep(raw, _RESULT - {"is_error"}, at)
        failed = None
    if not (raw.keys() <= _RESULT and isinstance(given, str)):
        draft.keep(raw, _RESULT if isinstance(given, str) else _RESULT - {"tool_use_id"}, at)
    where = (*at, "content")
    if isinstance(content, (str, list)) or content is None:
        blocks = tuple(blocks_of(content, where, draft))
    else:
        note = "The result is plain JSON where a text or blocks are due; read as JSON text."
        draft.note("json-result", note, where)
        blocks = (Text(compact(content)),)
    return ToolResult(given if isinstance(given, str) else "", blocks, failed)


ANTHROPIC_MESSAGES_REQUEST = Format(
    "anthropic-messages-request",
    "Anthropic Messages request",
    "`tool_use`, `tool_result` and `thinking` blocks; a top-level `system`",
    "nothing; signatures, citations and cache marks are kept as extras, server tool blocks unread",
    match_request,
    read_request,
)
