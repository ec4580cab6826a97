"""Choosing a format, forcing one, sharing messages between readings, and never losing anything."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from readings import codes, well
from routing_workbench.core.conversation import Conversation, Place, Reading, Severity, locate, read
from routing_workbench.core.conversation.formats import FORMATS
from routing_workbench.core.conversation.normalized import message_to_json, request_to_json

CASES = Path(__file__).resolve().parents[2] / "cases"
HERE = Path(__file__).resolve().parent
PASTES = [path.read_bytes().decode() for path in sorted(CASES.glob("*/input.*"))] + [
    paste["text"] for path in sorted(HERE.glob("*.toml")) for paste in tomllib.loads(path.read_text("utf-8"))["paste"]
]


def strings(value: Any) -> Iterator[str]:
    """All string leaves of a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def held(conversation: Conversation) -> list[str]:
    """All strings a reading holds, tool arguments and JSON results taken apart too."""
    whole = [request_to_json(conversation.request), [message_to_json(m) for m in conversation.alternatives]]
    return [*strings(whole), *strings(dict(conversation.extras)), *list(conversation.extras)]


def whole(found: Reading) -> tuple[list[str], object]:
    """Everything a reading says; the conversations as JSON text, in which 1, 1.0 and true differ."""
    requests = [json.dumps(request_to_json(conversation.request)) for conversation in found.conversations]
    return requests, (found.format, found.candidates, found.diagnostics)


# Recognition


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ('[{"role": "user", "content": "a"}]', "openai-chat-request", "a list of messages"),
        ('{"messages": [{"role": "user", "content": "a"}]}', "openai-chat-request", "`messages`"),
        ('[{"role": "tool", "content": "a"}]', "openai-chat-request", "role `tool`"),
        ('{"system": "s", "messages": [{"role": "user", "content": "a"}]}', "anthropic-messages-request", "`system`"),
        (
            '[{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t"}]}]',
            "anthropic-messages-request",
            "`tool_result` blocks",
        ),
        ('{"object": "chat.completion", "choices": [{"message": {"content": "a"}}]}', "openai-chat-response", "object"),
        ('{"type": "message", "role": "assistant", "content": []}', "anthropic-messages-response", "`type`"),
        ("User: a\nAssistant: b", "plain-transcript", "2 speaker lines"),
        ("hello", "plain-prompt", "without roles"),
    ],
)
def test_a_format_is_recognized_by_structure(text: str, name: str, reason: str) -> None:
    """The best candidate is named, with the structure that spoke for it."""
    found = read(text)
    assert found.format == found.candidates[0]
    assert found.format.name == name
    assert reason in found.format.reason
    assert all(0 < match.score <= 1 for match in found.candidates)


def test_a_name_inside_a_text_is_no_structure() -> None:
    """What messages say does not decide their format."""
    text = json.dumps([{"role": "user", "content": '{"type": "tool_use"} <|im_start|> data: {}'}])
    assert read(text).format == read('[{"role": "user", "content": "x"}]').format


def test_forcing_a_format_by_name() -> None:
    """A plain list can be read as either dialect."""
    text = '[{"role": "user", "content": "a"}]'
    for name in ("openai-chat-request", "anthropic-messages-request"):
        found = read(text, force=name)
        assert found.format is not None
        assert found.format.name == name
        assert len(found.conversations) == 1


@pytest.mark.parametrize(
    ("text", "force", "code"),
    [
        ("hello", "no-such", "no-such-format"),
        ("hello", "openai-chat-request", "format-does-not-fit"),
        ('{"a": 1}', "anthropic-messages-request", "format-does-not-fit"),
        ("", "plain-prompt", "format-does-not-fit"),
    ],
)
def test_a_format_that_does_not_fit_is_an_error(text: str, force: str, code: str) -> None:
    """Nothing is read then, and the error says what to do."""
    found = read(text, force=force)
    assert found.conversations == ()
    assert codes(found) == [code]
    assert found.diagnostics[0].next_step


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("data: {}\n\ndata: [DONE]", "server-sent events"),
    ],
)
def test_a_format_that_is_not_read_yet_is_named(text: str, title: str) -> None:
    """It never becomes a prompt or half a conversation by itself."""
    found = read(text)
    assert found.conversations == ()
    (error,) = [d for d in found.diagnostics if d.severity is Severity.ERROR]
    assert title in error.message
    assert error.next_step


# Pairs


@pytest.mark.parametrize("names", [("request", "response"), ("reqPayload", "respPayload")])
@pytest.mark.parametrize("wrap", [lambda body: body, json.dumps])
def test_a_pair_is_one_conversation(names: tuple[str, str], wrap: Any) -> None:
    """The reply is the last message; both dialects, as objects or as JSON strings."""
    request = {"model": "m", "system": "s", "messages": [{"role": "user", "content": "a"}]}
    response = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "b"}]}
    found = read(json.dumps({names[0]: wrap(request), names[1]: wrap(response), "ms": 7}))
    (conversation,) = found.conversations
    assert [str(m.role) for m in conversation.request.turns] == ["system", "user", "assistant"]
    assert conversation.extras == {f"{names[0]}.model": "m", "ms": 7}


def test_places_are_a_sequence_of_their_own() -> None:
    """They can be sliced and compared like a tuple, though each is made when it is looked at."""
    places = read('[{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]').conversations[0].places
    assert places == (Place(path="[0]"), Place(path="[1]"))
    assert places[1:] == (Place(path="[1]"),)
    assert hash(places) == hash((Place(path="[0]"), Place(path="[1]")))


# Readings that follow each other


def test_equal_messages_are_shared_from_both_ends() -> None:
    """An edit in the middle keeps the objects around it, and an insertion those behind it."""
    bodies = [{"role": "user", "content": str(i)} for i in range(5)]
    before = read(json.dumps(bodies))
    edited = read(json.dumps([*bodies[:2], {"role": "user", "content": "new"}, *bodies[3:]]), previous=before)
    inserted = read(json.dumps([bodies[0], {"role": "user", "content": "new"}, *bodies[1:]]), previous=before)
    old = before.conversations[0].request.messages
    assert [m is n for m, n in zip(edited.conversations[0].request.messages, old, strict=True)] == [1, 1, 0, 1, 1]
    assert inserted.conversations[0].request.messages[2:] == old[1:]
    assert all(m is n for m, n in zip(inserted.conversations[0].request.messages[2:], old[1:], strict=True))


@pytest.mark.parametrize(
    ("old", "new"), [("1", "true"), ("1", "1.0"), ("0.0", "-0.0"), ('{"a":1,"b":2}', '{"b":2,"a":1}'), ("0", "false")]
)
def test_values_that_python_calls_equal_are_not_shared(old: str, new: str) -> None:
    """A judge reads `1`, `1.0` and `true` differently, so an edit between them counts."""

    def text(value: str) -> str:
        arguments = json.dumps(f'{{"v":{value}}}')
        return f'[{{"role":"assistant","tool_calls":[{{"id":"c","function":{{"name":"f","arguments":{arguments}}}}}]}}]'

    before = read(text(old))
    after = read(text(new), previous=before)
    assert after.conversations[0].request.messages[0] is not before.conversations[0].request.messages[0]
    assert whole(after) == whole(read(text(new)))
    again = read(text(old), previous=before)
    assert again.conversations[0].request.messages[0] is before.conversations[0].request.messages[0]


def test_a_reading_does_not_depend_on_the_previous_one() -> None:
    """Sharing changes identities, never values."""
    for before, after in pairwise(PASTES):
        assert whole(read(after, previous=read(before))) == whole(read(after))


# Nothing raises, nothing is lost


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "messages role content type text tool_calls function name arguments id system tool_call_id input "
                "tool_use_id is_error choices message index finish_reason source request response function_call "
                "body error prompt completion output status args input delta custom_id response item call_id action "
                "preferred_output weight summary output_index content_block partial_json instructions object".split()
            )
            | st.text(max_size=3),
            inner
            | st.sampled_from(
                "user assistant system tool function text tool_use tool_result message reasoning function_call "
                "function_call_output input_text output_text message_start content_block_delta response.created "
                "response.output_text.delta response.completed chat.completion.chunk".split()
            ),
            max_size=5,
        )
    ),
    max_leaves=30,
)


@settings(max_examples=300, deadline=None)
@given(st.text())
def test_any_text_is_read(text: str) -> None:
    """No text raises or vanishes."""
    well(read(text))


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(json_values, st.sampled_from([None, *(f.name for f in FORMATS)]))
def test_any_json_is_read(value: Any, force: str | None) -> None:
    """No JSON raises, whatever it is read as."""
    well(read(json.dumps(value), force=force))


@settings(max_examples=200, deadline=None)
@given(json_values, json_values)
def test_any_messages_are_read(first: Any, second: Any) -> None:
    """Junk where messages are due neither raises nor loses a turn."""
    text = json.dumps({"messages": [{"role": "user", "content": first}, second, {"role": "assistant", "content": "x"}]})
    found = read(text)
    well(found)
    for conversation in found.conversations:
        assert len(conversation.request.turns) == 3


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_damaged_paste_is_read(data: st.DataObject) -> None:
    """Cutting, doubling and overwriting real pastes never raises."""
    paste = data.draw(st.sampled_from(PASTES))
    start = data.draw(st.integers(0, len(paste)))
    end = data.draw(st.integers(start, min(len(paste), start + 200)))
    put = data.draw(st.sampled_from(["", '"', "{", "]", ",", "\n", "null", "'", "\\", "\ud800", paste[start:end] * 2]))
    well(read(paste[:start] + put + paste[end:]))


words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
openai_messages = st.one_of(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["system", "user", "developer"]), "content": words}, optional={"name": words}
    ),
    st.fixed_dictionaries(
        {"role": st.just("user"), "content": st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": words}))}
    ),
    st.fixed_dictionaries(
        {
            "role": st.just("assistant"),
            "content": st.none() | words,
            "tool_calls": st.lists(
                st.fixed_dictionaries(
                    {
                        "id": words,
                        "type": st.just("function"),
                        "function": st.fixed_dictionaries({"name": words, "arguments": words}),
                    }
                )
            ),
        },
        optional={"refusal": words, "annotations": st.lists(words)},
    ),
    st.fixed_dictionaries({"role": st.just("tool"), "tool_call_id": words, "content": words}, optional={"name": words}),
)
anthropic_blocks = st.one_of(
    st.fixed_dictionaries({"type": st.just("text"), "text": words}, optional={"citations": st.lists(words)}),
    st.fixed_dictionaries({"type": st.just("thinking"), "thinking": words, "signature": words}),
    st.fixed_dictionaries(
        {"type": st.just("tool_use"), "id": words, "name": words, "input": st.dictionaries(words, words)}
    ),
    st.fixed_dictionaries(
        {
            "type": st.just("tool_result"),
            "tool_use_id": words,
            "content": words | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": words})),
        },
        optional={"is_error": st.booleans()},
    ),
    st.fixed_dictionaries({"type": st.just("image"), "source": st.fixed_dictionaries({"data": words})}),
    st.fixed_dictionaries({"type": st.just("server_tool_use"), "input": words}),
)
anthropic_messages = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant"]), "content": words | st.lists(anthropic_blocks)}
)
#: Strings that name a kind; the model holds them as its types and roles.
KINDS = {"text", "tool_use", "tool_result", "thinking", "image", "function", "system", "developer"}


@settings(max_examples=200, deadline=None)
@given(st.lists(openai_messages, min_size=1), words)
def test_an_openai_conversation_loses_no_string(messages: list[Any], model: str) -> None:
    """Every string is in the model or in the extras."""
    body = {"model": model, "messages": messages}
    (conversation,) = read(json.dumps(body), force="openai-chat-request").conversations
    missing = set(strings(body)) - set(held(conversation)) - KINDS
    # An argument string that is an object is held as that object, an empty one as no arguments.
    assert {text for text in missing if text.strip() and not text.lstrip(" \t\n\r").startswith("{")} == set()
    assert len(conversation.request.turns) == len(messages)


@settings(max_examples=200, deadline=None)
@given(st.lists(anthropic_messages, min_size=1), words)
def test_an_anthropic_conversation_loses_no_string(messages: list[Any], system: str) -> None:
    """Every string is in the model or in the extras, and no role changes."""
    body = {"system": system, "messages": messages}
    (conversation,) = read(json.dumps(body), force="anthropic-messages-request").conversations
    assert set(strings(body)) - set(held(conversation)) - KINDS == set()
    assert [str(m.role) for m in conversation.request.messages] == [m["role"] for m in messages]


def test_places_lead_to_the_messages() -> None:
    """Each turn of a session is found in the paste by its path."""
    path = CASES / "sessions" / "agent-tidewatch-dst-loop.json"
    text = path.read_text(encoding="utf-8")
    (conversation,) = read(text).conversations
    for message, place in zip(conversation.request.messages, conversation.places[1:], strict=True):
        found = locate(text, place.path or "")
        assert json.loads(text[found.start : found.end])["role"] == message.role


def test_reading_does_not_touch_the_recursion_limit() -> None:
    """Global state stays as it was."""
    before = sys.getrecursionlimit()
    read("[" * 5000)
    assert sys.getrecursionlimit() == before
