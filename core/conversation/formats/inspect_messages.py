"""Messages of Inspect AI: calls with a `function` name and parsed arguments, errors as objects, attachments by name."""

from __future__ import annotations

from typing import Literal

from ..json_text import compact
from ..model import Block, Json, Media, Reasoning, Role, Text, ToolCall, ToolResult
from ..positions import Path, path_text
from ..remarks import shown
from .draft import Draft, role_named

PROVIDER = "inspect"

_ATTACHMENT = "attachment://"
#: Where a message comes from, by the role that it then has.
_SOURCES = {"input": "user", "generate": "assistant"}
_MEDIA: dict[str, tuple[Literal["image", "audio", "video", "file"], str]] = {
    "image": ("image", "image"),
    "audio": ("audio", "audio"),
    "video": ("video", "video"),
    "document": ("file", "document"),
}
_MESSAGE = frozenset({"role", "content"})
_ASSISTANT = frozenset({"role", "content", "tool_calls", "reasoning"})
_RESULT = frozenset({"role", "content", "tool_call_id", "error", "tool_error"})
_CALL = frozenset({"id", "function", "arguments", "type"})


def telling(message: Json) -> str:
    """What of a message only this framework writes; empty where there is nothing."""
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        return ""
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict) and isinstance(call.get("function"), str) and "arguments" in call:
            return "`tool_calls` whose `function` is a name"
    if message["role"] == "tool" and isinstance(message.get("function"), str) and "tool_call_id" in message:
        return "results with the name of their `function`"
    source = message.get("source")
    return "messages with a `source`" if isinstance(source, str) and _SOURCES.get(source) == message["role"] else ""


class Attachments:
    """Long texts and images that a sample keeps apart, by the name that stands in their place."""

    def __init__(self, held: Json, at: Path) -> None:
        self._held: dict[str, Json] = held if isinstance(held, dict) else {}
        self._at = at
        self._used: set[str] = set()

    def resolve(self, value: Json, at: Path, draft: Draft) -> Json:
        """A value with what its references stand for; a reference to nothing stays, with a warning."""
        if isinstance(value, str) and value.startswith(_ATTACHMENT):
            name = value[len(_ATTACHMENT) :]
            if name in self._held:
                self._used.add(name)
                return self._held[name]
            draft.warn(
                "attachment-missing",
                f"The attachment `{shown(name)}` is not in this sample; its reference is read as text.",
                "Paste the sample with its `attachments`.",
                at,
            )
            return value
        if isinstance(value, dict):
            if not any(isinstance(v, (dict, list)) or _refers(v) for v in value.values()):
                return value
            return {key: self.resolve(inner, at, draft) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.resolve(inner, at, draft) for inner in value]
        return value

    def text(self, value: str, at: Path, draft: Draft) -> str:
        """A text, or the text that it refers to."""
        found = self.resolve(value, at, draft)
        return found if isinstance(found, str) else compact(found)

    def keep_rest(self, draft: Draft) -> None:
        """Keep the attachments that no message refers to."""
        if rest := {name: value for name, value in self._held.items() if name not in self._used}:
            draft.extras[path_text((*self._at, "attachments"))] = rest


def _refers(value: Json) -> bool:
    return isinstance(value, str) and value.startswith(_ATTACHMENT)


def read_message(raw: Json, at: Path, attachments: Attachments, draft: Draft) -> None:
    """Read one message of a sample into the draft."""
    role = role_named(raw.get("role")) if isinstance(raw, dict) else None
    if role is None or role is Role.DEVELOPER:
        draft.add_unread(raw.get("role") if isinstance(raw, dict) else None, PROVIDER, raw, at)
        return
    blocks = _blocks(raw.get("content"), (*at, "content"), attachments, draft)
    if role is Role.TOOL:
        draft.add(role, (_result(raw, blocks, at, attachments, draft),), at)
        return
    if role is Role.ASSISTANT:
        thought = raw.get("reasoning")
        if isinstance(thought, str) and thought:
            blocks.insert(0, Reasoning(attachments.text(thought, (*at, "reasoning"), draft)))
        calls = raw.get("tool_calls")
        for index, call in enumerate(calls) if isinstance(calls, list) else ():
            blocks.append(_call(call, (*at, "tool_calls", index), attachments, draft))
    draft.add(role, blocks, at)
    draft.keep(raw, _ASSISTANT if role is Role.ASSISTANT else _MESSAGE, at)


def _blocks(content: Json, at: Path, attachments: Attachments, draft: Draft) -> list[Block]:
    if isinstance(content, str):
        return [Text(attachments.text(content, at, draft))] if content else []
    if content is None:
        return []
    parts = content if isinstance(content, list) else [content]
    return [_part(part, (*at, index), attachments, draft) for index, part in enumerate(parts)]


def _part(part: Json, at: Path, attachments: Attachments, draft: Draft) -> Block:
    if isinstance(part, str):
        return Text(attachments.text(part, at, draft))
    kind = part.get("type") if isinstance(part, dict) else None
    if kind == "text" and isinstance(part.get("text"), str):
        draft.keep(part, ("type", "text"), at)
        return Text(attachments.text(part["text"], at, draft))
    if kind == "reasoning":
        # Where a provider encrypts it, `reasoning` is not for reading and the summary, if any, is.
        hidden = part.get("redacted") is True
        text = part.get("summary") if hidden else part.get("reasoning")
        draft.keep(part, ("type", "redacted", "summary" if hidden else "reasoning"), at)
        return Reasoning(attachments.text(text, at, draft) if isinstance(text, str) else "")
    if isinstance(kind, str) and kind in _MEDIA and _MEDIA[kind][1] in part:
        return Media(_MEDIA[kind][0], attachments.resolve(part, at, draft))
    what = f"A part of type `{shown(kind)}`" if kind else "A part without a type"
    return draft.unknown(PROVIDER, attachments.resolve(part, at, draft), what, at)


def _call(raw: Json, at: Path, attachments: Attachments, draft: Draft) -> Block:
    function = raw.get("function") if isinstance(raw, dict) else None
    if not isinstance(function, str) or not function:
        return draft.unknown(PROVIDER, raw, "A tool call that names no function", at)
    given, read = raw.get("id"), attachments.resolve(raw.get("arguments"), (*at, "arguments"), draft)
    fault = raw.get("parse_error")
    if isinstance(fault, str) and fault:
        fault = attachments.text(fault, (*at, "parse_error"), draft)
        draft.warn(
            "bad-arguments",
            f"The arguments of `{shown(function)}` could not be parsed when the call was made; it counts as malformed.",
            "See its `parse_error` for what the model wrote.",
            at,
        )
        if read:
            draft.keep({"parse_error": fault}, (), at)
        read = compact(read) if read else fault
    elif not isinstance(read, dict):
        draft.warn(
            "bad-arguments",
            f"The arguments of `{shown(function)}` are not a JSON object; the call counts as malformed.",
            "Correct its arguments.",
            at,
        )
    draft.keep(raw, _CALL | {"parse_error"} if isinstance(given, str) else _CALL - {"id"} | {"parse_error"}, at)
    return ToolCall(given if isinstance(given, str) else "", function, read)


def _result(raw: dict[str, Json], blocks: list[Block], at: Path, attachments: Attachments, draft: Draft) -> ToolResult:
    """A result; what its error says is what the model read, so it stands with the content."""
    given, error = raw.get("tool_call_id"), raw.get("error")
    error = raw.get("tool_error") if error is None else error
    message = error.get("message") if isinstance(error, dict) else error
    if isinstance(message, str) and message:
        message = attachments.text(message, (*at, "error"), draft)
        if not any(isinstance(block, Text) and message in block.text for block in blocks):
            blocks.append(Text(message))
    draft.keep(raw, _RESULT if isinstance(given, str) else _RESULT - {"tool_call_id"}, at)
    if isinstance(error, dict):
        draft.keep(error, ("message",), (*at, "error"))
    return ToolResult(given if isinstance(given, str) else "", tuple(blocks), True if error else None)
