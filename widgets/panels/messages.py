"""The Messages panel: every turn as a row, to be searched and filtered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...core.conversation.model import Block, Message, Request, Response, Role, ToolResult
from ...core.explain.results import ResultMark
from ...core.explain.wording import counted
from .. import marks
from ..screen import Screen
from ..text import Child, Html, h
from . import frame
from .message_row import FOLDED, OPENED, MessageRow, said
from .view import PAGE, START, MessageFilter, View
from .words import number, pieces, text_chars

#: Most characters of messages that are sent to the browser at once.
ROOM: Final = 600_000


def messages(screen: Screen, view: View = START) -> Html:
    """The panel; at most `view.message_rows` rows, the rest behind "Show more"."""
    request, attempt = spoken(screen)
    if request is None or not (request.turns or attempt):
        return frame.panel(screen, "messages", "Messages", frame.empty("No messages yet."), kind="fillcol")
    rows = list(_rows(screen, request, attempt))
    found = [row for row in rows if _listed(row, view)]
    shown = _fitting(found[: view.message_rows], view)
    listed = h("ol", {"class": "msgs"}, [_row(row, request, view, screen) for row in shown])
    search = frame.field(
        "Search messages", "messages:search", view.search, placeholder="Search", k="search", style="width:120px"
    )
    scroll = h(
        "div",
        {"class": "scroll", "tabindex": 0, "role": "region", "aria-label": "Messages", "data-k": "scroll"},
        listed if shown else frame.empty("No message matches."),
        _more(len(found) - len(shown), len(shown) == view.message_rows),
    )
    return frame.panel(screen, "messages", "Messages", scroll, beside=search, right=_filter(rows, view), kind="fillcol")


def spoken(screen: Screen) -> tuple[Request | None, Response | None]:
    """The conversation on screen and the attempt that ends it, as far as there are any."""
    if screen.derived is not None:
        return screen.derived.request, screen.derived.attempt
    if screen.reading is not None and screen.chosen is not None:
        return screen.reading.conversations[screen.chosen].request, None
    return None, None


def _rows(screen: Screen, request: Request, attempt: Response | None) -> Iterator[MessageRow]:
    marked: dict[int, dict[int, ResultMark]] = {}
    for mark in screen.derived.results if screen.derived else ():
        marked.setdefault(mark.turn, {})[mark.block] = mark
    replies = 0
    for turn, message in enumerate(request.turns):
        instruction = turn < len(request.instructions)
        replies += message.role is Role.ASSISTANT and not instruction
        place = "instruction" if instruction else f"turn {replies:,}" if message.role is Role.ASSISTANT else ""
        pasted = message.source_role or message.role.value
        yield MessageRow(turn, _role(message), pasted, message.content, marked.get(turn, {}), place)
    if attempt is not None:
        content: tuple[Block, ...] = tuple(block for output in attempt.outputs for block in output.content)
        place = f"turn {replies + 1:,}"
        yield MessageRow(len(request.turns), "attempt", Role.ASSISTANT, content, {}, place, attempt=True)


def _role(message: Message) -> str:
    if message.content and all(isinstance(block, ToolResult) for block in message.content):
        return "result"
    return message.source_role or message.role.value


def _listed(row: MessageRow, view: View) -> bool:
    if view.messages is MessageFilter.FAILED and not row.failed:
        return False
    if view.messages is MessageFilter.CALLS and not row.calls:
        return False
    sought = view.search.casefold()
    return not sought or any(sought in piece.text.casefold() for piece in pieces(row.content))


def _fitting(rows: list[MessageRow], view: View) -> list[MessageRow]:
    """The rows there is room for, at least one."""
    room = ROOM
    for index, row in enumerate(rows):
        room -= min(row.chars, OPENED if row.turn in view.opened else FOLDED)
        if room < 0 and index:
            return rows[:index]
    return rows


def _filter(rows: list[MessageRow], view: View) -> Html:
    failed = sum(row.failed for row in rows)
    calls = sum(row.calls for row in rows)
    options = ((MessageFilter.ALL, len(rows)), (MessageFilter.FAILED, failed), (MessageFilter.CALLS, calls))
    return frame.switch(
        "Which messages", "messages:filter", [(kind, f"{kind} {found:,}") for kind, found in options], view.messages
    )


def _row(row: MessageRow, request: Request, view: View, screen: Screen) -> Html:
    result = row.role == "result"
    return h(
        "li",
        {"class": "here" if row.attempt else "res" if result else None, "data-k": f"m{row.turn}"},
        h("span", None, number(request, row.turn)),
        h("span", {"class": "role", "title": f"role {row.source_role}" if result else None}, row.role),
        h("div", {"class": "said"}, said(row, row.turn in view.opened), _attempt_note(row, screen)),
        h("span", None, _right(row)),
    )


def _right(row: MessageRow) -> Child:
    if not row.marks:
        return h("span", {"class": "dim"}, row.place) if row.place else None
    if row.failed:
        all_failed = row.failed == len(row.marks)
        return marks.failed("failed" if all_failed else f"{row.failed:,} of {len(row.marks):,} failed")
    return marks.ok()


def _attempt_note(row: MessageRow, screen: Screen) -> Child:
    if not row.attempt or screen.derived is None or screen.derived.attempt is None:
        return None
    chars = counted(sum(text_chars(output.content) for output in screen.derived.attempt.outputs), "char")
    made = screen.derived.attempt_origin
    says = f"pasted, {chars}" if made is None else f"produced by the local tier, {chars}"
    return h("div", {"class": "dim"}, None if made is None else [marks.origin(made), " "], says)


def _more(hidden: int, by_rows: bool) -> Child:
    if hidden <= 0:
        return None
    says = f"{counted(hidden, 'message')} not shown yet"
    if not by_rows:
        return h("p", {"class": "more"}, frame.dim(f"{says}: too long to list at once. Search to reach them."))
    return h(
        "p",
        {"class": "more"},
        frame.button(f"Show {min(hidden, PAGE):,} more", "messages:more"),
        frame.dim(says),
    )
