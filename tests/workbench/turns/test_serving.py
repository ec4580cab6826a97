"""What the cloud tier gets and says where it serves a VGR turn (SPEC 7)."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from routing_workbench.core.conversation.model import Media, Message, Request, Role, StopReason, Text, ToolCall, text_of
from routing_workbench.core.vgr.capabilities import TaskType
from routing_workbench.core.vgr.decision import ACTIVE_APPROVAL, Mode, Route
from routing_workbench.core.vgr.evidence import Ending, Miss, Rung
from routing_workbench.workbench.drivers.protocol import Category, HttpStatusError
from routing_workbench.workbench.drivers.script import Script
from routing_workbench.workbench.turns import events as happened
from routing_workbench.workbench.turns.session_state import SessionState
from routing_workbench.workbench.turns.settings import SERVING_DEADLINE, TurnSettings

RunTurn = Callable[..., Any]
DENIED = {Rung.READOUT: 0.1, Rung.DELIBERATION: "no", Rung.CLOUD_JUDGE: "no"}
CHAT = TaskType.CHAT


def forwarded(run: Any) -> list[happened.Forwarded]:
    """What was forwarded."""
    return [event for event in run.events if isinstance(event, happened.Forwarded)]


def test_a_commit_forwards_nothing(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """Whatever the operator had set for escalations."""
    driver = recording()
    settings = TurnSettings(ask_cloud=True, speculation_carry=True)
    run = run_turn(scene.plain, scene.prose, driver, settings=settings)
    assert run.outcome.served is Route.LOCAL
    assert forwarded(run) == []
    assert Rung.CAPABLE not in [call.rung for call in driver.calls]


def test_an_escalation_forwards_the_request_and_asks_nobody(
    run_turn: RunTurn, recording: Any, scene: SimpleNamespace
) -> None:
    """The workbench stops at the decision unless told otherwise."""
    driver = recording(DENIED)
    run = run_turn(scene.plain, scene.prose, driver, settings=TurnSettings(forced_type=CHAT))
    assert forwarded(run) == [happened.Forwarded(scene.plain, carried=False)]
    assert [call.rung for call in driver.calls] == [Rung.READOUT, Rung.DELIBERATION, Rung.CLOUD_JUDGE]


def test_the_cloud_tier_is_asked_where_the_operator_says_so(
    run_turn: RunTurn, recording: Any, scene: SimpleNamespace
) -> None:
    """After the decision, before the outcome; its row is production, and its text in no row."""
    driver = recording({**DENIED, Rung.CAPABLE: "It holds 38 litres."})
    settings = TurnSettings(forced_type=CHAT, ask_cloud=True)
    run = run_turn(scene.plain, scene.prose, driver, settings=settings)
    call = driver.calls[-1]
    assert (call.rung, call.category, call.request) == (Rung.CAPABLE, Category.CLOUD, scene.plain)
    row = run.row(Rung.CAPABLE)
    assert (row.answer, row.miss, row.extra) == ("19 chars", None, False)
    kinds = [type(event).__name__ for event in run.events]
    assert kinds[kinds.index("Decided") :] == [
        "Decided", "Forwarded", "RungAsked", "RungAnswered", "CloudReplied", "TurnOutcome",
    ]  # fmt: skip
    replied = next(event for event in run.events if isinstance(event, happened.CloudReplied))
    assert text_of(replied.response.outputs[0].content) == "It holds 38 litres."
    assert "38" not in repr(run.events)


def test_the_reply_has_a_deadline_of_its_own(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """The decision used up its time, and the cloud tier still gets its 120 s."""
    script = Script().edited(Rung.READOUT, answer="0.1", delay_ms=900)
    driver = recording(script=script)
    settings = TurnSettings(forced_type=CHAT, ask_cloud=True, deadline=0.5)
    run = run_turn(scene.plain, scene.prose, driver, settings=settings)
    assert run.row(Rung.READOUT).miss is Miss.TIMED_OUT
    assert driver.calls[-1].timeout == SERVING_DEADLINE == 120.0
    assert run.row(Rung.CAPABLE).miss is None


def test_a_cloud_tier_that_fails_is_a_miss(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """The decision stands; nobody else serves."""
    driver = recording({**DENIED, Rung.CAPABLE: HttpStatusError(503)})
    settings = TurnSettings(forced_type=CHAT, ask_cloud=True)
    run = run_turn(scene.plain, scene.prose, driver, settings=settings)
    assert run.outcome.served is Route.CLOUD
    assert (run.row(Rung.CAPABLE).miss, run.row(Rung.CAPABLE).error) == (Miss.CALL_FAILED, "HTTP 503")
    assert not any(isinstance(event, happened.CloudReplied) for event in run.events)


def test_extras_are_asked_behind_the_reply(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """Production first, then diagnosis."""
    settings = TurnSettings(forced_type=TaskType.CODING, ask_cloud=True, diagnose=True)
    run = run_turn(scene.plain, scene.code, recording({**DENIED, Rung.EVIDENCE_STRICT: "no"}), settings=settings)
    assert [(row.rung.value, row.extra) for row in run.outcome.asked] == [
        ("readout", False), ("deliberation", False), ("cloud_judge", False), ("capable", False),
        ("evidence_strict", True), ("evidence_confirm", True),
    ]  # fmt: skip


def test_a_short_circuit_is_served_by_the_cloud_tier(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """It is all that a latched session asks, and there is no attempt to carry, pasted or not."""
    settings = TurnSettings(ask_cloud=True, speculation_carry=True)
    run = run_turn(scene.plain, scene.prose, recording(), settings=settings, state=SessionState(2, latched=True))
    assert run.outcome.ending is Ending.TURN_VERIFICATION_LATCHED
    assert run.rungs == ["capable"]
    assert forwarded(run) == [happened.Forwarded(scene.plain)]


# The speculation carry.


def test_an_escalation_carries_the_rejected_attempt(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """Where the operator says so; the caller's own request stays as it is."""
    driver = recording(DENIED)
    settings = TurnSettings(forced_type=CHAT, speculation_carry=True, ask_cloud=True)
    run = run_turn(scene.plain, scene.prose, driver, settings=settings)
    (event,) = forwarded(run)
    assert event.carried
    assert text_of(event.request.messages[-1].content).endswith("\n\nThe tank holds 40 litres.")
    assert driver.calls[-1].request == event.request
    assert "40" not in repr(scene.plain) + text_of(scene.plain.messages[-1].content)


def test_a_produced_attempt_is_carried_too(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """It need not be pasted."""
    driver = recording({**DENIED, Rung.ATTEMPT: "Perhaps 41."})
    settings = TurnSettings(forced_type=CHAT, speculation_carry=True)
    (event,) = forwarded(run_turn(scene.plain, None, driver, settings=settings))
    assert text_of(event.request.messages[-1].content).endswith("\n\nPerhaps 41.")


@pytest.mark.parametrize(
    ("keywords", "carry"),
    [
        ({"settings": TurnSettings(speculation_carry=True, mode=Mode.SHADOW)}, False),
        ({"settings": TurnSettings(speculation_carry=True, mode=Mode.ACTIVE, approval=ACTIVE_APPROVAL)}, True),
        ({"settings": TurnSettings(speculation_carry=False)}, False),
    ],
    ids=["shadow", "active", "off"],
)
def test_a_turn_held_at_its_check(
    run_turn: RunTurn, recording: Any, scene: SimpleNamespace, keywords: dict[str, Any], carry: bool
) -> None:
    """The words of a proposed turn that escalates are carried, its call is not; a shadow changes nothing."""
    driver = recording({Rung.TURN_CHECK: 0.9})
    run = run_turn(scene.clean_run, scene.call, driver, state=SessionState(1), **keywords)
    assert run.outcome.ending is Ending.TURN_VERIFICATION_ESCALATED
    (event,) = forwarded(run)
    assert event.carried is carry
    assert ("I will look." in text_of(event.request.messages[-1].content)) is carry
    assert "tank.py" not in text_of(event.request.messages[-1].content)


def test_a_malformed_call_carries_its_words(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """It was rejected as well."""
    attempt = scene.reply(Text("I read it."), ToolCall("1", "read", '{"path'), stop=StopReason.TOOL_USE)
    run = run_turn(scene.plain, attempt, recording(), settings=TurnSettings(speculation_carry=True))
    assert run.outcome.ending is Ending.MALFORMED_TOOL_CALL
    assert [event.carried for event in forwarded(run)] == [True]


def test_a_local_tier_that_failed_has_nothing_to_carry(
    run_turn: RunTurn, recording: Any, scene: SimpleNamespace
) -> None:
    """The request goes as it is."""
    driver = recording({Rung.ATTEMPT: HttpStatusError(503)})
    run = run_turn(scene.plain, None, driver, settings=TurnSettings(speculation_carry=True))
    assert forwarded(run) == [happened.Forwarded(scene.plain, carried=False)]


def test_an_image_may_go_to_the_cloud_tier(run_turn: RunTurn, recording: Any) -> None:
    """The request is forwarded whole."""
    request = Request((), (Message(Role.USER, (Text("What is this?"), Media("image", {"url": "x"}))),))
    driver = recording()
    run_turn(request, None, driver, settings=TurnSettings(ask_cloud=True))
    assert [call.request for call in driver.calls] == [request]


# What the settings of a route give beside.


def test_without_a_latch_the_session_goes_on(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """Only the turns at the bar are escalated; the next better one is served local again."""
    state, endings = SessionState(), []
    for score in (0.81, 0.81, 0.81, 0.2):
        driver = recording({Rung.TURN_CHECK: score})
        settings = TurnSettings(latch_escalation=False)
        outcome = run_turn(scene.clean_run, scene.call, driver, state=state, settings=settings).outcome
        state = SessionState(outcome.streak, outcome.latched)
        endings.append((outcome.ending, outcome.served, outcome.latched))
    assert endings == [
        (Ending.TURN_VERIFICATION_COMPLETE, Route.LOCAL, False),
        (Ending.TURN_VERIFICATION_ESCALATED, Route.CLOUD, False),
        (Ending.TURN_VERIFICATION_ESCALATED, Route.CLOUD, False),
        (Ending.TURN_VERIFICATION_COMPLETE, Route.LOCAL, False),
    ]


def test_every_outcome_names_its_prompts(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """By the version of the set, decided or ended."""
    decided = run_turn(scene.plain, scene.prose, recording()).outcome
    ended = run_turn(scene.plain, None, recording(), settings=TurnSettings(mode=Mode.OFF)).outcome
    assert decided.prompt_set.startswith("vgr-")
    assert ended.prompt_set == decided.prompt_set


def test_breakers_of_its_own_are_as_the_settings_say(run_turn: RunTurn, scene: SimpleNamespace, recording: Any) -> None:
    """One failure opens the judge's; the next question is not sent."""
    driver = recording({Rung.READOUT: HttpStatusError(503)})
    settings = TurnSettings(forced_type=CHAT, breaker_threshold=1)
    run = run_turn(scene.plain, scene.prose, driver, settings=settings)
    assert run.row(Rung.DELIBERATION).error == "breaker open"
    assert [call.rung for call in driver.calls] == [Rung.READOUT, Rung.CLOUD_JUDGE, Rung.EVIDENCE_CONFIRM]
