"""The wire format `system_one`: an endpoint that answers decision questions, and nothing else (SPEC 6.1).

Asked is `{model, state, questions: {id: {type, instructions, criteria: {label: null}}}}`, posted to the base URL as
given; answered is `{id, model, answers: {id: {type, choice, probabilities, confidence}}, usage}`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ....core.conversation.model import Json
from ..protocol import Answer, AnswerType, InvalidResponse, Question
from .targets import Target
from .wire import Sent, usage_of

_TYPES = {str(kind): kind for kind in AnswerType if kind is not AnswerType.MISSING}


def request_body(question: Question, target: Target) -> Sent:
    """The body that asks this question."""
    asked = {
        "type": AnswerType.CHOICE.value,
        "instructions": question.instructions,
        "criteria": dict.fromkeys(question.labels),
    }
    body = {"model": target.model, "state": question.context, "questions": {question.id: asked}}
    return Sent(body | dict(target.extra_body))


def read_answer(body: Json, question: Question) -> Answer:
    """The answer in a body, as received; of type `missing` where it holds none to this question.

    Raises InvalidResponse where the body is no set of answers.
    """
    answers = body.get("answers") if isinstance(body, dict) else None
    if not isinstance(answers, dict):
        raise InvalidResponse("no answers", question.rung)
    usage = usage_of(body.get("usage"))
    raw = answers.get(question.id)
    if raw is None:
        return Answer(None, AnswerType.MISSING, usage=usage, note="the question was not answered")
    kind = raw.get("type") if isinstance(raw, dict) else None
    if not isinstance(kind, str) or kind not in _TYPES:
        raise InvalidResponse("an answer of no known type", question.rung)
    if kind != AnswerType.CHOICE:
        return Answer(None, _TYPES[kind], usage=usage, note=f"a {kind} was answered, not a choice")
    probabilities, note = _distribution(raw.get("probabilities"))
    choice, confidence = raw.get("choice"), raw.get("confidence")
    return Answer(
        probabilities,
        choice=choice if isinstance(choice, str) else None,
        confidence=float(confidence) if _is_number(confidence) else None,
        usage=usage,
        note=note,
    )


def _distribution(raw: Json) -> tuple[Mapping[str, float] | None, str]:
    """The probabilities as received, whether usable or not; None, and why, where one is no number at all."""
    if not isinstance(raw, dict):
        return None, "the answer carries no probabilities"
    if not all(_is_number(value) for value in raw.values()):
        return None, "a probability is no number"
    return dict(raw), ""


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
