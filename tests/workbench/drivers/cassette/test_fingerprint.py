"""The hash of a redacted request: what changes it, and what does not."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import pytest
from routing_workbench.core.conversation.model import Message, Request, Role, Text, ToolCall
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.cassette.fingerprint import fingerprint_of
from routing_workbench.workbench.drivers.protocol import Category, ReplySchema


@pytest.mark.parametrize(
    "change",
    [
        {"max_tokens": 4},
        {"top_logprobs": 8},
        {"reasoning": False},
        {"schema": ReplySchema("verdict", {"type": "object"})},
        {"request": Request((), (Message(Role.USER, (Text("Is it right?"),)),))},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_a_model_would_answer_to_changes_the_hash(tape: SimpleNamespace, change: dict[str, Any]) -> None:
    """Caps, schema and messages."""
    call = tape.call()
    assert fingerprint_of(replace(call, **change)).digest != fingerprint_of(call).digest


def test_the_schemas_name_and_content_both_count(tape: SimpleNamespace) -> None:
    """A changed schema is a changed request."""
    schemas = [ReplySchema("a", {"type": "object"}), ReplySchema("b", {"type": "object"}), ReplySchema("a", {})]
    assert len({fingerprint_of(tape.call(schema=schema)).digest for schema in schemas}) == 3


@pytest.mark.parametrize(
    "change",
    [{"timeout": 1.5}, {"turn": 3}, {"category": Category.CLOUD_JUDGE}, {"rung": Rung.CLOUD_JUDGE}],
    ids=lambda change: next(iter(change)),
)
def test_whom_and_when_do_not_change_the_hash(tape: SimpleNamespace, change: dict[str, Any]) -> None:
    """The rung is matched beside it."""
    call = tape.call()
    assert fingerprint_of(replace(call, **change)) == fingerprint_of(call)


def test_the_session_does_not_change_the_hash(tape: SimpleNamespace) -> None:
    """Its id is made up anew for every session."""
    call = tape.call()
    other = replace(call, request=replace(call.request, session_id="another"))
    assert fingerprint_of(other) == fingerprint_of(call)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("key sk-abcdefghijklmnop1234", "key sk-qrstuvwxyz0123456789"),
        ("ask ann@dock.example", "ask someone.else@far.away.example"),
    ],
)
def test_a_guess_of_a_secret_can_not_be_tested(tape: SimpleNamespace, one: str, other: str) -> None:
    """Requests that differ in a secret alone have one hash, and one length."""
    assert fingerprint_of(tape.call(one)) == fingerprint_of(tape.call(other))


def test_secrets_in_tool_arguments_are_no_part_of_it_either(tape: SimpleNamespace) -> None:
    """Values and keys."""

    def with_arguments(arguments: Any) -> Any:
        message = Message(Role.ASSISTANT, (ToolCall("c", "run", arguments),))
        return replace(tape.call(), request=Request((), (message,)))

    one, other = ({f"{who}@dock.example": f"{who}@dock.example"} for who in ("ann", "bob"))
    assert fingerprint_of(with_arguments(one)) == fingerprint_of(with_arguments(other))


def test_the_hash_is_over_the_redacted_request_as_documented(tape: SimpleNamespace) -> None:
    """Anybody can recompute it."""
    call = tape.call("Mail ann@dock.example", max_tokens=768)

    def message(role: str, text: str) -> Any:
        return {"role": role, "content": [{"type": "text", "text": text}]}

    canonical = {
        "kind": "completion",
        "instructions": [message("system", "Judge.")],
        "messages": [message("user", "Mail [REDACTED]")],
        "max_tokens": 768,
        "top_logprobs": None,
        "reasoning": True,
        "schema": None,
    }
    text = json.dumps(canonical, ensure_ascii=False, separators=(",", ":"))
    found = fingerprint_of(call)
    assert (found.digest, found.chars) == (f"sha256:{sha256(text.encode()).hexdigest()}", len(text))


@pytest.mark.parametrize(
    "change",
    [
        {"id": "other"},
        {"instructions": "Choose well."},
        {"labels": ("small", "large")},
        {"context": {"task": "Sort two lists."}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_a_decision_reads_changes_its_hash(tape: SimpleNamespace, change: dict[str, Any]) -> None:
    """The order of the labels as well: their letters follow it."""
    assert fingerprint_of(tape.question(**change)).digest != fingerprint_of(tape.question()).digest


def test_whom_and_when_do_not_change_a_decisions_hash(tape: SimpleNamespace) -> None:
    """Nor does a secret in its context."""
    one = tape.question(timeout=1.0, category=Category.CLOUD, context={"task": "ask ann@dock.example"})
    assert fingerprint_of(one) == fingerprint_of(tape.question(context={"task": "ask bob@dock.example"}))
