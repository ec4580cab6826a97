"""The run in words: what is being asked, what it took, where it was cancelled, why none can start (UI 6)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from ...core.cutoffs.config import InvalidCutoffs, check_config
from ...core.escalation.outcome import EscalationOutcome
from ...core.explain.wording import counted
from ...core.vgr.evidence import Asked, Rung
from ..algorithm import Algorithm
from ..screen import RunState, Screen
from ..text import Child, Html, h
from . import asked, frame
from .durations import limit, seconds


def rows(screen: Screen) -> tuple[Asked, ...]:
    """What the algorithm on screen asked: in the run that is on, was cancelled or failed, else for its outcome."""
    if screen.state in (RunState.RUNNING, RunState.CANCELLED, RunState.FAILED):
        return screen.asked
    if screen.algorithm is Algorithm.CUTOFFS and screen.cutoffs is not None and screen.cutoffs.outcome is not None:
        return (screen.cutoffs.outcome.asked,)
    if screen.algorithm is Algorithm.ESCALATION and screen.escalation is not None and screen.escalation.outcome:
        return tuple(row for turn in screen.escalation.outcome.turns for row in turn.asked)
    return asked.shown(screen) if screen.algorithm is Algorithm.VGR else screen.asked


def named(rung: Rung) -> str:
    """A rung as the panels of its own algorithm name it."""
    return "judge" if rung is Rung.ESCALATION_JUDGE else rung.value


def repeated(rungs: Iterable[Rung]) -> list[str]:
    """The rungs in order, those that follow each other counted: `judge ×16`, `efficient`, `judge`."""
    runs = ((named(rung), sum(1 for _ in run)) for rung, run in groupby(rungs))
    return [name if size == 1 else f"{name} \N{MULTIPLICATION SIGN}{size:,}" for name, size in runs]


def elapsed(screen: Screen) -> Html:
    """Seconds since the run began, continued by the browser from the last answer (`data-clock`, in seconds)."""
    since = _spent(screen)
    return h("span", {"data-clock": f"{since:.3f}", "data-k": "clock"}, f"{since:.1f} s")


def asking(screen: Screen) -> list[Child]:
    """`Asking readout, 0.9 s of 30 s`; of a replay `Asking judge at turn 8 of 17, 1.2 s`."""
    what = f"Asking {named(screen.asking)}" if screen.asking else "Asking"
    if screen.algorithm is Algorithm.ESCALATION and screen.escalation is not None:
        shown = screen.escalation
        # Each of its calls has a deadline of its own.
        return [f"{what} at turn {len(shown.turns) + 1:,} of {shown.total:,}, ", elapsed(screen)]
    return [what, ", ", elapsed(screen), f" of {limit(screen.controls.deadline)}"]


def done(screen: Screen) -> str:
    """`1.316 s, 4 calls, 1 fault`; of a replay `17 turns, 9 calls until the latch`."""
    of = rows(screen)
    faults = sum(row.miss in asked.FAULTS for row in of)
    if screen.algorithm is Algorithm.ESCALATION and screen.escalation is not None and screen.escalation.outcome:
        says = _replayed(screen.escalation.outcome)
    else:
        says = f"{seconds(asked.end(of))}, {counted(asked.sent(of), 'call')}"
    return f"{says}, {counted(faults, 'fault')}" if faults else says


def cancelled(remark: str) -> tuple[str, str]:
    """A remark such as "asking readout, at 1.2 s" as what was going on and when; either may be empty."""
    doing, _, when = remark.rpartition("at ")
    return doing.rstrip(", "), when


def cannot_run(screen: Screen) -> str:
    """Why nothing can be run, one sentence; empty where it can."""
    if screen.derived is not None and not frame.unread(screen):
        return _cannot_ask(screen)
    if screen.listing is not None and screen.reading is None:
        return "Nothing to run: choose a conversation of the file first."
    if screen.reading is None:
        return "Nothing to run: paste a conversation first."
    if not screen.reading.conversations:
        return "Nothing to run: the paste could not be read."
    return "Nothing to run: choose a conversation first."


def _cannot_ask(screen: Screen) -> str:
    if screen.driver is None:
        return "No driver. Choose mock, cassette or live."
    if screen.algorithm is Algorithm.CUTOFFS and screen.cutoffs is not None:
        try:
            check_config(screen.cutoffs.config)
        except InvalidCutoffs as refusal:
            return f"Nothing to run: the rules cannot be used. {refusal}"
    return ""


def _spent(screen: Screen) -> float:
    of = rows(screen)
    # Rows of a replay count from the start of their own turn, and follow each other.
    return sum(row.took for row in of) if screen.algorithm is Algorithm.ESCALATION else asked.end(of)


def _replayed(outcome: EscalationOutcome) -> str:
    latch = outcome.latched_at
    until = sum(asked.sent(turn.asked) for turn in outcome.turns if latch is None or turn.turn <= latch)
    after = sum(asked.sent(turn.asked) for turn in outcome.turns) - until
    says = f"{counted(len(outcome.turns), 'turn')}, {counted(until, 'call')}"
    if latch is None:
        return says
    return f"{says} until the latch, {after:,} after" if after else f"{says} until the latch"
