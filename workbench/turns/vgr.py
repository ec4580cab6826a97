"""The turn of verification-gated routing: from a request to the tier that serves it, step by step (SPEC 7).

`run_vgr_turn` yields what happens as it happens; its last event is the `TurnOutcome`. It keeps nothing: the session's
next state is in the outcome, breakers and kill switch belong to the operator. A speculation carry, when it comes,
reads the attempt from `AttemptProduced` and the route from the outcome.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial

from ...core.conversation.model import Request, Response
from ...core.vgr.capabilities import TaskType
from ...core.vgr.decision import Mode, Readiness, Route, decide
from ...core.vgr.evidence import Asked, Ending, Rung, TurnOutcome
from ...core.vgr.policy import POLICY_1_0_0, Policy
from ...core.vgr.serving import check_mode, serve
from ...core.vgr.turn_view import has_incomplete_tool_call, has_tool_call
from ..drivers.protocol import Category, Driver
from .asking import Asker, Asking
from .breaker import Breakers
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
from .questions import Material, attempt_call, attempt_text, call_for
from .replies import read_reply
from .session_state import NEW_SESSION, SessionState
from .settings import DEFAULT_SETTINGS, TurnSettings
from .short_circuits import short_circuit


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
    breakers = Breakers() if breakers is None else breakers
    clock = asyncio.get_running_loop().time if clock is None else clock
    asker = Asker(driver, clock, settings.deadline, breakers)
    rows: list[Asked] = []

    breaker_open = breakers.of(Category.LOCAL).is_open(clock())
    ending = short_circuit(request, settings, state, kill_switch or KillSwitch(), breaker_open=breaker_open)
    if ending is None and attempt is None:
        yield StageStarted(Stage.ATTEMPT, asker.at())
        if announced := asker.announce(Rung.ATTEMPT):
            yield announced
        asking = await asker.ask(Rung.ATTEMPT, partial(attempt_call, request), partial(read_reply, Rung.ATTEMPT))
        rows.append(asking.row)
        yield asking.event
        ending = _attempt_ending(asking)
        if asking.reply is not None:
            attempt = asking.reply.response
            yield AttemptProduced(attempt, asking.row.origin)
    if ending is None and attempt is not None and has_incomplete_tool_call(attempt):
        ending = Ending.MALFORMED_TOOL_CALL
    if ending is not None or attempt is None:
        for event in _ended(ending or Ending.LOCAL_UNAVAILABLE, Route.CLOUD, rows, settings, state):
            yield event
        return

    text = attempt_text(attempt)
    material = Material(request, attempt, text, turn_verification=policy.turn_verification)

    if policy.turn_verification.enabled and has_tool_call(attempt):
        yield StageStarted(Stage.TURN_VERIFICATION, asker.at())
        if announced := asker.announce(Rung.TURN_CHECK):
            yield announced
        asking = await _ask(asker, Rung.TURN_CHECK, material)
        rows.append(asking.row)
        yield asking.event
        score = asking.row.value if isinstance(asking.row.value, float) else None
        state = state.after_check(score, policy.turn_verification)
        ending = Ending.TURN_VERIFICATION_ESCALATED if state.latched else Ending.TURN_VERIFICATION_COMPLETE
        stays = not state.latched and settings.mode is not Mode.SHADOW
        for event in _ended(ending, Route.LOCAL if stays else Route.CLOUD, rows, settings, state):
            yield event
        return

    task_type = settings.forced_type
    origin = None
    if types_task(request, settings, driver):
        yield StageStarted(Stage.TYPING, asker.at())
        if announced := asker.announce(Rung.TYPING):
            yield announced
        asking = await _ask(asker, Rung.TYPING, material)
        rows.append(asking.row)
        yield asking.event
        task_type = asking.row.value if isinstance(asking.row.value, TaskType) else None
        origin = asking.row.origin
    yield Typed(task_type, origin)

    derivation = derive_declared(request, text, settings, task_type)
    yield Derived(derivation)
    gathering = Gathering(derivation.capabilities, configured_categories(driver), policy)
    material = replace(material, transcript=derivation.capabilities.transcript or "")

    yield StageStarted(Stage.EVIDENCE, asker.at())
    while isinstance(step := next_step(gathering), Rung):
        if announced := asker.announce(step):
            yield announced
        asking = await _ask(asker, step, replace(material, strict=gathering.strict))
        rows.append(asking.row)
        gathering = gathering.after(asking.row)
        yield asking.event
    yield Stopped(step.why, asker.at())

    readiness = Readiness(settings.checker_validated)
    decision = decide(derivation.capabilities, gathering.signals, readiness, policy)
    served = serve(decision, settings.mode)
    yield Decided(decision, served)

    signals_with_extra = gathering.signals
    if settings.diagnose and (extras := skipped(gathering)):
        asker.begin_extras()
        yield StageStarted(Stage.DIAGNOSIS, asker.at())
        for rung in extras:
            if announced := asker.announce(rung):
                yield announced
            asking = await _ask(asker, rung, replace(material, strict=gathering.strict))
            rows.append(asking.row)
            signals_with_extra = signals_with(signals_with_extra, asking.row)
            yield asking.event

    extra = {row.rung for row in rows if row.extra}
    yield TurnOutcome(
        tuple(rows),
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
    )


async def _ask(asker: Asker, rung: Rung, material: Material) -> Asking:
    return await asker.ask(
        rung, partial(call_for, rung, material), partial(read_reply, rung, attempt=material.attempt_text)
    )


def _attempt_ending(asking: Asking) -> Ending | None:
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
    raise AttemptFailed(failure_words(asking.error)) from None


def _ended(
    ending: Ending, served: Route, rows: list[Asked], settings: TurnSettings, state: SessionState
) -> tuple[Ended, TurnOutcome]:
    outcome = TurnOutcome(
        tuple(rows),
        served,
        ending=ending,
        deadline=settings.deadline,
        streak=state.streak,
        latched=state.latched,
    )
    return Ended(ending, served), outcome
