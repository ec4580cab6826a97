"""Which messages of a conversation make up the task that a decision judge reads (SPEC 6.1)."""

from __future__ import annotations

from ..conversation.model import Message, Request, Role, ToolCall, ToolResult
from ..conversation.pairing import pair_results

_INSTRUCTIONS = frozenset({Role.SYSTEM, Role.DEVELOPER})


def task_messages(request: Request, window: int | None) -> tuple[Message, ...]:
    """The messages of the task, in order; empty where no user has said anything and no window is set."""
    return tuple(request.messages[at] for at in task_indexes(request, window))


def task_indexes(request: Request, window: int | None) -> tuple[int, ...]:
    """Where they stand in `Request.messages`.

    Without a window: the opening user message, and the last one if that is another. With a window of N messages: the
    opening user message and the last N after it. Instructions among the messages are passed over. Both parts are
    widened backwards until no tool result in them is cut from its call.
    """
    places = [at for at, message in enumerate(request.messages) if message.role not in _INSTRUCTIONS]
    messages = tuple(request.messages[at] for at in places)
    said = [at for at, message in enumerate(messages) if is_of_the_user(message)]
    opening = said[:1]
    parts = [(at, at + 1) for at in opening]
    if window is None:
        parts += [(at, at + 1) for at in said[-1:]]
    else:
        after = opening[0] + 1 if opening else 0
        parts.append((max(after, len(messages) - window), len(messages)))
    calls = _earliest_calls(messages)
    chosen = {at for start, end in parts for at in range(_widened(start, end, calls), end)}
    return tuple(places[at] for at in sorted(chosen))


def is_of_the_user(message: Message) -> bool:
    """Whether the user says something in it: some formats send tool results in the user's name."""
    if message.role is not Role.USER:
        return False
    return not message.content or not all(isinstance(block, ToolResult) for block in message.content)


def _earliest_calls(messages: tuple[Message, ...]) -> dict[int, int]:
    """For each message with results, the earliest message that holds a call of one of them.

    A second result for one call belongs to the last call of that id before it.
    """
    pairing = pair_results(messages)
    pairs = [(result.turn, call.turn) for call, result, _ in pairing.pairs]
    if pairing.duplicates:
        again = {place[:2] for place in pairing.duplicates}
        last: dict[str, int] = {}
        for turn, message in enumerate(messages):
            for index, block in enumerate(message.content):
                if isinstance(block, ToolCall):
                    last[block.id] = turn
                elif isinstance(block, ToolResult) and (turn, index) in again:
                    pairs.append((turn, last[block.tool_call_id]))
    earliest: dict[int, int] = {}
    for turn, call in pairs:
        earliest[turn] = min(call, earliest.get(turn, turn))
    return earliest


def _widened(start: int, end: int, calls: dict[int, int]) -> int:
    """Where a stretch of messages must start so that no result in it is cut from its call."""
    at = end
    while at > start:
        at -= 1
        start = min(start, calls.get(at, at))
    return start
