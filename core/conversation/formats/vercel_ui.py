"""Messages of the Vercel AI SDK as its chat hooks keep them: `parts` with their states, or older `toolInvocations`."""

from __future__ import annotations

from ..json_text import compact
from ..model import Block, Json, Reasoning, Text, ToolCall, ToolResult
from ..positions import Path
from ..remarks import shown
from .arguments import arguments
from .draft import Draft, role_named
from .format import Format, Holds, Match
from .interleaved import Interleaved
from .message_list import MessageList, message_list
from .openai_chat import note_form
from .source import LOOKED_AT, Source
from .vercel_parts import PROVIDER, is_aside, media_of

_PARTS, _OLD = "parts", "toolInvocations"
_ATTACHED = ("experimental_attachments", "attachments")
_MESSAGE = frozenset({"role", _PARTS, *_ATTACHED})
_TOOL_PART, _DYNAMIC, _OLD_PART = "tool-", "dynamic-tool", "tool-invocation"
#: Kinds of parts that traces have.
_FOREIGN = frozenset({"tool_call", "tool_call_response"})
#: What a part of a tool is read of.
_CALL = frozenset({"type", "toolCallId", "toolName", "state", "input", "args", "output", "result", "errorText"})
_ANSWERED = ("output-available", "result")
_ANSWERS = frozenset({"output", "result", "errorText"})
_STATES = frozenset(
    "input-streaming input-available approval-requested approval-responded output-available output-error "
    "output-denied partial-call call result".split()
)


def match_ui(source: Source) -> Match | None:
    """Score messages whose parts name their `type`, or that hold tool invocations."""
    found, _ = _messages(source)
    if found is None or not found.roles or (_PARTS not in found.front_fields and _OLD not in found.front_fields):
        return None
    for message in found.items[:LOOKED_AT]:
        if isinstance(message, dict) and isinstance(message.get(_PARTS), list) and _are_parts(message[_PARTS]):
            return Match(0.95, f"messages with `{_PARTS}` that name their `type`")
        if isinstance(message, dict) and _are_invocations(message.get(_OLD)):
            return Match(0.95, f"messages with `{_OLD}`")
    return None


def _are_parts(parts: list[Json]) -> bool:
    """Whether parts are of this kind: typed, and what is said under `text`; traces have it under `content`."""
    typed = [p for p in parts if isinstance(p, dict) and isinstance(p.get("type"), str)]
    foreign = (p["type"] in _FOREIGN or ("content" in p and "text" not in p) for p in typed)
    return bool(typed) and not any(foreign)


def _are_invocations(value: Json) -> bool:
    return isinstance(value, list) and any(isinstance(v, dict) and "toolCallId" in v for v in value)


def _messages(source: Source) -> tuple[MessageList | None, str]:
    """The messages of a body, a bare list or one message; of a body that sends its newest message only, that one."""
    value = source.value
    if isinstance(value, dict) and "messages" not in value:
        if isinstance(value.get("message"), dict):
            return message_list({"messages": value["message"]}, source.path), "message"
        if isinstance(value.get("role"), str) and _PARTS in value:
            return message_list([value], source.path), ""
    return source.messages, "messages"


def read_ui(source: Source, draft: Draft) -> None:
    """Read each message; all other fields of the body are kept as extras."""
    found, name = _messages(source)
    if found is None:
        return
    if name == "messages":
        note_form(found, draft)
    body = source.value if isinstance(source.value, dict) else {}
    for raw, at in [(body.get("message"), (*source.path, name))] if name == "message" else found.with_paths():
        _read_message(raw, at if name else source.path, draft)
    if name in body:
        draft.keep(body, (name,), source.path)


def _read_message(raw: Json, at: Path, draft: Draft) -> None:
    role = role_named(raw.get("role")) if isinstance(raw, dict) else None
    if role is None:
        draft.add_unread(raw.get("role") if isinstance(raw, dict) else None, PROVIDER, raw, at)
        return
    made = Interleaved(role, at, draft)
    parts = raw.get(_PARTS)
    if isinstance(parts, list) and parts:
        calls: set[str | None] = set()
        said: list[str] = []
        for index, part in enumerate(parts):
            _read_part(part, (*at, _PARTS, index), made, calls, said, draft)
        read = _MESSAGE | _repeated(raw, said, calls)
    else:
        _read_older(raw, at, made, draft)
        read = _MESSAGE | {"content", "reasoning", _OLD}
    for name in _ATTACHED:
        held = raw.get(name)
        for index, item in enumerate(held) if isinstance(held, list) else ():
            made.say(media_of(item), (*at, name, index))
    made.end()
    draft.keep(raw, read, at)


def _repeated(raw: dict[str, Json], said: list[str], calls: set[str | None]) -> set[str]:
    """The older fields that only say again what the parts say."""
    read: set[str] = set()
    if raw.get("content") in ("".join(said), "\n".join(said)):
        read.add("content")
    held = raw.get(_OLD)
    if isinstance(held, list) and {_id(h) for h in held} <= calls:
        read.add(_OLD)
    return read


def _id(invocation: Json) -> str | None:
    given = invocation.get("toolCallId") if isinstance(invocation, dict) else None
    return given if isinstance(given, str) else None


def _read_part(part: Json, at: Path, made: Interleaved, calls: set[str | None], said: list[str], draft: Draft) -> None:
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(kind, str):
        made.say(draft.unknown(PROVIDER, part, "A part without a type", at), at)
    elif kind == "text" and isinstance(part.get("text"), str):
        if part["text"]:
            made.say(Text(part["text"]), at)
            said.append(part["text"])
        draft.keep(part, ("type", "text", "state"), at)
    elif kind == "reasoning":
        name = "text" if isinstance(part.get("text"), str) else "reasoning"
        text = part.get(name)
        made.say(Reasoning(text if isinstance(text, str) else ""), at)
        draft.keep(part, ("type", name, "state"), at)
    elif kind == _OLD_PART and isinstance(part.get("toolInvocation"), dict):
        _read_call(part["toolInvocation"], (*at, "toolInvocation"), made, calls, draft)
        draft.keep(part, ("type", "toolInvocation"), at)
    elif kind == _DYNAMIC or kind.startswith(_TOOL_PART):
        _read_call(part, at, made, calls, draft)
    elif kind in ("file", "reasoning-file"):
        made.say(media_of(part), at)
    elif is_aside(kind):
        if kind == "step-start":
            made.end_step()
        draft.keep(part, ("type",), at)
    else:
        made.say(draft.unknown(PROVIDER, part, f"A part of type `{shown(kind)}`", at), at)


def _read_call(part: dict[str, Json], at: Path, made: Interleaved, calls: set[str | None], draft: Draft) -> None:
    """A call, and its result where its state says that there is one."""
    kind, named, given = part.get("type"), part.get("toolName"), part.get("toolCallId")
    name = named if isinstance(named, str) and named else ""
    if not name and isinstance(kind, str) and kind.startswith(_TOOL_PART) and kind != _OLD_PART:
        name = kind[len(_TOOL_PART) :]
    if not name:
        draft.warn("call-without-name", "This tool call names no tool.", "Add the name of the tool.", at)
    call, state = given if isinstance(given, str) else "", part.get("state")
    calls.add(call)
    field = next((key for key in ("input", "args", "rawInput") if part.get(key) is not None), "input")
    read = arguments(part.get(field), name, draft, (*at, field))
    made.call(ToolCall(call, name, read), at)
    if state in ("input-streaming", "partial-call"):
        draft.warn(
            "call-unfinished",
            f"The call of `{shown(name)}` was still being written; its arguments may lack their end.",
            "Paste the conversation once the call is done.",
            at,
        )
    result = _result(part, state, call, at, draft)
    read_fields = _CALL | {field} if isinstance(given, str) else (_CALL | {field}) - {"toolCallId"}
    if result is not None:
        made.answer(result, at)
    else:
        # What stands there in a state that knows no result, or in one that is not known.
        read_fields = read_fields - _ANSWERS
    if not (isinstance(state, str) and state in _STATES):
        read_fields = read_fields - {"state"}
    draft.keep(part, read_fields, at)


def _result(part: dict[str, Json], state: Json, call: str, at: Path, draft: Draft) -> ToolResult | None:
    if state == "output-error":
        text = part.get("errorText")
        content: tuple[Block, ...] = (Text(text),) if isinstance(text, str) and text else ()
        return ToolResult(call, content or _content(part.get("output")), True)
    if state == "output-denied":
        approval = part.get("approval")
        reason = approval.get("reason") if isinstance(approval, dict) else None
        draft.note("call-denied", "The user denied this call; it counts as failed.", at)
        return ToolResult(call, (Text(reason),) if isinstance(reason, str) and reason else (), True)
    field = "output" if "output" in part else "result"
    if state in _ANSWERED or (field in part and state is None):
        return ToolResult(call, _content(part.get(field)))
    return None


def _content(value: Json) -> tuple[Block, ...]:
    """What a tool gave back: a text, or any JSON as its text."""
    if value is None or value == "":
        return ()
    return (Text(value if isinstance(value, str) else compact(value)),)


def _read_older(raw: dict[str, Json], at: Path, made: Interleaved, draft: Draft) -> None:
    """A message without parts: what is said stands before the calls of the first step, or behind later steps."""
    thought, content, held = raw.get("reasoning"), raw.get("content"), raw.get(_OLD)
    if isinstance(thought, str) and thought:
        made.say(Reasoning(thought), (*at, "reasoning"))
    listed = held if isinstance(held, list) else []
    draft.keep({str(i): item for i, item in enumerate(listed) if not isinstance(item, dict)}, (), (*at, _OLD))
    invocations = [item if isinstance(item, dict) else {} for item in listed]
    steps = [item.get("step") if isinstance(item.get("step"), int) else 0 for item in invocations]
    said = Text(content) if isinstance(content, str) and content else None
    if said is not None and not any(steps):
        made.say(said, (*at, "content"))
    for index, (item, step) in enumerate(zip(invocations, steps, strict=True)):
        if index and step != steps[index - 1]:
            made.end_step()
        if item:
            _read_call(item, (*at, _OLD, index), made, set(), draft)
    if said is not None and any(steps):
        made.say(said, (*at, "content"))
    if content is not None and not isinstance(content, str):
        made.say(draft.unknown(PROVIDER, content, "A `content` that is no text", (*at, "content")), at)


VERCEL_UI_MESSAGES = Format(
    "vercel-ui-messages",
    "Vercel AI SDK messages (UI)",
    "messages with typed `parts` (`tool-NAME`, `dynamic-tool`, `step-start`) or `toolInvocations`",
    "nothing; sources, data parts and metadata are kept as extras",
    match_ui,
    read_ui,
    holds=Holds.REQUEST,
    fields=frozenset({"messages", "message", _PARTS, _OLD}),
    tells=frozenset({_PARTS, _OLD, "message"}),
    priority=2,
)
