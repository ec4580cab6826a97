"""The content blocks of Anthropic Messages: of requests and responses, and wherever else one of them stands."""

from __future__ import annotations

from typing import Literal

from ..json_text import MAX_DEPTH, TooDeep, compact
from ..model import Block, Json, Media, Reasoning, Text, ToolCall, ToolResult, Unknown, quick_call, quick_result
from ..positions import Path
from ..remarks import shown
from .arguments import arguments
from .draft import Draft

PROVIDER = "anthropic"

#: Blocks under these names are kept as media, of this kind.
MEDIA: dict[str, Literal["image", "file"]] = {"image": "image", "document": "file"}

_CALL = frozenset({"type", "id", "name", "input"})
_RESULT = frozenset({"type", "tool_use_id", "is_error", "content"})


def blocks_of(content: Json, at: Path, draft: Draft) -> list[Block]:
    """The blocks of a content: a text, a list of blocks, or nothing."""
    if isinstance(content, str):
        return [Text(content)] if content else []
    if content is None:
        return []
    if isinstance(content, list):
        return [clean_block(block) or block_of(block, (*at, index), draft) for index, block in enumerate(content)]
    draft.warn(
        "wrong-content-type",
        "This is neither a text nor a list of blocks.",
        "Put it in a list of typed blocks, or make it a text.",
        at,
    )
    return [block_of(content, at, draft) if isinstance(content, dict) else Unknown(PROVIDER, content)]


def is_plain(block: Json) -> bool:
    """Whether a block is a text and nothing else, as most are."""
    return type(block) is dict and len(block) == 2 and block.get("type") == "text" and type(block.get("text")) is str


def clean_block(raw: Json) -> Block | None:
    """A block that is as the API writes it, with nothing to remark and nothing to keep; None for all else."""
    if type(raw) is not dict:
        return None
    kind, size = raw.get("type"), len(raw)
    if kind == "text":
        return Text(text) if size == 2 and type(text := raw.get("text")) is str else None
    if kind == "tool_use":
        if size == 4:
            given, name, taken = raw.get("id"), raw.get("name"), raw.get("input")
            if type(given) is str and type(name) is str and name and type(taken) is dict:
                return quick_call(given, name, taken)
    elif kind == "tool_result" and size == 3:
        given, content = raw.get("tool_use_id"), raw.get("content")
        if type(given) is str:
            if type(content) is str and content:
                return quick_result(given, content)
            if type(content) is list and len(content) == 1 and is_plain(content[0]):
                return quick_result(given, content[0]["text"])
    return None


def block_of(raw: Json, at: Path, draft: Draft) -> Block:
    """One block; what no rule covers is kept whole, as unknown."""
    if isinstance(raw, str):
        draft.note("bare-text-part", "This text stands in the list without a type; read as a text block.", at)
        return Text(raw)
    kind = raw.get("type") if isinstance(raw, dict) else None
    if kind == "text" and isinstance(raw.get("text"), str):
        if len(raw) > 2:
            draft.keep(raw, ("type", "text"), at)
        return Text(raw["text"])
    if kind == "tool_use":
        return _call(raw, at, draft)
    if kind == "tool_result":
        return _result(raw, at, draft)
    if kind == "thinking" and isinstance(raw.get("thinking", ""), str):
        draft.keep(raw, ("type", "thinking"), at)
        return Reasoning(raw.get("thinking", ""))
    if kind == "redacted_thinking":
        draft.keep(raw, ("type",), at)
        return Reasoning("")
    if isinstance(kind, str) and kind in MEDIA and "source" in raw:
        draft.keep(raw, ("type", "source"), at)
        return Media(MEDIA[kind], raw["source"])
    what = f"A block of type `{shown(kind)}`" if kind else "A block without a type"
    return draft.unknown(PROVIDER, raw, what, at)


def _call(raw: dict[str, Json], at: Path, draft: Draft) -> ToolCall:
    given, name = raw.get("id"), raw.get("name")
    if not isinstance(name, str) or not name:
        draft.warn("call-without-name", "This tool call names no tool.", "Add the name of the tool.", at)
        name = "" if name is None else compact(name)
    if not (raw.keys() <= _CALL and isinstance(given, str)):
        draft.keep(raw, _CALL if isinstance(given, str) else _CALL - {"id"}, at)
    read = arguments(raw.get("input"), name, draft, (*at, "input"))
    return ToolCall(given if isinstance(given, str) else "", name, read)


def _result(raw: dict[str, Json], at: Path, draft: Draft) -> ToolResult:
    if len(at) > MAX_DEPTH:
        raise TooDeep
    given, failed, content = raw.get("tool_use_id"), raw.get("is_error"), raw.get("content")
    if failed is not None and not isinstance(failed, bool):
        draft.warn(
            "wrong-error-flag",
            "`is_error` is neither true nor false; read as not reported.",
            "Make it true or false.",
            (*at, "is_error"),
        )
        draft.keep(raw, _RESULT - {"is_error"}, at)
        failed = None
    if not (raw.keys() <= _RESULT and isinstance(given, str)):
        draft.keep(raw, _RESULT if isinstance(given, str) else _RESULT - {"tool_use_id"}, at)
    where = (*at, "content")
    if isinstance(content, (str, list)) or content is None:
        blocks = tuple(blocks_of(content, where, draft))
    else:
        note = "The result is plain JSON, neither text nor blocks; read as its JSON text."
        draft.note("json-result", note, where)
        blocks = (Text(compact(content)),)
    return ToolResult(given if isinstance(given, str) else "", blocks, failed)
