"""Messages of OpenTelemetry's GenAI conventions: a role, and parts of text, reasoning, calls, results and data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from ..json_text import compact
from ..model import Block, Json, Media, Reasoning, Role, StopReason, Text, ToolCall, ToolResult
from ..positions import Path
from ..remarks import shown
from .arguments import arguments
from .call_ids import CallIds
from .draft import ROLES, Draft
from .format import Format, Holds, Match
from .openai_blocks import result_blocks
from .openai_chat import read_message as read_chat_message
from .openinference_messages import role_of
from .source import LOOKED_AT, Source
from .stop_reasons import stop_reason

PROVIDER: Final = "otel"
#: Types of parts that no other format has.
_OWN: Final = frozenset({"tool_call", "tool_call_response", "server_tool_call", "server_tool_call_response"})
_TEXTS: Final = frozenset({"text", "reasoning", "thinking"})
_DATA: Final = frozenset({"blob", "uri", "file", "file_data"})
_MODALITIES: Final[dict[str, Literal["image", "audio", "video", "file"]]] = {
    "image": "image",
    "audio": "audio",
    "video": "video",
}
# Members are bound once: looking one up on its class costs more than the comparison it is for.
_ASSISTANT = Role.ASSISTANT
#: Where results stand, newest name first.
_RESULT: Final = ("response", "result", "content")
STOP: Final = {
    "stop": StopReason.END_TURN,
    "end_turn": StopReason.END_TURN,
    "length": StopReason.MAX_TOKENS,
    "max_tokens": StopReason.MAX_TOKENS,
    "content_filter": StopReason.CONTENT_FILTER,
    "tool_call": StopReason.TOOL_USE,
    "tool_calls": StopReason.TOOL_USE,
    "tool_use": StopReason.TOOL_USE,
    "error": StopReason.ERROR,
}


def is_message(raw: Json) -> bool:
    """Whether an object is a message with parts as only these conventions have them."""
    parts = raw.get("parts") if isinstance(raw, dict) and isinstance(raw.get("role"), str) else None
    return isinstance(parts, list) and any(map(_is_own, parts))


def _is_own(part: Json) -> bool:
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(kind, str):
        return False
    return kind in _OWN or (kind in _TEXTS and isinstance(part.get("content"), str)) or kind in ("blob", "uri")


def read_messages(items: Iterable[tuple[Json, Path]], draft: Draft) -> None:
    """Read messages, each with its path."""
    ids = CallIds(draft)
    for raw, at in items:
        _read_message(raw, at, ids, draft)


def _read_message(raw: Json, at: Path, ids: CallIds, draft: Draft) -> None:
    if not isinstance(raw, dict):
        draft.add_unread(None, PROVIDER, raw, at)
        return
    given, parts = raw.get("role"), raw.get("parts")
    role = ROLES.get(given) if type(given) is str else None
    role = role or role_of(given, at, draft)
    if role is None:
        draft.add_unread(given, PROVIDER, raw, at)
        return
    if not isinstance(parts, list):
        # Some libraries write messages of OpenAI Chat under these names.
        read_chat_message(raw, at, draft)
        return
    ids.turn()
    blocks: list[Block] = []
    for index, part in enumerate(parts):
        # Most parts are a text and nothing else.
        if type(part) is dict and len(part) == 2 and part.get("type") == "text" and type(part.get("content")) is str:
            blocks.append(Text(part["content"]))
        else:
            blocks.append(_clean(part, at, ids) or _part(part, (*at, "parts", index), ids, draft))
    draft.stop_reason = None
    if len(raw) > 2:
        draft.keep(raw, ("role", "parts", "finish_reason"), at)
        reason = raw.get("finish_reason") or None if role is _ASSISTANT else None
        draft.stop_reason = stop_reason(reason, STOP, draft, (*at, "finish_reason"))
    draft.add(role, blocks, at)


def _clean(raw: Json, at: Path, ids: CallIds) -> Block | None:
    """A call or a result that is as the conventions have it, with nothing to remark and nothing to keep.

    A short way for what most are: what it gives, `_part` gives too.
    """
    given = raw.get("id") if type(raw) is dict else None
    if type(given) is not str or not given:
        return None
    if len(raw) == 4 and raw.get("type") == "tool_call":
        name, taken = raw.get("name"), raw.get("arguments")
        if type(name) is str and name and type(taken) is dict:
            return ToolCall(ids.call(given, name, at), name, taken)
    elif len(raw) == 3 and raw.get("type") == "tool_call_response":
        said = raw.get("response")
        if type(said) is str and said:
            return ToolResult(ids.result(given, "", at), (Text(said),))
    return None


def read_parts(parts: Json, role: Role, at: Path, draft: Draft) -> None:
    """Read parts that stand without a message: the system instructions."""
    if isinstance(parts, str):
        draft.add(role, (Text(parts),), at)
        return
    ids = CallIds(draft)
    items = parts if isinstance(parts, list) else [parts]
    draft.add(role, [_part(part, (*at, index), ids, draft) for index, part in enumerate(items)], at)


def _part(raw: Json, at: Path, ids: CallIds, draft: Draft) -> Block:
    if isinstance(raw, str):
        return Text(raw)
    kind = raw.get("type") if isinstance(raw, dict) else None
    if not isinstance(kind, str):
        return draft.unknown(PROVIDER, raw, "A part without a type", at)
    if kind in _TEXTS:
        text = next((raw[name] for name in ("content", "text") if isinstance(raw.get(name), str)), None)
        if text is not None:
            draft.keep(raw, ("type", "content" if "content" in raw else "text"), at)
            return Text(text) if kind == "text" else Reasoning(text)
    if kind == "tool_call":
        name = raw.get("name")
        if not isinstance(name, str) or not name:
            draft.warn("call-without-name", "This tool call names no tool.", "Add the name of the tool.", at)
            name = ""
        draft.keep(raw, ("type", "id", "name", "arguments"), at)
        read = arguments(raw.get("arguments"), name, draft, (*at, "arguments"))
        return ToolCall(ids.call(_id(raw), name, at), name, read)
    if kind == "tool_call_response":
        return _result(raw, at, ids, draft)
    if kind in _DATA:
        modality = raw.get("modality")
        media = _MODALITIES.get(modality, "file") if isinstance(modality, str) else "file"
        return Media(media, {name: value for name, value in raw.items() if name != "type"})
    return draft.unknown(PROVIDER, raw, f"A part of type `{shown(kind)}`", at)


def _id(raw: dict[str, Json]) -> Json:
    """An id; one that a tool took for JSON is its text again."""
    given = raw.get("id")
    return given if given is None or isinstance(given, str) else compact(given)


def _result(raw: dict[str, Json], at: Path, ids: CallIds, draft: Draft) -> ToolResult:
    field = next((name for name in _RESULT if name in raw), _RESULT[0])
    name, failed = raw.get("name"), raw.get("is_error")
    read = {"type", "id", field, *(("is_error",) if isinstance(failed, bool) else ())}
    draft.keep(raw, read, at)
    call = ids.result(_id(raw), name if isinstance(name, str) else "", at)
    value, where = raw.get(field), (*at, field)
    if isinstance(value, list) and value and all(map(_is_own, value)):
        content = tuple(_part(part, (*where, index), ids, draft) for index, part in enumerate(value))
    else:
        content = result_blocks(value, where, draft)
    return ToolResult(call, content, failed if isinstance(failed, bool) else None)


def messages_in(source: Source) -> Iterator[tuple[Json, Path]] | None:
    """The messages of a source with their paths: a list of them, one alone, or a body with `messages`."""
    value, at, found = source.value, source.path, source.messages
    if found is not None and "parts" not in found.front_fields:
        return None
    if isinstance(value, dict) and "messages" in value:
        value, at = value["messages"], (*at, "messages")
    if isinstance(value, dict):
        return iter([(value, at)]) if is_message(value) else None
    if not isinstance(value, list) or not any(map(is_message, value[:LOOKED_AT])):
        return None
    return ((item, (*at, index)) for index, item in enumerate(value))


def match_messages(source: Source) -> Match | None:
    """Score messages whose parts are of these conventions."""
    return None if messages_in(source) is None else Match(0.95, "messages with `parts` of `type` and `content`")


def read_message_list(source: Source, draft: Draft) -> None:
    """Read the messages; the fields beside them are kept."""
    read_messages(messages_in(source) or (), draft)
    if isinstance(source.value, dict) and "messages" in source.value:
        draft.keep(source.value, ("messages",), source.path)


OTEL_GENAI_MESSAGES = Format(
    "otel-genai-messages",
    "OpenTelemetry GenAI messages",
    "messages with `parts`: `text` with `content`, `tool_call`, `tool_call_response`",
    "nothing; ids of parts and names of results are kept as extras",
    match_messages,
    read_message_list,
    holds=Holds.REQUEST,
    fields=frozenset({"messages", "parts"}),
    tells=frozenset({"parts"}),
)
