"""What each input does to a session: its state in one place, changed on the session's thread alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from typing import Any, Final

from ..core.escalation.config import EscalationConfig
from ..widgets.algorithm import Algorithm, CutoffsScreen, EscalationScreen
from ..widgets.screen import Screen
from .algorithms.cutoffs import NO_CUTOFFS, CutoffsCourse
from .algorithms.escalation import NO_ESCALATION, EscalationCourse
from .algorithms.settings import EscalationSettings, Inputs, Settings
from .algorithms.vgr import VgrCourse
from .configured import Configured, Loaded, loaded
from .display import Display
from .drivers.inside import rewind
from .drivers.protocol import Driver
from .drivers.script import Script
from .driving import Drivers, NotDriven
from .intake import Intake
from .leaving import Leaving
from .own_loop import OwnLoop
from .own_settings import CutoffsEdit, edited_cutoffs, edited_escalation, with_cutoffs, with_escalation
from .remarks import changed_controls, changed_cutoffs, changed_escalation
from .seats import Seats

#: Seconds that reading a configuration may take.
PATIENCE: Final = 10.0


class Desk:
    """The intake of conversations, the drivers, the three algorithms' seats and the screen."""

    def __init__(self, loop: OwnLoop, display: Display, drivers: Drivers) -> None:
        self._loop = loop
        self._display = display
        self._drivers = drivers
        self._leaving = Leaving(lambda: self._drivers.base)
        self._escalation = EscalationCourse()
        courses = (VgrCourse(), CutoffsCourse(), self._escalation)
        self.seats = Seats(courses, loop, display, self._inputs, self._update_panel)
        self.intake = Intake(loop, display, self.seats)
        #: The configuration file that was named last, and the reading of it that counts.
        self._named = drivers.path
        self._loading: object = None
        self._update_panel()

    @property
    def screen(self) -> Screen:
        """What is on screen."""
        return self._display.screen

    @property
    def cutoffs(self) -> CutoffsScreen:
        """The Cutoffs tab."""
        return self.screen.cutoffs or NO_CUTOFFS

    @property
    def escalation(self) -> EscalationScreen:
        """The Escalation tab."""
        return self.screen.escalation or NO_ESCALATION

    def bring(self, algorithm: Algorithm) -> None:
        """An algorithm was put on screen."""
        if algorithm is not self.screen.algorithm:
            self._update_panel(algorithm)
            self.seats.bring(algorithm)

    def change_controls(self, changes: dict[str, Any]) -> None:
        """Controls were changed, by name."""
        before = self.screen.controls
        controls = replace(before, **changes)
        if controls == before:
            return
        self._display.screen = replace(self.screen, controls=controls)
        self._update_panel()
        limits = (controls.breaker_threshold, controls.breaker_cooldown)
        if limits != (before.breaker_threshold, before.breaker_cooldown):
            self.seats.renew_breakers(controls)
        self.seats.changed(changed_controls(before, controls), rederive=True)

    def edit_cutoffs(self, edit: CutoffsEdit) -> None:
        """The ordered cutoffs were edited."""
        before = self.cutoffs
        after = edited_cutoffs(before, edit)
        self._display.screen = replace(self.screen, cutoffs=after)
        self._update_panel()
        if remark := changed_cutoffs(before.config, after.config):
            self.seats.edited(Algorithm.CUTOFFS, remark)
        elif after.problem != before.problem:
            self.seats.show()

    def edit_escalation(self, changes: dict[str, Any]) -> None:
        """The escalation judge's settings were changed, by name."""
        before = self.escalation
        after = edited_escalation(before, changes)
        self._display.screen = replace(self.screen, escalation=after)
        if remark := changed_escalation(before, after):
            self.seats.edited(Algorithm.ESCALATION, remark)
        elif after.problem != before.problem:
            self.seats.show()

    def reset_escalation(self) -> None:
        """Its configuration goes back to the baseline; the session id and redaction are none of it."""
        baseline = self.escalation.baseline
        self.edit_escalation({field.name: getattr(baseline, field.name) for field in fields(EscalationConfig)})

    def look(self, turn: int) -> None:
        """A turn of the replay is looked at, from 1."""
        self._display.screen = self._escalation.look(self.screen, turn)
        self.seats.show()

    def script(self, edit: Callable[[Script], Script], remark: str) -> None:
        """The mock's script was edited; another driver has none."""
        mock = self._drivers.mock
        if mock is not None:
            mock.script = edit(mock.script)
            self._update_panel()
            self.seats.changed(remark)

    def give(self, driver: Driver) -> None:
        """The program handed a driver in."""
        self._switched(self._drivers.give(driver))

    def drive(self, work: Callable[[Drivers], Driver | None]) -> None:
        """Something was done with the drivers; one that is given back is no longer asked. A refusal shows as such."""
        let_go = None
        try:
            let_go = work(self._drivers)
        except NotDriven as refusal:
            self._drivers.problem = str(refusal)
        if let_go is None:
            self._show_panel()
        else:
            self._switched(let_go)

    def load(self, path: str | None, route: str | None) -> None:
        """A configuration was named, or another route of the one in use. It is read beside the thread."""
        path = self._named = self._named if path is None else path
        if not path:
            self._drivers.problem = "No configuration is loaded. Name a routes.toml first."
            self._show_panel()
            return
        wanted = self._loading = object()
        self._loop.start(self._load(wanted, path, route))

    def run_next(self) -> None:
        """A run was asked for."""
        rewind(self._drivers.base)
        self.seats.run_next()

    def cancel(self) -> None:
        """What is on its way to the bench is left; else the run of the algorithm on screen ends."""
        if not self.intake.cancel():
            self.seats.cancel()

    async def let_go(self) -> None:
        """Let go of the drivers, at the end."""
        await self._leaving.let_go_of_all()
        self._drivers.close_checker()

    def _inputs(self) -> Inputs | None:
        conversation, screen = self.intake.now.conversation, self.screen
        reading = screen.reading
        if reading is None or conversation is None:
            return None
        shown = self.escalation
        escalation = EscalationSettings(shown.config, shown.has_session, shown.redact)
        settings = Settings(self._drivers.asked, screen.controls, screen.policy, self.cutoffs.config, escalation)
        return Inputs(reading, conversation, settings)

    def _switched(self, before: Driver, remark: str = "driver switched", *, rederive: bool = False) -> None:
        """Another driver is asked from now on; the one before is let go of once its calls have ended."""
        self._leaving.add(before)
        self._loop.start(self._leaving.let_go(before, self.seats.stop_all()))
        self.seats.begin(self.screen.controls)
        self._update_panel()
        self.seats.changed(remark, rederive=rederive)

    async def _load(self, wanted: object, path: str, route: str | None) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                found = await self._loop.aside(partial(loaded, path, route))
        except TimeoutError:
            found = Loaded(path, problem=f"Reading {path} took longer than {PATIENCE:.0f} s. Check the path.")
        if wanted is self._loading:  # else another one was named meanwhile
            self.seats.safely(partial(self._take_configuration, found))

    def _take_configuration(self, found: Loaded) -> None:
        if found.routes:
            self._drivers.path, self._drivers.routes, self._drivers.remarks = found.path, found.routes, found.remarks
        if found.configured is None:
            self._drivers.problem = found.problem
            self._show_panel()
        else:
            self._configure(found.configured)

    def _configure(self, found: Configured) -> None:
        """Take a route: what it sets becomes what is compared with, its models become the live choice."""
        before, name, screen = self._drivers.configure(found), found.route.name, self.screen
        self._display.screen = replace(
            screen,
            controls=found.set_over(screen.controls),
            controls_baseline=found.controls or screen.controls_baseline,
            cutoffs=with_cutoffs(self.cutoffs, found.cutoffs, name),
            escalation=with_escalation(self.escalation, found.escalation, name),
        )
        remark = f"route {name} loaded"
        if before is not None:
            self._switched(before, remark, rederive=True)
            return
        self.seats.renew_breakers(self.screen.controls)
        self._update_panel()
        self.seats.changed(remark, rederive=True)

    def _update_panel(self, algorithm: Algorithm | None = None) -> None:
        screen = self.screen
        shown = screen.algorithm if algorithm is None else algorithm
        panel = self._drivers.panel(shown, self.cutoffs.config.labels, asks_cloud=screen.controls.ask_cloud)
        self._display.screen = replace(screen, driver=panel)

    def _show_panel(self) -> None:
        self._update_panel()
        self.seats.show()
