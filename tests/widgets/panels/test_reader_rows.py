"""The rows of a conversation: what each is, what is known of it, and that only what changed gets a new number."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from routing_workbench.core.conversation.model import Message, Request, Role, Text, ToolCall, ToolResult
from routing_workbench.core.conversation.read import read
from routing_workbench.core.explain.results import ResultMark
from routing_workbench.widgets.panels.reader_rows import (
    Flag,
    Kind,
    Known,
    Partner,
    attempt_note,
    calls,
    failed_results,
    rows_of,
    said,
    splice,
)
from routing_workbench.widgets.screen import Edits


def rows(screen, before=(), ids=None):
    """The rows of a screen."""
    found = said(screen)
    return rows_of(found, screen, before, ids or count(1), Known())


def conversation(screens, *messages: Message, **more):
    """The idle screen with these messages and no attempt."""
    screen = screens.idle()
    request = Request((), messages)
    found = replace(screen.reading, conversations=(replace(screen.reading.conversations[0], request=request),))
    derived = replace(screen.derived, request=request, results=more.pop("results", ()), attempt=None)
    return replace(screen, reading=replace(found, diagnostics=()), derived=derived, **more)


CALL = Message(Role.ASSISTANT, (ToolCall("c", "Read", {"path": "a.py"}),))
RESULT = Message(Role.TOOL, (ToolResult("c", (Text("1 line"),)),))


def test_every_message_is_a_row(screens):
    """Instructions, messages and the attempt, in the order of the turns."""
    made = rows(screens.idle())
    assert [row.about.role for row in made[:4]] == ["system", "user", "assistant", "result"]
    assert len(made) == 35
    assert made[0].about.flags == Flag.INSTRUCTION
    assert (made[1].about.kind, made[1].about.flags) == (Kind.USER, Flag.TASK | Flag.PROBLEM)
    assert (made[34].about.role, made[34].about.flags) == ("attempt", Flag.ATTEMPT)


def test_a_row_of_results_keeps_its_role_as_pasted(screens):
    """It reads as a result; Anthropic has them in messages of the user."""
    made = rows(conversation(screens, CALL, replace_role(RESULT, Role.USER)))
    assert (made[1].about.kind, made[1].about.role, made[1].about.source_role) == (Kind.RESULT, "result", "user")


def replace_role(message: Message, role: Role) -> Message:
    """The message said by another."""
    return Message(role, message.content)


def test_a_failed_result_carries_its_rule(screens):
    """Of all results it is told which failed, and by which rule."""
    made = rows(screens.idle())
    assert made[5].about.rules == {0: "error table: assertionerror"}
    assert made[3].about.rules == {0: ""}
    assert made[5].about.flags & Flag.FAILED
    assert (failed_results(made), calls(made)) == (8, 16)


def test_marks_of_another_conversation_are_not_taken(screens):
    """What was derived is of the conversation before until the new one is derived."""
    screen = conversation(screens, CALL, RESULT, results=(ResultMark(1, 0, True, "is_error"),))
    other = Request((), (CALL, Message(Role.TOOL, RESULT.content)))
    found = replace(screen.reading, conversations=(replace(screen.reading.conversations[0], request=other),))
    assert failed_results(rows(screen)) == 1
    assert failed_results(rows(replace(screen, reading=found))) == 0


def test_calls_and_results_are_partners(screens):
    """By rows and block, so that an insertion elsewhere changes neither."""
    made = rows(conversation(screens, CALL, Message(Role.USER, (Text("go on"),)), RESULT))
    assert made[0].about.partners == {0: Partner(2, 0)}
    assert made[2].about.partners == {0: Partner(-2, 0)}


@pytest.mark.parametrize(
    ("messages", "says"),
    [
        ((CALL, Message(Role.USER, (Text("go on"),))), [["no result in this conversation"], []]),
        ((RESULT,), [["no call in this conversation"]]),
        ((CALL, RESULT, RESULT), [[""], [""], ["its call has a result already"]]),
        ((CALL,), [[]]),
        (
            (CALL, Message(Role.TOOL, (ToolResult("", (Text("1 line"),)),))),
            [["joined by order: the result names no call"]] * 2,
        ),
    ],
)
def test_what_has_no_partner_says_so(screens, messages, says):
    """But for the calls of the last message, which wait for their results."""
    made = rows(conversation(screens, *messages))
    assert [[one.says for one in row.about.partners.values()] for row in made] == says


def test_what_a_harness_wrote_is_known(screens):
    """By block and range, with its name; and the task is the first turn where the user asks."""
    reminder = "<system-reminder>\nUse UTC.\n</system-reminder>"
    screen = conversation(
        screens, Message(Role.USER, (Text(reminder),)), Message(Role.USER, (Text(f"{reminder}\nFix it."),))
    )
    made = rows(screen)
    (one,) = made[1].about.spans[0]
    assert (one.start, one.end, one.words) == (0, len(reminder), "reminder")
    assert [bool(row.about.flags & Flag.TASK) for row in made] == [False, True]


def test_remarks_stand_at_their_message(screens):
    """With their index; a warning counts as a problem, a note does not."""
    made = rows(screens.idle())
    (note,), (warning,) = made[0].about.problems, made[1].about.problems
    assert (note.index, warning.index) == (0, 1)
    assert warning.text == "A system reminder in a user message is read as user text. Check what the judge reads."
    assert not made[0].about.flags & Flag.PROBLEM
    assert made[1].about.flags & Flag.PROBLEM


def test_edited_turns_are_marked(screens):
    """By the session, over the paste."""
    made = rows(replace(screens.idle(), edits=Edits(1, 0, turns=(1,))))
    assert [at for at, row in enumerate(made) if row.about.flags & Flag.EDITED] == [1]


def test_a_produced_attempt_is_a_row_of_its_own(screens):
    """Behind the messages, with its origin; it is not edited."""
    screen = conversation(screens, Message(Role.USER, (Text("Why?"),)))
    screen = replace(
        screen, derived=replace(screen.derived, attempt=screens.ATTEMPT, attempt_origin=screens.MOCK, results=())
    )
    made = rows(screen)
    assert [row.about.role for row in made] == ["user", "attempt"]
    assert attempt_note(made[1]) == "produced by the local tier, 59 chars"
    assert (made[0].editable, made[1].editable) == (True, False)


def test_a_pasted_attempt_is_the_last_message(screens):
    """It is edited like any other."""
    text = '{"messages": [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "So."}]}'
    whole = read(text)
    request = whole.conversations[0].request
    derived = replace(
        screens.idle().derived,
        request=Request((), request.messages[:1]),
        attempt=screens.ATTEMPT,
        attempt_origin=None,
        results=(),
    )
    made = rows(replace(screens.idle(), reading=whole, derived=derived))
    assert (made[1].about.role, made[1].content, made[1].editable) == ("attempt", request.messages[1].content, True)
    assert attempt_note(made[1]) == "pasted, 3 chars"


def test_alternatives_stand_behind_the_rest(screens):
    """Kept, shown, and not edited."""
    screen = conversation(screens, Message(Role.USER, (Text("Why?"),)))
    found = replace(screen.reading.conversations[0], alternatives=(Message(Role.ASSISTANT, (Text("Because."),)),))
    screen = replace(screen, reading=replace(screen.reading, conversations=(found,)))
    made = rows(screen)
    assert [row.about.role for row in made] == ["user", "alternative"]
    assert not made[1].editable


def test_nothing_is_listed_of_nothing(screens):
    """Before a conversation is there."""
    assert said(screens.empty()) is None
    assert said(screens.several()) is None


def test_the_earlier_conversation_stands_while_none_is_chosen(screens):
    """As every panel shows it."""
    screen = replace(screens.idle(), reading=screens.unreadable().reading, chosen=None)
    assert len(rows(screen)) == 35


def edit(screen, turn: int, message: Message):
    """The screen with another message at this turn."""
    request = screen.reading.conversations[0].request
    messages = (*request.messages[: turn - 1], message, *request.messages[turn:])
    found = replace(screen.reading.conversations[0], request=Request(request.instructions, messages))
    derived = replace(screen.derived, request=Request(request.instructions, messages[:-1]))
    return replace(screen, reading=replace(screen.reading, conversations=(found,)), derived=derived)


def test_an_edit_gives_one_row_a_new_number(screens):
    """All others are the very rows they were."""
    screen, ids = screens.idle(), count(1)
    before = rows(screen, (), ids)
    after = rows(edit(screen, 4, Message(Role.ASSISTANT, (Text("Another step."),))), before, ids)
    assert splice(before, after) == (4, 2, 2)
    assert after[4].id == 36
    # The call that stood there is gone, and its result says so.
    assert after[5].about.partners[0].says == "no call in this conversation"


def test_a_removed_message_moves_the_rest(screens):
    """Their numbers stay."""
    screen = conversation(screens, *[Message(Role.USER, (Text(f"message {at}"),)) for at in range(9)])
    ids = count(1)
    before = rows(screen, (), ids)
    kept = screen.reading.conversations[0].request.messages
    shorter = Request((), (*kept[:3], *kept[4:]))
    found = replace(screen.reading.conversations[0], request=shorter)
    derived = replace(screen.derived, request=shorter)
    screen = replace(screen, reading=replace(screen.reading, conversations=(found,)), derived=derived)
    after = rows(screen, before, ids)
    assert [row.id for row in after] == [1, 2, 3, 5, 6, 7, 8, 9]
    assert splice(before, after) == (3, 1, 0)


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("abc", "abc", (3, 0, 0)),
        ("abc", "abxc", (2, 0, 1)),
        ("abc", "ac", (1, 1, 0)),
        ("", "abc", (0, 0, 3)),
        ("abc", "", (0, 3, 0)),
        ("aa", "a", (1, 1, 0)),
        ("abcd", "axyd", (1, 2, 2)),
    ],
)
def test_a_splice_is_what_differs(before, after, found):
    """The same at both ends is left alone."""
    assert splice(list(before), list(after)) == found
