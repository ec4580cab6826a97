"""The judged views: golden vectors, clipping and what stays on the messages (SPEC 3)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.conversation.model import Message, Request, Role, Text, ToolCall, ToolResult
from routing_workbench.core.conversation.normalized import request_from_json
from routing_workbench.core.vgr.text import clip_mid
from routing_workbench.core.vgr.views import (
    TRAJECTORY_BUDGET,
    agentic_view,
    clipped_trajectory,
    coding_view,
    session_view,
)

_VECTORS = Path(__file__).resolve().parents[2] / "vectors"
_VIEWS: dict[str, Callable[[Request, str], str]] = {
    "render_session": session_view,
    "render_agentic_view": agentic_view,
    "render_coding_view": coding_view,
}


def _vectors() -> list[Any]:
    made = []
    for name, view in _VIEWS.items():
        for line in (_VECTORS / f"{name}.jsonl").read_text(encoding="utf-8").split("\n"):
            if line:
                row = json.loads(line)
                made.append(pytest.param(view, row["input"], row["expected"]["text"], id=row["id"]))
    return made


@pytest.mark.parametrize(("view", "given", "expected"), _vectors())
def test_view_vector(view: Callable[[Request, str], str], given: dict[str, Any], expected: str) -> None:
    """Every golden vector of the three views."""
    assert view(request_from_json(given["request"]), given["attempt"]) == expected


@given(st.lists(st.integers(0, 1500).map(lambda size: "e" * size + "!"), min_size=1, max_size=40))
def test_a_measured_trajectory_is_the_clipped_whole(events: list[str]) -> None:
    """What is clipped away is measured, not built; the text is the same."""
    assert clipped_trajectory(events) == clip_mid("\n".join(events), TRAJECTORY_BUDGET, 1 / 3)


@pytest.mark.parametrize("size", [3998, 3999, 4000, 4001, 7998, 7999, 8000, 8001])
def test_a_cut_beside_a_newline_keeps_what_clipping_keeps(size: int) -> None:
    """The newline between two events may be the last character kept of the start, or the first of the end."""
    for events in (["a" * size, "b" * 9000], ["a" * 9000, "b" * size], ["a" * size, "", "b" * 8000]):
        assert clipped_trajectory(events) == clip_mid("\n".join(events), TRAJECTORY_BUDGET, 1 / 3)


_BLOCKS = st.one_of(
    st.builds(Text, st.sampled_from(["", " ", "hello", "mail a@b.io", "sk-abcdefghijklmnop0", "x" * 1300])),
    st.builds(ToolCall, st.just("c"), st.sampled_from(["run", "read"]), st.just({"q": "a@b.io"})),
    st.builds(ToolResult, st.just("c"), st.tuples(st.builds(Text, st.sampled_from(["ok", "y" * 1500])))),
)
_MESSAGES = st.builds(Message, st.sampled_from(list(Role)), st.lists(_BLOCKS, max_size=3).map(tuple))


@pytest.mark.parametrize("view", list(_VIEWS.values()), ids=list(_VIEWS))
@given(messages=st.lists(_MESSAGES, max_size=8), edited=_MESSAGES, at=st.integers(0, 7))
def test_an_edited_conversation_reads_as_if_it_were_new(
    view: Callable[[Request, str], str], messages: list[Message], edited: Message, at: int
) -> None:
    """What was kept on the messages of the first reading never shows in the second."""
    session_view(Request((), tuple(messages)), "first")
    agentic_view(Request((), tuple(messages)), "first")
    coding_view(Request((), tuple(messages)), "first")
    changed = [*messages[:at], edited, *messages[at + 1 :]]
    new = [Message(message.role, message.content) for message in changed]
    assert view(Request((), tuple(changed)), "second") == view(Request((), tuple(new)), "second")


@pytest.mark.parametrize("view", list(_VIEWS.values()), ids=list(_VIEWS))
def test_no_secret_reaches_a_view(view: Callable[[Request, str], str]) -> None:
    """Redaction comes before any budget, in every turn, call, result and attempt."""
    secret = "Bearer abcdefghijklmnop0123"
    request = Request(
        (Message(Role.SYSTEM, (Text(secret),)),),
        (
            Message(Role.USER, (Text(secret),)),
            Message(Role.ASSISTANT, (Text(secret), ToolCall("c", "run", {"header": secret}))),
            Message(Role.TOOL, (ToolResult("c", (Text("z" * 690 + secret + "z" * 700),)),)),
            Message(Role.USER, (Text(secret),)),
        ),
    )
    assert "abcdefghijklmnop" not in view(request, secret + "\npytest\n" + secret)


def test_earlier_requirements_are_numbered_without_end() -> None:
    """Also beyond the prefixes that are kept ready."""
    request = Request((), tuple(Message(Role.USER, (Text(f"wish {number}"),)) for number in range(1, 301)))
    view = coding_view(request, "done")
    lines = [line for line in view.split("\n") if line.startswith("[user ")]
    assert lines == [f"[user {number}] wish {number}" for number in range(1, 300)]
