"""A live session: holds what was pasted and set, runs the three algorithms, and tells what the screen shows.

All state lives on one thread with a loop of its own; public methods may be called from any thread and return at once.
Each new input cancels the runs before it, so the last input wins. The mock is asked at once, since asking it sends
nothing; any other driver waits for `run`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from ..core.cutoffs.config import CutoffsConfig
from ..core.escalation.config import EscalationConfig
from ..core.vgr.evidence import Rung
from ..core.vgr.policy import POLICY_1_0_0, Policy
from ..widgets.algorithm import Algorithm
from ..widgets.files import Notice
from ..widgets.screen import Controls, RunState, Screen
from .algorithms.cutoffs import NO_CUTOFFS
from .algorithms.escalation import NO_ESCALATION
from .algorithms.protocol import AnyResult
from .desk import Desk
from .display import Display
from .drivers.protocol import Driver
from .drivers.scenarios import scenario
from .drivers.script import Fault, Script
from .driving import Drivers
from .examples import example, examples
from .own_loop import OwnLoop
from .own_settings import CutoffsEdit, with_cutoffs, with_escalation

#: Where a configuration comes from that the program handed in.
GIVEN: Final = "given"


class Session:
    """One conversation, a driver, and three algorithms with what they are set to. `close` ends its thread."""

    def __init__(
        self,
        driver: Driver | None = None,
        controls: Controls | None = None,
        policy: Policy = POLICY_1_0_0,
        on_screen: Callable[[Screen], None] = lambda screen: None,
        *,
        drivers: Drivers | None = None,
        algorithm: Algorithm | None = None,
        cutoffs: CutoffsConfig | None = None,
        escalation: EscalationConfig | None = None,
    ) -> None:
        """`on_screen` is called on the session's thread with every new screen; it must neither wait nor raise.

        `drivers` are those to choose from; `driver` is one to begin with. A configured route among them sets what
        nothing else was given for.
        """
        drivers = Drivers(driver) if drivers is None else drivers
        shown, judged = with_cutoffs(NO_CUTOFFS, cutoffs, GIVEN), with_escalation(NO_ESCALATION, escalation, GIVEN)
        route = drivers.configured
        baseline = None
        if route is not None:
            name, baseline = route.route.name, route.controls
            algorithm, controls = algorithm or route.algorithm, controls or route.controls
            shown = shown if cutoffs else with_cutoffs(shown, route.cutoffs, name)
            judged = judged if escalation else with_escalation(judged, route.escalation, name)
        screen = Screen(
            RunState.EMPTY,
            algorithm or Algorithm.VGR,
            shown,
            judged,
            policy=policy,
            controls=controls or Controls(),
            controls_baseline=baseline,
            examples=examples(),
        )
        self._display = Display(screen, on_screen)
        #: The text that was set last and its source's name, until it is taken.
        self._newest: tuple[str, str] | None = None
        self._loop = OwnLoop("routing-workbench-session", self._let_go)
        self._desk = Desk(self._loop, self._display, drivers)

    @property
    def screen(self) -> Screen:
        """What is on screen."""
        return self._display.screen

    @property
    def text(self) -> str:
        """The text that was set last, or what opening a file or a step back put in its place."""
        newest = self._newest
        return self._desk.intake.text if newest is None else newest[0]

    @property
    def result(self) -> AnyResult | None:
        """The last result of the algorithm on screen, also a failed one; None before it, and once the text is gone."""
        return self._desk.seats.result

    def set_text(self, text: str, source_name: str = "", *, typed: bool = False) -> None:
        """Read this text in place of the one before; `typed` where it is that one with some keys more.

        A long text is read beside the thread. Texts that come faster than they are read are skipped; those that were
        not typed can be gone back to.
        """
        newest = self._newest = text, source_name

        def take() -> None:
            if newest is self._newest:
                try:
                    self._desk.intake.take(text, source_name, typed=typed)
                finally:
                    if newest is self._newest:
                        self._newest = None
            elif not typed:
                self._desk.intake.pass_over(text, source_name)

        self._post(take)

    def open_path(self, path: str | Path) -> None:
        """Read a file beside the thread; the screen says how far it is, and why it cannot be opened where it cannot."""
        self._post(partial(self._desk.intake.open, Path(path)))

    def choose_example(self, name: str) -> None:
        """Read an example. Raises KeyError for a name that is none."""
        self.set_text(example(name), name)

    def force_format(self, name: str | None) -> None:
        """Read this text as this format, also once it is edited; None detects it again, as another source does."""
        self._post(partial(self._desk.intake.force, name))

    def choose_conversation(self, index: int) -> None:
        """Route this conversation of a paste that holds several."""
        self._post(partial(self._desk.intake.choose, index))

    def choose_listed(self, index: int) -> None:
        """Load and route this conversation of a large file."""
        self._post(partial(self._desk.intake.choose_listed, index))

    def edit_message(self, turn: int, block: int, text: str) -> None:
        """Give a block of a message another text: a result its text, a call its arguments as JSON.

        `turn` counts the instructions too, from 0. What cannot be edited is said on the screen.
        """
        self._post(partial(self._desk.intake.edit_message, turn, block, text))

    def remove_message(self, turn: int) -> None:
        """Take a message away; `turn` counts the instructions too, from 0."""
        self._post(partial(self._desk.intake.remove_message, turn))

    def undo(self) -> None:
        """Back to before the last edit, paste, opened file or example; cancels what is on its way first."""
        self._post(self._desk.intake.undo)

    def redo(self) -> None:
        """Do again what was taken back last."""
        self._post(self._desk.intake.redo)

    def tell(self, notice: Notice | None) -> None:
        """Say this in the Conversation panel until the next input; None takes away what is said."""
        self._post(partial(self._desk.intake.tell, notice))

    def choose_algorithm(self, algorithm: Algorithm) -> None:
        """Put an algorithm on screen. It sends nothing, and what the others are doing goes on."""
        self._post(partial(self._desk.bring, Algorithm(algorithm)))

    def set_controls(self, **changes: Any) -> None:
        """Change controls by name. Raises TypeError for a name that is none, ValueError for a value out of range."""
        replace(Controls(), **changes)
        self._post(partial(self._desk.change_controls, changes))

    def edit_cutoffs(self, edit: CutoffsEdit) -> None:
        """Change the ordered cutoffs (see `own_settings`); what is refused shows as their problem."""
        self._post(partial(self._desk.edit_cutoffs, edit))

    def set_escalation(self, **changes: Any) -> None:
        """Change the escalation judge's configuration, `has_session` or `redact`; a refusal shows as its problem.

        Raises TypeError for a name that is none.
        """
        names = {name: value for name, value in changes.items() if name not in ("has_session", "redact")}
        replace(EscalationConfig(), **names)
        self._post(partial(self._desk.edit_escalation, changes))

    def reset_escalation(self) -> None:
        """Back to the baseline; the session id and redaction are none of it."""
        self._post(self._desk.reset_escalation)

    def look_at_turn(self, turn: int) -> None:
        """Look at what the escalation judge reads at this assistant turn, from 1."""
        self._post(partial(self._desk.look, turn))

    def step_turn(self, steps: int) -> None:
        """Look at a later turn, or an earlier one."""
        self._post(lambda: self._desk.look(self._desk.escalation.selected + steps))

    def set_rung(
        self, rung: Rung, answer: str | None = None, delay_ms: int | None = None, fault: str | None = None
    ) -> None:
        """Edit what the mock answers at a rung. Does nothing with a driver that has no script.

        Raises ValueError for a fault that is none or a negative delay.
        """
        injected = None if fault is None else Fault(fault)
        Script().edited(rung, delay_ms=delay_ms)

        def edited(script: Script) -> Script:
            return script.edited(rung, answer=answer, delay_ms=delay_ms, fault=injected)

        self._post(partial(self._desk.script, edited, f"mock {rung.value} edited"))

    def set_probabilities(self, probabilities: Mapping[str, float]) -> None:
        """Set what the mock answers to the route question, by label; the labels that are not named stay."""

        def edited(script: Script) -> Script:
            return replace(script, probabilities={**script.probabilities, **probabilities})

        self._post(partial(self._desk.script, edited, "mock probabilities edited"))

    def choose_scenario(self, name: str) -> None:
        """Load a named scenario into the mock. Raises KeyError for a name that is none."""
        script = scenario(name).script
        self._post(partial(self._desk.script, lambda before: script, f"scenario {name}"))

    def set_driver(self, driver: Driver) -> None:
        """Ask another driver from now on. Switching sends nothing: any but the mock waits for `run`."""
        self._post(partial(self._desk.give, driver))

    def choose_driver(self, key: str) -> None:
        """Ask another of the drivers there are to choose; what can't be chosen shows as the driver's problem."""
        self._drive(lambda drivers: drivers.choose(key))

    def load_configuration(self, path: str | Path, route: str | None = None) -> None:
        """Read a routes.toml: its route sets what it configures, and its models can be chosen as the live driver."""
        self._post(partial(self._desk.load, str(path), route))

    def choose_route(self, name: str) -> None:
        """Use this route of the configuration that was named last."""
        self._post(partial(self._desk.load, None, name))

    def record_to(self, path: str | Path) -> None:
        """Record what the driver answers to a new cassette file from now on."""
        self._drive(lambda drivers: drivers.record_to(path))

    def stop_recording(self) -> None:
        """Record no more; what was recorded can be chosen as a cassette."""
        self._drive(Drivers.stop_recording)

    def set_pace(self, pace: str) -> None:
        """The pace of a replay: `none`, `original`, or a factor of the recorded time."""
        self._drive(lambda drivers: drivers.set_pace(pace))

    def run(self) -> None:
        """Run the algorithm on screen. Run again, VGR takes the session's next turn: streak and breakers go on."""
        self._post(self._desk.run_next)

    def cancel(self) -> None:
        """Leave what is on its way to the bench; else end the run of the algorithm on screen, and keep its answers."""
        self._post(self._desk.cancel)

    def wait(self, timeout: float = 60.0) -> bool:
        """Wait until every input so far is taken and no run is on; False where that took longer, in seconds."""
        return self._loop.wait(timeout)

    def close(self) -> None:
        """Cancel what runs, let go of the driver, and end the thread. Does nothing the second time."""
        self._loop.close()

    def _post(self, work: Callable[[], None]) -> None:
        self._loop.post(partial(self._desk.seats.safely, work))

    def _drive(self, work: Callable[[Drivers], Driver | None]) -> None:
        self._post(partial(self._desk.drive, work))

    async def _let_go(self) -> None:
        await self._desk.let_go()
