"""How each tool result counts in the tool record, and by which rule (SPEC 2)."""

from __future__ import annotations

from dataclasses import dataclass

from ..conversation.model import Request, ToolResult
from ..vgr.tool_record import result_rules, tool_record


@dataclass(frozen=True, slots=True)
class ResultMark:
    """How a tool result counts in the tool record, by turn and block: failed or clean, and the rule that said so."""

    #: Index into `Request.turns`, and into that turn's content.
    turn: int
    block: int
    failed: bool
    #: Empty where the result is clean.
    rule: str


def result_marks(request: Request) -> tuple[ResultMark, ...]:
    """The marks of all tool results of all messages, in order; instructions have no part in the record."""
    # The record judges all results together, which costs less than one message after the other.
    tool_record(request)
    marks: list[ResultMark] = []
    for turn, message in enumerate(request.messages, len(request.instructions)):
        blocks = [at for at, block in enumerate(message.content) if isinstance(block, ToolResult)]
        for block, rule in zip(blocks, result_rules(message) if blocks else (), strict=True):
            marks.append(ResultMark(turn, block, bool(rule), rule))
    return tuple(marks)
