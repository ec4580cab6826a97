"""A replay gives what the live run gave: replies as read by every rung, decision answers, whole turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from math import isnan
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.conversation.model import (
    Media,
    Message,
    Output,
    Reasoning,
    Refusal,
    Request,
    Response,
    Role,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
)
from routing_workbench.core.vgr.decision import Route
from routing_workbench.core.vgr.evidence import VGR_RUNGS, Miss, Origin, OriginKind, Rung, TurnOutcome
from routing_workbench.core.vgr.policy import POLICY_1_0_0, Policy
from routing_workbench.prompts import VGR_PROMPTS, vgr_prompt
from routing_workbench.workbench.drivers.cassette.playing import AS_RECORDED, CassetteDriver
from routing_workbench.workbench.drivers.cassette.reading import parse_cassette
from routing_workbench.workbench.drivers.cassette.recording import RecordingDriver
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.protocol import Answer, AnswerType, Reply
from routing_workbench.workbench.drivers.readout_body import readout_body
from routing_workbench.workbench.drivers.scenarios import SCENARIOS
from routing_workbench.workbench.turns import questions
from routing_workbench.workbench.turns.failures import AttemptFailed
from routing_workbench.workbench.turns.replies import read_reply
from routing_workbench.workbench.turns.settings import TurnSettings
from routing_workbench.workbench.turns.vgr import run_vgr_turn

#: No `@`, no dash: nothing that redaction would take for a secret.
_TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="@-"), max_size=30) | st.sampled_from(
    ["yes", "No.", "coding", "abstain", "It is\nyes", "The answer is 40", "40", "", "\u2028yes\x85", "<think>no"]
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=8,
)
_FLAT = st.one_of(
    st.builds(Text, _TEXTS),
    st.builds(Refusal, _TEXTS),
    st.builds(Reasoning, _TEXTS),
    st.builds(ToolCall, _TEXTS, _TEXTS, _JSON),
    st.builds(Media, st.sampled_from(["image", "audio", "video", "file"]), _JSON),
    st.builds(Unknown, _TEXTS, _JSON),
)
_BLOCKS = _FLAT | st.builds(
    ToolResult, _TEXTS, st.lists(_FLAT, max_size=2).map(tuple), st.sampled_from([None, True, False])
)
_OUTPUTS = st.builds(
    Output,
    st.sampled_from(Role),
    st.lists(_BLOCKS, max_size=3).map(tuple),
    st.sampled_from([None, *StopReason]),
)
_USAGE = st.dictionaries(st.sampled_from(["input_tokens", "output_tokens"]), st.integers(0, 10**6))
_BODIES = st.none() | _JSON | st.builds(readout_body, st.floats(0, 1), st.text("ab", max_size=3))
_REPLIES = st.builds(
    Reply,
    st.lists(_OUTPUTS, max_size=2).map(tuple).map(Response),
    _BODIES,
    _USAGE,
    st.sampled_from(["", "no logprobs"]),
)
_NUMBERS = st.floats() | st.integers(0, 1)
_ANSWERS = st.builds(
    Answer,
    st.none() | st.dictionaries(_TEXTS, _NUMBERS, max_size=4),
    st.sampled_from(AnswerType),
    st.none() | _TEXTS,
    st.none() | _NUMBERS,
    st.none() | _NUMBERS,
    _USAGE,
    st.sampled_from(["", "no distribution"]),
)


@given(_REPLIES)
def test_every_rung_reads_the_same_from_a_replayed_reply(tape: SimpleNamespace, reply: Reply) -> None:
    """Value, words, miss and note; the response itself is equal, and so are usage and note."""
    (played,) = tape.replayed(lambda _: reply, tape.call())
    for rung in Rung:
        assert read_reply(rung, played, "The tank holds 40 litres.") == read_reply(
            rung, reply, "The tank holds 40 litres."
        )
    assert played.response == reply.response
    assert (dict(played.usage), played.note) == (dict(reply.usage), reply.note)


def comparable(number: float | None) -> float | str | None:
    """NaN is equal to no number, itself included."""
    return "nan" if number is not None and isnan(number) else number


@given(_ANSWERS)
def test_a_replayed_answer_is_the_answer(tape: SimpleNamespace, answer: Answer) -> None:
    """Probabilities as received, NaN and the infinities included: they make an answer unusable (SPEC 6.1)."""
    (played,) = tape.replayed(lambda _: answer, tape.question())

    def plain(given: Answer) -> Any:
        probabilities = given.probabilities
        return (
            None if probabilities is None else {label: comparable(p) for label, p in probabilities.items()},
            comparable(given.confidence),
            comparable(given.covered),
            replace(given, probabilities=None, confidence=None, covered=None),
        )

    assert plain(played) == plain(answer)


def message(role: Role, *content: Any) -> Message:
    """A message."""
    return Message(role, content)


CHAT = Request(
    (message(Role.SYSTEM, Text("Be brief.")),),
    (message(Role.USER, Text("How many litres fit into the blue tank? Ask ann@dock.example.")),),
)
AGENTIC = Request(
    (),
    (
        message(Role.USER, Text("Make the harbour test pass.")),
        message(Role.ASSISTANT, ToolCall("c1", "run", {"key": "sk-abcdefghijklmnop1234"})),
        message(Role.TOOL, ToolResult("c1", (Text("it broke"),), True)),
        message(Role.ASSISTANT, ToolCall("c2", "run", {"again": True})),
        message(Role.TOOL, ToolResult("c2", (Text("3 passed"),), None)),
    ),
)
PROSE = Response((Output(Role.ASSISTANT, (Text("The tank holds 40 litres."),), StopReason.END_TURN),))
CODE = Response((Output(Role.ASSISTANT, (Text("Use this:\n```python\nprint(40)\n```"),), StopReason.END_TURN),))
PROPOSED = Response(
    (Output(Role.ASSISTANT, (Text("I look."), ToolCall("n", "read", {"path": "a"})), StopReason.TOOL_USE),)
)
DIAGNOSED = TurnSettings(diagnose=True)


async def _no_wait(_: float) -> None:
    await asyncio.sleep(0)


def turn(
    driver: Any,
    request: Request,
    attempt: Response | None,
    chosen: TurnSettings = DIAGNOSED,
    policy: Policy = POLICY_1_0_0,
    clock: Callable[[], float] = lambda: 0.0,
) -> Any:
    """The outcome of a turn without its origins and times, or why it failed."""

    async def run() -> Any:
        try:
            events = [
                event
                async for event in run_vgr_turn(
                    request, attempt=attempt, driver=driver, settings=chosen, policy=policy, clock=clock
                )
            ]
        except AttemptFailed as failed:
            return failed.error
        outcome = events[-1]
        assert isinstance(outcome, TurnOutcome)
        bare = [replace(row, origin=Origin(OriginKind.COMPUTED), started=0.0, took=0.0) for row in outcome.asked]
        return replace(outcome, asked=tuple(bare))

    return asyncio.run(run())


def recorded_turn(tape: SimpleNamespace, scenario: str, *given: Any) -> tuple[Any, CassetteDriver]:
    """The outcome of a live turn, and the cassette of it."""
    lines = list[str]()
    mock = MockDriver(SCENARIOS[scenario].script, sleep=_no_wait)
    driver = RecordingDriver(mock, lines.append, name="turn", recorded=tape.day)
    outcome = turn(driver, *given)
    assert driver.stopped == ""
    return outcome, CassetteDriver(parse_cassette("".join(lines)))


@pytest.mark.parametrize(
    ("request_", "attempt"),
    [(CHAT, PROSE), (CHAT, None), (CHAT, CODE), (AGENTIC, PROSE), (AGENTIC, PROPOSED)],
    ids=["answer", "attempt", "coding", "agentic", "proposed"],
)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_replayed_turn_ends_as_the_recorded_one(
    tape: SimpleNamespace, scenario: str, request_: Request, attempt: Response | None
) -> None:
    """Decision, evidence, misses and words, up to origins and times; failures are replayed like answers."""
    outcome, cassette = recorded_turn(tape, scenario, request_, attempt)
    assert turn(cassette, request_, attempt) == outcome
    assert cassette.missing == ()


@pytest.mark.parametrize("deadline", [0.3, 0.7501, 1.0])
def test_a_turn_that_ran_out_of_time_does_so_again(tape: SimpleNamespace, deadline: float) -> None:
    """With the recorded times the same calls time out, and what there was no time for is not asked."""
    lines, clock = list[str](), tape.clock()
    script = SCENARIOS["slow judge"].script.edited(Rung.READOUT, answer="0.12")
    mock = MockDriver(script, sleep=clock.sleep)
    driver = RecordingDriver(mock, lines.append, name="turn", recorded=tape.day, clock=clock)
    chosen = TurnSettings(deadline=deadline)
    live = turn(driver, CHAT, PROSE, chosen, clock=clock)
    assert Miss.TIMED_OUT in {row.miss for row in live.asked}

    again = tape.clock()
    cassette = CassetteDriver(parse_cassette("".join(lines)), time_factor=AS_RECORDED, sleep=again.sleep)
    assert turn(cassette, CHAT, PROSE, chosen, clock=again) == live
    assert cassette.missing == ()
    assert again.now == pytest.approx(clock.now, abs=0.001)


def test_a_replayed_value_says_it_comes_from_the_cassette(tape: SimpleNamespace) -> None:
    """Nothing of a replay is taken for live."""
    _, cassette = recorded_turn(tape, "everything affirms", CHAT, PROSE)
    rows: list[Any] = []

    async def run() -> None:
        async for event in run_vgr_turn(CHAT, attempt=PROSE, driver=cassette):
            if isinstance(event, TurnOutcome):
                rows.extend(event.asked)

    asyncio.run(run())
    assert {row.origin.kind for row in rows} == {OriginKind.CASSETTE}
    assert rows[0].origin.label == "turn, 2031-04-02, of mock, mock-judge"


def changed_prompts(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Add a sentence to these rubrics."""
    monkeypatch.setattr(questions, "vgr_prompt", lambda name: vgr_prompt(name) + " Be kind." * (name in names))


@pytest.mark.parametrize("rung", [Rung.TYPING, Rung.READOUT, Rung.DELIBERATION])
def test_a_changed_prompt_is_a_missing_call(tape: SimpleNamespace, rung: Rung, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one rung is missing and gives no evidence; the others are answered."""
    _, cassette = recorded_turn(tape, "everything affirms", CHAT, PROSE)
    changed_prompts(monkeypatch, rung.value)
    outcome = turn(cassette, CHAT, PROSE)
    assert [call.rung for call in cassette.missing] == [rung]
    (row,) = [row for row in outcome.asked if row.rung is rung]
    assert (row.value, row.miss, row.error) == (None, Miss.CALL_FAILED, "not on this cassette")
    assert f"1 call is not on this cassette: {rung.value}." in cassette.missing_summary()


def test_changed_prompts_fail_closed(tape: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recorded, the turn was served local; without its evidence it is not."""
    live, cassette = recorded_turn(tape, "everything affirms", CHAT, PROSE)
    changed_prompts(monkeypatch, *VGR_PROMPTS)
    replayed = turn(cassette, CHAT, PROSE)
    assert (live.served, replayed.served) == (Route.LOCAL, Route.CLOUD)
    assert [call.rung for call in cassette.missing] == [Rung.TYPING, Rung.READOUT, Rung.DELIBERATION]


def test_a_policy_that_asks_more_misses_what_was_not_asked(tape: SimpleNamespace) -> None:
    """With a higher bar the readout no longer commits, so deliberation is asked, which is not there."""
    live, cassette = recorded_turn(tape, "everything affirms", CHAT, PROSE, TurnSettings())
    assert live.served is Route.LOCAL
    higher = turn(
        cassette, CHAT, PROSE, TurnSettings(), replace(POLICY_1_0_0, readout_bar=0.99, default_verified_dial=0.99)
    )
    assert higher.served is Route.CLOUD
    assert cassette.missing_summary() == (
        "1 call is not on this cassette: deliberation. "
        "The prompt, the policy or the conversation is not what was recorded."
    )


def test_another_conversation_is_served_by_cloud_with_every_call_missing(tape: SimpleNamespace) -> None:
    """Nothing of what was recorded is taken for an answer to it."""
    _, cassette = recorded_turn(tape, "everything affirms", CHAT, PROSE)
    other = replace(CHAT, messages=(message(Role.USER, Text("How many litres fit into the red tank?")),))
    outcome = turn(cassette, other, PROSE)
    assert outcome.served is Route.CLOUD
    assert outcome.asked
    assert {(row.value, row.error) for row in outcome.asked} == {(None, "not on this cassette")}
    assert [call.rung for call in cassette.missing] == [row.rung for row in outcome.asked]
    assert {call.rung for call in cassette.missing} <= set(VGR_RUNGS)


def test_an_attempt_that_is_missing_fails_the_turn(tape: SimpleNamespace) -> None:
    """It is no eligible failure: a wrong cassette must not look like a local tier that is down."""
    _, cassette = recorded_turn(tape, "everything affirms", CHAT, PROSE)
    assert turn(cassette, CHAT, None) == "not on this cassette"
    assert [call.rung for call in cassette.missing] == [Rung.ATTEMPT]
