"""The wire format openai_chat: a conversation as sent, and a chat completion as read."""

from __future__ import annotations

from typing import Any

import pytest
from fault_server import chat_body
from routing_workbench.core.conversation.model import (
    Media,
    Message,
    Output,
    Reasoning,
    Refusal,
    Request,
    Response,
    Role,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
)
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.core.vgr.readout import NoScore, read_readout
from routing_workbench.workbench.drivers.http.openai_chat import read_body, request_body
from routing_workbench.workbench.drivers.http.targets import Client, Target, WireFormat
from routing_workbench.workbench.drivers.http.wire import Concession
from routing_workbench.workbench.drivers.protocol import Call, Category, InvalidResponse, Reply, ReplySchema

TARGET = Target("m", Client("c", WireFormat.OPENAI_CHAT, "http://h"))


def call(*turns: Message, rung: Rung = Rung.ATTEMPT, instructions: tuple[Message, ...] = (), **more: Any) -> Call:
    """A call about these messages."""
    return Call(rung, Category.LOCAL, Request(instructions, turns), 30.0, **more)


def sent(*turns: Message) -> tuple[list[Any], tuple[str, ...]]:
    """The messages as sent, and the notes."""
    made = request_body(call(*turns), TARGET)
    return made.body["messages"], made.notes


def read(body: Any, rung: Rung = Rung.ATTEMPT, **more: Any) -> Reply:
    """The reply in a body."""
    return read_body(body, call(rung=rung, **more))


def user(*blocks: Any) -> Message:
    """A user message."""
    return Message(Role.USER, blocks)


def assistant(*blocks: Any) -> Message:
    """An assistant message."""
    return Message(Role.ASSISTANT, blocks)


def test_instructions_come_first_each_with_its_role() -> None:
    """One text is sent as it is, several as parts."""
    made = request_body(
        call(
            user(Text("a"), Text("b")),
            instructions=(Message(Role.SYSTEM, (Text("s"),)), Message(Role.DEVELOPER, (Text("d"),))),
        ),
        TARGET,
    )
    assert made.body == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "s"},
            {"role": "developer", "content": "d"},
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        ],
    }
    assert made.notes == ()


def test_calls_and_results_keep_their_ids_and_arguments() -> None:
    """Arguments are JSON text; a string that never parsed stays as it was."""
    messages, notes = sent(
        assistant(Text("look"), ToolCall("a", "find", {"q": "é", "n": 1.0}), ToolCall("b", "cut", '{"q": "x')),
        Message(Role.TOOL, (ToolResult("a", (Text("found"),)),)),
        Message(Role.TOOL, (ToolResult("b", (Text("x"), Text("y")), True),)),
    )
    assert messages == [
        {
            "role": "assistant",
            "content": "look",
            "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "find", "arguments": '{"q":"é","n":1.0}'}},
                {"id": "b", "type": "function", "function": {"name": "cut", "arguments": '{"q": "x'}},
            ],
        },
        {"role": "tool", "tool_call_id": "a", "content": "found"},
        {
            "role": "tool",
            "tool_call_id": "b",
            "content": [{"type": "text", "text": "x"}, {"type": "text", "text": "y"}],
        },
    ]
    assert notes == ("not sent: 1 error flag",)


def test_results_in_a_user_message_come_before_its_text() -> None:
    """As the endpoint demands behind a call; what the result does not name goes to the call that waits."""
    messages, _ = sent(
        assistant(ToolCall("", "find", {})),
        user(Text("and now?"), ToolResult("", (Text("found"),))),
        user(Text("well?")),
    )
    assert messages[0]["content"] is None
    assert messages[1:] == [
        {"role": "tool", "tool_call_id": "call_1", "content": "found"},
        {"role": "user", "content": "and now?"},
        {"role": "user", "content": "well?"},
    ]


def test_text_of_a_tool_message_stays_a_tools() -> None:
    """It answers the call that waits."""
    messages, _ = sent(assistant(ToolCall("a", "find", {})), Message(Role.TOOL, (Text("found"),)))
    assert messages[1] == {"role": "tool", "tool_call_id": "a", "content": "found"}


def test_media_of_this_format_are_sent_as_they_came() -> None:
    """Those of another are counted, never changed or silently left out."""
    messages, notes = sent(
        user(
            Text("see"),
            Media("image", {"url": "data:image/png;base64,AA==", "detail": "low"}),
            Media("image", {"type": "base64", "media_type": "image/png", "data": "AA=="}),
            Media("audio", {"data": "AA==", "format": "wav"}),
            Media("file", {"file_id": "f"}),
            Media("image", "AA=="),
        )
    )
    assert messages[0]["content"] == [
        {"type": "text", "text": "see"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA==", "detail": "low"}},
        {"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}},
        {"type": "file", "file": {"file_id": "f"}},
    ]
    assert notes == ("not sent: 2 images",)


def test_what_has_no_place_is_counted() -> None:
    """Reasoning is not sent back; unknown content goes out where it came in this format."""
    raw = {"type": "some_part", "x": 1}
    messages, notes = sent(
        assistant(Reasoning("hm"), Text("no")),
        user(Unknown("openai", raw), Unknown("anthropic", raw), Unknown("openai", 5)),
        Message(Role.TOOL, (ToolResult("a", (Media("image", {"url": "u"}), Text("t"))),)),
    )
    assert messages[0] == {"role": "assistant", "content": "no"}
    assert messages[1] == {"role": "user", "content": [raw]}
    assert notes == ("not sent: 1 image, 1 reasoning block, 2 unknown blocks",)


def test_a_message_of_another_role_goes_out_as_it_came() -> None:
    """Or not at all, and is counted."""
    raw = {"role": "critic", "content": "hm"}
    messages, notes = sent(
        Message(Role.USER, (Unknown("openai", raw),), "critic"), Message(Role.USER, (Unknown("x", raw),), "critic")
    )
    assert messages == [raw]
    assert notes == ("not sent: 1 message of an unknown role",)


def test_a_refusal_is_sent_as_one() -> None:
    """In its own field."""
    messages, _ = sent(assistant(Refusal("I can't")))
    assert messages == [{"role": "assistant", "content": None, "refusal": "I can't"}]


def test_caps_logprobs_and_schema_have_their_fields() -> None:
    """Nothing is sent that was not asked for."""
    schema = ReplySchema("verdict", {"type": "object"})
    body = request_body(call(max_tokens=4, top_logprobs=8, schema=schema, reasoning=False), TARGET).body
    assert body == {
        "model": "m",
        "messages": [],
        "max_tokens": 4,
        "logprobs": True,
        "top_logprobs": 8,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "verdict", "strict": True, "schema": {"type": "object"}},
        },
    }


def test_what_the_endpoint_refuses_is_asked_otherwise() -> None:
    """Each on its own."""
    known = frozenset(Concession)
    made = request_body(call(max_tokens=4, schema=ReplySchema("v", {})), TARGET, known)
    assert made.body["max_completion_tokens"] == 4
    assert made.body["response_format"] == {"type": "json_object"}
    assert "max_tokens" not in made.body
    assert made.notes == ("the endpoint refused json_schema and was asked for json_object",)


def test_the_extra_body_has_the_last_word() -> None:
    """Key by key."""
    extra = {"top_logprobs": 5, "chat_template_kwargs": {"enable_thinking": False}}
    body = request_body(call(top_logprobs=8), Target("m", TARGET.client, extra)).body
    assert (body["top_logprobs"], body["chat_template_kwargs"]) == (5, {"enable_thinking": False})


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("stop", StopReason.END_TURN),
        ("eos", StopReason.END_TURN),
        ("length", StopReason.MAX_TOKENS),
        ("model_length", StopReason.MAX_TOKENS),
        ("tool_calls", StopReason.TOOL_USE),
        ("content_filter", StopReason.CONTENT_FILTER),
        ("error", StopReason.ERROR),
        ("odd", StopReason.UNKNOWN),
        (7, StopReason.UNKNOWN),
        (None, None),
    ],
)
def test_finish_reasons(word: Any, reason: StopReason | None) -> None:
    """Servers have their own words for some."""
    body = chat_body("yes")
    body["choices"][0]["finish_reason"] = word
    assert read(body).response.outputs[0].stop_reason is reason


def test_reasoning_fields_and_tags_are_reasoning() -> None:
    """And the text is what stands beside them."""
    body = chat_body("<think>so yes</think>\nno", reasoning_content="first yes")
    reply = read(body, Rung.DELIBERATION)
    assert reply.response.outputs[0].content == (Reasoning("first yes"), Reasoning("so yes"), Text("no"))
    assert reply.note == "the text held thinking in tags, which was set apart"


def test_thinking_that_never_ends_is_no_answer() -> None:
    """Cut off by the cap, for one."""
    reply = read(chat_body("<think>\nit is\nyes"), Rung.DELIBERATION)
    assert reply.response.outputs[0].content == (Reasoning("it is\nyes"),)


def test_thinking_in_content_parts_is_no_text() -> None:
    """Mistral's form."""
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "yes"}]}, {"type": "text", "text": "no"}]
    body = chat_body(None)
    body["choices"][0]["message"]["content"] = parts
    assert read(body).response.outputs[0].content == (Reasoning(""), Text("no"))


def test_tool_calls_are_read_with_parsed_arguments() -> None:
    """A string that does not parse stays one, which makes the call malformed."""
    calls = [
        {"id": "a", "type": "function", "function": {"name": "find", "arguments": '{"q": 1}'}},
        {"id": "b", "type": "function", "function": {"name": "cut", "arguments": '{"q": '}},
    ]
    reply = read(chat_body(None, tool_calls=calls))
    assert reply.response.outputs[0].content == (ToolCall("a", "find", {"q": 1}), ToolCall("b", "cut", '{"q": '))


def test_of_several_choices_the_first_is_read() -> None:
    """And the note counts them."""
    body = chat_body("yes")
    body["choices"] *= 3
    reply = read(body)
    assert reply.response == Response((Output(Role.ASSISTANT, (Text("yes"),), StopReason.END_TURN),))
    assert reply.note == "the reply held 3 choices; the first was read"


@pytest.mark.parametrize(
    ("logprobs", "absent"),
    [
        (None, NoScore.NO_ALTERNATIVES),
        ({"content": []}, NoScore.NO_ALTERNATIVES),
        ({"content": None}, NoScore.NO_ALTERNATIVES),
        ({"content": [{"token": "yes", "top_logprobs": None}]}, NoScore.NO_ALTERNATIVES),
        ({"content": [{"token": "x", "top_logprobs": [{"token": "x", "logprob": -0.1}]}]}, NoScore.NEITHER_FOUND),
        ("yes", NoScore.NO_ALTERNATIVES),
    ],
)
def test_logprobs_that_give_no_score_say_why(logprobs: Any, absent: NoScore) -> None:
    """The readout's reason is the body's."""
    body = chat_body("yes")
    body["choices"][0]["logprobs"] = logprobs
    reply = read(body, Rung.READOUT, top_logprobs=8)
    assert read_readout(reply.body).absent is absent
    assert ("the endpoint sent no logprobs" in reply.note) is (logprobs is None)


def test_usage_is_counts_of_known_names() -> None:
    """Names that an endpoint invents are its text and stay out of records."""
    body = chat_body("yes")
    body["usage"] = {
        "prompt_tokens": 5,
        "completion_tokens": True,
        "total_tokens": -1,
        "my secret": 3,
        "completion_tokens_details": {"reasoning_tokens": 2, "other": 1},
    }
    assert read(body).usage == {"prompt_tokens": 5, "reasoning_tokens": 2}


@pytest.mark.parametrize(
    "body", [None, [], {}, {"choices": None}, {"choices": []}, {"choices": ["yes"]}, {"choices": [{"text": "yes"}]},
             {"choices": [{"message": {"content": {"a": 1}}}]}, {"choices": {"0": {"message": {"content": "yes"}}}}],
)  # fmt: skip
def test_what_is_no_chat_completion_is_invalid(body: Any) -> None:
    """Never a KeyError."""
    with pytest.raises(InvalidResponse):
        read(body)
