"""The escalation judge's transcript (SPEC 6.2): the golden vectors, their limits, and what it must not cost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
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
from routing_workbench.core.conversation.normalized import message_from_json, request_from_json
from routing_workbench.core.escalation.config import EscalationConfig, config_from_json
from routing_workbench.core.escalation.transcript import (
    TOTAL_CHARS,
    conversation_turn,
    header,
    message_text,
    summarize_for_judge,
    task_framing,
    truncate_middle,
)

TESTS = Path(__file__).resolve().parents[2]
DEFAULT = EscalationConfig()


def vectors(name: str) -> list[Any]:
    """The lines of a vector file as parameters."""
    lines = (TESTS / "vectors" / f"{name}.jsonl").read_text("utf-8").split("\n")
    return [pytest.param(v["input"], v["expected"], id=v["id"]) for v in map(json.loads, filter(None, lines))]


def said(role: Role, text: str) -> Message:
    """A plain message."""
    return Message(role, (Text(text),))


@pytest.mark.parametrize(("given_input", "expected"), vectors("message_text"))
def test_message_text_vector(given_input: dict[str, Any], expected: dict[str, Any]) -> None:
    """What is read of a message is the reference's."""
    assert {"text": message_text(message_from_json(given_input["message"]))} == expected


@pytest.mark.parametrize(("given_input", "expected"), vectors("truncate_middle"))
def test_truncate_middle_vector(given_input: dict[str, Any], expected: dict[str, Any]) -> None:
    """The cut is the reference's."""
    assert {"text": truncate_middle(given_input["text"], given_input["limit"])} == expected


@pytest.mark.parametrize(("given_input", "expected"), vectors("conversation_turn"))
def test_conversation_turn_vector(given_input: dict[str, Any], expected: dict[str, Any]) -> None:
    """The count is the reference's."""
    assert {"turn": conversation_turn(request_from_json(given_input["request"]))} == expected


@pytest.mark.parametrize(("given_input", "expected"), vectors("summarize_for_judge"))
def test_summarize_for_judge_vector(given_input: dict[str, Any], expected: dict[str, Any]) -> None:
    """The transcript is the reference's."""
    messages = [message_from_json(raw) for raw in given_input["messages"]]
    config = config_from_json(given_input["config"])
    assert {"text": summarize_for_judge(messages, given_input["turn"], config)} == expected


def test_results_are_read_however_deep() -> None:
    """Nesting has no limit of its own, and every piece keeps its place."""
    content: tuple[Block, ...] = (Refusal("bottom"),)
    for _ in range(5000):
        content = (Text("a"), ToolResult("i", content), Text("z"))
    pieces = message_text(Message(Role.TOOL, content)).split(" ")
    assert pieces == ["a"] * 5000 + ["bottom"] + ["z"] * 5000


def test_media_reasoning_and_unknown_content_add_nothing_inside_a_result_either() -> None:
    """Not even a separator."""
    inner = (Media("image", None), Text("a"), Unknown("p", {}), Reasoning("hm"), ToolCall("i", "go", {}), Text(""))
    assert message_text(Message(Role.TOOL, (ToolResult("i", inner), Text("b")))) == "a tool_call go({})  b"


@given(st.text("ab \n\u00e9\U0001f642", max_size=300), st.integers(0, 200))
def test_a_truncated_text_keeps_its_ends(text: str, limit: int) -> None:
    """Whole if it fits; else two thirds of what is kept stand before the mark, and the limit holds from 34 on."""
    shown = truncate_middle(text, limit)
    if len(text) <= limit:
        assert shown == text
        return
    head, mark, tail = shown.partition(" ...[trimmed] ")
    assert mark
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) == (len(head) + len(tail)) * 2 // 3
    assert len(shown) <= max(limit, 34)


def test_late_instructions_frame_the_task() -> None:
    """Instructions are anchors wherever they stand; users only before the assistant first speaks."""
    messages = [
        said(Role.TOOL, "early"),
        said(Role.USER, "task"),
        said(Role.ASSISTANT, "hi"),
        said(Role.USER, "more"),
        said(Role.DEVELOPER, "reminder"),
        said(Role.SYSTEM, "rules"),
    ]
    assert summarize_for_judge(messages, 1, EscalationConfig(recent_turn_window=2)) == (
        "Conversation turn 1; showing the last 2 of 6 messages after the task framing.\n"
        "[user (task)] task\n[developer] reminder\n[system] rules\n[assistant] hi\n[user] more"
    )


@pytest.mark.parametrize("over", [0, 1, 15])
def test_a_transcript_of_exactly_the_total_stays_whole(over: int) -> None:
    """One character more, and the oldest line goes; the header's shorter number counts."""
    config = EscalationConfig(window_message_chars=5000)
    lines = [said(Role.ASSISTANT, "a" * 1500) for _ in range(10)]
    messages = [said(Role.USER, "t"), *lines]
    room = TOTAL_CHARS - len(summarize_for_judge(messages, 10, config))
    messages[0] = said(Role.USER, "t" * (1 + room + over))
    text = summarize_for_judge(messages, 10, config)
    shown = 10 if not over else 9
    assert text.startswith(header(10, shown, 11))
    # Without the oldest line, which was "\n[assistant] " and its text, and with one digit less.
    assert len(text) == TOTAL_CHARS + over - (0 if not over else 13 + 1500 + 1)


@given(
    st.lists(st.tuples(st.sampled_from(list(Role)), st.integers(0, 9000)), max_size=25),
    st.integers(1, 40),
    st.sampled_from([50, 500, 6000]),
)
def test_the_transcript_is_the_plain_reading_of_the_specification(
    turns: list[tuple[Role, int]], window: int, chars: int
) -> None:
    """Build all, drop the oldest line until it fits, cut what cannot fit: the loop that ours must not be."""
    messages = [said(role, "x" * size) for role, size in turns]
    anchors, lines = [], []
    spoken = False
    for message in messages:
        spoken = spoken or message.role is Role.ASSISTANT
        text = message_text(message)
        if message.role in (Role.SYSTEM, Role.DEVELOPER):
            anchors.append(f"[{message.role}] {truncate_middle(text, 1000)}")
        elif message.role is Role.USER and not spoken:
            anchors.append(f"[user (task)] {truncate_middle(text, 4000)}")
        else:
            lines.append(f"[{message.role}] {truncate_middle(text, chars)}")
    lines = lines[-window:]
    while True:
        expected = "\n".join([header(3, len(lines), len(messages)), *anchors, *lines])
        if len(expected) <= 18_000 or not lines:
            break
        lines = lines[1:]
    if len(expected) > 18_000:
        expected = expected[: 18_000 - 15] + "...<truncated>"
    config = EscalationConfig(recent_turn_window=window, window_message_chars=chars)
    assert summarize_for_judge(messages, 3, config) == expected


@given(st.lists(st.sampled_from(list(Role)), max_size=20), st.integers(1, 30))
def test_the_framing_of_a_session_is_that_of_each_of_its_turns(roles: list[Role], window: int) -> None:
    """Found once, it gives every turn the transcript that the turn gives alone; also with a reply behind."""
    messages = [said(role, f"m{number}") for number, role in enumerate(roles)]
    framing, config = task_framing(messages), EscalationConfig(recent_turn_window=window)
    for turn in (*[messages[:end] for end in range(len(messages) + 1)], [*messages, said(Role.ASSISTANT, "held")]):
        assert summarize_for_judge(turn, 1, config, framing=framing) == summarize_for_judge(turn, 1, config)


class Unread(Message):
    """A message that must not be rendered."""

    @property
    def content(self) -> tuple[Block, ...]:  # type: ignore[override]
        """Fail the test."""
        raise AssertionError("a message that is not shown was rendered")


def unread(role: Role) -> Message:
    """A message whose role may be looked at and nothing else."""
    message = object.__new__(Unread)
    object.__setattr__(message, "role", role)
    return message


def test_what_is_outside_the_window_is_not_rendered() -> None:
    """Of the hidden messages only the roles are read."""
    hidden = [unread(role) for role in (Role.ASSISTANT, Role.TOOL, Role.USER) for _ in range(50)]
    messages = [said(Role.USER, "task"), *hidden, *[said(Role.TOOL, f"t{n}") for n in range(28)]]
    text = summarize_for_judge(messages, 50, DEFAULT)
    assert text.startswith("Conversation turn 50; showing the last 28 of 179 messages after the task framing.\n")
    assert text.endswith("[tool] t27")


def test_what_is_over_the_total_is_not_rendered() -> None:
    """A window far wider than the total costs no more than what fits, one line excepted."""
    shown = [said(Role.TOOL, "x" * 900) for _ in range(20)]
    messages = [said(Role.USER, "task"), *[unread(Role.ASSISTANT) for _ in range(500)], *shown]
    config = EscalationConfig(recent_turn_window=1000, window_message_chars=1000)
    assert "showing the last 19 of 521 messages" in summarize_for_judge(messages, 500, config)


def test_framing_beyond_the_total_is_not_rendered() -> None:
    """Nor is any line of the window then."""
    task = [said(Role.USER, "x" * 4000) for _ in range(5)]
    text = summarize_for_judge([*task, *[unread(Role.USER)] * 9, unread(Role.ASSISTANT)], 1, DEFAULT)
    assert text.startswith("Conversation turn 1; showing the last 0 of 15 messages after the task framing.\n")
    assert text.endswith("xx...<truncated>")
    assert len(text) == 17_999


def test_a_redacted_transcript_is_redacted_before_it_is_cut() -> None:
    """Only on demand: by the specification nothing is redacted."""
    messages = [said(Role.USER, "ask mara.voss@tidewatch.example"), said(Role.ASSISTANT, "sk-" + "A1" * 300)]
    assert "mara.voss@tidewatch.example" in summarize_for_judge(messages, 1, DEFAULT)
    assert summarize_for_judge(messages, 1, DEFAULT, redacted=True) == (
        "Conversation turn 1; showing the last 1 of 2 messages after the task framing.\n"
        "[user (task)] ask [REDACTED]\n[assistant] [REDACTED]"
    )


def test_a_secret_across_two_blocks_is_redacted_as_it_would_be_read() -> None:
    """The pieces of a message are joined before they are looked through."""
    message = Message(Role.ASSISTANT, (Text("Bearer"), Text("abcdefghijklmnop0123")))
    assert summarize_for_judge([message], 1, DEFAULT, redacted=True).endswith("\n[assistant] [REDACTED]")


def test_instructions_are_not_read() -> None:
    """Only messages count turns and stand in the transcript (SPEC 6.2)."""
    request = Request((said(Role.SYSTEM, "rules"),), (said(Role.ASSISTANT, "hi"),))
    assert conversation_turn(request) == 1
    assert "rules" not in summarize_for_judge(request.messages, 1, DEFAULT)
