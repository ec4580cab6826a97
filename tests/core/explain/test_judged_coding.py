"""The coding view against its source: the conversation reordered, and what it takes of the attempt (SPEC 3; UI 5)."""

from __future__ import annotations

from routing_workbench.core.conversation.model import Message, Reasoning, Request, Role, Text
from routing_workbench.core.explain.judged import Budget, JudgedView
from routing_workbench.core.explain.judging import judged_view


def rows(view: JudgedView) -> list[tuple[str, int | None, str, str]]:
    """Kind, turn, text and note of every row."""
    return [(row.kind.value, row.turn, "".join(span.text for span in row.spans), row.note) for row in view.rows]


def said(*turns: tuple[Role, str]) -> tuple[Message, ...]:
    """Plain messages."""
    return tuple(Message(role, (Text(text),)) for role, text in turns)


def test_turns_of_other_roles_are_dropped_where_they_stood() -> None:
    """Among the earlier requirements, which is the part of the view that keeps the order of the conversation."""
    request = Request(
        said((Role.SYSTEM, "rule"), (Role.DEVELOPER, "more")),
        (
            *said((Role.ASSISTANT, "hello"), (Role.USER, "one"), (Role.TOOL, "out"), (Role.USER, "two")),
            Message(Role.USER, (Text("now"), Reasoning("hm"))),
            *said((Role.ASSISTANT, "ok"), (Role.USER, "\t")),
        ),
    )
    assert rows(judged_view("coding", request, "done"))[:-2] == [
        ("heading", None, "LATEST REQUEST:", ""),
        ("kept", 6, "now", ""),
        ("dropped", 6, "[reasoning] hm", "dropped: reasoning, 2 chars"),
        ("heading", None, "SYSTEM INSTRUCTIONS (in full):", ""),
        ("kept", 0, "rule", ""),
        ("kept", 1, "more", ""),
        ("dropped", 2, "[assistant] hello", "dropped: assistant turn, 5 chars"),
        ("heading", None, "EARLIER REQUIREMENTS (each earlier user turn, in full):", ""),
        ("kept", 3, "[user 1] one", ""),
        ("dropped", 4, "[tool] out", "dropped: tool turn, 3 chars"),
        ("kept", 5, "[user 2] two", ""),
        ("dropped", 7, "[assistant] ok", "dropped: assistant turn, 2 chars"),
        ("dropped", 8, "[user] \t", "dropped: blank"),
    ]


def test_what_no_section_takes_of_the_attempt_is_dropped() -> None:
    """Lines of a section count as read, even where they stand far from the end."""
    final = "z" * 2500
    lines = ("intro", "diff --git a/x b/x", "+1", "$ pytest -q", *[f"test {n}" for n in range(24)], "late", final)
    view = judged_view("coding", Request((), said((Role.USER, "fix"))), "\r\n".join(lines))
    assert rows(view)[2:] == [
        ("heading", None, "FILES MODIFIED:", ""),
        ("kept", 1, "a/x b/x", ""),
        ("heading", None, "FINAL TEST RUN:", ""),
        ("kept", 1, "\n".join(lines[3:28]), ""),
        ("heading", None, "FINAL OUTPUT (end of attempt):", ""),
        ("dropped", 1, "[assistant attempt] intro\r\n", "dropped: earlier in the attempt, 7 chars"),
        ("dropped", 1, "[assistant attempt] +1\r\n", "dropped: earlier in the attempt, 4 chars"),
        ("dropped", 1, "[assistant attempt] late\r\n", "dropped: earlier in the attempt, 6 chars"),
        ("kept", 1, final, ""),
    ]
    assert view.budgets == (
        Budget("files", 7, 500),
        Budget("tests", len("\n".join(lines[3:28])), 1800),
        Budget("traceback", 0, 800),
        Budget("final output", 2500, 2500),
    )


def test_sections_are_clipped_and_the_end_may_cut_through_a_replacement() -> None:
    """A section's marker tells of what is omitted; the end has none."""
    trace = "Traceback (most recent call last)" + "t" * 800
    view = judged_view("coding", Request((), ()), f"{trace}\nme@tide.example{'.' + 'e' * 2496}")
    assert rows(view)[:2] == [("heading", None, "LATEST REQUEST:", ""), ("kept", None, "", "no user turn")]
    assert [note for _, _, _, note in rows(view)[3:6]] == ["", "clipped: 44 of 844 chars", ""]
    assert view.budgets[3] == Budget("final output", 844, 2500)


def test_an_empty_attempt_is_said_to_be_empty() -> None:
    """Its heading stands over nothing."""
    assert rows(judged_view("coding", Request((), said((Role.USER, "q"))), ""))[2:] == [
        ("heading", None, "FINAL OUTPUT (end of attempt):", ""),
        ("kept", 1, "", "empty attempt"),
    ]
