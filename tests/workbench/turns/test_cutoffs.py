"""The run of ordered cutoffs (SPEC 6.1)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from math import nan
from types import SimpleNamespace
from typing import Any

import pytest
from routing_workbench.core.conversation.model import Message, Request, Role, ToolCall, ToolResult
from routing_workbench.core.cutoffs.config import CutoffsConfig, InvalidCutoffs, Rule
from routing_workbench.core.cutoffs.outcome import CutoffsOutcome
from routing_workbench.core.vgr.evidence import Miss, OriginKind, Rung
from routing_workbench.prompts import cutoffs_prompt_set, route_instructions
from routing_workbench.workbench.drivers.protocol import (
    Answer,
    AnswerType,
    CallTimeout,
    Category,
    HttpStatusError,
    InvalidResponse,
    MissingKey,
    TransportError,
)
from routing_workbench.workbench.drivers.script import Script
from routing_workbench.workbench.turns import events as happened
from routing_workbench.workbench.turns.breaker import Breakers
from routing_workbench.workbench.turns.cutoffs import question_for, run_cutoffs
from routing_workbench.workbench.turns.failures import JudgeFailed

Collect = Callable[..., list[Any]]
CONFIG = CutoffsConfig(
    candidates=(("small", "secret-8b"), ("mid", "secret-32b"), ("large", "secret-coder")),
    rules=(Rule("small", 0.6), Rule("mid", 0.35)),
    fallback="large",
)
OPEN = CutoffsConfig(CONFIG.candidates, CONFIG.rules, CONFIG.fallback, fail_open=True)


@pytest.fixture
def run(collect: Collect, scene: SimpleNamespace) -> Callable[..., list[Any]]:
    """Run on the plain request; gives the events."""

    def go(driver: Any, config: CutoffsConfig = CONFIG, **keywords: Any) -> list[Any]:
        request = keywords.pop("request", scene.plain)
        return collect(partial(run_cutoffs, request, driver=driver, config=config, **keywords))

    return go


def outcome(events: list[Any]) -> CutoffsOutcome:
    """The last event."""
    assert isinstance(events[-1], CutoffsOutcome)
    return events[-1]


# What is asked.


def test_one_question_is_asked_exactly_as_shown(run: Any, recording: Any, scene: SimpleNamespace) -> None:
    """Instructions, sorted labels and context are those of `question_for`; the judge answers it."""
    driver = recording()
    run(driver, deadline=7.0)
    (question,) = driver.questions
    asked = question_for(scene.plain, CONFIG)
    assert (question.id, question.rung, question.category) == ("route", Rung.ROUTE, Category.JUDGE)
    assert (question.instructions, question.labels, question.context) == asked[:3]
    assert (asked.instructions, asked.labels) == (route_instructions(), ("large", "mid", "small"))
    assert question.timeout == 7.0
    assert driver.calls == []


def test_model_ids_reach_no_judge(scene: SimpleNamespace) -> None:
    """Neither in the question nor in its context."""
    assert "secret" not in repr(question_for(scene.plain, CONFIG)[:4])


def test_the_operators_words_replace_ours(run: Any, recording: Any) -> None:
    """And the outcome says that they were asked."""
    driver = recording()
    config = CutoffsConfig(CONFIG.candidates, CONFIG.rules, "large", instructions="Pick one.")
    assert outcome(run(driver, config)).prompt_set == f"{cutoffs_prompt_set()}+operator"
    assert driver.questions[0].instructions == "Pick one."
    assert outcome(run(driver)).prompt_set == cutoffs_prompt_set()


def test_a_refused_configuration_asks_nobody(run: Any, recording: Any) -> None:
    """It raises first."""
    driver = recording()
    with pytest.raises(InvalidCutoffs):
        run(driver, CutoffsConfig(CONFIG.candidates, (), "large"))
    assert driver.questions == []


def _call(number: int) -> tuple[Message, Message]:
    called = Message(Role.ASSISTANT, (ToolCall(f"c{number}", "run", {}),))
    return called, Message(Role.TOOL, (ToolResult(f"c{number}", ()),))


@pytest.mark.parametrize(
    ("roles", "window", "words"),
    [
        ("", None, "The task is empty: there is no user message."),
        ("su", None, "Message 2 of 2: the opening user message; there is no later one, and no window is set."),
        ("suau", None, "Messages 2, 4 of 4: the opening and the last user message, no tool result cut from its call."),
        (
            "suauauau",
            3,
            "Messages 2, 6 to 8 of 8: the opening user message and the last ones after it, window 3, no tool result "
            "cut from its call.",
        ),
        ("aa", 1, "Message 2 of 2: the last messages, window 1, no tool result cut from its call."),
    ],
)
def test_how_the_task_was_cut_is_said(scene: SimpleNamespace, roles: str, window: int | None, words: str) -> None:
    """Numbered as on screen: from 1, instructions included."""
    made = {"s": Role.SYSTEM, "u": Role.USER, "a": Role.ASSISTANT}
    turns = [scene.message(made[role], "x") for role in roles]
    request = Request(
        tuple(turn for turn in turns if turn.role is Role.SYSTEM), tuple(t for t in turns if t.role is not Role.SYSTEM)
    )
    config = CutoffsConfig(CONFIG.candidates, CONFIG.rules, "large", recent_turn_window=window)
    assert question_for(request, config).task_words == words


def test_results_in_the_users_name_open_no_task(scene: SimpleNamespace) -> None:
    """So nothing is said of an opening user message."""
    request = Request((), (Message(Role.USER, (ToolResult("c", ()),)), scene.message(Role.ASSISTANT, "Done.")))
    config = CutoffsConfig(CONFIG.candidates, CONFIG.rules, "large", recent_turn_window=2)
    assert question_for(request, config).task_words.startswith("Messages 1 to 2 of 2: the last messages, window 2,")


def test_a_window_is_widened_to_the_calls(scene: SimpleNamespace) -> None:
    """The last message is a result, so the call before it comes along."""
    request = Request((), (scene.message(Role.USER, "Go."), *_call(1), *_call(2)))
    config = CutoffsConfig(CONFIG.candidates, CONFIG.rules, "large", recent_turn_window=1)
    assert question_for(request, config).task_words.startswith("Messages 1, 4 to 5 of 5: ")


# What is decided.


def test_the_first_rule_that_is_cleared_wins(run: Any, recording: Any) -> None:
    """The provider's own choice and confidence are kept and decide nothing."""
    answer = Answer({"small": 0.2, "mid": 0.36, "large": 0.44}, choice="large", confidence=0.99, covered=0.97)
    found = outcome(run(recording({Rung.ROUTE: answer})))
    assert (found.decision.label, found.decision.target, found.decision.threshold) == ("mid", "secret-32b", 0.35)
    assert found.decision.confidence == 1.0
    assert found.probabilities == (("small", 0.2), ("mid", 0.36), ("large", 0.44))
    assert (found.choice, found.confidence, found.covered) == ("large", 0.99, 0.97)


def test_a_tie_is_not_above_its_cutoff(run: Any, recording: Any) -> None:
    """0.35 against 0.35 takes the fallback, with full confidence."""
    driver = recording(script=Script(probabilities={"small": 0.22, "mid": 0.35, "large": 0.43}))
    decision = outcome(run(driver)).decision
    assert (decision.label, decision.threshold, decision.confidence, decision.rule) == ("large", None, 1.0, None)


def test_the_events_are_asked_answered_and_outcome(run: Any, recording: Any) -> None:
    """The row counts probabilities and names no label."""
    events = run(recording())
    assert [type(event) for event in events] == [happened.RungAsked, happened.RungAnswered, CutoffsOutcome]
    row = outcome(events).asked
    assert events[1] == happened.RungAnswered(row)
    assert (row.rung, row.answer, row.miss, row.note) == (Rung.ROUTE, "3 probabilities", None, "")
    assert row.origin.kind is OriginKind.MOCK
    assert row.took == pytest.approx(0.012)


@pytest.mark.parametrize(
    ("answer", "words", "why"),
    [
        (Answer(None), "unknown", "no distribution"),
        (
            Answer(None, note="the reply carries no logprobs"),
            "unknown",
            "the reply carries no logprobs; no distribution",
        ),
        (
            Answer({"small": 1.0, "mid": 0.0, "large": 0.0}, AnswerType.BOOLEAN),
            "unknown",
            "no choice was answered (boolean); no distribution",
        ),
        (Answer({"small": 0.9}), "1 probability", "missing label"),
        (Answer({"small": 0.9, "mid": 0.0, "large": 0.0, "ann@dock": 0.1}), "4 probabilities", "unknown label"),
        (Answer({"small": 0.9, "mid": nan, "large": 0.1}), "3 probabilities", "not a number"),
        (Answer({"small": 1.1, "mid": 0.0, "large": 0.0}), "3 probabilities", "out of range"),
    ],
)
@pytest.mark.parametrize("config", [CONFIG, OPEN], ids=["raises", "fails open"])
def test_an_unusable_answer_takes_the_fallback(
    run: Any, recording: Any, config: CutoffsConfig, answer: Answer, words: str, why: str
) -> None:
    """Whatever fail_open says, with confidence 0.0; the row says what was wrong, in our words."""
    events = run(recording({Rung.ROUTE: answer}), config)
    found = outcome(events)
    assert (found.decision.label, found.decision.confidence) == ("large", 0.0)
    assert found.decision.evidence == {"source": "fail_open", "reason_code": "invalid_verdict"}
    assert (found.asked.answer, found.asked.miss, found.asked.note) == (words, Miss.UNPARSABLE, why)
    assert events[1] == happened.RungMissed(found.asked)
    assert "ann@" not in repr(events)


@pytest.mark.parametrize(
    ("error", "words", "code"),
    [
        (CallTimeout("secret"), "timeout", "timeout"),
        (TransportError("secret"), "transport", "transport"),
        (HttpStatusError(502), "HTTP 502", "upstream_5xx"),
        (HttpStatusError(401), "HTTP 401", "upstream_non_5xx"),
        (InvalidResponse("secret"), "invalid response", "invalid_response"),
        (MissingKey("JUDGE_KEY"), "no key in JUDGE_KEY", "client_error"),
    ],
)
def test_a_failed_judge(run: Any, recording: Any, error: Exception, words: str, code: str) -> None:
    """Open it takes the fallback and names the reason; closed it raises, with what to do."""
    found = outcome(run(recording({Rung.ROUTE: error}), OPEN))
    assert (found.decision.label, found.decision.confidence) == ("large", 0.0)
    assert found.decision.evidence == {"source": "fail_open", "reason_code": code}
    assert (found.asked.error, found.probabilities) == (words, None)
    with pytest.raises(JudgeFailed) as raised:
        run(recording({Rung.ROUTE: error}))
    assert (raised.value.error, raised.value.rung) == (words, Rung.ROUTE)
    assert "secret" not in str(raised.value)
    assert raised.value.__cause__ is None


def test_a_judge_that_takes_too_long(run: Any, recording: Any) -> None:
    """The run keeps time itself, whatever the driver does."""
    script = Script().edited(Rung.ROUTE, delay_ms=900)
    found = outcome(run(recording(script=script), OPEN, deadline=0.5))
    assert (found.asked.miss, found.decision.reason_code, found.deadline) == (Miss.TIMED_OUT, "timeout", 0.5)
    assert found.asked.took == pytest.approx(0.5)


def test_no_time_at_all_asks_nobody(run: Any, recording: Any) -> None:
    """A timeout as well."""
    driver = recording()
    events = run(driver, OPEN, deadline=0.0)
    assert (outcome(events).asked.miss, outcome(events).decision.reason_code) == (Miss.DEADLINE_EXHAUSTED, "timeout")
    assert driver.questions == []
    assert not any(isinstance(event, happened.RungAsked) for event in events)


def test_a_breaker_keeps_the_question_back_only_where_there_is_one(run: Any, recording: Any) -> None:
    """SPEC 6 knows none; an operator may give the route's."""
    breakers = Breakers(threshold=1)
    failing = recording({Rung.ROUTE: TransportError("x")})
    run(failing, OPEN, breakers=breakers)
    found = outcome(run(failing, OPEN, breakers=breakers))
    assert (found.asked.error, found.decision.reason_code) == ("breaker open", "call_error")
    assert len(failing.questions) == 1
    for _ in range(9):
        assert outcome(run(failing, OPEN)).decision.reason_code == "transport"


def test_cancelling_ends_the_question(virtually: Any, scene: SimpleNamespace, recording: Any) -> None:
    """And leaves nothing running."""
    driver = recording(script=Script().edited(Rung.ROUTE, delay_ms=20_000))

    async def cancelled() -> bool:
        async def take() -> None:
            async for _ in run_cutoffs(scene.plain, driver=driver, config=OPEN):
                pass

        task = asyncio.create_task(take())
        await asyncio.sleep(1.0)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert virtually(cancelled())


def test_no_event_shows_content(run: Any, recording: Any, scene: SimpleNamespace) -> None:
    """No word of the conversation, and no question with its context."""
    shown = repr([*run(recording()), question_for(scene.plain, CONFIG)])
    assert "litres" not in shown
    assert "ann@" not in shown
