"""The tool record: how many results a request holds, how many failed, and whether the last one is clean (SPEC 2)."""

from __future__ import annotations

from dataclasses import dataclass

from ..conversation.model import Message, Request, ToolResult
from .tool_errors import failing_rules


@dataclass(frozen=True, slots=True)
class ToolRecord:
    """The record of a request; `tail_clean` is False where there are no results."""

    errors: int
    results: int
    tail_clean: bool


def result_rules(message: Message) -> tuple[str, ...]:
    """For each tool result of a message, in order: the rule by which it failed, empty where it is clean."""
    _settle((message,))
    return message.found_rules or ()


def tool_record(request: Request) -> ToolRecord:
    """The record over all tool results of all messages, in order (SPEC 2)."""
    messages = request.messages
    _settle(messages)
    names = [name for message in messages for name in message.found_rules or ()]
    return ToolRecord(len(names) - names.count(""), len(names), bool(names) and not names[-1])


def _settle(messages: tuple[Message, ...]) -> None:
    """Judge the results of every message that has not been judged yet, all of them together."""
    open_messages = [message for message in messages if message.found_rules is None]
    held = [[block for block in message.content if type(block) is ToolResult] for message in open_messages]
    names = iter(failing_rules([result for results in held for result in results]))
    for message, results in zip(open_messages, held, strict=True):
        object.__setattr__(message, "found_rules", tuple([next(names) for _ in results]))
