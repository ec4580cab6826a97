"""What the session needs of an algorithm to run it, and nothing else: one class each, beside this module."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol, TypeAlias, TypeVar

from ...core.conversation.reading import Reading
from ...core.vgr.evidence import Rung
from ...widgets.algorithm import Algorithm
from ...widgets.screen import Screen
from ..cutoffs_result import CutoffsResult
from ..escalation_result import EscalationResult
from ..progress import Event, Progress
from ..result import Result
from .settings import Carried, Inputs, Settings

#: What a run of any of the three gives. They share `algorithm`, `reading`, `origin`, `outcome`, `failure`, `asked`,
#: `record()` and `to_json()`.
AnyResult: TypeAlias = Result | CutoffsResult | EscalationResult
R = TypeVar("R", Result, CutoffsResult, EscalationResult)


class Course(Protocol[R]):
    """One algorithm on one bench. It sends nothing by itself: only iterating `events` does."""

    @property
    def algorithm(self) -> Algorithm:
        """Which one it is."""
        ...

    def events(self, inputs: Inputs, carried: Carried) -> AsyncIterator[Event]:
        """Run, and tell what happens; the last event is the outcome. Raises what the run fails with."""
        ...

    def will_ask(self, inputs: Inputs) -> tuple[Rung, ...]:
        """What a run will ask, in order and with repeats, as far as that is known before it."""
        ...

    def unrouted(self, reading: Reading, settings: Settings) -> R:
        """The result where there is no conversation to route."""
        ...

    def result(self, inputs: Inputs, progress: Progress, error: Exception | None, screen: Screen | None) -> R:
        """The result of a run that ended. What `screen` shows already is taken over where it still holds."""
        ...

    def reread(self, inputs: Inputs, result: R) -> R | None:
        """The result that the same answers give under the changed settings of this algorithm alone.

        None where somebody would have to be asked.
        """
        ...

    def carry(self, result: R, carried: Carried) -> Carried:
        """What the session keeps for its next run."""
        ...

    def computed(self, screen: Screen, inputs: Inputs, progress: Progress) -> Screen:
        """The screen with what is known of these inputs, and of a run on them, short of its outcome."""
        ...

    def settled(self, screen: Screen, result: R | None) -> Screen:
        """The screen with this result in place of the one before."""
        ...

    def brought(self, screen: Screen) -> Screen:
        """The screen with what is computed only while this algorithm is on it."""
        ...
