"""The coding view, set against its source: requests, rules, and what the attempt shows of its work (SPEC 3)."""

from __future__ import annotations

from ..conversation.model import Request, Role
from ..vgr.characters import is_blank
from ..vgr.facts import turn_text
from ..vgr.views import EARLIER_HEADING, LATEST_HEADING, RULES_HEADING, coding_view
from .attempt_work import work_rows
from .judged import JudgedView, Row, RowKind
from .judged_rows import heading, judged, kept_rows, nothing
from .marked_text import marked
from .unread import dropped_text, turn_rows, unread_turn

_RULES = (Role.SYSTEM, Role.DEVELOPER)


def judged_coding(request: Request, attempt: str) -> JudgedView:
    """What a verifier reads in the coding view, and what it does not."""
    turns = request.turns
    texts = [turn_text(turn) for turn in turns]
    users = [at for at, text in enumerate(texts) if turns[at].role is Role.USER and not is_blank(text)]
    numbers = {at: number for number, at in enumerate(users, 1)}
    latest: list[Row] = []
    rules: list[Row] = []
    # Earlier user turns, with the turns of other roles where they stood among them.
    course: list[Row] = []
    for at, turn in enumerate(turns):
        if turn.role is not Role.USER and turn.role not in _RULES:
            course.extend(unread_turn(turn, at, f"{turn.role} turn"))
            continue
        number = numbers.get(at)
        place = rules if turn.role in _RULES else latest if number == len(users) else course
        if is_blank(texts[at]):
            text = dropped_text(turn, at, "blank")
        else:
            text = kept_rows(marked(texts[at]).after(f"[user {number}] " if place is course else ""), at)
        place.extend(turn_rows(turn.content, at, text))
    rows = [heading(LATEST_HEADING), *(latest or [nothing(None, "no user turn")])]
    rows.extend(_headed(RULES_HEADING, rules))
    rows.extend(_headed(EARLIER_HEADING, course))
    work, budgets = work_rows(attempt, len(turns))
    return judged("coding", coding_view(request, attempt), [*rows, *work], budgets)


def _headed(title: str, rows: list[Row]) -> list[Row]:
    """A section that stands only if something in it is read; what is dropped before that stands before its heading."""
    first = next((at for at, row in enumerate(rows) if row.kind is not RowKind.DROPPED), None)
    return rows if first is None else [*rows[:first], heading(title), *rows[first:]]
