"""Where an algorithm stands on a bench: the part of the screen that is the same for all three (UI 6)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..core.vgr.evidence import Asked, Rung
from ..widgets.screen import Failure, RunState, Screen
from .progress import Progress


@dataclass(frozen=True, slots=True)
class Standing:
    """Run state, failure, remark and what was asked, as the screen has them. `had` tells of a result that stays."""

    state: RunState = RunState.EMPTY
    asked: tuple[Asked, ...] = ()
    asking: Rung | None = None
    will_ask: tuple[Rung, ...] = ()
    failure: Failure | None = None
    remark: str = ""

    def on(self, screen: Screen) -> Screen:
        """The screen with this in place."""
        return replace(
            screen,
            state=self.state,
            asked=self.asked,
            asking=self.asking,
            will_ask=self.will_ask,
            failure=self.failure,
            remark=self.remark,
        )

    def refused(self, failure: Failure) -> Standing:
        """An input could not be taken; all else stays."""
        return replace(self, state=RunState.FAILED, asking=None, failure=failure)


#: There is no text.
NOTHING = Standing()


def unrouted(had: bool, remark: str) -> Standing:
    """Nothing to route, or a choice is due: a result that was there stays, but is no longer of this text."""
    return Standing(_unasked(had), remark=remark)


def waiting(had: bool, will_ask: tuple[Rung, ...], remark: str) -> Standing:
    """An input changed and a run would send something, so it waits; a result that was there is stale."""
    return Standing(_unasked(had), will_ask=will_ask, remark=remark if had else "")


def running(had: bool, progress: Progress, will_ask: tuple[Rung, ...], remark: str) -> Standing:
    """A run is on; the result before it stands, marked stale by the remark."""
    remark = remark if had else ""
    return Standing(RunState.RUNNING, progress.asked, progress.asking, will_ask, None, remark)


def cancelled(progress: Progress, seconds: float) -> Standing:
    """A run was ended; what it gathered stays."""
    asking = "" if progress.asking is None else f"asking {progress.asking.value}, "
    return Standing(RunState.CANCELLED, progress.asked, remark=f"{asking}at {seconds:.1f} s")


def done(asked: tuple[Asked, ...]) -> Standing:
    """A run came to its outcome."""
    return Standing(RunState.DONE, asked)


def failed(failure: Failure | None, asked: tuple[Asked, ...]) -> Standing:
    """A run failed; what it gathered until then stays."""
    return Standing(RunState.FAILED, asked, failure=failure)


def _unasked(had: bool) -> RunState:
    return RunState.STALE if had else RunState.IDLE
