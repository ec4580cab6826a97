"""The readout: p(yes) from the first token's top alternatives of an OpenAI-style body (SPEC 5).

`read_readout` never raises, whatever the body holds, and says why there is no score. No score never commits; nor
does an overflow, whose score is NaN.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum

from ..conversation.model import Json
from .text import trim

_PATH: tuple[str | int, ...] = ("choices", 0, "logprobs", "content", 0, "top_logprobs")
_YES = frozenset(("yes", "y", "true"))
_NO = frozenset(("no", "n", "false"))
#: How the tokens begin that open a model's thinking.
_THINKING = ("<think", "<thought", "<reasoning", "[think", "<|channel")
#: Below this mass on yes and no together the first token was hardly an answer (a thinking tag, prose).
LOW_COVERAGE = 0.5


class NoScore(StrEnum):
    """Why a readout has no score."""

    NO_BODY = "no_body"
    #: The body holds no list of alternatives; `Readout.where` is the path up to the missing step.
    NO_ALTERNATIVES = "no_alternatives"
    #: An entry of the list has no token or no finite log probability; one such entry voids the list.
    MALFORMED_ENTRY = "malformed_entry"
    #: No alternative is a yes or a no.
    NEITHER_FOUND = "neither_found"
    #: The probabilities found are too small to be told from zero.
    ZERO_MASS = "zero_mass"


class Side(StrEnum):
    """What an alternative counts for."""

    YES = "yes"
    NO = "no"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class Alternative:
    """One alternative of the first token, as received. The token is the model's text and stays out of the repr."""

    token: str = field(repr=False)
    #: Natural logarithm of the probability.
    logprob: float
    side: Side

    @property
    def probability(self) -> float:
        """exp(logprob): in [0, 1] from a sane endpoint, infinite where it overflows."""
        return _exp(self.logprob)


@dataclass(frozen=True, slots=True)
class Readout:
    """A readout and what it was read from."""

    #: yes / (yes + no); None without a score, NaN where the sums overflow.
    p_yes: float | None
    #: Summed probabilities of the alternatives that say yes, and no.
    yes: float = 0.0
    no: float = 0.0
    #: Every alternative, in the order received; empty where the list could not be read.
    alternatives: tuple[Alternative, ...] = ()
    #: Why there is no score; None where there is one.
    absent: NoScore | None = None
    #: Where reading stopped, e.g. `choices[0].logprobs`; empty where the list was read to its end.
    where: str = ""

    @property
    def coverage(self) -> float:
        """Probability mass on yes and no together."""
        return self.yes + self.no

    @property
    def low_coverage(self) -> bool:
        """Whether a score rests on so little mass that a person should look."""
        return self.p_yes is not None and self.coverage < LOW_COVERAGE

    @property
    def opens_thinking(self) -> bool:
        """Whether the likeliest first token opens the model's thinking, so that the answer stands further on."""
        likeliest = max(self.alternatives, key=lambda a: a.logprob, default=None)
        return likeliest is not None and trim(likeliest.token).lower().startswith(_THINKING)

    @property
    def summary(self) -> str:
        """The alternatives that counted, e.g. `yes 0.29, Yes 0.02, no 0.55`, and a warning where they are few.

        It holds no other text of the model.
        """
        counted = [a for a in self.alternatives if a.side is not Side.IGNORED]
        summed = ", ".join(f"{_bare(a.token)} {a.probability:.2f}" for a in counted)
        if not self.low_coverage:
            return summed
        thinking = ", which opens thinking" if self.opens_thinking else ""
        return f"{summed}: only {self.coverage:.2f} of the first token{thinking}"

    @property
    def why(self) -> str:
        """Why there is no score, in a few words; empty where there is one. Nothing behind the first token is read."""
        if self.absent is None:
            return "overflow" if self.p_yes is None or math.isnan(self.p_yes) else ""
        thinking = ": the first token opens thinking" if self.opens_thinking else ""
        return self.absent.value.replace("_", " ") + thinking


def p_yes(body: Json) -> float | None:
    """p(yes) of an OpenAI-style body: in [0, 1], None without a score, NaN on overflow (SPEC 5)."""
    return read_readout(body).p_yes


def read_readout(body: Json) -> Readout:
    """Read p(yes) with its explanation from a body as received, or from None where none was kept (SPEC 5)."""
    if body is None:
        return Readout(None, absent=NoScore.NO_BODY)
    entries, where = _find_entries(body)
    if entries is None:
        return Readout(None, absent=NoScore.NO_ALTERNATIVES, where=where)
    alternatives: list[Alternative] = []
    for index, entry in enumerate(entries):
        alternative = _read_entry(entry)
        if alternative is None:
            return Readout(None, absent=NoScore.MALFORMED_ENTRY, where=f"{where}[{index}]")
        alternatives.append(alternative)
    return _score(tuple(alternatives))


def _score(alternatives: tuple[Alternative, ...]) -> Readout:
    yes = sum([a.probability for a in alternatives if a.side is Side.YES], 0.0)
    no = sum([a.probability for a in alternatives if a.side is Side.NO], 0.0)
    if all(a.side is Side.IGNORED for a in alternatives):
        return Readout(None, alternatives=alternatives, absent=NoScore.NEITHER_FOUND)
    total = yes + no
    if total == 0.0:
        return Readout(None, yes, no, alternatives, NoScore.ZERO_MASS)
    # Infinity over infinity is NaN, which no bar admits.
    return Readout(yes / total, yes, no, alternatives)


def _find_entries(body: Json) -> tuple[list[Json] | None, str]:
    """The list of alternatives, or None; and the path to it, or to where it is missing."""
    value, where = body, ""
    for step in _PATH:
        if isinstance(step, str):
            where += f".{step}" if where else step
            value = value.get(step) if isinstance(value, dict) else None
        else:
            where += f"[{step}]"
            if isinstance(value, dict):
                value = value.get(str(step))
            else:
                value = value[step] if isinstance(value, list) and len(value) > step else None
        if value is None:
            return None, where
    return (value, where) if isinstance(value, list) else (None, where)


def _read_entry(entry: Json) -> Alternative | None:
    if not isinstance(entry, dict):
        return None
    token, logprob = entry.get("token"), _finite(entry.get("logprob"))
    if not isinstance(token, str) or logprob is None:
        return None
    word = _bare(token).lower()
    side = Side.YES if word in _YES else Side.NO if word in _NO else Side.IGNORED
    return Alternative(token, logprob, side)


def _bare(token: str) -> str:
    """The token trimmed once, then without surrounding quotes, dots and commas."""
    return trim(token).strip("\"'.,")


def _finite(value: Json) -> float | None:
    """A JSON number as a double. Booleans are none, nor is what no JSON number can be (NaN, beyond double range)."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _exp(logprob: float) -> float:
    try:
        return math.exp(logprob)
    except OverflowError:
        return math.inf
