"""Formats inside other formats: values, JSON texts in strings, streams in strings, and how deep that goes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from routing_workbench.core.conversation.diagnostics import Severity
from routing_workbench.core.conversation.formats import REGISTRY, Source
from routing_workbench.core.conversation.formats.draft import Draft
from routing_workbench.core.conversation.formats.exchange import read_exchange
from routing_workbench.core.conversation.formats.format import Format, Holds, Match
from routing_workbench.core.conversation.formats.registry import MAX_DEPTH, Registry
from routing_workbench.core.conversation.formats.wrapping import keep_inside, read_inside
from routing_workbench.core.conversation.model import Role, text_of

REQUEST: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
REPLY: dict[str, Any] = {"choices": [{"message": {"role": "assistant", "content": "yo"}, "finish_reason": "stop"}]}
STREAM = 'data: {"choices":[{"index":0,"delta":{"content":"yo"},"finish_reason":"stop"}]}\r\n\r\ndata: [DONE]\r\n'


def log(row: dict[str, Any]) -> Source:
    """A log row as the paste, with the whole registry."""
    return Source(row, registry=REGISTRY)


def turns(draft: Draft) -> list[tuple[Role, str]]:
    """Role and text of each message."""
    return [(message.role, text_of(message.content)) for message in draft.messages]


@pytest.mark.parametrize("wrap", [lambda body: body, json.dumps, lambda body: json.dumps(json.dumps(body))])
def test_a_part_is_read_as_whatever_it_is(wrap: Any) -> None:
    """An object, a JSON text in a string, and one in a string in a string."""
    draft = Draft()
    row = {"body": wrap(REQUEST)}
    found = read_inside(row["body"], ("body",), log(row), draft)
    assert found is not None
    assert found.name == "openai-chat-request"
    assert turns(draft) == [(Role.USER, "hi")]
    assert draft.messages_at == [("body", "messages", 0)]
    assert draft.extras == {"body.model": "m"}


def test_only_the_half_that_is_due_is_read() -> None:
    """A request is no reply."""
    draft = Draft()
    assert read_inside(REQUEST, ("a",), log({"a": REQUEST}), draft, Holds.REPLY) is None
    assert draft.messages == []


def test_a_plain_text_is_no_part_in_a_format() -> None:
    """A prompt and a transcript are read where they are the whole paste; inside, they are whatever stands there."""
    draft = Draft()
    assert read_inside("User: a\nAssistant: b", ("a",), log({}), draft) is None


@pytest.mark.parametrize("reply", [REPLY, json.dumps(REPLY), STREAM, "yo", {"role": "assistant", "content": "yo"}])
def test_an_exchange_is_one_conversation(reply: Any) -> None:
    """Whatever the reply is in: a body, its text, a stream, a bare text, one message."""
    draft = Draft()
    source = log({"in": json.dumps(REQUEST), "out": reply})
    assert read_exchange(json.dumps(REQUEST), ("in",), reply, ("out",), source, draft)
    assert turns(draft) == [(Role.USER, "hi"), (Role.ASSISTANT, "yo")]


def test_what_is_found_in_a_text_stands_at_its_string() -> None:
    """Offsets inside a string are none of the paste."""
    draft = Draft()
    read_inside(STREAM, ("out",), log({"out": STREAM}), draft)
    assert draft.messages_at == [("out",)]


def test_a_part_that_is_cut_off_says_so() -> None:
    """It is kept whole, with the reason and its place."""
    draft = Draft()
    cut = json.dumps(REQUEST)[:-5]
    assert read_inside(cut, ("in",), log({"in": cut}), draft) is None
    keep_inside(cut, ("in",), log({"in": cut}), draft, "The request")
    assert draft.extras == {"in": cut}
    (remark,) = draft.remarks
    assert (remark.severity, remark.path) == (Severity.WARNING, ("in",))
    assert "breaks off" in remark.message


def test_a_cut_off_reply_is_not_taken_for_what_the_model_said() -> None:
    """Half a body is no text."""
    draft = Draft()
    cut = json.dumps(REPLY)[:-5]
    assert read_exchange(REQUEST, ("in",), cut, ("out",), log({"in": REQUEST, "out": cut}), draft)
    assert turns(draft) == [(Role.USER, "hi")]
    assert draft.extras["out"] == cut


def test_several_conversations_inside_are_several() -> None:
    """JSON lines in a string begin conversations of the draft."""
    draft = Draft()
    lines = "\n".join(json.dumps(REQUEST) for _ in range(3))
    read_inside(lines, ("file",), log({"file": lines}), draft)
    assert [turns(one) for one in draft.begun] == [[(Role.USER, "hi")]] * 3


def test_formats_stand_in_each_other_to_a_bound() -> None:
    """A format that wraps itself ends with a remark, not with the stack."""

    def read(source: Source, draft: Draft) -> None:
        value, at = source.value["wrapped"], (*source.path, "wrapped")
        if read_inside(value, at, source, draft) is None:
            keep_inside(value, at, source, draft, "What stands here")

    def match(source: Source) -> Match | None:
        return Match(1.0, "`wrapped`") if isinstance(source.value, dict) and "wrapped" in source.value else None

    registry = Registry([Format("w", "W", "w", "nothing", match, read, fields=frozenset({"wrapped"}))])
    value: Any = {}
    for _ in range(30):
        value = {"wrapped": value}
    draft = Draft()
    read(Source(value, registry=registry), draft)
    (remark,) = draft.remarks
    assert f"more than {MAX_DEPTH} formats" in remark.message
    assert len(draft.extras) == 1


def test_without_a_registry_nothing_inside_is_read() -> None:
    """A driver that reads one body asks for no other format."""
    draft = Draft()
    assert read_inside(REQUEST, ("a",), Source({"a": REQUEST}), draft) is None
