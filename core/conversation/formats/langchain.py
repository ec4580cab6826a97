"""LangChain messages: constructor dumps, `messages_to_dict`, plain dumps, and states of LangGraph that hold them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from ..json_text import decode_embedded
from ..model import Json, Message, Role, StopReason, ToolResult
from ..positions import Path, path_text
from .draft import ROLES, Draft
from .format import Format, Holds, Match
from .langchain_blocks import PROVIDER, assistant_blocks, content_blocks, is_own_media
from .langchain_chunks import joined_chunks
from .openai_chat import read_message as read_chat_message
from .source import LOOKED_AT, Source
from .stop_reasons import stop_reason

_USER, _ASSISTANT, _SYSTEM, _DEVELOPER, _TOOL = Role.USER, Role.ASSISTANT, Role.SYSTEM, Role.DEVELOPER, Role.TOOL
#: What LangChain calls the speakers, as `type` or as a role.
KINDS: Final[dict[str, Role]] = {
    "human": _USER,
    "user": _USER,
    "ai": _ASSISTANT,
    "assistant": _ASSISTANT,
    "system": _SYSTEM,
    "developer": _DEVELOPER,
    "tool": _TOOL,
    "function": _TOOL,
}
_CLASSES: Final = {
    f"{name}Message{end}": kind
    for name, kind in (
        ("Human", "human"),
        ("AI", "ai"),
        ("System", "system"),
        ("Tool", "tool"),
        ("Function", "function"),
        ("Chat", "chat"),
        ("Remove", "remove"),
    )
    for end in ("", "Chunk")
}
_TYPES: Final = {**_CLASSES, **{kind: kind for kind in (*KINDS, "chat", "generic", "remove")}}
#: Types that leave no doubt.
_SURE: Final = frozenset({"human", "ai", *_CLASSES})
#: Fields that only messages of LangChain have beside a role.
_TELLING: Final = ("additional_kwargs", "invalid_tool_calls", "response_metadata")
#: Without one of these no object tells that it is a message of LangChain.
_NAMED: Final = frozenset({"type", "kwargs", *_TELLING})
#: Under these fields LangGraph keeps the values of a state.
STATES: Final = ("values", "channel_values", "state")
_STATES: Final = frozenset(STATES)
_READ: Final = frozenset({"type", "role", "content", "additional_kwargs"})
_READ_OF_ASSISTANT: Final = _READ | {"tool_calls", "invalid_tool_calls"}
_STOP: Final = {
    **dict.fromkeys(("stop", "end_turn", "stop_sequence", "STOP"), StopReason.END_TURN),
    **dict.fromkeys(("length", "max_tokens", "MAX_TOKENS"), StopReason.MAX_TOKENS),
    **dict.fromkeys(("tool_calls", "tool_use", "function_call"), StopReason.TOOL_USE),
    **dict.fromkeys(("content_filter", "refusal", "SAFETY"), StopReason.CONTENT_FILTER),
}


class Opened(NamedTuple):
    """A message without what is wrapped around it: who speaks, its fields, and where these stand."""

    kind: str
    data: dict[str, Json]
    at: Path


def opened(raw: Json, at: Path) -> Opened | None:
    """A message of LangChain in any of its forms; None where it is none."""
    if isinstance(raw, list):
        named = len(raw) == 2 and isinstance(raw[0], str) and raw[0] in KINDS and isinstance(raw[1], str)
        return Opened(raw[0], {"content": raw[1]}, (*at, 1)) if named else None
    if not isinstance(raw, dict):
        return None
    kind, name, fields, data = raw.get("type"), raw.get("id"), raw.get("kwargs"), raw.get("data")
    if isinstance(name, list) and isinstance(fields, dict):
        made = _CLASSES.get(name[-1]) if name and isinstance(name[-1], str) else None
        return None if made is None else Opened(made, fields, (*at, "kwargs"))
    if isinstance(kind, str) and kind in _TYPES:
        if isinstance(data, dict) and ("content" in data or "tool_calls" in data):
            return Opened(_TYPES[kind], data, (*at, "data"))
        if "content" in raw:
            return Opened(_TYPES[kind], raw, at)
        return Opened("remove", raw, at) if kind == "remove" else None
    role = raw.get("role")
    return Opened(role, raw, at) if isinstance(role, str) and "content" in raw else None


def match_langchain(source: Source) -> Match | None:
    """Score a list, a state or one message by the first that tells."""
    messages = source.messages
    plain = messages is not None and messages.is_of_objects and _NAMED.isdisjoint(messages.front_fields)
    if plain and not (isinstance(source.value, dict) and not _STATES.isdisjoint(source.value)):
        return None
    found = next((what for items, _ in _lists(source) for item in items[:LOOKED_AT] if (what := _told(item))), None)
    return None if found is None else Match(*found)


def _told(item: Json) -> tuple[float, str] | None:
    if type(item) is dict and len(item) == 2 and "role" in item:
        return None
    one = opened(item, ())
    if one is None:
        return None
    if isinstance(item, list):
        return 0.9, "lists of a speaker and a text"
    if one.at == ("kwargs",):
        return 0.97, "`lc` constructors of messages"
    named = item.get("type")
    kind = named if isinstance(named, str) else ""
    if one.at == ("data",):
        return 0.96, f"`type: {kind}` with `data`"
    if kind in _SURE or (kind == "tool" and "tool_call_id" in item):
        return 0.95, f"messages of `type: {kind}`"
    telling = next((name for name in _TELLING if name in item), None)
    return None if telling is None or kind in _TYPES else (0.92, f"messages with `role` and `{telling}`")


def tells(item: Json) -> bool:
    """Whether an item is a message that only LangChain writes so."""
    return _told(item) is not None


def _lists(source: Source) -> Iterator[tuple[list[Json], Path]]:
    """The lists of messages in a source, each with its path; several where calls were batched."""
    value, at = source.value, source.path
    if isinstance(value, dict):
        if isinstance(value.get("kwargs"), dict) and isinstance(value["kwargs"].get("messages"), list):
            # What a prompt makes: a constructor around the messages.
            value, at = value["kwargs"], (*at, "kwargs")
        held = next((name for name in STATES if isinstance(value.get(name), dict) and "messages" in value[name]), None)
        if held is not None:
            value, at = value[held], (*at, held)
        if "messages" not in value:
            yield [value], at
            return
        value, at = value["messages"], (*at, "messages")
        if isinstance(value, str):
            inner = decode_embedded(value)
            value = None if inner is None else inner[0]
    if not isinstance(value, list):
        return
    if value and all(isinstance(item, list) and opened(item, ()) is None for item in value):
        for index, item in enumerate(value):
            yield item, (*at, index)
    else:
        yield value, at


def read_langchain(source: Source, draft: Draft) -> None:
    """Read the messages; several lists are several conversations, and the fields beside them are kept."""
    lists = list(_lists(source))
    value, at = source.value, source.path
    for items, path in lists:
        single = isinstance(value, dict) and path == at
        numbered = [(items[0], at)] if single else [(item, (*path, index)) for index, item in enumerate(items)]
        read_messages(numbered, draft if len(lists) == 1 else draft.begin("", path))
    if isinstance(value, dict) and (not lists or lists[0][1] != at):
        held = lists[0][1][len(at)] if lists else ""
        draft.keep(value, ("lc", "type", "id", "kwargs") if held == "kwargs" else (str(held),), at)
        if held in (*STATES, "kwargs"):
            draft.keep(value[held], ("messages", "type"), (*at, held))


def read_messages(items: Iterable[tuple[Json, Path]], draft: Draft) -> None:
    """Read messages, each with its path; the pieces of a streamed one are one message."""
    for raw, at in joined_chunks(items, draft):
        read_message(raw, at, draft)
    if draft.messages and draft.messages[-1].role is not _ASSISTANT:
        draft.stop_reason = None


def read_message(raw: Json, at: Path, draft: Draft) -> None:
    """Read one message in any of LangChain's forms."""
    one = opened(raw, at)
    if one is None:
        kind = (raw.get("role") or raw.get("type")) if isinstance(raw, dict) else None
        draft.add_unread(kind, PROVIDER, raw, at)
        return
    if one.data is not raw and isinstance(raw, dict):
        draft.keep(raw, ("lc", "type", "id", "kwargs", "data"), at)
    kind = one.kind
    if kind in ("chat", "generic"):
        kind = one.data["role"] if isinstance(one.data.get("role"), str) else kind
    role = KINDS.get(kind) or ROLES.get(kind)
    if kind == "remove":
        draft.extras[path_text(at)] = raw
        step = "Remove the message it names, if it is still there."
        draft.warn("remove-message", "This takes another message out of a state; it is no turn.", step, at)
    elif role is None:
        draft.add_unread(kind, PROVIDER, raw, at)
    elif role is _TOOL:
        _read_result(kind, one, at, draft)
    else:
        _read_turn(role, one, at, draft)


def _read_result(kind: str, one: Opened, at: Path, draft: Draft) -> None:
    """A result; it may hold media under names of LangChain's own, that OpenAI Chat has not."""
    fields = {name: value for name, value in one.data.items() if name != "type"}
    content = fields.get("content")
    own = isinstance(content, list) and any(map(is_own_media, content))
    before = len(draft.messages)
    read_chat_message({**fields, "role": kind} | ({"content": ""} if own else {}), one.at, draft)
    draft.messages_at[before:] = [at] * (len(draft.messages) - before)
    last = draft.messages[-1].content if own and len(draft.messages) > before else ()
    if len(last) == 1 and isinstance(last[0], ToolResult):
        blocks = tuple(content_blocks(content, (*one.at, "content"), draft))
        draft.messages[-1] = Message(_TOOL, (ToolResult(last[0].tool_call_id, blocks, last[0].is_error),))


def _read_turn(role: Role, one: Opened, at: Path, draft: Draft) -> None:
    data, read = one.data, _READ
    if role is _ASSISTANT:
        blocks, read = assistant_blocks(data, one.at, draft), _READ_OF_ASSISTANT
        meta = data.get("response_metadata")
        raw = (meta.get("finish_reason") or meta.get("stop_reason")) if isinstance(meta, dict) else None
        known = isinstance(raw, str) and raw in _STOP
        draft.stop_reason = stop_reason(raw, _STOP, draft, (*one.at, "response_metadata")) if known else None
    else:
        blocks = content_blocks(data.get("content"), (*one.at, "content"), draft)
        if data.get("additional_kwargs"):
            draft.keep({"additional_kwargs": data["additional_kwargs"]}, (), one.at)
    draft.keep(data, read | {"example"} if data.get("example") is False else read, one.at)
    draft.add(role, blocks, at)


LANGCHAIN_MESSAGES = Format(
    "langchain-messages",
    "LangChain messages",
    "`lc` constructors; `type: human` and `ai` with `data` or `content`; a state with such `messages`",
    "nothing; metadata, usage and artifacts are kept as extras, raw calls only where they were not parsed",
    match_langchain,
    read_langchain,
    holds=Holds.REQUEST,
    tells=_NAMED | _STATES,
    example="langchain-messages-to-dict-invalid-call",
)
