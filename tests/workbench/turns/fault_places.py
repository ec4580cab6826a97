"""The places where a fault can strike: a run in which one rung makes the difference, and what the SPEC says of it.

Each place has its case, run through the course that a bench runs it by, and its check of the run under the fault and of
the next one without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

from fault_rules import Effect, Harm, breaker_result, check_row
from fault_runs import MARK, Both, Case, Ran
from routing_workbench.core.conversation.model import Message, Request, Role, Text
from routing_workbench.core.conversation.reading import Conversation
from routing_workbench.core.cutoffs.config import CutoffsConfig, Rule
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.vgr.branch import Branch
from routing_workbench.core.vgr.capabilities import TaskType
from routing_workbench.core.vgr.decision import Route
from routing_workbench.core.vgr.evidence import Ending, Miss, Rung
from routing_workbench.core.vgr.signals import Verdict
from routing_workbench.widgets.algorithm import Algorithm
from routing_workbench.widgets.screen import Controls
from routing_workbench.workbench.algorithms.cutoffs import CutoffsCourse
from routing_workbench.workbench.algorithms.escalation import EscalationCourse
from routing_workbench.workbench.algorithms.vgr import VgrCourse
from routing_workbench.workbench.drivers.script import Fault, Script
from routing_workbench.workbench.record import decision_from_record
from routing_workbench.workbench.turns.failures import AttemptFailed, EfficientFailed, JudgeFailed
from routing_workbench.workbench.turns.questions import category_of
from routing_workbench.workbench.turns.session_state import SessionState


@dataclass(frozen=True)
class Place:
    """Where a fault strikes: the rung, the run it decides, and what the SPEC says."""

    rung: Rung
    case: Callable[[SimpleNamespace], Case]
    check: Callable[[Both, Rung, Harm], None]
    name: str = ""

    def __str__(self) -> str:
        return self.name or self.rung.value

    def verify(self, both: Both, harm: Harm) -> None:
        """Check this place, and what holds at all of them."""
        self.check(both, self.rung, harm)
        for row in both.faulty.rows(self.rung):
            check_row(row, harm)
        _check_record(both.faulty, self.rung, harm)
        if both.faulty.result.algorithm is Algorithm.VGR:
            for ran in both:
                rows = [row for row in ran.asked if not row.extra and row.miss is not Miss.DEADLINE_EXHAUSTED]
                assert ran.told == [(category_of(row.rung), breaker_result(row)) for row in rows]
        for ran in both:
            said = f"{ran.events!r}{ran.result!r}{ran.result.to_json()}{ran.error!r}{ran.error}{ran.result.failure}"
            assert MARK not in said


def _check_record(ran: Ran, rung: Rung, harm: Harm) -> None:
    """The record names what was lost, and decides the same again."""
    made = ran.result.record()
    if ran.error is not None:
        assert made["failure"]["stage"] == rung.value
        assert made["failure"]["what"].endswith(f": {harm.said}.")
        return
    assert "failure" not in made
    found = [row for turn in made.get("turns", [made]) for row in turn["asked"] if row["rung"] == rung.value]
    assert found
    for row in found:
        if harm.effect(rung) is Effect.FAILED:
            assert (row["miss"], row["error"]) == ("timed_out" if harm.said == "timeout" else "call_failed", harm.said)
            assert row["value"] is None
        elif harm.effect(rung) is Effect.UNREADABLE:
            assert (row["miss"], row["error"]) == ("unparsable", "")
            assert row["value"] in (None, "unknown")
            assert row["note"]
        else:
            assert row["miss"] is None
    if "policy" in made and "decision" in made:
        assert decision_from_record(made) == ran.result.outcome.decision


# Verification-gated routing.

_DENYING = {
    Rung.READOUT: "0.01", Rung.DELIBERATION: "no", Rung.CHECKER: "no", Rung.WITNESS: "n/a", Rung.EVIDENCE_STRICT: "no",
    Rung.ANSWER_VERIFIER: "no", Rung.EVIDENCE_VERIFIER: "no", Rung.CLOUD_JUDGE: "no", Rung.EVIDENCE_CONFIRM: "no",
}  # fmt: skip


def scripted(answers: Mapping[Rung, str] | None = None) -> Script:
    """Everything denies but these rungs."""
    script = Script()
    for rung, answer in (_DENYING | dict(answers or {})).items():
        script = script.edited(rung, answer=answer)
    return script


def vgr(request: Request, attempt: Any, answers: Mapping[Rung, str] | None, **controls: Any) -> Case:
    """A turn on this request, with this pasted attempt; None asks the local tier."""
    messages, stop = request.messages, None
    if attempt is not None:
        (output,) = attempt.outputs
        messages, stop = (*messages, Message(Role.ASSISTANT, output.content)), output.stop_reason
    conversation = Conversation(Request(request.instructions, messages), stop_reason=stop)
    script = Script() if answers is None else scripted(answers)
    return Case(VgrCourse(), conversation, script, Controls(**({"typing_enabled": False} | controls)))


def _answer(rung: Rung, said: str) -> Callable[[SimpleNamespace], Case]:
    def case(scene: SimpleNamespace) -> Case:
        forty = scene.reply(Text("Answer: 40 litres"))
        return vgr(scene.plain, forty, {rung: said}, forced_type=TaskType.ANSWER, structured_answer=True)

    return case


def _chat(scene: SimpleNamespace) -> Case:
    answers = {Rung.CLOUD_JUDGE: "yes", Rung.EVIDENCE_CONFIRM: "yes"}
    return vgr(scene.plain, scene.prose, answers, forced_type=TaskType.CHAT)


#: The signal that each rung's answer becomes.
_SIGNALS = {
    Rung.READOUT: "readout", Rung.DELIBERATION: "deliberation", Rung.WITNESS: "agreement",
    Rung.ANSWER_VERIFIER: "answer_verifier", Rung.EVIDENCE_VERIFIER: "evidence_verifier",
    Rung.CLOUD_JUDGE: "cloud_judge", Rung.EVIDENCE_CONFIRM: "evidence_confirm", Rung.CHECKER: "tests_pass",
}  # fmt: skip


def _evidence(both: Both, rung: Rung, harm: Harm) -> None:
    """Lost evidence never commits, whichever it is; found again it does. A lost score is absent, a verdict unknown."""
    faulty, sound = both
    signal = getattr(faulty.result.outcome.signals, _SIGNALS[rung])
    if harm.effect(rung) in (Effect.FAILED, Effect.UNREADABLE):
        assert signal == (None if rung in (Rung.READOUT, Rung.DELIBERATION) else Verdict.UNKNOWN)
    else:
        assert signal == faulty.row(rung).value
    expected = Route.CLOUD if harm.loses(rung) else Route.LOCAL
    assert faulty.result.outcome.decision.predicted is faulty.result.served is expected
    assert sound.result.served is Route.LOCAL


def _attempt(both: Both, rung: Rung, harm: Harm) -> None:
    """Cloud steps in for an eligible failure; another raises; a reply is judged as it is, and a blank one by nobody."""
    faulty, sound = both
    assert sound.result.served is Route.LOCAL
    if harm.effect(rung) is Effect.READ:
        blank = harm.fault is Fault.EMPTY
        assert (faulty.result.decision.branch is Branch.UNKNOWN) is blank
        assert (len(faulty.asked) == 1) is blank
        assert faulty.result.served is (Route.CLOUD if blank else Route.LOCAL)
    elif harm.is_eligible:
        assert (faulty.result.outcome.ending, faulty.result.served) == (Ending.LOCAL_UNAVAILABLE, Route.CLOUD)
        assert [row.rung for row in faulty.asked] == [Rung.ATTEMPT]
    else:
        assert isinstance(faulty.error, AttemptFailed)
        assert faulty.error.error == harm.said
        assert faulty.result.served is None


def _typing(both: Both, rung: Rung, harm: Harm) -> None:
    """A type that is lost is an abstention, and the turn goes on."""
    faulty, sound = both
    lost = harm.loses(rung)
    assert faulty.result.outcome.task_type is (None if lost else TaskType.CHAT)
    assert faulty.result.branch is (Branch.DEFAULT_VERIFIED if lost else Branch.CHAT)
    assert sound.result.branch is Branch.CHAT
    assert faulty.result.served is sound.result.served is Route.LOCAL


def _turn_check(both: Both, rung: Rung, harm: Harm) -> None:
    """No score leaves the streak: the strike that would have latched is not given."""
    found, sound = both.faulty.result.outcome, both.sound.result.outcome
    lost = harm.loses(rung)
    expected = (Ending.TURN_VERIFICATION_COMPLETE, 1) if lost else (Ending.TURN_VERIFICATION_ESCALATED, 2)
    assert (found.ending, found.streak) == expected
    assert found.served is (Route.LOCAL if lost else Route.CLOUD)
    assert (sound.ending, sound.latched) == (Ending.TURN_VERIFICATION_ESCALATED, True)


def _extra(both: Both, rung: Rung, harm: Harm) -> None:
    """What is asked for diagnosis only is lost without a trace in the decision."""
    del harm
    faulty, sound = both
    assert faulty.row(rung).extra
    for name in ("decision", "signals", "served"):
        assert getattr(faulty.result.outcome, name) == getattr(sound.result.outcome, name)


def _cloud_tier(both: Both, rung: Rung, harm: Harm) -> None:
    """The decision is made by then: cloud serves, and the row says what became of its reply."""
    del rung, harm
    faulty, sound = (ran.result.outcome for ran in both)
    assert (faulty.decision, faulty.served) == (sound.decision, Route.CLOUD)


EVIDENCE = (
    Place(
        Rung.READOUT,
        lambda scene: vgr(scene.plain, scene.prose, {Rung.READOUT: "0.96"}),
        _evidence,
    ),
    Place(
        Rung.DELIBERATION,
        lambda scene: vgr(scene.plain, scene.prose, {Rung.DELIBERATION: "yes"}),
        _evidence,
    ),
    Place(Rung.WITNESS, _answer(Rung.WITNESS, "40 litres"), _evidence),
    Place(Rung.ANSWER_VERIFIER, _answer(Rung.ANSWER_VERIFIER, "yes"), _evidence),
    Place(Rung.EVIDENCE_VERIFIER, _answer(Rung.EVIDENCE_VERIFIER, "yes"), _evidence),
    Place(Rung.CLOUD_JUDGE, _chat, _evidence),
    Place(Rung.EVIDENCE_CONFIRM, _chat, _evidence),
    # A readout over the coding dial counts for nothing once the judge that was consulted is lost.
    Place(
        Rung.CLOUD_JUDGE,
        lambda scene: vgr(
            scene.plain,
            scene.code,
            {Rung.READOUT: "0.62", Rung.CLOUD_JUDGE: "yes"},
            forced_type=TaskType.CODING,
        ),
        _evidence,
        "the strict judgement",
    ),
)
CHECKER = Place(
    Rung.CHECKER,
    lambda scene: vgr(scene.plain, scene.code, {Rung.CHECKER: "yes"}, checker_configured=True, checker_validated=True),
    _evidence,
)
VGR = (
    *EVIDENCE,
    Place(Rung.ATTEMPT, lambda scene: vgr(scene.plain, None, None), _attempt),
    Place(
        Rung.TYPING,
        lambda scene: vgr(
            scene.plain, scene.prose, {Rung.TYPING: "chat", Rung.DELIBERATION: "yes"}, typing_enabled=True
        ),
        _typing,
    ),
    Place(
        Rung.TURN_CHECK,
        lambda scene: replace(vgr(scene.clean_run, scene.call, {Rung.TURN_CHECK: "0.81"}), state=SessionState(1)),
        _turn_check,
    ),
    Place(
        Rung.EVIDENCE_STRICT,
        lambda scene: vgr(
            scene.plain, scene.code, {Rung.EVIDENCE_STRICT: "yes"}, forced_type=TaskType.CODING, diagnose=True
        ),
        _extra,
    ),
    Place(
        Rung.CAPABLE,
        lambda scene: vgr(scene.plain, scene.prose, {}, ask_cloud=True),
        _cloud_tier,
        "the cloud tier",
    ),
)

# Ordered cutoffs.

_CLOSED = CutoffsConfig((("small", "m-8b"), ("large", "m-big")), (Rule("small", 0.5),), "large")
_OPEN = replace(_CLOSED, fail_open=True)


def _route(config: CutoffsConfig) -> Callable[[SimpleNamespace], Case]:
    script = Script(probabilities={"small": 0.9})
    return lambda scene: Case(CutoffsCourse(), Conversation(scene.plain), script, cutoffs=config)


def _question(both: Both, rung: Rung, harm: Harm) -> None:
    """A lost answer takes the fallback; a failed call does so only where the operator lets it, else it raises."""
    faulty, sound = both
    assert (sound.result.decision.label, sound.result.decision.confidence) == ("small", 1.0)
    if not harm.loses(rung):
        assert faulty.result.decision == sound.result.decision
        return
    if harm.said and not faulty.result.config.fail_open:
        assert isinstance(faulty.error, JudgeFailed)
        assert faulty.error.error == harm.said
        assert faulty.result.served is None
        return
    decision = faulty.result.decision
    assert (decision.label, decision.confidence, decision.rule) == ("large", 0.0, None)
    assert decision.reason_code == harm.reason_code
    evidence = faulty.result.record()["decision"]["evidence"]
    assert evidence == {"source": "fail_open", "reason_code": harm.reason_code}


CUTOFFS = (
    Place(Rung.ROUTE, _route(_CLOSED), _question, "the route, closed"),
    Place(Rung.ROUTE, _route(_OPEN), _question, "the route, open"),
)

# The escalation judge.

_LIVE = Request(
    (),
    (
        Message(Role.USER, (Text(f"Make the harbour test pass, {MARK}."),)),
        Message(Role.ASSISTANT, (Text("I try."),)),
        Message(Role.USER, (Text("Go on."),)),
    ),
)


def _session(said: str) -> Callable[[SimpleNamespace], Case]:
    """A session of one pasted and one live turn, with a handoff note, and what its judge says."""
    config = EscalationConfig(confirmations=2, handoff_note=f"You take over, {MARK}.")
    script = Script().edited(Rung.ESCALATION_JUDGE, answer=said)
    return lambda _: Case(EscalationCourse(), Conversation(_LIVE), script, escalation=config)


def _judge(both: Both, rung: Rung, harm: Harm) -> None:
    """A verdict that is lost is unavailable: the streak stays, and the held reply is served."""
    faulty, sound = both
    lost = harm.loses(rung)
    for turn in faulty.result.turns:
        assert (turn.verdict == "unavailable") is lost
        assert bool(turn.absent) is lost
        assert not (lost and turn.reason)
    served = [Route.LOCAL, Route.LOCAL if lost else Route.CLOUD]
    assert [turn.served for turn in faulty.result.turns] == served
    assert [turn.streak_after for turn in faulty.result.turns] == ([0, 0] if lost else [1, 2])
    assert [turn.evidence for turn in sound.result.turns] == ["pending", "escalate"]


def _efficient(both: Both, rung: Rung, harm: Harm) -> None:
    """The capable one steps in for an overflow or a broken connection, without the note; all else raises."""
    faulty, sound = both
    assert [turn.served for turn in sound.result.turns] == [Route.LOCAL, Route.LOCAL]
    if harm.effect(rung) is Effect.READ:
        assert [turn.evidence for turn in faulty.result.turns] == ["pending", "continue"]
    elif harm.fallback is not None:
        live = faulty.result.turns[1]
        assert live.fallback is harm.fallback
        assert (live.served, live.verdict, live.evidence, live.note_sent) == (Route.CLOUD, None, None, False)
        assert (live.streak_before, live.streak_after) == (1, 1)
    else:
        assert isinstance(faulty.error, EfficientFailed)
        assert faulty.error.error == harm.said
        assert (faulty.result.outcome, len(faulty.result.turns)) == (None, 1)


def _capable(both: Both, rung: Rung, harm: Harm) -> None:
    """It serves by then; the row says what became of its reply."""
    del harm
    live, sound = (ran.result.turns[1] for ran in both)
    assert live.asked[-1].rung is rung
    assert (live.served, live.evidence, live.note_sent) == (Route.CLOUD, "escalate", True)
    assert sound.asked[-1].miss is None


ESCALATION = (
    Place(Rung.ESCALATION_JUDGE, _session("escalate"), _judge),
    Place(Rung.EFFICIENT, _session("escalate, decline"), _efficient),
    Place(Rung.CAPABLE, _session("escalate"), _capable),
)

#: Where models are asked; the checker is no model.
ASKED = (*VGR, *CUTOFFS, *ESCALATION)
PLACES = (*ASKED, CHECKER)
