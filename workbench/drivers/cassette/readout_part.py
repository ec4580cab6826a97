"""The part of a provider's body that the readout reads: the first token's alternatives, and nothing else (SPEC 5).

Where the body lacks them, the part breaks off at the same step, so that the readout gives the same reason.
"""

from __future__ import annotations

from math import isfinite

from ....core.conversation.model import Json
from .redaction import Redactor

_STEPS: tuple[str | int, ...] = ("choices", 0, "logprobs", "content", 0, "top_logprobs")


def readout_part(body: Json, redactor: Redactor) -> Json:
    """The body reduced to what `core.vgr.readout` reads: it scores, or fails to score, as the whole body does."""
    return None if body is None else _walk(body, 0, redactor)


def _walk(value: Json, depth: int, redactor: Redactor) -> Json:
    """The value on the path, kept as far as the path goes; a value of another kind becomes an empty one."""
    if depth == len(_STEPS):
        return [_entry(entry, redactor) for entry in value] if isinstance(value, list) else {}
    step = _STEPS[depth]
    if isinstance(value, dict):
        inner = value.get(str(step))
        return {} if inner is None else {str(step): _walk(inner, depth + 1, redactor)}
    if isinstance(value, list) and isinstance(step, int) and len(value) > step and value[step] is not None:
        return [_walk(value[step], depth + 1, redactor)]
    return {}


def _entry(entry: Json, redactor: Redactor) -> Json:
    """Token and log probability of one alternative; null for what voids the list."""
    if not isinstance(entry, dict):
        return None
    token, logprob = entry.get("token"), entry.get("logprob")
    usable = isinstance(logprob, (int, float)) and not isinstance(logprob, bool) and _is_double(logprob)
    return {
        "token": redactor.text(token) if isinstance(token, str) else None,
        "logprob": logprob if usable else None,
    }


def _is_double(number: int | float) -> bool:
    try:
        return isfinite(number)
    except OverflowError:
        return False
