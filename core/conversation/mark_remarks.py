"""A note for each kind of mark in the messages of the user: what of them the user did not write."""

from __future__ import annotations

from collections.abc import Iterator

from .diagnostics import Severity
from .marks import MarkKind, is_marked, marks
from .model import Role
from .positions import path_from_text
from .reading import Conversation
from .remarks import Remark

_USER = Role.USER
_WHAT = {
    MarkKind.COMPACTION: "Summaries of turns that were cut away",
    MarkKind.ENVIRONMENT: "Environment blocks",
    MarkKind.REMINDER: "Reminders by the harness",
    MarkKind.INSTRUCTIONS: "Project or harness instructions",
    MarkKind.TOOLS: "Tool definitions",
    MarkKind.COMMAND: "Commands and what they printed",
    MarkKind.INTERRUPTION: "Interruptions",
    MarkKind.DEMONSTRATION: "Demonstrations",
    MarkKind.CONTEXT: "Attached files and other context",
    MarkKind.NOTICE: "Notices by the harness",
}


def mark_remarks(conversation: Conversation) -> Iterator[Remark]:
    """How many messages of the user hold marks, kind by kind, each at the first; nothing in most conversations."""
    if is_marked(conversation.request):
        yield from _notes(conversation)


def _notes(conversation: Conversation) -> Iterator[Remark]:
    turns = conversation.request.turns
    where: dict[MarkKind, list[int]] = {}
    for mark in marks(conversation.request):
        at = where.setdefault(mark.kind, [])
        if turns[mark.turn].role is _USER and mark.turn not in at[-1:]:
            at.append(mark.turn)
    for kind, at in where.items():
        if at:
            many = "a message" if len(at) == 1 else f"{len(at):,} messages"
            place = conversation.places[at[0]]
            known = place.line is not None or place.path is None
            yield Remark(
                Severity.NOTE,
                f"marked-{kind}",
                f"{_WHAT[kind]} stand in {many} of the user; they are marked, and are not taken for the task.",
                path=None if known or place.path is None else path_from_text(place.path),
                place=place if known else None,
            )
