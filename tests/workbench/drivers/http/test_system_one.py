"""The wire format system_one: a question as sent, and its answer as received."""

from __future__ import annotations

from typing import Any

import pytest
from routing_workbench.workbench.drivers.http.system_one import read_answer, request_body
from routing_workbench.workbench.drivers.http.targets import Client, Target, WireFormat
from routing_workbench.workbench.drivers.protocol import Answer, AnswerType, InvalidResponse, Question

QUESTION = Question("route", "Choose.", ("cheap", "strong"), {"task": ["t"]}, 30.0)
TARGET = Target("judge-1", Client("c", WireFormat.SYSTEM_ONE, "https://h/decide"), {"temperature": 0})


def answered(answer: Any) -> Answer:
    """The answer as read."""
    return read_answer({"id": "x", "model": "m", "answers": {"route": answer}, "usage": {"total_tokens": 3}}, QUESTION)


def test_the_question_names_labels_and_no_model() -> None:
    """The context is the state; the judge's own model is the only one named."""
    assert request_body(QUESTION, TARGET).body == {
        "model": "judge-1",
        "state": {"task": ["t"]},
        "questions": {
            "route": {"type": "choice", "instructions": "Choose.", "criteria": {"cheap": None, "strong": None}}
        },
        "temperature": 0,
    }


@pytest.mark.parametrize(
    "probabilities", [{"cheap": 0.7, "strong": 0.3}, {"cheap": 2}, {"other": 0.5, "cheap": -1.0}, {}]
)
def test_probabilities_come_as_received(probabilities: dict[str, float]) -> None:
    """Whether they are usable is the core's to say."""
    answer = answered({"type": "choice", "choice": "cheap", "probabilities": probabilities, "confidence": 1})
    assert answer == Answer(probabilities, AnswerType.CHOICE, "cheap", 1.0, None, {"total_tokens": 3})


@pytest.mark.parametrize(
    "probabilities", [None, [0.5], {"cheap": "0.5"}, {"cheap": True}, {"cheap": None}, {"cheap": "NaN"}]
)
def test_what_is_no_distribution_is_none(probabilities: Any) -> None:
    """And the note says why."""
    answer = answered({"type": "choice", "choice": 5, "probabilities": probabilities, "confidence": "high"})
    assert (answer.probabilities, answer.choice, answer.confidence) == (None, None, None)
    assert answer.note in ("the answer carries no probabilities", "a probability is no number")


@pytest.mark.parametrize("kind", ["boolean", "score"])
def test_an_answer_of_another_type_carries_no_distribution(kind: str) -> None:
    """It is named."""
    answer = answered({"type": kind, "probabilities": {"cheap": 1.0}})
    assert (answer.probabilities, answer.type.value, answer.note) == (
        None,
        kind,
        f"a {kind} was answered, not a choice",
    )


def test_a_question_without_an_answer_is_missing() -> None:
    """Others' answers are not taken for it."""
    body = {"answers": {"other": {"type": "choice", "probabilities": {"cheap": 1.0}}}}
    assert read_answer(body, QUESTION).type is AnswerType.MISSING


@pytest.mark.parametrize(
    "body", [None, [], {}, {"answers": []}, {"answers": {"route": "cheap"}}, {"answers": {"route": {"type": "odd"}}},
             {"answers": {"route": {"type": "missing"}}}, {"answers": {"route": {"type": ["choice"]}}}],
)  # fmt: skip
def test_what_is_no_set_of_answers_is_invalid(body: Any) -> None:
    """Never a KeyError."""
    with pytest.raises(InvalidResponse):
        read_answer(body, QUESTION)
