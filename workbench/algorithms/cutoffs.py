"""Decision routing by ordered cutoffs as a bench runs it (SPEC 6.1)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace

from ...core.conversation.model import Request
from ...core.conversation.reading import Reading
from ...core.cutoffs.config import CutoffsConfig
from ...core.cutoffs.outcome import CutoffsOutcome
from ...core.vgr.evidence import CUTOFF_RUNGS, Rung
from ...widgets.algorithm import Algorithm, CutoffsScreen
from ...widgets.screen import Screen
from ..cutoffs_result import CutoffsResult, redecided
from ..deriving import split
from ..examples import EXAMPLE_CUTOFFS
from ..failing import failure_of, no_outcome
from ..progress import Event, Progress
from ..turns.cutoffs import RouteQuestion, question_for, run_cutoffs
from .settings import Carried, Inputs, Settings

#: What the tab shows before anything was configured or pasted.
NO_CUTOFFS = CutoffsScreen(EXAMPLE_CUTOFFS, EXAMPLE_CUTOFFS)


def routed(inputs: Inputs) -> Request:
    """What this router sees: the request, before anybody made an attempt at it."""
    return split(inputs.conversation, inputs.settings.controls)[0]


class CutoffsCourse:
    """One question a run, and nothing kept between runs."""

    algorithm = Algorithm.CUTOFFS

    def events(self, inputs: Inputs, carried: Carried) -> AsyncIterator[Event]:
        """The one question and the decision."""
        del carried
        settings = inputs.settings
        return run_cutoffs(
            routed(inputs), driver=settings.driver, config=settings.cutoffs, deadline=settings.controls.deadline
        )

    def will_ask(self, inputs: Inputs) -> tuple[Rung, ...]:
        """The route question."""
        del inputs
        return CUTOFF_RUNGS

    def unrouted(self, reading: Reading, settings: Settings) -> CutoffsResult:
        """What was read says why."""
        return CutoffsResult(reading, settings.controls, settings.driver.origin, settings.cutoffs)

    def result(
        self, inputs: Inputs, progress: Progress, error: Exception | None, screen: Screen | None
    ) -> CutoffsResult:
        """With the outcome, or with what failed."""
        del screen
        made, outcome = self.unrouted(inputs.reading, inputs.settings), progress.outcome
        made = replace(made, question=question_for(routed(inputs), inputs.settings.cutoffs))
        if error is None and isinstance(outcome, CutoffsOutcome):
            return replace(made, outcome=outcome)
        return replace(made, failure=failure_of(error or no_outcome()))

    def reread(self, inputs: Inputs, result: CutoffsResult) -> CutoffsResult | None:
        """The same answer under changed rules, as long as the question is the same."""
        config = inputs.settings.cutoffs
        if result.outcome is None or _asks(config) != _asks(result.config):
            return None
        outcome = redecided(config, result.outcome)
        return None if outcome is None else replace(result, config=config, outcome=outcome)

    def carry(self, result: CutoffsResult, carried: Carried) -> Carried:
        """Nothing is kept."""
        del result
        return carried

    def computed(self, screen: Screen, inputs: Inputs, progress: Progress) -> Screen:
        """The question exactly as it is sent."""
        del progress
        outcome = None if screen.cutoffs is None else screen.cutoffs.outcome
        return _with(screen, question_for(routed(inputs), inputs.settings.cutoffs), outcome)

    def settled(self, screen: Screen, result: CutoffsResult | None) -> Screen:
        """The outcome, and the question it answers; without any result both go."""
        if result is None:
            return _with(screen, None, None)
        return _with(screen, result.question, result.outcome)

    def brought(self, screen: Screen) -> Screen:
        """Everything is computed already."""
        return screen


def _asks(config: CutoffsConfig) -> tuple[object, ...]:
    """What of a configuration a judge gets to see."""
    return config.labels, config.instructions, config.recent_turn_window, json.dumps(config.evidence)


def _with(screen: Screen, asked: RouteQuestion | None, outcome: CutoffsOutcome | None) -> Screen:
    instructions, _, context, task_words = asked or ("", (), None, "")
    shown = replace(
        screen.cutoffs or NO_CUTOFFS,
        instructions=instructions,
        context=context,
        task_words=task_words,
        outcome=outcome,
    )
    return replace(screen, cutoffs=shown)
