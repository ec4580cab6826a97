"""The agentic view, set against its source: user turns, the tool trajectory, the attempt (SPEC 3)."""

from __future__ import annotations

from ..conversation.model import Message, Request, Role, ToolCall, ToolResult
from ..vgr.characters import is_blank
from ..vgr.facts import turn_text
from ..vgr.views import ATTEMPT_HEADING, TASK_HEADING, TRAJECTORY_HEADING, agentic_view, messages_after_task
from .judged import JudgedView, Row, RowKind
from .judged_rows import attempt_rows, heading, judged, kept_rows, nothing
from .marked_text import marked
from .trajectory import Event, trajectory_rows, turn_events
from .unread import dropped_text, turn_rows, unread_turn


def judged_agentic(request: Request, attempt: str) -> JudgedView:
    """What a verifier reads in the agentic view, and what it does not."""
    turns = request.turns
    after = len(turns) - len(messages_after_task(request))
    task: list[Row] = []
    items: list[Event | Row] = []
    users = 0
    for at, turn in enumerate(turns):
        if turn.role is Role.USER:
            asks = not is_blank(turn_text(turn))
            task.extend(_user_rows(turn, at, users if asks else None, at >= after))
            users += asks
        elif at < after:
            task.extend(_early_rows(turn, at))
        if at >= after:
            items.extend(turn_events(turn, at))
    rows, budgets = trajectory_rows(items)
    if any(isinstance(item, Event) for item in items):
        rows.insert(0, heading(TRAJECTORY_HEADING))
    ending, budget = attempt_rows(attempt, len(turns))
    whole = [*_headed(task), *rows, heading(ATTEMPT_HEADING), *ending]
    return judged("agentic", agentic_view(request, attempt), whole, [budgets[0], budget, budgets[1]])


def _headed(task: list[Row]) -> list[Row]:
    """The first section: what is dropped before its first user turn stands before its heading."""
    first = next((at for at, row in enumerate(task) if row.kind is not RowKind.DROPPED), None)
    if first is None:
        return [*task, heading(TASK_HEADING), nothing(None, "no user turn")]
    return [*task[:first], heading(TASK_HEADING), *task[first:]]


def _user_rows(turn: Message, at: int, number: int | None, events: bool) -> list[Row]:
    """A user turn: its text, whole, among what no view shows of it. Its calls and results may be events."""
    if number is None:
        text, reason = dropped_text(turn, at, "blank"), "before the task"
    else:
        label = f"user update {number}" if number else "user task"
        text, reason = kept_rows(marked(turn_text(turn)).after(f"[{label}] "), at), "in the task message"
    content = turn.content
    if events:
        content = tuple(block for block in content if not isinstance(block, (ToolCall, ToolResult)))
    return turn_rows(content, at, text, reason)


def _early_rows(turn: Message, at: int) -> list[Row]:
    """A turn before the trajectory begins: of it, no event is made."""
    instruction = turn.role in (Role.SYSTEM, Role.DEVELOPER)
    return unread_turn(turn, at, "instruction" if instruction else "before the task", "before the task")
