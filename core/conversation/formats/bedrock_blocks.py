"""The content blocks of Bedrock Converse, each named by the one field it has; of requests, replies and streams."""

from __future__ import annotations

from typing import Literal

from ..json_text import MAX_DEPTH, TooDeep, compact
from ..model import Block, Json, Media, Reasoning, Text, ToolCall, ToolResult
from ..positions import Path
from ..remarks import shown
from .arguments import arguments
from .draft import Draft

PROVIDER = "bedrock"

#: Blocks that only Converse names so, without a `type`.
TELLING = frozenset(
    {
        "toolUse",
        "toolResult",
        "reasoningContent",
        "cachePoint",
        "guardContent",
        "citationsContent",
        "searchResult",
        "document",
        "video",
        "image",
        "audio",
    }
)
_MEDIA: dict[str, Literal["image", "audio", "video", "file"]] = {
    "image": "image",
    "audio": "audio",
    "video": "video",
    "document": "file",
}
_FAILED = {"error": True, "success": False}


def blocks_of(content: Json, at: Path, draft: Draft) -> list[Block]:
    """The blocks of a content: a list of blocks; a bare text or one block is read all the same."""
    if isinstance(content, str):
        return [Text(content)] if content else []
    if content is None:
        return []
    if isinstance(content, list):
        made: list[Block] = []
        for index, block in enumerate(content):
            clean = _clean(block)
            made += _blocks(block, (*at, index), draft) if clean is None else (clean,)
        return made
    draft.warn("wrong-content-type", "This is no list of blocks.", "Put it in a list of blocks.", at)
    return _blocks(content, at, draft)


def _clean(raw: Json) -> Block | None:
    """A block that is as the API writes it, with nothing to remark and nothing to keep; None for all else."""
    if type(raw) is not dict or len(raw) != 1:
        return None
    ((key, value),) = raw.items()
    if key == "text":
        return Text(value) if type(value) is str else None
    if type(value) is not dict or type(given := value.get("toolUseId")) is not str:
        return None
    if key == "toolUse" and len(value) == 3:
        name, taken = value.get("name"), value.get("input")
        return ToolCall(given, name, taken) if type(name) is str and name and type(taken) is dict else None
    if key == "toolResult":
        status, content = value.get("status"), value.get("content")
        known = len(value) == 2 if status is None else len(value) == 3 and (status == "success" or status == "error")
        if known and type(content) is list and len(content) == 1 and type(inner := _clean(content[0])) is Text:
            return ToolResult(given, (inner,), None if status is None else status == "error")
    return None


def _blocks(raw: Json, at: Path, draft: Draft) -> list[Block]:
    if isinstance(raw, str):
        draft.note("bare-text-part", "This text stands in the list without a name; read as a text block.", at)
        return [Text(raw)]
    held = [key for key, value in raw.items() if value is not None] if isinstance(raw, dict) else []
    # SDKs print the kind of a block beside it.
    known = [key for key in held if key in _READERS and not (key == "text" and not isinstance(raw[key], str))]
    if not known:
        what = f"A block with `{shown(held[0])}`" if held else "A block that holds nothing"
        return [draft.unknown(PROVIDER, raw, what, at)]
    draft.keep(raw, (*known, "type") if raw.get("type") == "text" else known, at)
    return [made for key in known for made in _READERS[key](raw[key], key, (*at, key), draft)]


def _text(raw: Json, key: str, at: Path, draft: Draft) -> list[Block]:
    return [Text(raw)]


def _media(raw: Json, key: str, at: Path, draft: Draft) -> list[Block]:
    return [Media(_MEDIA[key], raw)]


def _cache_point(raw: Json, key: str, at: Path, draft: Draft) -> list[Block]:
    """A mark for the cache, no content."""
    draft.keep({key: raw}, (), at[:-1])
    return []


def _reasoning(raw: Json, key: str, at: Path, draft: Draft) -> list[Block]:
    text = raw.get("reasoningText") if isinstance(raw, dict) else None
    if isinstance(text, dict) and isinstance(text.get("text", ""), str):
        draft.keep(text, ("text",), (*at, "reasoningText"))
        draft.keep(raw, ("reasoningText",), at)
        return [Reasoning(text.get("text", ""))]
    if isinstance(raw, dict) and "redactedContent" in raw:
        draft.keep(raw, (), at)
        return [Reasoning("")]
    return [draft.unknown(PROVIDER, {key: raw}, "A `reasoningContent` without a text", at)]


def _guarded(raw: Json, key: str, at: Path, draft: Draft) -> list[Block]:
    """Content that a guardrail looks at; to the model it is content like any other."""
    text = raw.get("text") if isinstance(raw, dict) else None
    if isinstance(text, dict) and isinstance(text.get("text"), str):
        draft.keep(text, ("text",), (*at, "text"))
        draft.keep(raw, ("text",), at)
        return [Text(text["text"])]
    if isinstance(raw, dict) and "image" in raw:
        draft.keep(raw, ("image",), at)
        return [Media("image", raw["image"])]
    return [draft.unknown(PROVIDER, {key: raw}, "A `guardContent` of unknown kind", at)]


def _cited(raw: Json, key: str, at: Path, draft: Draft) -> list[Block]:
    content = raw.get("content") if isinstance(raw, dict) else None
    if not isinstance(content, list):
        return [draft.unknown(PROVIDER, {key: raw}, "A `citationsContent` without a content", at)]
    draft.keep(raw, ("content",), at)
    return blocks_of(content, (*at, "content"), draft)


def _json(raw: Json, key: str, at: Path, draft: Draft) -> list[Block]:
    """A result as JSON: its text, so that an error in it stays visible."""
    return [Text(compact(raw))]


def _call(raw: Json, key: str, at: Path, draft: Draft) -> list[Block]:
    if not isinstance(raw, dict):
        return [draft.unknown(PROVIDER, {key: raw}, "A `toolUse` that is no object", at)]
    given, name = raw.get("toolUseId"), raw.get("name")
    if not isinstance(name, str) or not name:
        draft.warn("call-without-name", "This tool call names no tool.", "Add the name of the tool.", at)
        name = "" if name is None else compact(name)
    read = ("toolUseId", "name", "input") if isinstance(given, str) else ("name", "input")
    draft.keep(raw, read, at)
    taken = arguments(raw.get("input"), name, draft, (*at, "input"))
    return [ToolCall(given if isinstance(given, str) else "", name, taken)]


def _result(raw: Json, key: str, at: Path, draft: Draft) -> list[Block]:
    if len(at) > MAX_DEPTH:
        raise TooDeep
    if not isinstance(raw, dict):
        return [draft.unknown(PROVIDER, {key: raw}, "A `toolResult` that is no object", at)]
    given, status = raw.get("toolUseId"), raw.get("status")
    failed = _FAILED.get(status) if isinstance(status, str) else None
    read = ["content"]
    read += ["toolUseId"] if isinstance(given, str) else []
    read += ["status"] if failed is not None else []
    draft.keep(raw, read, at)
    content = tuple(blocks_of(raw.get("content"), (*at, "content"), draft))
    return [ToolResult(given if isinstance(given, str) else "", content, failed)]


_READERS = {
    "text": _text,
    **dict.fromkeys(_MEDIA, _media),
    "cachePoint": _cache_point,
    "reasoningContent": _reasoning,
    "guardContent": _guarded,
    "citationsContent": _cited,
    "json": _json,
    "toolUse": _call,
    "toolResult": _result,
}
