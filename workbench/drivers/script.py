"""What the mock answers: per rung an answer, a delay and a fault, as one immutable value that can be edited live."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from ...core.vgr.evidence import Rung


class Fault(StrEnum):
    """A fault that a rung can be given; the value is what the driver panel shows. `mock_faults` says what each does."""

    NONE = "none"
    REFUSED = "connection refused"
    DNS = "DNS failure"
    TLS = "TLS failure"
    TIMEOUT_CONNECT = "timeout at connect"
    TIMEOUT_FIRST_BYTE = "timeout at first byte"
    TIMEOUT_MID_BODY = "timeout mid-body"
    HTTP_400 = "HTTP 400"
    HTTP_401 = "HTTP 401"
    HTTP_403 = "HTTP 403"
    HTTP_408 = "HTTP 408"
    HTTP_413 = "HTTP 413"
    HTTP_429 = "HTTP 429"
    HTTP_429_RETRY_AFTER = "HTTP 429, Retry-After"
    HTTP_500 = "HTTP 500"
    HTTP_502 = "HTTP 502"
    HTTP_503 = "HTTP 503"
    TRUNCATED = "truncated body"
    NOT_JSON = "not JSON"
    WRONG_SHAPE = "wrong shape"
    EMPTY = "empty content"
    HEDGE = "hedge"
    NO_LOGPROBS = "no logprobs"
    NAN = "NaN"
    CUT = "cut at max tokens"
    CONTEXT_OVERFLOW = "context overflow"

    # The kinds of failure, for whom it does not matter how it came about.
    TIMEOUT = TIMEOUT_FIRST_BYTE
    TRANSPORT = REFUSED
    INVALID_RESPONSE = WRONG_SHAPE

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        """A kind by its own word, as scripts have it: `timeout`, `transport`, `invalid response`."""
        kinds = {"timeout": cls.TIMEOUT, "transport": cls.TRANSPORT, "invalid response": cls.INVALID_RESPONSE}
        return kinds.get(value) if isinstance(value, str) else None


class AnswerKind(StrEnum):
    """How a rung's answer is edited."""

    #: A score in [0, 1], given as the reply's first-token probability.
    NUMBER = "number"
    #: One of `ANSWER_OPTIONS`; other text is sent as it stands, which is how a judge hedges.
    CHOICE = "choice"
    TEXT = "text"


class RouteAnswer(StrEnum):
    """What the mock answers to the route question; any word that is none of these answers nothing."""

    #: The script's probabilities, of exactly the labels that were asked about.
    DISTRIBUTION = "distribution"
    MISSING_LABEL = "missing label"
    EXTRA_LABEL = "extra label"
    NO_DISTRIBUTION = "no distribution"
    BOOLEAN = "boolean"
    SCORE = "score"
    MISSING = "missing"


_YES_NO_UNKNOWN = ("yes", "no", "unknown")
_OPTIONS: Mapping[Rung, tuple[str, ...]] = {
    Rung.TYPING: ("coding", "agentic", "answer", "chat", "abstain"),
    Rung.ROUTE: tuple(answer.value for answer in RouteAnswer),
}
_NUMBER = (Rung.READOUT, Rung.TURN_CHECK)
#: A verdict of the escalation judge may be a list over turns: "decline x6, unavailable, escalate".
_TEXT = (Rung.ATTEMPT, Rung.WITNESS, Rung.EFFICIENT, Rung.ESCALATION_JUDGE, Rung.CAPABLE)


def answer_kind(rung: Rung) -> AnswerKind:
    """How this rung's answer is edited."""
    if rung in _NUMBER:
        return AnswerKind.NUMBER
    return AnswerKind.TEXT if rung in _TEXT else AnswerKind.CHOICE


def answer_options(rung: Rung) -> tuple[str, ...]:
    """The answers a choice rung offers; empty for numbers and text."""
    return _OPTIONS.get(rung, _YES_NO_UNKNOWN) if answer_kind(rung) is AnswerKind.CHOICE else ()


@dataclass(frozen=True, slots=True)
class RungScript:
    """One rung's answer as typed into the driver panel, its delay in milliseconds, and its fault.

    Raises ValueError for a negative delay.
    """

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
    Rung.ROUTE: RungScript(RouteAnswer.DISTRIBUTION.value, 12),
    Rung.EFFICIENT: RungScript("This reply was written by the mock efficient tier.", 30),
    # A replay asks it once a turn.
    Rung.ESCALATION_JUDGE: RungScript("decline", 2),
    Rung.CAPABLE: RungScript("This reply was written by the mock cloud tier.", 40),
}


#: What it answers to the route question, by the labels of the example; `small` clears its cutoff.
AFFIRMING_PROBABILITIES: Mapping[str, float] = {"small": 0.71, "mid": 0.21, "large": 0.08}


@dataclass(frozen=True, slots=True)
class Script:
    """A whole script. `rungs` holds what differs from `AFFIRMING`; nothing in it is ever changed in place."""

    rungs: Mapping[Rung, RungScript] = field(default_factory=dict)
    #: Whether a cloud judge is configured; without one its rungs are never asked.
    cloud_judge: bool = True
    #: Probabilities for the route question by label; a label without one gets an even share of what is left.
    probabilities: Mapping[str, float] = field(default_factory=lambda: AFFIRMING_PROBABILITIES)

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

    def with_probability(self, label: str, probability: float) -> Script:
        """The script with this label's probability in the route question; any number is sent as it is."""
        return replace(self, probabilities={**self.probabilities, label: probability})

    def probability_of(self, label: str, labels: tuple[str, ...]) -> float:
        """The probability a label gets where these are asked about: its own, else an even share of what is left."""
        named = [self.probabilities[other] for other in labels if other in self.probabilities]
        share = max(0.0, 1.0 - sum(named)) / max(1, len(labels) - len(named))
        return self.probabilities.get(label, share)

    def without_faults(self) -> Script:
        """The script with every fault cleared."""
        return replace(self, rungs={rung: replace(said, fault=Fault.NONE) for rung, said in self.rungs.items()})

    @property
    def faults(self) -> int:
        """How many rungs have a fault."""
        return sum(said.fault is not Fault.NONE for said in self.rungs.values())
