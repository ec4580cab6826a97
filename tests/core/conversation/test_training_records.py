"""Training records: the answer that was not preferred, rounds before a question, and what stands beside the turns."""

from __future__ import annotations

import json

from routing_workbench.core.conversation import read
from routing_workbench.core.conversation.model import Role, text_of


def test_the_other_answer_is_an_alternative() -> None:
    """Without the turns that both have."""
    asked = {"role": "user", "content": "hi"}
    record = {
        "chosen": [asked, {"role": "assistant", "content": "good"}],
        "rejected": [asked, {"role": "assistant", "content": "bad"}],
        "score_chosen": 0,
    }
    (found,) = read(json.dumps(record)).conversations
    assert [text_of(message.content) for message in found.alternatives] == ["bad"]
    assert dict(found.extras) == {"score_chosen": 0}


def test_rounds_before_an_instruction_are_turns() -> None:
    """`history` holds question and answer by turns."""
    record = {"instruction": "c", "input": "", "output": "d", "history": [["a", "b"]], "system": "s"}
    (found,) = read(json.dumps(record)).conversations
    assert [(message.role, text_of(message.content)) for message in found.request.turns] == [
        (Role.SYSTEM, "s"),
        (Role.USER, "a"),
        (Role.ASSISTANT, "b"),
        (Role.USER, "c"),
        (Role.ASSISTANT, "d"),
    ]


def test_an_instruction_without_an_output_waits_for_its_answer() -> None:
    """Nothing is made of an empty answer."""
    (found,) = read(json.dumps({"instruction": "a", "output": ""})).conversations
    assert [text_of(message.content) for message in found.request.messages] == ["a"]


def test_a_request_with_instructions_is_no_record() -> None:
    """`model` and the like belong to bodies."""
    found = read(json.dumps({"model": "m", "instruction": "a", "output": "b"}))
    assert not any(match.name == "training-records" for match in found.candidates)
