"""What reading a paste had to say: severity, place, what was found and the next step; errors first."""

from __future__ import annotations

from typing import Final

from ...core.conversation.diagnostics import Diagnostic, Severity
from ...core.conversation.reading import Reading
from ...core.explain.wording import counted
from ..text import Child, Html, h
from . import frame
from .view import PAGE, START, View

#: Characters listed of a JSON path.
PATH_CHARS: Final = 200
_ORDER: Final = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


def problems(reading: Reading, view: View = START, chosen: int | None = None) -> Html:
    """The list; each place that can be found in the paste is a button (`jump-diagnostic`, by its index).

    With a conversation chosen, the remarks on it and on the whole paste; those on others are counted.
    """
    if not reading.diagnostics:
        return h("p", {"class": "t1 dim"}, "Read without remarks.")
    listed = [(at, one) for at, one in enumerate(reading.diagnostics) if _concerns(one, chosen)]
    others = len(reading.diagnostics) - len(listed)
    found = sorted(listed, key=lambda one: _ORDER.index(one[1].severity))
    hidden = len(found) - view.problem_rows
    return h(
        "div",
        None,
        h(
            "ul",
            {"class": "diag", "aria-label": "Remarks on the paste"},
            [_line(index, one) for index, one in found[: view.problem_rows]],
        ),
        _more(hidden) if hidden > 0 else None,
        h("p", {"class": "t1 dim"}, f"{counted(others, 'remark')} on other conversations.") if others else None,
    )


def _concerns(one: Diagnostic, chosen: int | None) -> bool:
    return chosen is None or one.conversation is None or one.conversation == chosen


def _more(hidden: int) -> Child:
    return h(
        "p",
        {"class": "more"},
        frame.button(f"Show {min(hidden, PAGE):,} more", "problems:more"),
        frame.dim(f"{counted(hidden, 'remark')} not shown yet"),
    )


def _line(index: int, one: Diagnostic) -> Html:
    return h(
        "li",
        {"data-k": f"d{index}"},
        h("span", {"class": f"sev {one.severity.value}"}, one.severity.value),
        h("span", {"class": "dim"}, _place(index, one)),
        h(
            "span",
            None,
            frame.coded(one.message),
            [" ", frame.coded(one.next_step)] if one.next_step else None,
            _path(one),
        ),
    )


def _place(index: int, one: Diagnostic) -> Child:
    where = one.place
    if where.line is None:
        text = "in the paste" if where.start is not None else "whole paste"
    else:
        text = f"line {where.line:,}" if where.column is None else f"line {where.line:,}:{where.column:,}"
    if where.start is None and where.line is None:
        return text
    return frame.button(text, "jump-diagnostic", k=str(index), kind="quiet small")


def _path(one: Diagnostic) -> Child:
    return [" ", h("code", {"class": "dim"}, one.place.path[:PATH_CHARS])] if one.place.path else None
