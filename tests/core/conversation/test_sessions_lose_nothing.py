"""Whatever stands in the records of an agent's session is in a conversation or kept beside one: a property test."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from routing_workbench.core.conversation import read
from routing_workbench.core.conversation.normalized import request_to_json

#: Stands for a text that occurs once in the paste.
MARK = "@"
MARKED = re.compile(r"zq\d+z")
mark = st.just(MARK)
values = st.recursive(
    mark | st.none() | st.integers(0, 2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
    max_leaves=4,
)


def objects(
    kinds: str, /, *, needed: str = "type", **fields: st.SearchStrategy[Any]
) -> st.SearchStrategy[dict[str, Any]]:
    """Objects of one of these kinds, with any of these fields."""
    return st.fixed_dictionaries({needed: st.sampled_from(kinds.split())}, optional=fields)


blocks = st.one_of(
    st.fixed_dictionaries({"type": st.just("text"), "text": mark}),
    st.fixed_dictionaries({"type": st.just("input_text"), "text": mark}),
    st.fixed_dictionaries({"type": st.just("tool_use"), "id": mark, "name": mark, "input": values}),
    st.fixed_dictionaries({"type": st.just("tool_result"), "tool_use_id": mark, "content": values}),
    values,
)
contents = mark | st.lists(blocks, max_size=2) | values
messages = objects("user assistant system odd", needed="role", content=contents, id=st.sampled_from("mn"), more=values)
sessions = objects(
    "user assistant system summary attachment progress queue-operation odd",
    message=messages | mark,
    content=contents,
    uuid=st.sampled_from("uvw"),
    parentUuid=st.sampled_from("uv"),
    sessionId=st.sampled_from("st"),
    isSidechain=st.booleans(),
    isMeta=st.booleans(),
    toolUseResult=values,
    attachment=st.fixed_dictionaries({"type": st.just("queued_command"), "prompt": contents}),
    data=st.fixed_dictionaries({"message": objects("user assistant", message=messages), "more": values}),
)
runs = objects(
    "user assistant system result stream_event odd",
    message=messages,
    session_id=st.sampled_from("st"),
    parent_tool_use_id=st.sampled_from(["t", None]),
    subtype=mark,
    result=mark,
    is_error=st.booleans(),
    more=values,
)
payloads = objects(
    "message function_call function_call_output custom_tool_call local_shell_call user_message agent_message odd",
    role=st.sampled_from(["user", "assistant", "odd"]),
    content=contents,
    name=mark,
    arguments=mark,
    call_id=mark,
    output=contents,
    input=mark,
    text=mark,
    message=mark,
    action=values,
)
rollouts = st.fixed_dictionaries(
    {"type": st.sampled_from("session_meta response_item event_msg compacted odd".split()), "payload": payloads},
    optional={"more": values},
)
items = objects(
    "agent_message reasoning command_execution mcp_tool_call file_change todo_list error web_search odd",
    text=mark | values,
    command=values,
    aggregated_output=mark,
    exit_code=st.integers(0, 1),
    result=st.fixed_dictionaries({"content": contents, "more": values}),
    error=st.fixed_dictionaries({"message": mark, "more": values}),
    server=mark,
    tool=mark,
    arguments=values,
    message=mark,
)
events = objects("item.started item.completed turn.failed odd", item=items, more=values)
calls = st.fixed_dictionaries(
    {"name": mark},
    optional={
        "id": mark,
        "args": values,
        "status": st.sampled_from(["success", "error", "executing"]),
        "result": contents,
        "resultDisplay": values,
    },
)
thoughts = st.fixed_dictionaries({"subject": mark, "description": mark, "more": values})
logs = objects(
    "user gemini info error odd",
    content=mark | st.lists(st.fixed_dictionaries({"text": mark}), max_size=2) | values,
    toolCalls=st.lists(calls, max_size=2) | values,
    thoughts=st.lists(thoughts, max_size=2) | values,
    more=values,
)

pieces = objects(
    "init message tool_use tool_result result error odd",
    role=st.sampled_from(["user", "assistant", "odd"]),
    content=mark | values,
    delta=st.booleans(),
    tool_name=mark | values,
    tool_id=mark | values,
    parameters=values,
    status=st.sampled_from(["success", "error"]) | values,
    output=values,
    error=st.fixed_dictionaries({"message": mark, "more": values}) | mark,
    more=values,
)


def numbered(value: Any, numbers: Iterator[int]) -> Any:
    """The value with each mark made a text of its own."""
    if value == MARK:
        return f"zq{next(numbers)}z"
    if isinstance(value, list):
        return [numbered(item, numbers) for item in value]
    return {k: numbered(v, numbers) for k, v in value.items()} if isinstance(value, dict) else value


#: By format: what its records may be, and one that says what file it is.
FILES: dict[str, tuple[st.SearchStrategy[dict[str, Any]], dict[str, Any]]] = {
    "claude-code-jsonl": (
        sessions,
        {"type": "user", "uuid": "z", "sessionId": "s", "message": {"role": "user", "content": "hi"}},
    ),
    "claude-code-stream-json": (
        runs,
        {"type": "user", "session_id": "s", "message": {"role": "user", "content": "hi"}},
    ),
    "codex-rollout-jsonl": (
        rollouts,
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": "hi"}},
    ),
    "codex-exec-jsonl": (
        events,
        {"type": "item.completed", "item": {"id": "z", "type": "agent_message", "text": "hi"}},
    ),
    "gemini-cli-session": (logs, {"id": "z", "type": "gemini", "content": "hi"}),
    "gemini-cli-stream-json": (
        pieces,
        {"type": "tool_use", "tool_name": "n", "tool_id": "z", "parameters": {}},
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_no_text_of_a_session_is_lost(name: str) -> None:
    """Each text of each record is in a request or in the extras."""
    records, first = FILES[name]

    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(records, min_size=1, max_size=4))
    def nothing_is_lost(pasted: list[dict[str, Any]]) -> None:
        numbers = count()
        text = "\n".join(json.dumps(record) for record in [first, *(numbered(one, numbers) for one in pasted)])
        found = read(text, force=name).conversations
        kept = json.dumps([[request_to_json(one.request), dict(one.extras)] for one in found])
        assert set(MARKED.findall(text)) <= set(MARKED.findall(kept))

    nothing_is_lost()
