"""Judged views against their source: the rows give the renderers' text, and nothing goes missing (SPEC 3, 7)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from routing_workbench.core.conversation.model import (
    Block,
    Media,
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
    Unknown,
)
from routing_workbench.core.conversation.normalized import request_from_json, response_from_json
from routing_workbench.core.explain.judged import JudgedView, Row, RowKind, Span, text_of_rows
from routing_workbench.core.explain.judging import judged_turn, judged_view
from routing_workbench.core.vgr.facts import events_of
from routing_workbench.core.vgr.policy import TurnVerification
from routing_workbench.core.vgr.text import clip_mid
from routing_workbench.core.vgr.turn_view import turn_view
from routing_workbench.core.vgr.views import agentic_view, coding_view, messages_after_task, session_view

TESTS = Path(__file__).resolve().parents[2]
FILES = {"session": "render_session", "agentic": "render_agentic_view", "coding": "render_coding_view"}
RENDERERS = {"session": session_view, "agentic": agentic_view, "coding": coding_view}
SECRETS = ("sk-ABCDEFGHIJKLMNOP1234", "AKIAABCDEFGHIJKLMNOP", "bearer \nabcdefghijklmnop.99", "mara.voss@tide.example")
TASK = Message(Role.USER, (Text("task"),))


def vectors(name: str) -> list[Any]:
    """The lines of a vector file as parameters."""
    lines = (TESTS / "vectors" / f"{name}.jsonl").read_text("utf-8").split("\n")
    return [pytest.param(v["input"], v["expected"], id=v["id"]) for v in map(json.loads, filter(None, lines))]


def read_text(view: JudgedView) -> str:
    """The view's text, after a check that it is the rows' text."""
    assert text_of_rows(view.rows) == view.text
    return view.text


def all_spans(view: JudgedView) -> Iterator[Span]:
    """Every span that any row holds."""
    for row in view.rows:
        yield from row.spans
        yield from row.omitted


@pytest.mark.parametrize(
    ("name", "given_input", "expected"),
    [pytest.param(name, *vector.values, id=str(vector.id)) for name, file in FILES.items() for vector in vectors(file)],
)
def test_rows_give_the_text_of_a_render_vector(name: str, given_input: Any, expected: Any) -> None:
    """Session, agentic and coding view."""
    view = judged_view(name, request_from_json(given_input["request"]), given_input["attempt"])
    assert read_text(view) == expected["text"]


@pytest.mark.parametrize(("given_input", "expected"), vectors("turn_view"))
def test_rows_give_the_text_of_a_turn_vector(given_input: Any, expected: Any) -> None:
    """The view of the trajectory question."""
    view = judged_turn(request_from_json(given_input["request"]), response_from_json(given_input["proposed"]))
    assert read_text(view) == expected["text"]


@pytest.mark.parametrize(
    ("given_input", "transcript"),
    [
        pytest.param(vector.values[0], transcript, id=str(vector.id))
        for vector in vectors("derive_capabilities")
        if (transcript := vector.values[1]["capabilities"]["transcript"]) is not None
    ],
)
def test_rows_give_a_derived_transcript(given_input: Any, transcript: str) -> None:
    """One of the three views is the transcript that was derived."""
    request = request_from_json(given_input["request"])
    assert transcript in [read_text(judged_view(name, request, given_input["attempt"])) for name in FILES]


PIECES = ("", " ", "\n", "\x1c", "\u3000", "word", "é€😀", "[REDACTED]", "@", "x" * 90, "\r\n", *SECRETS)
STARTS = ("diff --git a/b b/b", "$ pytest -q", "pytest", "npm run", "Traceback (most recent call last)")
WORDS = st.sampled_from((*PIECES, *STARTS, *(f"\n{start}" for start in STARTS)))
TEXTS = st.lists(WORDS, max_size=6).map("".join)
LONG = st.builds(lambda lead, body, times: lead + body * times, TEXTS, TEXTS, st.sampled_from((1, 1, 1, 30, 200)))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | LONG,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
LEAVES = st.one_of(
    st.builds(Text, LONG),
    st.builds(Text, LONG),
    st.builds(Refusal, LONG),
    st.builds(Reasoning, LONG),
    st.builds(ToolCall, st.just("id"), TEXTS, JSON),
    st.builds(Media, st.sampled_from(("image", "audio", "video", "file")), JSON),
    st.builds(Unknown, st.just("p"), JSON),
)
BLOCKS = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        ToolResult, st.just("id"), st.lists(inner, max_size=3).map(tuple), st.sampled_from((None, True, False))
    ),
    max_leaves=5,
)
CONTENT = st.lists(BLOCKS, max_size=4).map(tuple)
MESSAGES = st.builds(Message, st.sampled_from(list(Role)), CONTENT)
# A trajectory that is long enough to be clipped.
RUNS = st.builds(
    lambda start, run, times: [*start, *run * times], *[st.lists(MESSAGES, max_size=4)] * 2, st.integers(1, 9)
)
REQUESTS = st.builds(
    lambda rules, lead, run: Request(tuple(rules), (*lead, *run)),
    st.lists(MESSAGES, max_size=2),
    st.sampled_from(((), (TASK,))),
    RUNS,
)
RESPONSES = st.builds(
    lambda outputs: Response(tuple(outputs)),
    st.lists(st.builds(Output, st.sampled_from(list(Role)), CONTENT), max_size=3),
)


@pytest.mark.parametrize("name", FILES)
@settings(deadline=None)  # how long one example takes says nothing on a shared machine
@given(request_=REQUESTS, attempt=LONG)
def test_rows_give_the_text_of_any_request(name: str, request_: Request, attempt: str) -> None:
    """Secrets, long, blank, nested and multi-byte texts."""
    assert read_text(judged_view(name, request_, attempt)) == RENDERERS[name](request_, attempt)


@settings(deadline=None)
@given(
    REQUESTS,
    RESPONSES,
    st.builds(
        TurnVerification,
        recent_turn_window=st.integers(0, 30),
        message_chars=st.integers(0, 500),
        system_chars=st.integers(0, 1000),
        total_chars=st.integers(0, 18_000),
    ),
)
@example(Request((), ()), Response(()), TurnVerification())
def test_rows_give_the_text_of_any_proposed_turn(
    given_request: Request, proposed: Response, limits: TurnVerification
) -> None:
    """Under the policy's limits, whatever they are."""
    assert read_text(judged_turn(given_request, proposed, limits)) == turn_view(given_request, proposed, limits)


def said(*sizes: int) -> Request:
    """A task, then an assistant's events of so many characters."""
    return Request((), (TASK, *(Message(Role.ASSISTANT, (Text("a" * size),)) for size in sizes)))


# Events of 9 characters take 22 with prefix and line break, so that either end of the clip meets every place of one.
# An event of 1500 is clipped: its marker takes places 713 to 738 of 1439, and here either end of the clip meets those.
CUTS = [
    pytest.param(said(lead, *[9] * 900, end), id=f"short-{lead}-{end}") for lead in range(23) for end in (3, 3 + lead)
]
CUTS += [pytest.param(said(397 - at, *[1500] * 12, 66 + at), id=f"marker-{at}") for at in range(-3, 30)]


@pytest.mark.parametrize("request_", CUTS)
def test_a_trajectory_is_cut_exactly_wherever_the_clip_falls(request_: Request) -> None:
    """The clip may cut an event, its prefix, the marker of its own clip, or the line break between two events."""
    view = judged_view("agentic", request_, "done")
    whole = "\n".join(events_of(messages_after_task(request_)))
    assert read_text(view).split("\n\n", 1)[1] == (
        f"TOOL TRAJECTORY:\n{clip_mid(whole, 12_000, 1 / 3)}\n\nCURRENT ATTEMPT:\ndone"
    )
    cut = [row for row in view.rows if row.kind is RowKind.DROPPED]
    omitted, length = numbers(next(row for row in view.rows if row.kind is RowKind.CLIPPED and row.turn is None))
    assert view.budgets[0].used == length - omitted == 12_000
    # What is omitted is what is dropped and the line breaks between; one more may be omitted at either end.
    breaks = omitted - sum(numbers(row)[0] for row in cut)
    assert len(cut) - 1 <= breaks <= len(cut) + 1
    assert {row.note.rpartition(", ")[0] for row in cut} == {"dropped: clipped from the trajectory"}


def numbers(row: Row) -> list[int]:
    """The numbers in a row's note."""
    return [int(text.replace(",", "")) for text in re.findall(r"\d[\d,]*", row.note)]


TOKEN = re.compile(r"<\d+>")


class Tokens:
    """Gives blocks a text of their own each, so that it can be found again."""

    def __init__(self) -> None:
        """None given yet."""
        self._numbers = count()

    def token(self) -> str:
        """The next text."""
        return f"<{next(self._numbers)}>"

    def blocks(self, content: tuple[Block, ...]) -> tuple[Block, ...]:
        """The blocks with other texts; what has none becomes unknown content."""
        return tuple(map(self._block, content))

    def _block(self, block: Block) -> Block:
        if isinstance(block, (Text, Refusal, Reasoning)):
            return type(block)(self.token())
        if isinstance(block, ToolCall):
            return ToolCall("id", self.token(), None)
        if isinstance(block, ToolResult):
            return ToolResult("id", self.blocks(block.content), block.is_error)
        return Unknown("p", self.token())

    def message(self, message: Message) -> Message:
        """The message with such blocks."""
        return Message(message.role, self.blocks(message.content))

    def each_once(self, view: JudgedView) -> bool:
        """Whether the rows hold every text given, once."""
        found = [token for span in all_spans(view) for token in TOKEN.findall(span.text)]
        return sorted(found) == sorted(f"<{number}>" for number in range(next(self._numbers)))


@pytest.mark.parametrize("name", FILES)
@settings(deadline=None)
@given(st.lists(MESSAGES, max_size=2), st.lists(MESSAGES, max_size=6))
def test_every_text_stands_in_one_row(name: str, rules: list[Message], messages: list[Message]) -> None:
    """Read or dropped: nothing is missing and nothing is told twice."""
    tokens = Tokens()
    request = Request(tuple(map(tokens.message, rules)), tuple(map(tokens.message, messages)))
    assert tokens.each_once(judged_view(name, request, tokens.token()))


@settings(deadline=None)
@given(st.lists(MESSAGES, max_size=6), RESPONSES, st.integers(0, 4), st.integers(0, 300))
def test_every_text_of_a_proposed_turn_stands_in_one_row(
    messages: list[Message], proposed: Response, window: int, total: int
) -> None:
    """Whatever falls out of the window or is over the total is told."""
    tokens = Tokens()
    request = Request((), tuple(map(tokens.message, messages)))
    response = Response(tuple(Output(output.role, tokens.blocks(output.content)) for output in proposed.outputs))
    limits = TurnVerification(recent_turn_window=window, total_chars=total)
    assert tokens.each_once(judged_turn(request, response, limits))


@pytest.mark.parametrize("name", FILES)
@settings(deadline=None)
@given(request_=REQUESTS, attempt=LONG)
def test_no_row_holds_a_secret_that_was_redacted(name: str, request_: Request, attempt: str) -> None:
    """What is marked is the replacement or the rest of it that a clip left; the note tells kind and length alone."""
    for span in all_spans(judged_view(name, request_, attempt)):
        if span.redacted:
            assert span.text in "[REDACTED]"
            assert re.fullmatch(r"(API key|access key|bearer|e-mail), \d[\d,]* chars", span.redacted)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("pad", [0, 480, 495, 590, 595, 690, 695, 1190, 3000])
def test_a_secret_is_in_no_row_wherever_it_stands(secret: str, pad: int) -> None:
    """Kept, cut through by a clip, omitted by it, or dropped and shortened."""
    text = f"{'a ' * (pad // 2)} {secret} {'b ' * 800}"
    content = (Text(text), Reasoning(text), ToolResult("i", (Text(text), Reasoning(text))), ToolCall("i", text, {}))
    request = Request((), (TASK, *(Message(role, content) for role in Role)))
    views = [judged_view(name, request, text) for name in FILES]
    # User turns are whole, so their secret is always told.
    assert all(view.redacted for view in views)
    views.append(judged_turn(request, Response((Output(Role.ASSISTANT, content), Output(Role.TOOL, content)))))
    for known in secret.split("\n")[-1][3:-2], "a a a":
        assert all(known not in repr(view) for view in views)
    assert [span for view in views for span in all_spans(view) if secret.split("\n")[-1][3:-2] in span.text] == []


def test_counters_and_reply_beside_its_text() -> None:
    """Reasoning of the reply is dropped before the attempt; another role's output is no part of the attempt."""
    reply = Response((Output(Role.ASSISTANT, (Reasoning("hm"), Text("done"))), Output(Role.TOOL, (Text("x"),))))
    request = Request((Message(Role.SYSTEM, (Text("me@tide.example"),)),), (TASK,))
    for name, place in (("session", -3), ("agentic", -3), ("coding", -3)):
        view = judged_view(name, request, "done", reply)
        assert [row.note for row in view.rows[place:]] == [
            "dropped: reasoning, 2 chars",
            "dropped: not of the assistant, 1 char",
            "",
        ]
        assert view.text == RENDERERS[name](request, "done") == text_of_rows(view.rows)
        assert (view.redacted, view.clipped, view.dropped) == ((0, 0, 3) if name == "agentic" else (1, 0, 2))


def test_a_name_that_is_no_view_is_refused() -> None:
    """The turn view has a function of its own."""
    with pytest.raises(KeyError):
        judged_view("turn", Request((), ()), "")
