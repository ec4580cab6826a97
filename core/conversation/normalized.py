"""The normalized conversation as plain JSON, and back (SPEC 1; the shape the golden vectors use)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .model import (
    Block,
    Json,
    Media,
    Message,
    Output,
    Reasoning,
    Refusal,
    Request,
    Response,
    Role,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
)

_TEXTUAL: dict[str, type[Text] | type[Refusal] | type[Reasoning]] = {
    "text": Text,
    "refusal": Refusal,
    "reasoning": Reasoning,
}
_TEXTUAL_NAME: dict[type, str] = {kind: name for name, kind in _TEXTUAL.items()}


def block_from_json(raw: Mapping[str, Json]) -> Block:
    """Read one block; raises KeyError, TypeError or ValueError on a shape that is none of SPEC 1's."""
    kind = raw["type"]
    if kind in _TEXTUAL:
        return _TEXTUAL[kind](_string(raw["text"]))
    if kind == "tool_call":
        return ToolCall(_string(raw["id"]), _string(raw["name"]), raw["arguments"])
    if kind == "tool_result":
        return ToolResult(_string(raw["tool_call_id"]), _blocks(raw["content"]), _flag(raw.get("is_error")))
    if kind in ("image", "audio", "video", "file"):
        return Media(kind, raw.get("source"))
    if kind == "unknown":
        return Unknown(_string(raw.get("provider", "")), raw.get("raw"))
    raise ValueError("no block of SPEC 1")


def _string(value: Json) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is due")
    return value


def _flag(value: Json) -> bool | None:
    if not (value is None or isinstance(value, bool)):
        raise TypeError("true, false or nothing is due")
    return value


def _blocks(raw: Iterable[Mapping[str, Json]]) -> tuple[Block, ...]:
    return tuple(block_from_json(block) for block in raw)


def message_from_json(raw: Mapping[str, Json]) -> Message:
    """Read one message; raises KeyError, TypeError or ValueError on another shape."""
    role, content = Role(raw["role"]), _blocks(raw["content"])
    named = raw.get("source_role")
    return Message(role, content, None if named is None else _string(named))


def request_from_json(raw: Mapping[str, Json]) -> Request:
    """Read a request; raises KeyError or ValueError on another shape."""
    return Request(
        tuple(message_from_json(m) for m in raw.get("instructions", ())),
        tuple(message_from_json(m) for m in raw["messages"]),
        raw.get("session_id"),
    )


def response_from_json(raw: Mapping[str, Json]) -> Response:
    """Read a reply; raises KeyError or ValueError on another shape."""
    return Response(
        tuple(
            Output(
                Role(output["role"]),
                _blocks(output["content"]),
                None if output.get("stop_reason") is None else StopReason(output["stop_reason"]),
            )
            for output in raw["outputs"]
        )
    )


def response_to_json(response: Response) -> dict[str, Any]:
    """The reply as JSON; `response_from_json` reads it back to an equal value."""
    return {"outputs": [_output_to_json(output) for output in response.outputs]}


def _output_to_json(output: Output) -> dict[str, Any]:
    raw: dict[str, Any] = {"role": str(output.role), "content": [block_to_json(b) for b in output.content]}
    if output.stop_reason is not None:
        raw["stop_reason"] = str(output.stop_reason)
    return raw


def block_to_json(block: Block) -> dict[str, Any]:
    """The block as JSON, keys as in SPEC 1; an absent `is_error` stays absent."""
    if isinstance(block, (Text, Refusal, Reasoning)):
        return {"type": _TEXTUAL_NAME[type(block)], "text": block.text}
    if isinstance(block, ToolCall):
        return {"type": "tool_call", "id": block.id, "name": block.name, "arguments": block.arguments}
    if isinstance(block, ToolResult):
        raw: dict[str, Any] = {
            "type": "tool_result",
            "tool_call_id": block.tool_call_id,
            "content": [block_to_json(b) for b in block.content],
        }
        if block.is_error is not None:
            raw["is_error"] = block.is_error
        return raw
    if isinstance(block, Media):
        return {"type": block.kind, "source": block.source}
    return {"type": "unknown", "provider": block.provider, "raw": block.raw}


def message_to_json(message: Message) -> dict[str, Any]:
    """The message as JSON."""
    raw: dict[str, Any] = {"role": str(message.role), "content": [block_to_json(b) for b in message.content]}
    if message.source_role is not None:
        raw["source_role"] = message.source_role
    return raw


def request_to_json(request: Request) -> dict[str, Any]:
    """The request as JSON; `request_from_json` reads it back to an equal value."""
    raw: dict[str, Any] = {
        "instructions": [message_to_json(m) for m in request.instructions],
        "messages": [message_to_json(m) for m in request.messages],
    }
    if request.session_id is not None:
        raw["session_id"] = request.session_id
    return raw
