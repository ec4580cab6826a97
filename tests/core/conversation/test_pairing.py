"""Pairing of tool calls and results (SPEC 1)."""

from __future__ import annotations

import json
from typing import Any

from routing_workbench.core.conversation import Diagnostic, Severity, read
from routing_workbench.core.conversation.model import Message, Role, Text, ToolCall, ToolResult
from routing_workbench.core.conversation.pairing import BlockAt, Pairing, pair_results


def calls(*ids: str) -> Message:
    """An assistant message with these calls."""
    return Message(Role.ASSISTANT, tuple(ToolCall(i, "f", {}) for i in ids))


def results(*ids: str) -> Message:
    """A tool message with these results."""
    return Message(Role.TOOL, tuple(ToolResult(i, (Text("r"),)) for i in ids))


def joined(found: Pairing) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The pairs as positions."""
    return [(pair.call[:2], pair.result[:2]) for pair in found.pairs]


def warnings(*messages: Any) -> list[Diagnostic]:
    """The warnings of reading these messages."""
    return [d for d in read(json.dumps(messages)).diagnostics if d.severity is Severity.WARNING]


def test_results_in_any_order_find_their_calls() -> None:
    """Ids join, not positions."""
    assert joined(pair_results((calls("a", "b"), results("b", "a")))) == [((0, 1), (1, 0)), ((0, 0), (1, 1))]


def test_one_id_in_every_round_pairs_in_order() -> None:
    """The first open call gets the first result; the repetition is reported."""
    found = pair_results((calls("x"), results("x"), calls("x"), results("x")))
    assert joined(found) == [((0, 0), (1, 0)), ((2, 0), (3, 0))]
    assert found.repeated_ids == (BlockAt(2, 0, "x"),)
    assert (found.orphans, found.duplicates, found.unanswered) == ((), (), ())


def test_one_id_for_parallel_calls_pairs_in_order() -> None:
    """Nothing is lost where two open calls share an id."""
    assert joined(pair_results((calls("x", "x"), results("x", "x")))) == [((0, 0), (1, 0)), ((0, 1), (1, 1))]


def test_orphans_and_duplicates_differ() -> None:
    """A result no call asked for, and a second one for a call that has its result."""
    found = pair_results((calls("a"), results("z", "a", "a")))
    assert found.orphans == (BlockAt(1, 0, "z"),)
    assert found.duplicates == (BlockAt(1, 2, "a"),)


def test_a_result_before_its_call_is_an_orphan() -> None:
    """Results answer earlier calls only."""
    found = pair_results((results("a"), calls("a"), Message(Role.USER, ())))
    assert found.orphans == (BlockAt(0, 0, "a"),)
    assert found.unanswered == (BlockAt(1, 0, "a"),)


def test_calls_of_the_last_assistant_message_wait() -> None:
    """They are the proposal; calls before it without a result are unanswered."""
    found = pair_results((calls("a"), Message(Role.USER, (Text("go on"),)), calls("b")))
    assert found.unanswered == (BlockAt(0, 0, "a"),)


def test_a_result_without_an_id_takes_the_first_open_call() -> None:
    """And says that it was joined by order."""
    found = pair_results((calls("a", "b"), results("", "b")))
    assert joined(found) == [((0, 0), (1, 0)), ((0, 1), (1, 1))]
    assert [pair.by_order for pair in found.pairs] == [True, False]


def test_calls_and_results_without_ids_pair_in_order() -> None:
    """Formats without ids still give pairs."""
    assert joined(pair_results((calls("", ""), results("", "")))) == [((0, 0), (1, 0)), ((0, 1), (1, 1))]


def test_results_may_ride_in_user_turns() -> None:
    """The role of the message does not matter."""
    user = Message(Role.USER, (Text("note"), ToolResult("a", ())))
    assert joined(pair_results((calls("a"), user))) == [((0, 0), (1, 1))]


def test_what_is_left_over_is_said_at_its_message() -> None:
    """Orphan, unanswered call and missing id have line, path and a next step."""
    call = {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": "{}"}}]}
    found = warnings(call, {"role": "user", "content": "x"}, {"role": "tool", "tool_call_id": "gone", "content": "r"})
    assert [(d.code, d.place.path, d.place.line) for d in found] == [
        ("orphan-result", "[2]", 1),
        ("unanswered-call", "[0]", 1),
    ]
    assert all(d.next_step for d in found)


def test_a_flood_of_one_kind_is_counted() -> None:
    """A thousand orphans are twenty lines and one with the rest."""
    found = warnings(*[{"role": "tool", "tool_call_id": f"c{i}", "content": "r"} for i in range(1000)])
    assert len(found) == 21
    assert "980 more" in found[-1].message
