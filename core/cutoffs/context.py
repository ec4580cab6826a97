"""What a decision judge is asked: the question's words, and its context exactly as it is sent (SPEC 6.1).

The judge chooses among labels. Model ids are not in reach of anything that is made here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..conversation.model import (
    Block,
    Json,
    Media,
    Message,
    Reasoning,
    Refusal,
    Request,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
)
from .config import CutoffsConfig
from .task import task_indexes, task_messages

__all__ = ["QUESTION", "judge_context", "question_instructions", "task_indexes", "task_messages"]

#: The id of the only question.
QUESTION = "route"


def question_instructions(config: CutoffsConfig, default: str) -> str:
    """The words of the question: the operator's, else the default ones."""
    return default if config.instructions is None else config.instructions


def judge_context(request: Request, config: CutoffsConfig) -> dict[str, Json]:
    """The context of the question: the task, the labels in sorted order, the operator's evidence (null if none)."""
    return {
        "task": [_message(message) for message in task_messages(request, config.recent_turn_window)],
        "candidates": list(config.labels),
        "evidence": config.evidence,
    }


def _message(message: Message) -> dict[str, Json]:
    return {"role": message.role.value, "content": _content(message.content)}


def _content(blocks: Iterable[Block]) -> Json:
    """One text as it is, anything else as a list of typed parts; reasoning is left out."""
    parts: list[dict[str, Any]] = []
    for block in blocks:
        if isinstance(block, Reasoning):
            continue
        if isinstance(block, (Media, Unknown)):
            # That they are there is all a judge learns of media, and of what no rule covers.
            kind = block.kind if isinstance(block, Media) else "unknown"
            if parts and parts[-1]["type"] == kind:
                parts[-1]["count"] += 1
            else:
                parts.append({"type": kind, "count": 1})
        else:
            parts.append(_part(block))
    if not parts:
        return ""
    return parts[0]["text"] if len(parts) == 1 and parts[0]["type"] == "text" else parts


def _part(block: Text | Refusal | ToolCall | ToolResult) -> dict[str, Any]:
    if isinstance(block, Text):
        return {"type": "text", "text": block.text}
    if isinstance(block, Refusal):
        return {"type": "refusal", "text": block.text}
    if isinstance(block, ToolCall):
        return {"type": "tool_call", "id": block.id, "name": block.name, "arguments": block.arguments}
    part = {"type": "tool_result", "tool_call_id": block.tool_call_id, "content": _content(block.content)}
    if block.is_error is not None:
        part["is_error"] = block.is_error
    return part
