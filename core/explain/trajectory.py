"""The tool trajectory of the agentic view: its events, and the clip that may cut through them (SPEC 3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..conversation.model import Message, Refusal, Role, Text, ToolCall, ToolResult, text_of
from ..vgr.facts import EVENT_BUDGET
from ..vgr.text import kept_ends
from ..vgr.views import TRAJECTORY_BUDGET
from .judged import Budget, Row, RowKind, Span
from .judged_rows import kept_rows, used
from .marked_text import MarkedText, clip_note, marked
from .unread import call_text, dropped, dropped_text, nested_rows, result_prefix, unread_block

_SPOKEN = {Role.ASSISTANT: "[assistant] ", Role.TOOL: "[tool result] "}


@dataclass(frozen=True, slots=True)
class Event:
    """One event: the turn it comes from, its prefix, and its redacted text before the clip."""

    turn: int
    prefix: str
    text: MarkedText

    def shown(self) -> MarkedText:
        """The event as the trajectory holds it."""
        return self.text.clipped(EVENT_BUDGET, 1 / 2).after(self.prefix)


def turn_events(message: Message, turn: int) -> Iterator[Event | Row]:
    """The events of a turn after the task, with its blocks that give none; a user's text and media stand elsewhere."""
    spoken = _SPOKEN.get(message.role)
    if message.role is not Role.USER and (spoken is None or not message.content):
        yield from dropped_text(message, turn, "instruction")
    for block in message.content:
        if isinstance(block, (Text, Refusal)):
            if spoken is not None:
                yield Event(turn, spoken, marked(block.text))
        elif isinstance(block, ToolCall):
            yield Event(turn, "[tool call] ", marked(call_text(block)))
        elif isinstance(block, ToolResult):
            yield Event(turn, result_prefix(block), marked(text_of(block.content)))
            yield from nested_rows(block, turn)
        elif message.role is not Role.USER:
            yield from unread_block(block, turn)


def trajectory_rows(items: list[Event | Row]) -> tuple[list[Row], tuple[Budget, Budget]]:
    """The rows of the trajectory among those that are not of it, and its budgets.

    Where the clip cuts through an event, what is left of it stays and the rest is dropped.
    """
    events = [item for item in items if isinstance(item, Event)]
    shown = [event.shown() for event in events]
    length = sum(map(len, shown)) + max(0, len(shown) - 1)
    budgets = (
        Budget("trajectory", min(length, TRAJECTORY_BUDGET), TRAJECTORY_BUDGET),
        used("longest event", (event.text for event in events), EVENT_BUDGET),
    )
    texts = iter(shown)
    cut = _Cut(length) if length > TRAJECTORY_BUDGET else None
    rows: list[Row] = []
    for item in items:
        if isinstance(item, Row):
            rows.append(item)
        elif cut is None:
            rows.extend(kept_rows(next(texts), item.turn))
        else:
            rows.extend(cut.rows(next(texts), item.turn))
    return rows, budgets


class _Cut:
    """The clip of the whole trajectory, fed with one event after the other."""

    def __init__(self, length: int) -> None:
        head, tail = kept_ends(TRAJECTORY_BUDGET, 1 / 3)
        omitted = length - TRAJECTORY_BUDGET
        self._marker = Span(f"...[{omitted} chars omitted]...")
        self._note = clip_note(omitted, length)
        #: What is omitted, by characters of the trajectory.
        self._from, self._to = head, length - tail
        self._marked = False
        self._at = 0

    def rows(self, text: MarkedText, turn: int) -> Iterator[Row]:
        """The rows of the next event."""
        start, end = self._at, self._at + len(text)
        self._at = end + 1
        if end <= self._from:
            yield from kept_rows(text, turn)
            return
        first, last = max(start, self._from), min(end, self._to)
        if start < self._from:
            yield from kept_rows(text, turn, end=self._from - start)
        if not self._marked:
            self._marked = True
            # The head may end with the line break that stands between two events.
            yield Row(RowKind.CLIPPED, (self._marker,), None, self._note, "\n\n" if start == self._from else "\n")
        if first < last:
            part = MarkedText(text.text, text.marks).cut(first - start, last - start)
            yield dropped(turn, "", part, "clipped from the trajectory", len(part))
        if end > self._to:
            # And the tail may begin with one.
            before = "\n\n" if start - 1 == self._to else "\n"
            yield from kept_rows(text, turn, before, start=max(0, self._to - start))
