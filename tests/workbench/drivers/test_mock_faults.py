"""What each fault does to a call: a typed error, or the reply that a faulty endpoint gives."""

from __future__ import annotations

import asyncio
from math import isnan
from typing import Any

import pytest
from routing_workbench.core.conversation.model import Request, StopReason
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.core.vgr.readout import NoScore, read_readout
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.protocol import (
    Answer,
    AnswerType,
    Call,
    CallTimeout,
    Category,
    ContextOverflow,
    DriverError,
    HttpStatusError,
    InvalidResponse,
    Question,
    Reply,
    TransportError,
)
from routing_workbench.workbench.drivers.script import Fault, Script
from routing_workbench.workbench.turns.questions import attempt_text

LABELS = ("large", "small")


async def at_once(seconds: float) -> None:
    """A sleep that takes no time."""


def ask(fault: Fault, rung: Rung = Rung.READOUT) -> Reply:
    """What an affirming mock with this fault replies."""
    driver = MockDriver(Script().edited(rung, fault=fault), sleep=at_once)
    return asyncio.run(driver.complete(Call(rung, Category.JUDGE, Request((), ()), 30.0)))


def decide(fault: Fault) -> Answer:
    """What it answers to the route question."""
    driver = MockDriver(Script().edited(Rung.ROUTE, fault=fault), sleep=at_once)
    return asyncio.run(driver.decide(Question("route", "", LABELS, None, 30.0)))


ERRORS: list[tuple[Fault, type[DriverError], int | None]] = [
    (Fault.REFUSED, TransportError, None),
    (Fault.DNS, TransportError, None),
    (Fault.TLS, TransportError, None),
    (Fault.TRUNCATED, TransportError, None),
    (Fault.TIMEOUT_CONNECT, CallTimeout, None),
    (Fault.TIMEOUT_FIRST_BYTE, CallTimeout, None),
    (Fault.TIMEOUT_MID_BODY, CallTimeout, None),
    (Fault.HTTP_400, HttpStatusError, 400),
    (Fault.HTTP_401, HttpStatusError, 401),
    (Fault.HTTP_403, HttpStatusError, 403),
    (Fault.HTTP_408, HttpStatusError, 408),
    (Fault.HTTP_413, HttpStatusError, 413),
    (Fault.HTTP_429, HttpStatusError, 429),
    (Fault.HTTP_429_RETRY_AFTER, HttpStatusError, 429),
    (Fault.HTTP_500, HttpStatusError, 500),
    (Fault.HTTP_502, HttpStatusError, 502),
    (Fault.HTTP_503, HttpStatusError, 503),
    (Fault.NOT_JSON, InvalidResponse, None),
    (Fault.WRONG_SHAPE, InvalidResponse, None),
    (Fault.CONTEXT_OVERFLOW, ContextOverflow, None),
]
REPLIES = (Fault.EMPTY, Fault.HEDGE, Fault.NO_LOGPROBS, Fault.NAN, Fault.CUT)


def test_every_fault_is_one_or_the_other() -> None:
    """None is without effect."""
    assert {fault for fault, _, _ in ERRORS} | set(REPLIES) | {Fault.NONE} == set(Fault)


@pytest.mark.parametrize(("fault", "error", "status"), ERRORS)
@pytest.mark.parametrize("put", [ask, decide], ids=["completion", "decision"])
def test_a_failed_call_raises_its_error(put: Any, fault: Fault, error: type[DriverError], status: int | None) -> None:
    """The class and status that a real driver would raise, naming the rung."""
    with pytest.raises(error) as raised:
        put(fault)
    assert raised.value.rung is (Rung.READOUT if put is ask else Rung.ROUTE)
    assert getattr(raised.value, "status", None) == status


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (Fault.EMPTY, NoScore.NO_ALTERNATIVES),
        (Fault.HEDGE, NoScore.NEITHER_FOUND),
        (Fault.NO_LOGPROBS, NoScore.NO_ALTERNATIVES),
        (Fault.NAN, NoScore.MALFORMED_ENTRY),
    ],
)
def test_a_readout_without_a_score(fault: Fault, why: NoScore) -> None:
    """The real parser says why it reads none."""
    readout = read_readout(ask(fault).body)
    assert (readout.p_yes, readout.absent) == (None, why)


def test_a_readout_that_is_cut_has_its_first_token() -> None:
    """Four tokens are always a cut, and the first is all that is read."""
    reply = ask(Fault.CUT)
    assert read_readout(reply.body).p_yes == 0.96
    assert reply.body["choices"][0]["finish_reason"] == "length"


@pytest.mark.parametrize(
    ("fault", "text", "stop"),
    [
        (Fault.NONE, "yes", StopReason.END_TURN),
        (Fault.EMPTY, "", StopReason.END_TURN),
        (
            Fault.HEDGE,
            "It looks mostly right to me.\nYes, but the last step deserves a second look",
            StopReason.END_TURN,
        ),
        (Fault.CUT, "ye", StopReason.MAX_TOKENS),
        (Fault.NO_LOGPROBS, "yes", StopReason.END_TURN),
        (Fault.NAN, "yes", StopReason.END_TURN),
    ],
)
def test_a_reply_in_words(fault: Fault, text: str, stop: StopReason) -> None:
    """Faults of probabilities do nothing to it, and its note says so."""
    reply = ask(fault, Rung.DELIBERATION)
    assert (attempt_text(reply.response), reply.response.outputs[0].stop_reason, reply.body) == (text, stop, None)
    assert ("does nothing" in reply.note) is (fault in (Fault.NO_LOGPROBS, Fault.NAN))


@pytest.mark.parametrize(
    ("fault", "kind", "note"),
    [
        (Fault.EMPTY, AnswerType.MISSING, "the reply holds no answer"),
        (Fault.CUT, AnswerType.MISSING, "the reply was cut off before its answer"),
        (Fault.HEDGE, AnswerType.CHOICE, "the letters hold 0.31 of the first token, less than 0.50"),
        (Fault.NO_LOGPROBS, AnswerType.CHOICE, "the reply carries no logprobs"),
    ],
)
def test_a_decision_without_a_distribution(fault: Fault, kind: AnswerType, note: str) -> None:
    """With the reason beside it."""
    answer = decide(fault)
    assert (answer.probabilities, answer.type, answer.note) == (None, kind, note)


def test_a_decision_with_a_number_that_is_none() -> None:
    """All labels are there, and one probability is NaN."""
    received = decide(Fault.NAN).probabilities
    assert received is not None
    assert (tuple(received), [isnan(p) for p in received.values()]) == (LABELS, [True, False])
