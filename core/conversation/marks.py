"""Marks: the parts of a conversation that a harness wrote, not the user, so that the task is not mistaken.

Reminders, environment blocks, summaries of what was cut away, project instructions, slash commands and the like ride in
user messages and results. A mark explains; what SPEC computes (capabilities, views, records) never depends on one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .mark_forms import ANSWER_CHARS, ANSWERS, SWITCH, MarkKind
from .mark_spans import Span, declaration, in_result, in_text, is_marked, is_suspect
from .model import Block, Message, Refusal, Request, Role, Text, ToolResult, text_of

__all__ = ["MarkKind", "TextMark", "is_marked", "marks", "task_turn"]

_ASKING = (Role.USER, Role.SYSTEM, Role.DEVELOPER)


@dataclass(frozen=True, slots=True)
class TextMark:
    """A part of a text that a harness wrote."""

    #: Index in `Request.turns`, and of the block in that turn.
    turn: int
    block: int
    #: Half-open range of code points in the block's text (of a result: its text-like blocks joined by newlines).
    start: int
    end: int
    kind: MarkKind
    #: What it is, for the screen; never text of the conversation.
    words: str = ""


def marks(request: Request) -> tuple[TextMark, ...]:
    """All marks of a conversation, in the order of its turns, blocks and texts; none overlaps another."""
    found: list[TextMark] = []
    answers_harness = False
    for turn, message in enumerate(request.turns):
        if message.role is Role.ASSISTANT:
            if answers_harness:
                found += _answer(turn, message)
            continue
        here: list[TextMark] = []
        for index, block in enumerate(message.content):
            here += (TextMark(turn, index, s.start, s.end, s.kind, s.words) for s in _spans_of(block, message.role))
        if any(mark.words == SWITCH.words for mark in here):
            found = list(_examples(request, turn))
        found += here
        answers_harness = bool(here) and message.role is Role.USER and _is_wholly_marked(message, here)
    return tuple(found)


def task_turn(request: Request) -> int | None:
    """The first turn in which the user says something themselves, by its index in `Request.turns`; None without one."""
    by_turn: dict[int, list[TextMark]] = {}
    for mark in marks(request):
        by_turn.setdefault(mark.turn, []).append(mark)
    for turn, message in enumerate(request.turns):
        if message.role is Role.USER and not _is_wholly_marked(message, by_turn.get(turn, ())):
            return turn
    return None


def _is_wholly_marked(message: Message, found: Iterable[TextMark]) -> bool:
    """Whether nothing but white space is left of the texts of a message beside its marks."""
    left: dict[int, list[TextMark]] = {}
    for mark in found:
        left.setdefault(mark.block, []).append(mark)
    for index, block in enumerate(message.content):
        if isinstance(block, (Text, Refusal)):
            at = 0
            for mark in left.get(index, ()):
                if block.text[at : mark.start].strip():
                    return False
                at = mark.end
            if block.text[at:].strip():
                return False
    return True


def _spans_of(block: Block, role: Role) -> Iterable[Span]:
    if isinstance(block, Text):
        if role in _ASKING:
            return in_text(block.text, of_user=role is Role.USER) if is_suspect(block.text) else ()
        return declaration(block.text)
    if isinstance(block, ToolResult):
        return in_result(text_of(block.content))
    return ()


def _answer(turn: int, message: Message) -> Iterator[TextMark]:
    """What the harness let the model answer to its own message."""
    for index, block in enumerate(message.content):
        if isinstance(block, Text) and block.text.startswith(ANSWERS) and len(block.text) <= ANSWER_CHARS:
            yield TextMark(turn, index, 0, len(block.text), MarkKind.NOTICE, "answer to the harness")


def _examples(request: Request, until: int) -> Iterator[TextMark]:
    """All texts of the dialogue before the harness said that the examples are over."""
    for turn, message in enumerate(request.turns[:until]):
        if message.role in (Role.USER, Role.ASSISTANT):
            for index, block in enumerate(message.content):
                if isinstance(block, Text) and block.text:
                    end = len(block.text)
                    yield TextMark(turn, index, 0, end, MarkKind.DEMONSTRATION, "demonstration")
