"""The proposed-turn view against its source (SPEC 7; UI 5)."""

from __future__ import annotations

from routing_workbench.core.conversation.model import (
    Message,
    Output,
    Reasoning,
    Refusal,
    Request,
    Response,
    Role,
    Text,
    ToolCall,
    ToolResult,
)
from routing_workbench.core.explain.judged import Budget, JudgedView
from routing_workbench.core.explain.judging import judged_turn
from routing_workbench.core.vgr.policy import TurnVerification

CALL = Response((Output(Role.ASSISTANT, (ToolCall("i", "go", {}),)),))


def rows(view: JudgedView) -> list[tuple[str, int | None, str, str]]:
    """Kind, turn, text and note of every row."""
    return [(row.kind.value, row.turn, "".join(span.text for span in row.spans), row.note) for row in view.rows]


def said(*turns: tuple[Role, str]) -> tuple[Message, ...]:
    """Plain messages."""
    return tuple(Message(role, (Text(text),)) for role, text in turns)


def test_anchors_come_first_and_blank_turns_are_kept() -> None:
    """Calls and results of the window are not read; a turn of nothing else stays as an empty line."""
    result = Message(Role.TOOL, (ToolResult("i", (Text("out"),)),))
    request = Request(said((Role.SYSTEM, "rules")), (*said((Role.ASSISTANT, "hi"), (Role.USER, "task")), result))
    view = judged_turn(request, CALL)
    assert rows(view) == [
        ("kept", 0, "[system] rules", ""),
        ("kept", 2, "[task] task", ""),
        ("kept", 1, "[assistant] hi", ""),
        ("kept", 3, "[tool] ", ""),
        ("dropped", 3, "[tool result] out", "dropped: tool result, 3 chars"),
        ("kept", 4, "[proposed next turn] [assistant] [tool call] go({})", ""),
    ]
    assert view.budgets == (
        Budget("total", len(view.text), 18_000),
        Budget("recent turns", 2, 28),
        Budget("system", 5, 1000),
        Budget("task", 4, 2000),
        Budget("longest turn", 2, 500),
        Budget("proposed turn", len("[tool call] go({})"), 500),
    )


def test_what_falls_out_says_why() -> None:
    """Out of the window, or over the total; the anchors stay even so."""
    request = Request((), said((Role.USER, "task"), *[(Role.ASSISTANT, f"turn {n}") for n in range(4)]))
    view = judged_turn(request, CALL, TurnVerification(recent_turn_window=3, total_chars=101))
    assert rows(view)[1:5] == [
        ("dropped", 1, "[assistant] turn 0", "dropped: outside the window, 6 chars"),
        ("dropped", 2, "[assistant] turn 1", "dropped: over the total of 101 chars, 6 chars"),
        ("kept", 3, "[assistant] turn 2", ""),
        ("kept", 4, "[assistant] turn 3", ""),
    ]
    assert len(view.text) == 101
    assert view.budgets[:2] == (Budget("total", 101, 101), Budget("recent turns", 2, 3))


def test_the_proposal_is_set_against_the_reply() -> None:
    """Refusals, reasoning, blank texts and other roles are dropped around the joined fragments, which clip as one."""
    content = (Reasoning("hm"), Text("a" * 499), Refusal("no"), Text(" "), ToolCall("i", "me@tide.example", 1))
    reply = Response((Output(Role.TOOL, (Text("x"),)), Output(Role.ASSISTANT, content)))
    view = judged_turn(Request((), ()), reply)
    assert rows(view) == [
        ("dropped", 0, "[tool] x", "dropped: not of the assistant, 1 char"),
        ("dropped", 0, "[reasoning] hm", "dropped: reasoning, 2 chars"),
        ("kept", 0, "[proposed next turn] [assistant] " + "a" * 250, ""),
        ("clipped", 0, "...[25 chars omitted]...", "clipped: 25 of 525 chars"),
        ("kept", 0, "a" * 224 + " [tool call] [REDACTED](1)"[-26:], ""),
        ("dropped", 0, "[refusal] no", "dropped: refusal, 2 chars"),
        ("dropped", 0, "[assistant]  ", "dropped: blank"),
    ]
    assert (view.redacted, view.clipped, view.dropped) == (1, 1, 4)
