"""Words that panels have for the parts of a conversation: arguments in a line, lengths, the numbers of turns."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from ...core.conversation.model import (
    Block,
    Json,
    Refusal,
    Request,
    Text,
    ToolResult,
)

#: How much of a call's arguments a row prints, in characters.
ARGUMENTS_CHARS: Final = 2000


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
