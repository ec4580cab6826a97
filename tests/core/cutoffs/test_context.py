"""What a decision judge is sent (SPEC 6.1)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.conversation.model import (
    Block,
    Media,
    Message,
    Reasoning,
    Refusal,
    Request,
    Role,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
)
from routing_workbench.core.cutoffs.config import CutoffsConfig, Rule
from routing_workbench.core.cutoffs.context import QUESTION, judge_context, question_instructions

CONFIG = CutoffsConfig(
    (("small", "coder-8b"), ("mid", "coder-32b"), ("large", "coder-400b")), (Rule("small", 0.6),), "large"
)


def content(*blocks: Block) -> Any:
    """The content of a user message of these blocks, as sent."""
    context = judge_context(Request((), (Message(Role.USER, blocks),)), CONFIG)
    assert context["task"][0]["role"] == "user"
    return context["task"][0]["content"]


def test_the_context_is_the_task_the_sorted_labels_and_the_evidence() -> None:
    """In this order, and nothing else."""
    request = Request((Message(Role.SYSTEM, (Text("rules"),)),), (Message(Role.USER, (Text("fix it"),)),))
    context = judge_context(request, replace(CONFIG, evidence={"budget_usd": 0.05, "tags": ["x"]}))
    assert json.dumps(context) == (
        '{"task": [{"role": "user", "content": "fix it"}], "candidates": ["large", "mid", "small"], '
        '"evidence": {"budget_usd": 0.05, "tags": ["x"]}}'
    )


def test_without_evidence_there_is_a_null() -> None:
    """The key stays, as the question's shape says."""
    assert judge_context(Request((), ()), CONFIG) == {
        "task": [],
        "candidates": ["large", "mid", "small"],
        "evidence": None,
    }


def test_the_window_of_the_config_decides_what_is_read() -> None:
    """Here the whole of three messages."""
    messages = tuple(Message(role, (Text(role.value),)) for role in (Role.USER, Role.ASSISTANT, Role.ASSISTANT))
    context = judge_context(Request((), messages), replace(CONFIG, recent_turn_window=2))
    assert context["task"] == [
        {"role": "user", "content": "user"},
        {"role": "assistant", "content": "assistant"},
        {"role": "assistant", "content": "assistant"},
    ]


def test_one_text_is_sent_as_it_is() -> None:
    """Blanks, markup and control characters included."""
    assert content(Text(" <b>\x00\n ")) == " <b>\x00\n "


def test_several_texts_keep_their_borders() -> None:
    """And a refusal is told from a text."""
    assert content(Text("a"), Text("b"), Refusal("no")) == [
        {"type": "text", "text": "a"},
        {"type": "text", "text": "b"},
        {"type": "refusal", "text": "no"},
    ]
    assert content(Refusal("no")) == [{"type": "refusal", "text": "no"}]


def test_reasoning_is_left_out() -> None:
    """What remains is sent as if it had not been there."""
    assert content(Reasoning("hidden"), Text("a")) == "a"
    assert content(Reasoning("hidden")) == ""


def test_calls_and_results_are_sent_with_their_ids() -> None:
    """So that results of parallel calls can be told apart; what reports no error says nothing of one."""
    call = ToolCall("c1", "run", {"z": 1, "a": [None]})
    results = (
        ToolResult("c1", (Text("2 failed"),), True),
        ToolResult("c2", (Text("x"), Media("image", "data")), None),
        ToolResult("c3", (), False),
    )
    assert content(Text("look"), call, *results) == [
        {"type": "text", "text": "look"},
        {"type": "tool_call", "id": "c1", "name": "run", "arguments": {"z": 1, "a": [None]}},
        {"type": "tool_result", "tool_call_id": "c1", "content": "2 failed", "is_error": True},
        {
            "type": "tool_result",
            "tool_call_id": "c2",
            "content": [{"type": "text", "text": "x"}, {"type": "image", "count": 1}],
        },
        {"type": "tool_result", "tool_call_id": "c3", "content": "", "is_error": False},
    ]


def test_media_and_unread_content_are_counted_where_they_stand() -> None:
    """Neighbours of one kind together; their data is never sent."""
    image = Media("image", {"data": "iVBORw0KGgo"})
    assert content(image, image, Text("a"), image, Media("file", "x"), Unknown("p", {"k": "v"})) == [
        {"type": "image", "count": 2},
        {"type": "text", "text": "a"},
        {"type": "image", "count": 1},
        {"type": "file", "count": 1},
        {"type": "unknown", "count": 1},
    ]


def test_the_operators_words_go_before_ours() -> None:
    """Even where they are empty."""
    assert question_instructions(CONFIG, "ours") == "ours"
    assert question_instructions(replace(CONFIG, instructions="theirs"), "ours") == "theirs"
    assert question_instructions(replace(CONFIG, instructions=""), "ours") == ""


def test_the_question_is_named_as_the_specification_says() -> None:
    """There is only one."""
    assert QUESTION == "route"


# Model ids are written in Greek letters, everything else without them: where one shows up, it has leaked.
WORDS = st.text(st.characters(max_codepoint=127), max_size=6)
MODELS = st.lists(st.text("αβγδε", min_size=3, max_size=9), min_size=1, max_size=4, unique=True)
JSON = st.recursive(WORDS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2))
BLOCKS: st.SearchStrategy[Block] = st.one_of(
    st.builds(Text, WORDS),
    st.builds(Refusal, WORDS),
    st.builds(Reasoning, WORDS),
    st.builds(ToolCall, WORDS, WORDS, JSON),
    st.builds(ToolResult, WORDS, st.lists(st.builds(Text, WORDS), max_size=2).map(tuple), st.none() | st.booleans()),
    st.builds(Media, st.sampled_from(["image", "audio", "video", "file"]), JSON),
    st.builds(Unknown, WORDS, JSON),
)
MESSAGES = st.lists(st.builds(Message, st.sampled_from(Role), st.lists(BLOCKS, max_size=3).map(tuple)), max_size=6)


@given(st.data(), MODELS, MESSAGES.map(tuple))
def test_no_model_id_ever_reaches_the_judge(data: st.DataObject, models: list[str], messages: Any) -> None:
    """Neither in the question nor in the labels nor in the context."""
    labels = data.draw(st.lists(WORDS, min_size=len(models), max_size=len(models), unique=True))
    config = CutoffsConfig(
        tuple(zip(labels, models, strict=True)),
        (Rule(labels[0], 0.5),),
        labels[-1],
        data.draw(st.none() | WORDS),
        data.draw(JSON),
        data.draw(st.booleans()),
        data.draw(st.none() | st.integers(1, 4)),
    )
    sent = [question_instructions(config, "ours"), list(config.labels), judge_context(Request((), messages), config)]
    assert not set("αβγδε") & set(json.dumps(sent, ensure_ascii=False))


@given(MESSAGES.map(tuple), st.integers(1, 4))
def test_the_context_is_json(messages: Any, window: int) -> None:
    """It goes through text unchanged: what is shown is what is sent."""
    context = judge_context(Request((), messages), replace(CONFIG, recent_turn_window=window))
    assert json.loads(json.dumps(context)) == context
