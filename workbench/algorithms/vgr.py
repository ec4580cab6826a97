"""Verification-gated routing as a bench runs it (SPEC 4, 7)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

from ...core.conversation.reading import Reading
from ...core.vgr.evidence import Rung, TurnOutcome
from ...widgets.algorithm import Algorithm
from ...widgets.screen import Derived, Screen
from ..deriving import derived_so_far, settings_of, split
from ..failing import failure_of, no_outcome
from ..progress import Event, Progress
from ..result import Result, concluded
from ..turns.kill_switch import KillSwitch
from ..turns.outlook import will_ask
from ..turns.session_state import SessionState
from ..turns.vgr import run_vgr_turn
from .settings import Carried, Inputs, Settings


class VgrCourse:
    """A turn of the session: run again, it is the next one, so streak, latch and breakers go on."""

    algorithm = Algorithm.VGR

    def events(self, inputs: Inputs, carried: Carried) -> AsyncIterator[Event]:
        """The events of a turn on a whole conversation: its last message is the attempt where the controls say so."""
        controls, policy = inputs.settings.controls, inputs.settings.policy
        request, attempt = split(inputs.conversation, controls)
        return run_vgr_turn(
            request,
            attempt=attempt,
            driver=inputs.settings.driver,
            settings=settings_of(controls),
            policy=policy,
            state=carried.state,
            breakers=carried.breakers,
            kill_switch=KillSwitch(engaged=controls.kill_switch),
        )

    def will_ask(self, inputs: Inputs) -> tuple[Rung, ...]:
        """The rungs a turn will ask, in order, as far as that is known before it runs."""
        settings = inputs.settings
        request, attempt = split(inputs.conversation, settings.controls)
        return will_ask(request, attempt, settings.driver, settings_of(settings.controls), settings.policy)

    def unrouted(self, reading: Reading, settings: Settings) -> Result:
        """What was read says why."""
        return Result(reading, settings.controls, settings.policy, settings.driver.origin)

    def result(self, inputs: Inputs, progress: Progress, error: Exception | None, screen: Screen | None) -> Result:
        """With the outcome written out, or with what failed."""
        settings, outcome = inputs.settings, progress.outcome
        found = _derived(inputs, progress, screen)
        if error is None and isinstance(outcome, TurnOutcome):
            origin = settings.driver.origin
            return concluded(inputs.reading, settings.controls, settings.policy, origin, found, outcome)
        failure = failure_of(error or no_outcome())
        return replace(self.unrouted(inputs.reading, settings), derived=found, failure=failure)

    def reread(self, inputs: Inputs, result: Result) -> Result | None:
        """Never: every setting may change what is asked."""
        del inputs, result
        return None

    def carry(self, result: Result, carried: Carried) -> Carried:
        """The streak and the latch of the outcome."""
        outcome = result.outcome
        return carried if outcome is None else replace(carried, state=SessionState(outcome.streak, outcome.latched))

    def computed(self, screen: Screen, inputs: Inputs, progress: Progress) -> Screen:
        """Capabilities, ladder and judged view, with the attempt and the task type so far."""
        return replace(screen, derived=_derived(inputs, progress, screen))

    def settled(self, screen: Screen, result: Result | None) -> Screen:
        """Outcome, trace and reason."""
        if result is None:
            return replace(screen, derived=None, outcome=None, trace=None, trace_with_extra=None, reason=None)
        return replace(
            screen,
            derived=result.derived,
            outcome=result.outcome,
            trace=result.trace,
            trace_with_extra=result.trace_with_extra,
            reason=result.reason,
        )

    def brought(self, screen: Screen) -> Screen:
        """Everything is computed already."""
        return screen


def _derived(inputs: Inputs, progress: Progress, screen: Screen | None) -> Derived:
    settings, previous = inputs.settings, None if screen is None else screen.derived
    return derived_so_far(inputs.conversation, settings.controls, settings.policy, progress, previous)
