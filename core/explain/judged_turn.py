"""The proposed-turn view, set against its source: anchors, recent turns, the proposed next turn (SPEC 7)."""

from __future__ import annotations

from collections import deque

from ..conversation.model import Message, Refusal, Request, Response, Role, Text, ToolCall
from ..vgr.characters import is_blank
from ..vgr.facts import turn_text
from ..vgr.policy import POLICY_1_0_0, TurnVerification
from ..vgr.turn_view import HEAD, first_turn, turn_view
from .judged import Budget, JudgedView, Row
from .judged_rows import judged, kept_rows, used
from .marked_text import MarkedText, joined, marked
from .unread import call_text, dropped_source, turn_rows, unread_block, unread_turn
from .wording import number


def judged_turn(
    request: Request, proposed: Response, limits: TurnVerification = POLICY_1_0_0.turn_verification
) -> JudgedView:
    """What the trajectory question reads, and what it does not."""
    turns = request.turns
    system, task = first_turn(turns, Role.SYSTEM), first_turn(turns, Role.USER)
    anchors = [at for at in (system, task) if at is not None]
    others = [at for at in range(len(turns)) if at not in anchors]
    window = others[max(0, len(others) - limits.recent_turn_window) :]
    texts = {at: marked(turn_text(turns[at])) for at in (*anchors, *window)}
    lines: dict[int, MarkedText] = {}
    for at, text in texts.items():
        label = "task" if at == task else turns[at].role
        budget = {task: limits.first_user_chars, system: limits.system_chars}.get(at, limits.message_chars)
        lines[at] = text.clipped(budget, HEAD).after(f"[{label}] ")
    proposal, before, behind = _proposal(proposed, len(turns))
    last = proposal.clipped(limits.message_chars, HEAD).after("[proposed next turn] [assistant] ")

    total = len(last) + sum(len(line) + 1 for line in lines.values())
    recent = deque(window)
    while recent and total > limits.total_chars:
        total -= len(lines[recent.popleft()]) + 1
    read = frozenset((*anchors, *recent))
    rows: list[Row] = []
    for at in (*anchors, *others):
        if at in read:
            rows += turn_rows(turns[at].content, at, kept_rows(lines[at], at))
        else:
            over = f"over the total of {number(limits.total_chars)} chars"
            rows += unread_turn(turns[at], at, over if at in lines else "outside the window")
    rows += [*before, *kept_rows(last, len(turns)), *behind]
    budgets = [
        Budget("total", total, limits.total_chars),
        Budget("recent turns", len(recent), limits.recent_turn_window),
        used("system", [texts[at] for at in anchors if at == system], limits.system_chars),
        used("task", [texts[at] for at in anchors if at == task], limits.first_user_chars),
        used("longest turn", [texts[at] for at in recent], limits.message_chars),
        used("proposed turn", [proposal], limits.message_chars),
    ]
    return judged("turn", turn_view(request, proposed, limits), rows, budgets)


def _proposal(proposed: Response, turn: int) -> tuple[MarkedText, list[Row], list[Row]]:
    """The fragments joined, and what is dropped before the first of them and behind it."""
    fragments: list[MarkedText] = []
    before: list[Row] = []
    behind: list[Row] = []
    for output in proposed.outputs:
        dropped = behind if fragments else before
        if output.role is not Role.ASSISTANT:
            dropped += unread_turn(Message(output.role, output.content), turn, "not of the assistant")
            continue
        for block in output.content:
            if isinstance(block, Text) and not is_blank(block.text):
                fragments.append(marked(block.text))
            elif isinstance(block, ToolCall):
                fragments.append(marked(f"[tool call] {call_text(block)}"))
            elif isinstance(block, (Text, Refusal)):
                prefix = "[refusal] " if isinstance(block, Refusal) else "[assistant] "
                dropped.append(dropped_source(turn, prefix, block.text, "refusal"))
            else:
                dropped += unread_block(block, turn)
            dropped = behind if fragments else before
    return joined(fragments, " "), before, behind
