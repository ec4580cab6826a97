"""A live session: holds what was pasted and set, runs turns, and tells what the screen shows.

All state lives on one thread with a loop of its own; public methods may be called from any thread and return at once.
Each new input cancels the run before it, so the last input wins. The mock is asked at once, since asking it sends
nothing; any other driver waits for `run`.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from ..core.conversation.read import read
from ..core.conversation.reading import Conversation, Reading
from ..core.vgr.evidence import OriginKind, Rung
from ..core.vgr.policy import POLICY_1_0_0, Policy
from ..widgets.screen import Controls, Derived, RunState, Screen
from .analysis import failure_of, turn_events
from .deriving import derived, split
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
from .result import Result, concluded
from .turns.breaker import Breakers
from .turns.session_state import NEW_SESSION, SessionState

#: A run shorter than this, in seconds, goes from one result to the next without a screen between, so nothing flickers.
REVEAL_AFTER: Final = 0.15

_NO_RESULT: Final[dict[str, Any]] = {"outcome": None, "trace": None, "trace_with_extra": None, "reason": None}
_NO_RUN: Final[dict[str, Any]] = {"asking": None, "failure": None, "will_ask": (), "remark": ""}


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
        self._conversation: Conversation | None = None
        self._result: Result | None = None
        #: Where the turn on screen starts from: a turn that is only repeated earns no strikes.
        self._before: tuple[SessionState, Breakers] = NEW_SESSION, Breakers()
        #: Where the session's next turn starts from, once this one is done.
        self._after: tuple[SessionState, Breakers] | None = None
        self._task: asyncio.Task[None] | None = None
        self._began = 0.0
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
        """Read a file. Raises OSError where it cannot be read; bytes that are no UTF-8 show as replacement characters."""
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
        def guarded() -> None:
            try:
                work()
            except Exception as error:
                # Whatever an input breaks reaches the screen, and the session lives on.
                self._show(state=RunState.FAILED, asking=None, failure=failure_of(error))

        self._loop.post(guarded)

    def _show(self, **changes: Any) -> None:
        self.screen = replace(self.screen, **changes)
        self._on_screen(self.screen)

    def _begin_session(self) -> None:
        self._before, self._after = (NEW_SESSION, Breakers()), None

    def _take(self, text: str, source_name: str) -> None:
        self._forced = None
        self.screen = replace(self.screen, source_name=source_name)
        if text:
            self._read("text changed")
            return
        self._stop()
        self._reading = self._conversation = self._result = None
        self._show(state=RunState.EMPTY, reading=None, chosen=None, derived=None, asked=(), **_NO_RESULT, **_NO_RUN)

    def _read(self, remark: str) -> None:
        self._reading = read(self._text, force=self._forced, previous=self._reading)
        self.screen = replace(self.screen, reading=self._reading, chosen=None)
        if len(self._reading.conversations) == 1:
            self._choose(0, remark)
            return
        # Nothing to route, or a choice is due: a result that was there stays, but is no longer of this text.
        self._stop()
        self._conversation = None
        stale = self.screen.outcome is not None
        self._show(
            **_NO_RUN
            | {
                "state": RunState.STALE if stale else RunState.IDLE,
                "derived": self.screen.derived if stale else None,
                "remark": "choose a conversation" if self._reading.conversations else "the text can't be read",
            }
        )

    def _choose(self, index: int, remark: str) -> None:
        if self._reading is None:
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
            self._show()
        elif self._driver.origin.kind is OriginKind.MOCK:
            self._start(self._conversation, remark)
        else:
            stale = self.screen.outcome is not None
            found = self._derive(self._conversation, Progress()) if rederive else self.screen.derived
            self._show(
                **_NO_RUN
                | {
                    "state": RunState.STALE if stale else RunState.IDLE,
                    "derived": found,
                    "asked": (),
                    "will_ask": outlook(self._conversation, self._driver, self.screen.controls, self.screen.policy),
                    "remark": remark if stale else "",
                }
            )

    def _run_next(self) -> None:
        if self._conversation is not None:
            self._stop()
            if self._after is not None:
                self._before = self._after
            self._start(self._conversation, "")

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _cancel(self) -> None:
        if self._task is not None:
            self._stop()
            asking = "" if self.screen.asking is None else f"asking {self.screen.asking.value}, "
            at = self._loop.time() - self._began
            self._show(state=RunState.CANCELLED, remark=f"{asking}at {at:.1f} s", asking=None)

    def _start(self, conversation: Conversation, remark: str) -> None:
        self._began = self._loop.time()
        self._task = self._loop.start(self._turn(conversation, remark))

    async def _turn(self, conversation: Conversation, remark: str) -> None:
        state, breakers = self._before[0], copy.deepcopy(self._before[1])
        screen, driver = self.screen, self._driver
        progress = Progress()
        shown = False

        def show() -> None:
            nonlocal shown
            shown = True
            self._show(
                state=RunState.RUNNING,
                derived=self._derive(conversation, progress),
                asked=progress.asked,
                asking=progress.asking,
                failure=None,
                will_ask=outlook(conversation, driver, screen.controls, screen.policy),
                remark=remark if screen.outcome is not None else "",
            )

        # A first result has nothing to flicker against, so what is computed shows at once.
        timer = self._loop.later(REVEAL_AFTER if screen.outcome is not None else 0.0, show)
        try:
            async for event in turn_events(conversation, driver, screen.controls, screen.policy, state, breakers):
                progress = progress.after(event)
                if shown and progress.outcome is None:
                    show()
            self._finish(conversation, progress, breakers)
        except Exception as error:
            # A driver may raise anything; the session lives on and says so.
            self._task = self._result = None
            found = self._derive(conversation, progress)
            failed = {"state": RunState.FAILED, "failure": failure_of(error), "asked": progress.asked}
            self._show(derived=found, **_NO_RESULT, **_NO_RUN | failed)
        finally:
            timer.cancel()

    def _finish(self, conversation: Conversation, progress: Progress, breakers: Breakers) -> None:
        outcome, reading = progress.outcome, self._reading
        if outcome is None or reading is None:
            return
        found = self._derive(conversation, progress)
        result = concluded(reading, self.screen.controls, self.screen.policy, self._driver.origin, found, outcome)
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
            **_NO_RUN,
        )

    def _derive(self, conversation: Conversation, progress: Progress) -> Derived:
        request, pasted = split(conversation, self.screen.controls)
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


def _changed(before: Conversation | None, after: Conversation) -> str:
    return "" if before is None else changed_messages(before.request, after.request)
