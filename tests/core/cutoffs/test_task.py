"""Which messages a decision judge reads (SPEC 6.1)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.core.conversation.model import Block, Message, Request, Role, Text, ToolCall, ToolResult
from routing_workbench.core.conversation.pairing import pair_results
from routing_workbench.core.cutoffs.context import task_indexes, task_messages

ASSISTANT, DEVELOPER, SYSTEM, TOOL, USER = Role.ASSISTANT, Role.DEVELOPER, Role.SYSTEM, Role.TOOL, Role.USER


def said(role: Role, text: str = "words") -> Message:
    """A message of one text."""
    return Message(role, (Text(text),))


def calls(*ids: str) -> Message:
    """An assistant message with these calls."""
    return Message(ASSISTANT, tuple(ToolCall(i, "f", {}) for i in ids))


def results(*ids: str, role: Role = TOOL) -> Message:
    """A message with these results."""
    return Message(role, tuple(ToolResult(i, (Text("r"),)) for i in ids))


def chosen(*messages: Message, window: int | None = None) -> tuple[int, ...]:
    """The places of the task among these messages."""
    return task_indexes(Request((), messages), window)


def test_the_opening_and_the_last_user_message() -> None:
    """What lies between is not read, nor what follows."""
    assert chosen(said(USER), said(ASSISTANT), said(USER), said(ASSISTANT), said(USER), said(ASSISTANT)) == (0, 4)


def test_the_messages_are_given_as_they_are() -> None:
    """Not altered, not copied."""
    request = Request((said(SYSTEM),), (said(ASSISTANT), said(USER, "a"), said(USER, "b")))
    assert task_messages(request, None) == (said(USER, "a"), said(USER, "b"))


def test_a_single_user_message_stands_once() -> None:
    """There is no other."""
    assert chosen(said(ASSISTANT), said(USER), said(ASSISTANT)) == (1,)


def test_without_a_user_message_there_is_no_task() -> None:
    """Nothing else takes its place."""
    assert chosen(said(ASSISTANT), results("x")) == ()
    assert chosen() == ()


def test_results_in_the_users_name_are_no_user_message() -> None:
    """Some formats send them so; the user said nothing in them."""
    assert chosen(said(USER), said(USER, "do it"), calls("x"), results("x", role=USER)) == (0, 1)
    assert chosen(results("x", role=USER), said(USER), calls("y"), results("y", role=USER)) == (1,)


def test_a_user_message_with_words_and_results_brings_its_calls() -> None:
    """No result is cut from its call."""
    mixed = Message(USER, (ToolResult("x", ()), Text("and then?")))
    assert chosen(said(USER), said(ASSISTANT), calls("x"), mixed, said(ASSISTANT)) == (0, 2, 3)


def test_an_empty_user_message_is_one() -> None:
    """It holds no result."""
    assert chosen(said(USER), Message(USER, ())) == (0, 1)


def test_a_window_reads_the_last_messages_after_the_opening() -> None:
    """Of every role but the instructions'."""
    messages = (said(USER), said(ASSISTANT), said(USER), said(ASSISTANT), said(USER))
    assert chosen(*messages, window=1) == (0, 4)
    assert chosen(*messages, window=2) == (0, 3, 4)
    assert chosen(*messages, window=4) == (0, 1, 2, 3, 4)
    assert chosen(*messages, window=50) == (0, 1, 2, 3, 4)


def test_a_window_reads_nothing_before_the_opening_message() -> None:
    """A greeting of the assistant is no part of the task."""
    assert chosen(said(ASSISTANT), said(USER), said(ASSISTANT), window=9) == (1, 2)


def test_a_window_passes_over_instructions_among_the_messages() -> None:
    """They neither count nor are read."""
    messages = (said(SYSTEM), said(USER), said(ASSISTANT), said(DEVELOPER), said(USER), said(SYSTEM))
    assert chosen(*messages, window=2) == (1, 2, 4)
    assert chosen(*messages) == (1, 4)


def test_a_window_without_a_user_message_reads_the_last_messages() -> None:
    """There is no opening to stand before them."""
    assert chosen(said(ASSISTANT), said(ASSISTANT), said(ASSISTANT), window=2) == (1, 2)


def test_a_window_is_widened_to_the_call_of_its_first_result() -> None:
    """And no further."""
    messages = (said(USER), said(ASSISTANT), calls("x"), results("x"), said(ASSISTANT))
    assert chosen(*messages, window=2) == (0, 2, 3, 4)
    assert chosen(*messages, window=1) == (0, 4)


def test_parallel_calls_stay_whole() -> None:
    """All results of one message lie behind their call, in messages of their own."""
    messages = (said(USER), said(ASSISTANT), calls("x", "y", "z"), results("y"), results("x"), results("z"))
    assert chosen(*messages, window=1) == (0, 2, 3, 4, 5)


def test_widening_goes_on_where_it_brings_in_another_result() -> None:
    """Results that come late chain their calls together."""
    messages = (said(USER), calls("a"), said(ASSISTANT), calls("b"), results("a"), said(ASSISTANT), results("b"))
    assert chosen(*messages, window=1) == (0, 1, 2, 3, 4, 5, 6)


def test_a_call_inside_another_calls_time_leaves_that_ones_start() -> None:
    """The outer result is the last, and the inner ones on the way back lie behind its call."""
    messages = (said(USER), calls("a"), calls("b"), results("b"), results("a"))
    assert chosen(*messages, window=1) == (0, 1, 2, 3, 4)


def test_of_several_results_in_one_message_the_earliest_call_counts() -> None:
    """In whatever order they stand."""
    for ids in (("a", "b"), ("b", "a")):
        messages = (said(USER), said(ASSISTANT), calls("a"), said(ASSISTANT), calls("b"), results(*ids))
        assert chosen(*messages, window=1) == (0, 2, 3, 4, 5)


def test_an_id_of_every_round_is_paired_round_by_round() -> None:
    """The window goes back one round, not to the first."""
    messages = (said(USER), calls("x"), results("x"), calls("x"), results("x"))
    assert chosen(*messages, window=1) == (0, 3, 4)


def test_a_second_result_belongs_to_the_last_call_of_its_id() -> None:
    """It is kept with it."""
    messages = (said(USER), calls("x"), results("x"), calls("x"), results("x"), said(ASSISTANT), results("x"))
    assert chosen(*messages, window=1) == (0, 3, 4, 5, 6)


def test_an_orphan_result_has_no_call_to_widen_to() -> None:
    """It is read as it stands."""
    assert chosen(said(USER), said(ASSISTANT), results("gone"), window=1) == (0, 2)


def test_a_result_without_an_id_is_kept_with_the_call_it_answers() -> None:
    """Joined by order."""
    assert chosen(said(USER), calls("x"), said(ASSISTANT), results(""), window=1) == (0, 1, 2, 3)


def test_a_call_before_the_opening_message_is_kept_with_its_result() -> None:
    """The order stays that of the conversation."""
    assert chosen(calls("x"), said(USER), results("x"), window=1) == (0, 1, 2)


IDS = st.sampled_from(["", "a", "b", "c"])
BLOCKS = st.builds(Text, st.just("t")) | st.builds(ToolCall, IDS, st.just("f"), st.none())
BLOCKS = BLOCKS | st.builds(ToolResult, IDS, st.just(()))
MESSAGES = st.lists(st.builds(Message, st.sampled_from(Role), st.lists(BLOCKS, max_size=3).map(tuple)), max_size=14)


@given(MESSAGES.map(tuple), st.none() | st.integers(1, 6))
def test_no_result_is_ever_cut_from_its_call(messages: tuple[Message, ...], window: int | None) -> None:
    """Whatever the ids: each result read has its call read, wherever there is one outside the instructions."""
    places = task_indexes(Request((), messages), window)
    assert list(places) == sorted(set(places))
    free = [at for at, message in enumerate(messages) if message.role not in (SYSTEM, DEVELOPER)]
    assert set(places) <= set(free)
    pairing = pair_results(tuple(messages[at] for at in free))
    for call, result, _ in pairing.pairs:
        assert free[result.turn] not in places or free[call.turn] in places
    for again in pairing.duplicates:
        if free[again.turn] in places:
            earlier = [block for at in places if at <= free[again.turn] for block in messages[at].content]
            assert again.id in {block.id for block in earlier if isinstance(block, ToolCall)}


def asked_for(messages: tuple[Message, ...], window: int) -> list[int]:
    """The opening user message and the last ones after it, by the words of the specification."""
    free = [at for at, message in enumerate(messages) if message.role not in (SYSTEM, DEVELOPER)]
    plain: list[tuple[Block, ...]] = [tuple(b for b in m.content if not isinstance(b, ToolResult)) for m in messages]
    opening = next((at for at in free if messages[at].role is USER and (plain[at] or not messages[at].content)), None)
    if opening is None:
        return free[-window:]
    return [opening, *[at for at in free if at > opening][-window:]]


@given(MESSAGES.map(tuple), st.integers(1, 6))
def test_a_window_is_never_narrowed(messages: tuple[Message, ...], window: int) -> None:
    """Widening adds messages; without tools it adds none."""
    places = task_indexes(Request((), messages), window)
    assert set(asked_for(messages, window)) <= set(places)
    if not any(isinstance(block, ToolResult) for message in messages for block in message.content):
        assert list(places) == asked_for(messages, window)
