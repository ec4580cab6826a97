"""The wire format `openai_chat`: chat completions, with logprobs, and `json_schema` or else `json_object`.

Nothing is sent that only some endpoints know: what turns reasoning off differs from server to server (llama.cpp and
vLLM take `chat_template_kwargs`, OpenAI `reasoning_effort`) and belongs into the target's `extra_body`.
"""

from __future__ import annotations

from ....core.conversation.formats.draft import Draft
from ....core.conversation.formats.format import Source
from ....core.conversation.formats.openai_blocks import MEDIA, PROVIDER
from ....core.conversation.formats.openai_response import read_response
from ....core.conversation.model import (
    Block,
    Json,
    Media,
    Message,
    Output,
    Refusal,
    Response,
    Role,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
)
from ....core.vgr.json_text import json_text
from ..protocol import SHAPE_UNCHECKED, Call, InvalidResponse, Reply
from .call_ids import CallIds
from .targets import Target
from .wire import NO_LOGPROBS, Concession, Sent, Unsent, content_of, joined, kind_of, usage_of, without_thinking

#: Other servers' words for a finish reason of the API.
_SYNONYMS = {
    "eos": "stop",
    "eos_token": "stop",
    "stop_sequence": "stop",
    "end_turn": "stop",
    "max_tokens": "length",
    "model_length": "length",
}
#: A part's type and the field of its source, by kind of media.
_PARTS = {kind: (part, key) for part, (kind, key) in MEDIA.items()}


def request_body(call: Call, target: Target, known: frozenset[Concession] = frozenset()) -> Sent:
    """The body of this call, and what it leaves out. `known` is what the endpoint refuses."""
    ids, unsent = CallIds(), Unsent()
    messages: list[Json] = []
    for message in call.request.turns:
        messages += _messages(message, ids, unsent)
    body: dict[str, Json] = {"model": target.model, "messages": messages}
    notes = unsent.notes
    if call.max_tokens is not None:
        newer = Concession.COMPLETION_TOKENS in known
        body["max_completion_tokens" if newer else "max_tokens"] = call.max_tokens
    if call.top_logprobs is not None:
        body |= {"logprobs": True, "top_logprobs": call.top_logprobs}
    if call.schema is not None and Concession.JSON_OBJECT in known:
        body["response_format"] = {"type": "json_object"}
        notes += (SHAPE_UNCHECKED,)
    elif call.schema is not None:
        schema = {"name": call.schema.name, "strict": True, "schema": dict(call.schema.schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return Sent(body | dict(target.extra_body), notes)


def read_body(body: Json, call: Call) -> Reply:
    """The reply in a body. Raises InvalidResponse where it is no chat completion."""
    choices = body.get("choices") if isinstance(body, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choice := choices[0], dict):
        raise InvalidResponse("no chat completion", call.rung)
    message = choice.get("message")
    if not isinstance(message, dict) or not isinstance(message.get("content"), (str, list, type(None))):
        raise InvalidResponse("no chat completion", call.rung)
    reason = choice.get("finish_reason")
    reason = _SYNONYMS.get(reason, reason) if isinstance(reason, str) else reason
    draft = Draft()
    raw = {"message": message | {"role": "assistant"}, "finish_reason": reason}
    read_response(Source({"choices": [raw]}), draft)
    blocks, notes = without_thinking(draft.messages[0].content, call.rung)
    if len(choices) > 1:
        notes += (f"the reply held {len(choices)} choices; the first was read",)
    kept = None
    if call.top_logprobs is not None:
        kept = {"choices": [{"logprobs": _first_token(choice.get("logprobs"))}]}
        if not choice.get("logprobs"):
            notes += (NO_LOGPROBS,)
    response = Response((Output(Role.ASSISTANT, blocks, draft.stop_reason),))
    return Reply(response, kept, usage_of(body.get("usage")), joined(notes))


def _first_token(logprobs: Json) -> Json:
    """What a readout reads of the logprobs: the entry of the first token, as it came."""
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    if isinstance(content, list):
        return {"content": content[:1]}
    if isinstance(content, dict) and "0" in content:
        return {"content": {"0": content["0"]}}
    return None if logprobs is None else {"content": None}


def _messages(message: Message, ids: CallIds, unsent: Unsent) -> list[Json]:
    """The messages that one of ours becomes: results each have their own, before what else stands with them."""
    if message.source_role is not None:
        return _as_pasted(message, unsent)
    parts: list[Json] = []
    calls: list[Json] = []
    results: list[Json] = []
    refusals: list[str] = []
    for block in content_of(message):
        if isinstance(block, ToolResult):
            results.append(_result(block, ids, unsent))
        elif isinstance(block, ToolCall) and message.role is Role.ASSISTANT:
            calls.append(_call(block, ids))
        elif isinstance(block, Refusal) and message.role is Role.ASSISTANT:
            refusals.append(block.text)
        elif (part := _part(block, message.role)) is not None:
            parts.append(part)
        else:
            unsent.add(kind_of(block))
    content = _content(parts)
    if message.role is Role.ASSISTANT:
        made: dict[str, Json] = {"role": "assistant", "content": content or (None if calls or refusals else "")}
        if refusals:
            made["refusal"] = "\n".join(refusals)
        if calls:
            made["tool_calls"] = calls
        return [made, *results]
    return results + ([{"role": str(message.role), "content": content}] if parts or not results else [])


def _part(block: Block, role: Role) -> Json:
    """A content part; None for what has no place in a message of this role."""
    if isinstance(block, (Text, Refusal)):
        return {"type": "text", "text": block.text}
    if role is not Role.USER:
        return None
    if isinstance(block, Media) and _is_ours(block):
        kind, key = _PARTS[block.kind]
        return {"type": kind, key: block.source}
    if isinstance(block, Unknown) and block.provider == PROVIDER and _has(block.raw, "type"):
        return block.raw
    return None


def _content(parts: list[Json]) -> Json:
    """One text as it is, which every endpoint takes; more as a list of parts; nothing as an empty text."""
    if len(parts) > 1 or (parts and parts[0]["type"] != "text"):
        return parts
    return parts[0]["text"] if parts else ""


def _call(block: ToolCall, ids: CallIds) -> Json:
    arguments = block.arguments if isinstance(block.arguments, str) else json_text(block.arguments)
    return {
        "id": ids.of_call(block.id),
        "type": "function",
        "function": {"name": block.name, "arguments": arguments},
    }


def _result(block: ToolResult, ids: CallIds, unsent: Unsent) -> Json:
    parts: list[Json] = []
    for inner in block.content:
        if isinstance(inner, (Text, Refusal)):
            parts.append({"type": "text", "text": inner.text})
        else:
            unsent.add(kind_of(inner))
    if block.is_error:
        unsent.add("error flag")
    return {"role": "tool", "tool_call_id": ids.of_result(block.tool_call_id), "content": _content(parts)}


def _as_pasted(message: Message, unsent: Unsent) -> list[Json]:
    """A message of a role that is none of ours, as it came, where it came in this format."""
    block = message.content[0] if len(message.content) == 1 else None
    if isinstance(block, Unknown) and block.provider == PROVIDER and _has(block.raw, "role"):
        return [block.raw]
    unsent.add("message of an unknown role")
    return []


def _is_ours(media: Media) -> bool:
    source = media.source
    if media.kind in ("image", "video"):
        return _has(source, "url") and "type" not in source
    if media.kind == "audio":
        return _has(source, "data") and _has(source, "format")
    return (_has(source, "file_id") or _has(source, "file_data")) and "type" not in source


def _has(raw: Json, key: str) -> bool:
    return isinstance(raw, dict) and isinstance(raw.get(key), str)
