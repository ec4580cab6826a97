"""The escalation judge as a bench runs it: a session replayed turn by turn, and one turn looked at (SPEC 6.2)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Final

from ...core.conversation.model import Request, Response, Role
from ...core.conversation.reading import Reading
from ...core.escalation.config import EscalationConfig
from ...core.escalation.outcome import EscalationOutcome, EscalationTurn
from ...core.escalation.streak import TurnVerdict
from ...core.explain.judged import JudgedView
from ...core.vgr.evidence import Rung
from ...widgets.algorithm import Algorithm, EscalationScreen
from ...widgets.screen import Screen
from ..escalation_result import EscalationResult
from ..failing import failure_of, no_outcome
from ..progress import Event, Progress
from ..turns.escalation import replay_escalation, transcript_view, turn_places
from .refold import refold
from .settings import Carried, Inputs, Settings

#: What the tab shows before anything was configured or pasted.
NO_ESCALATION: Final = EscalationScreen(EscalationConfig(), EscalationConfig())
#: Transcripts that are kept while one goes back and forth between turns.
_KEPT: Final = 32


class EscalationCourse:
    """A replay always begins with the session's first turn. It remembers which turn is looked at."""

    algorithm = Algorithm.ESCALATION

    def __init__(self) -> None:
        #: The turn that was chosen to be looked at; None looks at the latching turn, else at the last.
        self._chosen: int | None = None
        self._request: Request | None = None
        self._reply: Response | None = None
        self._views: OrderedDict[tuple[object, ...], JudgedView] = OrderedDict()

    def events(self, inputs: Inputs, carried: Carried) -> AsyncIterator[Event]:
        """Turn after turn of the whole conversation."""
        del carried
        settings = inputs.settings
        chosen = settings.escalation
        return replay_escalation(
            inputs.conversation.request,
            driver=settings.driver,
            config=chosen.config,
            has_session=chosen.has_session,
            redact=chosen.redact,
            deadline=settings.controls.deadline,
        )

    def will_ask(self, inputs: Inputs) -> tuple[Rung, ...]:
        """A judge call for each turn, as long as none latches; the efficient tier for a reply that is not there."""
        request = inputs.conversation.request
        judged = (Rung.ESCALATION_JUDGE,) * len(turn_places(request))
        return (*judged[:-1], Rung.EFFICIENT, Rung.ESCALATION_JUDGE) if _is_live(request) else judged

    def unrouted(self, reading: Reading, settings: Settings) -> EscalationResult:
        """What was read says why."""
        return EscalationResult(reading, settings.controls, settings.driver.origin, settings.escalation)

    def result(
        self, inputs: Inputs, progress: Progress, error: Exception | None, screen: Screen | None
    ) -> EscalationResult:
        """With the outcome, or with what failed and the turns judged until then."""
        del screen
        made = replace(
            self.unrouted(inputs.reading, inputs.settings),
            request=inputs.conversation.request,
            reply=progress.attempt,
            turns=progress.turns,
        )
        outcome = progress.outcome
        if error is None and isinstance(outcome, EscalationOutcome):
            return replace(made, outcome=outcome, turns=outcome.turns)
        return replace(made, failure=failure_of(error or no_outcome()))

    def reread(self, inputs: Inputs, result: EscalationResult) -> EscalationResult | None:
        """The same verdicts under another number of confirmations, session or note."""
        settings = inputs.settings.escalation
        asked = result.asked_as or result
        if asked.outcome is None:
            return None
        turns = refold(asked.turns, asked.settings, settings)
        if turns is None:
            return None
        outcome = replace(asked.outcome, turns=turns, config=settings.config, has_session=settings.has_session)
        return replace(asked, settings=settings, outcome=outcome, turns=turns, asked_as=asked)

    def carry(self, result: EscalationResult, carried: Carried) -> Carried:
        """Nothing is kept: the streak is the replay's own."""
        del result
        return carried

    def computed(self, screen: Screen, inputs: Inputs, progress: Progress) -> Screen:
        """The turns judged so far, and what the judge reads at the one that is looked at."""
        shown = screen.escalation or NO_ESCALATION
        turns = progress.turns or (() if shown.outcome is None else shown.outcome.turns)
        return self._shown(screen, inputs.conversation.request, progress.attempt, turns)

    def settled(self, screen: Screen, result: EscalationResult | None) -> Screen:
        """The outcome and its turns; of a replay that failed, the turns judged until then."""
        shown = screen.escalation or NO_ESCALATION
        if result is None or result.request is None:
            self._request = self._reply = None
            return replace(screen, escalation=replace(shown, total=0, turns=(), outcome=None, selected=0, view=None))
        screen = replace(screen, escalation=replace(shown, outcome=result.outcome))
        return self._shown(screen, result.request, result.reply, result.turns)

    def brought(self, screen: Screen) -> Screen:
        """What the judge reads at the turn that is looked at, which is not computed while another tab is shown."""
        if self._request is None:
            return screen
        return self._shown(screen, self._request, self._reply, (screen.escalation or NO_ESCALATION).turns)

    def look(self, screen: Screen, turn: int) -> Screen:
        """Look at this turn, from 1; at the nearest one where there is none of this number."""
        self._chosen = max(1, min(turn, (screen.escalation or NO_ESCALATION).total))
        return self.brought(screen)

    def _shown(
        self, screen: Screen, request: Request, reply: Response | None, turns: Sequence[EscalationTurn]
    ) -> Screen:
        if request is not self._request:
            self._views.clear()
        self._request, self._reply = request, reply
        shown = screen.escalation or NO_ESCALATION
        places = turn_places(request)
        selected = self._selected(len(places), turns)
        # The transcript costs more than all else here, and nobody sees it on another tab.
        view = shown.view
        if screen.algorithm is Algorithm.ESCALATION:
            view = self._view(request, places[selected - 1], shown, reply) if selected else None
        made = replace(shown, total=len(places), turns=tuple(turns), selected=selected, view=view)
        return replace(screen, escalation=made)

    def _selected(self, total: int, turns: Sequence[EscalationTurn]) -> int:
        if self._chosen is not None and self._chosen <= total:
            return self._chosen
        latched = next((turn.turn for turn in turns if turn.evidence is TurnVerdict.ESCALATE), None)
        return min(total, latched or (turns[-1].turn if turns else total))

    def _view(self, request: Request, place: int, shown: EscalationScreen, reply: Response | None) -> JudgedView:
        config = shown.config
        key = (place, config.recent_turn_window, config.window_message_chars, shown.redact, id(reply))
        if key not in self._views:
            self._views[key] = transcript_view(request, place, config, shown.redact, reply)
            if len(self._views) > _KEPT:
                self._views.popitem(last=False)
        return self._views[key]


def _is_live(request: Request) -> bool:
    return bool(request.messages) and request.messages[-1].role is not Role.ASSISTANT
