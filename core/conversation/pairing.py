"""Which result answers which tool call, and what is left over (SPEC 1).

Results are joined to calls by id, in order: where one id stands for several calls, the first open call gets the first
result. Nothing is changed in the conversation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .model import Message, Role, Text, ToolCall, ToolResult


class BlockAt(NamedTuple):
    """A block by its turn (index in `Request.turns`) and its index in that turn, with the call's id as pasted."""

    turn: int
    block: int
    id: str


class Pair(NamedTuple):
    """A call and the result that answers it. `by_order` where the result names no call."""

    call: BlockAt
    result: BlockAt
    by_order: bool = False


@dataclass(frozen=True, slots=True)
class Pairing:
    """The pairs, and what could not be paired."""

    pairs: tuple[Pair, ...]
    #: Results whose id no earlier call has.
    orphans: tuple[BlockAt, ...]
    #: Results for a call that has its result already.
    duplicates: tuple[BlockAt, ...]
    #: Calls without a result, but for those of a last assistant message: these wait for theirs.
    unanswered: tuple[BlockAt, ...]
    #: Calls whose id an earlier call of the conversation has.
    repeated_ids: tuple[BlockAt, ...]


def pair_results(turns: tuple[Message, ...]) -> Pairing:
    """Pair the results of a conversation with its calls, in the order of the blocks."""
    open_by_id: dict[str, list[BlockAt]] = {}
    still_open: dict[BlockAt, None] = {}
    pairs: list[Pair] = []
    orphans: list[BlockAt] = []
    duplicates: list[BlockAt] = []
    repeated: list[BlockAt] = []
    for turn, message in enumerate(turns):
        for index, block in enumerate(message.content):
            if type(block) is Text:
                continue
            if isinstance(block, ToolCall):
                call = BlockAt(turn, index, block.id)
                still_open[call] = None
                if block.id not in open_by_id:
                    open_by_id[block.id] = [call]
                else:
                    open_by_id[block.id].append(call)
                    if block.id:
                        repeated.append(call)
            elif isinstance(block, ToolResult):
                result = BlockAt(turn, index, block.tool_call_id)
                waiting = open_by_id.get(block.tool_call_id)
                by_order = not block.tool_call_id
                if by_order and not waiting and still_open:
                    waiting = open_by_id[next(iter(still_open)).id]
                if waiting:
                    found = waiting.pop(0)
                    del still_open[found]
                    pairs.append(Pair(found, result, by_order))
                elif waiting is None:
                    orphans.append(result)
                else:
                    duplicates.append(result)
    last = len(turns) - 1 if turns and turns[-1].role is Role.ASSISTANT else len(turns)
    unanswered = tuple(call for call in still_open if call.turn < last)
    return Pairing(tuple(pairs), tuple(orphans), tuple(duplicates), unanswered, tuple(repeated))
