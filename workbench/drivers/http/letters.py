"""A decision question over a chat model: one letter a label, read from the first token's alternatives (SPEC 6.1).

The probabilities are those of the letters, renormalized; what they cover of the first token is shown beside them, and
below half of it they are not used.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from string import ascii_uppercase

from ....core.conversation.model import Json, Message, Request, Role, Text
from ....core.vgr.json_text import json_text
from ....core.vgr.text import trim
from ....prompts import letters_closing, letters_instructions
from ..protocol import Answer, Call, NotConfigured, Question, Reply
from .thinking import is_thinking_tag
from .wire import joined

#: As many alternatives as endpoints give of a token; so many labels can be told apart.
MOST_LABELS = 20
#: The least share of the first token's probability that the letters have to hold.
LEAST_COVERED = 0.5
#: Output cap in tokens. The first is read; one alone is refused here and there.
LETTER_TOKENS = 4

#: What may stand around a letter in one token.
_AROUND = "\"'`.,:;()[]*"
#: Probabilities of one token may exceed 1 in all by this much, through rounding.
_ROUNDING = 1e-3


def options_of(question: Question) -> dict[str, str]:
    """The labels by their letters, in sorted order. Raises NotConfigured where there are too many."""
    labels = sorted(set(question.labels))
    if not 1 <= len(labels) <= MOST_LABELS:
        raise NotConfigured(
            f"{len(labels)} labels: letters tell 1 to {MOST_LABELS} apart; ask a system_one endpoint", question.rung
        )
    return dict(zip(ascii_uppercase, labels, strict=False))


def letters_call(question: Question, options: Mapping[str, str]) -> Call:
    """The completion that asks for a letter: our rubric, the whole question as one JSON text, the options again."""
    asked = {"instructions": question.instructions, "context": question.context, "options": dict(options)}
    text = f"{json_text(asked)}\n\n{letters_closing(options)}"
    request = Request((Message(Role.SYSTEM, (Text(letters_instructions()),)),), (Message(Role.USER, (Text(text),)),))
    return Call(
        question.rung,
        question.category,
        request,
        question.timeout,
        max_tokens=LETTER_TOKENS,
        top_logprobs=MOST_LABELS,
        reasoning=False,
    )


def read_letters(reply: Reply, options: Mapping[str, str]) -> Answer:
    """The distribution over the labels; None, with the reason, where the first token gives none that is usable."""
    entry = _first_token(reply.body)
    if entry is None:
        return Answer(None, usage=reply.usage, note=joined((reply.note or "the reply carries no logprobs",)))
    masses = _masses(entry.get("top_logprobs"), options)
    choice = options.get(_letter(entry.get("token")))
    if masses is None:
        note = joined((reply.note, "the first token's alternatives can't be read"))
        return Answer(None, choice=choice, usage=reply.usage, note=note)
    covered = math.fsum(masses.values())
    if covered > 1.0 + _ROUNDING:
        note = joined((reply.note, "the alternatives' probabilities add up to more than 1"))
        return Answer(None, choice=choice, usage=reply.usage, note=note)
    covered = min(1.0, covered)
    if covered < LEAST_COVERED:
        thinks = isinstance(entry.get("token"), str) and is_thinking_tag(entry["token"])
        why = f"the letters hold {covered:.2f} of the first token, less than {LEAST_COVERED:.2f}"
        note = joined((reply.note, why, "it opens thinking" if thinks else ""))
        return Answer(None, choice=choice, covered=covered, usage=reply.usage, note=note)
    total = math.fsum(masses.values())
    unseen = [letter for letter in options if masses[letter] == 0.0]
    note = joined((reply.note, f"not among the alternatives, so 0: {', '.join(unseen)}" if unseen else ""))
    probabilities = {label: masses[letter] / total for letter, label in options.items()}
    return Answer(probabilities, choice=choice, covered=covered, usage=reply.usage, note=note)


def _first_token(body: Json) -> dict[str, Json] | None:
    """The entry of the first token in a reduced chat body."""
    value = body
    for step in ("choices", 0, "logprobs", "content", 0):
        if isinstance(value, dict):
            value = value.get(str(step))
        elif isinstance(value, list) and isinstance(step, int) and len(value) > step:
            value = value[step]
        else:
            return None
    return value if isinstance(value, dict) else None


def _masses(alternatives: Json, options: Mapping[str, str]) -> dict[str, float] | None:
    """The summed probability of each letter; None where an entry is malformed, which voids the list (SPEC 5)."""
    if not isinstance(alternatives, list):
        return None
    masses = dict.fromkeys(options, 0.0)
    for entry in alternatives:
        token, logprob = (entry.get("token"), entry.get("logprob")) if isinstance(entry, dict) else (None, None)
        if not isinstance(token, str) or isinstance(logprob, bool) or not isinstance(logprob, (int, float)):
            return None
        # Beyond 1 by far: no log probability, and `exp` would overflow.
        if not -math.inf < logprob <= 1.0:
            return None
        letter = _letter(token)
        if letter in masses:
            masses[letter] += math.exp(logprob)
    return masses


def _letter(token: Json) -> str:
    """The letter a token stands for, in upper case; else what it is."""
    return trim(trim(token).strip(_AROUND)).upper() if isinstance(token, str) else ""
