"""Deriving capabilities from a request and its attempt: the first rule that applies (SPEC 4.1).

Nothing the client declares selects a capability. The views of rules 5-8 need a non-blank user turn; rule 2 has
already asked for one, so no view is incomplete from there on.
"""

from __future__ import annotations

from typing import NamedTuple

from ..conversation.model import Media, Message, Request, Role, ToolCall, ToolResult, Unknown
from .activity import code_activity, tool_activity
from .capabilities import Capabilities, TaskType, ToolErrors
from .characters import is_blank
from .facts import kinds_of, turn_text
from .views import agentic_view, coding_view, session_view

# Members are bound once: looking one up on its class costs more than the comparison it is for.
_USER, _ASSISTANT, _TOOL = Role.USER, Role.ASSISTANT, Role.TOOL
_ANSWER, _CHAT, _AGENTIC, _CODING = TaskType.ANSWER, TaskType.CHAT, TaskType.AGENTIC, TaskType.CODING
_STRUCTURAL = frozenset((ToolCall, ToolResult))


class Derivation(NamedTuple):
    """The derived set, the number of the rule that gave it (SPEC 4.1), and what that rule read, in a sentence."""

    capabilities: Capabilities
    rule: int
    words: str


def derive(
    request: Request,
    attempt: str | None,
    *,
    checker_configured: bool = False,
    task_type: TaskType | None = None,
    tool_errors: ToolErrors | None = None,
    tool_results: int | None = None,
    tool_tail_clean: bool | None = None,
) -> Derivation:
    """Derive the capability set (SPEC 4.1). `attempt` is the attempt's text; no `task_type` = the router abstained."""
    turns = request.turns
    kinds = kinds_of(turns)
    if Media in kinds or Unknown in kinds:
        return Derivation(Capabilities(), 1, "A turn holds media or content no rule covers.")
    task = task_text(turns)
    if not task:
        return Derivation(Capabilities(), 2, "No user turn holds text.")
    if attempt is None or is_blank(attempt):
        return Derivation(Capabilities(task_text=task), 2, "The attempt is blank.")
    if checker_configured:
        view = session_view(request, attempt)
        made = Capabilities(task_text=task, attempt=attempt, transcript=view, has_checks=True)
        return Derivation(made, 3, "A checker is configured.")
    if task_type is _ANSWER and _ASSISTANT not in [turn.role for turn in turns]:
        view = session_view(request, attempt)
        made = Capabilities(task_text=task, attempt=attempt, transcript=view, final_answer=attempt)
        return Derivation(made, 4, "Typed answer, and no assistant turn came before.")

    typed_talk = task_type is _ANSWER or task_type is _CHAT
    agentic = coding = chat = False
    if task_type is _AGENTIC or (not typed_talk and has_trajectory(request, _STRUCTURAL.isdisjoint(kinds))):
        agentic, rule, view = True, 5, agentic_view(request, attempt)
        words = "Typed agentic." if task_type is _AGENTIC else "Tool calls or results are present."
    elif task_type is _CODING or code_activity(attempt):
        coding, rule, view = True, 6, coding_view(request, attempt)
        words = "Typed coding." if task_type is _CODING else "The attempt shows code work."
    else:
        rule, view = 8, session_view(request, attempt)
        if tool_activity(attempt):
            agentic, words = True, "The attempt shows tool work."
        elif typed_talk:
            chat, words = True, f"Typed {task_type}, with no tool work in the attempt."
        else:
            words = "No type, no tools, no code: a plain conversation."
    made = Capabilities(
        task_text=task,
        attempt=attempt,
        transcript=view,
        is_coding=coding,
        is_chat=chat,
        is_agentic=agentic,
        default_verified=not (coding or chat or agentic),
        tool_errors=tool_errors,
        tool_results=tool_results,
        tool_tail_clean=tool_tail_clean,
    )
    return Derivation(made, rule, words)


def task_text(turns: tuple[Message, ...]) -> str:
    """The text of the last user turn that is not blank; empty where there is none (SPEC 1)."""
    for turn in reversed(turns):
        if turn.role is _USER and not is_blank(text := turn_text(turn)):
            return text
    return ""


def has_trajectory(request: Request, no_blocks: bool = False) -> bool:
    """Whether a message has role tool, or holds a tool call or a tool result (SPEC 1).

    `no_blocks` tells that no turn holds a call or a result, so that only roles are left to look at.
    """
    if _TOOL in [message.role for message in request.messages]:
        return True
    if no_blocks:
        return False
    return any(type(block) in _STRUCTURAL for message in request.messages for block in message.content)
