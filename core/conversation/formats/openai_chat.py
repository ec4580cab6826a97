"""OpenAI Chat requests and bare message lists, legacy function calls included."""

from __future__ import annotations

from typing import Any, Literal

from ..json_text import compact
from ..model import Block, Json, Media, Reasoning, Refusal, Role, Text, ToolCall, ToolResult, Unknown
from ..positions import Path
from ..remarks import shown
from .arguments import arguments
from .draft import Draft, role_named
from .format import Format, Match, Source
from .message_list import MessageList

PROVIDER = "openai"

_MESSAGE = frozenset({"role", "content"})
_PLAIN = frozenset({"role", "content", "tool_calls"})
_CALL = frozenset({"id", "type", "index", "function", "custom"})
_FUNCTION_BODY = frozenset({"name", "arguments"})
_FUNCTION = frozenset({"role", "content", "name"})
_ASSISTANT = frozenset(
    {"role", "content", "refusal", "tool_calls", "function_call", "reasoning", "reasoning_content", "audio"}
)
_MEDIA: dict[str, tuple[Literal["image", "audio", "video", "file"], str]] = {
    "image_url": ("image", "image_url"),
    "input_audio": ("audio", "input_audio"),
    "video_url": ("video", "video_url"),
    "file": ("file", "file"),
}
_STRONG = ("tool_calls", "tool_call_id", "function_call")
#: What speaks for Anthropic Messages instead, by block type.
_FOREIGN = frozenset({"tool_use", "tool_result"})


def match_request(source: Source) -> Match | None:
    """Score a request body, a bare list or one bare message."""
    messages = source.messages
    if messages is None or not messages.is_chat:
        return None
    score, reasons = 0.6, [_where(messages)]
    strong = [f"`{name}`" for name in _STRONG if name in messages.fields]
    strong += [f"role `{role}`" for role in ("tool", "function") if role in messages.roles]
    weak = [f"role `{role}`" for role in ("system", "developer") if role in messages.roles]
    weak += [f"`{kind}` parts" for kind in (*_MEDIA, "refusal") if kind in messages.block_types]
    if strong:
        score, reasons = score + 0.3, strong
    if weak:
        score, reasons = score + 0.09, strong + weak
    if _FOREIGN & messages.block_types:
        score -= 0.3
    return Match(round(score, 2), " and ".join(reasons[:3]))


def _where(messages: MessageList) -> str:
    if messages.form == "bare":
        return "a list of messages with `role` and `content`"
    return (
        "a message with `role` and `content`" if messages.form == "single" else "`messages` with `role` and `content`"
    )


def read_request(source: Source, draft: Draft) -> None:
    """Read the messages; all other fields of the body are kept as extras."""
    messages = source.messages
    if messages is None:
        return
    note_form(messages, draft)
    for index, raw in enumerate(messages.items):
        read_message(raw, messages.path_of(index), draft)
    if isinstance(source.value, dict) and "messages" in source.value:
        draft.session_id = session_of(source.value)
        draft.keep(source.value, ("messages",) if draft.session_id is None else ("messages", "session_id"), source.path)


def note_form(messages: MessageList, draft: Draft) -> None:
    """Say where messages do not stand as they should."""
    if messages.form == "single" and messages.path and messages.path[-1] == "messages":
        draft.warn(
            "messages-not-a-list",
            "`messages` is one object where a list is due; read as a list of one message.",
            "Put the object in a list.",
            messages.path,
        )
    elif messages.form == "string":
        draft.note("json-in-string", "`messages` is a JSON text in a string; the inside was read.", messages.path)


def session_of(body: dict[str, Json]) -> str | None:
    """The session id of a request body, where it names one."""
    session = body.get("session_id")
    return session if isinstance(session, str) and session else None


def read_message(raw: Json, at: Path, draft: Draft) -> None:
    """Read one message into the draft."""
    role = raw.get("role") if isinstance(raw, dict) else None
    if not isinstance(raw, dict):
        draft.add_unread(None, PROVIDER, raw, at)
    elif role == "function":
        _read_function(raw, at, draft)
    elif role == "tool":
        _read_tool(raw, at, draft)
    elif role == "assistant":
        draft.add(Role.ASSISTANT, assistant_blocks(raw, at, draft), at)
    elif (known := role_named(role)) is not None:
        draft.add(known, _blocks(raw.get("content"), (*at, "content"), draft), at)
        if len(raw) > 2:
            draft.keep(raw, _MESSAGE, at)
    else:
        draft.add_unread(role, PROVIDER, raw, at)


def assistant_blocks(raw: dict[str, Json], at: Path, draft: Draft) -> list[Block]:
    """The blocks of an assistant message: reasoning, content, refusal, audio, calls."""
    if raw.keys() <= _PLAIN:
        blocks = _blocks(raw.get("content"), (*at, "content"), draft)
        return blocks + _calls(raw["tool_calls"], (*at, "tool_calls"), draft) if raw.get("tool_calls") else blocks
    thoughts = [raw[key] for key in ("reasoning_content", "reasoning") if raw.get(key)]
    blocks = [Reasoning(text) for text in dict.fromkeys(t for t in thoughts if isinstance(t, str))]
    blocks += [_misfit("reasoning", t, at, draft) for t in thoughts if not isinstance(t, str)]
    blocks += _blocks(raw.get("content"), (*at, "content"), draft)
    if refusal := raw.get("refusal"):
        blocks.append(Refusal(refusal) if isinstance(refusal, str) else _misfit("refusal", refusal, at, draft))
    if raw.get("audio"):
        blocks.append(Media("audio", raw["audio"]))
    if raw.get("tool_calls"):
        blocks += _calls(raw["tool_calls"], (*at, "tool_calls"), draft)
    if raw.get("function_call"):
        blocks.append(_function_call(raw["function_call"], (*at, "function_call"), draft))
    draft.keep(raw, _ASSISTANT, at)
    return blocks


def _misfit(name: str, raw: Json, at: Path, draft: Draft) -> Unknown:
    return draft.unknown(PROVIDER, {name: raw}, f"A `{name}` of unexpected type", (*at, name))


def _blocks(content: Json, at: Path, draft: Draft) -> list[Block]:
    if isinstance(content, str):
        return [Text(content)] if content else []
    if content is None:
        return []
    if isinstance(content, list):
        return [_part(part, (*at, index), draft) for index, part in enumerate(content)]
    draft.warn(
        "wrong-content-type",
        f"`content` is {_kind(content)} where a text or a list of parts is due.",
        "Put it in a list of typed parts, or make it a text.",
        at,
    )
    return [_part(content, at, draft) if isinstance(content, dict) else Unknown(PROVIDER, content)]


def _kind(value: Json) -> str:
    return "an object" if isinstance(value, dict) else "a truth value" if isinstance(value, bool) else "a number"


def _part(part: Json, at: Path, draft: Draft) -> Block:
    if isinstance(part, str):
        draft.note("bare-text-part", "A part is a bare text; read as a text part.", at)
        return Text(part)
    kind = part.get("type") if isinstance(part, dict) else None
    if isinstance(kind, str):
        if kind in ("text", "refusal") and isinstance(part.get(kind), str):
            if len(part) > 2:
                draft.keep(part, ("type", kind), at)
            return Text(part["text"]) if kind == "text" else Refusal(part["refusal"])
        if kind in _MEDIA and _MEDIA[kind][1] in part:
            media, key = _MEDIA[kind]
            draft.keep(part, ("type", key), at)
            return Media(media, part[key])
    what = f"A part of type `{shown(kind)}`" if kind else "A part without a type"
    return draft.unknown(PROVIDER, part, what, at)


def _calls(raw: Json, at: Path, draft: Draft) -> list[Block]:
    if not isinstance(raw, list):
        draft.warn("wrong-content-type", "`tool_calls` is no list.", "Put the call in a list.", at)
        return [_call(raw, at, draft)]
    return [_call(call, (*at, index), draft) for index, call in enumerate(raw)]


def _call(raw: Json, at: Path, draft: Draft) -> Block:
    kind = raw.get("type", "function") if isinstance(raw, dict) else None
    body = raw.get(kind) if kind == "function" or kind == "custom" else None
    if not isinstance(kind, str) or not isinstance(body, dict):
        what = f"A tool call of type `{shown(kind)}`" if kind else "A tool call without a type"
        return draft.unknown(PROVIDER, raw, what, at)
    inside = (*at, kind)
    name = _named(body.get("name"), draft, at)
    given = raw.get("id")
    if not (raw.keys() <= _CALL and isinstance(given, str)):
        draft.keep(raw, ("id", "type", "index", kind) if isinstance(given, str) else ("type", "index", kind), at)
    if not body.keys() <= _FUNCTION_BODY:
        draft.keep(body, ("name", "arguments" if kind == "function" else "input"), inside)
    if kind == "custom":
        draft.note("custom-tool", f"The input of `{shown(name)}` is free text; read as one argument, `input`.", at)
        read: Json = {"input": body.get("input")}
    else:
        read = arguments(body.get("arguments"), name, draft, (*inside, "arguments"))
    return ToolCall(given if isinstance(given, str) else "", name, read)


def _function_call(raw: Json, at: Path, draft: Draft) -> Block:
    if not isinstance(raw, dict):
        return draft.unknown(PROVIDER, {"function_call": raw}, "A `function_call` that is no object", at)
    name = _named(raw.get("name"), draft, at)
    draft.keep(raw, ("name", "arguments"), at)
    return ToolCall(name, name, arguments(raw.get("arguments"), name, draft, (*at, "arguments")))


def _named(name: Any, draft: Draft, at: Path) -> str:
    if isinstance(name, str) and name:
        return name
    draft.warn("call-without-name", "This tool call names no tool.", "Add the name of the tool.", at)
    return "" if name is None else str(name)


def _read_tool(raw: dict[str, Json], at: Path, draft: Draft) -> None:
    given = raw.get("tool_call_id")
    failed = raw.get("is_error")
    content = _result_blocks(raw.get("content"), (*at, "content"), draft)
    result = ToolResult(given if isinstance(given, str) else "", content, failed if isinstance(failed, bool) else None)
    draft.add(Role.TOOL, (result,), at)
    if len(raw) > 3 or not isinstance(given, str) or "content" not in raw:
        read = {"role", "content"} | ({"tool_call_id"} if isinstance(given, str) else set())
        draft.keep(raw, read | {"is_error"} if isinstance(failed, bool) else read, at)


def _read_function(raw: dict[str, Json], at: Path, draft: Draft) -> None:
    """A legacy result: it names its function, and that name is what joins it to the call."""
    name = raw.get("name")
    content = _result_blocks(raw.get("content"), (*at, "content"), draft)
    draft.add(Role.TOOL, (ToolResult(name if isinstance(name, str) else "", content),), at)
    draft.keep(raw, _FUNCTION, at)


def _result_blocks(content: Json, at: Path, draft: Draft) -> tuple[Block, ...]:
    """What a tool gave back. JSON that is no list of parts is its text, so that an error in it stays visible."""
    if content is None or isinstance(content, str):
        return (Text(content),) if content else ()
    if isinstance(content, list) and all(isinstance(p, str) or (isinstance(p, dict) and "type" in p) for p in content):
        return tuple(_part(part, (*at, index), draft) for index, part in enumerate(content))
    draft.note("json-result", "The result is plain JSON where a text or typed parts are due; read as JSON text.", at)
    return (Text(compact(content)),)


OPENAI_CHAT_REQUEST = Format(
    "openai-chat-request",
    "OpenAI Chat request",
    "`messages` (or a bare list) of `role` and `content`; `tool_calls`, role `tool`, `image_url` parts",
    "nothing; fields beside role, content and calls are kept as extras",
    match_request,
    read_request,
)
