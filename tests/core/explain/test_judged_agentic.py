"""The agentic view against its source: events, what is no event, and the two clips (SPEC 3; UI 5)."""

from __future__ import annotations

from routing_workbench.core.conversation.model import (
    Block,
    Media,
    Message,
    Reasoning,
    Request,
    Role,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
)
from routing_workbench.core.explain.judged import Budget, Row, RowKind, Span
from routing_workbench.core.explain.judging import judged_view

SYSTEM, USER, ASSISTANT, TOOL = Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.TOOL


def message(role: Role, *content: Block | str) -> Message:
    """A message; a string is a text block."""
    return Message(role, tuple(Text(block) if isinstance(block, str) else block for block in content))


def result(*content: Block | str, error: bool | None = None) -> ToolResult:
    """A tool result."""
    return ToolResult("i", message(TOOL, *content).content, error)


def rows(
    *messages: Message, attempt: str = "done", rules: tuple[Message, ...] = ()
) -> list[tuple[str, int | None, str, str]]:
    """Kind, turn, text and note of every row."""
    view = judged_view("agentic", Request(rules, messages), attempt)
    return [(row.kind.value, row.turn, "".join(span.text for span in row.spans), row.note) for row in view.rows]


def test_a_run_is_set_against_its_source_as_in_the_drawing() -> None:
    """Instructions before the heading, reasoning where it was, media and nested content beside what is read."""
    call = ToolCall("i", "Bash", {"command": "ls"})
    nested = result("out", Media("image", "x"), result("deep", Reasoning("why")), error=True)
    found = rows(
        message(USER, "fix it", Media("file", None)),
        message(ASSISTANT, Reasoning("I think"), "First.", call),
        message(TOOL, nested),
        message(SYSTEM, "be quick"),
        message(USER, result("ok"), "and now?"),
        message(ASSISTANT, " ", Unknown("p", {"a": 1})),
        rules=(message(SYSTEM, "You are an agent."),),
    )
    assert found == [
        ("dropped", 0, "[system] You are an agent.", "dropped: instruction, 17 chars"),
        ("heading", None, "USER TASK AND UPDATES:", ""),
        ("kept", 1, "[user task] fix it", ""),
        ("dropped", 1, "[file]", "dropped: media (file)"),
        ("kept", 5, "[user update 1] and now?", ""),
        ("heading", None, "TOOL TRAJECTORY:", ""),
        ("dropped", 2, "[reasoning] I think", "dropped: reasoning, 7 chars"),
        ("kept", 2, "[assistant] First.", ""),
        ("kept", 2, '[tool call] Bash({"command":"ls"})', ""),
        ("kept", 3, "[tool error] out", ""),
        ("dropped", 3, "[image]", "dropped: media (image)"),
        ("dropped", 3, "[tool result] deep", "dropped: inside a tool result, 4 chars"),
        ("dropped", 3, "[reasoning] why", "dropped: reasoning, 3 chars"),
        ("dropped", 4, "[system] be quick", "dropped: instruction, 8 chars"),
        ("kept", 5, "[tool result] ok", ""),
        ("kept", 6, "[assistant]  ", ""),
        ("dropped", 6, '[unknown] {"a":1}', "dropped: unknown content, 7 chars"),
        ("heading", None, "CURRENT ATTEMPT:", ""),
        ("kept", 7, "done", ""),
    ]


def test_what_comes_before_the_task_is_dropped() -> None:
    """So are calls and results within the task's own message, and blank or empty turns."""
    found = rows(
        message(USER, " \n"),
        message(ASSISTANT, "Hello.", ToolCall("i", "f", None)),
        message(USER, "go", result("r")),
        message(USER),
        message(ASSISTANT),
    )
    assert found == [
        ("dropped", 0, "[user]  \n", "dropped: blank"),
        ("dropped", 1, "[assistant] Hello.", "dropped: before the task, 6 chars"),
        ("dropped", 1, "[tool call] f(null)", "dropped: before the task, 7 chars"),
        ("heading", None, "USER TASK AND UPDATES:", ""),
        ("kept", 2, "[user task] go", ""),
        ("dropped", 2, "[tool result] r", "dropped: in the task message, 1 char"),
        ("dropped", 3, "[user] ", "dropped: blank"),
        ("dropped", 4, "[assistant] ", "dropped: blank"),
        ("heading", None, "CURRENT ATTEMPT:", ""),
        ("kept", 5, "done", ""),
    ]


def test_without_a_user_turn_the_first_section_is_empty() -> None:
    """Its heading stands over nothing, and an empty attempt under its own."""
    assert rows(message(ASSISTANT, "hi"), attempt="") == [
        ("dropped", 0, "[assistant] hi", "dropped: before the task, 2 chars"),
        ("heading", None, "USER TASK AND UPDATES:", ""),
        ("kept", None, "", "no user turn"),
        ("heading", None, "CURRENT ATTEMPT:", ""),
        ("kept", 1, "", ""),
    ]


def test_a_redacted_span_tells_kind_and_length() -> None:
    """Each span says what stood there, by its length in the source."""
    text = "Ask mara.voss@tidewatch.example or use Bearer abcdefghijklmnop."
    view = judged_view("agentic", Request((), (message(USER, text),)), "done")
    assert view.rows[1].spans == (
        Span("[user task] Ask "),
        Span("[REDACTED]", "e-mail, 27 chars"),
        Span(" or use "),
        Span("[REDACTED]", "bearer, 24 chars"),
    )
    assert (view.redacted, view.clipped, view.dropped) == (2, 0, 0)


def test_a_long_event_is_clipped_around_its_marker() -> None:
    """The prefix is outside the clip, and the marker knows the start of what it stands for."""
    request = Request((), (message(USER, "go"), message(TOOL, result("a" * 700 + "b" * 257 + "c" * 700))))
    view = judged_view("agentic", request, "done")
    assert view.rows[3:6] == (
        Row(RowKind.KEPT, (Span("[tool result] " + "a" * 700),), 1),
        Row(
            RowKind.CLIPPED,
            (Span("...[257 chars omitted]..."),),
            1,
            "clipped: 257 of 1,657 chars",
            omitted=(Span("b" * 257),),
        ),
        Row(RowKind.KEPT, (Span("c" * 700),), 1),
    )
    assert view.budgets == (
        Budget("trajectory", 14 + 1400 + 27, 12_000),
        Budget("attempt", 4, 2200),
        Budget("longest event", 1400, 1400),
    )
    assert (view.redacted, view.clipped, view.dropped) == (0, 1, 0)


def test_a_clip_may_cut_through_a_replacement() -> None:
    """Both ends that are left of it stay marked."""
    text = "a" * 695 + " me@tide.example " + "c" * 696
    view = judged_view("agentic", Request((), (message(USER, "go"), message(ASSISTANT, text))), "done")
    assert [row.spans for row in view.rows[3:6]] == [
        (Span("[assistant] " + "a" * 695 + " "), Span("[RED", "e-mail, 15 chars")),
        (Span("...[3 chars omitted]..."),),
        (Span("ED]", "e-mail, 15 chars"), Span(" " + "c" * 696)),
    ]


def test_the_clip_of_the_trajectory_splits_the_events_it_cuts() -> None:
    """What is left of them stays, the rest and all events between are dropped, with what was dropped before."""
    steps = [message(ASSISTANT, Reasoning("hm"), f"{step}" * 988) for step in range(9)] * 2
    view = judged_view("agentic", Request((), (message(USER, "go"), *steps)), "done")
    shown = [(row.kind.value, row.turn, row.note) for row in view.rows if row.note != "dropped: reasoning, 2 chars"]
    length = 18 * 1000 + 17
    assert shown[3:] == [
        *[("kept", turn, "") for turn in (1, 2, 3, 4)],
        ("clipped", None, f"clipped: {length - 12_000:,} of {length:,} chars"),
        ("dropped", 4, "dropped: clipped from the trajectory, 3 chars"),
        *[("dropped", turn, "dropped: clipped from the trajectory, 1,000 chars") for turn in (5, 6, 7, 8, 9, 10)],
        ("dropped", 11, "dropped: clipped from the trajectory, 7 chars"),
        *[("kept", turn, "") for turn in (11, 12, 13, 14, 15, 16, 17, 18)],
        ("heading", None, ""),
        ("kept", 19, ""),
    ]
    assert view.budgets[0] == Budget("trajectory", 12_000, 12_000)
    assert (view.clipped, view.dropped) == (1, 18 + 8)
