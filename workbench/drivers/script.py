"""What the mock answers: per rung an answer, a delay and a fault, as one immutable value that can be edited live."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from ...core.vgr.evidence import Rung


class Fault(StrEnum):
    """A fault that a rung can be given; the value is what the driver panel shows."""

    NONE = "none"
    TIMEOUT = "timeout"
    TRANSPORT = "transport"
    HTTP_401 = "HTTP 401"
    HTTP_429 = "HTTP 429"
    HTTP_503 = "HTTP 503"
    CONTEXT_OVERFLOW = "context overflow"
    INVALID_RESPONSE = "invalid response"


class AnswerKind(StrEnum):
    """How a rung's answer is edited."""

    #: A score in [0, 1], given as the reply's first-token probability.
    NUMBER = "number"
    #: One of `ANSWER_OPTIONS`; other text is sent as it stands, which is how a judge hedges.
    CHOICE = "choice"
    TEXT = "text"


_YES_NO_UNKNOWN = ("yes", "no", "unknown")
_NUMBER = (Rung.READOUT, Rung.TURN_CHECK)
_TEXT = (Rung.ATTEMPT, Rung.WITNESS)


def answer_kind(rung: Rung) -> AnswerKind:
    """How this rung's answer is edited."""
    if rung in _NUMBER:
        return AnswerKind.NUMBER
    return AnswerKind.TEXT if rung in _TEXT else AnswerKind.CHOICE


def answer_options(rung: Rung) -> tuple[str, ...]:
    """The answers a choice rung offers; empty for numbers and text."""
    if answer_kind(rung) is not AnswerKind.CHOICE:
        return ()
    return ("coding", "agentic", "answer", "chat", "abstain") if rung is Rung.TYPING else _YES_NO_UNKNOWN


@dataclass(frozen=True, slots=True)
class RungScript:
    """One rung's answer as typed into the driver panel, its delay in milliseconds, and its fault."""

    answer: str = field(repr=False)
    delay_ms: int = 10
    fault: Fault = Fault.NONE

    def __post_init__(self) -> None:
        if self.delay_ms < 0:
            raise ValueError(f"delay_ms is {self.delay_ms}; a delay is 0 or more milliseconds")


#: Everything affirms; delays add up to about 150 ms on the longest way through a turn, so an edit feels instant.
AFFIRMING: Mapping[Rung, RungScript] = {
    Rung.ATTEMPT: RungScript("This reply was written by the mock local tier.", 30),
    Rung.TURN_CHECK: RungScript("0.08", 10),
    Rung.TYPING: RungScript("abstain", 6),
    Rung.CHECKER: RungScript("yes", 30),
    Rung.READOUT: RungScript("0.96", 8),
    Rung.EVIDENCE_STRICT: RungScript("yes", 20),
    Rung.DELIBERATION: RungScript("yes", 24),
    Rung.WITNESS: RungScript("n/a", 16),
    Rung.ANSWER_VERIFIER: RungScript("yes", 24),
    Rung.EVIDENCE_VERIFIER: RungScript("yes", 24),
    Rung.CLOUD_JUDGE: RungScript("yes", 28),
    Rung.EVIDENCE_CONFIRM: RungScript("yes", 28),
}


@dataclass(frozen=True, slots=True)
class Script:
    """A whole script. `rungs` holds what differs from `AFFIRMING`; nothing in it is ever changed in place."""

    rungs: Mapping[Rung, RungScript] = field(default_factory=dict)
    #: Whether a cloud judge is configured; without one its rungs are never asked.
    cloud_judge: bool = True
    #: Probabilities for decision questions by label; a label without one gets an even share of what is left.
    probabilities: Mapping[str, float] = field(default_factory=dict)

    def of(self, rung: Rung) -> RungScript:
        """What this rung answers."""
        return self.rungs.get(rung) or AFFIRMING[rung]

    def edited(
        self, rung: Rung, *, answer: str | None = None, delay_ms: int | None = None, fault: Fault | None = None
    ) -> Script:
        """The script with this rung changed in what is given. Raises ValueError for a negative delay."""
        old = self.of(rung)
        new = RungScript(
            old.answer if answer is None else answer,
            old.delay_ms if delay_ms is None else delay_ms,
            old.fault if fault is None else fault,
        )
        return replace(self, rungs={**self.rungs, rung: new})

    def without_faults(self) -> Script:
        """The script with every fault cleared."""
        return replace(self, rungs={rung: replace(said, fault=Fault.NONE) for rung, said in self.rungs.items()})

    @property
    def faults(self) -> int:
        """How many rungs have a fault."""
        return sum(said.fault is not Fault.NONE for said in self.rungs.values())
