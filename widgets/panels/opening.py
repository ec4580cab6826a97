"""A file or a long text on its way to the bench, and what came of the last one, in the Conversation panel."""

from __future__ import annotations

from ..files import Notice, Opening, Stage
from ..text import Child, h
from . import frame


def says(opening: Opening) -> list[Child]:
    """`Reading trace.jsonl, 3.2 of 10.4 MB, 1.2 s`; the seconds go on in the browser."""
    name = frame.short(opening.name, 40)
    match opening.stage:
        case Stage.READING:
            what = f"Reading {name}"
        case Stage.LISTING:
            what = f"Listing the conversations of {name}"
        case Stage.PARSING:
            what = f"Finding the format of {name}, and reading it as that"
    clock = h("span", {"data-clock": f"{opening.seconds:.3f}", "data-k": "opening-clock"}, f"{opening.seconds:.1f} s")
    return [what, ", ", _size(opening), clock]


def on_its_way(opening: Opening | None) -> Child:
    """How far it is, and the button that leaves it."""
    if opening is None:
        return None
    bar = {"max": opening.total, "value": opening.done, "aria-label": "Bytes read"}
    return h(
        "div",
        {"class": "opening", "data-k": "opening"},
        h("p", {"class": "row t1"}, h("span", {"role": "status"}, says(opening)), frame.button("Cancel", "cancel")),
        h("progress", bar) if opening.total and opening.stage is not Stage.PARSING else None,
        h("p", {"class": "t1 dim"}, "What is on the bench stays until it is there."),
    )


def notice(said: Notice | None) -> Child:
    """Why a file could not be opened, or what was copied; it goes with the next input."""
    if said is None:
        return None
    return h(
        "p",
        {"class": "row notice t1", "role": "alert" if said.failed else "status", "data-k": "notice"},
        h("span", {"class": "sev error"}, "error") if said.failed else None,
        h("span", None, said.what, f" {said.next_step}" if said.next_step else None),
        frame.button("Close", "close-notice", kind="quiet small"),
    )


def _size(opening: Opening) -> str:
    if opening.stage is Stage.PARSING:
        return f"{_megabytes(opening.total or 0)} MB, "
    if opening.total is None:
        return f"{_megabytes(opening.done)} MB so far, "
    return f"{_megabytes(opening.done)} of {_megabytes(opening.total)} MB, "


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.1f}"
