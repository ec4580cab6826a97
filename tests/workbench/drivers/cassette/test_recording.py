"""The recorder: it changes nothing, writes a line a call, and holds no secret and no conversation."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import SecretStr
from routing_workbench.core.conversation.model import Output, Response, Role, StopReason, Text, ToolCall, Unknown
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.cassette.reading import parse_cassette
from routing_workbench.workbench.drivers.cassette.recording import RecordingDriver
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.protocol import (
    Answer,
    AnswerType,
    Call,
    CallTimeout,
    Category,
    Driver,
    HttpStatusError,
    NotRecorded,
    Reply,
)

CANARIES = ("sk-canarycanarycanary1", "AKIACANARYCANARYCANA", "Bearer canary.canary.canary", "canary@leak.example")


def lines_of(made: SimpleNamespace) -> list[Any]:
    """The lines as JSON."""
    return [json.loads(line) for line in made.lines]


def test_the_header_says_what_when_and_whom(tape: SimpleNamespace) -> None:
    """It is the first line, there before anything is asked; no query of an address is in it."""
    made = tape.recorder(lambda _: tape.reply())
    categories = ("local", "judge", "cloud", "checker")
    assert lines_of(made) == [
        {
            "cassette": 1,
            "name": "tidewatch-17",
            "recorded": "2031-04-02",
            "source": "live",
            "origin": {name: f"{name}-8b @ gpu-03.example" for name in categories},
            "models": {name: [f"{name}-8b"] for name in categories},
            "prompt_sets": {"vgr": "vgr-1", "escalation": "escalation-1"},
        }
    ]


def test_a_call_is_one_line_with_its_keys_in_order(tape: SimpleNamespace) -> None:
    """What was asked, how long it took, and the reply; absent things are left out."""
    made = tape.recorder(lambda _: tape.reply(usage={"output_tokens": 1}, note="cut"), takes=0.8124)
    tape.ask(made.driver, tape.call(turn=3))
    line = lines_of(made)[1]
    assert list(line) == ["call", "rung", "category", "turn", "request", "chars", "took_ms", "reply"]
    assert line["call"] == 1
    assert (line["rung"], line["category"], line["turn"]) == ("deliberation", "judge", 3)
    assert line["took_ms"] == 812.4
    assert line["reply"] == {
        "outputs": [
            {"role": "assistant", "content": [{"type": "text", "text": "yes"}], "stop_reason": "end_turn"},
        ],
        "usage": {"output_tokens": 1},
        "note": "cut",
    }
    assert made.lines[1].endswith("}\n")
    assert made.driver.calls == 1


def test_a_decision_is_a_line_with_its_answer(tape: SimpleNamespace) -> None:
    """Probabilities by label, the provider's own choice and confidence, and the covered mass."""
    answer = Answer({"large": 0.25, "small": 0.75}, AnswerType.CHOICE, "small", 0.9, 0.97, {"total_tokens": 9}, "n")
    made = tape.recorder(lambda _: answer)
    assert tape.ask(made.driver, tape.question()) == [answer]
    assert lines_of(made)[1]["answer"] == {
        "type": "choice",
        "probabilities": {"large": 0.25, "small": 0.75},
        "choice": "small",
        "confidence": 0.9,
        "covered": 0.97,
        "usage": {"total_tokens": 9},
        "note": "n",
    }


def test_the_caller_gets_the_very_reply(tape: SimpleNamespace) -> None:
    """Unredacted, with its whole body."""
    reply = tape.reply(f"mail {CANARIES[3]}", body={"choices": [], "id": "kept"})
    made = tape.recorder(lambda _: reply)
    assert tape.ask(made.driver, tape.call())[0] is reply


def test_a_failure_is_recorded_and_raised(tape: SimpleNamespace) -> None:
    """By class and status; its text stays out."""
    error = HttpStatusError(503, Rung.DELIBERATION)
    made = tape.recorder(lambda _: error)
    assert tape.ask(made.driver, tape.call())[0] is error
    assert lines_of(made)[1]["error"] == {"class": "http_status", "status": 503}


def test_a_failures_own_text_is_not_recorded(tape: SimpleNamespace) -> None:
    """A driver may have put content there."""
    made = tape.recorder(lambda _: CallTimeout("canary-body"))
    tape.ask(made.driver, tape.call())
    assert lines_of(made)[1]["error"] == {"class": "timeout"}


def test_what_another_cassette_lacks_is_not_recorded(tape: SimpleNamespace) -> None:
    """Nothing was asked of anybody."""
    made = tape.recorder(lambda _: NotRecorded("not on this cassette"))
    assert isinstance(tape.ask(made.driver, tape.call())[0], NotRecorded)
    assert len(made.lines) == 1


def test_a_fault_of_ours_passes_and_is_not_recorded(tape: SimpleNamespace) -> None:
    """It is no reply of a model."""
    made = tape.recorder(lambda _: ZeroDivisionError())
    assert isinstance(tape.ask(made.driver, tape.call())[0], ZeroDivisionError)
    assert len(made.lines) == 1


class Waiting(MockDriver):
    """A driver that never answers; lets one know when it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()

    async def complete(self, call: Call) -> Reply:
        """Wait for ever."""
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError


@pytest.mark.parametrize(("after", "recorded"), [(0.4, []), (1.0, [{"class": "timeout"}])])
def test_a_call_given_up_before_its_time_is_over_is_not_recorded(
    tape: SimpleNamespace, after: float, recorded: list[Any]
) -> None:
    """A person cancelled it. Given up when its time is over, it is a timeout."""
    clock, lines = tape.clock(), list[str]()

    async def run() -> None:
        waiting = Waiting()
        driver = RecordingDriver(waiting, lines.append, name="n", recorded=tape.day, prompt_sets={}, clock=clock)
        task = asyncio.create_task(driver.complete(tape.call(timeout=1.0)))
        await waiting.asked.wait()
        clock.now += after
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert [json.loads(line)["error"] for line in lines[1:]] == recorded


def test_calls_in_flight_together_are_numbered_as_they_end(tape: SimpleNamespace) -> None:
    """The one asked second ends first."""
    lines = list[str]()
    gate = asyncio.Event()

    async def said(call: Call) -> str:
        if call.rung is Rung.DELIBERATION:
            await gate.wait()
        else:
            gate.set()
        return "yes"

    async def run() -> None:
        mock = MockDriver(replies=said)
        driver = RecordingDriver(mock, lines.append, name="n", recorded=tape.day, prompt_sets={})
        await asyncio.gather(driver.complete(tape.call()), driver.complete(tape.call(rung=Rung.CLOUD_JUDGE)))

    asyncio.run(run())
    assert [(line["call"], line["rung"]) for line in map(json.loads, lines[1:])] == [
        (1, "cloud_judge"),
        (2, "deliberation"),
    ]


def test_it_stands_for_the_driver_it_records(tape: SimpleNamespace) -> None:
    """Origins, models and closing are that driver's."""
    made = tape.recorder(lambda _: tape.reply())
    driver: Driver = made.driver
    assert driver.origin == made.live.origin
    assert driver.origin_for(Category.JUDGE) == made.live.origin_for(Category.JUDGE)
    assert [driver.models_for(c) for c in Category] == [made.live.models_for(c) for c in Category]
    asyncio.run(driver.aclose())
    assert made.live.closed == 1


def test_no_secret_and_nothing_of_the_conversation_is_in_the_file(tape: SimpleNamespace) -> None:
    """Whatever the place: texts, arguments, ids, keys of JSON, labels, notes, choices; requests not at all."""
    secret = " and ".join(CANARIES)
    hostile = Reply(
        Response(
            (
                Output(
                    Role.ASSISTANT,
                    (
                        Text(secret),
                        ToolCall(CANARIES[0], CANARIES[1], {CANARIES[3]: [secret]}),
                        Unknown("p", {"x": secret}),
                    ),
                    StopReason.TOOL_USE,
                ),
            )
        ),
        {
            "choices": [
                {"logprobs": {"content": [{"top_logprobs": [{"token": CANARIES[0], "logprob": -1.0}]}]}},
                secret,
            ]
        },
        {CANARIES[3]: 1},
        secret,
    )
    answer = Answer({CANARIES[3]: 1.0}, choice=CANARIES[0], note=secret)
    made = tape.recorder(lambda asked: hostile if isinstance(asked, Call) else answer, name=f"of {CANARIES[3]}")
    tape.ask(
        made.driver,
        tape.call(f"conversation-canary {secret}"),
        tape.question(instructions="conversation-canary", context={"task": f"conversation-canary {secret}"}),
    )
    text = "".join(made.lines)
    assert len(made.lines) == 3
    for canary in (*CANARIES, "canary.canary", "conversation-canary", "session-canary", "canary-query", "Judge."):
        assert canary not in text
    calls = parse_cassette(text).calls
    assert [call.redacted for call in calls] == [4 + 2 + 1 + 4 + 4 + 1 + 1 + 4, 1 + 1 + 4]
    assert "canary" not in repr(calls)


def test_characters_that_no_editor_shows_are_escaped(tape: SimpleNamespace) -> None:
    """A line stays one line, in its order; other characters are readable."""
    text = "Grüße, 漢字 🙂 \u2028\u202e\x85\ufeff\n"
    made = tape.recorder(lambda _: tape.reply(text))
    tape.ask(made.driver, tape.call())
    assert r'"Grüße, 漢字 🙂 \u2028\u202e\u0085\ufeff\n"' in made.lines[1]
    assert len("".join(made.lines).splitlines()) == 2
    assert lines_of(made)[1]["reply"]["outputs"][0]["content"][0]["text"] == text


def test_a_key_in_use_that_an_endpoint_sends_back_is_not_recorded(tape: SimpleNamespace) -> None:
    """Whatever it looks like; nor does the recorder's repr hold it."""
    lines = list[str]()
    driver = RecordingDriver(
        MockDriver(replies=lambda _: "You sent harbour/4711."),
        lines.append,
        name="n",
        recorded=tape.day,
        secrets=[SecretStr("harbour/4711")],
    )
    tape.ask(driver, tape.call())
    assert "You sent [REDACTED]." in lines[1]
    assert "harbour" not in "".join(lines) + repr(driver)
