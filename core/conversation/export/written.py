"""What a writer of a format made: messages as the format has them, and what of the model each stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ..model import Block, Json, Message


@dataclass(frozen=True, slots=True)
class Turn:
    """A message of the model, and which list it stands in."""

    message: Message
    is_instruction: bool
    #: By the identity of each reasoning block that its provider signed: the type of block it was.
    signed: Mapping[int, str] = field(default_factory=dict)
    #: Whether it was pasted in the very format that is written, so that even what an API refuses is written as it was.
    as_pasted: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A message of the model, or a part of one, that a written message stands for."""

    message: Message
    is_instruction: bool
    #: Whether it goes on with the piece before it.
    joins: bool = False


@dataclass(slots=True)
class Native:
    """A message as the format has it. `raw` is None where the format cannot say it at all."""

    raw: dict[str, Json] | None = field(repr=False)
    pieces: list[Piece]
    #: Whether each block stands in its place, so that what was kept beside one can be put beside it again.
    is_whole: bool = True


@dataclass(slots=True)
class Written:
    """A conversation as the format has it; `system` are its top-level instructions, where it has such."""

    messages: list[Native]
    system: Native | None = None


def pieces_of(turn: Turn, segments: Iterable[tuple[Block, ...]]) -> list[Piece]:
    """The pieces of a message that is written in segments."""
    message = turn.message
    return [
        Piece(Message(message.role, blocks, message.source_role), turn.is_instruction, joins=index > 0)
        for index, blocks in enumerate(segments)
    ]


def segmented(content: Iterable[Block], kind_of: Callable[[int, Block], object]) -> list[tuple[Block, ...]]:
    """The blocks in runs of one kind; a block without a kind goes with those around it."""
    segments: list[list[Block]] = []
    current: object = None
    for index, block in enumerate(content):
        kind = kind_of(index, block)
        if segments and (kind is None or current is None or kind == current):
            segments[-1].append(block)
        else:
            segments.append([block])
            current = None
        current = current if kind is None else kind
    return [tuple(segment) for segment in segments] or [()]


def attached(natives: list[Native]) -> list[Native]:
    """The messages that the format can say; what it cannot say at all goes with the one before, or the first one."""
    said: list[Native] = []
    ahead: list[Piece] = []
    for native in natives:
        if native.raw is not None:
            native.pieces[:0] = ahead
            ahead = []
            said.append(native)
        elif said:
            said[-1].pieces += native.pieces
        else:
            ahead += native.pieces
    if ahead or not said:
        # A list of messages has to have one; this one stands for what cannot be said, if for anything.
        said.append(Native({"role": "user", "content": ""}, ahead, is_whole=False))
    return said
