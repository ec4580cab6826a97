"""Every call gets only the time that is left, and a cancelled turn leaves nothing running (SPEC 7)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from routing_workbench.core.vgr.capabilities import TaskType
from routing_workbench.core.vgr.decision import Route
from routing_workbench.core.vgr.evidence import Ending, Miss, Rung
from routing_workbench.core.vgr.signals import Signals, Verdict
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.protocol import CallTimeout, Category, HttpStatusError, TransportError
from routing_workbench.workbench.drivers.script import Fault, Script
from routing_workbench.workbench.turns.breaker import Breakers
from routing_workbench.workbench.turns.settings import TurnSettings
from routing_workbench.workbench.turns.vgr import run_vgr_turn

RunTurn = Callable[..., Any]
CHAT = TurnSettings(forced_type=TaskType.CHAT, deadline=1.0)


async def hang(_: Any) -> str:
    """A driver that ignores the time it was given."""
    await asyncio.sleep(3600)
    return "yes"


def slow(rung: Rung, delay_ms: int) -> Script:
    """A script in which this rung takes its time."""
    return Script().edited(Rung.READOUT, answer="0.1").edited(rung, delay_ms=delay_ms)


def test_each_call_gets_what_is_left(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """30 s by default, less what earlier calls took: 30, 6, 8 and 24 ms."""
    driver = recording({Rung.DELIBERATION: "no"}, script=Script().edited(Rung.READOUT, answer="0.1"))
    run_turn(scene.plain, None, driver)
    assert [round(call.timeout, 6) for call in driver.calls] == [30.0, 29.97, 29.964, 29.956]


def test_an_attempt_that_takes_too_long_is_timed_out(run_turn: RunTurn, scene: SimpleNamespace) -> None:
    """local_timed_out is the decision deadline itself."""
    run = run_turn(scene.plain, None, MockDriver(slow(Rung.ATTEMPT, 1500)), settings=CHAT)
    assert (run.outcome.ending, run.outcome.served) == (Ending.LOCAL_TIMED_OUT, Route.CLOUD)
    assert run.row(Rung.ATTEMPT).miss is Miss.TIMED_OUT
    assert run.row(Rung.ATTEMPT).took == pytest.approx(1.0)


def test_an_attempt_that_never_ends_is_timed_out(run_turn: RunTurn, scene: SimpleNamespace) -> None:
    """The turn does not rely on the driver to keep time."""
    run = run_turn(scene.plain, None, MockDriver(replies=hang), settings=CHAT)
    assert run.outcome.ending is Ending.LOCAL_TIMED_OUT


def test_an_endpoint_that_times_out_early_is_unavailable(run_turn: RunTurn, scene: SimpleNamespace) -> None:
    """Time was left, so this is the endpoint's own timeout: an eligible failure."""
    run = run_turn(scene.plain, None, MockDriver(Script().edited(Rung.ATTEMPT, fault=Fault.TIMEOUT)), settings=CHAT)
    assert run.outcome.ending is Ending.LOCAL_UNAVAILABLE


def test_no_time_at_all_is_timed_out_unsent(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """A deadline of 0 s sends nothing."""
    driver = recording()
    run = run_turn(scene.plain, None, driver, settings=TurnSettings(deadline=0.0))
    assert run.outcome.ending is Ending.LOCAL_TIMED_OUT
    assert run.row(Rung.ATTEMPT).miss is Miss.DEADLINE_EXHAUSTED
    assert driver.calls == []


def test_after_the_deadline_each_rung_is_recorded_as_exhausted(
    run_turn: RunTurn, recording: Any, scene: SimpleNamespace
) -> None:
    """The one in flight timed out; those behind it were never sent and stay absent."""
    driver = recording({Rung.READOUT: 0.1, Rung.DELIBERATION: hang})
    run = run_turn(scene.plain, scene.prose, driver, settings=CHAT)
    assert [(row.rung, row.miss) for row in run.outcome.asked] == [
        (Rung.READOUT, None),
        (Rung.DELIBERATION, Miss.TIMED_OUT),
        (Rung.CLOUD_JUDGE, Miss.DEADLINE_EXHAUSTED),
    ]
    assert [call.rung for call in driver.calls] == [Rung.READOUT, Rung.DELIBERATION]
    assert run.outcome.signals == Signals(readout=0.1)
    assert run.outcome.served is Route.CLOUD


def test_misses_are_told_apart(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """Failed, timed out, unparsable: each with its own word, and none of them commits."""
    driver = recording(
        {
            Rung.READOUT: TransportError("secret"),
            Rung.DELIBERATION: CallTimeout("secret"),
            Rung.ANSWER_VERIFIER: "Yes, on the whole",
            Rung.EVIDENCE_VERIFIER: HttpStatusError(500),
        }
    )
    run = run_turn(scene.plain, scene.prose, driver, settings=TurnSettings(forced_type=TaskType.ANSWER))
    assert [(row.rung, row.miss, row.error) for row in run.outcome.asked] == [
        (Rung.READOUT, Miss.CALL_FAILED, "transport"),
        (Rung.DELIBERATION, Miss.TIMED_OUT, "timeout"),
        (Rung.ANSWER_VERIFIER, Miss.UNPARSABLE, ""),
        (Rung.EVIDENCE_VERIFIER, Miss.CALL_FAILED, "HTTP 500"),
    ]
    assert run.outcome.signals == Signals(answer_verifier=Verdict.UNKNOWN, evidence_verifier=Verdict.UNKNOWN)
    assert run.outcome.served is Route.CLOUD


def test_a_builtin_timeout_of_a_driver_is_a_timeout(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """A driver may let Python's own through."""
    run = run_turn(scene.plain, scene.prose, recording({Rung.READOUT: TimeoutError()}), settings=CHAT)
    assert run.row(Rung.READOUT).miss is Miss.TIMED_OUT


def test_the_clock_is_an_argument(virtually: Any, scene: SimpleNamespace) -> None:
    """Monotonic seconds from wherever the caller takes them."""
    now = [100.0]

    async def tick(seconds: float) -> None:
        now[0] += seconds

    async def outcome() -> Any:
        driver = MockDriver(slow(Rung.READOUT, 250), sleep=tick)
        turn = run_vgr_turn(scene.plain, attempt=scene.prose, driver=driver, settings=CHAT, clock=lambda: now[0])
        return [event async for event in turn][-1]

    rows = virtually(outcome()).asked
    assert [(round(row.started, 6), round(row.took, 6)) for row in rows] == [(0.0, 0.25), (0.25, 0.024)]


def test_five_failures_open_the_breaker_for_later_turns(run_turn: RunTurn, scene: SimpleNamespace) -> None:
    """Five turns find the local tier down; the sixth does not ask it."""
    breakers = Breakers()
    driver = MockDriver(Script().edited(Rung.ATTEMPT, fault=Fault.HTTP_503))
    endings = [
        run_turn(scene.plain, None, driver, breakers=breakers, clock=lambda: 0.0).outcome.ending for _ in range(6)
    ]
    assert endings == [Ending.LOCAL_UNAVAILABLE] * 5 + [Ending.BREAKER_OPEN]
    healed = MockDriver()
    assert run_turn(scene.plain, None, healed, breakers=breakers, clock=lambda: 30.0).outcome.ending is None
    assert run_turn(scene.plain, None, healed, breakers=breakers, clock=lambda: 30.0).outcome.ending is None


@pytest.mark.parametrize("rung", [Rung.ATTEMPT, Rung.TYPING, Rung.READOUT, Rung.CLOUD_JUDGE], ids=str)
def test_cancelling_ends_the_call_in_flight(virtually: Any, recording: Any, scene: SimpleNamespace, rung: Rung) -> None:
    """The call is cancelled, no task is left, no outcome comes, and the breaker is not blamed."""
    ended: list[str] = []
    started = asyncio.Event()

    async def wait_for_ever(_: Any) -> str:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise
        return "yes"

    driver = recording({Rung.READOUT: 0.1, Rung.DELIBERATION: "no", Rung.TYPING: "chat", rung: wait_for_ever})
    events: list[Any] = []
    breakers = Breakers()

    async def consume() -> None:
        async for event in run_vgr_turn(scene.plain, attempt=None, driver=driver, breakers=breakers):
            events.append(event)  # noqa: PERF401 - the list must hold what came before the cancellation

    async def cancel_it() -> None:
        task = asyncio.create_task(consume())
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    virtually(cancel_it())
    assert ended == ["cancelled"]
    assert events[-1].rung is rung
    assert not any(breakers.of(category).is_open(0.0) for category in Category)


def test_a_cancelled_trial_does_not_block_the_breaker(virtually: Any, recording: Any, scene: SimpleNamespace) -> None:
    """The next turn may try again."""
    breakers = Breakers(threshold=1, cooldown=0.0)
    started = asyncio.Event()

    async def wait_for_ever(_: Any) -> str:
        started.set()
        await asyncio.Event().wait()
        return "yes"

    async def story() -> Any:
        down = recording({Rung.ATTEMPT: HttpStatusError(503)})
        [event async for event in run_vgr_turn(scene.plain, attempt=None, driver=down, breakers=breakers)]
        hanging = recording({Rung.ATTEMPT: wait_for_ever})

        async def consume() -> None:
            async for _ in run_vgr_turn(scene.plain, attempt=None, driver=hanging, breakers=breakers):
                pass

        task = asyncio.create_task(consume())
        await started.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        fine = run_vgr_turn(scene.plain, attempt=None, driver=recording(), breakers=breakers)
        return [event async for event in fine][-1]

    assert virtually(story()).ending is None
