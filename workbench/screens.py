"""The screen after each thing that happens in a session: one function each, from the screen before (UI 6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from ..core.conversation.reading import Reading
from ..core.vgr.evidence import Asked, Rung
from ..widgets.screen import Derived, Failure, RunState, Screen
from .progress import Progress
from .result import Result

_NO_RESULT: Final[dict[str, Any]] = {"outcome": None, "trace": None, "trace_with_extra": None, "reason": None}
_NO_RUN: Final[dict[str, Any]] = {"asking": None, "failure": None, "will_ask": (), "remark": ""}


def empty(screen: Screen) -> Screen:
    """There is no text. Driver, policy and controls stay."""
    gone = {"reading": None, "chosen": None, "derived": None, "asked": ()}
    return replace(screen, state=RunState.EMPTY, **_NO_RESULT, **_NO_RUN | gone)


def unrouted(screen: Screen, reading: Reading, result: Result | None) -> Screen:
    """Nothing to route, or a choice is due: a result that was there stays, but is no longer of this text."""
    remark = "choose a conversation" if reading.conversations else "the text can't be read"
    kept = {"derived": None if result is None else result.derived, "asked": (), "remark": remark}
    return replace(screen, state=_unasked(screen), **_NO_RUN | kept)


def waiting(screen: Screen, found: Derived, will_ask: tuple[Rung, ...], remark: str) -> Screen:
    """An input changed and a run would send something, so it waits; a result that was there is stale."""
    told = {"derived": found, "asked": (), "will_ask": will_ask, "remark": "" if screen.outcome is None else remark}
    return replace(screen, state=_unasked(screen), **_NO_RUN | told)


def running(screen: Screen, found: Derived, progress: Progress, will_ask: tuple[Rung, ...], remark: str) -> Screen:
    """A run is on; the result before it stands, marked stale by the remark."""
    return replace(
        screen,
        state=RunState.RUNNING,
        derived=found,
        asked=progress.asked,
        asking=progress.asking,
        failure=None,
        will_ask=will_ask,
        remark="" if screen.outcome is None else remark,
    )


def cancelled(screen: Screen, found: Derived, progress: Progress, seconds: float) -> Screen:
    """A run was ended; what it gathered stays."""
    asking = "" if progress.asking is None else f"asking {progress.asking.value}, "
    kept = {"derived": found, "asked": progress.asked, "remark": f"{asking}at {seconds:.1f} s"}
    return replace(screen, state=RunState.CANCELLED, **_NO_RUN | kept)


def done(screen: Screen, result: Result) -> Screen:
    """A run came to its outcome."""
    return replace(
        screen,
        state=RunState.DONE,
        derived=result.derived,
        outcome=result.outcome,
        trace=result.trace,
        trace_with_extra=result.trace_with_extra,
        reason=result.reason,
        asked=() if result.outcome is None else result.outcome.asked,
        **_NO_RUN,
    )


def failed(screen: Screen, result: Result, asked: tuple[Asked, ...]) -> Screen:
    """A run failed; what it gathered until then stays."""
    kept = {"derived": result.derived, "asked": asked, "failure": result.failure}
    return replace(screen, state=RunState.FAILED, **_NO_RESULT, **_NO_RUN | kept)


def refused(screen: Screen, failure: Failure) -> Screen:
    """An input could not be taken; all else stays."""
    return replace(screen, state=RunState.FAILED, asking=None, failure=failure)


def _unasked(screen: Screen) -> RunState:
    return RunState.IDLE if screen.outcome is None else RunState.STALE
