"""A conversation as Anthropic Messages has it: instructions at the top, results in the turns of the user."""

from __future__ import annotations

from collections.abc import Iterable

from ..image_sources import form_of, image_source
from ..model import Block, Json, Media, Reasoning, Refusal, Role, Text, ToolCall, ToolResult, Unknown
from .written import Native, Turn, Written, attached, pieces_of, segmented

_PROVIDER = "anthropic"
_DOCUMENTS = ("base64", "text", "url", "content", "file")


def write_anthropic(turns: Iterable[Turn]) -> Written:
    """Instructions first; results of messages that follow each other stand in one turn, as the API wants them."""
    system: Native | None = None
    natives: list[Native] = []
    results: Native | None = None
    for turn in turns:
        if turn.is_instruction:
            system = _with_instruction(system, turn)
        elif results is not None and results.raw is not None and _holds_results(turn):
            results.raw["content"] += [_block(block, turn) for block in turn.message.content]
            results.pieces += pieces_of(turn, [turn.message.content])
        else:
            made = _natives(turn)
            natives += made
            results = made[0] if _holds_results(turn) else None
    if system is not None and system.raw is not None:
        system.raw["system"] = _content(system.raw["system"])
    return Written(attached(natives), system)


def stands_alone(turn: Turn) -> bool:
    """Whether a turn becomes one message, or the instructions, which is what it was if it was pasted in this format."""
    role = turn.message.role
    if turn.is_instruction:
        return role is Role.SYSTEM
    no_results = not any(isinstance(block, ToolResult) for block in turn.message.content)
    return role is Role.USER or (role is Role.ASSISTANT and no_results)


def _holds_results(turn: Turn) -> bool:
    message = turn.message
    return (
        message.role is Role.TOOL and bool(message.content) and all(isinstance(b, ToolResult) for b in message.content)
    )


def _with_instruction(system: Native | None, turn: Turn) -> Native:
    made = system or Native({"system": []}, [])
    said = [raw for block in turn.message.content if (raw := _block(block, turn)) is not None]
    texts = [raw for raw in said if raw.get("type") == "text"]
    if made.raw is not None:
        made.raw["system"] += texts
    made.pieces += pieces_of(turn, [turn.message.content])
    made.is_whole = made.is_whole and len(texts) == len(turn.message.content)
    return made


def _natives(turn: Turn) -> list[Native]:
    message = turn.message
    if message.source_role is not None:
        return [Native(_unread(turn), pieces_of(turn, [message.content]))]
    is_assistant = message.role is Role.ASSISTANT

    def kind(_: int, block: Block) -> object:
        """Results of an assistant's message stand in a turn of the user."""
        return None if _block(block, turn) is None else is_assistant and isinstance(block, ToolResult)

    segments = segmented(message.content, kind)
    made = []
    for piece, blocks in zip(pieces_of(turn, segments), segments, strict=True):
        said = [one for block in blocks if (one := _block(block, turn)) is not None]
        answers = not is_assistant or any(isinstance(block, ToolResult) for block in blocks)
        raw: dict[str, Json] = {"role": "user" if answers else "assistant", "content": _content(said)}
        made.append(Native(raw if said or turn.as_pasted else None, [piece], len(said) == len(blocks)))
    return made


def _content(blocks: list[Json]) -> Json:
    """The blocks, or the text where one text is all there is."""
    only = blocks[0] if len(blocks) == 1 else None
    is_text = isinstance(only, dict) and only.keys() == {"type", "text"} and only["type"] == "text" and only["text"]
    return only["text"] if is_text and only is not None else blocks


def _block(block: Block, turn: Turn) -> Json:
    """A block as the format has it in a turn of this role; None where it has none."""
    role = turn.message.role
    if isinstance(block, (Text, Refusal)):
        said = block.text if turn.as_pasted else block.text.strip()
        mute = role is Role.TOOL or (role in (Role.SYSTEM, Role.DEVELOPER) and not turn.is_instruction)
        return {"type": "text", "text": block.text} if (said or turn.as_pasted) and not mute else None
    if isinstance(block, Reasoning):
        return _thought(block, turn) if role is Role.ASSISTANT else None
    if isinstance(block, ToolCall):
        call = {"type": "tool_use", "id": block.id, "name": block.name, "input": block.arguments}
        return call if role is Role.ASSISTANT else None
    if role in (Role.SYSTEM, Role.DEVELOPER):
        return None
    if isinstance(block, ToolResult):
        return _result(block, turn)
    return _opaque(block, turn) if role is not Role.TOOL else None


def _thought(block: Reasoning, turn: Turn) -> Json:
    """Reasoning that the provider signed; it refuses any other."""
    kind = turn.signed.get(id(block))
    if kind is None:
        return None
    return {"type": kind, "thinking": block.text} if kind == "thinking" else {"type": kind}


def _opaque(block: Block, turn: Turn) -> Json:
    """Media, and blocks that were pasted in this format and not read."""
    if isinstance(block, Unknown):
        typed = isinstance(block.raw, dict) and isinstance(block.raw.get("type"), str)
        return block.raw if typed and turn.as_pasted and block.provider == _PROVIDER else None
    if not isinstance(block, Media):
        return None
    source = block.source
    kind = source.get("type") if isinstance(source, dict) else None
    if block.kind == "image":
        if kind == "file" or (turn.as_pasted and isinstance(kind, str)):
            return {"type": "image", "source": source}
        found = image_source(source, form_of(source) or "", "anthropic")
        return None if found is None else {"type": "image", "source": found}
    return {"type": "document", "source": source} if block.kind == "file" and kind in _DOCUMENTS else None


def _result(block: ToolResult, turn: Turn) -> Json:
    inner = [part for one in block.content if (part := _in_result(one, turn)) is not None]
    raw: dict[str, Json] = {"type": "tool_result", "tool_use_id": block.tool_call_id}
    if inner:
        raw["content"] = _content(inner)
    return raw if block.is_error is None else raw | {"is_error": block.is_error}


def _in_result(block: Block, turn: Turn) -> Json:
    if isinstance(block, Text):
        return {"type": "text", "text": block.text} if block.text.strip() or turn.as_pasted else None
    return _opaque(block, turn)


def _unread(turn: Turn) -> dict[str, Json] | None:
    """A message of an unknown role as it was pasted, if it was pasted in this format."""
    block = turn.message.content[0] if len(turn.message.content) == 1 else None
    if turn.as_pasted and isinstance(block, Unknown) and block.provider == _PROVIDER and isinstance(block.raw, dict):
        return dict(block.raw)
    return None
