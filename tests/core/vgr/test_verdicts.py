"""Reading verdicts, task types and witness answers (SPEC 5): the golden vectors, the cases, and what neither covers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.conversation.model import (
    Block,
    Output,
    Reasoning,
    Refusal,
    Response,
    Role,
    StopReason,
    Text,
    ToolResult,
)
from routing_workbench.core.conversation.normalized import response_from_json
from routing_workbench.core.vgr.capabilities import TaskType
from routing_workbench.core.vgr.signals import Verdict
from routing_workbench.core.vgr.verdicts import (
    TaskTyping,
    first_output_text,
    parse_task_type,
    parse_verdict,
    parse_witness,
)

TESTS = Path(__file__).resolve().parents[2]


def vectors(name: str) -> list[Any]:
    """The lines of a vector file as parameters."""
    lines = (TESTS / "vectors" / f"{name}.jsonl").read_text("utf-8").split("\n")
    return [pytest.param(v["input"], v["expected"], id=v["id"]) for v in map(json.loads, filter(None, lines))]


def verdict_cases() -> list[Any]:
    """The cases whose contract is the yes/no verdict."""
    found = []
    for path in sorted((TESTS / "cases").glob("*/case.json")):
        case = json.loads(path.read_text("utf-8"))
        if case["kind"] == "judge-output" and case["format"] == "yes-no-verdict-reply":
            body = json.loads((path.parent / case["input"]).read_text("utf-8"))
            found.append(pytest.param(body, case["expected"]["verdict"], id=case["id"]))
    return found


def reply(*content: Block, stop: StopReason | None = None) -> Response:
    """A reply of one output."""
    return Response((Output(Role.ASSISTANT, content, stop),))


@pytest.mark.parametrize(("given_input", "expected"), vectors("parse_verdict"))
def test_verdict_vector(given_input: dict[str, Any], expected: dict[str, Any]) -> None:
    """The verdict is the reference's."""
    assert parse_verdict(response_from_json(given_input["response"])) == expected["verdict"]


@pytest.mark.parametrize(("given_input", "expected"), vectors("parse_task_type"))
def test_task_type_vector(given_input: dict[str, Any], expected: dict[str, Any]) -> None:
    """Task type and abstention are the reference's."""
    typing = parse_task_type(response_from_json(given_input["response"]))
    assert {"task_type": typing.task_type, "abstained": typing.abstained} == expected


@pytest.mark.parametrize(("given_input", "expected"), vectors("parse_witness"))
def test_witness_vector(given_input: dict[str, Any], expected: dict[str, Any]) -> None:
    """The witness answer is the reference's."""
    assert parse_witness(response_from_json(given_input["response"])) == expected["answer"]


@pytest.mark.parametrize(("body", "expected"), verdict_cases())
def test_verdict_case(body: dict[str, Any], expected: str) -> None:
    """A pasted judge's reply gives the verdict its case demands."""
    choice = body["choices"][0]
    stop = {"stop": StopReason.END_TURN, "length": StopReason.MAX_TOKENS}.get(
        choice["finish_reason"], StopReason.UNKNOWN
    )
    assert parse_verdict(reply(Text(choice["message"]["content"] or ""), stop=stop)) == expected


@pytest.mark.parametrize("stop", [s for s in StopReason if s is not StopReason.END_TURN])
def test_reply_that_did_not_stop_by_itself_is_empty_for_all_readers(stop: StopReason) -> None:
    """A cut-off reply carries neither verdict nor type nor abstention nor answer."""
    assert parse_verdict(reply(Text("yes"), stop=stop)) is Verdict.UNKNOWN
    assert parse_task_type(reply(Text("coding"), stop=stop)) == TaskTyping(None)
    assert parse_task_type(reply(Text("abstain"), stop=stop)) == TaskTyping(None)
    assert parse_witness(reply(Text("36"), stop=stop)) is None


def test_stop_reason_of_a_later_output_does_not_matter() -> None:
    """Only the first output is read."""
    later = Output(Role.ASSISTANT, (Text("no"),), StopReason.ERROR)
    assert parse_verdict(Response((*reply(Text("yes")).outputs, later))) is Verdict.YES


def test_first_output_text_leaves_out_refusals_reasoning_and_nested_text() -> None:
    """Text blocks alone, joined by newlines."""
    content = (Text("a"), Refusal("yes"), Reasoning("yes"), ToolResult("c", (Text("yes"),)), Text("b"))
    assert first_output_text(reply(*content)) == "a\nb"


def test_refusal_that_says_yes_is_no_verdict() -> None:
    """A refusal is not read."""
    assert parse_verdict(reply(Refusal("yes"))) is Verdict.UNKNOWN


@pytest.mark.parametrize(
    "text", ["yes\x1d", "yes\u200d", "y\u0117s", "yes?!", "!yes", "yes! ok", "yes\u2028no", "no\ryes"]
)
def test_near_yes_is_unknown(text: str) -> None:
    """What is not exactly the word is no verdict."""
    assert parse_verdict(reply(Text(text))) is Verdict.UNKNOWN


@pytest.mark.parametrize("text", ["yes.!.!", "maybe\r\n\r\nYeS\u2003\n\x0b", "\u2028yes\u2029", "no\nyes\r"])
def test_padded_yes_is_yes(text: str) -> None:
    """Unicode white space around the last line and trailing dots and exclamation marks are dropped."""
    assert parse_verdict(reply(Text(text))) is Verdict.YES


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Agentic...", TaskTyping(TaskType.AGENTIC)),
        ("abstain..", TaskTyping(None, True)),
        ("abstain!", TaskTyping(None)),
        ("I abstain", TaskTyping(None)),
        ("well\nchat", TaskTyping(None)),
        (".coding", TaskTyping(None)),
        ("...", TaskTyping(None)),
    ],
)
def test_task_type_is_the_whole_reply(text: str, expected: TaskTyping) -> None:
    """Only dots may follow the word, and nothing else may stand beside it."""
    assert parse_task_type(reply(Text(text))) == expected


@given(st.text())
def test_only_a_last_line_that_is_the_word_yields_yes(text: str) -> None:
    """No text without the word yes says yes, and no reader raises."""
    parse_task_type(reply(Text(text)))
    witness = parse_witness(reply(Text(text)))
    said = parse_verdict(reply(Text(text)))
    assert said is not Verdict.YES or (witness is not None and witness.lower().rstrip(".!") == "yes")
