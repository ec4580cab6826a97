"""Which question comes next: evidence cheapest first, until the decision is local or nothing is left (SPEC 7).

Pure: the next step follows from what was derived, configured and answered so far. The runner asks, this decides what.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ...core.vgr.branch import Branch, select_branch
from ...core.vgr.capabilities import Capabilities
from ...core.vgr.decision import Readiness, Route, agentic_can_gather, decide
from ...core.vgr.evidence import COMPUTED, Asked, Miss, Rung
from ...core.vgr.policy import POLICY_1_0_0, Policy
from ...core.vgr.signals import Signals, Verdict
from ..drivers.protocol import Category
from .questions import category_of

#: The signal each verdict rung fills.
_VERDICT_FIELD: dict[Rung, str] = {
    Rung.CHECKER: "tests_pass",
    Rung.EVIDENCE_STRICT: "evidence_strict",
    Rung.WITNESS: "agreement",
    Rung.ANSWER_VERIFIER: "answer_verifier",
    Rung.EVIDENCE_VERIFIER: "evidence_verifier",
    Rung.CLOUD_JUDGE: "cloud_judge",
    Rung.EVIDENCE_CONFIRM: "evidence_confirm",
}

#: The rungs whose evidence a branch's rule reads, cheapest first. Production asks at most these.
_READ_BY: dict[Branch, tuple[Rung, ...]] = {
    Branch.CHECKS: (Rung.CHECKER,),
    Branch.CODING_NO_CHECKS: (
        Rung.READOUT,
        Rung.EVIDENCE_STRICT,
        Rung.DELIBERATION,
        Rung.CLOUD_JUDGE,
        Rung.EVIDENCE_CONFIRM,
    ),
    Branch.ANSWER: (Rung.READOUT, Rung.DELIBERATION, Rung.WITNESS, Rung.ANSWER_VERIFIER, Rung.EVIDENCE_VERIFIER),
    Branch.CHAT: (Rung.READOUT, Rung.DELIBERATION, Rung.CLOUD_JUDGE, Rung.EVIDENCE_CONFIRM),
    Branch.AGENTIC_RECOGNIZED: (Rung.READOUT, Rung.DELIBERATION),
    Branch.AGENTIC_VERIFIED: (Rung.READOUT, Rung.DELIBERATION),
    Branch.DEFAULT_VERIFIED: (Rung.READOUT, Rung.DELIBERATION),
    Branch.UNKNOWN: (),
}


@dataclass(frozen=True, slots=True)
class Stop:
    """Production asks no more, and why."""

    why: str
    committed: bool = False


@dataclass(frozen=True, slots=True)
class Gathering:
    """Where the gathering of a turn stands."""

    capabilities: Capabilities = field(repr=False)
    #: The model categories the driver has models for.
    configured: frozenset[Category]
    policy: Policy = POLICY_1_0_0
    signals: Signals = Signals()
    #: What was asked so far, missed questions included, in order.
    asked: tuple[Rung, ...] = ()

    @property
    def branch(self) -> Branch:
        """The branch that evidence is gathered for."""
        return select_branch(self.capabilities)

    @property
    def strict(self) -> bool:
        """Whether the cloud judge is asked strictly: coding with a readout at its dial."""
        readout, dial = self.signals.readout, self.policy.coding_dial
        return self.branch is Branch.CODING_NO_CHECKS and readout is not None and dial is not None and readout >= dial

    @property
    def commits(self) -> bool:
        """Whether the rule holds on what was gathered. Readiness can hold a commit back but never makes or ends one."""
        return decide(self.capabilities, self.signals, Readiness(), self.policy).predicted is Route.LOCAL

    def can_ask(self, rung: Rung) -> bool:
        """Whether somebody is configured to answer it; a checker was, where the branch is `checks`."""
        return rung is Rung.CHECKER or category_of(rung) in self.configured

    def after(self, asked: Asked) -> Gathering:
        """Where it stands with one more row."""
        return replace(self, signals=signals_with(self.signals, asked), asked=(*self.asked, asked.rung))


def signals_with(signals: Signals, asked: Asked) -> Signals:
    """The signals with what this row says (SPEC 4.3).

    A missed score stays absent. A verdict that was asked for and missed is UNKNOWN; one that there was no time to ask
    for stays absent.
    """
    value = asked.value
    if asked.rung is Rung.READOUT and isinstance(value, float):
        return replace(signals, readout=value)
    if asked.rung is Rung.DELIBERATION and isinstance(value, float):
        return replace(signals, deliberation=value)
    name = _VERDICT_FIELD.get(asked.rung)
    if name is None or asked.miss is Miss.DEADLINE_EXHAUSTED:
        return signals
    fields: dict[str, Any] = {name: value if asked.miss is None and isinstance(value, Verdict) else Verdict.UNKNOWN}
    return replace(signals, **fields)


def next_step(gathering: Gathering) -> Rung | Stop:
    """The next question, or why there is none."""
    if gathering.commits:
        after = gathering.asked[-1].value if gathering.asked else "the operator's prior alone"
        return Stop(f"committed after {after}", committed=True)
    for step in _ladder(gathering):
        if isinstance(step, Stop) or (step not in gathering.asked and gathering.can_ask(step)):
            return step
    return Stop("nothing committed, and nothing is left to ask")


def _ladder(gathering: Gathering) -> Iterator[Rung | Stop]:
    """All steps from the first, as far as the answers so far lead; whoever walks it skips what was asked."""
    branch, capabilities, policy = gathering.branch, gathering.capabilities, gathering.policy
    if branch is Branch.UNKNOWN:
        yield Stop("unknown asks nothing")
    if branch is Branch.CHECKS:
        yield Rung.CHECKER
        yield Stop("checks asks the checker alone")
    if branch is Branch.AGENTIC_VERIFIED and not agentic_can_gather(capabilities, gathering.signals, policy):
        yield Stop("agentic_verified asks nothing unless tool errors = 0 or the run recovered")
    if branch is not Branch.CHAT or policy.chat_dial is not None:
        yield Rung.READOUT
    if gathering.strict:
        # Its verdict is the cloud judge's: with it the dial arm holds, and no other arm gains from a further question.
        yield Rung.CLOUD_JUDGE
        yield Stop("the readout is at the coding dial, so the strict cloud judgement is the last question")
    yield Rung.DELIBERATION
    if branch is Branch.AGENTIC_VERIFIED:
        yield Stop("agentic_verified asks for no verdicts")
    if branch is Branch.ANSWER:
        if capabilities.structured_answer:
            yield Rung.WITNESS
        yield Rung.ANSWER_VERIFIER
        yield Rung.EVIDENCE_VERIFIER
    if branch in (Branch.CODING_NO_CHECKS, Branch.CHAT):
        yield Rung.CLOUD_JUDGE
        if gathering.signals.cloud_judge is Verdict.YES:
            yield Rung.EVIDENCE_CONFIRM


def skipped(gathering: Gathering) -> tuple[Rung, ...]:
    """What the branch's rule reads, somebody could answer, and production did not ask, cheapest first."""
    return tuple([r for r in _READ_BY[gathering.branch] if r not in gathering.asked and gathering.can_ask(r)])


def asked_unless_committed(gathering: Gathering) -> tuple[Rung, ...]:
    """What production will ask, in order, as long as nothing affirms."""
    rungs: list[Rung] = []
    while isinstance(step := next_step(gathering), Rung):
        rungs.append(step)
        gathering = gathering.after(Asked(step, 0.0, 0.0, COMPUTED, miss=Miss.CALL_FAILED))
    return tuple(rungs)


def not_asked(gathering: Gathering, stop: Stop) -> tuple[tuple[Rung, str], ...]:
    """What the branch's rule reads and production did not ask, each with a reason in a few words."""
    rungs = [rung for rung in _READ_BY[gathering.branch] if rung not in gathering.asked]
    return tuple([(rung, _reason(gathering, stop, rung)) for rung in rungs])


def _reason(gathering: Gathering, stop: Stop, rung: Rung) -> str:
    if not gathering.can_ask(rung):
        return "no cloud judge" if category_of(rung) is Category.CLOUD_JUDGE else "no judge"
    if rung is Rung.EVIDENCE_STRICT:
        return "asked for diagnosis only"
    if stop.committed:
        return "committed before"
    if rung is Rung.READOUT and gathering.branch is Branch.CHAT:
        return "the chat dial is unset"
    if rung is Rung.WITNESS:
        return "no structured surface"
    if gathering.strict:
        return "stopped at the coding dial"
    if rung is Rung.EVIDENCE_CONFIRM:
        return "the cloud judge did not say yes"
    return "tool errors, not recovered"
