"""Messages of OpenInference: `message.*` fields, with content items and calls one level below."""

from __future__ import annotations

from typing import Final, Literal

from ..json_text import decode_embedded
from ..model import Block, Json, Media, Reasoning, Role, Text, ToolCall, ToolResult
from ..positions import Path
from ..remarks import shown
from .arguments import arguments
from .call_ids import CallIds
from .draft import ROLES, Draft, role_named
from .indexed import nested
from .openai_blocks import content_blocks, result_blocks

PROVIDER: Final = "openinference"
#: Roles under the names that instrumented libraries have for them.
_ALSO: Final = {"model": Role.ASSISTANT, "ai": Role.ASSISTANT, "human": Role.USER, "function": Role.TOOL}
_MEDIA: Final[dict[str, Literal["image", "audio", "video", "file"]]] = {
    "image": "image",
    "audio": "audio",
    "video": "video",
    "file": "file",
    "document": "file",
}
_LEGACY: Final = ("function_call_name", "function_call_arguments_json")
_READ_OF_OTHERS: Final = frozenset({"role", "content", "contents"})
_READ_OF_ASSISTANT: Final = _READ_OF_OTHERS | {"tool_calls", *_LEGACY}
_READ_OF_RESULT: Final = _READ_OF_OTHERS | {"tool_call_id"}
_CALL: Final = frozenset({"id", "function", "type"})
_FUNCTION: Final = frozenset({"name", "arguments"})
# Members are bound once: looking one up on its class costs more than the comparison it is for.
_ASSISTANT, _TOOL = Role.ASSISTANT, Role.TOOL


def role_of(given: Json, at: Path, draft: Draft) -> Role | None:
    """The role of this name, or the one that a library's own name stands for; None where it is neither."""
    role = role_named(given)
    if role is None and isinstance(given, str) and (role := _ALSO.get(given)) is not None:
        draft.note("role-of-library", f"The role `{shown(given)}` is read as {role}, which it stands for.", at)
    return role


def read_message(raw: dict[str, Json], at: Path, ids: CallIds, draft: Draft) -> None:
    """Read one message whose names are taken apart; everything in it stands at one place."""
    outer = raw.get("message")
    body = outer if isinstance(outer, dict) else raw
    if body is outer and len(raw) > 1:
        draft.keep(raw, ("message",), at)
    given, content = body.get("role"), body.get("content")
    role = ROLES.get(given) if type(given) is str else None
    role = role or role_of(given, at, draft)
    if role is None:
        draft.add_unread(given, PROVIDER, raw, at)
        return
    if role is _TOOL:
        _read_result(body, at, ids, draft)
        return
    if role is _ASSISTANT:
        ids.turn()
    if len(body) == 2 and type(content) is str and content:
        draft.add(role, (Text(content),), at)
        return
    blocks = _content(body, at, draft)
    if role is _ASSISTANT:
        blocks += _calls(body, at, ids, draft)
    draft.add(role, blocks, at)
    read = _READ_OF_ASSISTANT if role is _ASSISTANT else _READ_OF_OTHERS
    if not body.keys() <= read:
        draft.keep(body, read, at)


def _read_result(body: dict[str, Json], at: Path, ids: CallIds, draft: Draft) -> None:
    name = body.get("name")
    call = ids.result(body.get("tool_call_id"), name if isinstance(name, str) else "", at)
    content = (
        tuple(_content(body, at, draft)) if body.get("contents") else result_blocks(body.get("content"), at, draft)
    )
    draft.add(_TOOL, (ToolResult(call, content),), at)
    if not body.keys() <= _READ_OF_RESULT:
        draft.keep(body, _READ_OF_RESULT, at)


def _content(body: dict[str, Json], at: Path, draft: Draft) -> list[Block]:
    items, content = body.get("contents"), body.get("content")
    if not isinstance(items, list) or not items:
        return content_blocks(content, at, draft)
    blocks = [_item(item, at, draft) for item in items]
    if content and content not in [block.text for block in blocks if isinstance(block, Text)]:
        blocks = [*content_blocks(content, at, draft), *blocks]
    return blocks


def _item(raw: Json, at: Path, draft: Draft) -> Block:
    """One content item: `message_content` with a type, and under its name the rest."""
    outer = raw.get("message_content") if isinstance(raw, dict) else None
    body = outer if isinstance(outer, dict) else raw
    if not isinstance(body, dict):
        return Text(body) if isinstance(body, str) else draft.unknown(PROVIDER, raw, "A content item", at)
    kind, text = body.get("type"), body.get("text")
    if kind in ("reasoning", "thinking") and isinstance(text, str):
        draft.keep(body, ("type", "text"), at)
        return Reasoning(text)
    media = _MEDIA.get(kind) if isinstance(kind, str) else None
    if isinstance(text, str) and media is None:
        draft.keep(body, ("type", "text"), at)
        return Text(text)
    if media is not None and isinstance(kind, str) and kind in body:
        draft.keep(body, ("type", kind), at)
        source = body[kind]
        inner = source.get(kind) if isinstance(source, dict) else None
        return Media(media, inner if isinstance(inner, dict) and len(source) == 1 else source)
    return draft.unknown(PROVIDER, raw, f"A content item of type `{shown(kind)}`", at)


def _calls(body: dict[str, Json], at: Path, ids: CallIds, draft: Draft) -> list[Block]:
    raws = body.get("tool_calls")
    if isinstance(raws, str) and (found := decode_embedded(raws)) is not None:
        listed = found[0] if isinstance(found[0], list) else [found[0]]
        raws = [nested(one) if isinstance(one, dict) else one for one in listed]
    calls: list[Block] = []
    for raw in raws if isinstance(raws, list) else [raws] if raws else []:
        outer = raw.get("tool_call") if isinstance(raw, dict) else None
        call = outer if isinstance(outer, dict) else raw
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict):
            calls.append(draft.unknown(PROVIDER, raw, "A tool call without a `function`", at))
            continue
        if not call.keys() <= _CALL:
            draft.keep(call, _CALL, at)
        if not function.keys() <= _FUNCTION:
            draft.keep(function, _FUNCTION, at)
        calls.append(_call(call.get("id"), function.get("name"), function.get("arguments"), at, ids, draft))
    if isinstance(body.get(_LEGACY[0]), str):
        calls.append(_call(body[_LEGACY[0]], body[_LEGACY[0]], body.get(_LEGACY[1]), at, ids, draft))
    return calls


def _call(given: Json, name: Json, raw: Json, at: Path, ids: CallIds, draft: Draft) -> ToolCall:
    if not isinstance(name, str) or not name:
        draft.warn("call-without-name", "This tool call names no tool.", "Add the name of the tool.", at)
        name = ""
    return ToolCall(ids.call(given, name, at), name, arguments(raw, name, draft, at))
