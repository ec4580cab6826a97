"""Deriving capabilities from a request and its attempt: the first rule that applies (SPEC 4.1).

Nothing the client declares selects a capability. The views of rules 5-8 need a non-blank user turn; rule 2 has
already asked for one, so no view is incomplete from there on.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..conversation.model import Request, Role
from .activity import code_activity, tool_activity
from .capabilities import Capabilities, TaskType, ToolErrors
from .characters import is_blank
from .facts import Facts, settled
from .views import agentic_view, coding_view, session_view


@dataclass(frozen=True, slots=True)
class Derivation:
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
    """Derive the capability set (SPEC 4.1). `attempt` is the attempt's text; `task_type` None = the router abstained."""
    turns = request.turns
    facts = settled(turns)
    if any([fact.unsupported for fact in facts]):
        return Derivation(Capabilities(), 1, "A turn holds media or content no rule covers.")
    task = next(
        (
            fact.text
            for turn, fact in zip(reversed(turns), reversed(facts), strict=True)
            if turn.role is Role.USER and not fact.blank
        ),
        None,
    )
    if task is None:
        return Derivation(Capabilities(), 2, "No user turn holds text.")
    if attempt is None or is_blank(attempt):
        return Derivation(Capabilities(task_text=task), 2, "The attempt is blank.")
    if checker_configured:
        view = session_view(request, attempt)
        made = Capabilities(task_text=task, attempt=attempt, transcript=view, has_checks=True)
        return Derivation(made, 3, "A checker is configured.")
    if task_type is TaskType.ANSWER and not any([turn.role is Role.ASSISTANT for turn in turns]):
        view = session_view(request, attempt)
        made = Capabilities(task_text=task, attempt=attempt, transcript=view, final_answer=attempt)
        return Derivation(made, 4, "Typed answer, and no assistant turn came before.")

    def made_of(view: str, *, coding: bool = False, chat: bool = False, agentic: bool = False) -> Capabilities:
        return Capabilities(
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

    typed_agentic = task_type is TaskType.AGENTIC
    if typed_agentic or (
        task_type not in (TaskType.ANSWER, TaskType.CHAT)
        and has_trajectory(request, facts[len(request.instructions) :])
    ):
        words = "Typed agentic." if typed_agentic else "Tool calls or results are present."
        return Derivation(made_of(agentic_view(request, attempt), agentic=True), 5, words)
    if task_type is TaskType.CODING or code_activity(attempt):
        words = "Typed coding." if task_type is TaskType.CODING else "The attempt shows code work."
        return Derivation(made_of(coding_view(request, attempt), coding=True), 6, words)
    view = session_view(request, attempt)
    if tool_activity(attempt):
        return Derivation(made_of(view, agentic=True), 8, "The attempt shows tool work.")
    if task_type in (TaskType.CHAT, TaskType.ANSWER):
        return Derivation(made_of(view, chat=True), 8, f"Typed {task_type}, with no tool work in the attempt.")
    return Derivation(made_of(view), 8, "No type, no tools, no code: a plain conversation.")


def has_trajectory(request: Request, facts: list[Facts] | None = None) -> bool:
    """Whether a message has role tool, or holds a tool call or a tool result (SPEC 1)."""
    known = settled(request.messages) if facts is None else facts
    return any([fact.structural for fact in known]) or any([m.role is Role.TOOL for m in request.messages])
