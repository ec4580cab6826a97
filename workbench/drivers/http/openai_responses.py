"""The wire format `openai_responses`: input items, and a reply whose logprobs are read as a chat body's.

`store` is off: what is judged stays with nobody unless the target's `extra_body` says otherwise.
"""

from __future__ import annotations

import math

from ....core.conversation.formats.arguments import arguments
from ....core.conversation.formats.draft import Draft
from ....core.conversation.model import (
    Block,
    Json,
    Message,
    Output,
    Reasoning,
    Refusal,
    Response,
    Role,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
    text_of,
)
from ....core.vgr.json_text import json_text
from ..protocol import Call, InvalidResponse, Reply
from .call_ids import CallIds
from .targets import Target
from .wire import NO_LOGPROBS, Sent, Unsent, content_of, joined, kind_of, readout_body, usage_of, without_thinking

_PROVIDER = "openai"
#: The least output cap that the endpoint takes, in tokens.
LEAST_MAX_TOKENS = 16
_LOGPROBS = "message.output_text.logprobs"
_CUT_OFF = {
    "max_output_tokens": StopReason.MAX_TOKENS,
    "max_tokens": StopReason.MAX_TOKENS,
    "content_filter": StopReason.CONTENT_FILTER,
}


def request_body(call: Call, target: Target) -> Sent:
    """The body of this call, and what it leaves out."""
    ids, unsent = CallIds(), Unsent()
    items: list[Json] = []
    for message in call.request.messages:
        items += _items(message, ids, unsent)
    body: dict[str, Json] = {"model": target.model, "input": items, "store": False}
    instructions: list[str] = []
    for message in call.request.instructions:
        for block in message.content:
            if not isinstance(block, (Text, Refusal)):
                unsent.add(kind_of(block))
        if text := text_of(message.content):
            instructions.append(text)
    if instructions:
        body["instructions"] = "\n\n".join(instructions)
    if (cap := _cap(call)) is not None:
        body["max_output_tokens"] = cap
    if call.top_logprobs is not None:
        body |= {"include": [_LOGPROBS], "top_logprobs": call.top_logprobs}
    if call.schema is not None:
        named = {"type": "json_schema", "name": call.schema.name, "strict": True}
        body["text"] = {"format": named | {"schema": dict(call.schema.schema)}}
    return Sent(body | dict(target.extra_body), unsent.notes)


def read_body(body: Json, call: Call) -> Reply:
    """The reply in a body: its items are one output. Raises InvalidResponse where it is no response, or failed."""
    items = body.get("output") if isinstance(body, dict) else None
    if not isinstance(items, list) or body.get("status") not in (None, "completed", "incomplete"):
        raise InvalidResponse("no response", call.rung)
    blocks: list[Block] = []
    for item in items:
        blocks += _blocks(item, call)
    read, notes = without_thinking(blocks, call.rung)
    kept = None
    if call.top_logprobs is not None:
        first = _first_token(items)
        kept = readout_body(first)
        if first is None:
            notes += (NO_LOGPROBS,)
    usage, stop = usage_of(body.get("usage")), _stop_reason(body, read)
    if stop is StopReason.END_TURN and usage.get("output_tokens", 0) >= (_cap(call) or math.inf):
        # llama.cpp calls a reply complete that its cap has cut off; a whole one that just fits is lost with it.
        stop, notes = StopReason.MAX_TOKENS, (*notes, "the reply filled its token limit and was read as cut off")
    return Reply(Response((Output(Role.ASSISTANT, read, stop),)), kept, usage, joined(notes))


def _cap(call: Call) -> int | None:
    return None if call.max_tokens is None else max(LEAST_MAX_TOKENS, call.max_tokens)


def _items(message: Message, ids: CallIds, unsent: Unsent) -> list[Json]:
    """The items of a message, in the order of its blocks; texts that stand together are one item."""
    role = str(message.role)
    assistant = message.role is Role.ASSISTANT
    items: list[Json] = []
    parts: list[Json] = []

    def close() -> None:
        if parts:
            items.append({"type": "message", "role": role, "content": list(parts)})
            parts.clear()

    for block in content_of(message):
        if isinstance(block, Refusal) and assistant:
            parts.append({"type": "refusal", "refusal": block.text})
        elif isinstance(block, (Text, Refusal)):
            parts.append({"type": "output_text" if assistant else "input_text", "text": block.text})
        elif isinstance(block, ToolCall) and assistant:
            close()
            given = block.arguments if isinstance(block.arguments, str) else json_text(block.arguments)
            call_id = ids.of_call(block.id)
            items.append({"type": "function_call", "call_id": call_id, "name": block.name, "arguments": given})
        elif isinstance(block, ToolResult):
            close()
            call_id = ids.of_result(block.tool_call_id)
            items.append({"type": "function_call_output", "call_id": call_id, "output": _output(block, unsent)})
        else:
            unsent.add(kind_of(block))
    close()
    return items


def _output(block: ToolResult, unsent: Unsent) -> str:
    for inner in block.content:
        if not isinstance(inner, (Text, Refusal)):
            unsent.add(kind_of(inner))
    if block.is_error:
        unsent.add("error flag")
    return text_of(block.content)


def _blocks(item: Json, call: Call) -> list[Block]:
    kind = item.get("type") if isinstance(item, dict) else None
    if kind == "message":
        content = item.get("content")
        if not isinstance(content, list):
            raise InvalidResponse("a message without content", call.rung)
        return [_part(part, call) for part in content]
    if kind == "reasoning":
        parts = [part for name in ("summary", "content") for part in _list(item.get(name))]
        texts = [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]
        return [Reasoning("\n".join(texts))]
    if kind == "function_call" and isinstance(item.get("name"), str):
        given = item.get("call_id")
        read = arguments(item.get("arguments"), item["name"], Draft(), ("arguments",))
        return [ToolCall(given if isinstance(given, str) else "", item["name"], read)]
    return [Unknown(_PROVIDER, item)]


def _part(part: Json, call: Call) -> Block:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind in ("output_text", "refusal"):
        text = part.get("text" if kind == "output_text" else "refusal")
        if not isinstance(text, str):
            raise InvalidResponse("a text that is none", call.rung)
        return Text(text) if kind == "output_text" else Refusal(text)
    return Unknown(_PROVIDER, part)


def _first_token(items: list[Json]) -> Json:
    """The logprobs entry of the first token of the first text; None where there is none."""
    for item in items:
        for part in _list(item.get("content")) if isinstance(item, dict) and item.get("type") == "message" else []:
            if isinstance(part, dict) and part.get("type") == "output_text":
                logprobs = _list(part.get("logprobs"))
                return logprobs[0] if logprobs else None
    return None


def _stop_reason(body: dict[str, Json], blocks: tuple[Block, ...]) -> StopReason | None:
    if body.get("status") == "incomplete":
        details = body.get("incomplete_details")
        reason = details.get("reason") if isinstance(details, dict) else None
        return _CUT_OFF.get(reason, StopReason.UNKNOWN) if isinstance(reason, str) else StopReason.UNKNOWN
    if any(isinstance(block, ToolCall) for block in blocks):
        return StopReason.TOOL_USE
    return None if body.get("status") is None else StopReason.END_TURN


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
