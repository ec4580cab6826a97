"""The readers of all formats on bodies of any shape: a reply, or an invalid response, and nothing else."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.conversation.model import Request, Text
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.http import anthropic_messages, openai_chat, openai_responses, system_one
from routing_workbench.workbench.drivers.protocol import Call, Category, InvalidResponse, Question

CALL = Call(Rung.READOUT, Category.JUDGE, Request((), ()), 30.0, top_logprobs=8)
QUESTION = Question("q", "", ("a", "b"), None, 30.0)

KEYS = st.sampled_from(
    "choices message content role finish_reason logprobs top_logprobs token logprob usage tool_calls function name "
    "arguments id type text thinking input output status incomplete_details reason summary refusal reasoning_content "
    "answers q probabilities choice confidence 0 error stop_reason source image_url call_id".split()
)
WORDS = st.sampled_from(
    "assistant text message output_text reasoning function_call tool_use tool_result thinking completed choice stop "
    "function image image_url refusal <think> yes {} [".split()
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | WORDS


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Lists of values, and objects with the keys that are looked for."""
    return st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6)


ANY = st.recursive(SCALARS, containers, max_leaves=12)


@given(ANY, ANY)
def test_a_chat_completion_of_any_shape(message: Any, logprobs: Any) -> None:
    """Also where only the message and its logprobs are odd."""
    choice = {"message": {"content": message}, "logprobs": logprobs, "finish_reason": message}
    other = {"message": {"content": "yes", "tool_calls": message, "reasoning": logprobs}}
    for body in (message, {"choices": [choice]}, {"choices": [other]}):
        try:
            reply = openai_chat.read_body(body, CALL)
        except InvalidResponse:
            continue
        texts = [block.text for block in reply.response.outputs[0].content if isinstance(block, Text)]
        assert not any("<think>" in text for text in texts)


@given(ANY)
def test_a_message_of_any_shape(content: Any) -> None:
    """Whatever its blocks are."""
    for body in (content, {"role": "assistant", "content": content, "stop_reason": content, "usage": content}):
        try:
            anthropic_messages.read_body(body, CALL)
        except InvalidResponse:
            continue


@given(ANY)
def test_a_response_of_any_shape(items: Any) -> None:
    """Whatever its items are."""
    bodies: list[Any] = [
        items,
        {"output": [items], "status": "completed"},
        {"output": [{"type": "message", "content": [items]}]},
        {"output": [], "status": "incomplete", "incomplete_details": items},
    ]
    for body in bodies:
        try:
            openai_responses.read_body(body, CALL)
        except InvalidResponse:
            continue


@given(ANY)
def test_an_answer_of_any_shape(answer: Any) -> None:
    """Whatever it holds."""
    for body in (answer, {"answers": {"q": answer}}, {"answers": {"q": {"type": "choice", "probabilities": answer}}}):
        try:
            system_one.read_answer(body, QUESTION)
        except InvalidResponse:
            continue
