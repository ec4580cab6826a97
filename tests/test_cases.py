"""Every paste of tests/cases is read as its case.json says; formats of later issues never crash and never vanish."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from routing_workbench.core.conversation import Conversation, Reading, Severity, read, split_attempt
from routing_workbench.core.conversation.formats import FORMATS, Format
from routing_workbench.core.conversation.model import (
    Block,
    Media,
    Message,
    Reasoning,
    Refusal,
    Role,
    ToolCall,
    ToolResult,
    text_of,
)
from routing_workbench.core.conversation.pairing import pair_results

CASES = Path(__file__).resolve().parent / "cases"
CASE_FILES = sorted(CASES.glob("*/case.json"))
SESSIONS = sorted((CASES / "sessions").glob("*.meta.json"))

#: Cases named after what is special about them: the format they are in (None: any), else their own.
READ_AS: dict[str, str | None] = {
    "openai-request-response-pair": "request-response-pair",
    "ndjson-messages": "openai-chat-request",
    "dirty-json": None,
    "python-repr": None,
    "python-sdk-repr": None,
    "plain-prompt-only": "plain-prompt",
}
NAMES = {f.name for f in FORMATS}
#: Kinds of cases that ask for something else than a conversation.
OTHER_KINDS = {"judge-output", "logprobs"}


def own_format(case: dict[str, Any]) -> str | None:
    """The format that a case is in, by its name in the registry; None for any."""
    return READ_AS.get(case["id"], READ_AS.get(case["format"], case["format"]))


def is_read(case: dict[str, Any]) -> bool:
    """Whether the format of a case is in the registry; those of the other cases only have to be named."""
    return own_format(case) is None or own_format(case) in NAMES


def load(case_file: Path) -> tuple[dict[str, Any], str]:
    """A case and its paste, byte for byte, large inputs generated."""
    case = json.loads(case_file.read_text(encoding="utf-8"))
    text = (case_file.parent / case["input"]).read_bytes().decode("utf-8")
    if "generate" in case:
        made = case["generate"]
        assert text.count(made["placeholder"]) == 1
        text = text.replace(made["placeholder"], made["repeat"] * made["times"])
    return case, text


def name_of(path: Path) -> str:
    """The id of a case or session."""
    return path.parent.name if path.name == "case.json" else path.name.removesuffix(".meta.json")


def all_blocks(content: tuple[Block, ...]) -> list[Block]:
    """The blocks with those inside results."""
    found: list[Block] = []
    for block in content:
        found.append(block)
        if isinstance(block, ToolResult):
            found += all_blocks(block.content)
    return found


def roles_of(messages: tuple[Message, ...]) -> list[str]:
    """The walk that cases/README.md describes."""
    walked: list[str] = []
    for message in messages:
        for role in ["tool" if isinstance(block, ToolResult) else str(message.role) for block in message.content] or [
            str(message.role)
        ]:
            if not walked or walked[-1] != role:
                walked.append(role)
    return walked


def facts(conversation: Conversation) -> dict[str, Any]:
    """What `expected` may ask of a conversation."""
    request = conversation.request
    blocks = [block for message in request.turns for block in all_blocks(message.content)]
    calls = [block for block in blocks if isinstance(block, ToolCall)]
    results = [block for block in blocks if isinstance(block, ToolResult)]
    _, attempt = split_attempt(request)
    text = text_of(attempt.outputs[0].content) if attempt else ""
    proposed = [b for b in attempt.outputs[0].content if isinstance(b, ToolCall)] if attempt else []
    pairs: dict[str, str] = {}
    for pair in pair_results(request.turns).pairs:
        result = request.turns[pair.result.turn].content[pair.result.block]
        assert isinstance(result, ToolResult)
        pairs[pair.call.id] = pairs.get(pair.call.id, "") + text_of(result.content)
    return {
        "instructions": len(request.instructions),
        "roles": roles_of(request.messages),
        "tool_calls": len(calls),
        "tool_results": len(results),
        "tool_errors": sum(result.is_error is True for result in results),
        "bad_arguments": sum(not isinstance(call.arguments, dict) for call in calls),
        "media": dict(Counter(block.kind for block in blocks if isinstance(block, Media))),
        "reasoning": sum(isinstance(block, Reasoning) for block in blocks),
        "refusals": sum(isinstance(block, Refusal) for block in blocks),
        "attempt_text": text or None,
        "attempt_tool_calls": len(proposed),
        "arguments": [call.arguments for call in calls],
        "pairs": pairs,
    }


def differences(conversation: Conversation, expected: dict[str, Any]) -> list[str]:
    """Where a conversation is not as expected."""
    found = facts(conversation)
    wrong = []
    for key, value in expected.items():
        if key == "pairs":
            wrong += [f"pair {call}" for call, part in value.items() if part not in found["pairs"].get(call, "")]
        elif found[key] != value:
            wrong.append(f"{key}: {found[key]!r}, expected {value!r}")
    return wrong


def errors_with_next_step(reading: Reading) -> bool:
    """There is an error, and each says what to do."""
    errors = [d for d in reading.diagnostics if d.severity is Severity.ERROR]
    return bool(errors) and all(d.message and d.next_step for d in errors)


def said(reading: Reading) -> str:
    """All words of warnings and errors, lower-cased."""
    return "\n".join(
        f"{d.message} {d.next_step}" for d in reading.diagnostics if d.severity is not Severity.NOTE
    ).lower()


@pytest.mark.parametrize("case_file", CASE_FILES, ids=name_of)
def test_case_is_read_or_named(case_file: Path) -> None:
    """A case gives its expected conversation or a clear error, and is never silently empty."""
    case, text = load(case_file)
    reading = read(text)
    assert "reader-failed" not in {d.code for d in reading.diagnostics}
    if not reading.conversations:
        assert errors_with_next_step(reading)
    # One of a list may be empty, as its place in the list says; never all of them.
    assert not reading.conversations or any(one.request.turns for one in reading.conversations)
    empty = [one for one in case.get("expected", {}).get("each", []) if one.get("roles") == []]
    assert sum(not one.request.turns for one in reading.conversations) == len(empty)
    if case["kind"] in OTHER_KINDS:
        return
    if "expected_error" in case:
        assert_error(case, reading)
    elif "expected" in case and (is_read(case) or reading.conversations):
        assert_expected(case, reading)


def assert_error(case: dict[str, Any], reading: Reading) -> None:
    """The clear message that is due is there."""
    for word in case["expected_error"]["must_mention"]:
        assert word.lower() in said(reading)


def assert_expected(case: dict[str, Any], reading: Reading) -> None:
    """The conversation is as expected; what is only likely is reported."""
    accepted = "accept" in case.get("not_asserted", {})
    if not reading.conversations and accepted:
        places = [d.place for d in reading.diagnostics if d.severity is Severity.ERROR]
        assert all(place.line is not None and place.column is not None for place in places)
        return
    each = case["expected"].get("each", [case["expected"]])
    assert len(reading.conversations) == case["expected"].get("conversations", 1)
    for conversation, expected in zip(reading.conversations, each, strict=True):
        assert differences(conversation, expected) == []
    for conversation in reading.conversations:
        for difference in differences(conversation, case.get("likely", {})):
            warnings.warn(f"{case['id']}, likely: {difference}", stacklevel=1)
    line = case.get("advisory", {}).get("warn_about_line")
    if line is not None:
        assert line in {d.place.line for d in reading.diagnostics if d.severity is not Severity.NOTE}


@pytest.mark.parametrize("case_file", CASE_FILES, ids=name_of)
def test_the_best_candidate_of_a_case_is_its_own_format(case_file: Path) -> None:
    """However many formats there are; and the reason is stated."""
    case, text = load(case_file)
    if case["kind"] in OTHER_KINDS or "expected_error" in case or not is_read(case):
        return
    candidates = read(text).candidates
    if not candidates:
        assert "accept" in case.get("not_asserted", {})
        return
    assert own_format(case) in (None, candidates[0].name)
    assert candidates[0].reason


@pytest.mark.parametrize("named", [f for f in FORMATS if f.example], ids=lambda f: f.name)
def test_the_example_of_a_format_is_in_it(named: Format) -> None:
    """The case that the table of formats names exists and is read as that format."""
    _, text = load(CASES / named.example / "case.json")
    reading = read(text)
    assert reading.format is not None
    assert reading.format.name == named.name
    assert reading.conversations


@pytest.mark.parametrize("meta_file", SESSIONS, ids=name_of)
def test_session_meets_its_meta(meta_file: Path) -> None:
    """A whole session gives the numbers of its meta file, and no remark beyond a note."""
    meta = json.loads(meta_file.read_text(encoding="utf-8"))
    reading = read((meta_file.parent / meta["input"]).read_text(encoding="utf-8"))
    (conversation,) = reading.conversations
    assert differences(conversation, meta["expected"]) == []
    assert reading.format is not None
    assert reading.format.name == meta["format"]
    turns = conversation.request.turns
    assert sum(message.role is Role.ASSISTANT for message in turns) == meta["assistant_turns"]
    assert [d for d in reading.diagnostics if d.severity is not Severity.NOTE] == []
