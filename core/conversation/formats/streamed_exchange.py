"""A request and, behind it, the records of the stream that answers it: documents one behind the other, or a list.

Alone, such a list looks like a stream with a stray record in front; its request must not be lost to that.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ..model import Json
from .format import Holds
from .reply import Reply
from .source import Source

#: Fields of what a model is asked, which no record of a stream has at its root.
_ASKS: Final = frozenset({"messages", "contents", "input", "inputs", "prompt"})
#: From this score on a list is a stream for certain, and not several replies.
_STREAM: Final = 0.95


class Streamed(NamedTuple):
    """A stream that starts right behind a request, and the record behind its last one."""

    reply: Reply
    stop: int


def asks(record: Json) -> bool:
    """Whether a record may be a request, by its fields."""
    return isinstance(record, dict) and not _ASKS.isdisjoint(record)


def stream_at(source: Source, start: int) -> Streamed | None:
    """The stream of at least two records that stands in the list from here up to the next request; None if none does.

    Of less than two records nothing has to be put together.
    """
    records = source.value
    if source.registry is None or start + 2 > len(records) or asks(records[start]) or asks(records[start + 1]):
        return None
    stop = next((index for index in range(start + 2, len(records)) if asks(records[index])), len(records))
    part = source.part(start, stop)
    found = source.registry.found(part, Holds.REPLY)
    if not found or found[0].match.score < _STREAM:
        return None
    return Streamed(Reply("body", part.value, (*source.path, start), part, found[0].format), stop)
