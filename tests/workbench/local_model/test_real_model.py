"""Drivers, readers and runners on a real llama.cpp server with a real small model, as a router would ask it."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TypeVar

import pytest
from local_model import real_model
from routing_workbench.core.conversation import read
from routing_workbench.core.conversation.model import Message, Request, Role, Text
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.escalation.outcome import EscalationOutcome
from routing_workbench.core.escalation.verdict import EscalationVerdict
from routing_workbench.core.vgr.evidence import OriginKind, Rung, TurnOutcome
from routing_workbench.core.vgr.readout import read_readout
from routing_workbench.workbench.drivers.http.driver import HttpDriver
from routing_workbench.workbench.drivers.http.targets import Client, Target, WireFormat
from routing_workbench.workbench.drivers.protocol import (
    Call,
    Category,
    ContextOverflow,
    DriverError,
    Question,
    TransportError,
)
from routing_workbench.workbench.local_model.server import HOST, LocalServer
from routing_workbench.workbench.turns.escalation import replay_escalation
from routing_workbench.workbench.turns.settings import TurnSettings
from routing_workbench.workbench.turns.vgr import run_vgr_turn

_T = TypeVar("_T")
#: Seconds that a call to the model may take on two slow cores.
PATIENCE = 120.0


def request(text: str, rubric: str = "") -> Request:
    """A user's text, under this rubric."""
    instructions = (Message(Role.SYSTEM, (Text(rubric),)),) if rubric else ()
    return Request(instructions, (Message(Role.USER, (Text(text),)),))


def ask(driver: HttpDriver, work: Callable[[], Awaitable[_T]]) -> _T:
    """What this work gives on a loop of its own; the driver's connections end with it."""

    async def asked() -> _T:
        try:
            return await work()
        finally:
            await driver.aclose()

    return asyncio.run(asked())


def readout_call(text: str) -> Call:
    """The readout of a question, with the caps of SPEC 7."""
    asked = request(text, "Answer with one word: yes or no.")
    return Call(Rung.READOUT, Category.JUDGE, asked, PATIENCE, max_tokens=4, top_logprobs=8, reasoning=False)


def test_a_readout_is_read_from_real_logprobs(driver: HttpDriver) -> None:
    """The model's own alternatives of the first token give a score, and say whom it comes from."""
    reply = ask(driver, lambda: driver.complete(readout_call("Is water wet?")))
    readout = read_readout(reply.body)
    assert readout.p_yes is not None
    assert 0.0 < readout.p_yes < 1.0
    assert 0.0 < readout.coverage <= 1.0
    assert len(readout.alternatives) == 8
    assert driver.origin_for(Category.JUDGE).kind is OriginKind.LIVE
    assert driver.origin_for(Category.JUDGE).label.startswith("smollm2-135m @ 127.0.0.1:")
    assert reply.usage


def test_a_decision_is_read_from_letters(driver: HttpDriver) -> None:
    """Either the letters hold enough of the first token and add up to 1, or there is no distribution and a note."""
    question = Question(
        "route", "Choose the candidate for this task.", ("large", "small"), {"task": [], "candidates": []}, PATIENCE
    )
    answer = ask(driver, lambda: driver.decide(question))
    assert answer.covered is not None
    assert 0.0 <= answer.covered <= 1.0 + 1e-9
    if answer.covered >= 0.5:
        assert answer.probabilities is not None
        assert set(answer.probabilities) == {"large", "small"}
        assert sum(answer.probabilities.values()) == pytest.approx(1.0)
    else:
        assert answer.probabilities is None
        assert answer.note


def test_an_escalation_verdict_comes_through_the_schema(driver: HttpDriver, sessions: Path) -> None:
    """A judge of 135 million parameters may say anything, but the schema makes it say it in JSON."""
    text = (sessions / "maths-quiz-powers-and-seconds.json").read_text("utf-8")
    whole = read(text).conversations[0].request
    # Ends with the second reply; each verdict takes seconds.
    places = [at for at, message in enumerate(whole.messages) if message.role is Role.ASSISTANT]
    two_turns = replace(whole, messages=whole.messages[: places[1] + 1])

    async def replay() -> EscalationOutcome:
        events = replay_escalation(
            two_turns, driver=driver, config=EscalationConfig(confirmations=3), deadline=PATIENCE
        )
        (found,) = [event async for event in events if isinstance(event, EscalationOutcome)]
        return found

    outcome = ask(driver, replay)
    assert [turn.turn for turn in outcome.turns] == [1, 2]
    for turn in outcome.turns:
        assert turn.asked[0].origin.kind is OriginKind.LIVE
        assert (turn.verdict is EscalationVerdict.UNAVAILABLE) == bool(turn.absent)
    assert any(turn.verdict is not EscalationVerdict.UNAVAILABLE for turn in outcome.turns)


def test_a_whole_vgr_turn_runs_on_the_model(target: Target) -> None:
    """Attempt, typing, readout and deliberation come from the model; the decision is made on what it said."""
    terse = Target(target.model, target.client, {"max_tokens": 48})
    driver = HttpDriver(dict.fromkeys((Category.LOCAL, Category.JUDGE, Category.CLOUD_JUDGE), terse))
    asked = request("What is 12 times 12? Answer with the number.")

    async def turn() -> TurnOutcome:
        events = run_vgr_turn(asked, attempt=None, driver=driver, settings=TurnSettings(deadline=PATIENCE))
        (found,) = [event async for event in events if isinstance(event, TurnOutcome)]
        return found

    outcome = ask(driver, turn)
    rungs = [row.rung for row in outcome.asked]
    assert rungs[:2] == [Rung.ATTEMPT, Rung.TYPING]
    assert outcome.decision is not None
    assert all(row.origin.label.startswith("smollm2-135m @ ") for row in outcome.asked)


def test_cancelling_frees_the_model_at_once(driver: HttpDriver, model_server: LocalServer) -> None:
    """The server has one place only: it goes on with the next call as soon as a cancelled one is closed."""
    endless = Call(Rung.ATTEMPT, Category.LOCAL, request("Count upwards from 1, one number a line."), PATIENCE, 4000)

    async def cancelled() -> float:
        task = asyncio.ensure_future(driver.complete(endless))
        await asyncio.to_thread(wait_until_busy, model_server.port)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        began = monotonic()
        await driver.complete(readout_call("Is ice cold?"))
        return monotonic() - began

    # 4,000 tokens take a minute here; a readout well under a second, and a slow machine gets its share of patience.
    assert ask(driver, cancelled) < 20.0


def wait_until_busy(port: int) -> None:
    """Wait until the server works on a call."""
    until = monotonic() + PATIENCE
    connection = http.client.HTTPConnection(HOST, port, timeout=5.0)
    try:
        while monotonic() < until:
            connection.request("GET", "/slots")
            if any(slot["is_processing"] for slot in json.loads(connection.getresponse().read())):
                return
    finally:
        connection.close()
    pytest.fail("the server never began")


def test_a_conversation_beyond_its_window_is_a_context_overflow(target: Target) -> None:
    """The real server's own words for it are understood."""
    with real_model(context=512) as small:
        client = Client("small", WireFormat.OPENAI_CHAT, f"http://{HOST}:{small.port}/v1")
        driver = HttpDriver({Category.LOCAL: Target(target.model, client)})
        long = Call(Rung.ATTEMPT, Category.LOCAL, request("word " * 2000), PATIENCE, 16)
        with pytest.raises(ContextOverflow):
            ask(driver, lambda: driver.complete(long))


def test_a_server_killed_in_mid_call_is_a_transport_failure(target: Target) -> None:
    """The call fails with its class and nothing else, and so does the next one, at once."""
    with real_model() as doomed:
        client = Client("doomed", WireFormat.OPENAI_CHAT, f"http://{HOST}:{doomed.port}/v1", max_retries=0)
        driver = HttpDriver({Category.LOCAL: Target(target.model, client), Category.JUDGE: Target("j", client)})
        endless = Call(Rung.ATTEMPT, Category.LOCAL, request("Count upwards from 1."), PATIENCE, 4000)

        async def killed() -> tuple[DriverError, DriverError]:
            task = asyncio.ensure_future(driver.complete(endless))
            await asyncio.to_thread(wait_until_busy, doomed.port)
            doomed.kill()
            with pytest.raises(DriverError) as first:
                await task
            with pytest.raises(DriverError) as second:
                await driver.complete(readout_call("Is ice cold?"))
            return first.value, second.value

        first, second = ask(driver, killed)
    assert isinstance(first, TransportError)
    assert isinstance(second, TransportError)
    assert "Count" not in str(first)
