"""What the screen shows of each algorithm beside VGR: ordered cutoffs, and the escalation judge (SPEC 6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ..core.conversation.model import Json
from ..core.cutoffs.config import CutoffsConfig
from ..core.cutoffs.outcome import CutoffsOutcome
from ..core.escalation.config import EscalationConfig
from ..core.escalation.outcome import EscalationOutcome, EscalationTurn
from ..core.explain.judged import JudgedView


class Algorithm(StrEnum):
    """The three algorithms, in the order of their tabs.

    Verification-gated routing (SPEC 4, 7), ordered cutoffs (SPEC 6.1) and the escalation judge (SPEC 6.2).
    """

    VGR = "vgr"
    CUTOFFS = "cutoffs"
    ESCALATION = "escalation"


@dataclass(frozen=True, slots=True)
class CutoffsScreen:
    """The Cutoffs tab."""

    config: CutoffsConfig
    #: What the config is compared with: the route's, or the example's; what differs is a what-if.
    baseline: CutoffsConfig
    #: Where the baseline comes from: `example`, or a route's name.
    source: str = "example"
    #: Why the last edit was refused, or why the configuration is not usable; empty where it is.
    problem: str = ""
    #: Exactly what the judge is sent: the question's instructions and the context. Labels are `config.labels`.
    instructions: str = field(default="", repr=False)
    context: Json = field(default=None, repr=False)
    #: How the task was cut from the conversation, in a sentence.
    task_words: str = ""
    outcome: CutoffsOutcome | None = None


@dataclass(frozen=True, slots=True)
class EscalationScreen:
    """The Escalation tab."""

    config: EscalationConfig
    baseline: EscalationConfig
    source: str = "default"
    problem: str = ""
    #: Whether there is a session id, so that the streak is kept between turns.
    has_session: bool = True
    #: The operator's own option, not the reference's: the transcript is redacted before it is sent.
    redact: bool = False
    #: Assistant turns there are to judge, a pasted attempt included.
    total: int = 0
    #: The turns judged so far, while running too.
    turns: tuple[EscalationTurn, ...] = ()
    outcome: EscalationOutcome | None = None
    #: The turn on screen, from 1; 0 where there is none.
    selected: int = 0
    #: The transcript that the judge reads, or would read, at the selected turn.
    view: JudgedView | None = None
