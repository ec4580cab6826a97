"""The operator's settings of a VGR turn (SPEC 4.6, 7)."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...core.vgr.capabilities import TaskType, ToolErrorSource
from ...core.vgr.decision import Mode
from .breaker import COOLDOWN, FAILURES_TO_OPEN

#: Seconds a turn may take from its start to its decision (SPEC 7).
DECISION_DEADLINE = 30.0
#: Seconds the tier that serves has for its reply; the decision is made by then.
SERVING_DEADLINE = 120.0


@dataclass(frozen=True, slots=True)
class TurnSettings:
    """What the operator configured, apart from policy and driver. Nothing of it comes from the conversation."""

    mode: Mode = Mode.EVALUATE
    #: The approval text; mode `active` needs it verbatim.
    approval: str | None = field(default=None, repr=False)
    #: Seconds from the turn's start to its decision.
    deadline: float = DECISION_DEADLINE
    #: Whether the router types the task; a checker makes typing needless.
    typing_enabled: bool = True
    #: A task type taken without asking.
    forced_type: TaskType | None = None
    checker_configured: bool = False
    #: Whether the deployed checker was validated (the readiness gate reads it).
    checker_validated: bool = False
    #: Who vouches for the tool record; None gives the rules no count at all.
    provenance: ToolErrorSource | None = ToolErrorSource.HOST
    #: The attempt is served on a surface that shows structured answers.
    structured_answer: bool = False
    #: The operator's prior probability in [0, 1] that local suffices.
    prior_local: float | None = None
    local_supports_images: bool = False
    #: Whether turn verification latches the session; else only the turn at its bar is escalated.
    latch_escalation: bool = True
    #: Whether an escalation carries the rejected attempt to the cloud tier, as unverified reference.
    speculation_carry: bool = False
    #: Ask the cloud tier for its reply where it serves; else the turn stops at the decision.
    ask_cloud: bool = False
    #: Endpoint failures in a row that open a breaker, and the seconds it stays open.
    breaker_threshold: int = FAILURES_TO_OPEN
    breaker_cooldown: float = COOLDOWN
    #: Ask, after production has stopped, what it skipped: for display only, never for the decision.
    diagnose: bool = False


#: What holds where the operator set nothing.
DEFAULT_SETTINGS = TurnSettings()
