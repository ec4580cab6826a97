"""Recorded calls: an input with what came out behind it, each turn once, and tool messages that hold no result."""

from __future__ import annotations

from typing import Any

import pytest
from routing_workbench.core.conversation.formats import REGISTRY, Source
from routing_workbench.core.conversation.formats.draft import Draft
from routing_workbench.core.conversation.formats.generation import read_generation
from routing_workbench.core.conversation.formats.openai_chat import read_message
from routing_workbench.core.conversation.model import (
    Media,
    Reasoning,
    Role,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    text_of,
)

HI = {"role": "user", "content": "hi"}
YO = {"role": "assistant", "content": "yo"}
RULES = {"role": "system", "content": "s"}


def generation(asked: Any, answered: Any) -> Draft:
    """What is read of both halves."""
    draft = Draft()
    source = Source({"in": asked, "out": answered}, registry=REGISTRY)
    read_generation(asked, ("in",), answered, ("out",), source, draft)
    return draft


def turns(draft: Draft) -> list[str]:
    """All turns, instructions first."""
    return [f"{one.role}: {text_of(one.content)}" for one in draft.instructions + draft.messages]


def codes(draft: Draft) -> list[str]:
    """The codes of the remarks."""
    return [remark.code for remark in draft.remarks]


@pytest.mark.parametrize(
    "answered",
    [
        "yo",
        YO,
        [YO],
        {"messages": [YO]},
        {"messages": [HI, YO]},
        [HI, YO],
        {"output": "yo"},
        {"output": {"text": "yo"}},
    ],
)
def test_whatever_came_out_stands_behind_the_input_once(answered: Any) -> None:
    """A text, a message, a list, or the whole state."""
    assert turns(generation([HI], answered)) == ["user: hi", "assistant: yo"]


def test_the_state_of_a_thread_holds_what_came_before() -> None:
    """The input is its last question; the state is the conversation, in its order."""
    now = {"role": "user", "content": "and now?"}
    draft = generation({"messages": [now]}, {"messages": [HI, YO, now, {"role": "assistant", "content": "b"}]})
    assert turns(draft) == ["user: hi", "assistant: yo", "user: and now?", "assistant: b"]
    assert draft.messages_at[0] == ("out", "messages", 0)
    assert codes(draft) == ["state-repeated"]


def test_instructions_of_both_halves_stand_once() -> None:
    """Those that only one half has stay."""
    draft = generation([RULES, HI], {"messages": [RULES, {"role": "system", "content": "t"}, HI, YO]})
    assert turns(draft) == ["system: s", "system: t", "user: hi", "assistant: yo"]


def test_a_question_asked_twice_is_no_state() -> None:
    """An output that holds only a part of the input goes behind it."""
    draft = generation([HI, YO, HI], {"messages": [{"role": "assistant", "content": "again"}]})
    assert turns(draft) == ["user: hi", "assistant: yo", "user: hi", "assistant: again"]


def test_the_stop_reason_is_that_of_the_reply() -> None:
    """A body says why it stopped."""
    body = {"choices": [{"message": YO, "finish_reason": "stop"}]}
    assert generation([HI], body).stop_reason is StopReason.END_TURN


def test_what_wraps_a_body_is_kept() -> None:
    """Address and status, on both sides."""
    draft = generation(
        {"url": "u", "body": {"messages": [HI]}}, {"status": 200, "body": {"choices": [{"message": YO}]}}
    )
    assert turns(draft) == ["user: hi", "assistant: yo"]
    assert draft.extras == {"in.url": "u", "out.status": 200}


def test_an_error_is_no_answer() -> None:
    """It is kept and said."""
    draft = generation([HI], {"error": {"message": "no"}})
    assert turns(draft) == ["user: hi"]
    assert codes(draft) == ["reply-is-error"]
    assert draft.extras == {"out": {"error": {"message": "no"}}}


def test_a_printed_object_is_no_text_of_a_model() -> None:
    """It is kept unread."""
    draft = generation([HI], "ModelResponse(id='x', choices=[])")
    assert turns(draft) == ["user: hi"]
    assert codes(draft) == ["inner-unread"]


def test_an_input_of_several_lists_takes_no_reply() -> None:
    """Nothing says which of them it answers."""
    human = {"type": "human", "content": "a"}
    draft = generation([[human], [human]], "yo")
    assert [turns(one) for one in draft.begun] == [["user: a"], ["user: a"], ["assistant: yo"]]
    assert codes(draft)[-1] == "reply-of-several"


DEFINITION = {"type": "function", "function": {"name": "tide", "description": "d", "parameters": {"type": "object"}}}


def test_a_declared_tool_is_no_result() -> None:
    """It is kept under its path, and is no turn."""
    draft = Draft()
    read_message({"role": "tool", "content": DEFINITION}, ("m", 3), draft)
    assert turns(draft) == []
    assert draft.extras == {"m[3]": {"role": "tool", "content": DEFINITION}}


@pytest.mark.parametrize("named", [{"tool_call_id": "k"}, {"name": "list_tools"}])
def test_a_result_that_answers_a_call_stays_a_result(named: dict[str, str]) -> None:
    """Though a declaration is what the tool gave back."""
    draft = Draft()
    read_message({"role": "tool", "content": DEFINITION, **named}, ("m", 3), draft)
    assert [one.role for one in draft.messages] == [Role.TOOL]


@pytest.mark.parametrize("content", ['{"name": "x", "parameters": {"city": "Rye"}}', "{}", "[]", '[{"a": 1}, 2]', None])
def test_other_json_of_a_tool_stays_a_result(content: Any) -> None:
    """Only a schema declares a tool."""
    draft = Draft()
    read_message({"role": "tool", "content": content}, ("m", 3), draft)
    assert [one.role for one in draft.messages] == [Role.TOOL]


@pytest.mark.parametrize(
    "asked",
    [
        "System: s\nHuman: hi",
        "system: s\nuser: hi",
        [{"role": "system", "text": "s"}, {"role": "user", "text": "hi"}],
        {
            "messages": [
                {"role": "system", "blocks": [{"block_type": "text", "text": "s"}]},
                {"role": "user", "additional_kwargs": {}, "blocks": [{"block_type": "text", "text": "hi"}]},
            ]
        },
    ],
)
def test_turns_are_read_under_the_names_of_frameworks(asked: Any) -> None:
    """In one text, under `text` and in `blocks`."""
    assert turns(generation(asked, "yo")) == ["system: s", "user: hi", "assistant: yo"]


@pytest.mark.parametrize("text", ["What does `User: x` mean?", "a\nUser: b", "Note: c"])
def test_a_text_that_quotes_a_speaker_is_no_transcript(text: str) -> None:
    """Only one that begins with a speaker is."""
    assert turns(generation(text, "yo")) == [f"user: {text}", "assistant: yo"]


def test_blocks_of_llama_index_are_text_thought_media_and_calls() -> None:
    """And what it keeps beside them is where OpenAI Chat has it."""
    called = {"block_type": "tool_call", "tool_call_id": "k", "tool_name": "f", "tool_kwargs": {"x": 1}}
    thought = {"block_type": "thinking", "content": "t"}
    blocks = [thought, {"block_type": "text", "text": "a"}, called]
    image = {"block_type": "image", "image": "aGk=", "path": None, "url": None, "image_mimetype": "image/png"}
    asked = [
        {"role": "user", "blocks": [image]},
        {"role": "assistant", "blocks": blocks},
        {"role": "tool", "additional_kwargs": {"tool_call_id": "k"}, "blocks": [{"block_type": "text", "text": "r"}]},
    ]
    user, assistant, tool = generation(asked, None).messages
    assert [type(block) for block in user.content] == [Media]
    assert assistant.content == (Reasoning("t"), Text("a"), ToolCall("k", "f", {"x": 1}))
    assert tool.content == (ToolResult("k", (Text("r"),)),)


def test_steps_of_an_agent_stand_before_its_answer() -> None:
    """Calls that were made together come from one message, which is read once."""
    calls = [{"name": "f", "args": {"x": n}, "id": f"k{n}"} for n in (1, 2)]
    log = [{"type": "ai", "content": "", "tool_calls": calls}]
    steps = [[{"tool": "f", "tool_input": {"x": n}, "tool_call_id": f"k{n}", "message_log": log}, n] for n in (1, 2)]
    draft = generation({"input": "hi"}, {"output": "yo", "intermediate_steps": steps})
    assert turns(draft) == ["user: hi", "assistant: ", "tool: ", "tool: ", "assistant: yo"]
    assert [block.arguments for block in draft.messages[1].content if isinstance(block, ToolCall)] == [
        {"x": 1},
        {"x": 2},
    ]
    assert draft.messages[3].content == (ToolResult("k2", (Text("2"),)),)


def test_a_step_without_a_message_is_a_call_and_its_result() -> None:
    """Without an id it gets one of its tool's name."""
    steps = [[{"tool": "f", "tool_input": "x", "log": "I call f"}, "r"]]
    draft = generation("hi", {"output": "yo", "intermediate_steps": steps})
    assert draft.messages[1].content == (ToolCall("f", "f", {"input": "x"}),)
    assert draft.messages[2].content == (ToolResult("f", (Text("r"),)),)
