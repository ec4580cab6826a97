"""The run of ordered cutoffs: one decision question, then the first rule that its answer clears (SPEC 6.1)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import NamedTuple

from ...core.conversation.model import Json, Request
from ...core.cutoffs.config import CutoffsConfig, check_config
from ...core.cutoffs.context import QUESTION, judge_context, question_instructions
from ...core.cutoffs.decision import ReasonCode, decide_by_cutoffs, fail_open_decision, usable
from ...core.cutoffs.outcome import CutoffsOutcome
from ...core.cutoffs.task import is_of_the_user, task_indexes
from ...core.vgr.evidence import Miss, Rung
from ...prompts import cutoffs_prompt_set, route_instructions
from ..drivers.protocol import Answer, AnswerType, Driver, Question
from .asking import Asker, Asking
from .breaker import Breakers
from .events import CutoffsEvent
from .failures import NO_TIME, JudgeFailed, reason_code_of
from .replies import Read
from .settings import DECISION_DEADLINE

#: Stands behind the version of our prompts where the question's words are the operator's own.
OPERATORS_WORDS = "+operator"


class RouteQuestion(NamedTuple):
    """The question exactly as it is sent, and how its task was cut from the conversation, in a sentence."""

    instructions: str
    #: Sorted; model ids are in reach of nothing here.
    labels: tuple[str, ...]
    context: dict[str, Json]
    task_words: str

    def __repr__(self) -> str:
        return f"RouteQuestion({len(self.labels)} labels)"


def question_for(request: Request, config: CutoffsConfig) -> RouteQuestion:
    """The question that this conversation is asked with."""
    return RouteQuestion(
        question_instructions(config, route_instructions()),
        config.labels,
        judge_context(request, config),
        _task_words(request, config.recent_turn_window),
    )


async def run_cutoffs(
    request: Request,
    *,
    driver: Driver,
    config: CutoffsConfig,
    deadline: float = DECISION_DEADLINE,
    breakers: Breakers | None = None,
    clock: Callable[[], float] | None = None,
) -> AsyncIterator[CutoffsEvent]:
    """Ask the judge and decide; the last event is the `CutoffsOutcome`.

    The judge has `deadline` seconds; `clock` gives monotonic ones. SPEC 6 knows no breakers: without any, the question
    is always sent. Raises InvalidCutoffs before anything is asked, and JudgeFailed where the call failed and fail_open
    is off; an answer that is not usable takes the fallback either way. Cancelling ends the call in flight.
    """
    check_config(config)
    asker = Asker(driver, asyncio.get_running_loop().time if clock is None else clock, deadline, breakers)
    asked = question_for(request, config)
    if announced := asker.announce(Rung.ROUTE):
        yield announced
    asking = await asker.decide(
        Rung.ROUTE, partial(Question, QUESTION, asked.instructions, asked.labels, asked.context), partial(_read, config)
    )
    yield asking.event
    prompt_set = cutoffs_prompt_set() + ("" if config.instructions is None else OPERATORS_WORDS)
    answer = asking.reply
    if answer is None:
        if not config.fail_open:
            raise JudgeFailed(asking.row.error or NO_TIME, asking.error) from None
        failed_open = fail_open_decision(config, _reason_code(asking))
        yield CutoffsOutcome(asking.row, failed_open, deadline=deadline, prompt_set=prompt_set)
        return
    probabilities = _distribution(answer)
    yield CutoffsOutcome(
        asking.row,
        decide_by_cutoffs(config, probabilities),
        None if probabilities is None else tuple(probabilities.items()),
        answer.choice,
        answer.confidence,
        answer.covered,
        deadline,
        prompt_set,
    )


def _distribution(answer: Answer) -> dict[str, float] | None:
    """The probabilities of a choice, as received; no other type of answer carries any, whatever it came with."""
    if answer.type is not AnswerType.CHOICE or answer.probabilities is None:
        return None
    return dict(answer.probabilities)


def _read(config: CutoffsConfig, answer: Answer) -> Read:
    probabilities = _distribution(answer)
    unusable = usable(config, probabilities)
    why = answer.note
    if not why and answer.type is not AnswerType.CHOICE:
        why = f"no choice was answered ({answer.type.value})"
    note = "; ".join([part for part in (why, "" if unusable is None else unusable.value) if part])
    if probabilities is None:
        return Read(None, "unknown", Miss.UNPARSABLE, note)
    size = len(probabilities)
    words = f"{size:,} probabilit{'y' if size == 1 else 'ies'}"
    return Read(None, words, None if unusable is None else Miss.UNPARSABLE, note)


def _reason_code(asking: Asking[Answer]) -> ReasonCode:
    if asking.error is not None:
        return reason_code_of(asking.error)
    return ReasonCode.TIMEOUT if asking.out_of_time else ReasonCode.CALL_ERROR


def _task_words(request: Request, window: int | None) -> str:
    """How the task was cut, numbered as the screen numbers turns: from 1, instructions included."""
    base = len(request.instructions) + 1
    places = [base + at for at in task_indexes(request, window)]
    if not places:
        return "The task is empty: there is no user message."
    where = f"Message{'s' if len(places) > 1 else ''} {_ranges(places)} of {len(request.turns):,}"
    if window is not None:
        said = any(map(is_of_the_user, request.messages))
        what = "the opening user message and the last ones after it" if said else "the last messages"
        return f"{where}: {what}, window {window:,}, no tool result cut from its call."
    if len(places) == 1:
        return f"{where}: the opening user message; there is no later one, and no window is set."
    return f"{where}: the opening and the last user message, no tool result cut from its call."


def _ranges(places: list[int]) -> str:
    """`1, 30 to 34`: the numbers, ascending, with runs drawn together."""
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][1] + 1:
            runs[-1][1] = place
        else:
            runs.append([place, place])
    return ", ".join([f"{first:,}" if first == last else f"{first:,} to {last:,}" for first, last in runs])
