"""A run that a fault is to strike: what it is of, its result whatever came of it, and what its breakers were told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from routing_workbench.core.conversation.reading import Conversation, Reading
from routing_workbench.core.cutoffs.config import CutoffsConfig
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.vgr.evidence import Asked, Rung
from routing_workbench.widgets.screen import Controls
from routing_workbench.workbench.algorithms.protocol import AnyResult, Course
from routing_workbench.workbench.algorithms.settings import Carried, EscalationSettings, Inputs, Settings
from routing_workbench.workbench.drivers.protocol import Category, Driver
from routing_workbench.workbench.drivers.script import Script
from routing_workbench.workbench.progress import Progress
from routing_workbench.workbench.turns.breaker import FAILURES_TO_OPEN, Breaker, Breakers, CallResult
from routing_workbench.workbench.turns.events import RungAnswered, RungMissed
from routing_workbench.workbench.turns.failures import RungFailed
from routing_workbench.workbench.turns.session_state import NEW_SESSION, SessionState

#: In every text that a conversation or a server of these tests holds.
MARK = "hunter2"


class WatchedBreakers(Breakers):
    """Breakers that keep what they were told, in order."""

    def __init__(self, threshold: int = FAILURES_TO_OPEN) -> None:
        super().__init__(threshold)
        self.told: list[tuple[Category, CallResult]] = []

    def of(self, category: Category) -> Breaker:
        """One that tells."""
        return self._by_category.setdefault(category, _Telling(self._threshold, category, self.told))


class _Telling(Breaker):
    def __init__(self, threshold: int, category: Category, told: list[tuple[Category, CallResult]]) -> None:
        super().__init__(threshold)
        self._category = category
        self._told = told

    def record(self, result: CallResult, now: float) -> None:
        self._told.append((self._category, result))
        super().record(result, now)


@dataclass(frozen=True)
class Case:
    """A run: the algorithm, what was pasted, what the operator set, and what everybody answers."""

    course: Course[Any]
    conversation: Conversation
    script: Script
    controls: Controls = Controls()
    cutoffs: CutoffsConfig | None = None
    escalation: EscalationConfig = EscalationConfig()
    state: SessionState = NEW_SESSION


@dataclass(frozen=True)
class Ran:
    """A run that ended, also one that failed."""

    result: AnyResult
    error: RungFailed | None
    events: list[Any]
    told: list[tuple[Category, CallResult]]

    @property
    def asked(self) -> list[Asked]:
        """All rows, also of a run without an outcome."""
        return [event.asked for event in self.events if isinstance(event, RungAnswered | RungMissed)]

    def rows(self, rung: Rung) -> list[Asked]:
        """The rows of this rung."""
        return [row for row in self.asked if row.rung is rung]

    def row(self, rung: Rung) -> Asked:
        """The one row of this rung."""
        (row,) = self.rows(rung)
        return row


async def run_case(case: Case, driver: Driver, breakers: WatchedBreakers | None = None) -> Ran:
    """Run to the end, as a bench does. Nothing but a typed failure may come out of it."""
    breakers = breakers or WatchedBreakers()
    settings = Settings(driver, case.controls, escalation=EscalationSettings(case.escalation))
    if case.cutoffs is not None:
        settings = replace(settings, cutoffs=case.cutoffs)
    inputs = Inputs(Reading((case.conversation,), None, (), ()), case.conversation, settings)
    progress, error, events = Progress(), None, []
    run: AsyncIterator[Any] = case.course.events(inputs, Carried(breakers, case.state))
    try:
        async for event in run:
            events.append(event)
            progress = progress.after(event)
    except RungFailed as failed:
        error = failed
    return Ran(case.course.result(inputs, progress, error, None), error, events, breakers.told)


class Both(NamedTuple):
    """A run under a fault, and the next one on the same driver and loop, without it."""

    faulty: Ran
    sound: Ran


Virtually = Callable[[Coroutine[Any, Any, Any]], Any]
