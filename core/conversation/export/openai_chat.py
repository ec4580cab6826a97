"""A conversation as OpenAI Chat has it: results in messages of their own, reasoning and error flags nowhere."""

from __future__ import annotations

from collections.abc import Iterable

from ..image_sources import form_of, image_source
from ..json_text import compact
from ..model import Block, Json, Media, Refusal, Role, Text, ToolCall, ToolResult, Unknown
from .written import Native, Turn, Written, attached, pieces_of, segmented

_PROVIDER = "openai"
_SYSTEM = (Role.SYSTEM, Role.DEVELOPER)
#: Part types under which media of other kinds than images stand, and what their source has then.
_OTHER_MEDIA = {"audio": ("input_audio", ("data", "format")), "file": ("file", ("file_id", "file_data"))}


def write_openai_chat(turns: Iterable[Turn]) -> Written:
    """All turns in their order; calls and the results behind them as the API wants them."""
    return Written(attached([native for turn in turns for native in _natives(turn)]))


def stands_alone(turn: Turn) -> bool:
    """Whether a turn becomes one message, which is what it was if it was pasted in this format."""
    results = sum(isinstance(block, ToolResult) for block in turn.message.content)
    return results == 0 if turn.message.role is not Role.TOOL else results == len(turn.message.content) == 1


def _natives(turn: Turn) -> list[Native]:
    message = turn.message
    if message.source_role is not None:
        return [Native(_unread(turn), pieces_of(turn, [message.content]))]
    made = []
    segments = segmented(message.content, lambda index, block: _kind(index, block, turn))
    for piece, blocks in zip(pieces_of(turn, segments), segments, strict=True):
        raw = _message(blocks, turn) if message.role in _SYSTEM else _result(blocks) or _message(blocks, turn)
        made.append(Native(raw, [piece], all(_kind(0, block, turn) is not None for block in blocks)))
    return made


def _kind(index: int, block: Block, turn: Turn) -> object:
    """What may stand in one message: what is said, and each result by itself; None for what cannot be said."""
    if isinstance(block, ToolResult):
        return None if turn.message.role in _SYSTEM else index
    return "said" if _is_said(block, turn) else None


def _is_said(block: Block, turn: Turn) -> bool:
    role = turn.message.role
    if isinstance(block, ToolCall):
        return role is Role.ASSISTANT
    if isinstance(block, (Text, Refusal)):
        return role is Role.ASSISTANT or (isinstance(block, Text) and role is not Role.TOOL)
    return role not in (*_SYSTEM, Role.TOOL) and _part(block, turn) is not None


def _result(blocks: tuple[Block, ...]) -> dict[str, Json] | None:
    """The message of a result; None where the segment holds none."""
    block = next((block for block in blocks if isinstance(block, ToolResult)), None)
    if block is None:
        return None
    texts = [inner.text for inner in block.content if isinstance(inner, Text)]
    content: Json = "" if not texts else texts[0] if len(texts) == 1 and texts[0] else list(map(_text, texts))
    return {"role": "tool", "tool_call_id": block.tool_call_id, "content": content}


def _message(blocks: tuple[Block, ...], turn: Turn) -> dict[str, Json] | None:
    """The message of a segment without results; None where nothing in it can be said."""
    role = turn.message.role
    said = [block for block in blocks if _is_said(block, turn)]
    if role is Role.TOOL or (blocks and not said):
        return None
    calls = [_call(block) for block in said if isinstance(block, ToolCall)]
    rest = [block for block in said if not isinstance(block, ToolCall)]
    raw: dict[str, Json] = {"role": str(role)}
    if len(rest) == 1 and isinstance(rest[0], Text) and rest[0].text:
        raw["content"] = rest[0].text
    elif len(rest) == 1 and isinstance(rest[0], Refusal) and rest[0].text:
        raw |= {"content": None, "refusal": rest[0].text}
    elif len(rest) == 1 and isinstance(rest[0], Media) and role is Role.ASSISTANT:
        raw |= {"content": None, "audio": rest[0].source}
    elif rest:
        raw["content"] = [_part(block, turn) for block in rest]
    else:
        raw["content"] = None if calls else ""
    return raw | {"tool_calls": calls} if calls else raw


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def _part(block: Block, turn: Turn) -> Json:
    """A block as a part of a content; None where there is no such part."""
    if isinstance(block, Text):
        return _text(block.text)
    if isinstance(block, Refusal):
        return {"type": "refusal", "refusal": block.text}
    if isinstance(block, Unknown):
        typed = isinstance(block.raw, dict) and isinstance(block.raw.get("type"), str)
        return block.raw if typed and turn.as_pasted and block.provider == _PROVIDER else None
    return _media(block, turn) if isinstance(block, Media) else None


def _media(block: Media, turn: Turn) -> Json:
    """Media of a user as a part; of an assistant, only audio that the API has by its id."""
    source = block.source
    if turn.message.role is Role.ASSISTANT:
        only = len(turn.message.content) == 1 and block.kind == "audio"
        return source if only and isinstance(source, dict) and isinstance(source.get("id"), str) else None
    if block.kind == "image":
        if isinstance(source, dict) and isinstance(source.get("url"), str) and source.keys() <= {"url", "detail"}:
            return {"type": "image_url", "image_url": source}
        found = image_source(source, form_of(source) or "", "openai")
        return None if found is None else {"type": "image_url", "image_url": found}
    name, keys = _OTHER_MEDIA.get(block.kind, ("", ()))
    has = isinstance(source, dict) and any(isinstance(source.get(key), str) for key in keys)
    return {"type": name, name: source} if has else None


def _call(call: ToolCall) -> Json:
    written = call.arguments if isinstance(call.arguments, str) else compact(call.arguments)
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": written}}


def _unread(turn: Turn) -> dict[str, Json] | None:
    """A message of an unknown role as it was pasted, if it was pasted in this format."""
    block = turn.message.content[0] if len(turn.message.content) == 1 else None
    if turn.as_pasted and isinstance(block, Unknown) and block.provider == _PROVIDER and isinstance(block.raw, dict):
        return dict(block.raw)
    return None
