"""The judged view by its name: what a verifier reads of a request and its attempt (SPEC 3)."""

from __future__ import annotations

from ..conversation.model import Message, Request, Response, Role
from .judged import JudgedView, Row, RowKind
from .judged_agentic import judged_agentic
from .judged_coding import judged_coding
from .judged_rows import judged
from .judged_session import judged_session
from .judged_turn import judged_turn
from .unread import unread_block, unread_turn

__all__ = ["judged_turn", "judged_view"]

_VIEWS = {"session": judged_session, "agentic": judged_agentic, "coding": judged_coding}


def judged_view(name: str, request: Request, attempt: str, reply: Response | None = None) -> JudgedView:
    """The view of this name: `session`, `agentic` or `coding`. Raises KeyError for any other.

    `attempt` is the text that is judged. With the reply it comes from, what that holds besides is shown as dropped.
    """
    view = _VIEWS[name](request, attempt)
    unread = [] if reply is None else _unread_reply(reply, len(request.turns))
    if not unread:
        return view
    # Under the last heading; the session view has none.
    headings = [place for place, row in enumerate(view.rows, 1) if row.kind is RowKind.HEADING]
    attempts = [place for place, row in enumerate(view.rows) if row.turn == len(request.turns)]
    at = max(headings, default=attempts[0])
    return judged(name, view.text, [*view.rows[:at], *unread, *view.rows[at:]], view.budgets)


def _unread_reply(reply: Response, turn: int) -> list[Row]:
    """What a reply holds besides the attempt's text, which is that of its assistant outputs."""
    rows: list[Row] = []
    for output in reply.outputs:
        if output.role is Role.ASSISTANT:
            for block in output.content:
                rows.extend(unread_block(block, turn))
        else:
            rows.extend(unread_turn(Message(output.role, output.content), turn, "not of the assistant"))
    return rows
