"""How the operator looks at the screen: filters, folds and switches that ask nothing and change no result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final


class MessageFilter(StrEnum):
    """Which messages are listed."""

    ALL = "all"
    FAILED = "failed"
    CALLS = "calls"


#: Rows a list starts with; "Show more" adds as many again.
PAGE: Final = 200


@dataclass(frozen=True, slots=True)
class View:
    """What is folded, filtered and switched. One value for a bench, beside its `Screen`."""

    messages: MessageFilter = MessageFilter.ALL
    #: Text that a listed message must hold, in any case; empty lists all.
    search: str = ""
    message_rows: int = PAGE
    problem_rows: int = PAGE
    conversation_rows: int = PAGE
    #: Turns whose long text is shown beyond its fold, by index into `Request.turns` (`len(turns)` is the attempt).
    opened: frozenset[int] = frozenset()
    #: Judge's view against its source (kept, clipped, dropped), else as the judge reads it.
    against_source: bool = True
    #: Probabilities as a table, else as the chart; likewise the ordered rules and the streak.
    table: bool = False
    cutoffs_table: bool = False
    escalation_table: bool = False


#: How a bench is looked at first.
START: Final = View()


def looked(view: View, act: str, k: str = "", value: str = "") -> View | None:
    """The view after an interaction (see the table in `panels`); None where `act` is no way of looking."""
    match act:
        case "messages:filter" if value in tuple(MessageFilter):
            return replace(view, messages=MessageFilter(value), message_rows=PAGE)
        case "messages:search":
            return replace(view, search=value, message_rows=PAGE)
        case "messages:more":
            return replace(view, message_rows=view.message_rows + PAGE)
        case "problems:more":
            return replace(view, problem_rows=view.problem_rows + PAGE)
        case "conversations:more":
            return replace(view, conversation_rows=view.conversation_rows + PAGE)
        case "messages:open" if k.isascii() and k.isdecimal():
            return replace(view, opened=view.opened ^ {int(k)})
        case "judge:view" if value in ("source", "read"):
            return replace(view, against_source=value == "source")
        case "probabilities:view" if value in ("chart", "table"):
            return replace(view, table=value == "table")
        case "cutoffs:view" if value in ("chart", "table"):
            return replace(view, cutoffs_table=value == "table")
        case "escalation:view" if value in ("chart", "table"):
            return replace(view, escalation_table=value == "table")
    return None
