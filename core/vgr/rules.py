"""The rule of each branch, and the readiness gates, written once as clauses (SPEC 4.3, 4.5, 4.6).

Every rule is a conjunction of one or two clauses: the evidence, and what guards it (the veto, or on
`agentic_verified` the tool record). No rule holds without its evidence, and evidence is a yes or a cleared bar.
"""

from __future__ import annotations

from dataclasses import dataclass

from .branch import Branch
from .clauses import AllOf, AnyOf, Bar, Count, Facts, Node, Relation, Says, Score, Stated
from .policy import Policy
from .readiness import ReadinessGate
from .resolution import Unresolved


@dataclass(frozen=True, slots=True)
class Rule:
    """Clauses that must all hold; the one at `evidence` is the affirmative."""

    clauses: tuple[Node, ...]
    evidence: int = 0

    def holds(self, facts: Facts) -> bool:
        """Whether the attempt is committed; the first clause that fails ends it."""
        for clause in self.clauses:  # noqa: SIM110 - a generator costs more than most clauses
            if not clause.holds(facts):
                return False
        return True


@dataclass(frozen=True, slots=True)
class Gate:
    """What must be deployed or attested before a predicted local is served, and the name of its absence."""

    reason: ReadinessGate
    clause: Stated


def _lower_of_bar_and_dial(policy: Policy, name: str, dial: float | None) -> tuple[str, float | None]:
    return (name, dial) if dial is not None and dial < policy.readout_bar else ("readout_bar", policy.readout_bar)


def _readout_bar(policy: Policy) -> tuple[str, float | None]:
    return "readout_bar", policy.readout_bar


def _readout(bar: Bar, label: str = "readout", relation: Relation = Relation.AT_LEAST) -> Score:
    return Score(label, "readout", lambda f: f.signals.readout, bar, relation)


def _attestation(facts: Facts) -> str:
    errors = facts.capabilities.tool_errors
    return "nobody" if errors is None else errors.source


def _tool_results(facts: Facts) -> int | str:
    results = facts.capabilities.tool_results
    return "not known" if results is None else results


def _last_result(facts: Facts) -> str:
    clean = facts.capabilities.tool_tail_clean
    return "not known" if clean is None else "clean" if clean else "failed"


def _on(switch: bool) -> str:
    return "on" if switch else "off"


_DELIBERATION = Score(
    "deliberation",
    "deliberation",
    lambda f: f.signals.deliberation,
    lambda p: ("deliberation_bar", p.deliberation_bar),
)
_CLOUD_JUDGE = Says("cloud_judge", lambda f: f.signals.cloud_judge)
_CLOUD_JUDGE_IF_ASKED = Says("cloud_judge", lambda f: f.signals.cloud_judge, if_asked=True)
_EVIDENCE_CONFIRM = Says("evidence_confirm", lambda f: f.signals.evidence_confirm)
_HOST_ATTESTED = Stated("count attested by", "tool_errors.source", _attestation, "host")

#: No information, or exactly 0 failed results. A negative count does not pass.
TOOL_VETO = Count(
    "Tool veto",
    "tool_errors",
    lambda f: f.tool_errors,
    lambda p: ("", 0),
    Relation.EXACTLY,
    passes=Unresolved.NO_INFORMATION,
)

#: A run with failed results that ended well (SPEC 4.3).
RECOVERED_RUN = AllOf(
    "recovered run",
    (
        Stated(
            "recovered runs enabled",
            "policy.recovered_run.enabled",
            lambda f: _on(f.policy.recovered_run.enabled),
            "on",
        ),
        _HOST_ATTESTED,
        Count(
            "tool errors",
            "tool_errors",
            lambda f: f.tool_errors,
            lambda p: ("recovered_run.min_errors", p.recovered_run.min_errors),
            Relation.AT_LEAST,
        ),
        Count(
            "tool results",
            "tool_results",
            _tool_results,
            lambda p: ("recovered_run.max_tool_results", p.recovered_run.max_tool_results),
            Relation.WITHIN,
        ),
        Stated(
            "last result clean",
            "tool_tail_clean",
            _last_result,
            "clean",
            required=lambda p: p.recovered_run.require_clean_tail,
        ),
    ),
)

#: What an agentic run must show before any score counts, and before any is asked for (SPEC 4.5, 7).
TOOL_RECORD = AnyOf(
    "Tool record",
    (
        Count("resolved tool errors", "tool_errors", lambda f: f.tool_errors, lambda p: ("", 0), Relation.EXACTLY),
        RECOVERED_RUN,
    ),
)

_CHECKS = Rule((Says("tests_pass", lambda f: f.signals.tests_pass),))

_CODING = Rule(
    (
        AnyOf(
            "Verification",
            (
                AllOf("readout alone", (_readout(_readout_bar), _CLOUD_JUDGE_IF_ASKED)),
                AllOf(
                    "local evidence",
                    (
                        Says("evidence_strict", lambda f: f.signals.evidence_strict),
                        _DELIBERATION,
                        AnyOf(
                            "no objection to a sure readout",
                            (
                                _readout(_readout_bar, "readout below its bar", Relation.NOT_AT_LEAST),
                                _CLOUD_JUDGE_IF_ASKED,
                            ),
                        ),
                    ),
                ),
                AllOf(
                    "band",
                    (
                        _readout(lambda p: ("band_floor", p.band_floor)),
                        _readout(_readout_bar, relation=Relation.BELOW),
                        _CLOUD_JUDGE,
                        _EVIDENCE_CONFIRM,
                    ),
                ),
                AllOf(
                    "dial",
                    (
                        _readout(lambda p: ("coding_dial", p.coding_dial)),
                        Says(
                            "cloud_judge",
                            lambda f: f.signals.cloud_judge,
                            required=lambda p: p.coding_dial_requires_judge,
                        ),
                    ),
                ),
            ),
        ),
        TOOL_VETO,
    )
)

_ANSWER = Rule(
    (
        AnyOf(
            "Answer",
            (
                Says("answer_verifier", lambda f: f.signals.answer_verifier),
                Says("evidence_verifier", lambda f: f.signals.evidence_verifier),
                AllOf(
                    "judge arms",
                    (
                        Stated(
                            "answer judge arms enabled",
                            "policy.answer_judge_arms",
                            lambda f: _on(f.policy.answer_judge_arms),
                            "on",
                        ),
                        AnyOf("score", (_readout(_readout_bar), _DELIBERATION)),
                    ),
                ),
                _readout(lambda p: ("answer_dial", p.answer_dial)),
                AllOf(
                    "witness",
                    (
                        Says("agreement", lambda f: f.signals.agreement),
                        Stated(
                            "structured answer",
                            "structured_answer",
                            lambda f: "declared" if f.capabilities.structured_answer else "not declared",
                            "declared",
                        ),
                    ),
                ),
            ),
        ),
    )
)

_CHAT = Rule(
    (
        AnyOf(
            "Verification",
            (
                _DELIBERATION,
                _readout(lambda p: ("chat_dial", p.chat_dial)),
                AllOf("cloud judgement", (_CLOUD_JUDGE, _EVIDENCE_CONFIRM)),
            ),
        ),
        TOOL_VETO,
    )
)

_AGENTIC_RECOGNIZED = Rule(
    (
        Score(
            "prior",
            "prior_local",
            lambda f: f.capabilities.prior_local,
            lambda p: ("prior_bar", p.prior_bar),
        ),
        TOOL_VETO,
    )
)

_AGENTIC_VERIFIED = Rule(
    (
        TOOL_RECORD,
        AnyOf(
            "Score",
            (_readout(lambda p: _lower_of_bar_and_dial(p, "agentic_dial", p.agentic_dial)), _DELIBERATION),
        ),
    ),
    evidence=1,
)

_DEFAULT_VERIFIED = Rule(
    (
        AnyOf(
            "Score",
            (
                _readout(lambda p: _lower_of_bar_and_dial(p, "default_verified_dial", p.default_verified_dial)),
                _DELIBERATION,
            ),
        ),
        TOOL_VETO,
    )
)

_UNKNOWN = Rule((Stated("branch with a rule", "branch", lambda f: "none", "any"),))

#: The rule of each branch. `checks` and `answer` are exempt from the veto; `agentic_verified` has its own.
RULES: dict[Branch, Rule] = {
    Branch.CHECKS: _CHECKS,
    Branch.CODING_NO_CHECKS: _CODING,
    Branch.ANSWER: _ANSWER,
    Branch.CHAT: _CHAT,
    Branch.AGENTIC_RECOGNIZED: _AGENTIC_RECOGNIZED,
    Branch.AGENTIC_VERIFIED: _AGENTIC_VERIFIED,
    Branch.DEFAULT_VERIFIED: _DEFAULT_VERIFIED,
    Branch.UNKNOWN: _UNKNOWN,
}

_CHECKER_GATE = Gate(
    ReadinessGate.SECURE_CHECKER_MISSING,
    Stated(
        "validated checker",
        "checker_validated",
        lambda f: "deployed" if f.readiness.checker_validated else "not deployed",
        "deployed",
    ),
)
_ATTESTATION_GATE = Gate(ReadinessGate.TOOL_EVIDENCE_NOT_HOST_ATTESTED, _HOST_ATTESTED)

#: The readiness gate of each branch that has one.
GATES: dict[Branch, Gate] = {
    Branch.CHECKS: _CHECKER_GATE,
    Branch.CODING_NO_CHECKS: _CHECKER_GATE,
    Branch.AGENTIC_RECOGNIZED: _ATTESTATION_GATE,
    Branch.AGENTIC_VERIFIED: _ATTESTATION_GATE,
}
