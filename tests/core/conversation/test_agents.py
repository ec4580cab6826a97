"""Runs of agents and data sets: places, what is kept aside, alternatives, and what is not mistaken for them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from routing_workbench.core.conversation import Conversation, Severity, read
from routing_workbench.core.conversation.model import Message, Role, StopReason, Text
from routing_workbench.core.conversation.pairing import pair_results


def one(value: Any) -> Conversation:
    """The only conversation of a paste."""
    (conversation,) = read(json.dumps(value)).conversations
    return conversation


def sample(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A log of Inspect with one sample."""
    held = {"id": 1, "epoch": 1, "input": "q", "target": "t", "messages": list(messages), **more}
    return {"version": 2, "eval": {"task": "weir"}, "samples": [held]}


ASKED = {"role": "user", "content": "q"}
ANSWERED = {"role": "assistant", "content": "a"}


def test_what_a_log_of_inspect_keeps_is_kept_with_each_sample() -> None:
    """Of the log, and of the sample alone."""
    log = sample(ASKED, scores={"match": 1})
    log["samples"].append({**log["samples"][0], "epoch": 2, "scores": {"match": 0}})
    first, second = read(json.dumps(log)).conversations
    assert first.extras["eval"] == second.extras["eval"] == {"task": "weir"}
    assert first.extras["samples[0].scores"] == {"match": 1}
    assert "samples[0].scores" not in second.extras


def test_the_input_of_a_sample_is_kept_where_no_message_says_it() -> None:
    """A solver may have changed it."""
    assert "samples[0].input" not in one(sample(ASKED)).extras
    assert one(sample({**ASKED, "content": "Think. q"})).extras["samples[0].input"] == "q"


def test_further_choices_of_a_sample_are_alternatives() -> None:
    """The first one is the last message already."""
    other = {"message": {"role": "assistant", "content": "b"}, "stop_reason": "stop"}
    output = {"model": "m", "choices": [{"message": ANSWERED, "stop_reason": "stop"}, other]}
    conversation = one(sample(ASKED, ANSWERED, output=output))
    assert conversation.alternatives == (Message(Role.ASSISTANT, (Text("b"),)),)
    assert conversation.stop_reason is StopReason.END_TURN
    assert conversation.extras["samples[0].output.model"] == "m"


def test_an_output_that_no_message_repeats_is_kept_whole() -> None:
    """It is not taken for the last message."""
    output = {"choices": [{"message": {"role": "assistant", "content": "b"}, "stop_reason": "stop"}]}
    conversation = one(sample(ASKED, ANSWERED, output=output))
    assert conversation.request.messages[-1].content == (Text("a"),)
    assert conversation.extras["samples[0].output.choices"] == output["choices"]


def test_attachments_that_no_message_names_are_kept() -> None:
    """Those of the events, mostly; what was put in its place is not kept twice."""
    held = {"a" * 32: "a long question", "b" * 32: "of an event"}
    conversation = one(sample({"role": "user", "content": "attachment://" + "a" * 32}, attachments=held))
    assert conversation.request.messages[0].content == (Text("a long question"),)
    assert conversation.extras["samples[0].attachments"] == {"b" * 32: "of an event"}


def event(number: int, **fields: Any) -> dict[str, Any]:
    """An event of OpenHands."""
    return {"id": number, "source": "agent", **fields}


def test_observations_are_joined_by_their_cause() -> None:
    """In whatever order they come back."""
    events = [
        event(1, action="run", args={"command": "ls"}),
        event(2, action="run", args={"command": "pwd"}),
        event(3, observation="run", content="/mill", cause=2, extras={}),
        event(4, observation="run", content="gate.py", cause=1, extras={}),
    ]
    turns = one(events).request.turns
    assert [(p.call.id, p.result.turn) for p in pair_results(turns).pairs] == [("2", 2), ("1", 3)]


def test_events_of_openhands_stand_at_their_places() -> None:
    """In rows, too; what the harness recorded is kept whole under its own."""
    said = {"id": 1, "source": "user", "action": "message", "args": {"content": "a"}}
    record = {"id": 2, "source": "environment", "observation": "null", "content": "", "extras": {}}
    row = {"instance_id": "w-1", "history": [record, said], "metrics": {"cost": 1}}
    conversation = one(row)
    assert [place.path for place in conversation.places] == ["history[1]"]
    assert dict(conversation.extras) == {"history[0]": record, "instance_id": "w-1", "metrics": {"cost": 1}}
    assert conversation.title == "w-1"


def test_the_model_reply_beside_an_action_is_kept() -> None:
    """Its arguments are those of the call; the harness's own stay beside them."""
    call = {"id": "t", "function": {"name": "sh", "arguments": '{"command": "ls"}'}}
    told = {
        "function_name": "sh",
        "tool_call_id": "t",
        "model_response": {"choices": [{"message": {"tool_calls": [call]}}]},
    }
    kept = one([event(1, action="run", args={"command": "ls", "hidden": False}, tool_call_metadata=told)]).extras
    assert kept["[0].tool_call_metadata"] == told
    assert kept["[0].args.command"] == "ls"
    assert "[0].args.hidden" in kept


def test_steps_of_a_trajectory_are_kept_beside_its_history() -> None:
    """They say the same once more."""
    steps = [{"action": "ls", "observation": "gate.py", "response": "I look."}]
    kept = one({"trajectory": steps, "history": [ASKED], "info": {"exit_status": "submitted"}}).extras
    assert dict(kept) == {"trajectory": steps, "info": {"exit_status": "submitted"}}


@pytest.mark.parametrize(
    "value",
    [
        {"history": [], "info": {}},
        {"trajectory": [[0.1, 0.2], [0.3, 0.4]]},
        {"trajectory": [{"x": 1, "y": 2}]},
        {"action": "opened", "number": 7, "pull_request": {}},
        {"observation": "red bird", "place": "mill"},
        {"mapping": {"a": "b"}},
        {"chat": {"id": 1}},
        {"conversations": [{"id": 1}]},
        {"eval": "weir", "samples": 3},
        [{"parts": [{"type": "bolt"}], "name": "gate"}],
        {"chunkedPrompt": "x"},
        {"chat_messages": 3},
    ],
)
def test_what_only_has_the_names_is_none_of_them(value: Any) -> None:
    """The error says what to do."""
    found = read(json.dumps(value))
    assert found.conversations == ()
    assert [d.code for d in found.diagnostics if d.severity is Severity.ERROR] == ["unknown-format"]


def test_a_preference_of_a_data_set_has_an_alternative() -> None:
    """The chosen answer is the last message, the rejected one stands beside it."""
    turns = [{"from": "human", "value": "q"}]
    conversation = one(
        {"conversations": turns, "chosen": {"from": "gpt", "value": "a"}, "rejected": {"from": "gpt", "value": "b"}}
    )
    assert conversation.request.messages[-1].content == (Text("a"),)
    assert conversation.alternatives == (Message(Role.ASSISTANT, (Text("b"),)),)


def test_turns_of_a_data_set_stand_at_their_places() -> None:
    """Weights and tools are kept under theirs."""
    turns = [{"from": "human", "value": "q"}, {"from": "gpt", "value": "a", "weight": 0}]
    conversation = one([{"id": "r", "conversations": turns, "tools": "[]"}])
    assert [place.path for place in conversation.places] == ["[0].conversations[0]", "[0].conversations[1]"]
    assert dict(conversation.extras) == {"[0].id": "r", "[0].conversations[1].weight": 0, "[0].tools": "[]"}


def test_an_empty_record_keeps_its_number() -> None:
    """So that the list is that of the data set; its remark names it."""
    records = [{"conversations": [{"from": "human", "value": "q"}]}, {"id": "r2", "conversations": []}]
    found = read(json.dumps(records))
    assert [one.title for one in found.conversations] == ["q", "r2"]
    (said,) = [d for d in found.diagnostics if d.code == "no-messages"]
    assert (said.conversation, said.place.path, said.severity) == (1, "[1]", Severity.WARNING)
