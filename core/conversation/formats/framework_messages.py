"""Messages of frameworks that have other names for what OpenAI Chat has: BeeAI's `text`, LlamaIndex's `blocks`."""

from __future__ import annotations

from typing import Final

from ..json_text import decode_embedded
from ..model import Json

#: One of these stands in a text that holds messages of a framework.
_NAMES: Final = ('"text"', '"blocks"', '"contents"')
#: So many messages are looked at to tell whether they are a framework's.
_LOOKED_AT: Final = 20
#: LlamaIndex's blocks of media, and the fields one of which holds the source.
_MEDIA: Final = {
    "image": ("image_url", ("url", "image", "path")),
    "audio": ("input_audio", ("url", "audio", "path")),
    "video": ("video_url", ("url", "video", "path")),
    "document": ("file", ("url", "data", "path")),
}


def as_chat(value: Json) -> Json:
    """Messages, a body with messages or a text that holds either, under the names of OpenAI Chat.

    What is in these names already is given back as it is.
    """
    body = value
    if isinstance(value, str) and any(name in value for name in _NAMES):
        found = decode_embedded(value)
        body = value if found is None else found[0]
    if isinstance(body, dict) and isinstance(body.get("messages"), list):
        messages = _listed(body["messages"])
        return value if messages is None else {**body, "messages": messages}
    if isinstance(body, dict) and isinstance(body.get("contents"), str):
        # Google's client takes a question without its parts.
        return {**body, "contents": [{"role": "user", "parts": [{"text": body["contents"]}]}]}
    if isinstance(body, dict):
        return _message(body) if _is_other(body) else value
    messages = _listed(body) if isinstance(body, list) else None
    return value if messages is None else messages


def _listed(items: list[Json]) -> list[Json] | None:
    if not any(map(_is_other, items[:_LOOKED_AT])):
        return None
    return [_message(item) if _is_other(item) else item for item in items]


def _is_other(raw: Json) -> bool:
    if not isinstance(raw, dict) or not isinstance(raw.get("role"), str) or "content" in raw or "parts" in raw:
        return False
    blocks = raw.get("blocks")
    return isinstance(raw.get("text"), str) or (
        isinstance(blocks, list) and any(isinstance(block, dict) and "block_type" in block for block in blocks)
    )


def _message(raw: dict[str, Json]) -> dict[str, Json]:
    """The message with its content under `content`, and what LlamaIndex keeps beside it where OpenAI Chat has it."""
    made = {name: value for name, value in raw.items() if name not in ("text", "blocks")}
    beside = raw.get("additional_kwargs")
    if isinstance(beside, dict) and "blocks" in raw:
        del made["additional_kwargs"]
        made = {**beside, **made}
    if "blocks" not in raw:
        return {**made, "content": raw["text"]}
    parts: list[Json] = []
    calls: list[Json] = []
    for block in raw["blocks"]:
        kind = block.get("block_type") if isinstance(block, dict) else None
        if kind == "tool_call":
            calls.append(_call(block))
        else:
            parts.append(_part(block, kind))
    made["content"] = parts[0]["text"] if len(parts) == 1 and _is_text(parts[0]) else parts
    if calls and not made.get("tool_calls"):
        made["tool_calls"] = calls
    return made


def _is_text(part: Json) -> bool:
    return isinstance(part, dict) and part.keys() == {"type", "text"} and isinstance(part["text"], str)


def _part(block: Json, kind: Json) -> Json:
    if not isinstance(block, dict) or not isinstance(kind, str):
        return block
    if kind == "text":
        return {"type": "text", **_filled(block)}
    if kind == "thinking":
        held = {name: value for name, value in _filled(block).items() if name != "content"}
        return {"type": "thinking", "thinking": block.get("content") or "", **held}
    if kind in _MEDIA:
        target, fields = _MEDIA[kind]
        if any(block.get(name) for name in fields):
            return {"type": target, target: _filled(block)}
    return {"type": kind, **_filled(block)}


def _filled(block: dict[str, Json]) -> dict[str, Json]:
    """What a block holds, without its type and the fields that hold nothing."""
    return {name: value for name, value in block.items() if name != "block_type" and value is not None}


def _call(block: dict[str, Json]) -> Json:
    function = {"name": block.get("tool_name"), "arguments": block.get("tool_kwargs")}
    return {"id": block.get("tool_call_id"), "type": "function", "function": function}
