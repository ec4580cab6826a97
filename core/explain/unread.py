"""What a judge does not read: dropped rows, each with its reason and the length of what is there (SPEC 1, 3; UI 5).

Dropped text is shown redacted and shortened, so that the reader sees what it was and no secret.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..conversation.model import Block, Media, Message, Reasoning, Refusal, Text, ToolCall, ToolResult, Unknown, text_of
from ..vgr.facts import turn_text
from ..vgr.json_text import json_text
from ..vgr.text import is_blank
from .judged import Row, RowKind, Span
from .marked_text import MarkedText, marked
from .wording import counted

#: Characters that are shown of a dropped text.
SHOWN_CHARS = 500
#: What stands behind a text that is not shown to its end.
MORE = " ..."


def shortened(text: MarkedText, prefix: str = "") -> tuple[Span, ...]:
    """The start of a text that is not read, behind its prefix."""
    lead = (Span(prefix),) if prefix else ()
    if len(text) <= SHOWN_CHARS:
        return (*lead, *text.spans())
    return (*lead, *text.spans(0, SHOWN_CHARS), Span(MORE))


def dropped(turn: int, prefix: str, text: MarkedText, reason: str, length: int | None = None) -> Row:
    """A row of dropped text; its note tells the reason and, where one is given, the text's length."""
    size = "" if length is None else f", {counted(length, 'char')}"
    return Row(RowKind.DROPPED, shortened(text, prefix), turn, f"dropped: {reason}{size}")


def dropped_source(turn: int, prefix: str, text: str, reason: str) -> Row:
    """A row of dropped text as pasted: a blank one is called that, every other has its length told."""
    if is_blank(text):
        return dropped(turn, prefix, MarkedText(text), "blank")
    return dropped(turn, prefix, marked(text), reason, len(text))


def dropped_text(message: Message, turn: int, reason: str) -> list[Row]:
    """The text of a turn as a dropped row; none where its blocks hold no text."""
    if message.content and not any(isinstance(block, (Text, Refusal)) for block in message.content):
        return []
    return [dropped_source(turn, f"[{message.role}] ", turn_text(message), reason)]


def turn_rows(content: tuple[Block, ...], turn: int, text: list[Row], reason: str = "") -> list[Row]:
    """The rows of a turn's text among its blocks that add none to it, all in their places.

    `reason` tells why calls and results are not read, where their being calls and results is not why.
    """
    if not content:
        return text
    rows: list[Row] = []
    first = next((at for at, block in enumerate(content) if isinstance(block, (Text, Refusal))), 0)
    for at, block in enumerate(content):
        if at == first:
            rows.extend(text)
        rows.extend(unread_block(block, turn, reason))
    return rows


def unread_turn(message: Message, turn: int, reason: str, block_reason: str = "") -> list[Row]:
    """All of a turn as dropped rows."""
    return turn_rows(message.content, turn, dropped_text(message, turn, reason), block_reason)


def unread_block(block: Block, turn: int, reason: str = "") -> Iterator[Row]:
    """A block that adds no text, with all that it holds; text-like blocks have no row of their own."""
    match block:
        case Reasoning(text):
            yield dropped_source(turn, "[reasoning] ", text, "reasoning")
        case ToolCall():
            yield dropped_source(turn, "[tool call] ", call_text(block), reason or "tool call")
        case ToolResult():
            yield dropped_source(turn, result_prefix(block), text_of(block.content), reason or "tool result")
            yield from nested_rows(block, turn)
        case Media(kind=kind):
            yield dropped(turn, f"[{kind}]", MarkedText(""), f"media ({kind})")
        case Unknown(raw=raw):
            yield dropped_source(turn, "[unknown] ", json_text(raw), "unknown content")


def nested_rows(result: ToolResult, turn: int) -> Iterator[Row]:
    """What a tool result holds besides its own text, however deep, in order."""
    stack = list(reversed(result.content))
    while stack:
        block = stack.pop()
        if isinstance(block, ToolResult):
            text = text_of(block.content)
            yield dropped_source(turn, result_prefix(block), text, "inside a tool result")
            stack.extend(reversed(block.content))
        else:
            yield from unread_block(block, turn, "inside a tool result")


def call_text(call: ToolCall) -> str:
    """A call as the views print it: `name(arguments)`."""
    return f"{call.name}({json_text(call.arguments)})"


def result_prefix(result: ToolResult) -> str:
    """What the views put before a result."""
    return "[tool error] " if result.is_error else "[tool result] "
