"""Traces and gateway logs: places, sessions, alternatives, what is kept, and junk where spans are due."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from routing_workbench.core.conversation import Conversation, locate, read
from routing_workbench.core.conversation.formats.spans import any_value
from routing_workbench.core.conversation.model import StopReason, text_of

CASES = Path(__file__).resolve().parents[2] / "cases"
#: A case of each format, damaged below.
DAMAGED = (
    "litellm-spend-log-row",
    "otel-genai-span",
    "openinference-flat-attributes",
    "langfuse-generation-tool-defs-as-messages",
    "langchain-messages-to-dict-invalid-call",
    "langsmith-chain-run-plain-state",
)
JUNK: tuple[Any, ...] = (
    None,
    True,
    7,
    "x",
    "{",
    [],
    {},
    [[1]],
    {"a": [None]},
    ["human", "x"],
    {"type": {}, "role": []},
)


def only(value: Any) -> Conversation:
    """The one conversation of a paste."""
    (conversation,) = read(json.dumps(value)).conversations
    return conversation


def paths(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of all values in a document."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in members:
        yield (*at, step)
        yield from paths(inner, (*at, step))


@pytest.mark.parametrize("case", DAMAGED)
def test_junk_anywhere_in_a_record_is_no_crash(case: str) -> None:
    """Each value is replaced by each kind of junk, and taken out."""
    whole = json.loads((CASES / case / "input.json").read_text(encoding="utf-8"))
    for path in list(paths(whole)):
        for junk in JUNK:
            damaged = json.loads(json.dumps(whole))
            outer = damaged
            for step in path[:-1]:
                outer = outer[step]
            outer[path[-1]] = junk
            found = read(json.dumps(damaged))
            assert "reader-failed" not in {d.code for d in found.diagnostics}, (path, junk)
            assert found.conversations or found.failed


def test_attributes_of_otlp_are_any_json() -> None:
    """Typed values give what they hold, and the steps down to it."""
    nested = {"kvlistValue": {"values": [{"key": "n", "value": {"arrayValue": {"values": [{"intValue": "1"}]}}}]}}
    assert any_value(nested) == ({"n": ["1"]}, ("kvlistValue",))
    assert any_value({"string_value": "a"}) == ("a", ("string_value",))
    assert any_value({"other": 1}) == ({"other": 1}, ())


def test_a_message_in_an_attribute_stands_at_its_string() -> None:
    """The place leads to the attribute that holds it."""
    text = (CASES / "otel-genai-span" / "input.json").read_text(encoding="utf-8")
    (conversation,) = read(text).conversations
    place = conversation.places[1].path or ""
    assert place.endswith("attributes[3].value.stringValue[0]")
    found = locate(text, place)
    assert text[found.start : found.end].startswith('"[{\\"role\\"')


def test_attributes_in_a_list_are_kept_by_their_names() -> None:
    """Not by the type of their value."""
    conversation = only(json.loads((CASES / "otel-genai-span" / "input.json").read_text(encoding="utf-8")))
    at = "resourceSpans[0].scopeSpans[0].spans[0]"
    assert conversation.extras[f'{at}.attributes["gen_ai.request.model"]'] == "fake"
    assert conversation.extras[f"{at}.kind"] == 3


def test_further_choices_stand_beside_the_first() -> None:
    """Each output message with a finish reason is a choice."""
    parts = [[{"type": "text", "content": text}] for text in ("b", "c")]
    replies = [{"role": "assistant", "parts": part, "finish_reason": "stop"} for part in parts]
    conversation = only({"gen_ai.input.messages": [], "gen_ai.output.messages": replies})
    assert [text_of(one.content) for one in conversation.request.messages] == ["b"]
    assert [text_of(one.content) for one in conversation.alternatives] == ["c"]
    assert conversation.stop_reason is StopReason.END_TURN


def test_the_conversation_id_of_a_span_is_the_session() -> None:
    """Of GenAI and of OpenInference."""
    asked = {"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "a"}
    assert only({"attributes": {**asked, "session.id": "s1"}}).request.session_id == "s1"
    asked = {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "a"}
    assert only({"attributes": {**asked, "gen_ai.conversation.id": "s2"}}).request.session_id == "s2"


def test_a_call_is_found_in_every_trace() -> None:
    """A trace without a call of a model gives its outermost step, whatever other traces hold."""
    call = {"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "a"}
    step = {"openinference.span.kind": "CHAIN", "input.value": "b"}
    spans = [
        {"name": "llm", "context": {"trace_id": "1"}, "attributes": call},
        {"name": "chain", "context": {"trace_id": "1"}, "attributes": step},
        {"name": "chain", "context": {"trace_id": "2"}, "attributes": step},
    ]
    found = [text_of(one.request.messages[0].content) for one in read(json.dumps(spans)).conversations]
    assert found == ["a", "b"]


def test_the_session_of_a_langfuse_trace_is_that_of_its_generations() -> None:
    """And the trace itself is kept."""
    generation = {"id": "o", "type": "GENERATION", "input": [{"role": "user", "content": "a"}], "output": "b"}
    conversation = only({"trace": {"id": "t", "sessionId": "s"}, "observations": [generation]})
    assert conversation.request.session_id == "s"
    assert conversation.extras["trace.id"] == "t"


def test_the_thread_of_a_langsmith_run_is_the_session() -> None:
    """Its `session_id` is the project's, and is kept."""
    run = {"run_type": "llm", "session_id": "p", "extra": {"metadata": {"thread_id": "t"}}}
    conversation = only({**run, "inputs": {"messages": [{"role": "user", "content": "a"}]}, "outputs": None})
    assert conversation.request.session_id == "t"
    assert conversation.extras["session_id"] == "p"


def test_a_run_that_is_kept_aside_holds_no_run_that_was_read() -> None:
    """The children of a chain are records of their own."""
    asked = {"messages": [{"role": "user", "content": "a"}]}
    child = {"id": "c", "run_type": "llm", "inputs": asked, "outputs": {"text": "b"}}
    chain = {"id": "r", "run_type": "chain", "inputs": {"x": 1}, "outputs": {}, "child_runs": [child]}
    conversation = only([chain])
    assert conversation.extras["[0]"] == {name: value for name, value in chain.items() if name != "child_runs"}
    assert conversation.extras["[0].child_runs[0].id"] == "c"


def test_a_litellm_row_keeps_its_accounting_and_session() -> None:
    """Every field beside messages and reply."""
    row = {"call_type": "acompletion", "spend": 0.5, "session_id": "s", "request_tags": ["t"]}
    conversation = only({**row, "messages": [{"role": "user", "content": "a"}], "response": "b"})
    assert conversation.request.session_id == "s"
    assert conversation.extras == {"call_type": "acompletion", "spend": 0.5, "request_tags": ["t"]}


def test_a_text_that_litellm_cut_is_said_at_its_message() -> None:
    """What is read is not all that was said."""
    row = {"call_type": "acompletion", "spend": 1, "response": "b"}
    found = read(json.dumps({**row, "messages": [{"role": "user", "content": "a ... (litellm_truncated 9 chars)"}]}))
    assert [d.place.path for d in found.diagnostics if d.code == "log-truncated"] == ["messages[0]"]


def test_an_observation_of_several_events_stands_where_each_of_its_fields_does() -> None:
    """The question in one event, the answer in the next."""
    events = [
        {"type": "generation-create", "id": "e1", "body": {"id": "g", "input": [{"role": "user", "content": "a"}]}},
        {"type": "generation-update", "id": "e2", "body": {"id": "g", "output": "b", "level": "ERROR"}},
    ]
    text = json.dumps({"batch": events})
    found = read(text)
    (conversation,) = found.conversations
    assert [place.path for place in conversation.places] == ["batch[0].body.input[0]", "batch[1].body.output"]
    assert [d.place.path for d in found.diagnostics if d.code == "run-failed"] == ["batch[1].body.level"]
    assert conversation.extras["batch[1].id"] == "e2"


def test_attributes_in_a_text_stand_at_it() -> None:
    """As a store of Phoenix keeps them."""
    attributes = json.dumps({"llm": {"input_messages": [{"message": {"role": "user", "content": "a"}}]}})
    text = json.dumps({"name": "x", "attributes": attributes})
    (conversation,) = read(text).conversations
    (place,) = conversation.places
    assert locate(text, place.path or "").start == text.index(json.dumps(attributes))
