"""The cassette driver: recorded answers in their order and time, and honest misses."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from routing_workbench.core.vgr.evidence import Origin, OriginKind, Rung
from routing_workbench.core.vgr.verdicts import first_output_text
from routing_workbench.workbench.checker.outcome import CheckerEnding
from routing_workbench.workbench.drivers.cassette.fingerprint import fingerprint_of
from routing_workbench.workbench.drivers.cassette.playing import AS_RECORDED, AT_ONCE, MissingCall
from routing_workbench.workbench.drivers.cassette.reading import Cassette, parse_cassette
from routing_workbench.workbench.drivers.cassette.recording import RecordingDriver
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.protocol import (
    Call,
    CallTimeout,
    Category,
    ContextOverflow,
    Driver,
    DriverError,
    HttpStatusError,
    InvalidResponse,
    MissingKey,
    NotConfigured,
    NotRecorded,
    TransportError,
)
from routing_workbench.workbench.drivers.with_checker import NotChecked


def texts(replies: list[Any]) -> list[str]:
    """What the replies say."""
    return [first_output_text(reply.response) for reply in replies]


def test_a_recorded_call_is_answered(tape: SimpleNamespace) -> None:
    """The reply is equal to the live one."""
    reply = tape.reply("yes", usage={"output_tokens": 1}, note="seen")
    assert tape.replayed(lambda _: reply, tape.call()) == [reply]


def test_its_origin_is_the_cassette_its_date_and_the_model(tape: SimpleNamespace) -> None:
    """`CASSETTE, tidewatch-17, 2031-04-02` on the badge; the model on each value."""
    driver: Driver = tape.played(tape.taped(lambda _: tape.reply()))
    assert driver.origin == Origin(OriginKind.CASSETTE, "tidewatch-17, 2031-04-02")
    assert driver.origin_for(Category.JUDGE) == Origin(OriginKind.CASSETTE, "tidewatch-17, 2031-04-02, judge-8b")
    assert driver.models_for(Category.JUDGE) == ("judge-8b",)
    assert driver.models_for(Category.CLOUD_JUDGE) == ()
    assert driver.origin_for(Category.CLOUD_JUDGE) == driver.origin


def test_a_recorded_mock_is_said_to_be_one(tape: SimpleNamespace) -> None:
    """It is no measurement."""
    lines = list[str]()
    RecordingDriver(MockDriver(seed=11), lines.append, name="m", recorded=tape.day, prompt_sets={})
    cassette = parse_cassette("".join(lines))
    assert tape.played(cassette).origin.label == "m, 2031-04-02, of mock"
    assert cassette.summary == "0 calls, 0.0 s, recorded on 2031-04-02 from mock, seed 11"


def test_the_same_question_asked_again_is_answered_in_the_order_recorded(tape: SimpleNamespace) -> None:
    """And from then on as the last time; rewound, from the start."""
    said = iter(["yes", "no"])
    cassette = tape.taped(lambda _: tape.reply(next(said)), tape.call(), tape.call())
    driver = tape.played(cassette)
    assert texts(tape.ask(driver, *[tape.call()] * 4)) == ["yes", "no", "no", "no"]
    driver.rewind()
    assert texts(tape.ask(driver, tape.call())) == ["yes"]


def test_the_rung_is_matched_as_well(tape: SimpleNamespace) -> None:
    """Two rungs may ask the same."""
    calls = (tape.call(rung=Rung.CLOUD_JUDGE), tape.call(rung=Rung.DELIBERATION))
    replies = tape.replayed(lambda call: tape.reply(call.rung.value), *calls)
    assert texts(replies) == ["cloud_judge", "deliberation"]


@pytest.mark.parametrize(
    "error",
    [
        CallTimeout("timeout"),
        TransportError("connection refused"),
        HttpStatusError(429),
        HttpStatusError(503),
        ContextOverflow("context overflow"),
        InvalidResponse("invalid response"),
        MissingKey("JUDGE_KEY"),
        MissingKey("JUDGE_KEY", unusable=True),
        NotConfigured("not configured"),
        NotChecked(CheckerEnding.TESTS_CHANGED_AFTER),
        DriverError("another"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_recorded_failure_is_raised_as_what_it_was(tape: SimpleNamespace, error: DriverError) -> None:
    """Of a completion and of a decision."""
    for asked in (tape.call(), tape.question()):
        (raised,) = tape.replayed(lambda _: error, asked)
        assert type(raised) is type(error)
        assert raised.rung is asked.rung
        assert {**vars(raised), "rung": None} == {**vars(error), "rung": None}


def test_a_call_that_is_not_there_is_missing_and_never_invented(tape: SimpleNamespace) -> None:
    """It names the rung, the turn and the length, and counts once however often it is asked."""
    driver = tape.played(tape.taped(lambda _: tape.reply(), tape.call()))
    other = tape.call("Is it wrong?", turn=4)
    for raised in tape.ask(driver, other, other):
        assert type(raised) is NotRecorded
        assert raised.rung is Rung.DELIBERATION
        assert str(raised) == "not on this cassette"
    assert driver.missing == (MissingCall(Rung.DELIBERATION, 4, fingerprint_of(other).chars),)
    assert driver.missing_summary() == (
        "1 call is not on this cassette: deliberation of turn 4. "
        "The prompt, the policy or the conversation is not what was recorded."
    )
    driver.rewind()
    assert (driver.missing, driver.missing_summary()) == ((), "")


def test_a_replay_says_which_calls_are_missing(tape: SimpleNamespace) -> None:
    """In the order asked; decisions as well."""
    driver = tape.played(tape.taped(lambda _: tape.reply(), tape.call()))
    tape.ask(driver, tape.call("x", Rung.READOUT), tape.call(), tape.call("x", Rung.CLOUD_JUDGE), tape.question())
    assert driver.missing_summary() == (
        "3 calls are not on this cassette: readout, cloud_judge, route. "
        "The prompt, the policy or the conversation is not what was recorded."
    )


def test_many_missing_calls_are_counted(tape: SimpleNamespace) -> None:
    """A sentence names eight."""
    driver = tape.played(tape.taped(lambda _: tape.reply()))
    tape.ask(driver, *[tape.call(str(number), Rung.ESCALATION_JUDGE, turn=number) for number in range(1, 111)])
    names = ", ".join([f"escalation_judge of turn {number}" for number in range(1, 9)])
    assert driver.missing_summary().startswith(f"110 calls are not on this cassette: {names}, 102 more. ")


def test_prompts_that_have_changed_are_named(tape: SimpleNamespace) -> None:
    """Those that the missing calls are asked with, and that the cassette knows."""
    cassette = tape.taped(lambda _: tape.reply())
    current = {"vgr": "vgr-2", "escalation": "escalation-2", "cutoffs": "cutoffs-2"}
    driver = tape.played(cassette, prompt_sets=current)
    tape.ask(driver, tape.call())
    assert driver.missing_summary() == (
        "1 call is not on this cassette: deliberation. "
        "The prompt, the policy or the conversation is not what was recorded. Prompts that have changed since: vgr."
    )


def test_a_changed_cap_is_a_missing_call(tape: SimpleNamespace) -> None:
    """So is a changed schema, or reasoning switched off: another request was recorded."""
    driver = tape.played(tape.taped(lambda _: tape.reply(), tape.call(max_tokens=768)))
    (raised,) = tape.ask(driver, tape.call(max_tokens=512))
    assert type(raised) is NotRecorded


@pytest.mark.parametrize(("factor", "waits"), [(AT_ONCE, 0.0), (0.5, 0.4), (AS_RECORDED, 0.8), (2.0, 1.6)])
def test_answers_take_the_recorded_time_times_the_factor(tape: SimpleNamespace, factor: float, waits: float) -> None:
    """Failures too."""
    for said in (tape.reply(), HttpStatusError(503)):
        made = tape.recorder(lambda _, said=said: said, takes=0.8)
        tape.ask(made.driver, tape.call())
        clock = tape.clock()
        driver = tape.played(parse_cassette("".join(made.lines)), time_factor=factor, sleep=clock.sleep)
        tape.ask(driver, tape.call())
        assert clock.slept == [waits]


def test_an_answer_that_took_longer_than_is_left_times_out(tape: SimpleNamespace) -> None:
    """After the time that was left, just as live."""
    made = tape.recorder(lambda _: tape.reply(), takes=5.0)
    tape.ask(made.driver, tape.call())
    clock = tape.clock()
    driver = tape.played(parse_cassette("".join(made.lines)), time_factor=AS_RECORDED, sleep=clock.sleep)
    (raised,) = tape.ask(driver, tape.call(timeout=2.0))
    assert (type(raised), raised.rung, clock.slept) == (CallTimeout, Rung.DELIBERATION, [2.0])


@pytest.mark.parametrize(("left", "waits"), [(4.9, 4.9), (5.2, 5.2), (9.0, 5.0)])
def test_a_timeout_that_used_up_the_time_uses_it_up_again(tape: SimpleNamespace, left: float, waits: float) -> None:
    """A replay runs a little ahead; another deadline is another matter."""
    made = tape.recorder(lambda _: CallTimeout("timeout"), takes=5.0)
    tape.ask(made.driver, tape.call())
    clock = tape.clock()
    driver = tape.played(parse_cassette("".join(made.lines)), time_factor=AS_RECORDED, sleep=clock.sleep)
    (raised,) = tape.ask(driver, tape.call(timeout=left))
    assert (type(raised), clock.slept) == (CallTimeout, [waits])


def test_a_question_that_a_faster_timeout_left_time_for_is_explained(tape: SimpleNamespace) -> None:
    """Live, the timeout used the time up; nothing of prompt or conversation has changed."""
    driver = tape.played(tape.taped(lambda _: CallTimeout("timeout"), tape.call()))
    tape.ask(driver, tape.call(), tape.call(rung=Rung.CLOUD_JUDGE))
    assert driver.missing_summary() == (
        "1 call is not on this cassette: cloud_judge. "
        "A recorded timeout took less time here, so there was time left to ask what was not asked then."
    )


@pytest.mark.parametrize("factor", [-1.0, float("nan"), float("inf")])
def test_a_factor_that_is_no_time_is_refused(tape: SimpleNamespace, factor: float) -> None:
    """It says what the factor means."""
    with pytest.raises(ValueError, match="it multiplies recorded times, so it is 0 or more"):
        tape.played(tape.taped(lambda _: tape.reply()), time_factor=factor)


def test_cancelling_ends_the_wait(tape: SimpleNamespace) -> None:
    """As it ends a live call."""
    cassette: Cassette = tape.taped(lambda _: tape.reply(), tape.call())

    async def run() -> None:
        waiting = asyncio.Event()

        async def sleep(_: float) -> None:
            waiting.set()
            await asyncio.Event().wait()

        task = asyncio.create_task(tape.played(cassette, sleep=sleep).complete(tape.call()))
        await waiting.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())


def test_redacted_secrets_are_said_on_the_reply(tape: SimpleNamespace) -> None:
    """Its text is not quite what the model wrote."""
    said = iter([tape.reply("ask ann@dock.example", note="cut"), tape.reply("ann@dock.example bob@dock.example")])
    one, two = tape.replayed(lambda _: next(said), tape.call("1"), tape.call("2"))
    assert (first_output_text(one.response), one.note) == (
        "ask [REDACTED]",
        "cut; recorded with 1 secret redacted",
    )
    assert two.note == "recorded with 2 secrets redacted"


def test_a_completion_never_gets_a_decisions_answer(tape: SimpleNamespace) -> None:
    """Even where a hand gave both one hash."""
    made = tape.recorder(lambda asked: tape.reply() if isinstance(asked, Call) else None)
    tape.ask(made.driver, tape.call(rung=Rung.ROUTE))
    lines = made.lines[:]
    lines[1] = lines[1].split('"reply"')[0] + '"answer": {"type": "choice", "probabilities": {"a": 1.0}}}\n'
    driver = tape.played(parse_cassette("".join(lines)))
    assert type(tape.ask(driver, tape.call(rung=Rung.ROUTE))[0]) is NotRecorded


def test_a_closed_driver_can_be_used_again(tape: SimpleNamespace) -> None:
    """It holds nothing."""
    driver = tape.played(tape.taped(lambda _: tape.reply(), tape.call()))
    asyncio.run(driver.aclose())
    assert texts(tape.ask(driver, tape.call())) == ["yes"]
    assert repr(driver) == "CassetteDriver('tidewatch-17, 2031-04-02', calls=1)"
