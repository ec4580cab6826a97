"""Messages of the Vercel AI SDK as it hands them to a model: contents with `tool-call` and `tool-result` parts."""

from __future__ import annotations

from ..json_text import compact
from ..model import Block, Json, Reasoning, Role, Text, ToolCall, ToolResult
from ..positions import Path
from ..remarks import shown
from .arguments import arguments
from .draft import Draft, role_named
from .format import Format, Holds, Match
from .interleaved import Interleaved
from .message_list import MessageList
from .openai_chat import note_form
from .source import Source
from .vercel_parts import PROVIDER, is_aside, media_of

_STRONG = ("tool-call", "tool-result", "tool-approval-request", "redacted-reasoning", "reasoning-file")
_MEDIA_TYPES = frozenset({"mediaType", "mimeType"})
_MESSAGE = frozenset({"role", "content"})
_FAILED = frozenset({"error-text", "error-json", "execution-denied"})
_OUTPUTS = frozenset({"text", "json", "content"}) | _FAILED


def match_model(source: Source) -> Match | None:
    """Score messages by the kinds of their parts."""
    found = source.messages
    if found is None or not found.roles:
        return None
    for kind in _STRONG:
        if kind in found.block_types:
            return Match(0.9, f"`{kind}` parts")
    return _weak(found)


def _weak(found: MessageList) -> Match | None:
    """What speaks for it where no tool was called."""
    fields, kinds = found.block_fields, found.block_types
    if not _MEDIA_TYPES.isdisjoint(fields) and not {"file", "image"}.isdisjoint(kinds) and "source" not in fields:
        return Match(0.85, "`file` or `image` parts with a media type")
    if "reasoning" in kinds and "text" in fields and {"reasoning", "summary"}.isdisjoint(fields):
        return Match(0.85, "`reasoning` parts with `text`")
    return None


def read_model(source: Source, draft: Draft) -> None:
    """Read each message; all other fields of the body are kept as extras."""
    found = source.messages
    if found is None:
        return
    note_form(found, draft)
    body = source.value if isinstance(source.value, dict) else {}
    system = body.get("system")
    if isinstance(system, str) and system and "messages" in body:
        draft.add(Role.SYSTEM, (Text(system),), (*source.path, "system"))
    for raw, at in found.with_paths():
        _read_message(raw, at, draft)
    if "messages" in body:
        draft.keep(body, ("messages", "system") if isinstance(system, str) else ("messages",), source.path)


def _read_message(raw: Json, at: Path, draft: Draft) -> None:
    role = role_named(raw.get("role")) if isinstance(raw, dict) else None
    content = raw.get("content") if isinstance(raw, dict) else None
    if role is None or not (content is None or isinstance(content, (str, list))):
        draft.add_unread(raw.get("role") if isinstance(raw, dict) else None, PROVIDER, raw, at)
        return
    made = Interleaved(role, at, draft)
    for index, part in enumerate(content if isinstance(content, list) else [content] if content else []):
        where = (*at, "content", index) if isinstance(content, list) else (*at, "content")
        block = _block(part, where, draft)
        if isinstance(block, ToolResult):
            made.answer(block, where)
        elif block is not None:
            made.say(block, where)
    made.end()
    draft.keep(raw, _MESSAGE, at)


def _block(part: Json, at: Path, draft: Draft) -> Block | None:
    """One part; None for one that is the application's own."""
    if isinstance(part, str):
        return Text(part)
    kind = part.get("type") if isinstance(part, dict) else None
    if kind in ("text", "reasoning") and isinstance(part.get("text"), str):
        draft.keep(part, ("type", "text"), at)
        return Text(part["text"]) if kind == "text" else Reasoning(part["text"])
    if kind == "redacted-reasoning":
        draft.keep(part, ("type",), at)
        return Reasoning("")
    if kind in ("file", "image", "reasoning-file"):
        return media_of(part)
    if kind == "tool-call" and isinstance(part.get("toolName"), str):
        name, given = part["toolName"], part.get("toolCallId")
        field = "input" if "input" in part else "args"
        draft.keep(part, ("type", "toolCallId", "toolName", field) if isinstance(given, str) else ("type", field), at)
        read = arguments(part.get(field), name, draft, (*at, field))
        return ToolCall(given if isinstance(given, str) else "", name, read)
    if kind == "tool-result":
        return _result(part, at, draft)
    if isinstance(kind, str) and is_aside(kind):
        draft.keep(part, ("type",), at)
        return None
    return draft.unknown(PROVIDER, part, f"A part of type `{shown(kind)}`" if kind else "A part without a type", at)


def _result(part: dict[str, Json], at: Path, draft: Draft) -> ToolResult:
    given, flag = part.get("toolCallId"), part.get("isError")
    call = given if isinstance(given, str) else ""
    field = "output" if "output" in part else "result"
    output = part.get(field)
    failed = flag if isinstance(flag, bool) else None
    kind = output.get("type") if isinstance(output, dict) and field == "output" else None
    if isinstance(kind, str) and kind in _OUTPUTS and isinstance(output, dict):
        value = output.get("reason") if kind == "execution-denied" else output.get("value")
        failed = True if kind in _FAILED else failed
        content = _typed(value, (*at, field, "value"), draft) if kind == "content" else _plain(value)
        draft.keep(output, ("type", "value", "reason"), (*at, field))
    else:
        content = _plain(output)
    read = {"type", "toolName", field} | ({"toolCallId"} if call else set()) | (set() if flag is None else {"isError"})
    draft.keep(part, read, at)
    return ToolResult(call, content, failed)


def _plain(value: Json) -> tuple[Block, ...]:
    """A text, or any JSON as its text."""
    if value is None or value == "":
        return ()
    return (Text(value if isinstance(value, str) else compact(value)),)


def _typed(value: Json, at: Path, draft: Draft) -> tuple[Block, ...]:
    """What a tool gave back as texts and media."""
    blocks: list[Block] = []
    for index, part in enumerate(value if isinstance(value, list) else [value]):
        if isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str):
            blocks.append(Text(part["text"]))
        elif isinstance(part, dict) and isinstance(part.get("type"), str):
            blocks.append(media_of(part))
        else:
            blocks.append(draft.unknown(PROVIDER, part, "A part without a type", (*at, index)))
    return tuple(blocks)


VERCEL_MODEL_MESSAGES = Format(
    "vercel-model-messages",
    "Vercel AI SDK messages (model)",
    "contents with `tool-call` and `tool-result` parts",
    "nothing; provider options are kept as extras",
    match_model,
    read_model,
    holds=Holds.REQUEST,
    fields=frozenset({"messages", "content"}),
    tells=frozenset((*_STRONG, "file", "image", "reasoning")),
    priority=2,
)
