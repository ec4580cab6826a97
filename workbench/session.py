"""A live session: holds what was pasted and set, runs turns on a loop of its own, and tells what the screen shows.

One daemon thread with one event loop owns all state; public methods may be called from any thread and return at once.
Each new input cancels the run before it, so the last input wins. The mock is asked at once, since asking it sends
nothing; any other driver waits for `run`.
"""

from __future__ import annotations

import asyncio
import copy
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from ..core.conversation.model import Request, Response
from ..core.conversation.read import read
from ..core.conversation.reading import Reading, split_attempt
from ..core.vgr.evidence import OriginKind, Rung
from ..core.vgr.policy import POLICY_1_0_0, Policy
from ..core.vgr.serving import ConfigurationError
from ..widgets.screen import Controls, Derived, RunState, Screen
from .analysis import failure_of
from .deriving import derived, settings_of
from .drivers.mock import MockDriver
from .drivers.protocol import Driver
from .drivers.scenarios import scenario
from .drivers.script import Fault
from .examples import example, examples
from .panel import driver_panel
from .progress import Progress
from .remarks import changed_controls, changed_messages
from .result import Result, concluded
from .turns.breaker import Breakers
from .turns.failures import AttemptFailed
from .turns.kill_switch import KillSwitch
from .turns.outlook import will_ask
from .turns.session_state import NEW_SESSION, SessionState
from .turns.vgr import run_vgr_turn

#: A run shorter than this, in seconds, goes from one result to the next without a screen between, so nothing flickers.
REVEAL_AFTER: Final = 0.15


class Session:
    """One conversation under one driver, policy and set of controls. `close` ends its thread."""

    def __init__(
        self,
        driver: Driver | None = None,
        controls: Controls | None = None,
        policy: Policy = POLICY_1_0_0,
        on_screen: Callable[[Screen], None] = lambda screen: None,
    ) -> None:
        self._driver = MockDriver() if driver is None else driver
        self._on_screen = on_screen
        self._text = ""
        self._inputs = 0
        self._reading: Reading | None = None
        self._forced: str | None = None
        self._request: Request | None = None
        self._result: Result | None = None
        #: Where the turn on screen starts from, and the breakers as they were then: a repeated turn earns no strikes.
        self._state: SessionState = NEW_SESSION
        self._breakers = Breakers()
        self._after: tuple[SessionState, Breakers] | None = None
        self._task: asyncio.Task[None] | None = None
        self._began = 0.0
        self._settled = threading.Condition()
        self._pending = 0
        self._closed = False
        self.screen = Screen(
            RunState.EMPTY,
            policy=policy,
            controls=Controls() if controls is None else controls,
            driver=driver_panel(self._driver),
            examples=examples(),
        )
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="routing-workbench-session", daemon=True)
        self._thread.start()

    @property
    def text(self) -> str:
        """The text that was set last."""
        return self._text

    @property
    def result(self) -> Result | None:
        """The result of the last run that came to one; None before it, and once its conversation is gone."""
        return self._result

    def set_text(self, text: str, source_name: str = "") -> None:
        """Read this text in place of the one before. Texts that come faster than they are read are skipped."""
        self._text = text
        self._inputs += 1
        inputs = self._inputs
        self._post(lambda: self._take(text, source_name) if inputs == self._inputs else None)

    def open_path(self, path: str | Path) -> None:
        """Read a file. Raises OSError where it cannot be read; bytes that are no UTF-8 are replaced and reported."""
        path = Path(path)
        self.set_text(path.read_bytes().decode("utf-8", "replace"), path.name)

    def choose_example(self, name: str) -> None:
        """Read an example. Raises KeyError for a name that is none."""
        self.set_text(example(name), name)

    def force_format(self, name: str | None) -> None:
        """Read the text as this format; None detects it again."""

        def force() -> None:
            self._forced = name
            self._read(f"read as {name}" if name else "format detected again")

        self._post(force)

    def choose_conversation(self, index: int) -> None:
        """Route this conversation of a paste that holds several."""
        self._post(lambda: self._choose(index, "another conversation chosen"))

    def set_controls(self, **changes: Any) -> None:
        """Change controls by name."""

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
        """Edit what the mock answers at a rung. Does nothing with a driver that has no script."""

        def edit() -> None:
            if isinstance(self._driver, MockDriver):
                injected = None if fault is None else Fault(fault)
                script = self._driver.script.edited(rung, answer=answer, delay_ms=delay_ms, fault=injected)
                self._scripted(script, f"mock {rung.value} edited")

        self._post(edit)

    def choose_scenario(self, name: str) -> None:
        """Load a named scenario into the mock. Raises KeyError for a name that is none."""
        script = scenario(name).script
        self._post(lambda: self._scripted(script, f"scenario {name}"))

    def set_driver(self, driver: Driver) -> None:
        """Ask another driver from now on. Switching sends nothing: other than the mock waits for `run`."""

        def switch() -> None:
            self._driver = driver
            self._breakers = Breakers()
            self.screen = replace(self.screen, driver=driver_panel(driver))
            self._restart("driver switched")

        self._post(switch)

    def run(self) -> None:
        """Take a turn. Run again, it is the session's next turn: streak, latch and breakers go on."""
        self._post(self._run_again)

    def cancel(self) -> None:
        """End the run that is on; what was gathered stays on screen."""
        self._post(self._cancel)

    def wait(self, timeout: float = 60.0) -> bool:
        """Wait until every input so far is shown and no run is on; False where that took longer, in seconds."""
        with self._settled:
            return self._settled.wait_for(lambda: self._closed or not self._pending, timeout)

    def close(self) -> None:
        """Cancel what runs and end the thread. Does nothing the second time."""
        if self._closed:
            return
        self._closed = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=5.0)

    # ------------------------------------------------------------------ on the session's thread

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        finally:
            self._loop.close()
            with self._settled:
                self._settled.notify_all()

    def _post(self, work: Callable[[], None]) -> None:
        """Do this on the session's thread; an error in it ends nothing but reaches the screen."""

        def guarded() -> None:
            try:
                work()
            except Exception as error:  # noqa: BLE001 - whatever an input breaks, the session lives on
                self._show(state=RunState.FAILED, failure=failure_of(error), asking=None)
            finally:
                self._count(-1)

        if not self._closed:
            self._count(1)
            self._loop.call_soon_threadsafe(guarded)

    def _count(self, change: int) -> None:
        with self._settled:
            self._pending += change
            if not self._pending:
                self._settled.notify_all()

    def _show(self, **changes: Any) -> None:
        self.screen = replace(self.screen, **changes)
        self._on_screen(self.screen)

    def _take(self, text: str, source_name: str) -> None:
        self._forced = None
        self.screen = replace(self.screen, source_name=source_name)
        if not text:
            self._clear()
        else:
            self._read("text changed")

    def _clear(self) -> None:
        self._stop()
        self._reading = self._request = self._result = None
        self._show(
            state=RunState.EMPTY,
            reading=None,
            chosen=None,
            derived=None,
            outcome=None,
            trace=None,
            trace_with_extra=None,
            reason=None,
            asked=(),
            asking=None,
            failure=None,
            remark="",
        )

    def _read(self, remark: str) -> None:
        self._reading = read(self._text, force=self._forced, previous=self._reading)
        self.screen = replace(self.screen, reading=self._reading, chosen=None)
        if len(self._reading.conversations) == 1:
            self._choose(0, remark)
        else:
            # Nothing to route (yet): a result that was there stays, and is no longer of this text.
            self._stop()
            self._request = None
            several = len(self._reading.conversations) > 1
            why = "choose a conversation" if several else "the text can't be read"
            stale = self.screen.outcome is not None
            derived = self.screen.derived if stale else None
            self._show(state=RunState.STALE if stale else RunState.IDLE, derived=derived, remark=why, asking=None)

    def _choose(self, index: int, remark: str) -> None:
        assert self._reading is not None
        before = self._request
        self._request = self._reading.conversations[index].request
        self.screen = replace(self.screen, chosen=index)
        self._state, self._breakers, self._after = NEW_SESSION, Breakers(), None
        self._restart(changed_messages(before, self._request) or remark, rederive=True)

    def _scripted(self, script: Any, remark: str) -> None:
        if isinstance(self._driver, MockDriver):
            self._driver.script = script
            self.screen = replace(self.screen, driver=driver_panel(self._driver))
            self._restart(remark)

    def _restart(self, remark: str, *, rederive: bool = False) -> None:
        """An input changed: run at once where that sends nothing, else say that the result is stale."""
        self._stop()
        if self._request is None:
            self._show()
            return
        if self._driver.origin.kind is OriginKind.MOCK:
            self._start(remark)
            return
        found = self._derive(Progress()) if rederive else self.screen.derived
        stale = self.screen.outcome is not None
        self._show(
            state=RunState.STALE if stale else RunState.IDLE,
            derived=found,
            asked=(),
            asking=None,
            failure=None,
            will_ask=self._outlook(),
            remark=remark if stale else "",
        )

    def _run_again(self) -> None:
        if self._request is None:
            return
        self._stop()
        if self._after is not None:
            self._state, self._breakers = self._after
        self._start("")

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _cancel(self) -> None:
        if self._task is None:
            return
        self._stop()
        screen = self.screen
        asking = "" if screen.asking is None else f"asking {screen.asking.value}, "
        at = self._loop.time() - self._began
        self._show(state=RunState.CANCELLED, remark=f"{asking}at {at:.1f} s", asking=None)

    def _start(self, remark: str) -> None:
        self._began = self._loop.time()
        self._count(1)
        task = self._loop.create_task(self._turn(remark))
        task.add_done_callback(lambda _: self._count(-1))
        self._task = task

    async def _turn(self, remark: str) -> None:
        request, attempt = self._split()
        breakers = copy.deepcopy(self._breakers)
        controls, policy = self.screen.controls, self.screen.policy
        progress = Progress(attempt=attempt)
        shown = False

        def reveal() -> None:
            nonlocal shown
            shown = True
            show()

        def show() -> None:
            self._show(
                state=RunState.RUNNING,
                derived=self._derive(progress),
                asked=progress.asked,
                asking=progress.asking,
                failure=None,
                will_ask=self._outlook(),
                remark=remark,
            )

        # The first result has nothing to flicker against, so what is computed shows at once.
        timer = self._loop.call_later(REVEAL_AFTER if self.screen.outcome is not None else 0.0, reveal)
        try:
            async for event in run_vgr_turn(
                request,
                attempt=attempt,
                driver=self._driver,
                settings=settings_of(controls),
                policy=policy,
                state=self._state,
                breakers=breakers,
                kill_switch=KillSwitch(engaged=controls.kill_switch),
                clock=self._loop.time,
            ):
                before, progress = progress, progress.after(event)
                if shown and progress is not before and progress.outcome is None:
                    show()
            self._finish(progress, breakers)
        except (AttemptFailed, ConfigurationError) as error:
            self._fail(error, progress)
        except Exception as error:  # noqa: BLE001 - a driver may raise anything; the session lives on and says so
            self._fail(error, progress)
        finally:
            timer.cancel()

    def _finish(self, progress: Progress, breakers: Breakers) -> None:
        outcome = progress.outcome
        assert outcome is not None and self._reading is not None
        screen = self.screen
        found = self._derive(progress)
        result = concluded(self._reading, screen.controls, screen.policy, self._driver.origin, found, outcome)
        self._result, self._task = result, None
        self._after = SessionState(outcome.streak, outcome.latched), breakers
        self._show(
            state=RunState.DONE,
            derived=found,
            outcome=outcome,
            trace=result.trace,
            trace_with_extra=result.trace_with_extra,
            reason=result.reason,
            asked=outcome.asked,
            asking=None,
            failure=None,
            will_ask=(),
            remark="",
        )

    def _fail(self, error: Exception, progress: Progress) -> None:
        self._task = self._result = None
        self._show(
            state=RunState.FAILED,
            derived=self._derive(progress),
            outcome=None,
            trace=None,
            trace_with_extra=None,
            reason=None,
            asked=progress.asked,
            asking=None,
            failure=failure_of(error),
            will_ask=(),
            remark="",
        )

    def _split(self) -> tuple[Request, Response | None]:
        assert self._request is not None
        return split_attempt(self._request) if self.screen.controls.pasted_attempt else (self._request, None)

    def _derive(self, progress: Progress) -> Derived:
        request, pasted = self._split()
        return derived(
            request,
            pasted if progress.attempt is None else progress.attempt,
            self.screen.controls,
            self.screen.policy,
            attempt_origin=progress.attempt_origin,
            task_type=progress.task_type,
            typed_by=progress.typed_by,
            previous=self.screen.derived,
        )

    def _outlook(self) -> tuple[Rung, ...]:
        request, attempt = self._split()
        controls = self.screen.controls
        return will_ask(request, attempt, self._driver, settings_of(controls), self.screen.policy)
