"""The escalation judge's transcript against its source (SPEC 6.2; UI 5)."""

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
from routing_workbench.core.conversation.normalized import message_from_json
from routing_workbench.core.escalation.config import EscalationConfig, config_from_json
from routing_workbench.core.escalation.transcript import summarize_for_judge
from routing_workbench.core.explain.escalation_view import escalation_view
from routing_workbench.core.explain.judged import Budget, JudgedView, RowKind, Span, text_of_rows
from routing_workbench.core.explain.unread import MORE, SHOWN_CHARS

TESTS = Path(__file__).resolve().parents[2]
DEFAULT = EscalationConfig()
KEY = "sk-EXAMPLE0000000000abcd"


def rows(view: JudgedView) -> list[tuple[str, int | None, str, str]]:
    """Kind, turn, text and note of every row."""
    return [(row.kind.value, row.turn, "".join(span.text for span in row.spans), row.note) for row in view.rows]


def said(role: Role, *content: str | Block) -> Message:
    """A message of texts and other blocks."""
    return Message(role, tuple(Text(one) if isinstance(one, str) else one for one in content))


def vectors() -> list[Any]:
    """The transcripts of the reference."""
    lines = (TESTS / "vectors" / "summarize_for_judge.jsonl").read_text("utf-8").split("\n")
    return [pytest.param(v["input"], v["expected"]["text"], id=v["id"]) for v in map(json.loads, filter(None, lines))]


@pytest.mark.parametrize(("given_input", "expected"), vectors())
def test_rows_give_the_transcript_of_every_vector_back(given_input: dict[str, Any], expected: str) -> None:
    """What is shown is what is sent."""
    request = Request((), tuple(message_from_json(raw) for raw in given_input["messages"]))
    view = escalation_view(request, given_input["turn"], config_from_json(given_input["config"]))
    assert text_of_rows(view.rows) == view.text == expected


_WORDS = st.sampled_from(
    ["a", "a" * 40, "b" * 700, "c" * 2500, " ", "\n", " me@tide.example ", f" {KEY} ", "bearer", "[x] "]
)
_TEXTS = st.lists(_WORDS, max_size=4).map("".join)
_LEAVES: st.SearchStrategy[Block] = st.one_of(
    st.builds(Text, _TEXTS),
    st.builds(Refusal, _TEXTS),
    st.builds(Reasoning, _TEXTS),
    st.builds(ToolCall, st.just("i"), st.just("go"), _TEXTS),
    st.just(Media("image", None)),
    st.builds(Unknown, st.just("p"), _TEXTS),
)
_BLOCKS = st.recursive(
    _LEAVES, lambda inner: st.builds(ToolResult, st.just("i"), st.lists(inner, max_size=3).map(tuple)), max_leaves=4
)
_MESSAGES = st.builds(
    Message,
    st.sampled_from([Role.USER, Role.USER, Role.SYSTEM, Role.DEVELOPER, Role.ASSISTANT, Role.TOOL]),
    st.lists(_BLOCKS, max_size=3).map(tuple),
)


@given(
    st.lists(_MESSAGES, max_size=14),
    st.builds(EscalationConfig, st.just(2), st.sampled_from([1, 3, 28]), st.sampled_from([50, 500, 3000])),
    st.booleans(),
)
def test_rows_give_back_what_is_sent(messages: list[Message], config: EscalationConfig, redact: bool) -> None:
    """For any conversation, redacted or not; and no secret that is not sent is shown."""
    request = Request((said(Role.SYSTEM, "rules"),), tuple(messages))
    view = escalation_view(request, 3, config, redact=redact)
    assert text_of_rows(view.rows) == view.text == summarize_for_judge(request.messages, 3, config, redacted=redact)
    assert view.redacted == 0 if not redact else view.unredacted == 0
    shown_only = [span for row in view.rows for span in row.omitted]
    shown_only += [span for row in view.rows if row.kind is RowKind.DROPPED for span in row.spans]
    if redact:
        shown_only += [span for row in view.rows for span in row.spans]
    assert not any(secret in span.text for span in shown_only for secret in ("me@tide.example", KEY))


def test_framing_comes_first_and_what_is_left_out_says_why() -> None:
    """Media, reasoning and unknown content in their places; messages outside the window; the instructions."""
    request = Request(
        (said(Role.SYSTEM, "be kind"),),
        (
            said(Role.USER, Media("image", None), "task"),
            said(Role.ASSISTANT, Reasoning("hm"), "old", ToolCall("i", "go", {})),
            said(Role.TOOL, ToolResult("i", (Text("out"), Media("file", None)))),
            said(Role.SYSTEM, "late"),
            said(Role.ASSISTANT),
            said(Role.ASSISTANT, "new", Unknown("p", {"a": 1})),
        ),
    )
    view = escalation_view(request, 3, EscalationConfig(recent_turn_window=2))
    assert rows(view) == [
        ("dropped", 0, "[system] be kind", "dropped: instruction, 7 chars"),
        (
            "heading",
            None,
            "Conversation turn 3; showing the last 2 of 6 messages after the task framing.",
            "",
        ),
        ("dropped", 1, "[image]", "dropped: media (image)"),
        ("kept", 1, "[user (task)] task", ""),
        ("kept", 4, "[system] late", ""),
        ("dropped", 2, "[reasoning] hm", "dropped: reasoning, 2 chars"),
        ("dropped", 2, "[assistant] old tool_call go({})", "dropped: outside the window, 20 chars"),
        ("dropped", 3, "[tool] out", "dropped: outside the window, 3 chars"),
        ("dropped", 3, "[file]", "dropped: media (file)"),
        ("kept", 5, "[assistant] ", ""),
        ("kept", 6, "[assistant] new", ""),
        ("dropped", 6, '[unknown] {"a":1}', "dropped: unknown content, 7 chars"),
    ]
    assert view.budgets == (
        Budget("total", len(view.text), 18_000),
        Budget("window lines", 2, 2),
        Budget("system", 4, 1000),
        Budget("task", 4, 4000),
        Budget("longest line", 3, 500),
    )
    assert (view.name, view.redacted, view.unredacted, view.clipped, view.dropped) == ("escalation", 0, 0, 0, 7)


def test_a_clip_stands_within_its_line_and_counts_what_it_hides() -> None:
    """The marker is a row of its own without line breaks around it, with the start of what it stands for."""
    request = Request((), (said(Role.TOOL, "a" * 24 + f" {KEY} " + "z" * 20),))
    view = escalation_view(request, 0, EscalationConfig(window_message_chars=50))
    assert rows(view)[1:] == [
        ("kept", 0, "[tool] " + "a" * 24, ""),
        ("clipped", 0, " ...[trimmed] ", "clipped: 34 of 70 chars"),
        ("kept", 0, "z" * 12, ""),
    ]
    assert view.rows[2].omitted == (Span(" "), Span("[REDACTED]", "API key, 24 chars"), Span(" " + "z" * 8))
    assert view.clipped == 1


def test_several_secrets_of_one_kind_are_sent_as_they_stand() -> None:
    """The note agrees in number with the secrets, not with their kinds."""
    request = Request((), (said(Role.USER, "me@tide.example and you@tide.example"),))
    assert escalation_view(request, 0, DEFAULT).rows[1].note == "2 e-mail addresses, sent as they stand"


def test_what_redaction_would_have_replaced_is_marked_as_sent() -> None:
    """The specification sends the transcript unredacted; the view says so where it matters."""
    request = Request((), (said(Role.USER, f"mail me@tide.example, {KEY}, you@tide.example"),))
    view = escalation_view(request, 0, DEFAULT)
    assert view.rows[1].spans == (
        Span("[user (task)] mail "),
        Span("me@tide.example", sent="e-mail, 15 chars, sent unredacted"),
        Span(", "),
        Span(KEY, sent="API key, 24 chars, sent unredacted"),
        Span(", "),
        Span("you@tide.example", sent="e-mail, 16 chars, sent unredacted"),
    )
    assert view.rows[1].note == "2 e-mail addresses and 1 API key, sent as they stand"
    assert (view.redacted, view.unredacted) == (0, 3)
    assert "me@tide" not in repr(view)


def test_a_secret_cut_by_a_clip_is_marked_on_both_sides() -> None:
    """What is left of it is sent; what is clipped of it is shown redacted."""
    request = Request((), (said(Role.TOOL, "a" * 20 + " " + KEY + "." * 30),))
    view = escalation_view(request, 0, EscalationConfig(window_message_chars=50))
    assert view.rows[1].spans == (
        Span("[tool] " + "a" * 20 + " "),
        Span("sk-", sent="API key, 24 chars, sent unredacted"),
    )
    assert view.rows[1].note == "1 API key, sent as it stands"
    assert view.rows[2].omitted == (Span("[REDACTED]", "API key, 24 chars"), Span("." * 18))


def test_with_redaction_nothing_is_sent_as_it_stands() -> None:
    """The operator's option: replaced before the clip, and shown as such."""
    request = Request((), (said(Role.USER, "mail me@tide.example"), said(Role.ASSISTANT, "sk-" + "A1" * 300)))
    view = escalation_view(request, 1, DEFAULT, redact=True)
    assert view.rows[1].spans == (Span("[user (task)] mail "), Span("[REDACTED]", "e-mail, 15 chars"))
    assert view.rows[2].spans == (Span("[assistant] "), Span("[REDACTED]", "API key, 603 chars"))
    assert (view.redacted, view.unredacted, view.clipped) == (2, 0, 0)


def test_lines_over_the_total_are_dropped_oldest_first() -> None:
    """Those in the window say that the total was the reason."""
    turns = [said(Role.ASSISTANT, "a" * size) for size in (3000, 3100, *[3000] * 5)]
    view = escalation_view(Request((), tuple(turns)), 7, EscalationConfig(2, 6, 4000))
    shown = [(kind, turn, note) for kind, turn, _, note in rows(view)]
    assert shown == [
        ("heading", None, ""),
        ("dropped", 0, "dropped: outside the window, 3,000 chars"),
        ("dropped", 1, "dropped: over the total of 18,000 chars, 3,100 chars"),
        *[("kept", turn, "") for turn in range(2, 7)],
    ]
    assert view.budgets[1] == Budget("window lines", 5, 6)
    assert view.budgets[4] == Budget("longest line", 3000, 4000)


@pytest.mark.parametrize(("over", "shown"), [(0, 10), (1, 9)])
def test_a_transcript_of_exactly_the_total_drops_no_line(over: int, shown: int) -> None:
    """One character more does."""
    config = EscalationConfig(window_message_chars=5000)
    lines = [said(Role.ASSISTANT, "a" * 1500) for _ in range(10)]
    room = 18_000 - len(summarize_for_judge([said(Role.USER, "t"), *lines], 10, config))
    view = escalation_view(Request((), (said(Role.USER, "t" * (1 + room + over)), *lines)), 10, config)
    assert view.budgets[1] == Budget("window lines", shown, 28)
    assert view.dropped == 10 - shown


def test_a_hidden_message_without_text_is_told_as_well() -> None:
    """By its role; of media alone the media are told."""
    request = Request((), (said(Role.TOOL), said(Role.TOOL, Media("image", None)), said(Role.TOOL, "t")))
    assert rows(escalation_view(request, 0, EscalationConfig(recent_turn_window=1)))[1:] == [
        ("dropped", 0, "[tool] ", "dropped: blank"),
        ("dropped", 1, "[image]", "dropped: media (image)"),
        ("kept", 2, "[tool] t", ""),
    ]


def test_framing_over_the_total_is_cut_and_the_rest_is_told() -> None:
    """The cut goes through a line; what stands behind it is dropped, and the window lines before that."""
    task = [said(Role.USER, "b" * 4000) for _ in range(4)]
    cut = said(Role.USER, "c" * 2000 + f" {KEY} " + "e" * 9)
    view = escalation_view(Request((), (*task, cut, said(Role.USER, "last"), said(Role.TOOL, "t"))), 0, DEFAULT)
    first = "Conversation turn 0; showing the last 0 of 7 messages after the task framing."
    kept = 17_985 - len(first) - 4 * len("\n[user (task)] " + "b" * 4000) - len("\n[user (task)] ")
    whole = 17_985 + (2000 - kept) + len(f" {KEY} ") + 9 + len("\n[user (task)] last")
    left = f"dropped: over the total of 18,000 chars, {2000 - kept + len(KEY) + 11} chars"
    assert rows(view)[5:] == [
        ("kept", 4, "[user (task)] " + "c" * kept, ""),
        ("clipped", None, "...<truncated>", f"clipped: {whole - 17_985} of {whole:,d} chars"),
        ("dropped", 4, "c" * (2000 - kept) + " [REDACTED] " + "e" * 9, left),
        ("dropped", 5, "[user (task)] last", "dropped: over the total of 18,000 chars, 18 chars"),
        ("dropped", 6, "[tool] t", "dropped: over the total of 18,000 chars, 1 char"),
    ]
    assert view.budgets[0] == Budget("total", 17_999, 18_000)


def _cut_behind(characters: int, *behind: Message) -> list[tuple[str, int | None, str, str]]:
    """The rows from turn 4 on, where the transcript is cut so many characters behind the line break before turn 5."""
    base = [said(Role.USER, "b" * 4000) for _ in range(4)]
    fixed = len(summarize_for_judge(base, 0, DEFAULT)) + len("\n[user (task)] ")
    view = escalation_view(
        Request((), (*base, said(Role.USER, "c" * (17_985 - fixed - characters)), *behind)), 0, DEFAULT
    )
    return [(kind, turn, text.strip("bc"), note) for kind, turn, text, note in rows(view)[5:]]


def test_a_cut_between_two_lines_leaves_neither_a_rest() -> None:
    """At the end of a line, and behind the line break, nothing of a row is left over."""
    last = said(Role.USER, "e" * 90)
    dropped = ("dropped", 5, "[user (task)] " + "e" * 90, "dropped: over the total of 18,000 chars, 104 chars")
    for characters, clipped in ((0, 90), (1, 89)):
        assert _cut_behind(characters, last) == [
            ("kept", 4, "[user (task)] ", ""),
            ("clipped", None, "...<truncated>", f"clipped: {clipped + 15} of {17_985 + clipped + 15:,d} chars"),
            dropped,
        ]
    assert _cut_behind(2, last)[1:3] == [
        ("kept", 5, "[", ""),
        ("clipped", None, "...<truncated>", "clipped: 103 of 18,088 chars"),
    ]


def test_a_cut_through_the_marker_of_a_clip_keeps_what_it_stands_for() -> None:
    """What is left of the marker is no text of the message; only what stands behind it is dropped."""
    head = 1 + len("[developer] ") + 986 * 2 // 3
    found = _cut_behind(head + 4, said(Role.DEVELOPER, "d" * 657 + "f" * 14 + "g" * 1329))
    assert found[1:] == [
        ("kept", 5, "[developer] " + "d" * 657, ""),
        ("clipped", 5, " ...", "clipped: 1,014 of 2,000 chars"),
        ("clipped", None, "...<truncated>", "clipped: 339 of 18,324 chars"),
        ("dropped", 5, "g" * 329, "dropped: over the total of 18,000 chars, 329 chars"),
    ]


def test_a_clipped_line_behind_the_cut_is_dropped_as_a_whole() -> None:
    """Its two ends and what the clip had left out already, each by its start and its length."""
    over = "dropped: over the total of 18,000 chars"
    assert _cut_behind(0, said(Role.DEVELOPER, "d" * 657 + "f" * 1014 + "g" * 329))[2:] == [
        ("dropped", 5, "[developer] " + "d" * (SHOWN_CHARS - 12) + MORE, f"{over}, 669 chars"),
        ("dropped", 5, "f" * SHOWN_CHARS + MORE, "clipped: 1,014 of 2,000 chars"),
        ("dropped", 5, "g" * 329, f"{over}, 329 chars"),
    ]


@pytest.mark.parametrize("over", range(13))
def test_a_cut_anywhere_gives_the_transcript_back(over: int) -> None:
    """Through a secret, a line's label, a clip's marker or the line break before it."""
    base = [said(Role.USER, "b" * 4000) for _ in range(4)]
    for tail in (f"x {KEY} y", "c" * 5000, "d"):
        for lead in range(1800, 1900, 13):
            messages = (*base, said(Role.USER, "b" * (lead + over)), said(Role.USER, tail), said(Role.USER, "e" * 90))
            view = escalation_view(Request((), messages), 0, DEFAULT)
            assert text_of_rows(view.rows) == view.text == summarize_for_judge(messages, 0, DEFAULT)
