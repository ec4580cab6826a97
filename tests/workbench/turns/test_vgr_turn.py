"""The VGR turn: short circuits, attempt, turn verification, typing, decision and events (SPEC 7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from routing_workbench.core.conversation.model import (
    Media,
    Message,
    Request,
    Role,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
)
from routing_workbench.core.vgr.branch import Branch
from routing_workbench.core.vgr.capabilities import TaskType, ToolErrors, ToolErrorSource
from routing_workbench.core.vgr.decision import ACTIVE_APPROVAL, Mode, ReadinessGate, Route
from routing_workbench.core.vgr.evidence import Ending, Miss, OriginKind, Rung
from routing_workbench.core.vgr.policy import POLICY_1_0_0
from routing_workbench.core.vgr.serving import ConfigurationError
from routing_workbench.core.vgr.signals import Signals, Verdict
from routing_workbench.workbench.drivers.protocol import (
    CallTimeout,
    Category,
    ContextOverflow,
    HttpStatusError,
    InvalidResponse,
    TransportError,
)
from routing_workbench.workbench.drivers.script import Script
from routing_workbench.workbench.turns import events as happened
from routing_workbench.workbench.turns.breaker import Breakers, CallResult
from routing_workbench.workbench.turns.failures import AttemptFailed
from routing_workbench.workbench.turns.kill_switch import KillSwitch
from routing_workbench.workbench.turns.outlook import will_ask
from routing_workbench.workbench.turns.session_state import SessionState
from routing_workbench.workbench.turns.settings import TurnSettings

RunTurn = Callable[..., Any]
IMAGE = Media("image", {"url": "https://pictures.example/tank.png"})


def open_breakers(category: Category = Category.LOCAL) -> Breakers:
    """Breakers of which one has just opened."""
    breakers = Breakers()
    for _ in range(5):
        breakers.of(category).record(CallResult.ENDPOINT_FAILURE, 0.0)
    return breakers


def with_image(*, nested: bool = False) -> Request:
    """A request with an image, directly or inside a tool result."""
    block = ToolResult("c1", (IMAGE,)) if nested else IMAGE
    return Request((), (Message(Role.USER, (Text("What is this?"), block)),))


# Short circuits


def short_circuits() -> list[tuple[Ending, dict[str, Any]]]:
    """Every condition in its order: each case meets its own and all later ones."""
    rest: dict[str, Any] = {"request": with_image()}
    cases = [(Ending.LOCAL_IMAGE_UNSUPPORTED, dict(rest))]
    for ending, more in (
        (Ending.TURN_VERIFICATION_LATCHED, {"state": SessionState(2, latched=True)}),
        (Ending.BREAKER_OPEN, {"breakers": open_breakers()}),
        (Ending.KILL_SWITCH, {"kill_switch": KillSwitch(engaged=True)}),
        (Ending.MODE_OFF, {"settings": TurnSettings(mode=Mode.OFF)}),
    ):
        rest |= more
        cases.insert(0, (ending, dict(rest)))
    return cases


@pytest.mark.parametrize(("ending", "keywords"), short_circuits(), ids=[ending for ending, _ in short_circuits()])
@pytest.mark.parametrize("pasted", [True, False], ids=["pasted", "not pasted"])
def test_short_circuit(
    run_turn: RunTurn, recording: Any, scene: SimpleNamespace, ending: Ending, keywords: dict[str, Any], pasted: bool
) -> None:
    """The first that applies wins; cloud serves and nobody is asked, a pasted attempt or not."""
    driver = recording()
    keywords = dict(keywords)
    run = run_turn(keywords.pop("request", scene.plain), scene.prose if pasted else None, driver, **keywords)
    assert (run.outcome.ending, run.outcome.served, run.outcome.decision) == (ending, Route.CLOUD, None)
    assert run.outcome.asked == ()
    assert driver.calls == []
    assert run.events[0] == happened.Ended(ending, Route.CLOUD)


def test_an_image_inside_a_tool_result_counts(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """The local tier would be sent it."""
    assert run_turn(with_image(nested=True), None, recording()).outcome.ending is Ending.LOCAL_IMAGE_UNSUPPORTED


def test_a_local_tier_that_reads_images_gets_them(run_turn: RunTurn, recording: Any) -> None:
    """The request is still unsupported, so nothing is asked of a judge and cloud serves."""
    run = run_turn(with_image(), None, recording(), settings=TurnSettings(local_supports_images=True))
    assert run.rungs == ["attempt", "typing"]
    assert run.outcome.decision.branch is Branch.UNKNOWN
    assert run.outcome.served is Route.CLOUD


def test_other_media_are_no_image(run_turn: RunTurn, recording: Any) -> None:
    """An audio block does not end the turn here."""
    request = Request((), (Message(Role.USER, (Text("Listen."), Media("audio", None))),))
    assert run_turn(request, None, recording()).outcome.ending is None


def test_a_released_kill_switch_lets_turns_through(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """It is read at the start of each turn."""
    switch = KillSwitch()
    switch.engage()
    switch.release()
    assert run_turn(scene.plain, scene.prose, recording(), kill_switch=switch).outcome.ending is None


def test_an_open_judge_breaker_fails_its_calls_unsent(
    run_turn: RunTurn, recording: Any, scene: SimpleNamespace
) -> None:
    """The turn goes on without that evidence."""
    driver = recording()
    run = run_turn(scene.plain, scene.prose, driver, breakers=open_breakers(Category.JUDGE))
    assert {(row.miss, row.error) for row in run.outcome.asked} == {(Miss.CALL_FAILED, "breaker open")}
    assert driver.calls == []
    assert not any(isinstance(event, happened.RungAsked) for event in run.events)
    assert run.outcome.served is Route.CLOUD


def test_mode_active_needs_its_approval(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """Else nothing runs."""
    driver = recording()
    with pytest.raises(ConfigurationError):
        run_turn(scene.plain, None, driver, settings=TurnSettings(mode=Mode.ACTIVE, approval="yes"))
    assert driver.calls == []


# The attempt


def test_a_pasted_attempt_is_not_asked_for(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """The local tier is left alone."""
    run = run_turn(scene.plain, scene.prose, recording())
    assert run.rungs == ["typing", "readout"]
    assert not any(isinstance(event, happened.AttemptProduced) for event in run.events)


def test_without_an_attempt_the_local_tier_is_asked_first(
    run_turn: RunTurn, recording: Any, scene: SimpleNamespace
) -> None:
    """What it writes is what is judged."""
    driver = recording({Rung.ATTEMPT: "It holds 41 litres."})
    run = run_turn(scene.plain, None, driver)
    assert run.rungs == ["attempt", "typing", "readout"]
    assert run.row(Rung.ATTEMPT).answer == "19 chars"
    assert "\n[assistant attempt] It holds 41 litres.\n\n" in driver.text_sent(Rung.READOUT)
    produced = next(event for event in run.events if isinstance(event, happened.AttemptProduced))
    assert produced.origin.kind is OriginKind.MOCK


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ContextOverflow("secret"), "context overflow"),
        (TransportError("secret"), "transport"),
        (CallTimeout("secret"), "timeout"),
        (HttpStatusError(403), "HTTP 403"),
        (HttpStatusError(408), "HTTP 408"),
        (HttpStatusError(429), "HTTP 429"),
        (HttpStatusError(500), "HTTP 500"),
        (HttpStatusError(503), "HTTP 503"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_eligible_failure_is_served_by_cloud(
    run_turn: RunTurn, recording: Any, scene: SimpleNamespace, error: Exception, words: str
) -> None:
    """local_unavailable, with the class and status in the record and nothing more."""
    run = run_turn(scene.plain, None, recording({Rung.ATTEMPT: error}))
    assert (run.outcome.ending, run.outcome.served) == (Ending.LOCAL_UNAVAILABLE, Route.CLOUD)
    assert run.rungs == ["attempt"]
    assert run.row(Rung.ATTEMPT).error == words
    assert "secret" not in repr(run.events)


@pytest.mark.parametrize(
    "error", [HttpStatusError(400), HttpStatusError(401), HttpStatusError(404), InvalidResponse("s")]
)
def test_any_other_failure_raises(run_turn: RunTurn, recording: Any, scene: SimpleNamespace, error: Exception) -> None:
    """A wrong key must not look like a routing decision."""
    with pytest.raises(AttemptFailed) as raised:
        run_turn(scene.plain, None, recording({Rung.ATTEMPT: error}))
    assert raised.value.rung is Rung.ATTEMPT
    assert raised.value.__cause__ is None
    assert raised.value.next_step


@pytest.mark.parametrize(
    ("call", "stop"),
    [
        (ToolCall("1", "read", {"path": "a"}), StopReason.MAX_TOKENS),
        (ToolCall("1", "read", '{"path": "a'), StopReason.TOOL_USE),
    ],
    ids=["cut off", "arguments are a string"],
)
def test_an_incomplete_tool_call_is_malformed(
    run_turn: RunTurn, recording: Any, scene: SimpleNamespace, call: ToolCall, stop: StopReason
) -> None:
    """Nothing is asked about it; cloud serves."""
    driver = recording()
    run = run_turn(scene.plain, scene.reply(call, stop=stop), driver)
    assert (run.outcome.ending, run.outcome.served) == (Ending.MALFORMED_TOOL_CALL, Route.CLOUD)
    assert driver.calls == []


# Turn verification


@pytest.mark.parametrize(
    ("score", "streak", "ending", "served", "after"),
    [
        (0.2, 0, Ending.TURN_VERIFICATION_COMPLETE, Route.LOCAL, SessionState()),
        (0.5, 0, Ending.TURN_VERIFICATION_COMPLETE, Route.LOCAL, SessionState(1)),
        (0.49, 1, Ending.TURN_VERIFICATION_COMPLETE, Route.LOCAL, SessionState()),
        (0.5, 1, Ending.TURN_VERIFICATION_ESCALATED, Route.CLOUD, SessionState(2, latched=True)),
        ("maybe", 1, Ending.TURN_VERIFICATION_COMPLETE, Route.LOCAL, SessionState(1)),
        (HttpStatusError(503), 1, Ending.TURN_VERIFICATION_COMPLETE, Route.LOCAL, SessionState(1)),
    ],
    ids=["fine", "first strike", "cleared", "latches", "no score", "check failed"],
)
def test_turn_verification(
    run_turn: RunTurn,
    recording: Any,
    scene: SimpleNamespace,
    score: Any,
    streak: int,
    ending: Ending,
    served: Route,
    after: SessionState,
) -> None:
    """A proposed call is judged in flight; the turn is served local unless this check latches."""
    run = run_turn(scene.clean_run, scene.call, recording({Rung.TURN_CHECK: score}), state=SessionState(streak))
    assert (run.outcome.ending, run.outcome.served) == (ending, served)
    assert SessionState(run.outcome.streak, run.outcome.latched) == after
    assert run.rungs == ["turn_check"]
    assert run.outcome.decision is None


def test_a_latched_session_stays_with_cloud(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """Two escalating turns in a row, then none is asked any more."""
    state, endings = SessionState(), []
    for _ in range(3):
        outcome = run_turn(scene.clean_run, scene.call, recording({Rung.TURN_CHECK: 0.81}), state=state).outcome
        state = SessionState(outcome.streak, outcome.latched)
        endings.append(outcome.ending)
    assert endings == [
        Ending.TURN_VERIFICATION_COMPLETE,
        Ending.TURN_VERIFICATION_ESCALATED,
        Ending.TURN_VERIFICATION_LATCHED,
    ]


def test_shadow_serves_a_verified_turn_by_cloud(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """The ending is the same."""
    run = run_turn(scene.clean_run, scene.call, recording(), settings=TurnSettings(mode=Mode.SHADOW))
    assert (run.outcome.ending, run.outcome.served) == (Ending.TURN_VERIFICATION_COMPLETE, Route.CLOUD)


def test_active_serves_a_verified_turn_locally(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """No readiness gate stands here."""
    settings = TurnSettings(mode=Mode.ACTIVE, approval=ACTIVE_APPROVAL)
    assert run_turn(scene.clean_run, scene.call, recording(), settings=settings).outcome.served is Route.LOCAL


def test_turn_verification_that_is_off_lets_the_rules_decide(
    run_turn: RunTurn, recording: Any, scene: SimpleNamespace
) -> None:
    """The proposed turn is judged like any attempt."""
    policy = replace(POLICY_1_0_0, turn_verification=replace(POLICY_1_0_0.turn_verification, enabled=False))
    run = run_turn(scene.clean_run, scene.call, recording(), policy=policy)
    assert run.outcome.decision.branch is Branch.AGENTIC_VERIFIED


# Typing and derivation


@pytest.mark.parametrize(
    ("said", "task_type", "branch"),
    [
        ("chat", TaskType.CHAT, Branch.CHAT),
        ("answer", TaskType.ANSWER, Branch.ANSWER),
        ("coding", TaskType.CODING, Branch.CODING_NO_CHECKS),
        ("agentic", TaskType.AGENTIC, Branch.AGENTIC_VERIFIED),
        ("abstain", None, Branch.DEFAULT_VERIFIED),
        ("I would say chat", None, Branch.DEFAULT_VERIFIED),
        (HttpStatusError(503), None, Branch.DEFAULT_VERIFIED),
    ],
    ids=["chat", "answer", "coding", "agentic", "abstain", "unparsable", "failed"],
)
def test_the_router_types_the_task(
    run_turn: RunTurn, recording: Any, scene: SimpleNamespace, said: Any, task_type: TaskType | None, branch: Branch
) -> None:
    """A type that is missed is an abstention."""
    run = run_turn(scene.plain, scene.prose, recording({Rung.TYPING: said}))
    assert (run.outcome.task_type, run.outcome.decision.branch) == (task_type, branch)


def test_a_forced_type_is_not_asked_for(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """It is taken as it is, and has no origin."""
    run = run_turn(scene.plain, scene.prose, recording(), settings=TurnSettings(forced_type=TaskType.CHAT))
    assert run.rungs == ["readout"]
    assert happened.Typed(TaskType.CHAT, None) in run.events


def test_typing_can_be_off(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """Then the router abstains."""
    run = run_turn(scene.plain, scene.prose, recording(), settings=TurnSettings(typing_enabled=False))
    assert run.rungs == ["readout"]
    assert run.outcome.task_type is None


def test_a_checker_makes_typing_needless(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """The branch is checks whatever the type, and the checker is the only evidence."""
    settings = TurnSettings(checker_configured=True, checker_validated=True)
    run = run_turn(scene.plain, scene.code, recording(), settings=settings)
    assert run.rungs == ["checker"]
    assert run.outcome.signals == Signals(tests_pass=Verdict.YES)
    assert run.outcome.served is Route.LOCAL


def test_a_blank_task_is_not_typed(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """There is nothing to send."""
    run = run_turn(Request((), (scene.message(Role.USER, " "),)), scene.prose, recording())
    assert run.outcome.asked == ()
    assert run.outcome.decision.branch is Branch.UNKNOWN


@pytest.mark.parametrize(
    ("provenance", "tool_errors", "rungs"),
    [
        (ToolErrorSource.HOST, ToolErrors(ToolErrorSource.HOST, 1), []),
        (ToolErrorSource.UNTRUSTED, ToolErrors(ToolErrorSource.UNTRUSTED, 1), []),
        (None, None, []),
    ],
)
def test_the_operator_says_who_vouches_for_the_tool_record(
    run_turn: RunTurn,
    recording: Any,
    scene: SimpleNamespace,
    provenance: ToolErrorSource | None,
    tool_errors: ToolErrors | None,
    rungs: list[str],
) -> None:
    """A failed run asks for nothing, nor does one whose record nobody vouches for."""
    settings = TurnSettings(forced_type=TaskType.AGENTIC, provenance=provenance)
    run = run_turn(scene.failed_run, scene.prose, recording(), settings=settings)
    derived = next(event for event in run.events if isinstance(event, happened.Derived))
    assert derived.derivation.capabilities.tool_errors == tool_errors
    assert derived.derivation.capabilities.tool_results == (None if provenance is None else 2)
    assert run.rungs == rungs


def test_a_recovered_run_is_gathered_for(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """One failure, then a clean last result."""
    settings = TurnSettings(forced_type=TaskType.AGENTIC)
    run = run_turn(scene.recovered_run, scene.prose, recording({Rung.READOUT: 0.1}), settings=settings)
    assert run.rungs == ["readout", "deliberation"]
    assert run.outcome.decision.resolved.recovered_run
    assert run.outcome.served is Route.LOCAL


def test_operator_declarations_reach_the_rules(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """A prior that clears its bar commits before anything is asked."""
    settings = TurnSettings(forced_type=TaskType.AGENTIC, prior_local=0.5)
    run = run_turn(scene.clean_run, scene.prose, recording(), settings=settings)
    assert run.outcome.decision.branch is Branch.AGENTIC_RECOGNIZED
    assert run.outcome.asked == ()
    assert run.outcome.served is Route.LOCAL


def test_a_structured_surface_asks_a_witness(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """Its answer agrees with the attempt, so the attempt is served."""
    driver = recording({Rung.READOUT: 0.1, Rung.DELIBERATION: "no", Rung.WITNESS: "40 litres"})
    settings = TurnSettings(forced_type=TaskType.ANSWER, structured_answer=True)
    attempt = scene.reply(Text("Answer: 40 litres"))
    run = run_turn(scene.plain, attempt, driver, settings=settings)
    assert run.rungs == ["readout", "deliberation", "witness"]
    assert run.outcome.signals.agreement is Verdict.YES
    assert run.outcome.served is Route.LOCAL
    assert "40" not in driver.text_sent(Rung.WITNESS)


# Decision and serving


@pytest.mark.parametrize(
    ("mode", "served"),
    [(Mode.SHADOW, Route.CLOUD), (Mode.EVALUATE, Route.LOCAL), (Mode.ACTIVE, Route.CLOUD)],
)
def test_a_commit_that_is_held_back(
    run_turn: RunTurn, recording: Any, scene: SimpleNamespace, mode: Mode, served: Route
) -> None:
    """Gathering stops at the predicted local; readiness and mode decide who serves."""
    settings = TurnSettings(mode=mode, approval=ACTIVE_APPROVAL)
    run = run_turn(scene.plain, scene.code, recording(), settings=settings)
    decision = run.outcome.decision
    assert (decision.predicted, decision.effective) == (Route.LOCAL, Route.CLOUD)
    assert decision.readiness_gate is ReadinessGate.SECURE_CHECKER_MISSING
    assert run.rungs == ["typing", "readout"]
    assert run.outcome.served is served


def test_a_validated_checker_lifts_the_gate(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """Then active serves the attempt."""
    settings = TurnSettings(mode=Mode.ACTIVE, approval=ACTIVE_APPROVAL, checker_validated=True)
    assert run_turn(scene.plain, scene.code, recording(), settings=settings).outcome.served is Route.LOCAL


def test_events_come_in_the_order_of_the_turn(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """From the attempt to the outcome, each question announced and reported."""
    run = run_turn(scene.plain, None, recording())
    stages = [
        (type(event).__name__, getattr(event, "stage", None) or getattr(event, "rung", "")) for event in run.events
    ]
    assert stages == [
        ("StageStarted", "attempt"),
        ("RungAsked", "attempt"),
        ("RungAnswered", ""),
        ("AttemptProduced", ""),
        ("StageStarted", "typing"),
        ("RungAsked", "typing"),
        ("RungAnswered", ""),
        ("Typed", ""),
        ("Derived", ""),
        ("StageStarted", "evidence"),
        ("RungAsked", "readout"),
        ("RungAnswered", ""),
        ("Stopped", ""),
        ("Decided", ""),
        ("TurnOutcome", ""),
    ]


def test_a_miss_is_reported_as_one(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """With the same row that the outcome keeps."""
    run = run_turn(scene.plain, scene.prose, recording({Rung.READOUT: HttpStatusError(503)}))
    (missed,) = [event for event in run.events if isinstance(event, happened.RungMissed)]
    assert missed.asked == run.row(Rung.READOUT)
    assert (missed.asked.miss, missed.asked.error) == (Miss.CALL_FAILED, "HTTP 503")


def test_rows_carry_origin_and_times(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """Seconds since the turn began; the mock's delays are 30, 6 and 8 ms."""
    run = run_turn(scene.plain, None, recording())
    assert {row.origin.label for row in run.outcome.asked} == {"seed 7"}
    assert [(round(row.started, 6), round(row.took, 6)) for row in run.outcome.asked] == [
        (0.0, 0.03),
        (0.03, 0.006),
        (0.036, 0.008),
    ]


def test_records_hold_no_content(run_turn: RunTurn, recording: Any, scene: SimpleNamespace) -> None:
    """Neither the conversation nor what a model said is in any event's repr."""
    driver = recording({Rung.TYPING: "abstain", Rung.READOUT: 0.1, Rung.DELIBERATION: "The kraken objects.\nno"})
    run = run_turn(scene.plain, scene.prose, driver, settings=TurnSettings(diagnose=True))
    for word in ("litres", "tank", "ann@", "kraken"):
        assert word not in repr(run.events)


# What will be asked


def test_what_a_turn_will_ask(recording: Any, scene: SimpleNamespace) -> None:
    """As far as it is known before it runs."""
    typed = TurnSettings(forced_type=TaskType.CHAT)
    assert will_ask(scene.plain, None, recording()) == (Rung.ATTEMPT, Rung.TYPING)
    assert will_ask(scene.plain, scene.prose, recording()) == (Rung.TYPING,)
    assert will_ask(scene.clean_run, scene.call, recording()) == (Rung.TURN_CHECK,)
    assert will_ask(scene.plain, None, recording(), typed) == (Rung.ATTEMPT,)
    assert will_ask(scene.plain, scene.prose, recording(), typed) == (Rung.READOUT, Rung.DELIBERATION, Rung.CLOUD_JUDGE)
    without = recording(script=Script(cloud_judge=False))
    assert will_ask(scene.plain, scene.prose, without, typed) == (Rung.READOUT, Rung.DELIBERATION)


def test_the_cloud_tier_is_announced_where_it_will_be_asked(recording: Any, scene: SimpleNamespace) -> None:
    """As the last one, where nothing affirms; a prior that commits leaves it alone, and `off` asks nobody else."""
    chat = TurnSettings(forced_type=TaskType.CHAT, ask_cloud=True)
    rungs = (Rung.READOUT, Rung.DELIBERATION, Rung.CLOUD_JUDGE, Rung.CAPABLE)
    assert will_ask(scene.plain, scene.prose, recording(), chat) == rungs
    prior = TurnSettings(forced_type=TaskType.AGENTIC, prior_local=0.9, ask_cloud=True)
    assert will_ask(scene.clean_run, scene.prose, recording(), prior) == ()
    assert will_ask(scene.plain, None, recording(), replace(chat, mode=Mode.OFF)) == (Rung.CAPABLE,)
    assert will_ask(scene.plain, None, recording(), TurnSettings(mode=Mode.OFF)) == ()
