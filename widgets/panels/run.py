"""The run in words: what is being asked, what it took, where it was cancelled, why none can start (UI 6)."""

from __future__ import annotations

from ...core.explain.wording import counted
from ...core.vgr.evidence import Asked
from ..screen import Screen
from ..text import Child, Html, h
from . import asked, frame
from .durations import limit, seconds


def elapsed(screen: Screen) -> Html:
    """Seconds since the run began, continued by the browser from the last answer (`data-clock`, in seconds)."""
    since = asked.end(screen.asked)
    return h("span", {"data-clock": f"{since:.3f}", "data-k": "clock"}, f"{since:.1f} s")


def asking(screen: Screen) -> list[Child]:
    """`Asking readout, 0.9 s of 30 s`."""
    what = f"Asking {screen.asking.value}" if screen.asking else "Asking"
    return [what, ", ", elapsed(screen), f" of {limit(screen.controls.deadline)}"]


def done(rows: tuple[Asked, ...]) -> str:
    """`1.316 s, 4 calls, 1 fault`."""
    faults = sum(row.miss in asked.FAULTS for row in rows)
    says = f"{seconds(asked.end(rows))}, {counted(asked.sent(rows), 'call')}"
    return f"{says}, {counted(faults, 'fault')}" if faults else says


def cancelled(remark: str) -> tuple[str, str]:
    """A remark such as "asking readout, at 1.2 s" as what was going on and when; either may be empty."""
    doing, _, when = remark.rpartition("at ")
    return doing.rstrip(", "), when


def cannot_run(screen: Screen) -> str:
    """Why nothing can be run, one sentence; empty where it can."""
    if screen.derived is not None and not frame.unread(screen):
        return "" if screen.driver else "No driver. Choose mock, cassette or live."
    if screen.reading is None:
        return "Nothing to run: paste a conversation first."
    if not screen.reading.conversations:
        return "Nothing to run: the paste could not be read."
    return "Nothing to run: choose a conversation first."
