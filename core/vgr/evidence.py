"""The record of gathering evidence: which rungs were asked, when, by whom, and what was missed (SPEC 6, 7).

Records hold no content: lengths, scores, verdicts, error classes and timings only.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .capabilities import TaskType
from .decision import Decision, Route
from .signals import Signals, Verdict


class Rung(StrEnum):
    """Everything a turn can ask of a driver: of the VGR turn in the order it may be asked, then of the other two."""

    ATTEMPT = "attempt"
    TURN_CHECK = "turn_check"
    TYPING = "typing"
    CHECKER = "checker"
    READOUT = "readout"
    EVIDENCE_STRICT = "evidence_strict"
    DELIBERATION = "deliberation"
    WITNESS = "witness"
    ANSWER_VERIFIER = "answer_verifier"
    EVIDENCE_VERIFIER = "evidence_verifier"
    CLOUD_JUDGE = "cloud_judge"
    EVIDENCE_CONFIRM = "evidence_confirm"
    #: Ordered cutoffs: the one decision question (SPEC 6.1).
    ROUTE = "route"
    #: The escalation judge: the efficient tier, the judge of its reply, the capable tier (SPEC 6.2).
    EFFICIENT = "efficient"
    ESCALATION_JUDGE = "escalation_judge"
    CAPABLE = "capable"


#: What a VGR turn can ask, in order.
VGR_RUNGS = tuple(rung for rung in Rung if rung not in ("route", "efficient", "escalation_judge", "capable"))
#: What a run of ordered cutoffs, and a turn of the escalation judge, can ask, in order.
CUTOFF_RUNGS = (Rung.ROUTE,)
ESCALATION_RUNGS = (Rung.EFFICIENT, Rung.ESCALATION_JUDGE, Rung.CAPABLE)


class Miss(StrEnum):
    """Why a rung gave no evidence (SPEC 7)."""

    DEADLINE_EXHAUSTED = "deadline_exhausted"
    TIMED_OUT = "timed_out"
    CALL_FAILED = "call_failed"
    UNPARSABLE = "unparsable"


class OriginKind(StrEnum):
    """Where a value comes from."""

    COMPUTED = "computed"
    MOCK = "mock"
    CASSETTE = "cassette"
    LIVE = "live"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from; the label is shown as it stands, e.g. `seed 7` or `judge-8b @ host`."""

    kind: OriginKind
    label: str = ""


COMPUTED = Origin(OriginKind.COMPUTED)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question that was sent (or that no time was left for). Times in seconds since the turn began."""

    rung: Rung
    started: float
    took: float
    origin: Origin
    #: Score in [0, 1] or verdict or task type; None where the rung yields none or it was missed.
    value: float | Verdict | TaskType | None = None
    #: What to show as the answer: "p = 0.34", "yes", "164 chars".
    answer: str = ""
    miss: Miss | None = None
    #: Error class and status where the call failed, e.g. `HTTP 503`; never a body.
    error: str = ""
    #: Asked for diagnosis after production had stopped; never fed to the decision.
    extra: bool = False
    #: What was read of a readout ("yes 0.29, Yes 0.02, no 0.55"), or why nothing could be read of a reply. No content.
    note: str = ""


class Ending(StrEnum):
    """How a turn ended without a decision by the rules, served by cloud unless said otherwise (SPEC 7)."""

    MODE_OFF = "mode_off"
    KILL_SWITCH = "kill_switch"
    BREAKER_OPEN = "breaker_open"
    TURN_VERIFICATION_LATCHED = "turn_verification_latched"
    LOCAL_IMAGE_UNSUPPORTED = "local_image_unsupported"
    LOCAL_TIMED_OUT = "local_timed_out"
    LOCAL_UNAVAILABLE = "local_unavailable"
    MALFORMED_TOOL_CALL = "malformed_tool_call"
    TURN_VERIFICATION_ESCALATED = "turn_verification_escalated"
    #: Served local (cloud in shadow).
    TURN_VERIFICATION_COMPLETE = "turn_verification_complete"


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """What one VGR turn asked, gathered, decided and served."""

    #: Everything asked, production first, then extras, in order.
    asked: tuple[Asked, ...]
    served: Route
    #: Set where the turn ended before the rules; then `decision` is None.
    ending: Ending | None = None
    decision: Decision | None = None
    #: What the decision was made from (production evidence only).
    signals: Signals = Signals()
    #: Production evidence plus the extras, for display only.
    signals_with_extra: Signals = Signals()
    task_type: TaskType | None = None
    #: Rungs the branch could ask that were not asked, in order, with a reason in a few words.
    not_asked: tuple[tuple[Rung, str], ...] = ()
    #: Why production stopped: "committed after readout", "agentic_verified asks nothing unless ...".
    stopped: str = ""
    #: Decision deadline in seconds.
    deadline: float = 30.0
    #: Turn-verification streak after this turn, and whether the session is latched to cloud.
    streak: int = 0
    latched: bool = False
    #: The version of the rubrics that were asked.
    prompt_set: str = ""
