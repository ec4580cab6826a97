"""What one run of ordered cutoffs asked, got and decided (SPEC 6.1)."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..vgr.evidence import Asked
from .decision import CutoffDecision


@dataclass(frozen=True, slots=True)
class CutoffsOutcome:
    """The answer as received and the decision made from it; the provider's own choice and confidence decide nothing."""

    asked: Asked
    decision: CutoffDecision
    #: Probability in [0, 1] by label as received, in the order received; None where the answer carried none.
    #: Its labels are the provider's text.
    probabilities: tuple[tuple[str, float], ...] | None = field(default=None, repr=False)
    choice: str | None = field(default=None, repr=False)
    confidence: float | None = None
    #: The share of the first token's probability that its options hold, where the answer was read from letters.
    covered: float | None = None
    #: Seconds the judge had.
    deadline: float = 30.0
    #: The version of the question's words.
    prompt_set: str = ""
