"""OpenAI Chat requests and bare message lists, legacy function calls included."""

from __future__ import annotations

from ..extension import FIELD, finish, read_extended
from ..model import (
    Block,
    Json,
    Media,
    Message,
    Role,
    Text,
    ToolCall,
    ToolResult,
    quick_message,
    quick_result,
    quick_text_message,
)
from ..positions import Path
from ..remarks import shown
from .draft import ROLES, Draft
from .format import Format, Holds, Match, Source
from .message_list import MessageList, first_of
from .mislogged import read_mislogged
from .openai_blocks import MEDIA, PROVIDER, assistant_blocks, clean_call, content_blocks, result_blocks

_MESSAGE = frozenset({"role", "content"})
_FUNCTION = frozenset({"role", "content", "name"})
_RESULT = frozenset({"role", "content", "tool_call_id"})
_NAMES_ITS_CALL = ("tool_call_id", "name", "tool_name")
_STRONG = ("tool_calls", "tool_call_id", "function_call")
_RESULTS = ("tool", "function")
_WEAK_ROLES = ("system", "developer")
_WEAK_PARTS = (*MEDIA, "refusal")
#: Fields that belong to messages of another role, where they stand in one of these.
_MISPLACED = ("tool_calls", "function_call", "tool_call_id")
#: What speaks for Anthropic Messages instead, by block type.
_FOREIGN = frozenset({"tool_use", "tool_result", "tool-call", "tool-result"})
# Members are bound once: looking one up on its class costs more than the comparison it is for.
_USER, _ASSISTANT, _TOOL = Role.USER, Role.ASSISTANT, Role.TOOL
#: How frameworks say that a tool failed: a truth value, or a status.
_FLAGS = ("is_error", "isError", "tool_call_error")
_FAILED = {"error": True, "success": False}


def match_request(source: Source) -> Match | None:
    """Score a request body, a bare list or one bare message."""
    messages = source.messages
    if messages is None or not messages.is_chat:
        return None
    hundredths, telling = 60, ""
    if role := first_of(_WEAK_ROLES, messages.roles):
        hundredths, telling = 62, f"role `{role}`"
    elif part := first_of(_WEAK_PARTS, messages.block_types):
        hundredths, telling = 62, f"`{part}` parts"
    if name := first_of(_STRONG, messages.fields):
        hundredths, telling = hundredths + 28, f"`{name}`"
    elif role := first_of(_RESULTS, messages.roles):
        hundredths, telling = hundredths + 28, f"role `{role}`"
    if not _FOREIGN.isdisjoint(messages.block_types):
        hundredths -= 30
    return Match(hundredths / 100, telling or _where(messages))


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
    add, stands_at = draft.messages.append, draft.messages_at.append
    for raw, at in messages.with_paths():
        clean = _clean(raw)
        if clean is None:
            read_message(raw, at, draft)
        else:
            add(clean)
            stands_at(at)
    if isinstance(source.value, dict) and "messages" in source.value:
        draft.session_id = session_of(source.value)
        read = ("messages", FIELD) if draft.session_id is None else ("messages", FIELD, "session_id")
        draft.keep(source.value, read, source.path)
    finish(source.value, source.path, draft)


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
    if not isinstance(raw, dict):
        draft.add_unread(None, PROVIDER, raw, at)
        return
    if FIELD in raw:
        read_extended(raw, at, draft, read_message)
        return
    role, content = raw.get("role"), raw.get("content")
    known = ROLES.get(role) if type(role) is str else None
    if known is _ASSISTANT:
        draft.add(known, assistant_blocks(raw, at, draft), at)
        if raw.get("tool_call_id"):
            _warn_misplaced("tool_call_id", known, at, draft)
    elif known is _TOOL:
        _read_tool(raw, at, draft)
    elif known is not None:
        blocks = content_blocks(content, (*at, "content"), draft)
        if len(raw) > 2 or "content" not in raw:
            # Ollama keeps the images of a message beside its text.
            images = raw["images"] if isinstance(raw.get("images"), list) else []
            blocks += [Media("image", image) for image in images]
            draft.keep(raw, _MESSAGE | {"images"} if images else _MESSAGE, at)
            for name in _MISPLACED:
                if raw.get(name):
                    _warn_misplaced(name, known, at, draft)
        draft.add(known, blocks, at)
    elif role == "function":
        _read_function(raw, at, draft)
    else:
        draft.add_unread(role, PROVIDER, raw, at)


def _clean(raw: Json) -> Message | None:
    """A turn that is as the API writes it, with nothing to remark and nothing to keep; None for all else.

    A short way for what most messages are: what it gives, `read_message` gives too.
    """
    if type(raw) is not dict:
        return None
    try:
        role, content = raw["role"], raw["content"]
        if len(raw) == 2:
            if type(content) is str and content and (role == "user" or role == "assistant"):
                return quick_text_message(_USER if role == "user" else _ASSISTANT, content)
            return None
        if len(raw) != 3:
            return None
        if role == "tool":
            given = raw["tool_call_id"]
            if type(content) is str and content and type(given) is str:
                return quick_message(_TOOL, (quick_result(given, content),))
            return None
        calls = raw["tool_calls"]
    except KeyError:
        return None
    if role != "assistant" or type(calls) is not list or not calls or not (content is None or type(content) is str):
        return None
    blocks: list[Block] = [Text(content)] if content else []
    for call in calls:
        if (clean := clean_call(call)) is None:
            return None
        blocks.append(clean)
    return quick_message(_ASSISTANT, tuple(blocks))


def _warn_misplaced(name: str, role: Role, at: Path, draft: Draft) -> None:
    draft.warn(
        "misplaced-field",
        f"`{name}` stands in a message of the {role}, where it has no meaning; kept, not read.",
        f"Check the role of this message, or remove `{name}`.",
        (*at, name),
    )


def _read_tool(raw: dict[str, Json], at: Path, draft: Draft) -> None:
    """A result. Gateways and frameworks flag a failed one by `is_error` or `status`, though the API knows neither."""
    if not any(map(raw.get, _NAMES_ITS_CALL)) and read_mislogged(raw, at, draft):
        return
    given, read = raw.get("tool_call_id"), _RESULT
    content = result_blocks(raw.get("content"), (*at, "content"), draft)
    call, failed = given if isinstance(given, str) else "", None
    if len(raw) > 3 or not isinstance(given, str) or "content" not in raw:
        flag = next((name for name in _FLAGS if isinstance(raw.get(name), bool)), "")
        status = raw.get("status")
        if flag:
            failed, read = raw[flag], read | {flag}
        elif isinstance(status, str) and status in _FAILED:
            failed, read = _FAILED[status], read | {"status"}
        if not isinstance(given, str):
            read -= {"tool_call_id"}
        draft.keep(raw, read, at)
        if not call and isinstance(name := raw.get("name") or raw.get("tool_name"), str):
            call = _call_named(name, at, draft)
    draft.add(Role.TOOL, (ToolResult(call, content, failed),), at)


def _call_named(name: str, at: Path, draft: Draft) -> str:
    """The id of the call of this tool in the last assistant message that has no result yet; empty if there is none."""
    answered: set[str] = set()
    found = ""
    for message in reversed(draft.messages):
        if message.role is Role.ASSISTANT:
            calls = (block.id for block in message.content if isinstance(block, ToolCall) and block.name == name)
            found = next((call for call in calls if call and call not in answered), "")
            break
        answered.update(block.tool_call_id for block in message.content if isinstance(block, ToolResult))
    if found:
        draft.note("result-by-name", f"This tool result names no call; joined to the call of `{shown(name)}`.", at)
    return found


def _read_function(raw: dict[str, Json], at: Path, draft: Draft) -> None:
    """A legacy result: it names its function, and that name is what joins it to the call."""
    name = raw.get("name")
    content = result_blocks(raw.get("content"), (*at, "content"), draft)
    draft.add(Role.TOOL, (ToolResult(name if isinstance(name, str) else "", content),), at)
    draft.keep(raw, _FUNCTION, at)


OPENAI_CHAT_REQUEST = Format(
    "openai-chat-request",
    "OpenAI Chat request",
    "`messages` (or a bare list) of `role` and `content`; `tool_calls`, role `tool`, `image_url` parts",
    "nothing; fields beside role, content and calls are kept as extras",
    match_request,
    read_request,
    holds=Holds.REQUEST,
    example="bare-message-array",
)
