"""The three algorithms of a session, each in a seat of its own: run, result and place stay while another is on screen.

Everything here runs on the session's thread. Each new input ends the runs before it, so the last input wins. The mock
is asked at once for the algorithm on screen, since asking it sends nothing; any other driver waits for `run`.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, Generic

from ..core.vgr.evidence import OriginKind, Rung
from ..widgets.algorithm import Algorithm
from ..widgets.screen import Controls, Failure, RunState
from . import standing
from .algorithms.protocol import AnyResult, Course, R
from .algorithms.settings import Carried, Inputs, new_session
from .display import Display
from .drivers.protocol import Category
from .own_loop import OwnLoop
from .progress import Progress
from .standing import NOTHING, Standing

#: A run shorter than this, in seconds, goes from one result to the next without a screen between, so nothing flickers.
REVEAL_AFTER: Final = 0.15
#: Seconds between two screens of a run that is shown: what happens faster shows together.
REVEAL_EVERY: Final = 0.03


@dataclass(eq=False, slots=True)
class _Run:
    """A run that is on, as long as its seat holds it; whatever comes of one that it let go is dropped."""

    inputs: Inputs
    remark: str
    carried: Carried
    began: float
    #: What it was to ask; computed once it shows.
    will_ask: tuple[Rung, ...] | None = None
    progress: Progress = field(default_factory=Progress)
    task: asyncio.Task[None] | None = None
    #: When it shows next; None once it has shown and nothing has happened since.
    timer: asyncio.TimerHandle | None = None
    shown: bool = False

    def hide(self) -> None:
        """Show nothing more of it, as long as nothing happens."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


@dataclass(eq=False, slots=True)
class Seat(Generic[R]):
    """One algorithm of a session."""

    course: Course[R]
    #: Where the run on screen starts from: a turn that is only repeated earns no strikes.
    before: Carried
    #: Where the next run starts from, once this one is done.
    after: Carried | None = None
    standing: Standing = NOTHING
    result: R | None = None
    #: What the result was made from; None where the session began anew since.
    basis: Inputs | None = None
    run: _Run | None = None
    #: Whether an input changed since its screen was made, what changed, and whether what is computed changed with it.
    outdated: bool = False
    remark: str = ""
    rederive: bool = False

    @property
    def had(self) -> bool:
        """Whether a result is there that stays on screen."""
        return self.result is not None and self.result.outcome is not None


class Seats:
    """All seats; the one in front is that of the algorithm on screen."""

    def __init__(
        self,
        courses: Sequence[Course[Any]],
        loop: OwnLoop,
        display: Display,
        inputs: Callable[[], Inputs | None],
        on_end: Callable[[], None],
    ) -> None:
        """`inputs` gives what a run would be made from now; `on_end` is called when one ended, before that shows."""
        self._loop = loop
        self._display = display
        self._inputs = inputs
        self._on_end = on_end
        carried = new_session(display.screen.controls)
        self._seats: dict[Algorithm, Seat[Any]] = {course.algorithm: Seat(course, carried) for course in courses}

    @property
    def front(self) -> Seat[Any]:
        """The seat of the algorithm on screen."""
        return self._seats[self._display.screen.algorithm]

    @property
    def result(self) -> AnyResult | None:
        """The result of the algorithm on screen."""
        found: AnyResult | None = self.front.result
        return found

    def safely(self, work: Callable[[], None]) -> None:
        """Do it; what it raises reaches the screen, by its kind only, and the session lives on."""
        try:
            work()
        except Exception as error:  # noqa: BLE001 - nobody else would hear of it
            what = f"The last input failed: {type(error).__name__}."
            self.refuse(Failure("input", what, "Undo it, or make a new bench."))

    def refuse(self, failure: Failure) -> None:
        """Say that an input could not be taken."""
        self.front.standing = self.front.standing.refused(failure)
        self.show()

    def show(self) -> None:
        """Show the seat in front, and all else as it stands."""
        seat = self.front
        if seat.run is not None and not seat.run.shown and seat.standing.state is RunState.DONE:
            # It is on and not to be seen yet, but beside what is shown now the result before it would pass for current.
            self._reveal(seat, seat.run)
            return
        self._display.show(self.front.standing.on(self._display.screen))

    def begin(self, controls: Controls) -> None:
        """A new session for all: another conversation, or another driver."""
        for seat in self._seats.values():
            seat.before, seat.after, seat.basis = new_session(controls), None, None

    def renew_breakers(self, controls: Controls) -> None:
        """The breakers' settings changed: new ones, and the sessions go on."""
        for seat in self._seats.values():
            seat.before = replace(seat.before, breakers=new_session(controls).breakers)
            seat.after = None if seat.after is None else replace(seat.after, breakers=seat.before.breakers)

    def changed(self, remark: str, *, of: Collection[Algorithm] = tuple(Algorithm), rederive: bool = False) -> None:
        """An input changed, of all algorithms or of these alone; `rederive` tells that what is computed changes too."""
        for algorithm in of:
            seat = self._seats[algorithm]
            self._stop(seat)
            seat.outdated, seat.remark, seat.rederive = True, remark, seat.rederive or rederive
        inputs = self._inputs()
        if inputs is not None and rederive and Algorithm.VGR in of and self.front.course.algorithm is not Algorithm.VGR:
            # Whatever is in front, the conversation is shown with what verification-gated routing derives of it.
            vgr = self._seats[Algorithm.VGR].course
            self._display.screen = vgr.computed(self._display.screen, inputs, Progress())
        self._renew(self.front)

    def edited(self, algorithm: Algorithm, remark: str) -> None:
        """The settings of one algorithm alone changed: what was answered is read again where nobody must be asked."""
        seat, inputs = self._seats[algorithm], self._inputs()
        if inputs is not None and not _is_mock(inputs) and seat.result is not None and _same(seat.basis, inputs):
            again = seat.course.reread(inputs, seat.result)
            if again is not None:
                self._stop(seat)
                seat.result, seat.outdated, seat.standing = again, False, standing.done(again.asked)
                self._display.screen = seat.course.settled(self._display.screen, again)
                self.show()
                return
        self.changed(remark, of=(algorithm,), rederive=True)

    def bring(self, algorithm: Algorithm) -> None:
        """Put an algorithm in front. What another one is doing goes on."""
        screen = replace(self._display.screen, algorithm=algorithm)
        self._display.screen = self._seats[algorithm].course.brought(screen)
        self._renew(self.front, at_once=True)

    def unroute(self, remark: str) -> None:
        """There is nothing to route, or a choice is due."""
        for seat in self._seats.values():
            self._stop(seat)
            seat.outdated, seat.standing = False, standing.unrouted(seat.had, remark)
            self._display.screen = seat.course.settled(self._display.screen, seat.result)
        self.show()

    def clear(self) -> None:
        """There is no text."""
        for seat in self._seats.values():
            self._stop(seat)
            seat.result, seat.basis, seat.outdated, seat.standing = None, None, False, NOTHING
            self._display.screen = seat.course.settled(self._display.screen, None)
        self.show()

    def run_next(self) -> None:
        """Run the algorithm in front. Run again, it is the session's next turn."""
        seat, inputs = self.front, self._inputs()
        if inputs is not None:
            self._stop(seat)
            if seat.after is not None:
                seat.before = seat.after
            self._start(seat, inputs, "")

    def cancel(self) -> None:
        """End the run in front; what it gathered stays."""
        seat = self.front
        run = self._stop(seat)
        if run is not None:
            seat.standing = standing.cancelled(run.progress, self._loop.time() - run.began)
            self._display.screen = seat.course.computed(self._display.screen, run.inputs, run.progress)
            self.show()

    def stop_all(self) -> list[asyncio.Task[None]]:
        """Let every run go, and give the tasks that are still ending."""
        runs = [self._stop(seat) for seat in self._seats.values()]
        return [run.task for run in runs if run is not None and run.task is not None]

    def _renew(self, seat: Seat[Any], *, at_once: bool = False) -> None:
        """Bring a seat up to date: run where that sends nothing, else say what is stale and what would be asked."""
        inputs = self._inputs()
        if inputs is None or not seat.outdated:
            self.show()
            return
        seat.outdated, rederive, seat.rederive = False, seat.rederive, False
        if _is_mock(inputs):
            self._start(seat, inputs, seat.remark, at_once=at_once)
            return
        seat.standing = standing.waiting(seat.had, seat.course.will_ask(inputs), seat.remark)
        if rederive or seat.result is None:
            self._display.screen = seat.course.computed(self._display.screen, inputs, Progress())
        else:
            self._display.screen = seat.course.settled(self._display.screen, seat.result)
        self.show()

    def _start(self, seat: Seat[Any], inputs: Inputs, remark: str, *, at_once: bool = False) -> None:
        carried = replace(seat.before, breakers=copy.deepcopy(seat.before.breakers))
        run = seat.run = _Run(inputs, remark, carried, self._loop.time())
        run.task = self._loop.start(self._take(seat, run))
        # A first result has nothing to flicker against, so what is computed shows at once.
        reveal_after = REVEAL_AFTER if seat.had else 0.0
        self._reveal_in(reveal_after, seat, run)
        if at_once:
            self._reveal(seat, run)

    def _stop(self, seat: Seat[Any]) -> _Run | None:
        """Let the run go that is on, and give it."""
        run, seat.run = seat.run, None
        if run is not None:
            run.hide()
            if run.task is not None:
                run.task.cancel()
        return run

    async def _take(self, seat: Seat[Any], run: _Run) -> None:
        failed = None
        try:
            async for event in seat.course.events(run.inputs, run.carried):
                if run is not seat.run:
                    return  # the driver went on although its call was cancelled
                run.progress = run.progress.after(event)
                if run.timer is None and run.progress.outcome is None:
                    self._reveal_in(REVEAL_EVERY, seat, run)
        except Exception as error:  # noqa: BLE001 - a driver may raise anything; the session lives on and says so
            failed = error
        if run is seat.run:
            self.safely(partial(self._end, seat, run, failed))

    def _reveal_in(self, seconds: float, seat: Seat[Any], run: _Run) -> None:
        run.timer = self._loop.later(seconds, partial(self.safely, partial(self._reveal, seat, run)))

    def _reveal(self, seat: Seat[Any], run: _Run) -> None:
        run.hide()
        run.shown = True
        if run.will_ask is None:
            run.will_ask = seat.course.will_ask(run.inputs)
        seat.standing = standing.running(seat.had, run.progress, run.will_ask, run.remark)
        self._display.screen = seat.course.computed(self._display.screen, run.inputs, run.progress)
        self.show()

    def _end(self, seat: Seat[Any], run: _Run, error: Exception | None) -> None:
        seat.run = None
        run.hide()
        course, screen = seat.course, self._display.screen
        result = seat.result = course.result(run.inputs, run.progress, error, screen)
        seat.basis = run.inputs
        if result.outcome is None:
            seat.standing = standing.failed(result.failure, run.progress.asked)
        else:
            seat.standing = standing.done(result.asked)
            seat.after = course.carry(result, run.carried)
        self._display.screen = course.settled(screen, result)
        self._on_end()
        self.show()


def _is_mock(inputs: Inputs) -> bool:
    """Whether asking sends nothing and runs nothing: a mock may have a real checker beside it, or one real model."""
    driver = inputs.settings.driver
    return all(driver.origin_for(category).kind is OriginKind.MOCK for category in Category)


def _same(basis: Inputs | None, now: Inputs) -> bool:
    """Whether a result was made from these inputs, but for the settings of its own algorithm."""
    return (
        basis is not None
        and basis.conversation is now.conversation
        and basis.settings.controls == now.settings.controls
        and basis.settings.policy == now.settings.policy
    )
