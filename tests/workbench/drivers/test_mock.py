"""The mock driver: what it answers, how long it takes, and how it fails."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from routing_workbench.core.conversation.model import Message, Request, Response, Role, Text
from routing_workbench.core.escalation.verdict import EscalationVerdict, read_verdict
from routing_workbench.core.vgr.evidence import Origin, OriginKind, Rung
from routing_workbench.core.vgr.readout import p_yes
from routing_workbench.core.vgr.signals import Verdict
from routing_workbench.core.vgr.verdicts import first_output_text, parse_verdict
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.protocol import (
    Answer,
    AnswerType,
    Call,
    CallTimeout,
    Category,
    Driver,
    HttpStatusError,
    InvalidResponse,
    Question,
    Reply,
)
from routing_workbench.workbench.drivers.script import Fault, Script

REQUEST = Request((), (Message(Role.USER, (Text("q"),)),))


class Clock:
    """Seconds slept so far; sleeping takes no time."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        """Note the seconds and return at once."""
        self.slept.append(seconds)


def call(rung: Rung, timeout: float = 30.0) -> Call:
    """A question of this rung."""
    return Call(rung, Category.JUDGE, REQUEST, timeout)


def ask(driver: MockDriver, rung: Rung, timeout: float = 30.0) -> Reply:
    """What the driver replies."""
    return asyncio.run(driver.complete(call(rung, timeout)))


def scripted(script: Script, clock: Clock | None = None) -> MockDriver:
    """A mock with this script that never really sleeps."""
    return MockDriver(script, sleep=(clock or Clock()).sleep)


def test_it_is_a_driver_with_a_mock_origin() -> None:
    """A mock is never mistaken for a measurement."""
    driver: Driver = MockDriver(seed=11)
    assert driver.origin == Origin(OriginKind.MOCK, "seed 11")


def test_a_number_becomes_a_body_that_reads_as_it() -> None:
    """The readout goes through the real parser."""
    driver = scripted(Script().edited(Rung.READOUT, answer="0.34"))
    assert p_yes(ask(driver, Rung.READOUT).body) == 0.34


@pytest.mark.parametrize("answer", ["", "perhaps", "1.5", "-1", "nan", "inf"])
def test_a_readout_that_is_no_probability_has_no_body(answer: str) -> None:
    """Text in place of a number is sent as text, and gives no score."""
    reply = ask(scripted(Script().edited(Rung.READOUT, answer=answer)), Rung.READOUT)
    assert reply.body is None
    assert first_output_text(reply.response) == answer


def test_text_is_sent_as_it_stands() -> None:
    """A hedge reaches the real verdict parser, which finds nothing usable in it."""
    driver = scripted(Script().edited(Rung.CLOUD_JUDGE, answer="Yes, mostly"))
    reply = ask(driver, Rung.CLOUD_JUDGE)
    assert first_output_text(reply.response) == "Yes, mostly"
    assert parse_verdict(reply.response) is Verdict.UNKNOWN


def test_the_seed_decides_the_alternatives() -> None:
    """Same seed, same body; another seed, another body with the same score."""
    one, same, other = (ask(MockDriver(seed=s, sleep=Clock().sleep), Rung.READOUT).body for s in (7, 7, 8))
    assert one == same
    assert one != other
    assert p_yes(one) == p_yes(other) == 0.96


def test_a_delay_is_slept_before_the_answer() -> None:
    """Delays go through the injected sleep, in seconds."""
    clock = Clock()
    ask(scripted(Script().edited(Rung.READOUT, delay_ms=120), clock), Rung.READOUT)
    assert clock.slept == [0.12]


def test_a_delay_beyond_the_time_left_is_a_timeout_at_that_time() -> None:
    """The mock waits no longer than the call may take."""
    clock = Clock()
    with pytest.raises(CallTimeout):
        ask(scripted(Script().edited(Rung.READOUT, delay_ms=120), clock), Rung.READOUT, timeout=0.05)
    assert clock.slept == [0.05]


def test_an_edit_takes_effect_with_the_next_call() -> None:
    """The script may be replaced while the driver is in use."""
    driver = scripted(Script())
    assert p_yes(ask(driver, Rung.READOUT).body) == 0.96
    driver.script = driver.script.edited(Rung.READOUT, answer="0.1")
    assert p_yes(ask(driver, Rung.READOUT).body) == 0.1


def test_replies_are_given_one_a_call_in_order() -> None:
    """An iterable is used up; then nothing can be read."""
    driver = MockDriver(replies=["yes", 0.25, HttpStatusError(500)])
    assert first_output_text(ask(driver, Rung.DELIBERATION).response) == "yes"
    assert p_yes(ask(driver, Rung.READOUT).body) == 0.25
    with pytest.raises(HttpStatusError):
        ask(driver, Rung.READOUT)
    with pytest.raises(InvalidResponse):
        ask(driver, Rung.READOUT)


def test_a_function_gets_the_call() -> None:
    """A callable answers by what it is asked."""
    driver = MockDriver(replies=lambda asked: asked.rung.value)
    assert first_output_text(ask(driver, Rung.WITNESS).response) == "witness"


def test_a_function_may_be_async() -> None:
    """So that slow and cancelled calls can be tested."""

    async def slowly(asked: Call) -> str:
        await asyncio.sleep(0)
        return "no"

    assert first_output_text(ask(MockDriver(replies=slowly), Rung.WITNESS).response) == "no"


@pytest.mark.parametrize("junk", [None, True, 1.5, float("nan"), b"yes", ["yes"], {"choices": []}, object()])
def test_junk_from_a_function_is_an_invalid_response(junk: Any) -> None:
    """What is no reply is never guessed at."""
    with pytest.raises(InvalidResponse):
        ask(MockDriver(replies=lambda asked: junk), Rung.READOUT)


def test_whole_replies_pass_through() -> None:
    """Reply and Response values are used as they are."""
    response = Response(())
    assert ask(MockDriver(replies=[response]), Rung.WITNESS).response is response
    reply = Reply(response, {"choices": []})
    assert ask(MockDriver(replies=[reply]), Rung.READOUT) is reply


def test_without_a_cloud_judge_there_is_no_model_for_it() -> None:
    """The script says whether one is configured."""
    assert MockDriver(Script(cloud_judge=False)).models_for(Category.CLOUD_JUDGE) == ()
    assert MockDriver().models_for(Category.CLOUD_JUDGE) == ("mock-cloud_judge",)


LABELS = ("large", "mid", "small")


def decided(driver: MockDriver, timeout: float = 30.0) -> Answer:
    """Put the route question."""
    return asyncio.run(driver.decide(Question("route", "", LABELS, None, timeout)))


def test_a_decision_shares_what_the_script_leaves() -> None:
    """Labels without a probability get an even share of the rest; the provider's own choice is the likeliest."""
    answer = decided(scripted(Script(probabilities={"small": 0.5, "elsewhere": 0.4})))
    assert answer == Answer({"large": 0.25, "mid": 0.25, "small": 0.5}, choice="small", confidence=0.5)


@pytest.mark.parametrize(
    ("said", "kind", "labels"),
    [
        ("distribution", AnswerType.CHOICE, LABELS),
        ("missing label", AnswerType.CHOICE, ("large", "mid")),
        ("extra label", AnswerType.CHOICE, (*LABELS, "a label of the mock")),
        ("no distribution", AnswerType.CHOICE, None),
        ("boolean", AnswerType.BOOLEAN, None),
        ("score", AnswerType.SCORE, None),
        ("missing", AnswerType.MISSING, None),
        ("whatever", AnswerType.MISSING, None),
    ],
)
def test_a_decision_may_be_of_another_kind(said: str, kind: AnswerType, labels: tuple[str, ...] | None) -> None:
    """A word that is none of them answers nothing."""
    answer = decided(scripted(Script().edited(Rung.ROUTE, answer=said)))
    assert (answer.type, answer.probabilities and tuple(answer.probabilities)) == (kind, labels)


def test_a_decision_takes_its_time() -> None:
    """As long as scripted, and no longer than it has."""
    clock = Clock()
    driver = scripted(Script().edited(Rung.ROUTE, delay_ms=120), clock)
    decided(driver)
    with pytest.raises(CallTimeout):
        decided(driver, 0.05)
    assert clock.slept == [0.12, 0.05]


def test_the_escalation_judge_answers_by_turn() -> None:
    """In the JSON that the real reader reads."""
    driver = scripted(Script().edited(Rung.ESCALATION_JUDGE, answer="decline, escalate"))

    def said(turn: int) -> EscalationVerdict:
        call = Call(Rung.ESCALATION_JUDGE, Category.JUDGE, Request((), ()), 30.0, turn=turn)
        return read_verdict(asyncio.run(driver.complete(call)).response).verdict

    assert [said(turn) for turn in (1, 2, 3)] == ["decline", "escalate", "escalate"]


def test_what_a_fault_does_is_done_after_the_delay() -> None:
    """The endpoint fails when it would have answered."""
    clock = Clock()
    with pytest.raises(HttpStatusError):
        ask(scripted(Script().edited(Rung.READOUT, delay_ms=120, fault=Fault.HTTP_503), clock), Rung.READOUT)
    assert clock.slept == [0.12]


def test_the_repr_shows_no_script() -> None:
    """Scripted text can hold conversation text, so it stays out of a repr."""
    assert repr(MockDriver(Script().edited(Rung.ATTEMPT, answer="secret"))) == "MockDriver(seed=7)"
