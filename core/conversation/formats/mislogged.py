"""Tool messages that hold no result: declarations and calls that tracers log under the role `tool`."""

from __future__ import annotations

from ..json_text import decode_embedded
from ..model import Json, Role
from ..positions import Path, path_text
from ..remarks import shown
from .draft import Draft
from .openai_blocks import assistant_blocks

_SCHEMA = ("parameters", "input_schema", "inputSchema", "parameters_json_schema")


def read_mislogged(raw: dict[str, Json], at: Path, draft: Draft) -> bool:
    """Read a message of role `tool` without a call id that holds no result; whether it was one."""
    content = raw.get("content")
    if isinstance(content, str):
        found = decode_embedded(content) if content[:1] in ("{", "[") else None
        content = None if found is None else found[0]
    listed = content if isinstance(content, list) else [content]
    items = [item for item in listed if isinstance(item, dict)]
    if not items or len(items) < len(listed):
        return False
    if all(map(is_definition, items)):
        names = ", ".join(f"`{shown(_name(item))}`" for item in items[:3])
        draft.extras[path_text(at)] = raw
        message = f"This message declares the tool {names}; it is kept, and is no turn."
        draft.note("tool-definition-message", message, at)
        return True
    if all(map(_is_call, items)):
        draft.warn(
            "call-logged-as-result",
            "This message of role `tool` holds calls and no result; read as calls of the assistant.",
            "Log calls in `tool_calls` of an assistant message.",
            at,
        )
        draft.add(Role.ASSISTANT, assistant_blocks({"tool_calls": items}, at, draft), at)
        draft.keep(raw, ("role", "content"), at)
        return True
    return False


def is_definition(raw: dict[str, Json]) -> bool:
    """Whether an object declares a tool: a name with a schema, bare or under `function`."""
    body = raw.get("function") if raw.get("type") == "function" else raw
    if not isinstance(body, dict) or not isinstance(body.get("name"), str) or "arguments" in body:
        return False
    return any(map(_is_schema, map(body.get, _SCHEMA))) or (body is not raw and "description" in body)


def _is_schema(raw: Json) -> bool:
    return isinstance(raw, dict) and ("properties" in raw or raw.get("type") == "object")


def _is_call(raw: dict[str, Json]) -> bool:
    body = raw.get("function")
    return isinstance(body, dict) and isinstance(body.get("name"), str) and "arguments" in body


def _name(raw: dict[str, Json]) -> Json:
    body = raw.get("function")
    return body.get("name") if isinstance(body, dict) else raw.get("name")
