"""How the operator looks at the screen: filters, folds and switches that ask nothing and change no result."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

#: Rows a list starts with; "Show more" adds as many again.
PAGE: Final = 200


@dataclass(frozen=True, slots=True)
class View:
    """What is folded, filtered and switched. One value for a bench, beside its `Screen`."""

    problem_rows: int = PAGE
    conversation_rows: int = PAGE
    #: Words that a listed conversation's title must hold, in any case; empty lists all.
    conversation_search: str = field(default="", repr=False)
    #: Whether the field for the path of a file is there.
    path: bool = False
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
        case "problems:more":
            return replace(view, problem_rows=view.problem_rows + PAGE)
        case "conversations:search":
            return replace(view, conversation_search=value, conversation_rows=PAGE)
        case "conversation:path":
            return replace(view, path=not view.path)
        case "conversations:more":
            return replace(view, conversation_rows=view.conversation_rows + PAGE)
        case "judge:view" if value in ("source", "read"):
            return replace(view, against_source=value == "source")
        case "probabilities:view" if value in ("chart", "table"):
            return replace(view, table=value == "table")
        case "cutoffs:view" if value in ("chart", "table"):
            return replace(view, cutoffs_table=value == "table")
        case "escalation:view" if value in ("chart", "table"):
            return replace(view, escalation_table=value == "table")
    return None
