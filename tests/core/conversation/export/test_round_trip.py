"""Whatever is exported reads back as an equal conversation: arbitrary values, every case, every session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from model_values import conversations, json_values, names, texts
from routing_workbench.core.conversation import Conversation, read
from routing_workbench.core.conversation.export import EXPORTS, export, export_all
from routing_workbench.core.conversation.export.fields import own_extras
from routing_workbench.core.conversation.normalized import message_to_json, request_to_json

CASES = Path(__file__).resolve().parents[3] / "cases"
PASTES = sorted(CASES.glob("*/case.json")) + sorted((CASES / "sessions").glob("*.meta.json"))


def whole(conversation: Conversation) -> str:
    """All a conversation holds, so that 1, 1.0 and true differ, and the order of keys counts in values."""
    return json.dumps(
        [
            request_to_json(conversation.request),
            conversation.stop_reason,
            list(map(message_to_json, conversation.alternatives)),
            dict(sorted(own_extras(conversation).items())),
        ]
    )


def assert_reads_back(conversation: Conversation, to: str) -> None:
    """The export gives one equal conversation, and all that it says is understood."""
    reading = read(export(conversation, to).text)
    (again,) = reading.conversations
    assert whole(again) == whole(conversation)
    assert not {"extension-unread", "reader-failed"} & {d.code for d in reading.diagnostics}


def pasted(path: Path) -> tuple[Conversation, ...]:
    """The conversations of a case or a session."""
    case = json.loads(path.read_text(encoding="utf-8"))
    text = (path.parent / case["input"]).read_bytes().decode("utf-8")
    if "generate" in case:
        made = case["generate"]
        text = text.replace(made["placeholder"], made["repeat"] * made["times"])
    return read(text).conversations


@pytest.mark.parametrize("to", EXPORTS)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(conversation=conversations)
def test_any_conversation_reads_back_equal(to: str, conversation: Conversation) -> None:
    """Blocks in any order, roles in any list, ids that repeat, values of any shape."""
    assert_reads_back(conversation, to)


@pytest.mark.parametrize("to", EXPORTS)
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(several=st.lists(conversations, min_size=2, max_size=4))
def test_several_conversations_read_back_as_several(to: str, several: list[Conversation]) -> None:
    """None is merged with another, and their order stays."""
    again = read(export_all(several, to).text).conversations
    assert [whole(one) for one in again] == [whole(one) for one in several]


#: Messages with fields beside what the model holds, as pastes have them.
beside = st.dictionaries(
    st.sampled_from(
        "name weight cache_control signature data citations title id refusal audio status is_error".split()
    ),
    json_values | st.just({"type": "ephemeral"}),
    max_size=2,
)
openai_messages = st.one_of(
    st.builds(lambda role, content, more: {**more, "role": role, "content": content},
              st.sampled_from(["system", "developer", "user", "assistant", "critic"]), texts | json_values, beside),
    st.builds(lambda given, content, more: {**more, "role": "tool", "tool_call_id": given, "content": content},
              names, texts | json_values, beside),
    st.builds(lambda given, name, text, more: {"role": "assistant", "content": None, "tool_calls": [
        {**more, "id": given, "type": "function", "function": {"name": name, "arguments": text}}]},
              names, names, texts | json_values.map(json.dumps), beside),
)  # fmt: skip
anthropic_blocks = st.one_of(
    st.builds(lambda text, more: {**more, "type": "text", "text": text}, texts, beside),
    st.builds(lambda text, more: {**more, "type": "thinking", "thinking": text}, texts, beside),
    st.builds(lambda more: {**more, "type": "redacted_thinking"}, beside),
    st.builds(lambda given, name, value, more: {**more, "type": "tool_use", "id": given, "name": name, "input": value},
              names, names, json_values, beside),
    st.builds(lambda given, content, more: {**more, "type": "tool_result", "tool_use_id": given, "content": content},
              names, texts | json_values, beside),
    st.just({"type": "server_tool_use", "id": "s", "name": "search", "input": {}}),
)  # fmt: skip
anthropic_messages = st.builds(
    lambda role, content: {"role": role, "content": content},
    st.sampled_from(["user", "assistant"]),
    texts | st.lists(anthropic_blocks, max_size=3),
)
bodies = st.builds(
    lambda more, messages: {**more, "messages": messages},
    st.dictionaries(
        st.sampled_from("model tools max_tokens system temperature provider metadata stop id".split()),
        texts | json_values,
        max_size=3,
    ),
    st.lists(openai_messages, min_size=1, max_size=4) | st.lists(anthropic_messages, min_size=1, max_size=4),
)


@pytest.mark.parametrize("to", EXPORTS)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(body=bodies)
def test_any_pasted_body_reads_back_equal(to: str, body: dict[str, Any]) -> None:
    """With all that stands beside its messages and blocks, in its own format and in the others."""
    for conversation in read(json.dumps(body)).conversations:
        assert_reads_back(conversation, to)


@pytest.mark.parametrize("to", EXPORTS)
@pytest.mark.parametrize("path", PASTES, ids=lambda path: path.parent.name if path.name == "case.json" else path.stem)
def test_every_case_and_session_reads_back_equal(path: Path, to: str) -> None:
    """One by one and, where there are several, all together with their titles."""
    found = pasted(path)
    for conversation in found:
        if conversation.request.turns or conversation.alternatives:
            assert_reads_back(conversation, to)
    if len(found) > 1:
        again = read(export_all(found, to).text)
        assert [whole(one) for one in again.conversations] == [whole(one) for one in found]
        assert [one.title for one in again.conversations] == [one.title for one in found]
        assert not again.failed
