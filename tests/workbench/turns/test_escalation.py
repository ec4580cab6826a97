"""The replay of a session before the escalation judge (SPEC 6.2)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from routing_workbench.core.conversation.model import Message, Output, Request, Response, Role, Text, text_of
from routing_workbench.core.escalation import transcript
from routing_workbench.core.escalation.config import EscalationConfig, InvalidEscalation
from routing_workbench.core.escalation.outcome import EscalationOutcome, EscalationTurn, Fallback
from routing_workbench.core.escalation.streak import TurnVerdict
from routing_workbench.core.escalation.transcript import summarize_for_judge, task_framing
from routing_workbench.core.escalation.verdict import EscalationVerdict
from routing_workbench.core.vgr.decision import Route
from routing_workbench.core.vgr.evidence import Miss, Rung
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.protocol import (
    Call,
    CallTimeout,
    Category,
    ContextOverflow,
    HttpStatusError,
    InvalidResponse,
    Reply,
    TransportError,
)
from routing_workbench.workbench.drivers.script import Script
from routing_workbench.workbench.turns import escalation
from routing_workbench.workbench.turns import events as happened
from routing_workbench.workbench.turns.breaker import Breakers
from routing_workbench.workbench.turns.escalation import replay_escalation, transcript_view, turn_places
from routing_workbench.workbench.turns.failures import EfficientFailed
from routing_workbench.workbench.turns.questions import escalation_call

DEFAULT = EscalationConfig()
NOTED = EscalationConfig(handoff_note="You take over.")
SECRET = "sk-" + "a1B2" * 8


def session(turns: int, *, live: bool = False) -> Request:
    """A task, then so many replies with a user's word between; a live one waits for one more."""
    said = [(Role.USER, f"Make the harbour test pass. Key {SECRET}.")]
    for number in range(1, turns + 1):
        said += [(Role.ASSISTANT, f"reply {number}"), (Role.USER, f"go on {number}")]
    messages = tuple(_message(role, text) for role, text in (said if live else said[: 2 * turns]))
    return Request((_message(Role.SYSTEM, "Be brief."),), messages, "s1")


def _message(role: Role, text: str) -> Message:
    return Message(role, (Text(text),))


def judging(words: str) -> Script:
    """A script whose escalation judge says this over the turns."""
    return Script().edited(Rung.ESCALATION_JUDGE, answer=words)


@pytest.fixture
def replay(collect: Any) -> Callable[..., list[Any]]:
    """Replay a session; gives the events."""

    def go(request: Request, driver: Any, config: EscalationConfig = DEFAULT, **keywords: Any) -> list[Any]:
        return collect(partial(replay_escalation, request, driver=driver, config=config, **keywords))

    return go


def outcome(events: list[Any]) -> EscalationOutcome:
    """The last event."""
    assert isinstance(events[-1], EscalationOutcome)
    return events[-1]


def course(events: list[Any]) -> list[str]:
    """Each turn as `evidence before>after served`."""
    return [f"{turn.evidence} {turn.streak_before}>{turn.streak_after} {turn.served}" for turn in outcome(events).turns]


# Pasted turns.


def test_every_assistant_message_is_a_turn(replay: Any, recording: Any) -> None:
    """The judge reads the session up to and including that reply, and no tier is asked."""
    driver, request = recording(), session(3)
    events = replay(request, driver)
    assert [call.rung for call in driver.calls] == [Rung.ESCALATION_JUDGE] * 3
    expected = [
        escalation_call(summarize_for_judge(request.messages[: 2 * turn], turn, DEFAULT), 30.0, turn=turn)
        for turn in (1, 2, 3)
    ]
    assert driver.calls == expected
    assert [(turn.turn, turn.message) for turn in outcome(events).turns] == [(1, 2), (2, 4), (3, 6)]
    assert [request.turns[turn.message].role for turn in outcome(events).turns] == [Role.ASSISTANT] * 3


def test_the_transcript_is_redacted_only_where_the_operator_says_so(replay: Any, recording: Any) -> None:
    """The specification does not redact it."""
    for redact in (False, True):
        driver = recording()
        replay(session(1), driver, redact=redact)
        text = driver.text_sent(Rung.ESCALATION_JUDGE)
        assert (SECRET in text) is not redact
        assert ("[REDACTED]" in text) is redact


def test_events_of_a_pasted_turn(replay: Any, recording: Any) -> None:
    """Asked, answered, judged; the row holds the verdict's word and no reason."""
    events = replay(session(1), recording({Rung.ESCALATION_JUDGE: '{"escalate": true, "reason": "krakens"}'}))
    asked, answered, judged, done = events
    assert asked == happened.RungAsked(Rung.ESCALATION_JUDGE, 0.0, 30.0, turn=1)
    assert answered == happened.RungAnswered(judged.turn.asked[0])
    assert judged == happened.TurnJudged(done.turns[0])
    assert (answered.asked.answer, answered.asked.value, answered.asked.miss) == ("escalate", None, None)
    assert judged.turn.reason == "krakens"
    assert "krakens" not in repr(events)
    assert "harbour" not in repr(events)


def test_two_escalations_in_a_row_latch(replay: Any, recording: Any) -> None:
    """The second discards its reply; latched turns ask nobody."""
    driver = recording(script=judging("decline, escalate, escalate, decline"))
    events = replay(session(6), driver)
    assert course(events) == [
        "continue 0>0 local",
        "pending 0>1 local",
        "escalate 1>2 cloud",
        "latched 2>2 cloud",
        "latched 2>2 cloud",
        "latched 2>2 cloud",
    ]
    assert len(driver.calls) == 3
    assert outcome(events).latched_at == 3
    assert [(turn.verdict, turn.asked) for turn in outcome(events).turns[3:]] == [(None, ())] * 3


def test_a_decline_clears_and_an_unavailable_verdict_waits(replay: Any, recording: Any) -> None:
    """Whatever the reason it is unavailable for."""
    driver = recording(script=judging("escalate, decline, escalate, unavailable, escalate"))
    events = replay(session(5), driver)
    assert course(events) == [
        "pending 0>1 local",
        "continue 1>0 local",
        "pending 0>1 local",
        "pending 1>1 local",
        "escalate 1>2 cloud",
    ]
    waiting = outcome(events).turns[3]
    assert waiting.verdict is EscalationVerdict.UNAVAILABLE
    assert waiting.absent == "the reply is not one JSON object, bare or in a json fence"
    assert (waiting.asked[0].miss, waiting.asked[0].answer) == (Miss.UNPARSABLE, "unavailable")


@pytest.mark.parametrize(
    ("error", "miss", "absent"),
    [
        (HttpStatusError(503), Miss.CALL_FAILED, "no reply: HTTP 503"),
        (CallTimeout("x"), Miss.TIMED_OUT, "no reply: timeout"),
        (TransportError("x"), Miss.CALL_FAILED, "no reply: transport"),
        (ContextOverflow("x"), Miss.CALL_FAILED, "no reply: context overflow"),
        (InvalidResponse("x"), Miss.CALL_FAILED, "no reply: invalid response"),
    ],
)
def test_a_judge_that_fails_is_unavailable(
    replay: Any, recording: Any, error: Exception, miss: Miss, absent: str
) -> None:
    """The session stays where it is, and the turn says why."""
    (turn,) = outcome(replay(session(1), recording({Rung.ESCALATION_JUDGE: error}))).turns
    assert (turn.verdict, turn.evidence, turn.served) == ("unavailable", "continue", Route.LOCAL)
    assert (turn.asked[0].miss, turn.absent, turn.tolerant) == (miss, absent, None)


def test_without_a_session_no_streak_is_kept(replay: Any, recording: Any) -> None:
    """Two confirmations are never reached; one escalates each turn by itself and never latches."""
    events = replay(session(3), recording(script=judging("escalate")), has_session=False)
    assert course(events) == ["pending 0>1 local"] * 3
    one = replay(session(3), recording(script=judging("escalate")), EscalationConfig(1), has_session=False)
    assert course(one) == ["escalate 0>1 cloud"] * 3
    assert not outcome(one).has_session


def test_the_note_goes_where_the_capable_tier_takes_over(replay: Any, recording: Any) -> None:
    """On the latching turn and each latched one, if there is a note."""
    for config, sent in ((NOTED, [False, True, True]), (DEFAULT, [False] * 3)):
        events = replay(session(3), recording(script=judging("escalate")), config)
        assert [turn.note_sent for turn in outcome(events).turns] == sent


def test_each_call_has_its_own_deadline(replay: Any, recording: Any) -> None:
    """A slow judge is missed at every turn, and the replay goes on."""
    script = judging("escalate").edited(Rung.ESCALATION_JUDGE, delay_ms=900)
    events = replay(session(3), recording(script=script), deadline=0.5)
    assert course(events) == ["continue 0>0 local"] * 3
    assert [turn.absent for turn in outcome(events).turns] == ["no reply: timeout"] * 3
    assert [turn.asked[0].started for turn in outcome(events).turns] == [0.0] * 3


def test_a_slow_efficient_tier_takes_nothing_from_its_judge(replay: Any, recording: Any) -> None:
    """The judge of the held reply has its whole time."""
    driver = recording(script=Script().edited(Rung.EFFICIENT, delay_ms=400))
    replay(session(0, live=True), driver, deadline=0.5)
    assert [(call.rung, call.timeout) for call in driver.calls] == [(Rung.EFFICIENT, 0.5), (Rung.ESCALATION_JUDGE, 0.5)]


def test_no_breaker_ends_a_replay(replay: Any, recording: Any) -> None:
    """SPEC 6 knows none: each of nine turns is asked. One that an operator gives keeps questions back."""
    failing = recording({Rung.ESCALATION_JUDGE: HttpStatusError(503)})
    replay(session(9), failing)
    assert len(failing.calls) == 9
    kept = outcome(replay(session(3), failing, breakers=Breakers(threshold=1))).turns
    assert [turn.absent for turn in kept] == ["no reply: HTTP 503", *["no reply: breaker open"] * 2]


@pytest.mark.parametrize("request_", [Request((), ()), Request((_message(Role.SYSTEM, "x"),), ())])
def test_a_session_without_messages_has_no_turn(replay: Any, recording: Any, request_: Request) -> None:
    """And nobody is asked."""
    driver = recording()
    assert outcome(replay(request_, driver)).turns == ()
    assert driver.calls == []


def test_a_refused_configuration_asks_nobody(replay: Any, recording: Any) -> None:
    """It raises first."""
    driver = recording()
    with pytest.raises(InvalidEscalation):
        replay(session(1), driver, EscalationConfig(confirmations=0))
    assert driver.calls == []


def test_the_outcome_names_its_rubric(replay: Any, recording: Any) -> None:
    """By the version of the set."""
    assert outcome(replay(session(1), recording())).prompt_set.startswith("escalation-")


# The live turn at the end.


def test_a_live_turn_asks_the_efficient_tier_then_the_judge(replay: Any, recording: Any) -> None:
    """The judge reads the held reply; a decline serves it, and the capable tier is left alone."""
    driver, request = recording({Rung.EFFICIENT: "reply 2"}), session(1, live=True)
    events = replay(request, driver)
    assert [(call.rung, call.category, call.turn) for call in driver.calls] == [
        (Rung.ESCALATION_JUDGE, Category.JUDGE, 1),
        (Rung.EFFICIENT, Category.LOCAL, 2),
        (Rung.ESCALATION_JUDGE, Category.JUDGE, 2),
    ]
    assert driver.calls[1].request is request
    held = (*request.messages, _message(Role.ASSISTANT, "reply 2"))
    assert text_of(driver.calls[2].request.messages[0].content) == summarize_for_judge(held, 2, DEFAULT)
    live = outcome(events).turns[1]
    assert (live.message, live.served, [row.rung for row in live.asked]) == (
        4,
        Route.LOCAL,
        [Rung.EFFICIENT, Rung.ESCALATION_JUDGE],
    )
    (produced,) = [event for event in events if isinstance(event, happened.AttemptProduced)]
    assert text_of(produced.response.outputs[0].content) == "reply 2"
    assert not any(isinstance(event, happened.Forwarded) for event in events)


def test_of_a_held_reply_only_what_the_assistant_says_is_judged(replay: Any, recording: Any) -> None:
    """Outputs of other roles are no message of its own."""
    outputs = (Output(Role.TOOL, (Text("not mine"),)), Output(Role.ASSISTANT, (Text("mine"), Text("too"))))
    driver = recording({Rung.EFFICIENT: Reply(Response(outputs))})
    replay(session(0, live=True), driver)
    assert driver.text_sent(Rung.ESCALATION_JUDGE).endswith("\n[assistant] mine too")
    assert "not mine" not in driver.text_sent(Rung.ESCALATION_JUDGE)


def test_a_live_turn_that_completes_the_streak(replay: Any, recording: Any) -> None:
    """The reply is discarded; the capable tier gets the request with the note, which joins the last message."""
    driver, request = recording(script=judging("escalate")), session(1, live=True)
    before = repr(request.turns)
    events = replay(request, driver, NOTED)
    live = outcome(events).turns[1]
    assert (live.evidence, live.served, live.note_sent) == (TurnVerdict.ESCALATE, Route.CLOUD, True)
    assert [row.rung for row in live.asked] == [Rung.EFFICIENT, Rung.ESCALATION_JUDGE, Rung.CAPABLE]
    call = driver.calls[-1]
    assert (call.rung, call.category, call.turn, call.timeout) == (Rung.CAPABLE, Category.CLOUD, 2, 120.0)
    assert [text_of(m.content) for m in call.request.messages[1:]] == ["reply 1", "go on 1\nYou take over."]
    assert (repr(request.turns), text_of(request.messages[-1].content)) == (before, "go on 1")
    assert [type(event).__name__ for event in events[-5:]] == [
        "RungAsked", "RungAnswered", "CloudReplied", "TurnJudged", "EscalationOutcome",
    ]  # fmt: skip


def test_a_latched_live_turn_asks_the_capable_tier_alone(replay: Any, recording: Any) -> None:
    """With the note again."""
    driver = recording(script=judging("escalate"))
    events = replay(session(3, live=True), driver, NOTED)
    live = outcome(events).turns[3]
    assert (live.evidence, live.served, live.note_sent) == (TurnVerdict.LATCHED, Route.CLOUD, True)
    assert [row.rung for row in live.asked] == [Rung.CAPABLE]
    assert text_of(driver.calls[-1].request.messages[-1].content).endswith("You take over.")


@pytest.mark.parametrize(
    ("error", "fallback"),
    [(ContextOverflow("x"), Fallback.CONTEXT_OVERFLOW), (TransportError("x"), Fallback.TRANSPORT)],
)
def test_the_capable_tier_steps_in_without_a_note(
    replay: Any, recording: Any, error: Exception, fallback: Fallback
) -> None:
    """The streak stays, nobody judges, and the request goes as it is."""
    driver, request = recording({Rung.EFFICIENT: error}, script=judging("escalate")), session(1, live=True)
    live = outcome(replay(request, driver, NOTED)).turns[1]
    assert live == EscalationTurn(2, 4, live.asked, None, None, 1, 1, Route.CLOUD, fallback=fallback, note_sent=False)
    assert [row.rung for row in live.asked] == [Rung.EFFICIENT, Rung.CAPABLE]
    assert driver.calls[-1].request is request


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (HttpStatusError(503), "HTTP 503"),
        (HttpStatusError(401), "HTTP 401"),
        (CallTimeout("secret"), "timeout"),
        (InvalidResponse("secret"), "invalid response"),
    ],
)
def test_any_other_failure_of_the_efficient_tier_raises(
    replay: Any, recording: Any, error: Exception, words: str
) -> None:
    """With what to do, and nothing served."""
    driver = recording({Rung.EFFICIENT: error})
    with pytest.raises(EfficientFailed) as raised:
        replay(session(1, live=True), driver)
    assert (raised.value.error, raised.value.rung) == (words, Rung.EFFICIENT)
    assert raised.value.__cause__ is None
    assert Rung.CAPABLE not in [call.rung for call in driver.calls]


def test_a_capable_tier_that_fails_leaves_the_decision(replay: Any, recording: Any) -> None:
    """Its row says so; nobody else serves."""
    driver = recording({Rung.CAPABLE: HttpStatusError(500)}, script=judging("escalate"))
    live = outcome(replay(session(1, live=True), driver)).turns[1]
    assert (live.served, live.asked[-1].miss, live.asked[-1].error) == (Route.CLOUD, Miss.CALL_FAILED, "HTTP 500")


def test_a_session_of_one_question_is_one_live_turn(replay: Any, recording: Any) -> None:
    """Nobody has replied yet."""
    events = replay(session(0, live=True), recording())
    assert [(turn.turn, turn.message) for turn in outcome(events).turns] == [(1, 2)]


def test_cancelling_ends_the_call_in_flight(virtually: Any) -> None:
    """No further turn is asked, and nothing is left running."""
    asked: list[Rung] = []

    async def hang(call: Call) -> str:
        asked.append(call.rung)
        await asyncio.sleep(3600)
        return "late"

    async def cancelled() -> bool:
        async def take() -> None:
            driver = MockDriver(replies=hang)
            async for _ in replay_escalation(session(4), driver=driver, config=DEFAULT, deadline=9000.0):
                pass

        task = asyncio.create_task(take())
        await asyncio.sleep(1.0)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert virtually(cancelled())
    assert asked == [Rung.ESCALATION_JUDGE]


# What is shown of a turn.


def test_where_the_turns_stand() -> None:
    """In `Request.turns`; the reply that is yet to come stands behind them all."""
    assert turn_places(session(3)) == (2, 4, 6)
    assert turn_places(session(2, live=True)) == (2, 4, 6)
    assert turn_places(Request((), ())) == ()


def test_the_view_of_a_turn_is_what_its_judge_reads(replay: Any, recording: Any, scene: SimpleNamespace) -> None:
    """To the character, for every turn, pasted and live, redacted and not."""
    for redact in (False, True):
        driver, request = recording({Rung.EFFICIENT: "reply 3"}), session(2, live=True)
        replay(request, driver, redact=redact)
        sent = [
            text_of(call.request.messages[0].content) for call in driver.calls if call.rung is Rung.ESCALATION_JUDGE
        ]
        reply = scene.reply(Text("reply 3"))
        assert [transcript_view(request, place, DEFAULT, redact, reply).text for place in turn_places(request)] == sent


def test_the_view_of_a_reply_to_come_ends_with_what_it_answers() -> None:
    """It counts as that turn already."""
    view = transcript_view(session(2, live=True), 6, DEFAULT, False)
    assert view.text.startswith("Conversation turn 3; showing the last 4 of 5 messages")
    assert view.text.endswith("[user] go on 2")


# What it costs.


def test_a_replay_renders_only_what_is_shown(replay: Any, recording: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """At most the window and the task a turn, however long the session."""
    rendered = 0

    def counted(message: Any) -> str:
        nonlocal rendered
        rendered += 1
        return message_text(message)

    message_text = transcript.message_text
    monkeypatch.setattr(transcript, "message_text", counted)
    replay(session(300), recording())
    assert rendered <= 300 * (DEFAULT.recent_turn_window + 1)


def test_a_replay_looks_for_its_task_framing_once(replay: Any, recording: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else every turn would look at all turns before it."""
    looked: list[int] = []

    def counted(messages: Any) -> Any:
        looked.append(len(messages))
        return task_framing(messages)

    for module in (transcript, escalation):
        monkeypatch.setattr(module, "task_framing", counted)
    replay(session(40, live=True), recording())
    assert looked == [81]


def test_a_replay_costs_about_as_much_a_turn_in_a_long_session(replay: Any, recording: Any) -> None:
    """Four times the turns take less than nine times the time: twice of what is linear, half of what is square."""

    def cost(turns: int) -> float:
        times = []
        for _ in range(3):
            driver, request = recording(), session(turns)
            began = time.process_time()
            replay(request, driver)
            times.append(time.process_time() - began)
        return min(times)

    assert cost(1200) < 9 * cost(300)
