"""A driver with a checker: who answers what, which endings are answers, and whole turns on branch `checks`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from routing_workbench.core.conversation.model import Message, Output, Request, Response, Role, StopReason, Text
from routing_workbench.core.vgr.branch import Branch
from routing_workbench.core.vgr.decision import ACTIVE_APPROVAL, Mode, ReadinessGate, Route
from routing_workbench.core.vgr.evidence import Asked, Miss, Origin, OriginKind, Rung, TurnOutcome
from routing_workbench.core.vgr.signals import Verdict
from routing_workbench.core.vgr.verdicts import parse_verdict
from routing_workbench.workbench.checker.checker import Checker
from routing_workbench.workbench.checker.outcome import CheckerEnding, CheckerOutcome
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.protocol import (
    Call,
    CallTimeout,
    Category,
    Driver,
    InvalidResponse,
    Question,
    Reply,
)
from routing_workbench.workbench.drivers.with_checker import NotChecked, WithChecker
from routing_workbench.workbench.turns.settings import TurnSettings
from routing_workbench.workbench.turns.vgr import run_vgr_turn

MakeChecker = Callable[..., Checker]
NO_ANSWER = [
    CheckerEnding.KILLED_BY_SIGNAL,
    CheckerEnding.NOT_STARTED,
    CheckerEnding.MATERIALIZE_FAILED,
    CheckerEnding.TESTS_CHANGED_BEFORE,
    CheckerEnding.TESTS_CHANGED_AFTER,
    CheckerEnding.WORKSPACE_FAILED,
]


def call(text: str = "", rung: Rung = Rung.CHECKER, category: Category = Category.CHECKER) -> Call:
    """A call whose only message is this attempt."""
    return Call(rung, category, Request((), (Message(Role.ASSISTANT, (Text(text),)),)), 30.0)


async def no_wait(seconds: float) -> None:
    """A sleep that takes no time."""


def mock() -> MockDriver:
    """A mock that answers at once, and would affirm a check."""
    return MockDriver(sleep=no_wait)


@pytest.fixture
def ending_as(checker: MakeChecker, monkeypatch: pytest.MonkeyPatch) -> Callable[[CheckerEnding], Driver]:
    """A driver whose checks end like this."""

    def make(ending: CheckerEnding) -> Driver:
        async def run(self: Checker, attempt_text: str, seconds: float) -> CheckerOutcome:
            return CheckerOutcome(ending, 0.5)

        monkeypatch.setattr(Checker, "run", run)
        return WithChecker(mock(), checker("pass"))

    return make


def test_exit_status_0_is_a_yes(checker: MakeChecker) -> None:
    """The note names exit status and tests; the mock is not asked."""
    made = checker("import sys; sys.exit(open('attempt.md').read() != '40 litres')")
    reply: Reply = asyncio.run(WithChecker(mock(), made).complete(call("40 litres")))
    assert parse_verdict(reply.response) is Verdict.YES
    assert reply.note == f"exit status 0, tests {made.manifest_hash}, no sandbox"


def test_another_exit_status_is_a_no(checker: MakeChecker) -> None:
    """The command said so."""
    reply = asyncio.run(WithChecker(mock(), checker("raise SystemExit(3)")).complete(call()))
    assert parse_verdict(reply.response) is Verdict.NO
    assert reply.note.startswith("exit status 3, ")


def test_running_out_of_time_is_a_timeout(ending_as: Callable[[CheckerEnding], Driver]) -> None:
    """As any other call's."""
    with pytest.raises(CallTimeout) as raised:
        asyncio.run(ending_as(CheckerEnding.TIMED_OUT).complete(call()))
    assert raised.value.rung is Rung.CHECKER


@pytest.mark.parametrize("ending", NO_ANSWER)
def test_all_other_endings_are_no_answer(ending_as: Callable[[CheckerEnding], Driver], ending: CheckerEnding) -> None:
    """The error names the ending."""
    with pytest.raises(NotChecked) as raised:
        asyncio.run(ending_as(ending).complete(call()))
    assert (raised.value.ending, raised.value.rung) == (ending, Rung.CHECKER)


def test_every_ending_is_an_answer_a_timeout_or_none() -> None:
    """No ending is forgotten."""
    named = {CheckerEnding.PASSED, CheckerEnding.FAILED, CheckerEnding.TIMED_OUT, *NO_ANSWER}
    assert named == set(CheckerEnding)


def test_a_call_of_several_messages_is_refused(checker: MakeChecker) -> None:
    """It would not be clear what to check."""
    message = Message(Role.ASSISTANT, (Text("a"),))
    two = Call(Rung.CHECKER, Category.CHECKER, Request((), (message, message)), 30.0)
    with pytest.raises(InvalidResponse):
        asyncio.run(WithChecker(mock(), checker("pass")).complete(two))


def test_a_check_is_live_and_the_rest_is_the_drivers(checker: MakeChecker) -> None:
    """A command that really runs is no mock."""
    driver = WithChecker(mock(), checker("pass", command=("/bin/true",)))
    assert driver.origin == Origin(OriginKind.MOCK, "seed 7")
    assert driver.origin_for(Category.CHECKER) == Origin(OriginKind.LIVE, "checker true")
    assert driver.origin_for(Category.JUDGE) == mock().origin_for(Category.JUDGE)
    assert driver.models_for(Category.CHECKER) == ("true",)
    assert driver.models_for(Category.JUDGE) == ("mock-judge",)


def test_the_driver_answers_all_other_calls(checker: MakeChecker) -> None:
    """Completions and decisions as well."""
    driver = WithChecker(mock(), checker("raise SystemExit(1)"))
    judged = call(rung=Rung.CLOUD_JUDGE, category=Category.CLOUD_JUDGE)
    question = Question("q", "Which?", ("a", "b"), [], 30.0)
    assert asyncio.run(driver.complete(judged)) == asyncio.run(mock().complete(judged))
    assert asyncio.run(driver.decide(question)) == asyncio.run(mock().decide(question))


def test_closing_closes_the_driver_and_keeps_the_checker(checker: MakeChecker) -> None:
    """The checker goes on with the next driver."""

    class Closed(MockDriver):
        times = 0

        async def aclose(self) -> None:
            self.times += 1

    inner, made = Closed(), checker("pass")
    asyncio.run(WithChecker(inner, made).aclose())
    assert inner.times == 1
    assert asyncio.run(WithChecker(mock(), made).complete(call())).note.startswith("exit status 0")


# Whole turns


def turn(driver: Driver, attempt: str = "40 litres", **settings: Any) -> TurnOutcome:
    """A turn on branch `checks`, on a loop of real time."""
    request = Request((), (Message(Role.USER, (Text("How many litres fit into the tank?"),)),))
    response = Response((Output(Role.ASSISTANT, (Text(attempt),), StopReason.END_TURN),))
    given = TurnSettings(checker_configured=True, **settings)

    async def run() -> TurnOutcome:
        events = [e async for e in run_vgr_turn(request, attempt=response, driver=driver, settings=given)]
        assert isinstance(events[-1], TurnOutcome)
        return events[-1]

    return asyncio.run(run())


def row(outcome: TurnOutcome) -> Asked:
    """The one row of a turn on branch `checks`, which asks the checker alone."""
    assert outcome.decision is not None
    assert outcome.decision.branch is Branch.CHECKS
    (only,) = outcome.asked
    assert only.rung is Rung.CHECKER
    return only


PASSES_ON_40 = "import sys; sys.exit(open('attempt.md').read() != '40 litres')"


def test_a_validated_checker_that_passes_serves_local(checker: MakeChecker) -> None:
    """Also in mode active, where the readiness gate holds."""
    made = checker(PASSES_ON_40, validated=True)
    outcome = turn(
        WithChecker(mock(), made), checker_validated=made.validated, mode=Mode.ACTIVE, approval=ACTIVE_APPROVAL
    )
    assert (row(outcome).value, row(outcome).answer, row(outcome).miss) == (Verdict.YES, "yes", None)
    assert row(outcome).origin == Origin(OriginKind.LIVE, f"checker {made.name}")
    assert outcome.served is Route.LOCAL


def test_a_checker_that_is_not_validated_is_held_back(checker: MakeChecker) -> None:
    """Local is predicted and cloud is served, where the gate counts."""
    made = checker(PASSES_ON_40)
    outcome = turn(
        WithChecker(mock(), made), checker_validated=made.validated, mode=Mode.ACTIVE, approval=ACTIVE_APPROVAL
    )
    assert outcome.decision is not None
    assert (outcome.decision.predicted, outcome.decision.effective) == (Route.LOCAL, Route.CLOUD)
    assert outcome.decision.readiness_gate is ReadinessGate.SECURE_CHECKER_MISSING
    assert outcome.served is Route.CLOUD


def test_a_checker_that_fails_serves_cloud(checker: MakeChecker) -> None:
    """The rest of the ladder is not asked, though it would affirm."""
    outcome = turn(WithChecker(mock(), checker(PASSES_ON_40)), "41 litres", checker_validated=True)
    assert (row(outcome).value, row(outcome).miss) == (Verdict.NO, None)
    assert outcome.served is Route.CLOUD


@pytest.mark.parametrize("ending", NO_ANSWER)
def test_no_answer_is_a_failed_call_and_unknown(
    ending_as: Callable[[CheckerEnding], Driver], ending: CheckerEnding
) -> None:
    """The record names the ending, and cloud serves."""
    outcome = turn(ending_as(ending), checker_validated=True)
    assert row(outcome).miss is Miss.CALL_FAILED
    assert row(outcome).error == f"checker: {ending.value.replace('_', ' ')}"
    assert outcome.signals.tests_pass is Verdict.UNKNOWN
    assert outcome.served is Route.CLOUD


def test_a_command_that_outlasts_the_turns_deadline_is_timed_out(checker: MakeChecker) -> None:
    """The turn's own deadline ends it, the tree included."""
    outcome = turn(WithChecker(mock(), checker("import time; time.sleep(60)")), checker_validated=True, deadline=0.5)
    assert row(outcome).miss is Miss.TIMED_OUT
    assert outcome.signals.tests_pass is Verdict.UNKNOWN
    assert outcome.served is Route.CLOUD
