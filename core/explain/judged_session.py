"""The session view, set against its source: every turn with text, the latest user turn last (SPEC 3)."""

from __future__ import annotations

from ..conversation.model import Request, Role
from ..vgr.characters import is_blank
from ..vgr.facts import turn_text
from ..vgr.views import TURN_BUDGET, session_view
from .judged import JudgedView, Row
from .judged_rows import attempt_rows, judged, kept_rows, used
from .marked_text import MarkedText, marked
from .unread import dropped_text, turn_rows


def judged_session(request: Request, attempt: str) -> JudgedView:
    """What a verifier reads in the session view, and what it does not."""
    turns = request.turns
    texts = [turn_text(turn) for turn in turns]
    blank = [is_blank(text) for text in texts]
    users = [at for at, turn in enumerate(turns) if turn.role is Role.USER and not blank[at]]
    latest = users[-1] if users else None
    rows: list[Row] = []
    last_words: list[Row] = []
    capped: list[MarkedText] = []
    for at, turn in enumerate(turns):
        if blank[at]:
            rows.extend(turn_rows(turn.content, at, dropped_text(turn, at, "blank")))
            continue
        text = marked(texts[at])
        if turn.role in (Role.ASSISTANT, Role.TOOL):
            capped.append(text)
            text = text.clipped(TURN_BUDGET, 1 / 2)
        label = "user (latest)" if at == latest else turn.role
        found = turn_rows(turn.content, at, kept_rows(text.after(f"[{label}] "), at))
        (last_words if at == latest else rows).extend(found)
    ending, budget = attempt_rows(attempt, len(turns), "[assistant attempt] ")
    budgets = [used("longest turn", capped, TURN_BUDGET), budget]
    return judged("session", session_view(request, attempt), [*rows, *last_words, *ending], budgets)
