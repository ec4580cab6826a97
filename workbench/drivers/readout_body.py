"""A chat completion body whose first token carries a given p(yes), for the mock's readouts (SPEC 5)."""

from __future__ import annotations

from math import exp, log
from random import Random

from ...core.conversation.model import Json

#: Spellings that count as yes and no, and tokens that count as neither.
_YES = ("yes", "Yes", " yes")
_NO = ("no", "No", " no")
_OTHER = ("The", "I")
#: One draw in some hundreds can't be settled on the exact double; another draw then can.
_DRAWS = 8
_STEPS = 200
_ULP = 2.0**-50


def readout_body(score: float, seed: str) -> Json:
    """A body that reads as p(yes) = `score`, a probability in [0, 1]; `seed` spreads the mass over the spellings.

    Where doubles allow it the score is met exactly, so that a score scripted at an inclusive bar stands at the bar;
    else it is off by less than 1e-15.
    """
    if not 0.0 <= score <= 1.0:
        raise ValueError(f"score is {score}; a probability lies in [0, 1]")
    random = Random(seed)
    for _ in range(_DRAWS):
        covered = 0.86 + 0.12 * random.random()
        yes = _spread(_YES, covered * score, random)
        no = _spread(_NO, covered * (1.0 - score), random)
        others = _spread(_OTHER, 1.0 - covered, random)
        if _settle(yes, no, score):
            break
    first = sorted([*yes, *no, *others], key=lambda entry: -entry[1])
    top = [{"token": token, "logprob": logprob} for token, logprob in first]
    token = top[0]["token"]
    return {
        "object": "chat.completion",
        "model": "mock",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": token},
                "finish_reason": "stop",
                "logprobs": {"content": [{**top[0], "top_logprobs": top}]},
            }
        ],
    }


def _spread(tokens: tuple[str, ...], mass: float, random: Random) -> list[tuple[str, float]]:
    """The tokens with their shares of a mass, as logprobs; nothing where there is no mass to share."""
    shares = [1.0, 0.05 + 0.15 * random.random(), 0.01 + 0.04 * random.random()][: len(tokens)]
    total = sum(shares)
    masses = [mass * share / total for share in shares]
    return [(token, log(part)) for token, part in zip(tokens, masses, strict=True) if part > 0.0]


def _settle(yes: list[tuple[str, float]], no: list[tuple[str, float]], score: float) -> bool:
    """Shift the smallest shares by ulps until the sums read the score; whether they read it exactly."""
    if not yes or not no:
        return True
    for step in range(_STEPS):
        read = _read(yes, no)
        if read == score:
            return True
        side, up = (yes, read < score) if step % 2 == 0 else (no, read > score)
        token, logprob = side[-1]
        side[-1] = (token, logprob + (_ULP if up else -_ULP) * (1 + step // 8))
    return False


def _read(yes: list[tuple[str, float]], no: list[tuple[str, float]]) -> float:
    """p(yes) as the parser sums it: in the order of the alternatives, likeliest first."""
    up = sum(exp(logprob) for _, logprob in sorted(yes, key=lambda entry: -entry[1]))
    down = sum(exp(logprob) for _, logprob in sorted(no, key=lambda entry: -entry[1]))
    return up / (up + down)
