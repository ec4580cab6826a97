"""The content, calls and results of OpenAI Chat messages: of requests and responses.

Gateways mix dialects, so a content part in Anthropic form is read as what it is.
"""

from __future__ import annotations

from typing import Literal

from ..json_text import clean_object, compact
from ..model import Block, Json, Media, Reasoning, Refusal, Text, ToolCall, Unknown, quick_call
from ..positions import Path
from ..remarks import shown
from .anthropic_blocks import MEDIA as ANTHROPIC_MEDIA
from .anthropic_blocks import block_of
from .arguments import arguments
from .draft import Draft

PROVIDER = "openai"

#: Part types that are media: their kind, and the field that holds the source.
MEDIA: dict[str, tuple[Literal["image", "audio", "video", "file"], str]] = {
    "image_url": ("image", "image_url"),
    "input_audio": ("audio", "input_audio"),
    "video_url": ("video", "video_url"),
    "file": ("file", "file"),
}

_PLAIN = frozenset({"role", "content", "tool_calls"})
_ASSISTANT = frozenset(
    {"role", "content", "refusal", "tool_calls", "function_call", "reasoning", "reasoning_content", "audio"}
)
_CALL = frozenset({"id", "type", "index", "function", "custom"})
_FUNCTION_BODY = frozenset({"name", "arguments"})
#: Where a call without a body of its own keeps its arguments.
_FLAT = ("arguments", "args", "input")
_ANTHROPIC = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking"})


def assistant_blocks(raw: dict[str, Json], at: Path, draft: Draft) -> list[Block]:
    """The blocks of an assistant message: reasoning, content, refusal, audio, calls."""
    if raw.keys() <= _PLAIN:
        blocks = content_blocks(raw.get("content"), (*at, "content"), draft)
        return _with_calls(blocks, raw["tool_calls"], (*at, "tool_calls"), draft) if raw.get("tool_calls") else blocks
    thoughts = [raw[key] for key in ("reasoning_content", "reasoning") if raw.get(key)]
    blocks = [Reasoning(text) for text in dict.fromkeys(t for t in thoughts if isinstance(t, str))]
    blocks += [_misfit("reasoning", t, at, draft) for t in thoughts if not isinstance(t, str)]
    blocks += content_blocks(raw.get("content"), (*at, "content"), draft)
    if refusal := raw.get("refusal"):
        blocks.append(Refusal(refusal) if isinstance(refusal, str) else _misfit("refusal", refusal, at, draft))
    if raw.get("audio"):
        blocks.append(Media("audio", raw["audio"]))
    if raw.get("tool_calls"):
        blocks = _with_calls(blocks, raw["tool_calls"], (*at, "tool_calls"), draft)
    if raw.get("function_call"):
        blocks.append(_function_call(raw["function_call"], (*at, "function_call"), draft))
    draft.keep(raw, _ASSISTANT, at)
    return blocks


def content_blocks(content: Json, at: Path, draft: Draft) -> list[Block]:
    """The blocks of a content: a text, a list of parts, or nothing."""
    if isinstance(content, str):
        return [Text(content)] if content else []
    if content is None:
        return []
    if isinstance(content, list):
        return [part_of(part, (*at, index), draft) for index, part in enumerate(content)]
    draft.warn(
        "wrong-content-type",
        f"`content` is {_kind(content)} where a text or a list of parts is due.",
        "Put it in a list of typed parts, or make it a text.",
        at,
    )
    return [part_of(content, at, draft) if isinstance(content, dict) else Unknown(PROVIDER, content)]


def result_blocks(content: Json, at: Path, draft: Draft) -> tuple[Block, ...]:
    """What a tool gave back. JSON that is no list of parts is its text, so that an error in it stays visible."""
    if content is None or isinstance(content, str):
        return (Text(content),) if content else ()
    if isinstance(content, list) and all(isinstance(p, str) or (isinstance(p, dict) and "type" in p) for p in content):
        return tuple(part_of(part, (*at, index), draft) for index, part in enumerate(content))
    draft.note("json-result", "The result is plain JSON, neither text nor typed parts; read as its JSON text.", at)
    return (Text(compact(content)),)


def _kind(value: Json) -> str:
    return "an object" if isinstance(value, dict) else "a truth value" if isinstance(value, bool) else "a number"


def _misfit(name: str, raw: Json, at: Path, draft: Draft) -> Unknown:
    return draft.unknown(PROVIDER, {name: raw}, f"A `{name}` of unexpected type", (*at, name))


def part_of(part: Json, at: Path, draft: Draft) -> Block:
    """The block of one part; what no rule covers is kept whole, as unknown."""
    if isinstance(part, str):
        draft.note("bare-text-part", "This text stands in the list without a type; read as a text part.", at)
        return Text(part)
    kind = part.get("type") if isinstance(part, dict) else None
    if isinstance(kind, str):
        if kind in ("text", "refusal") and isinstance(part.get(kind), str):
            if len(part) > 2:
                draft.keep(part, ("type", kind), at)
            return Text(part["text"]) if kind == "text" else Refusal(part["refusal"])
        if kind in MEDIA and MEDIA[kind][1] in part:
            media, key = MEDIA[kind]
            draft.keep(part, ("type", key), at)
            return Media(media, part[key])
        if kind in _ANTHROPIC or (kind in ANTHROPIC_MEDIA and "source" in part):
            draft.note("other-dialect", f"This is a `{kind}` block of Anthropic Messages; read as that.", at)
            return block_of(part, at, draft)
    what = f"A part of type `{shown(kind)}`" if kind else "A part without a type"
    return draft.unknown(PROVIDER, part, what, at)


def _with_calls(blocks: list[Block], raw: Json, at: Path, draft: Draft) -> list[Block]:
    """The blocks with the calls behind them; a call that stands among the blocks already is not doubled."""
    calls = _calls(raw, at, draft)
    if not blocks or (len(blocks) == 1 and type(blocks[0]) is Text):
        return blocks + calls
    known = {block.id for block in blocks if isinstance(block, ToolCall) and block.id}
    doubled = [call for call in calls if isinstance(call, ToolCall) and call.id in known]
    if doubled:
        draft.note("doubled-call", "`tool_calls` repeats calls that stand in the content; each is read once.", at)
    return blocks + [call for call in calls if call not in doubled]


def _calls(raw: Json, at: Path, draft: Draft) -> list[Block]:
    if not isinstance(raw, list):
        draft.warn("wrong-content-type", "`tool_calls` is no list.", "Put the call in a list.", at)
        return [_call(raw, at, draft)]
    return [clean_call(call) or _call(call, (*at, index), draft) for index, call in enumerate(raw)]


def clean_call(raw: Json) -> ToolCall | None:
    """A call that is as the API writes it, which most are: nothing to remark and nothing to keep."""
    if type(raw) is not dict or len(raw) != 3:
        return None
    try:
        given, body = raw["id"], raw["function"]
        if raw["type"] != "function" or type(given) is not str or type(body) is not dict or len(body) != 2:
            return None
        name, text = body["name"], body["arguments"]
    except KeyError:
        return None
    if type(name) is str and name and type(text) is str and (read := clean_object(text)) is not None:
        return quick_call(given, name, read)
    return None


def _call(raw: Json, at: Path, draft: Draft) -> Block:
    kind = raw.get("type", "function") if isinstance(raw, dict) else None
    body = raw.get(kind) if kind == "function" or kind == "custom" else None
    if not isinstance(kind, str) or not isinstance(body, dict):
        return _flat_call(raw, at, draft)
    inside = (*at, kind)
    name, given = body.get("name"), raw.get("id")
    if not isinstance(name, str) or not name:
        name = _named(name, draft, at)
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


def _flat_call(raw: Json, at: Path, draft: Draft) -> Block:
    """A call whose name and arguments stand in the call itself, as agent frameworks store it."""
    name = raw.get("name") if isinstance(raw, dict) else None
    where = next((key for key in _FLAT if isinstance(raw, dict) and key in raw), None)
    if not isinstance(name, str) or not name or where is None:
        kind = raw.get("type") if isinstance(raw, dict) else None
        what = f"A tool call of type `{shown(kind)}`" if kind else "A tool call without a `function`"
        return draft.unknown(PROVIDER, raw, what, at)
    draft.note("flat-call", f"The call of `{shown(name)}` has no `function` around it; read all the same.", at)
    given = raw.get("id")
    draft.keep(raw, ("type", "name", where, "id") if isinstance(given, str) else ("type", "name", where), at)
    read = arguments(raw[where], name, draft, (*at, where))
    return ToolCall(given if isinstance(given, str) else "", name, read)


def _function_call(raw: Json, at: Path, draft: Draft) -> Block:
    if not isinstance(raw, dict):
        return draft.unknown(PROVIDER, {"function_call": raw}, "A `function_call` that is no object", at)
    name = _named(raw.get("name"), draft, at)
    draft.keep(raw, ("name", "arguments"), at)
    return ToolCall(name, name, arguments(raw.get("arguments"), name, draft, (*at, "arguments")))


def _named(name: Json, draft: Draft, at: Path) -> str:
    if isinstance(name, str) and name:
        return name
    draft.warn("call-without-name", "This tool call names no tool.", "Add the name of the tool.", at)
    return "" if name is None else str(name)
