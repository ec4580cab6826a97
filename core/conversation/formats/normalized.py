"""The normalized conversation of SPEC 1 as JSON: what the workbench exports, and the shape of its test vectors."""

from __future__ import annotations

from collections.abc import Iterator

from ..extension import extras_at
from ..model import Block, Json, Message, StopReason, Text, ToolResult, quick_call, quick_message, quick_result
from ..normalized import block_from_json
from ..positions import Path
from ..remarks import shown
from .draft import ROLES, Draft
from .format import Format, Holds, Match, Source
from .message_list import numbered

_PROVIDER = "normalized"
_READ = frozenset({"instructions", "messages", "session_id", "stop_reason", "alternatives", "extras", "title"})
_MESSAGE = frozenset({"role", "content", "source_role"})
_PLAIN = frozenset({"role", "content"})
_RESULT = frozenset({"type", "tool_call_id", "content"})
#: The fields of each block.
_FIELDS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("text", "refusal", "reasoning"), frozenset({"type", "text"})),
    **dict.fromkeys(("image", "audio", "video", "file"), frozenset({"type", "source"})),
    "tool_call": frozenset({"type", "id", "name", "arguments"}),
    "tool_result": frozenset({"type", "tool_call_id", "content", "is_error"}),
    "unknown": frozenset({"type", "provider", "raw"}),
}
_STOPS = {str(reason): reason for reason in StopReason}
#: Fields of such blocks that other formats call by another name.
_OWN = {"tool_call": "arguments", "tool_result": "tool_call_id", "unknown": "provider"}
#: So many messages of each list are looked at.
_FRONT = 6


def match_normalized(source: Source) -> Match | None:
    """Score a body with a list of instructions beside its messages, or with messages of typed blocks of SPEC 1."""
    value = source.value
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        return None
    if "instructions" not in value and (source.messages is None or _OWN.keys().isdisjoint(source.messages.block_types)):
        return None
    first = value.get("instructions", [])
    if not isinstance(first, list) or not all(map(_is_message, (*first[:_FRONT], *value["messages"][:_FRONT]))):
        return None
    if "instructions" in value:
        return Match(0.96, "`instructions` and `messages`, both lists of messages")
    found = source.messages
    for kind, own in _OWN.items():
        if found is not None and kind in found.block_types and own in found.block_fields:
            return Match(0.94, f"`{kind}` blocks with `{own}`")
    return None


def _is_message(raw: Json) -> bool:
    return isinstance(raw, dict) and isinstance(raw.get("role"), str) and isinstance(raw.get("content"), list)


def read_normalized(source: Source, draft: Draft) -> None:
    """Read the messages of both lists as they stand; what does not fit is kept, and said."""
    value, path = source.value, source.path
    if not isinstance(value, dict):
        return
    for name, into, places in (
        ("instructions", draft.instructions, draft.instructions_at),
        ("messages", draft.messages, draft.messages_at),
    ):
        for message, at in _messages(value, name, path, draft):
            into.append(message)
            places.append(at)
    draft.alternatives += [message for message, _ in _messages(value, "alternatives", path, draft)]
    draft.may_be_empty = "instructions" in value
    session, title, stop, extras = (value.get(name) for name in ("session_id", "title", "stop_reason", "extras"))
    draft.session_id = session if isinstance(session, str) else None
    draft.title = title if isinstance(title, str) else draft.title
    draft.stop_reason = _STOPS.get(stop) if isinstance(stop, str) else None
    draft.extras |= extras_at(extras, path) if isinstance(extras, dict) else {}
    fits = {"session_id": isinstance(session, str), "title": isinstance(title, str)}
    fits |= {"stop_reason": draft.stop_reason is not None, "extras": isinstance(extras, dict)}
    draft.keep(value, _READ - {name for name, is_read in fits.items() if not is_read}, path)


def _messages(value: dict[str, Json], name: str, path: Path, draft: Draft) -> Iterator[tuple[Message, Path]]:
    """The messages of one list; one of an unknown role is added as such."""
    listed = value.get(name, [])
    if not isinstance(listed, list):
        draft.warn("wrong-content-type", f"`{name}` is no list of messages.", "Put them in a list.", (*path, name))
        draft.keep({name: listed}, (), path)
        return
    for raw, at in zip(listed, numbered((*path, name)), strict=False):
        message = _clean(raw) or _message(raw, at, draft)
        if message is not None:
            yield message, at


def _clean(raw: Json) -> Message | None:
    """A message that is as it was exported, of texts, calls and results of a text; None for all else.

    A short way for what most messages are: what it gives, `_message` gives too.
    """
    if type(raw) is not dict or raw.keys() != _PLAIN:
        return None
    given, content = raw["role"], raw["content"]
    if type(given) is not str or type(content) is not list:
        return None
    blocks = list(map(_clean_block, content))
    role = ROLES.get(given)
    return None if role is None or None in blocks else quick_message(role, tuple(blocks))  # type: ignore[arg-type]


def _clean_block(raw: Json) -> Block | None:
    if type(raw) is not dict:
        return None
    kind = raw.get("type")
    if kind == "text":
        return Text(text) if len(raw) == 2 and type(text := raw.get("text")) is str else None
    if kind == "tool_call" and raw.keys() == _FIELDS["tool_call"]:
        given, name = raw["id"], raw["name"]
        return quick_call(given, name, raw["arguments"]) if type(given) is str and type(name) is str else None
    if kind == "tool_result" and raw.keys() == _RESULT:
        given, inner = raw["tool_call_id"], raw["content"]
        block = _clean_block(inner[0]) if type(inner) is list and len(inner) == 1 else None
        return quick_result(given, block.text) if type(given) is str and isinstance(block, Text) else None
    return None


def _message(raw: Json, at: Path, draft: Draft) -> Message | None:
    role = ROLES.get(raw["role"]) if isinstance(raw, dict) and isinstance(raw.get("role"), str) else None
    if role is None:
        draft.add_unread(raw.get("role") if isinstance(raw, dict) else None, _PROVIDER, raw, at)
        return None
    content, named = raw.get("content"), raw.get("source_role")
    if not isinstance(content, list):
        step = "Put it in a list of typed blocks."
        draft.warn("wrong-content-type", "`content` is no list of blocks.", step, (*at, "content"))
        content = [] if content is None else [content]
    draft.keep(raw, _MESSAGE if isinstance(named, str) else _MESSAGE - {"source_role"}, at)
    blocks = tuple(_block(block, (*at, "content", index), draft) for index, block in enumerate(content))
    return Message(role, blocks, named if isinstance(named, str) else None)


def _block(raw: Json, at: Path, draft: Draft) -> Block:
    kind = raw.get("type") if isinstance(raw, dict) else None
    try:
        block = block_from_json(raw if kind != "tool_result" else {**raw, "content": ()})
        inner = raw["content"] if kind == "tool_result" else ()
        if not isinstance(inner, (list, tuple)):
            raise TypeError
    except (KeyError, TypeError, ValueError):
        what = f"A block of type `{shown(kind)}`" if isinstance(kind, str) else "A block without a type"
        return draft.unknown(_PROVIDER, raw, what, at)
    draft.keep(raw, _FIELDS[raw["type"]], at)
    if isinstance(block, ToolResult):
        content = tuple(_block(one, (*at, "content", index), draft) for index, one in enumerate(inner))
        return ToolResult(block.tool_call_id, content, block.is_error)
    return block


NORMALIZED = Format(
    "normalized",
    "Normalized conversation",
    "`instructions` and `messages` of `text`, `tool_call` and `tool_result` blocks, as the workbench exports them",
    "nothing",
    match_normalized,
    read_normalized,
    holds=Holds.REQUEST,
    fields=frozenset({"messages"}),
    tells=frozenset({"instructions", *_OWN}),
    priority=2,
)
