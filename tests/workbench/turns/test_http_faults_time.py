"""Deadlines, breakers and cancelling over real connections: what a run does when its time is over (SPEC 6, 7)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from blows import Blow
from fault_places import ASKED, scripted, vgr
from fault_rules import HARMS, Harm
from fault_runs import MARK, Case, Ran, WatchedBreakers, run_case
from fault_server import PATIENCE, Fault, Scripted
from model_server import Route
from routing_workbench.core.vgr.decision import Route as Tier
from routing_workbench.core.vgr.evidence import Ending, Miss, Rung
from routing_workbench.core.vgr.signals import Signals
from routing_workbench.workbench.drivers.http.targets import WireFormat
from routing_workbench.workbench.drivers.protocol import Category
from routing_workbench.workbench.drivers.script import Fault as MockFault
from routing_workbench.workbench.turns.breaker import CallResult

pytestmark = pytest.mark.filterwarnings("error")

_CHAT = WireFormat.OPENAI_CHAT
#: Held until the client leaves, while the clock passes the run's deadline, whatever the rung's own.
_OUT_OF_TIME = [
    Blow(HARMS[MockFault.TIMEOUT_FIRST_BYTE], lambda _: Scripted(fault=Fault.HOLD), jump=31.0),
    Blow(
        HARMS[MockFault.TIMEOUT_MID_BODY],
        lambda sound: Scripted(body=sound.body(), fault=Fault.HOLD_IN_BODY),
        jump=31.0,
    ),
]


def rows(ran: Ran) -> list[tuple[Rung, Any]]:
    """What was asked, and what it missed."""
    return [(row.rung, row.miss) for row in ran.asked]


@pytest.mark.parametrize("blow", _OUT_OF_TIME, ids=str)
class TestTheDeadlineOfATurn:
    """A call gets only the time that is left, and what comes after it none."""

    def test_in_the_attempt(self, route: Route, scene: SimpleNamespace, blow: Blow) -> None:
        """Cloud serves, and the ending says that it was the time."""
        faulty, sound = route.run_twice(vgr(scene.plain, None, None), Rung.ATTEMPT, blow, _CHAT)
        outcome = faulty.result.outcome
        assert (outcome.ending, outcome.served) == (Ending.LOCAL_TIMED_OUT, Tier.CLOUD)
        assert rows(faulty) == [(Rung.ATTEMPT, Miss.TIMED_OUT)]
        assert faulty.result.record()["ending"] == "local_timed_out"
        assert sound.result.served is Tier.LOCAL

    def test_in_the_readout(self, route: Route, scene: SimpleNamespace, blow: Blow) -> None:
        """The verdict that would have committed is not asked for any more, and is no evidence."""
        case = vgr(scene.plain, scene.prose, {Rung.DELIBERATION: "yes"})
        faulty, sound = route.run_twice(case, Rung.READOUT, blow, _CHAT)
        assert rows(faulty) == [(Rung.READOUT, Miss.TIMED_OUT), (Rung.DELIBERATION, Miss.DEADLINE_EXHAUSTED)]
        assert faulty.result.outcome.signals == Signals()
        assert (faulty.result.served, sound.result.served) == (Tier.CLOUD, Tier.LOCAL)
        assert [row["miss"] for row in faulty.result.record()["asked"]] == ["timed_out", "deadline_exhausted"]

    def test_in_typing(self, route: Route, scene: SimpleNamespace, blow: Blow) -> None:
        """Nothing is left for evidence, so cloud serves."""
        case = vgr(scene.plain, scene.prose, {Rung.TYPING: "chat", Rung.DELIBERATION: "yes"}, typing_enabled=True)
        faulty, sound = route.run_twice(case, Rung.TYPING, blow, _CHAT)
        exhausted = [(rung, Miss.DEADLINE_EXHAUSTED) for rung in (Rung.READOUT, Rung.DELIBERATION)]
        assert rows(faulty) == [(Rung.TYPING, Miss.TIMED_OUT), *exhausted]
        assert (faulty.result.served, sound.result.served) == (Tier.CLOUD, Tier.LOCAL)

    def test_leaves_the_serving_tier_its_own(self, route: Route, scene: SimpleNamespace, blow: Blow) -> None:
        """The decision is made, and its reply comes."""
        case = vgr(scene.plain, scene.prose, {}, ask_cloud=True)
        faulty, _ = route.run_twice(case, Rung.DELIBERATION, blow, _CHAT)
        assert faulty.row(Rung.DELIBERATION).miss is Miss.TIMED_OUT
        assert faulty.row(Rung.CAPABLE).miss is None

    def test_leaves_a_diagnosis_its_own(self, route: Route, scene: SimpleNamespace, blow: Blow) -> None:
        """What is asked on the side is shown, and decides nothing."""
        case = vgr(scene.plain, scene.code, {Rung.EVIDENCE_STRICT: "yes"}, forced_type="coding", diagnose=True)
        faulty, _ = route.run_twice(case, Rung.DELIBERATION, blow, _CHAT)
        extra = faulty.row(Rung.EVIDENCE_STRICT)
        assert (extra.extra, extra.value, extra.miss) == (True, "yes", None)
        assert faulty.row(Rung.CLOUD_JUDGE).miss is Miss.DEADLINE_EXHAUSTED
        assert faulty.result.outcome.signals.evidence_strict is None

    def test_in_the_session_judge(self, route: Route, scene: SimpleNamespace, blow: Blow) -> None:
        """Each turn of a session has its own time."""
        (place,) = [place for place in ASKED if place.rung is Rung.ESCALATION_JUDGE]
        faulty, _ = route.run_twice(place.case(scene), place.rung, blow, _CHAT)
        assert [row.miss for row in faulty.rows(place.rung)] == [Miss.TIMED_OUT] * 2
        assert [turn.absent for turn in faulty.result.turns] == ["no reply: timeout"] * 2
        assert [turn.served for turn in faulty.result.turns] == [Tier.LOCAL] * 2

    def test_in_the_route_question(self, route: Route, scene: SimpleNamespace, blow: Blow) -> None:
        """The fallback takes it where the operator lets it."""
        (place,) = [place for place in ASKED if str(place) == "the route, open"]
        faulty, _ = route.run_twice(place.case(scene), place.rung, blow, _CHAT)
        assert faulty.result.decision.evidence == {"source": "fail_open", "reason_code": "timeout"}


def failing(status: int) -> Blow:
    """A status, without repetitions' waits being looked at."""
    return Blow(Harm(str(status), f"HTTP {status}"), lambda _: Scripted(status))


@pytest.mark.parametrize(("status", "opens"), [(503, True), (502, True), (500, False), (429, False), (403, False)])
def test_a_breaker_opens_over_failures_of_its_endpoint(
    route: Route, scene: SimpleNamespace, status: int, opens: bool
) -> None:
    """After five in a row nothing is sent for 30 seconds; then one trial, and its success closes it."""
    case = vgr(scene.plain, None, None)
    route.strike(case, Rung.ATTEMPT, failing(status))
    breakers = WatchedBreakers()

    async def turns() -> tuple[list[Ran], list[int]]:
        driver = route.driver(_CHAT)
        ran, sent = [], []
        for _ in range(6):
            ran.append(await run_case(case, driver, breakers))
            sent.append(route.requests)
        route.heal()
        ran.append(await run_case(case, driver, breakers))
        await route.skip(30.0)
        ran.append(await run_case(case, driver, breakers))
        ran.append(await run_case(case, driver, breakers))
        await driver.aclose()
        return ran, sent

    ran, sent = route.run(turns())
    each = sent[0]
    refused, lost = Ending.BREAKER_OPEN, Ending.LOCAL_UNAVAILABLE
    endings = [one.result.outcome.ending for one in ran]
    if opens:
        assert endings == [lost] * 5 + [refused] * 2 + [None] * 2
        assert sent == [each * n for n in (1, 2, 3, 4, 5, 5)]
        assert ran[5].asked == []
    else:
        assert endings == [lost] * 6 + [None] * 3
        assert sent == [each * n for n in (1, 2, 3, 4, 5, 6)]
    told = [result for category, result in breakers.told if category is Category.LOCAL]
    failed = CallResult.ENDPOINT_FAILURE if opens else CallResult.NEITHER
    assert told == [failed] * (5 if opens else 6) + [CallResult.SUCCESS] * (2 if opens else 3)


def test_a_judges_breaker_refuses_its_rungs_alone(route: Route, scene: SimpleNamespace) -> None:
    """The row says so, nothing is sent, and the other endpoints are asked."""
    case = replace(
        vgr(scene.plain, None, None),
        script=scripted(),
        controls=replace(vgr(scene.plain, None, None).controls, breaker_threshold=1),
    )
    route.strike(case, Rung.READOUT, failing(503))
    breakers = WatchedBreakers(threshold=1)

    async def turn() -> Ran:
        driver = route.driver(_CHAT)
        ran = await run_case(case, driver, breakers)
        await driver.aclose()
        return ran

    ran = route.run(turn())
    assert [(row.rung, row.error) for row in ran.asked] == [
        (Rung.ATTEMPT, ""),
        (Rung.READOUT, "HTTP 503"),
        (Rung.DELIBERATION, "breaker open"),
    ]
    assert ran.row(Rung.DELIBERATION).miss is Miss.CALL_FAILED
    assert (ran.result.served, ran.result.record()["asked"][2]["error"]) == (Tier.CLOUD, "breaker open")


@pytest.mark.parametrize("place", ASKED, ids=str)
def test_cancelling_a_run_closes_its_call(route: Route, scene: SimpleNamespace, place: Any) -> None:
    """At whichever rung: the server sees its client leave, no breaker counts it, and the next run works."""
    case: Case = place.case(scene)
    route.strike(case, place.rung, Blow(Harm("cancelled"), lambda _: Scripted(fault=Fault.HOLD)))
    breakers = WatchedBreakers()

    async def turns() -> Ran:
        driver = route.driver(_CHAT, concurrency=1)
        task = asyncio.create_task(run_case(case, driver, breakers))
        await route.struck_once()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(route.plain.left.wait, PATIENCE)
        route.heal()
        ran = await run_case(case, driver, breakers)
        await driver.aclose()
        return ran

    ran = route.run(turns())
    assert all(row.miss is None for row in ran.rows(place.rung))
    assert CallResult.ENDPOINT_FAILURE not in [result for _, result in breakers.told]
    assert MARK not in repr(ran.events)


def test_an_endpoint_that_asks_to_wait_is_waited_for_within_the_deadline_alone(
    route: Route, scene: SimpleNamespace
) -> None:
    """One wait fits, two don't; then the status stands, with time left to ask elsewhere."""
    case = vgr(scene.plain, scene.prose, {Rung.DELIBERATION: "yes"})
    route.strike(case, Rung.READOUT, Blow(Harm("wait"), lambda _: Scripted(429, headers={"retry-after": "20"})))

    async def turn() -> tuple[Ran, list[float]]:
        driver = route.driver(_CHAT, waits=route.skip)
        ran = await run_case(case, driver)
        await driver.aclose()
        return ran, driver.waited

    ran, waited = route.run(turn())
    assert waited == [20.0]
    assert route.requests == 2
    assert [(row.rung, row.error, row.value) for row in ran.asked] == [
        (Rung.READOUT, "HTTP 429", None),
        (Rung.DELIBERATION, "", 1.0),
    ]
    assert ran.result.served is Tier.LOCAL
    assert ran.row(Rung.READOUT).took >= 20.0
