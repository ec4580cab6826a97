"""The conversations to choose from: those of a paste that holds several, and those of a large file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from ...core.conversation.diagnostics import Severity
from ...core.conversation.reading import Conversation, Reading
from ...core.explain.wording import counted
from ..files import Listing
from ..text import Child, Html, h
from . import frame
from .view import PAGE, View

#: Characters listed of a conversation's name.
NAME_CHARS: Final = 120
#: So many are listed without a field to filter them by.
_FEW: Final = 8


def of_paste(reading: Reading, chosen: int | None, view: View) -> Html:
    """Those of a paste, each with how many messages it has and what was remarked on it."""
    total = len(reading.conversations)
    says = "Choose one." if chosen is None else f"Number {chosen + 1:,} is on screen."
    sought = view.conversation_search.casefold().strip()
    titles = [found.title or f"conversation {index + 1:,}" for index, found in enumerate(reading.conversations)]
    found = [index for index in range(total) if sought in titles[index].casefold()] if sought else range(total)
    remarked = Counter(
        (one.conversation, one.severity) for one in reading.diagnostics if one.severity is not Severity.NOTE
    )

    def row(index: int) -> Html:
        counts = ((remarked[index, severity], severity) for severity in (Severity.ERROR, Severity.WARNING))
        said = [counted(number, severity.value) for number, severity in counts if number]
        right = [_messages(reading.conversations[index]), *said]
        return _row(index, titles[index], ", ".join(right), "choose-conversation", chosen == index)

    return _list(f"{total:,} conversations in this paste. {says}", total, found, row, view)


def of_file(listing: Listing, view: View) -> Html:
    """Those of a large file. None is loaded before it is chosen."""
    at = listing.conversations
    total = len(at)
    chosen = listing.chosen
    says = "Choose one to load it." if chosen is None else f"Number {chosen + 1:,} is loaded."
    name = frame.short(listing.name, 40)

    def row(index: int) -> Html:
        right = ", ".join(filter(None, (at.size(index), at.problem(index))))
        return _row(index, at.title(index), right, "choose-listed", chosen == index)

    return h(
        "div",
        {"class": "listing", "data-k": "listing"},
        _list(
            f"{counted(total, 'conversation')} in {name}, {listing.bytes / 1e6:,.1f} MB. {says}",
            total,
            at.found(view.conversation_search),
            row,
            view,
        ),
        [_warned(one) for one in listing.remarks],
    )


def _list(says: str, total: int, found: Sequence[int], row: Callable[[int], Html], view: View) -> Html:
    shown = found[: view.conversation_rows]
    hidden = len(found) - len(shown)
    return h(
        "div",
        {"class": "choose"},
        h("p", {"class": "t1 row"}, h("span", None, says), _search(view) if total > _FEW else None),
        h("ol", {"aria-label": "Conversations"}, [row(index) for index in shown]) if shown else _none(view),
        _more(hidden, len(found)) if hidden > 0 else None,
    )


def _more(hidden: int, total: int) -> Html:
    return h(
        "p",
        {"class": "row"},
        frame.button(f"Show {min(hidden, PAGE):,} more", "conversations:more"),
        frame.dim(f"{hidden:,} of {total:,} not listed yet"),
    )


def _warned(remark: str) -> Html:
    return h("p", {"class": "t1"}, h("span", {"class": "sev warning"}, "warning"), " ", remark)


def _search(view: View) -> Html:
    return frame.field(
        "Filter by title", "conversations:search", view.conversation_search, placeholder="Filter", k="c-search"
    )


def _none(view: View) -> Child:
    return h("p", {"class": "t1 dim"}, "No title holds this.") if view.conversation_search else None


def _row(index: int, title: str, right: str, act: str, chosen: bool) -> Html:
    return h(
        "li",
        {"data-k": f"c{index}"},
        frame.button(title[:NAME_CHARS], act, k=str(index), value=str(index), pressed=chosen, kind="small cut"),
        frame.dim(right) if right else None,
    )


def _messages(found: Conversation) -> str:
    return counted(len(found.request.messages), "message")
