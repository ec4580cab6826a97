"""Every rung under every fault, through the whole runner: what the SPEC says happens, and the next turn works.

Nothing here is a table of outputs: what a fault does to a call is one rule, what a lost call does to a turn another.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from enum import StrEnum
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from routing_workbench.core.conversation.model import Message, Request, Role, Text
from routing_workbench.core.cutoffs.config import CutoffsConfig, Rule
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.escalation.outcome import Fallback
from routing_workbench.core.vgr.branch import Branch
from routing_workbench.core.vgr.capabilities import TaskType
from routing_workbench.core.vgr.decision import Route
from routing_workbench.core.vgr.evidence import VGR_RUNGS, Asked, Ending, Miss, Rung
from routing_workbench.core.vgr.signals import Verdict
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.script import Fault, Script
from routing_workbench.workbench.turns.breaker import Breakers
from routing_workbench.workbench.turns.cutoffs import run_cutoffs
from routing_workbench.workbench.turns.escalation import replay_escalation
from routing_workbench.workbench.turns.failures import AttemptFailed, EfficientFailed, JudgeFailed, RungFailed
from routing_workbench.workbench.turns.session_state import SessionState
from routing_workbench.workbench.turns.settings import TurnSettings
from routing_workbench.workbench.turns.vgr import run_vgr_turn

FAULTS = [fault for fault in Fault if fault is not Fault.NONE]
#: Rungs whose reply is read from the probabilities of its first token, and those that write for the user.
SCORED = (Rung.READOUT, Rung.TURN_CHECK)
TIERS = (Rung.ATTEMPT, Rung.EFFICIENT, Rung.CAPABLE)


class Effect(StrEnum):
    """What a fault leaves of a call."""

    FAILED = "the call fails"
    UNREADABLE = "a reply comes that says nothing"
    DISAGREES = "the reply is read, and says something else"
    READ = "the reply is read as if nothing were wrong"


def effect(fault: Fault, rung: Rung) -> Effect:
    """The rule (SPEC 5): what is no reply fails; what is one counts only as far as its rung can read it."""
    if fault not in (Fault.EMPTY, Fault.HEDGE, Fault.NO_LOGPROBS, Fault.NAN, Fault.CUT):
        return Effect.FAILED
    if rung in TIERS:
        return Effect.READ  # any text is a reply to the user; whether it is a good one is for the judges
    if fault is Fault.HEDGE and rung is Rung.WITNESS:
        return Effect.DISAGREES  # any last line is a witness's answer; this one agrees with no attempt
    if fault in (Fault.NO_LOGPROBS, Fault.NAN) and rung not in (*SCORED, Rung.ROUTE):
        return Effect.READ  # nobody asked for probabilities
    if fault is Fault.CUT and rung in SCORED:
        return Effect.READ  # its first token is there, and nothing else is read
    return Effect.UNREADABLE


def words(fault: Fault) -> str:
    """The class or status that a record names."""
    name = fault.value
    if name.startswith("HTTP "):
        return name.partition(",")[0]
    if name.startswith("timeout"):
        return "timeout"
    if fault in (Fault.REFUSED, Fault.DNS, Fault.TLS, Fault.TRUNCATED):
        return "transport"
    return name if fault is Fault.CONTEXT_OVERFLOW else "invalid response"


def status(fault: Fault) -> int | None:
    """The HTTP status, if it is one."""
    return int(words(fault).removeprefix("HTTP ")) if fault.value.startswith("HTTP ") else None


def check_row(row: Asked, fault: Fault) -> None:
    """The row names the reason, and holds nothing that could be taken for evidence."""
    what = effect(fault, row.rung)
    if what is Effect.READ:
        assert row.miss is None
        return
    if what is Effect.DISAGREES:
        assert (row.miss, row.value) == (None, Verdict.NO)
        return
    assert row.value in (None, Verdict.UNKNOWN)
    if what is Effect.FAILED:
        assert row.miss is (Miss.TIMED_OUT if words(fault) == "timeout" else Miss.CALL_FAILED)
        assert row.error == words(fault)
    else:
        assert (row.miss, row.error) == (Miss.UNPARSABLE, "")
        assert row.note


async def taken(run: AsyncIterator[Any]) -> list[Any]:
    """All events of a run."""
    return [event async for event in run]


Twice = Callable[..., tuple[list[Any] | RungFailed, list[Any]]]


@pytest.fixture
def twice(virtually: Any) -> Twice:
    """Run under a fault and then, on the same loop and driver, without it. Only typed failures may come out."""

    def go(run: Callable[[Any], AsyncIterator[Any]], driver: MockDriver, rung: Rung, fault: Fault) -> Any:
        async def both() -> Any:
            driver.script = driver.script.edited(rung, fault=fault)
            faulty: list[Any] | RungFailed
            try:
                faulty = await taken(run(driver))
            except RungFailed as error:
                faulty = error
            driver.script = driver.script.without_faults()
            return faulty, await taken(run(driver))

        return virtually(both())

    return go


# Verification-gated routing.


class Case(NamedTuple):
    """A turn in which one rung alone makes the difference."""

    request: Request
    attempt: Any
    script: Script
    settings: TurnSettings


DENYING = {
    Rung.READOUT: "0.01", Rung.DELIBERATION: "no", Rung.CHECKER: "no", Rung.WITNESS: "n/a", Rung.EVIDENCE_STRICT: "no",
    Rung.ANSWER_VERIFIER: "no", Rung.EVIDENCE_VERIFIER: "no", Rung.CLOUD_JUDGE: "no", Rung.EVIDENCE_CONFIRM: "no",
}  # fmt: skip


def scripted(**answers: str) -> Script:
    """Everything denies but these rungs."""
    script = Script()
    for rung, answer in {**DENYING, **{Rung(name): answer for name, answer in answers.items()}}.items():
        script = script.edited(rung, answer=answer)
    return script


def decisive(rung: Rung, scene: SimpleNamespace) -> Case:
    """A turn that commits on this rung's answer and on nobody else's."""
    answer = TurnSettings(forced_type=TaskType.ANSWER, structured_answer=True)
    chat = TurnSettings(forced_type=TaskType.CHAT)
    plain = TurnSettings(typing_enabled=False)
    forty = scene.reply(Text("Answer: 40 litres"))
    match rung:
        case Rung.READOUT:
            return Case(scene.plain, scene.prose, scripted(readout="0.96"), plain)
        case Rung.DELIBERATION:
            return Case(scene.plain, scene.prose, scripted(deliberation="yes"), plain)
        case Rung.CHECKER:
            checked = TurnSettings(checker_configured=True, checker_validated=True)
            return Case(scene.plain, scene.code, scripted(checker="yes"), checked)
        case Rung.WITNESS:
            return Case(scene.plain, forty, scripted(witness="40 litres"), answer)
        case Rung.ANSWER_VERIFIER | Rung.EVIDENCE_VERIFIER:
            return Case(scene.plain, forty, scripted(**{rung.value: "yes"}), answer)
        case Rung.CLOUD_JUDGE | Rung.EVIDENCE_CONFIRM:
            return Case(scene.plain, scene.prose, scripted(cloud_judge="yes", evidence_confirm="yes"), chat)
    raise AssertionError(f"{rung} is not evidence of production")


EVIDENCE = (
    Rung.CHECKER, Rung.READOUT, Rung.DELIBERATION, Rung.WITNESS, Rung.ANSWER_VERIFIER, Rung.EVIDENCE_VERIFIER,
    Rung.CLOUD_JUDGE, Rung.EVIDENCE_CONFIRM,
)  # fmt: skip


def turns_of(case: Case, **keywords: Any) -> Callable[[Any], AsyncIterator[Any]]:
    """The turn, ready to be run on a driver, with breakers that both runs share."""
    breakers = Breakers()

    def run(driver: Any) -> AsyncIterator[Any]:
        return run_vgr_turn(
            case.request, attempt=case.attempt, driver=driver, settings=case.settings, breakers=breakers, **keywords
        )

    return run


def row_of(events: list[Any], rung: Rung) -> Asked:
    """The one row of this rung."""
    (row,) = [row for row in events[-1].asked if row.rung is rung]
    return row


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("rung", EVIDENCE, ids=str)
def test_evidence(twice: Twice, scene: SimpleNamespace, rung: Rung, fault: Fault) -> None:
    """Lost evidence never commits, whichever it is; found again it does."""
    case = decisive(rung, scene)
    faulty, sound = twice(turns_of(case), MockDriver(case.script), rung, fault)
    assert isinstance(faulty, list)
    check_row(row_of(faulty, rung), fault)
    lost = effect(fault, rung) is not Effect.READ
    assert faulty[-1].decision.predicted is faulty[-1].served is (Route.CLOUD if lost else Route.LOCAL)
    assert sound[-1].served is Route.LOCAL
    assert "litres" not in repr(faulty)


@pytest.mark.parametrize("fault", FAULTS)
def test_the_strict_judgement(twice: Twice, scene: SimpleNamespace, fault: Fault) -> None:
    """A readout over the coding dial counts for nothing once the judge that was consulted is lost."""
    case = Case(
        scene.plain, scene.code, scripted(readout="0.62", cloud_judge="yes"), TurnSettings(forced_type=TaskType.CODING)
    )
    faulty, sound = twice(turns_of(case), MockDriver(case.script), Rung.CLOUD_JUDGE, fault)
    assert isinstance(faulty, list)
    check_row(row_of(faulty, Rung.CLOUD_JUDGE), fault)
    lost = effect(fault, Rung.CLOUD_JUDGE) is not Effect.READ
    assert faulty[-1].served is (Route.CLOUD if lost else Route.LOCAL)
    assert sound[-1].served is Route.LOCAL


@pytest.mark.parametrize("fault", FAULTS)
def test_the_attempt(twice: Twice, scene: SimpleNamespace, fault: Fault) -> None:
    """Cloud steps in for an eligible failure; another raises; a reply is judged as it is, and a blank one by nobody."""
    case = Case(scene.plain, None, Script(), TurnSettings(typing_enabled=False))
    faulty, sound = twice(turns_of(case), MockDriver(case.script), Rung.ATTEMPT, fault)
    assert sound[-1].served is Route.LOCAL
    code = status(fault)
    if effect(fault, Rung.ATTEMPT) is Effect.READ:
        assert isinstance(faulty, list)
        blank = fault is Fault.EMPTY
        assert (faulty[-1].decision.branch is Branch.UNKNOWN) is blank
        assert [row.rung for row in faulty[-1].asked] == [Rung.ATTEMPT] + [Rung.READOUT] * (not blank)
        assert faulty[-1].served is (Route.CLOUD if blank else Route.LOCAL)
    elif words(fault) in ("context overflow", "transport", "timeout") or code in (403, 408, 429) or (code or 0) >= 500:
        assert isinstance(faulty, list)
        check_row(row_of(faulty, Rung.ATTEMPT), fault)
        assert (faulty[-1].ending, faulty[-1].served) == (Ending.LOCAL_UNAVAILABLE, Route.CLOUD)
    else:
        assert isinstance(faulty, AttemptFailed)
        assert faulty.error == words(fault)


@pytest.mark.parametrize("fault", FAULTS)
def test_typing(twice: Twice, scene: SimpleNamespace, fault: Fault) -> None:
    """A type that is lost is an abstention, and the turn goes on."""
    case = Case(scene.plain, scene.prose, scripted(typing="chat", deliberation="yes"), TurnSettings())
    faulty, sound = twice(turns_of(case), MockDriver(case.script), Rung.TYPING, fault)
    assert isinstance(faulty, list)
    check_row(row_of(faulty, Rung.TYPING), fault)
    lost = effect(fault, Rung.TYPING) is not Effect.READ
    assert faulty[-1].task_type is (None if lost else TaskType.CHAT)
    assert faulty[-1].decision.branch is (Branch.DEFAULT_VERIFIED if lost else Branch.CHAT)
    assert sound[-1].decision.branch is Branch.CHAT


@pytest.mark.parametrize("fault", FAULTS)
def test_the_turn_check(twice: Twice, scene: SimpleNamespace, fault: Fault) -> None:
    """No score leaves the streak: the strike that would have latched is not given."""
    case = Case(scene.clean_run, scene.call, scripted(turn_check="0.81"), TurnSettings())
    run = turns_of(case, state=SessionState(1))
    faulty, sound = twice(run, MockDriver(case.script), Rung.TURN_CHECK, fault)
    assert isinstance(faulty, list)
    check_row(row_of(faulty, Rung.TURN_CHECK), fault)
    lost = effect(fault, Rung.TURN_CHECK) is not Effect.READ
    expected = (Ending.TURN_VERIFICATION_COMPLETE, 1) if lost else (Ending.TURN_VERIFICATION_ESCALATED, 2)
    assert (faulty[-1].ending, faulty[-1].streak) == expected
    assert (sound[-1].ending, sound[-1].latched) == (Ending.TURN_VERIFICATION_ESCALATED, True)


@pytest.mark.parametrize("fault", FAULTS)
def test_extra_evidence(twice: Twice, scene: SimpleNamespace, fault: Fault) -> None:
    """What is asked for diagnosis only is lost without a trace in the decision."""
    settings = TurnSettings(forced_type=TaskType.CODING, diagnose=True)
    case = Case(scene.plain, scene.code, scripted(evidence_strict="yes"), settings)
    faulty, sound = twice(turns_of(case), MockDriver(case.script), Rung.EVIDENCE_STRICT, fault)
    assert isinstance(faulty, list)
    row = row_of(faulty, Rung.EVIDENCE_STRICT)
    check_row(row, fault)
    assert row.extra
    assert (faulty[-1].decision, faulty[-1].signals) == (sound[-1].decision, sound[-1].signals)


@pytest.mark.parametrize("fault", FAULTS)
def test_the_cloud_tier(twice: Twice, scene: SimpleNamespace, fault: Fault) -> None:
    """The decision is made by then: cloud serves, and the row says what became of its reply."""
    case = Case(scene.plain, scene.prose, scripted(), TurnSettings(ask_cloud=True))
    faulty, sound = twice(turns_of(case), MockDriver(case.script), Rung.CAPABLE, fault)
    assert isinstance(faulty, list)
    check_row(row_of(faulty, Rung.CAPABLE), fault)
    assert (faulty[-1].decision, faulty[-1].served) == (sound[-1].decision, Route.CLOUD)


def test_every_rung_is_met_above() -> None:
    """A new rung needs its row here."""
    assert set(EVIDENCE) | {Rung.ATTEMPT, Rung.TYPING, Rung.TURN_CHECK, Rung.EVIDENCE_STRICT} == set(VGR_RUNGS)


# Ordered cutoffs.

CUTOFFS = CutoffsConfig((("small", "m-8b"), ("large", "m-big")), (Rule("small", 0.5),), "large")
OPEN = CutoffsConfig(CUTOFFS.candidates, CUTOFFS.rules, CUTOFFS.fallback, fail_open=True)


def reason_code(fault: Fault) -> str:
    """The reason that a decision fails open with (SPEC 6.1)."""
    code = status(fault)
    if code is not None:
        return "upstream_5xx" if code >= 500 else "upstream_non_5xx"
    known = {"timeout": "timeout", "transport": "transport", "context overflow": "client_error"}
    return known.get(words(fault), "invalid_response")


@pytest.mark.parametrize("config", [CUTOFFS, OPEN], ids=["closed", "open"])
@pytest.mark.parametrize("fault", FAULTS)
def test_the_route_question(twice: Twice, scene: SimpleNamespace, fault: Fault, config: CutoffsConfig) -> None:
    """A lost answer takes the fallback; a failed call does so only where the operator lets it, else it raises."""
    run = partial(run_cutoffs, scene.plain, config=config)
    driver = MockDriver(Script(probabilities={"small": 0.9}))
    faulty, sound = twice(lambda on: run(driver=on), driver, Rung.ROUTE, fault)
    assert (sound[-1].decision.label, sound[-1].decision.confidence) == ("small", 1.0)
    failed = effect(fault, Rung.ROUTE) is Effect.FAILED
    if failed and not config.fail_open:
        assert isinstance(faulty, JudgeFailed)
        assert faulty.error == words(fault)
        return
    assert isinstance(faulty, list)
    check_row(faulty[-1].asked, fault)
    decision = faulty[-1].decision
    assert (decision.label, decision.confidence, decision.rule) == ("large", 0.0, None)
    assert decision.reason_code == (reason_code(fault) if failed else "invalid_verdict")


# The escalation judge.

LIVE = Request(
    (),
    (
        Message(Role.USER, (Text("Make the harbour test pass."),)),
        Message(Role.ASSISTANT, (Text("I try."),)),
        Message(Role.USER, (Text("Go on."),)),
    ),
)


def replayed(**answers: str) -> tuple[Callable[[Any], AsyncIterator[Any]], MockDriver]:
    """A session of one pasted and one live turn, with a handoff note, and a mock that answers so."""
    config = EscalationConfig(confirmations=2, handoff_note="You take over.")
    script = Script()
    for rung, answer in answers.items():
        script = script.edited(Rung(rung), answer=answer)
    return lambda driver: replay_escalation(LIVE, driver=driver, config=config), MockDriver(script)


@pytest.mark.parametrize("fault", FAULTS)
def test_the_escalation_judge(twice: Twice, fault: Fault) -> None:
    """A verdict that is lost is unavailable: the streak stays, and the held reply is served."""
    run, driver = replayed(escalation_judge="escalate")
    faulty, sound = twice(run, driver, Rung.ESCALATION_JUDGE, fault)
    assert isinstance(faulty, list)
    lost = effect(fault, Rung.ESCALATION_JUDGE) is not Effect.READ
    for turn in faulty[-1].turns:
        (row,) = [row for row in turn.asked if row.rung is Rung.ESCALATION_JUDGE]
        check_row(row, fault)
        assert (turn.verdict == "unavailable") is lost
        assert bool(turn.absent) is lost
    served = [Route.LOCAL, Route.LOCAL if lost else Route.CLOUD]
    assert [turn.served for turn in faulty[-1].turns] == served
    assert [turn.streak_after for turn in faulty[-1].turns] == ([0, 0] if lost else [1, 2])
    assert [turn.evidence for turn in sound[-1].turns] == ["pending", "escalate"]
    assert "harbour" not in repr(faulty)


@pytest.mark.parametrize("fault", FAULTS)
def test_the_efficient_tier(twice: Twice, fault: Fault) -> None:
    """The capable one steps in for an overflow or a broken connection, without the note; all else raises."""
    run, driver = replayed(escalation_judge="escalate, decline")
    faulty, sound = twice(run, driver, Rung.EFFICIENT, fault)
    assert [turn.served for turn in sound[-1].turns] == [Route.LOCAL, Route.LOCAL]
    if effect(fault, Rung.EFFICIENT) is Effect.READ:
        assert isinstance(faulty, list)
        assert [turn.evidence for turn in faulty[-1].turns] == ["pending", "continue"]
    elif words(fault) in ("context overflow", "transport"):
        assert isinstance(faulty, list)
        live = faulty[-1].turns[1]
        check_row(live.asked[0], fault)
        assert live.fallback is (Fallback.TRANSPORT if words(fault) == "transport" else Fallback.CONTEXT_OVERFLOW)
        assert (live.served, live.verdict, live.evidence, live.note_sent) == (Route.CLOUD, None, None, False)
        assert (live.streak_before, live.streak_after) == (1, 1)
    else:
        assert isinstance(faulty, EfficientFailed)
        assert faulty.error == words(fault)


@pytest.mark.parametrize("fault", FAULTS)
def test_the_capable_tier(twice: Twice, fault: Fault) -> None:
    """It serves by then; the row says what became of its reply."""
    run, driver = replayed(escalation_judge="escalate")
    faulty, sound = twice(run, driver, Rung.CAPABLE, fault)
    assert isinstance(faulty, list)
    live = faulty[-1].turns[1]
    check_row(live.asked[-1], fault)
    assert (live.served, live.evidence, live.note_sent) == (Route.CLOUD, "escalate", True)
    assert sound[-1].turns[1].asked[-1].miss is None
