"""The turn of verification-gated routing: from a request to the tier that serves it, step by step (SPEC 7).

`run_vgr_turn` yields what happens as it happens; its last event is the `TurnOutcome`. It keeps nothing: the session's
next state is in the outcome, breakers and kill switch belong to the operator.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from functools import partial

from ...core.conversation.model import Request, Response
from ...core.vgr.capabilities import TaskType
from ...core.vgr.decision import Mode, Readiness, Route, decide
from ...core.vgr.evidence import Ending, Rung, TurnOutcome
from ...core.vgr.policy import POLICY_1_0_0, Policy
from ...core.vgr.serving import check_mode, serve
from ...core.vgr.turn_view import has_incomplete_tool_call, has_tool_call
from ...prompts import vgr_prompt_set
from ..drivers.protocol import Category, Driver, Reply
from .asking import Asker, Asking
from .breaker import Breakers
from .carry import carried, carries
from .events import (
    AttemptProduced,
    Decided,
    Derived,
    Ended,
    Stage,
    StageStarted,
    Stopped,
    TurnEvent,
    Typed,
)
from .failures import AttemptFailed, failure_words, is_eligible
from .gather import Gathering, next_step, not_asked, signals_with, skipped
from .kill_switch import KillSwitch
from .outlook import configured_categories, derive_declared, types_task
from .questions import Material, attempt_text, call_for, reply_call
from .replies import read_reply
from .serving import serve_by_cloud
from .session_state import NEW_SESSION, SessionState
from .settings import DEFAULT_SETTINGS, TurnSettings
from .short_circuits import short_circuit


@dataclass(frozen=True, slots=True)
class _Turn:
    """What every part of a turn needs."""

    request: Request = field(repr=False)
    settings: TurnSettings
    asker: Asker
    #: The attempt's text; empty before there is one.
    attempt: str = field(default="", repr=False)


async def run_vgr_turn(
    request: Request,
    *,
    attempt: Response | None,
    driver: Driver,
    settings: TurnSettings = DEFAULT_SETTINGS,
    policy: Policy = POLICY_1_0_0,
    state: SessionState = NEW_SESSION,
    breakers: Breakers | None = None,
    kill_switch: KillSwitch | None = None,
    clock: Callable[[], float] | None = None,
) -> AsyncIterator[TurnEvent]:
    """Run one turn and yield its events. `attempt` None asks the local tier; `clock` gives monotonic seconds.

    Raises ConfigurationError for mode `active` without its approval, AttemptFailed where the local tier failed in a way
    that is not eligible. Cancelling the task that iterates ends the call in flight; nothing else is running.
    """
    check_mode(settings.mode, settings.approval)
    if breakers is None:
        breakers = Breakers(settings.breaker_threshold, settings.breaker_cooldown)
    clock = asyncio.get_running_loop().time if clock is None else clock
    asker = Asker(driver, clock, settings.deadline, breakers)
    turn = _Turn(request, settings, asker)

    breaker_open = breakers.of(Category.LOCAL).is_open(clock())
    ending = short_circuit(request, settings, state, kill_switch or KillSwitch(), breaker_open=breaker_open)
    if ending is None and attempt is None:
        yield StageStarted(Stage.ATTEMPT, asker.at())
        if announced := asker.announce(Rung.ATTEMPT):
            yield announced
        call_of = partial(reply_call, Rung.ATTEMPT, request)
        asking = await asker.complete(Rung.ATTEMPT, call_of, partial(read_reply, Rung.ATTEMPT))
        yield asking.event
        ending = _attempt_ending(asking)
        if asking.reply is not None:
            attempt = asking.reply.response
            yield AttemptProduced(attempt, asking.row.origin)
    if ending is None and attempt is not None:
        turn = replace(turn, attempt=attempt_text(attempt))
        ending = Ending.MALFORMED_TOOL_CALL if has_incomplete_tool_call(attempt) else None
    if ending is not None or attempt is None:
        async for event in _end(turn, ending or Ending.LOCAL_UNAVAILABLE, Route.CLOUD, state):
            yield event
        return

    material = Material(request, attempt, turn.attempt, turn_verification=policy.turn_verification)

    if policy.turn_verification.enabled and has_tool_call(attempt):
        yield StageStarted(Stage.TURN_VERIFICATION, asker.at())
        if announced := asker.announce(Rung.TURN_CHECK):
            yield announced
        asking = await _ask(asker, Rung.TURN_CHECK, material)
        yield asking.event
        score = asking.row.value if isinstance(asking.row.value, float) else None
        state, escalated = state.after_check(score, policy.turn_verification, latch=settings.latch_escalation)
        ending = Ending.TURN_VERIFICATION_ESCALATED if escalated else Ending.TURN_VERIFICATION_COMPLETE
        stays = not escalated and settings.mode is not Mode.SHADOW
        async for event in _end(turn, ending, Route.LOCAL if stays else Route.CLOUD, state):
            yield event
        return

    task_type = settings.forced_type
    origin = None
    if types_task(request, settings, driver):
        yield StageStarted(Stage.TYPING, asker.at())
        if announced := asker.announce(Rung.TYPING):
            yield announced
        asking = await _ask(asker, Rung.TYPING, material)
        yield asking.event
        task_type = asking.row.value if isinstance(asking.row.value, TaskType) else None
        origin = asking.row.origin
    yield Typed(task_type, origin)

    derivation = derive_declared(request, turn.attempt, settings, task_type)
    yield Derived(derivation)
    gathering = Gathering(derivation.capabilities, configured_categories(driver), policy)
    material = replace(material, transcript=derivation.capabilities.transcript or "")

    yield StageStarted(Stage.EVIDENCE, asker.at())
    while isinstance(step := next_step(gathering), Rung):
        if announced := asker.announce(step):
            yield announced
        asking = await _ask(asker, step, replace(material, strict=gathering.strict))
        gathering = gathering.after(asking.row)
        yield asking.event
    yield Stopped(step.why, asker.at())

    readiness = Readiness(settings.checker_validated)
    decision = decide(derivation.capabilities, gathering.signals, readiness, policy)
    served = serve(decision, settings.mode)
    yield Decided(decision, served)
    async for event in _serve(turn, served):
        yield event

    signals_with_extra = gathering.signals
    if settings.diagnose and (extras := skipped(gathering)):
        asker.begin_extras()
        yield StageStarted(Stage.DIAGNOSIS, asker.at())
        for rung in extras:
            if announced := asker.announce(rung):
                yield announced
            asking = await _ask(asker, rung, replace(material, strict=gathering.strict))
            signals_with_extra = signals_with(signals_with_extra, asking.row)
            yield asking.event

    extra = {row.rung for row in asker.rows if row.extra}
    yield TurnOutcome(
        asker.rows,
        served,
        decision=decision,
        signals=gathering.signals,
        signals_with_extra=signals_with_extra,
        task_type=task_type,
        not_asked=tuple([pair for pair in not_asked(gathering, step) if pair[0] not in extra]),
        stopped=step.why,
        deadline=settings.deadline,
        streak=state.streak,
        latched=state.latched,
        prompt_set=vgr_prompt_set(),
    )


async def _ask(asker: Asker, rung: Rung, material: Material) -> Asking[Reply]:
    return await asker.complete(
        rung, partial(call_for, rung, material), partial(read_reply, rung, attempt=material.attempt_text)
    )


def _attempt_ending(asking: Asking[Reply]) -> Ending | None:
    """How a turn ends whose local tier gave no attempt; None where it gave one (SPEC 7)."""
    if asking.reply is not None:
        return None
    if asking.out_of_time:
        return Ending.LOCAL_TIMED_OUT
    if asking.error is None:
        # Another turn opened the breaker, or is on its trial, since this one looked.
        return Ending.BREAKER_OPEN
    if is_eligible(asking.error):
        return Ending.LOCAL_UNAVAILABLE
    raise AttemptFailed(failure_words(asking.error), asking.error) from None


async def _end(turn: _Turn, ending: Ending, served: Route, state: SessionState) -> AsyncIterator[TurnEvent]:
    """End a turn before the rules."""
    yield Ended(ending, served)
    async for event in _serve(turn, served):
        yield event
    yield TurnOutcome(
        turn.asker.rows,
        served,
        ending=ending,
        deadline=turn.settings.deadline,
        streak=state.streak,
        latched=state.latched,
        prompt_set=vgr_prompt_set(),
    )


async def _serve(turn: _Turn, served: Route) -> AsyncIterator[TurnEvent]:
    """What serving takes: nothing where the attempt is served, else a request to cloud."""
    if served is Route.LOCAL:
        return
    request = carried(turn.request, turn.attempt) if carries(turn.settings) else turn.request
    async for event in serve_by_cloud(
        turn.asker, request, carried=request is not turn.request, ask=turn.settings.ask_cloud
    ):
        yield event
