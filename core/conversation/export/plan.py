"""What a written message leaves unsaid of those it stands for: the entries of the extension field."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from itertools import islice

from ..image_sources import form_of, image_source
from ..model import Block, Json, Media, Message, Reasoning, Refusal, Role, Text, ToolCall, ToolResult, Unknown
from ..normalized import block_to_json
from ..sharing import same_block, same_content, same_json
from .written import Piece

_INSTRUCTIONS = (Role.SYSTEM, Role.DEVELOPER)
#: So many blocks of one name are compared to find the one that is meant.
_COMPARED = 8
_NAMES: dict[type, str] = {
    Text: "texts",
    Refusal: "refusals",
    Reasoning: "reasoning",
    ToolCall: "calls",
    ToolResult: "results",
    Media: "media",
    Unknown: "unread content",
}


def entries(pieces: Sequence[Piece], read: Message | None, unsaid: Counter[str]) -> list[Json] | None:
    """The entries for what a message stands for, given the one that is read of it; None where that is all.

    `unsaid` counts what they say, in words for a note.
    """
    found = [_entry(piece, read, unsaid) for piece in pieces]
    if len(found) == 1 and not found[0] and read is not None:
        return None
    if len(found) != 1:
        unsaid["where messages begin and end"] += 1
    return found


def _entry(piece: Piece, read: Message | None, unsaid: Counter[str]) -> dict[str, Json]:
    message = piece.message
    entry: dict[str, Json] = {}
    if read is None or message.role is not read.role:
        entry["role"] = str(message.role)
        unsaid["roles"] += 1
    if message.source_role != (None if read is None else read.source_role):
        entry["source_role"] = message.source_role
    if piece.is_instruction is not (message.role in _INSTRUCTIONS):
        entry["list"] = "instructions" if piece.is_instruction else "messages"
        unsaid["instructions among messages"] += 1
    if piece.joins:
        entry["joins"] = True
        unsaid["where messages begin and end"] += 1
    blocks = () if read is None else read.content
    if not same_content(message.content, blocks):
        entry["content"] = _references(message.content, blocks, unsaid)
    return entry


def _references(content: tuple[Block, ...], read: tuple[Block, ...], unsaid: Counter[str]) -> list[Json]:
    """The blocks by the number of those that are read, or by what they are beside these."""
    numbers: dict[tuple[str, str], deque[int]] = {}
    for number, block in enumerate(read):
        numbers.setdefault(_key(block), deque()).append(number)
    return [_reference(block, read, numbers.get(_key(block), deque()), unsaid) for block in content]


def _reference(block: Block, read: tuple[Block, ...], numbers: deque[int], unsaid: Counter[str]) -> Json:
    for number in list(islice(numbers, _COMPARED)):
        if same_block(read[number], block):
            numbers.remove(number)
            return number
    if numbers and isinstance(block, ToolResult):
        number = numbers.popleft()
        return {"of": number, **_result(block, read[number], unsaid)}
    if numbers and isinstance(block, Media) and (form := _form(block, read[numbers[0]])) is not None:
        unsaid["how media are given"] += 1
        return {"of": numbers.popleft(), "form": form}
    unsaid[_NAMES[type(block)]] += 1
    return block_to_json(block)


def _result(block: ToolResult, read: Block, unsaid: Counter[str]) -> dict[str, Json]:
    made: dict[str, Json] = {}
    if isinstance(read, ToolResult):
        if block.is_error is not read.is_error:
            made["is_error"] = block.is_error
            unsaid["whether results are errors"] += 1
        if not same_content(block.content, read.content):
            made["content"] = _references(block.content, read.content, unsaid)
    return made


def _form(block: Media, read: Block) -> str | None:
    """The form in which the source that is read is the one that is meant."""
    form = form_of(block.source)
    if form is None or not isinstance(read, Media):
        return None
    return form if same_json(image_source(read.source, form_of(read.source) or "", form), block.source) else None


def _key(block: Block) -> tuple[str, str]:
    """What blocks that may be one another have in common."""
    if isinstance(block, (Text, Refusal, Reasoning)):
        return (type(block).__name__, block.text)
    if isinstance(block, ToolCall):
        return ("call", block.id)
    if isinstance(block, ToolResult):
        return ("result", block.tool_call_id)
    return ("media", block.kind) if isinstance(block, Media) else ("unknown", "")
