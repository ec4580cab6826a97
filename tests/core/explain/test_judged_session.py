"""The session view against its source (SPEC 3; UI 5)."""

from __future__ import annotations

from routing_workbench.core.conversation.model import (
    Media,
    Message,
    Reasoning,
    Refusal,
    Request,
    Role,
    Text,
    ToolCall,
    ToolResult,
)
from routing_workbench.core.explain.judged import Budget, JudgedView
from routing_workbench.core.explain.judging import judged_view


def rows(view: JudgedView) -> list[tuple[str, int | None, str, str]]:
    """Kind, turn, text and note of every row."""
    return [(row.kind.value, row.turn, "".join(span.text for span in row.spans), row.note) for row in view.rows]


def test_texts_are_kept_and_all_else_is_dropped_in_its_place() -> None:
    """The latest user turn moves to the end with what it holds; tool results are not read."""
    request = Request(
        (Message(Role.DEVELOPER, (Text("rules"),)),),
        (
            Message(Role.USER, (Text("first"),)),
            Message(Role.ASSISTANT, (Reasoning("hm"), Text("a"), ToolCall("i", "f", {}), Refusal("b"))),
            Message(Role.TOOL, (ToolResult("i", (Text("me@tide.example " + "x" * 600), Media("image", None)), True),)),
            Message(Role.USER, (Media("audio", None), Text("latest"))),
            Message(Role.USER, (Text(" "),)),
            Message(Role.ASSISTANT, ()),
        ),
    )
    view = judged_view("session", request, "done")
    result = "[tool error] [REDACTED] " + "x" * 489 + " ..."
    assert rows(view) == [
        ("kept", 0, "[developer] rules", ""),
        ("kept", 1, "[user] first", ""),
        ("dropped", 2, "[reasoning] hm", "dropped: reasoning, 2 chars"),
        ("kept", 2, "[assistant] a\nb", ""),
        ("dropped", 2, "[tool call] f({})", "dropped: tool call, 5 chars"),
        ("dropped", 3, result, "dropped: tool result, 616 chars"),
        ("dropped", 3, "[image]", "dropped: media (image)"),
        ("dropped", 5, "[user]  ", "dropped: blank"),
        ("dropped", 6, "[assistant] ", "dropped: blank"),
        ("dropped", 4, "[audio]", "dropped: media (audio)"),
        ("kept", 4, "[user (latest)] latest", ""),
        ("kept", 7, "[assistant attempt] done", ""),
    ]
    # The secret of a dropped text is marked, but the judge reads nothing of it.
    assert view.rows[5].spans[1].redacted == "e-mail, 15 chars"
    assert (view.redacted, view.clipped, view.dropped) == (0, 0, 7)


def test_only_assistants_and_tools_are_clipped() -> None:
    """A user's text stays whole; budgets tell the longest of the others and the attempt."""
    request = Request((), tuple(Message(role, (Text("a" * 1201),)) for role in (Role.USER, Role.TOOL, Role.USER)))
    view = judged_view("session", request, "b" * 2300)
    assert [note for _, _, _, note in rows(view)] == [
        "",
        "",
        "clipped: 1 of 1,201 chars",
        "",
        "",
        "",
        "clipped: 100 of 2,300 chars",
        "",
    ]
    assert view.budgets == (Budget("longest turn", 1200, 1200), Budget("attempt", 2200, 2200))
