"""Fail closed: whatever the replies, nothing commits without a definite affirmative."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from routing_workbench.core.conversation.model import (
    Message,
    Output,
    Refusal,
    Request,
    Response,
    Role,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
)
from routing_workbench.core.vgr.capabilities import TaskType, ToolErrorSource
from routing_workbench.core.vgr.decision import Route
from routing_workbench.core.vgr.evidence import Rung, TurnOutcome
from routing_workbench.core.vgr.policy import POLICY_1_0_0
from routing_workbench.core.vgr.signals import Signals, Verdict
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.protocol import (
    Call,
    CallTimeout,
    ContextOverflow,
    HttpStatusError,
    InvalidResponse,
    Reply,
    TransportError,
)
from routing_workbench.workbench.drivers.script import Fault, RungScript, Script
from routing_workbench.workbench.turns.settings import TurnSettings
from routing_workbench.workbench.turns.vgr import run_vgr_turn

LOWEST_READOUT_THAT_COMMITS = 0.2

words = st.sampled_from(
    ["yes", "no", "Yes.", "NO!", "yes, but", "unknown", "", " \n", "y", "true", "coding", "chat", "answer", "agentic"]
)
texts = words | st.text(max_size=30)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
entries = st.fixed_dictionaries(
    {}, optional={"token": words | json_values, "logprob": st.floats() | st.integers() | json_values}
)
bodies = json_values | st.lists(entries, max_size=5).map(
    lambda top: {"choices": [{"logprobs": {"content": [{"top_logprobs": top}]}}]}
)
blocks = st.one_of(texts.map(Text), texts.map(Refusal), st.builds(ToolCall, st.just("1"), st.just("run"), json_values))
responses = st.lists(
    st.builds(
        Output,
        st.sampled_from(Role),
        st.lists(blocks, max_size=3).map(tuple),
        st.none() | st.sampled_from(StopReason),
    ),
    max_size=2,
).map(lambda outputs: Response(tuple(outputs)))
errors = st.sampled_from(
    [
        CallTimeout("x"),
        TransportError("x"),
        ContextOverflow("x"),
        InvalidResponse("x"),
        HttpStatusError(401),
        HttpStatusError(503),
    ]
)
# Most attempts are ones that can be judged, so that every branch is reached.
judged_attempts = st.sampled_from(
    [
        Response((Output(Role.ASSISTANT, (Text(said),)),))
        for said in ("Answer: 40 litres", "```python\nprint(40)\n```", "[tool] looked it up: 40")
    ]
)
attempts = judged_attempts | judged_attempts | judged_attempts | responses
replies = st.one_of(texts, st.floats(), responses, st.builds(Reply, responses, bodies), errors, json_values)
scripts = st.dictionaries(
    st.sampled_from(Rung),
    st.builds(RungScript, texts | st.floats(0, 1).map(str), st.integers(0, 700), st.sampled_from(Fault)),
).map(Script)
turn_settings = st.builds(
    TurnSettings,
    forced_type=st.none() | st.sampled_from(TaskType),
    checker_configured=st.booleans(),
    checker_validated=st.booleans(),
    provenance=st.none() | st.sampled_from(ToolErrorSource),
    structured_answer=st.booleans(),
    diagnose=st.booleans(),
    deadline=st.sampled_from([1.0, 30.0]),
)
question = Message(Role.USER, (Text("How much?"),))
requests = st.just(Request((), (question,))) | st.lists(
    st.builds(
        Message,
        st.sampled_from(Role),
        st.lists(
            blocks | st.builds(ToolResult, st.just("1"), st.lists(texts.map(Text), max_size=2).map(tuple)), max_size=3
        ).map(tuple),
    ),
    max_size=4,
).map(lambda messages: Request((), (*messages, question)))


class Clock:
    """Time that passes only while the driver sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    async def sleep(self, seconds: float) -> None:
        """Let the seconds pass at once."""
        self.now += seconds


def outcome_of(request: Request, attempt: Response, chosen: TurnSettings, **mock: Any) -> TurnOutcome:
    """Run one turn to its end against a mock made of these arguments."""
    clock = Clock()
    driver = MockDriver(sleep=clock.sleep, **mock)

    async def run() -> Any:
        turn = run_vgr_turn(request, attempt=attempt, driver=driver, settings=chosen, clock=lambda: clock.now)
        return [event async for event in turn][-1]

    outcome = asyncio.run(run())
    assert isinstance(outcome, TurnOutcome)
    return outcome


def affirms(signals: Signals) -> bool:
    """Whether a verifier said yes, or a score could clear the lowest bar there is."""
    verdicts = (
        signals.evidence_strict,
        signals.cloud_judge,
        signals.evidence_confirm,
        signals.agreement,
        signals.answer_verifier,
        signals.evidence_verifier,
        signals.tests_pass,
    )
    scores = (signals.readout, signals.deliberation)
    return Verdict.YES in verdicts or any(
        score is not None and score >= LOWEST_READOUT_THAT_COMMITS for score in scores
    )


def check(outcome: TurnOutcome) -> None:
    """A commit has its affirmative, and only a commit is served local."""
    production = [row for row in outcome.asked if not row.extra]
    if outcome.decision is None:
        return
    if outcome.decision.predicted is Route.LOCAL:
        assert affirms(outcome.signals)
        # The affirmative came from a row that was answered, in production, and it was the last one asked.
        assert production[-1].miss is None
        assert production[-1].value is not None
    elif outcome.served is Route.LOCAL:
        raise AssertionError("cloud was predicted, local served")


@settings(max_examples=150, deadline=None)
@given(requests, attempts, st.data(), turn_settings)
def test_junk_replies_never_commit_without_an_affirmative(
    request: Request, attempt: Response, data: st.DataObject, chosen: TurnSettings
) -> None:
    """Any reply to any question: text, numbers, broken bodies, errors, other things altogether."""

    def reply(call: Call) -> Any:
        return data.draw(replies, label=call.rung)

    check(outcome_of(request, attempt, chosen, replies=reply))


@settings(max_examples=150, deadline=None)
@given(requests, attempts, scripts, turn_settings)
def test_scripts_never_commit_without_an_affirmative(
    request: Request, attempt: Response, script: Script, chosen: TurnSettings
) -> None:
    """Any script that can be typed into the driver panel."""
    check(outcome_of(request, attempt, chosen, script=script))


@settings(max_examples=100, deadline=None)
@given(requests, attempts, turn_settings, st.sampled_from(["", "maybe", "yes, but", "{", "no", "unknown"]))
def test_replies_that_affirm_nothing_never_commit(
    request: Request, attempt: Response, chosen: TurnSettings, said: str
) -> None:
    """Every question gets the same useless answer, and cloud serves every decision."""
    outcome = outcome_of(request, attempt, chosen, replies=lambda _: said)
    assert outcome.decision is None or (outcome.decision.predicted, outcome.served) == (Route.CLOUD, Route.CLOUD)


def test_the_lowest_bar_is_the_one_assumed_here() -> None:
    """If a dial is lowered, the check above must know."""
    policy = POLICY_1_0_0
    dials = (
        policy.coding_dial,
        policy.chat_dial,
        policy.answer_dial,
        policy.default_verified_dial,
        policy.agentic_dial,
    )
    bars = (policy.readout_bar, policy.band_floor, policy.deliberation_bar)
    assert min(bar for bar in (*dials, *bars) if bar is not None) == LOWEST_READOUT_THAT_COMMITS
