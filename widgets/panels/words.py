"""A message's blocks as the pieces of a row: text, calls, results and the structural rest, each kept apart."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ...core.conversation.model import (
    Block,
    Json,
    Media,
    Reasoning,
    Refusal,
    Request,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
)
from ...core.explain.wording import counted

#: How much of a call's arguments a row prints, in characters.
ARGUMENTS_CHARS: Final = 2000


@dataclass(frozen=True, slots=True)
class Piece:
    """One block as a row shows it. `kind` is text, call, result or note (what adds no text of its own)."""

    kind: str
    text: str
    #: Index of the block in its message.
    block: int


def pieces(content: tuple[Block, ...]) -> list[Piece]:
    """The blocks of a message in order; nothing is left out."""
    return [_piece(block, index) for index, block in enumerate(content)]


def _piece(block: Block, index: int) -> Piece:
    match block:
        case Text(text):
            return Piece("text", text, index)
        case Refusal(text):
            return Piece("text", f"[refusal] {text}", index)
        case Reasoning(text):
            return Piece("note", f"reasoning, {counted(len(text), 'char')}", index)
        case ToolCall():
            return Piece("call", f"{block.name}  {arguments(block.arguments)}".rstrip(), index)
        case ToolResult():
            return Piece("result", result_text(block), index)
        case Media(kind=kind):
            return Piece("note", f"{kind}, kept and not read", index)
        case Unknown(provider=provider):
            return Piece("note", f"unknown content{f' of {provider}' if provider else ''}, kept and not read", index)


def arguments(value: Json) -> str:
    """A call's arguments in one line: the value alone where there is one and it is text, else compact JSON."""
    if isinstance(value, dict) and len(value) == 1:
        (value,) = value.values()
    if isinstance(value, str):
        text = value
    elif value in (None, {}):
        return ""
    else:
        try:
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        except (RecursionError, TypeError, ValueError):
            return "(arguments that cannot be printed)"
    return text if len(text) <= ARGUMENTS_CHARS else f"{text[:ARGUMENTS_CHARS]} ..."


def result_text(result: ToolResult) -> str:
    """A result's own text, with a word for what is not text."""
    return "\n".join(piece.text for piece in pieces(result.content))


def text_chars(blocks: Iterable[Block]) -> int:
    """Characters of text, refusals and results' text; reasoning and arguments are not counted."""
    total = 0
    for block in blocks:
        if isinstance(block, (Text, Refusal)):
            total += len(block.text)
        elif isinstance(block, ToolResult):
            total += text_chars(block.content)
    return total


def number(request: Request, turn: int | None) -> str:
    """A turn's number as the screen counts: messages from 1, an en dash for instructions and headings."""
    if turn is None or turn < len(request.instructions):
        return "\N{EN DASH}"
    return f"{turn - len(request.instructions) + 1:,}"
