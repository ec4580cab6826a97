"""The content and calls of a LangChain assistant message: blocks of every provider, each call once.

LangChain keeps a call up to three times: parsed in `tool_calls` (or, if that failed, in `invalid_tool_calls`), as the
provider wrote it in the content, and raw in `additional_kwargs`. What it parsed counts.
"""

from __future__ import annotations

from typing import Final, Literal

from ..json_text import compact
from ..model import Block, Json, Media, Reasoning, Refusal, Text, ToolCall
from ..positions import Path
from ..remarks import shown
from .anthropic_blocks import block_of
from .arguments import arguments
from .draft import Draft
from .openai_blocks import MEDIA
from .openai_blocks import assistant_blocks as openai_blocks

PROVIDER: Final = "langchain"

#: Media blocks of LangChain's own, by type; one of the fields holds the source.
_MEDIA: Final[dict[str, Literal["image", "audio", "video", "file"]]] = {
    "image": "image",
    "audio": "audio",
    "video": "video",
    "file": "file",
    "text-plain": "file",
    "media": "file",
    "input_image": "image",
    "input_file": "file",
}
_SOURCES: Final = ("url", "base64", "data", "file_id", "image_url", "file_uri", "file_data", "text")
#: Types of calls in a content, and the field that holds the arguments.
_CALLS: Final = {"tool_use": "input", "tool_call": "args", "invalid_tool_call": "args", "function_call": "arguments"}
#: What a call in a content says once more.
_REPEATED: Final = frozenset({"type", "name", "input", "args", "arguments", "call_id", "index", "partial_json"})
_TEXTS: Final = frozenset({"text", "output_text", "input_text"})
_FROM_PROVIDER: Final = frozenset({"thinking", "redacted_thinking", "image", "document", "tool_result"})
_RAW: Final = frozenset({"tool_calls", "function_call", "refusal", "reasoning_content", "audio"})


def content_blocks(content: Json, at: Path, draft: Draft, calls: dict[str, ToolCall] | None = None) -> list[Block]:
    """The blocks of a content; a call that stands in `calls` is taken from there, and out of it."""
    if isinstance(content, str):
        return [Text(content)] if content else []
    if content is None:
        return []
    if not isinstance(content, list):
        return [_block(content, at, draft, calls or {})]
    return [_block(block, (*at, index), draft, calls or {}) for index, block in enumerate(content)]


def assistant_blocks(data: dict[str, Json], at: Path, draft: Draft) -> list[Block]:
    """The blocks of an assistant message: reasoning, content, then the calls that do not stand in the content."""
    parsed = _parsed_calls(data, at, draft)
    by_id = {call.id: call for call in parsed if call.id}
    raw = data.get("additional_kwargs")
    blocks = _beside(raw, (*at, "additional_kwargs"), draft) if isinstance(raw, dict) else []
    blocks += content_blocks(data.get("content"), (*at, "content"), draft, by_id)
    said = {block.id for block in blocks if isinstance(block, ToolCall)}
    blocks += [call for call in parsed if not call.id or call.id not in said]
    if isinstance(raw, dict):
        blocks += _raw_calls(raw, (*at, "additional_kwargs"), draft, blocks)
        draft.keep(raw, _RAW, (*at, "additional_kwargs"))
    return blocks


def _parsed_calls(data: dict[str, Json], at: Path, draft: Draft) -> list[ToolCall]:
    found: list[ToolCall] = []
    for name in ("tool_calls", "invalid_tool_calls"):
        raws = data.get(name)
        if not isinstance(raws, list):
            if raws:
                draft.warn("wrong-content-type", f"`{name}` is no list; it is kept.", "Put the call in a list.", at)
                draft.keep({name: raws}, (), at)
            continue
        for index, raw in enumerate(raws):
            where = (*at, name, index)
            if isinstance(raw, dict) and isinstance(raw.get("function"), dict):
                found += [b for b in openai_blocks({"tool_calls": [raw]}, where, draft) if isinstance(b, ToolCall)]
            elif isinstance(raw, dict):
                found.append(_call(raw, "args" if "args" in raw else "arguments", where, draft))
                if name == "invalid_tool_calls":
                    draft.note(
                        "invalid-tool-call", "LangChain could not take this call apart; its reason is kept.", where
                    )
            else:
                draft.warn("call-unread", "This is no call; it is kept aside.", "Check that nothing is missing.", where)
                draft.keep({name: raws}, (), at)
    return found


def _call(raw: dict[str, Json], field: str, at: Path, draft: Draft) -> ToolCall:
    name = raw.get("name")
    if not isinstance(name, str) or not name:
        draft.warn("call-without-name", "This tool call names no tool.", "Add the name of the tool.", at)
        name = "" if name is None else compact(name)
    # In a content of OpenAI Responses, `id` is the item's and `call_id` the call's.
    key = "call_id" if isinstance(raw.get("call_id"), str) else "id"
    given = raw.get(key)
    draft.keep(raw, ("type", "name", field, *([key] if isinstance(given, str) else ())), at)
    read = arguments(raw.get(field), name, draft, (*at, field))
    return ToolCall(given if isinstance(given, str) else "", name, read)


def _block(raw: Json, at: Path, draft: Draft, calls: dict[str, ToolCall]) -> Block:
    if isinstance(raw, str):
        return Text(raw)
    kind = raw.get("type") if isinstance(raw, dict) else None
    if not isinstance(kind, str):
        return _untyped(raw, at, draft)
    if kind in _TEXTS and isinstance(raw.get("text"), str):
        draft.keep(raw, ("type", "text", "index"), at)
        return Text(raw["text"])
    if kind in _CALLS:
        known = calls.get(raw.get("call_id") or raw.get("id") or "") if _has_id(raw) else None
        if known is not None:
            draft.keep(raw, _REPEATED | ({"id"} if raw.get("call_id") is None else set()), at)
            return known
        return _call(raw, _CALLS[kind], at, draft)
    if kind == "refusal" and isinstance(raw.get("refusal"), str):
        return Refusal(raw["refusal"])
    if kind in ("reasoning", "reasoning_content"):
        return _reasoning(raw, at, draft)
    if kind in MEDIA and MEDIA[kind][1] in raw:
        draft.keep(raw, ("type", MEDIA[kind][1]), at)
        return Media(MEDIA[kind][0], raw[MEDIA[kind][1]])
    if kind in _FROM_PROVIDER and (kind not in _MEDIA or "source" in raw):
        return block_of(raw, at, draft)
    if kind in _MEDIA and (raw.get("source_type") == "id" or any(name in raw for name in _SOURCES)):
        return Media(_MEDIA[kind], {name: value for name, value in raw.items() if name != "type"})
    return draft.unknown(PROVIDER, raw, f"A block of type `{shown(kind)}`", at)


def is_own_media(part: Json) -> bool:
    """Whether a part is media under a name that OpenAI Chat has not."""
    kind = part.get("type") if isinstance(part, dict) else None
    return isinstance(kind, str) and kind in _MEDIA


def _has_id(raw: dict[str, Json]) -> bool:
    return isinstance(raw.get("call_id") or raw.get("id"), str)


def _untyped(raw: Json, at: Path, draft: Draft) -> Block:
    """A block without a type, as Bedrock writes a text."""
    if isinstance(raw, dict) and isinstance(raw.get("text"), str) and len(raw) == 1:
        return Text(raw["text"])
    return draft.unknown(PROVIDER, raw, "A block without a type", at)


def _reasoning(raw: dict[str, Json], at: Path, draft: Draft) -> Reasoning:
    """Reasoning as LangChain, OpenAI Responses or Bedrock writes it; empty where it is encrypted."""
    inner = raw.get("reasoning_content")
    body, where = (inner, (*at, "reasoning_content")) if isinstance(inner, dict) else (raw, at)
    parts = body.get("summary")
    read = {"type", "index"}
    texts = [text for name in ("reasoning", "text") if isinstance(text := body.get(name), str)]
    if texts:
        read |= {"reasoning", "text"}
    elif isinstance(parts, list):
        texts = [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]
        if len(texts) == len(parts):
            read.add("summary")
    draft.keep(body, read, where)
    if body is not raw:
        draft.keep(raw, ("type", "reasoning_content", "index"), at)
    return Reasoning("\n".join(texts))


def _beside(raw: dict[str, Json], at: Path, draft: Draft) -> list[Block]:
    """Reasoning, a refusal and audio that stand beside the content."""
    blocks: list[Block] = []
    for name in ("reasoning_content", "refusal", "audio"):
        value = raw.get(name)
        if not value:
            continue
        if name == "audio":
            blocks.append(Media("audio", value))
        elif isinstance(value, str):
            blocks.append(Reasoning(value) if name == "reasoning_content" else Refusal(value))
        else:
            blocks.append(draft.unknown(PROVIDER, {name: value}, f"A `{name}` of unexpected type", (*at, name)))
    return blocks


def _raw_calls(raw: dict[str, Json], at: Path, draft: Draft, known: list[Block]) -> list[Block]:
    """The calls that stand only as the provider wrote them."""
    calls = [block for block in known if isinstance(block, ToolCall)]
    ids = {call.id for call in calls}
    raws = raw.get("tool_calls")
    if isinstance(raws, list):
        named = [one.get("id") or "" for one in raws if isinstance(one, dict)]
        if calls and len(named) == len(raws) and all(isinstance(one, str) and (not one or one in ids) for one in named):
            return []
        read = openai_blocks({"tool_calls": raws}, at, draft)
        return [block for block in read if not isinstance(block, ToolCall) or not block.id or block.id not in ids]
    if raw.get("function_call") and not calls:
        return openai_blocks({"function_call": raw["function_call"]}, at, draft)
    return []
