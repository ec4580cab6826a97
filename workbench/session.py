"""A live session: holds what was pasted and set, runs turns, and tells what the screen shows.

All state lives on one thread with a loop of its own; public methods may be called from any thread and return at once.
Each new input cancels the run before it, so the last input wins. The mock is asked at once, since asking it sends
nothing; any other driver waits for `run`.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from ..core.conversation.read import read
from ..core.conversation.reading import Conversation, Reading
from ..core.vgr.evidence import OriginKind, Rung
from ..core.vgr.policy import POLICY_1_0_0, Policy
from ..widgets.screen import Controls, Derived, Failure, RunState, Screen
from . import screens
from .analysis import result_of, turn_events
from .deriving import derived_so_far
from .drivers.mock import MockDriver
from .drivers.protocol import Driver
from .drivers.scenarios import scenario
from .drivers.script import Fault, Script
from .examples import example, examples
from .outlooks import outlook
from .own_loop import OwnLoop
from .panel import driver_panel
from .progress import Progress
from .remarks import changed_controls, changed_messages
from .result import Result
from .turns.breaker import Breakers
from .turns.session_state import NEW_SESSION, SessionState

#: A run shorter than this, in seconds, goes from one result to the next without a screen between, so nothing flickers.
REVEAL_AFTER: Final = 0.15


@dataclass(eq=False, slots=True)
class _Run:
    """A turn that is on, as long as the session holds it; whatever comes of one that it let go is dropped."""

    conversation: Conversation
    remark: str
    state: SessionState
    breakers: Breakers
    began: float
    progress: Progress = Progress()
    shown: bool = False
    task: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None


class Session:
    """One conversation under one driver, policy and set of controls. `close` ends its thread."""

    def __init__(
        self,
        driver: Driver | None = None,
        controls: Controls | None = None,
        policy: Policy = POLICY_1_0_0,
        on_screen: Callable[[Screen], None] = lambda screen: None,
    ) -> None:
        """`on_screen` is called on the session's thread with every new screen; it must neither wait nor raise."""
        self._driver = MockDriver() if driver is None else driver
        self._on_screen = on_screen
        #: The text that was set last and its source's name, and the text that was read last.
        self._newest = ("", "")
        self._text = ""
        self._reading: Reading | None = None
        self._forced: str | None = None
        self._conversation: Conversation | None = None
        self._result: Result | None = None
        #: Where the turn on screen starts from: a turn that is only repeated earns no strikes.
        self._before: tuple[SessionState, Breakers] = NEW_SESSION, Breakers()
        #: Where the session's next turn starts from, once this one is done.
        self._after: tuple[SessionState, Breakers] | None = None
        self._current: _Run | None = None
        self.screen = Screen(
            RunState.EMPTY,
            policy=policy,
            controls=Controls() if controls is None else controls,
            driver=driver_panel(self._driver),
            examples=examples(),
        )
        self._loop = OwnLoop("routing-workbench-session")

    @property
    def text(self) -> str:
        """The text that was set last."""
        return self._newest[0]

    @property
    def result(self) -> Result | None:
        """The result of the last run that ended, also of one that failed; None before it, and once the text is gone."""
        return self._result

    def set_text(self, text: str, source_name: str = "") -> None:
        """Read this text in place of the one before. Texts that come faster than they are read are skipped."""
        newest = self._newest = text, source_name
        self._post(lambda: self._take(text, source_name) if newest is self._newest else None)

    def open_path(self, path: str | Path) -> None:
        """Read a file. Raises OSError where it cannot be; bytes that are no UTF-8 show as replacement characters."""
        path = Path(path)
        self.set_text(path.read_bytes().decode("utf-8", "replace"), path.name)

    def choose_example(self, name: str) -> None:
        """Read an example. Raises KeyError for a name that is none."""
        self.set_text(example(name), name)

    def force_format(self, name: str | None) -> None:
        """Read this text as this format, also once it is edited; None detects it again, as another source does."""

        def force() -> None:
            self._forced = name
            if self._text:
                self._read(f"read as {name}" if name else "format detected again")

        self._post(force)

    def choose_conversation(self, index: int) -> None:
        """Route this conversation of a paste that holds several."""
        self._post(lambda: self._choose(index, "another conversation chosen"))

    def set_controls(self, **changes: Any) -> None:
        """Change controls by name. Raises TypeError for a name that is none."""
        replace(Controls(), **changes)

        def change() -> None:
            before = self.screen.controls
            controls = replace(before, **changes)
            if controls != before:
                self.screen = replace(self.screen, controls=controls)
                self._restart(changed_controls(before, controls), rederive=True)

        self._post(change)

    def set_rung(
        self, rung: Rung, answer: str | None = None, delay_ms: int | None = None, fault: str | None = None
    ) -> None:
        """Edit what the mock answers at a rung. Does nothing with a driver that has no script.

        Raises ValueError for a fault that is none or a negative delay.
        """
        injected = None if fault is None else Fault(fault)
        Script().edited(rung, delay_ms=delay_ms)

        def edit() -> None:
            if isinstance(self._driver, MockDriver):
                script = self._driver.script.edited(rung, answer=answer, delay_ms=delay_ms, fault=injected)
                self._scripted(script, f"mock {rung.value} edited")

        self._post(edit)

    def choose_scenario(self, name: str) -> None:
        """Load a named scenario into the mock. Raises KeyError for a name that is none."""
        script = scenario(name).script
        self._post(lambda: self._scripted(script, f"scenario {name}"))

    def set_driver(self, driver: Driver) -> None:
        """Ask another driver from now on. Switching sends nothing: any but the mock waits for `run`."""

        def switch() -> None:
            self._driver = driver
            self._begin_session()
            self.screen = replace(self.screen, driver=driver_panel(driver))
            self._restart("driver switched")

        self._post(switch)

    def run(self) -> None:
        """Take a turn. Run again, it is the session's next turn: streak, latch and breakers go on."""
        self._post(self._run_next)

    def cancel(self) -> None:
        """End the run that is on; what was gathered stays on screen."""
        self._post(self._cancel)

    def wait(self, timeout: float = 60.0) -> bool:
        """Wait until every input so far is taken and no run is on; False where that took longer, in seconds."""
        return self._loop.wait(timeout)

    def close(self) -> None:
        """Cancel what runs and end the thread. Does nothing the second time."""
        self._loop.close()

    # From here on everything runs on the session's thread.

    def _post(self, work: Callable[[], None]) -> None:
        self._loop.post(partial(self._safely, work))

    def _safely(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:  # noqa: BLE001 - it reaches the screen, by its kind only, and the session lives on
            what = f"The last input failed: {type(error).__name__}."
            self._show(screens.refused(self.screen, Failure("input", what, "Undo it, or make a new bench.")))

    def _show(self, screen: Screen) -> None:
        self.screen = screen
        self._on_screen(screen)

    def _begin_session(self) -> None:
        self._before, self._after = (NEW_SESSION, Breakers()), None

    def _take(self, text: str, source_name: str) -> None:
        if not text or source_name != self.screen.source_name:
            self._forced = None
        self._text = text
        self.screen = replace(self.screen, source_name=source_name)
        if text:
            self._read("text changed")
            return
        self._stop()
        self._reading = self._conversation = self._result = None
        self._show(screens.empty(self.screen))

    def _read(self, remark: str) -> None:
        self._reading = read(self._text, force=self._forced, previous=self._reading)
        self.screen = replace(self.screen, reading=self._reading, chosen=None)
        if len(self._reading.conversations) == 1:
            self._choose(0, remark)
            return
        self._stop()
        self._conversation = None
        self._show(screens.unrouted(self.screen, self._reading, self._result))

    def _choose(self, index: int, remark: str) -> None:
        count = 0 if self._reading is None else len(self._reading.conversations)
        if self._reading is None or not 0 <= index < count:
            what = f"There is no conversation {index}; the paste holds {count}, counted from 0."
            self._show(screens.refused(self.screen, Failure("input", what, "Choose one that is there.")))
            return
        before = self._conversation
        self._conversation = self._reading.conversations[index]
        self.screen = replace(self.screen, chosen=index)
        self._begin_session()
        self._restart(_changed(before, self._conversation) or remark, rederive=True)

    def _scripted(self, script: Script, remark: str) -> None:
        if isinstance(self._driver, MockDriver):
            self._driver.script = script
            self.screen = replace(self.screen, driver=driver_panel(self._driver))
            self._restart(remark)

    def _restart(self, remark: str, *, rederive: bool = False) -> None:
        """An input changed: run at once where that sends nothing, else say that the result is stale."""
        self._stop()
        if self._conversation is None:
            self._show(self.screen)
        elif self._driver.origin.kind is OriginKind.MOCK:
            self._start(self._conversation, remark)
        else:
            known = None if rederive or self._result is None else self._result.derived
            found = known or self._derive(self._conversation, Progress())
            will_ask = outlook(self._conversation, self._driver, self.screen.controls, self.screen.policy)
            self._show(screens.waiting(self.screen, found, will_ask, remark))

    def _run_next(self) -> None:
        if self._conversation is not None:
            self._stop()
            if self._after is not None:
                self._before = self._after
            self._start(self._conversation, "")

    def _start(self, conversation: Conversation, remark: str) -> None:
        state, breakers = self._before[0], copy.deepcopy(self._before[1])
        run = self._current = _Run(conversation, remark, state, breakers, self._loop.time())
        run.task = self._loop.start(self._turn(run))
        # A first result has nothing to flicker against, so what is computed shows at once.
        reveal_after = 0.0 if self.screen.outcome is None else REVEAL_AFTER
        run.timer = self._loop.later(reveal_after, partial(self._safely, partial(self._reveal, run)))

    def _stop(self) -> _Run | None:
        """Let the run go that is on, and give it."""
        run, self._current = self._current, None
        if run is not None and run.timer is not None and run.task is not None:
            run.timer.cancel()
            run.task.cancel()
        return run

    def _cancel(self) -> None:
        run = self._stop()
        if run is not None:
            found, seconds = self._derive(run.conversation, run.progress), self._loop.time() - run.began
            self._show(screens.cancelled(self.screen, found, run.progress, seconds))

    async def _turn(self, run: _Run) -> None:
        controls, policy = self.screen.controls, self.screen.policy
        failed = None
        try:
            events = turn_events(run.conversation, self._driver, controls, policy, run.state, run.breakers)
            async for event in events:
                if run is not self._current:
                    return  # the driver went on although its call was cancelled
                run.progress = run.progress.after(event)
                if run.shown and run.progress.outcome is None:
                    self._reveal(run)
        except Exception as error:  # noqa: BLE001 - a driver may raise anything; the session lives on and says so
            failed = error
        if run is self._current:
            self._safely(partial(self._end, run, failed))

    def _reveal(self, run: _Run) -> None:
        run.shown = True
        found = self._derive(run.conversation, run.progress)
        will_ask = outlook(run.conversation, self._driver, self.screen.controls, self.screen.policy)
        self._show(screens.running(self.screen, found, run.progress, will_ask, run.remark))

    def _end(self, run: _Run, error: Exception | None) -> None:
        screen, reading, self._current = self.screen, self._reading, None
        if run.timer is not None:
            run.timer.cancel()
        if reading is None:
            return
        result = self._result = result_of(
            reading, run.conversation, self._driver, screen.controls, screen.policy, run.progress, error, screen.derived
        )
        if result.outcome is None:
            self._show(screens.failed(screen, result, run.progress.asked))
            return
        self._after = SessionState(result.outcome.streak, result.outcome.latched), run.breakers
        self._show(screens.done(screen, result))

    def _derive(self, conversation: Conversation, progress: Progress) -> Derived:
        return derived_so_far(conversation, self.screen.controls, self.screen.policy, progress, self.screen.derived)


def _changed(before: Conversation | None, after: Conversation) -> str:
    return "" if before is None else changed_messages(before.request, after.request)
