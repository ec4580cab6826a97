"""The items of OpenAI Responses: of requests, responses, streams, and wherever else they are stored.

Items that a model wrote one behind the other - reasoning, calls, text - are one assistant message.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from ..json_text import compact
from ..model import Block, Json, Media, Message, Reasoning, Refusal, Role, Text, ToolCall, ToolResult, Unknown
from ..positions import Path, path_text
from ..remarks import shown
from .arguments import arguments
from .draft import Draft, role_named

PROVIDER = "openai"

#: Types of items beside `message`; further ones end in `_call` or `_call_output`.
TYPES = frozenset({"reasoning", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"})
#: Types of content parts that no other API has.
PARTS = frozenset({"input_text", "output_text", "input_image", "input_file"})
#: Parts that are media: their kind, and the fields one of which holds the source.
_MEDIA: dict[str, tuple[Literal["image", "audio", "file"], tuple[str, ...]]] = {
    "input_image": ("image", ("image_url", "file_id")),
    "computer_screenshot": ("image", ("image_url", "file_id")),
    "input_audio": ("audio", ("input_audio", "data")),
    "input_file": ("file", ("file_data", "file_url", "file_id")),
}
_TEXTS = frozenset({"input_text", "output_text", "text", "summary_text", "reasoning_text"})
#: Items beside calls that stand among what the model wrote.
_HOSTED = ("mcp_list_tools", "mcp_approval_request")
#: Where calls of tools other than functions keep what the tool is given.
_GIVEN = ("input", "action", "operation", "arguments")
_STATUS_FAILED = ("failed", "incomplete")
#: What is read of items; a call of another kind has its input elsewhere.
_MESSAGE = frozenset({"type", "role", "content", "id", "status"})
_RESULT = frozenset({"type", "id", "call_id", "output", "status"})
_CALL = frozenset({"type", "id", "call_id", "name", "status"})
_FUNCTION_CALL = _CALL | {"arguments"}


def read_items(items: Iterable[tuple[Json, Path]], draft: Draft) -> None:
    """Read items, each with its path, into the draft."""
    reader = _Items(draft)
    for item, at in items:
        reader.read(item, at)
    reader.close()


def is_item(value: Json) -> bool:
    """Whether a value is an item that only this API has."""
    kind = value.get("type") if isinstance(value, dict) else None
    if kind == "message":
        content = value.get("content")
        return isinstance(content, list) and any(_type(p) in PARTS for p in content)
    if not isinstance(kind, str) or kind == "tool_call":
        return False
    return kind in TYPES or (kind.endswith(("_call", "_call_output")) and ("call_id" in value or "id" in value))


def is_output(value: Json) -> bool:
    """Whether a value is an item that a model wrote."""
    kind = value.get("type") if isinstance(value, dict) else None
    if kind == "message" or kind is None:
        return isinstance(value, dict) and value.get("role") == "assistant"
    return kind == "reasoning" or (isinstance(kind, str) and kind.endswith("_call"))


class _Items:
    """Reads items one by one; what the model wrote is gathered until something else stands there."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._blocks: list[Block] = []
        self._at: Path | None = None

    def close(self) -> None:
        """End the assistant message that is being gathered."""
        if self._at is not None:
            self._draft.add(Role.ASSISTANT, self._blocks, self._at)
        self._blocks, self._at = [], None

    def read(self, item: Json, at: Path) -> None:
        """Read one item."""
        kind = item.get("type", "message") if isinstance(item, dict) else None
        if kind == "message":
            self._message(item, at)
        elif kind == "reasoning":
            self._say([_reasoning(item, at, self._draft)], at)
        elif kind in _HOSTED:
            self._say([self._draft.unknown(PROVIDER, item, f"A `{shown(kind)}` of the provider", at)], at)
        elif kind == "additional_tools":
            self._draft.extras[path_text(at)] = item
            self._draft.note("tools-item", "This item declares tools; it is kept, and is no turn.", at)
        elif isinstance(kind, str) and kind.endswith("_output") and "output" in item:
            self.close()
            self._draft.add(Role.TOOL, (_result(item, at, self._draft),), at)
        elif isinstance(kind, str) and kind.endswith("_call"):
            self._say([_call(item, kind, at, self._draft)], at)
        else:
            self.close()
            self._unknown(item, kind, at)

    def _say(self, blocks: list[Block], at: Path) -> None:
        self._at = at if self._at is None else self._at
        self._blocks += blocks

    def _message(self, item: dict[str, Json], at: Path) -> None:
        draft, role = self._draft, role_named(item.get("role"))
        if role is None or role is Role.TOOL:
            self.close()
            draft.add_unread(item.get("role"), PROVIDER, item, at)
            return
        blocks = content_blocks(item.get("content"), (*at, "content"), draft)
        if not item.keys() <= _MESSAGE:
            draft.keep(item, _MESSAGE, at)
        if role is Role.ASSISTANT:
            self._say(blocks, at)
        else:
            self.close()
            draft.add(role, blocks, at)

    def _unknown(self, item: Json, kind: Json, at: Path) -> None:
        """An item no rule covers: whose it is, is not known, so it takes no role but the name of its type."""
        name = kind if isinstance(kind, str) and kind else "(no type)"
        self._draft.messages.append(Message(Role.USER, (Unknown(PROVIDER, item),), name))
        self._draft.messages_at.append(at)
        what = f"An item of type `{shown(name)}`" if kind else "This is no item; it"
        self._draft.warn(
            "unknown-item",
            f"{what} is kept unread, and the request is unsupported.",
            "Remove it, if the conversation is the same without it.",
            at,
        )


def content_blocks(content: Json, at: Path, draft: Draft) -> list[Block]:
    """The blocks of a message's or a result's content: a text, or a list of parts."""
    if isinstance(content, str):
        return [Text(content)] if content else []
    if content is None:
        return []
    if isinstance(content, list):
        return [_part(part, (*at, index), draft) for index, part in enumerate(content)]
    return [_part(content, at, draft)]


def _part(part: Json, at: Path, draft: Draft) -> Block:
    if isinstance(part, str):
        draft.note("bare-text-part", "This text stands in the list without a type; read as a text part.", at)
        return Text(part)
    kind = part.get("type") if isinstance(part, dict) else None
    if isinstance(kind, str) and kind in _TEXTS and isinstance(part.get("text"), str):
        if len(part) > 2:
            draft.keep(part, ("type", "text"), at)
        return Text(part["text"])
    if kind == "refusal" and isinstance(part.get("refusal"), str):
        draft.keep(part, ("type", "refusal"), at)
        return Refusal(part["refusal"])
    if isinstance(kind, str) and kind in _MEDIA:
        media, names = _MEDIA[kind]
        name = next((name for name in names if part.get(name)), None)
        if name is not None:
            draft.keep(part, ("type", name), at)
            return Media(media, part[name])
    what = f"A part of type `{shown(kind)}`" if kind else "A part without a type"
    return draft.unknown(PROVIDER, part, what, at)


def _reasoning(item: dict[str, Json], at: Path, draft: Draft) -> Reasoning:
    texts = []
    read = {"type", "id", "status"}
    for name in ("summary", "content"):
        parts = item.get(name)
        found = [p["text"] for p in parts if _has_text(p)] if isinstance(parts, list) else []
        if isinstance(parts, list) and len(found) == len(parts):
            read.add(name)
        texts += found
    draft.keep(item, read, at)
    return Reasoning("\n".join(texts))


def _has_text(part: Json) -> bool:
    return _type(part) in _TEXTS and isinstance(part.get("text"), str)


def _type(part: Json) -> str:
    """The type of a part; empty where it names none."""
    kind = part.get("type") if isinstance(part, dict) else None
    return kind if isinstance(kind, str) else ""


def _call(item: dict[str, Json], kind: str, at: Path, draft: Draft) -> Block:
    """A call of the caller's tools; one that the provider ran itself is kept whole, with its result."""
    given = item.get("call_id")
    if not isinstance(given, str) and kind != "function_call":
        failed = item.get("error") or item.get("status") in _STATUS_FAILED
        if failed:
            draft.warn(
                "hosted-call-failed",
                f"This `{shown(kind)}`, which the provider ran itself, failed.",
                "Look at the item; no rule about tool errors counts it.",
                at,
            )
        return draft.unknown(PROVIDER, item, f"A `{shown(kind)}`, which the provider ran itself,", at)
    name = item.get("name")
    if kind in ("function_call", "custom_tool_call"):
        field = "arguments" if kind == "function_call" else "input"
        if not isinstance(name, str) or not name:
            draft.warn("call-without-name", "This tool call names no tool.", "Add the name of the tool.", at)
            name = "" if name is None else compact(name)
    else:
        name = name if isinstance(name, str) and name else kind.removesuffix("_call")
        field = next((field for field in _GIVEN if field in item), "")
    if kind != "function_call" or not item.keys() <= _FUNCTION_CALL:
        draft.keep(item, _CALL | {field}, at)
    raw, where = item.get(field), (*at, field)
    if kind == "function_call":
        read = arguments(raw, name, draft, where)
    elif isinstance(raw, dict):
        read = raw
    else:
        draft.note("custom-tool", f"The input of `{shown(name)}` is free text; read as one argument, `input`.", at)
        read = {"input": raw}
    return ToolCall(given if isinstance(given, str) else "", name, read)


def _result(item: dict[str, Json], at: Path, draft: Draft) -> ToolResult:
    given, output, where = item.get("call_id"), item.get("output"), (*at, "output")
    if not item.keys() <= _RESULT:
        draft.keep(item, _RESULT, at)
    if isinstance(output, (str, list)) or output is None or (isinstance(output, dict) and "type" in output):
        blocks = content_blocks(output, where, draft)
    else:
        draft.note("json-result", "The result is plain JSON, neither text nor typed parts; read as its text.", where)
        blocks = [Text(compact(output))]
    return ToolResult(given if isinstance(given, str) else "", tuple(blocks))
