"""Messages of Ollama: arguments are objects, calls mostly have no ids, and results name their tool."""

from __future__ import annotations

from typing import Any

from ..json_text import compact
from ..model import Block, Json, Media, Reasoning, Role, Text, ToolCall, ToolResult
from ..positions import Path
from .arguments import arguments
from .call_ids import CallIds
from .draft import Draft, role_named
from .openai_blocks import content_blocks, result_blocks

PROVIDER = "ollama"

# Members are bound once: looking one up on its class costs more than the comparison it is for.
_ASSISTANT, _TOOL = Role.ASSISTANT, Role.TOOL
_NAMES = ("tool_name", "name")


def is_bare(call: Json) -> bool:
    """Whether a call is as this API has it: arguments as an object, without an id or a type."""
    if not isinstance(call, dict) or "id" in call or "type" in call:
        return False
    body = call.get("function")
    return isinstance(body, dict) and isinstance(body.get("arguments"), dict)


def read_message(raw: Json, at: Path, draft: Draft, ids: CallIds) -> None:
    """Read one message into the draft; an unknown role is kept unread."""
    role = role_named(raw.get("role")) if isinstance(raw, dict) else None
    if role is not None and role is not _TOOL and len(raw) == 2 and type(text := raw.get("content")) is str and text:
        if role is _ASSISTANT:
            ids.turn()
        draft.add(role, (Text(text),), at)
        return
    if role is None or not isinstance(raw, dict):
        draft.add_unread(raw.get("role") if isinstance(raw, dict) else None, PROVIDER, raw, at)
    elif role is _TOOL:
        _read_result(raw, at, draft, ids)
    else:
        if role is _ASSISTANT:
            ids.turn()
        blocks, read = _blocks(raw, at, draft, ids)
        draft.add(role, blocks, at)
        draft.keep(raw, read, at)


def _blocks(raw: dict[str, Any], at: Path, draft: Draft, ids: CallIds) -> tuple[list[Block], set[str]]:
    """Thinking, text, images, calls; and the fields that were read."""
    read = {"role", "content"}
    thinking, images, calls = raw.get("thinking"), raw.get("images"), raw.get("tool_calls")
    blocks: list[Block] = []
    if isinstance(thinking, str):
        read.add("thinking")
        blocks += [Reasoning(thinking)] if thinking else []
    blocks += content_blocks(raw.get("content"), (*at, "content"), draft)
    if isinstance(images, list):
        read.add("images")
        blocks += [Media("image", image) for image in images]
    if isinstance(calls, list):
        read.add("tool_calls")
        blocks += [_call(call, (*at, "tool_calls", index), draft, ids) for index, call in enumerate(calls)]
    return blocks, read


def _call(raw: Json, at: Path, draft: Draft, ids: CallIds) -> Block:
    body = raw.get("function") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(body, dict):
        return draft.unknown(PROVIDER, raw, "A tool call without a `function`", at)
    given, name = raw.get("id"), body.get("name")
    if not isinstance(name, str) or not name:
        draft.warn("call-without-name", "This tool call names no tool.", "Add the name of the tool.", at)
        name = "" if name is None else compact(name)
    draft.keep(raw, ("id", "type", "function") if isinstance(given, str) else ("type", "function"), at)
    draft.keep(body, ("name", "arguments", "index"), (*at, "function"))
    read = arguments(body.get("arguments"), name, draft, (*at, "function", "arguments"))
    return ToolCall(ids.call(given, name, at), name, read)


def _read_result(raw: dict[str, Any], at: Path, draft: Draft, ids: CallIds) -> None:
    given = raw.get("tool_call_id")
    named = next((key for key in _NAMES if isinstance(raw.get(key), str) and raw[key]), "")
    call = ids.result(given, raw[named] if named else "", at)
    content = result_blocks(raw.get("content"), (*at, "content"), draft)
    images = raw.get("images")
    read = {"role", "content"}
    if named and ids.names(call, raw[named]):
        read.add(named)
    if isinstance(images, list):
        read.add("images")
        content += tuple(Media("image", image) for image in images)
    if given == call:
        read.add("tool_call_id")
    draft.add(Role.TOOL, (ToolResult(call, content),), at)
    draft.keep(raw, read, at)


def read_text(raw: Json, role: Role, at: Path, draft: Draft, images: Json = None) -> None:
    """Add a bare prompt or response, with its images, as one message."""
    blocks: list[Block] = [Text(raw)] if isinstance(raw, str) and raw else []
    blocks += [Media("image", image) for image in images] if isinstance(images, list) else []
    draft.add(role, blocks, at)
