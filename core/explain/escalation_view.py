"""The escalation judge's transcript, set against its source: framing, recent messages, what is left out (SPEC 6.2)."""

from __future__ import annotations

from collections import deque

from ..conversation.model import Request, Role
from ..escalation.config import EscalationConfig
from ..escalation.transcript import (
    FRAMING_LABELS,
    INSTRUCTION_CHARS,
    LABELS,
    TASK_CHARS,
    TOTAL_CHARS,
    framing_chars,
    header,
    summarize_for_judge,
    task_framing,
)
from .escalation_rows import OVER, Line, cut_rows, dropped_rows, line_of, line_rows
from .judged import Budget, JudgedView, Row
from .judged_rows import heading, judged, used
from .unread import unread_turn


def escalation_view(request: Request, turn: int, config: EscalationConfig, *, redact: bool = False) -> JudgedView:
    """What the escalation judge reads of a request that ends with the reply under judgement, and what it does not.

    Secrets are sent as they stand, and marked so. With `redact`, an operator's option, they are replaced; the text is
    then that of `summarize_for_judge(..., redacted=True)`.
    """
    messages, base = request.messages, len(request.instructions)
    framing = task_framing(messages)
    framed = frozenset(framing)
    others = [at for at in range(len(messages)) if at not in framed]
    window = others[max(0, len(others) - config.recent_turn_window) :]
    lines: dict[int, Line] = {}
    for at in framing:
        message = messages[at]
        lines[at] = line_of(message, base + at, FRAMING_LABELS[message.role], framing_chars(message), redact)
    for at in window:
        message = messages[at]
        lines[at] = line_of(message, base + at, LABELS[message.role], config.window_message_chars, redact)

    recent = deque(window)
    size = sum(len(line) + 1 for line in lines.values())
    first = header(turn, len(recent), len(messages))
    while recent and len(first) + size > TOTAL_CHARS:
        size -= len(lines[recent.popleft()]) + 1
        first = header(turn, len(recent), len(messages))
    total = len(first) + size
    read = framed.union(recent)
    rows: list[Row] = []
    for at, message in enumerate(request.instructions):
        rows += unread_turn(message, at, "instruction")
    rows.append(heading(first))
    for at in (*framing, *others):
        if at in read:
            rows += line_rows(messages[at], lines[at], redact)
        else:
            rows += dropped_rows(messages[at], base + at, OVER if at in lines else "outside the window")
    if total > TOTAL_CHARS:
        rows = cut_rows(rows)
    tasks = [lines[at].text for at in framing if messages[at].role is Role.USER]
    rules = [lines[at].text for at in framing if messages[at].role is not Role.USER]
    text = summarize_for_judge(messages, turn, config, redacted=redact, framing=framing)
    budgets = [
        Budget("total", len(text), TOTAL_CHARS),
        Budget("window lines", len(recent), config.recent_turn_window),
        used("system", rules, INSTRUCTION_CHARS),
        used("task", tasks, TASK_CHARS),
        used("longest line", [lines[at].text for at in recent], config.window_message_chars),
    ]
    return judged("escalation", text, rows, budgets)
