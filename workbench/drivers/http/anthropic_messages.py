"""The wire format `anthropic_messages`: no logprobs and no reply schema, and the notes that say so.

Consecutive messages of one side become one, tool results come first in theirs, and tools that the conversation calls
are declared by name, since the endpoint refuses calls of undeclared tools; what they take is the target's to say.
"""

from __future__ import annotations

from ....core.conversation.formats.anthropic_blocks import MEDIA, PROVIDER
from ....core.conversation.formats.anthropic_response import read_response
from ....core.conversation.formats.draft import Draft
from ....core.conversation.formats.format import Source
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
    text_of,
)
from ....core.vgr.json_text import json_text
from ....core.vgr.text import is_blank
from ..protocol import Call, InvalidResponse, Reply
from .call_ids import CallIds
from .targets import Target
from .wire import Sent, Unsent, content_of, joined, kind_of, usage_of, without_thinking

#: The output cap where the call has none, in tokens; the endpoint demands one, and every model of it allows this.
DEFAULT_MAX_TOKENS = 4096
NO_LOGPROBS = "anthropic_messages carries no logprobs"
NO_SCHEMA = "anthropic_messages was sent no reply schema; the rubric alone asks for the shape"

_ID = r"[A-Za-z0-9_-]+"
#: A block's type by kind of media.
_BLOCKS = {kind: block for block, kind in MEDIA.items()}
_SOURCES = frozenset({"base64", "url", "file", "text", "content"})
_FIRST = frozenset({"tool_result"})


def request_body(call: Call, target: Target) -> Sent:
    """The body of this call, and what it leaves out."""
    ids, unsent = CallIds(_ID), Unsent()
    system: list[str] = []
    messages: list[dict[str, Json]] = []
    for message in call.request.turns:
        if message.role in (Role.SYSTEM, Role.DEVELOPER):
            system += _instruction(message, unsent)
        else:
            _add(messages, message, ids, unsent)
    body: dict[str, Json] = {
        "model": target.model,
        "max_tokens": DEFAULT_MAX_TOKENS if call.max_tokens is None else call.max_tokens,
        "messages": messages,
    }
    if system:
        body["system"] = [{"type": "text", "text": text} for text in system] if len(system) > 1 else system[0]
    notes = unsent.notes
    names = dict.fromkeys(block["name"] for m in messages for block in m["content"] if block.get("type") == "tool_use")
    if names and "tools" not in target.extra_body:
        body["tools"] = [{"name": name, "input_schema": {"type": "object"}} for name in names]
        notes += (f"tools declared by name only: {len(names)}",)
    if call.schema is not None:
        notes += (NO_SCHEMA,)
    return Sent(body | dict(target.extra_body), notes)


def read_body(body: Json, call: Call) -> Reply:
    """The reply in a body. Raises InvalidResponse where it is no message."""
    content = body.get("content") if isinstance(body, dict) and body.get("role") == "assistant" else None
    if not isinstance(content, (str, list)):
        raise InvalidResponse("no message", call.rung)
    draft = Draft()
    read_response(Source(body), draft)
    blocks, notes = without_thinking(draft.messages[0].content, call.rung)
    if call.top_logprobs is not None:
        notes += (NO_LOGPROBS,)
    response = Response((Output(Role.ASSISTANT, blocks, draft.stop_reason),))
    return Reply(response, None, usage_of(body.get("usage")), joined(notes))


def _instruction(message: Message, unsent: Unsent) -> list[str]:
    for block in message.content:
        if not isinstance(block, (Text, Refusal)):
            unsent.add(kind_of(block))
    text = text_of(message.content)
    return [] if is_blank(text) else [text]


def _add(messages: list[dict[str, Json]], message: Message, ids: CallIds, unsent: Unsent) -> None:
    """Add a message's blocks, to the last message where that is of the same side."""
    if message.source_role is not None:
        unsent.add("message of an unknown role")
        return
    assistant = message.role is Role.ASSISTANT
    blocks: list[Json] = []
    for block in content_of(message):
        made = _block(block, assistant, ids, unsent)
        if made is None:
            unsent.add(kind_of(block))
        elif made["type"] == "text" and is_blank(made["text"]):
            unsent.add("blank text")
        else:
            blocks.append(made)
    if not blocks:
        return
    role = "assistant" if assistant else "user"
    if messages and messages[-1]["role"] == role:
        blocks = messages.pop()["content"] + blocks
    if not assistant:
        blocks.sort(key=lambda block: block["type"] not in _FIRST)
    messages.append({"role": role, "content": blocks})


def _block(block: Block, assistant: bool, ids: CallIds, unsent: Unsent) -> Json:
    """The block as the format has it; None for what has no place on this side."""
    if isinstance(block, (Text, Refusal)):
        return {"type": "text", "text": block.text}
    if isinstance(block, ToolCall) and assistant:
        # The endpoint takes objects alone; what did not parse is sent as it was pasted, in one.
        given = block.arguments if isinstance(block.arguments, dict) else {"raw": _as_text(block.arguments)}
        return {"type": "tool_use", "id": ids.of_call(block.id), "name": block.name, "input": given}
    if isinstance(block, ToolResult) and not assistant:
        return _result(block, ids, unsent)
    if isinstance(block, Media) and not assistant and block.kind in _BLOCKS and _is_ours(block):
        return {"type": _BLOCKS[block.kind], "source": block.source}
    if isinstance(block, Unknown) and block.provider == PROVIDER and isinstance(block.raw, dict):
        return block.raw if isinstance(block.raw.get("type"), str) and block.raw["type"] != "text" else None
    return None


def _result(block: ToolResult, ids: CallIds, unsent: Unsent) -> Json:
    content: list[Json] = []
    for inner in block.content:
        made = None if isinstance(inner, ToolResult) else _block(inner, False, ids, unsent)
        if made is None:
            unsent.add(kind_of(inner))
        elif made["type"] != "text" or not is_blank(made["text"]):
            content.append(made)
    made = {"type": "tool_result", "tool_use_id": ids.of_result(block.tool_call_id), "content": content}
    return made if block.is_error is None else made | {"is_error": block.is_error}


def _as_text(arguments: Json) -> str:
    return arguments if isinstance(arguments, str) else json_text(arguments)


def _is_ours(media: Media) -> bool:
    return isinstance(media.source, dict) and media.source.get("type") in _SOURCES
