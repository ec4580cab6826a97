"""Which lines of a large file belong to one conversation: found on its first lines, by how they are read together.

Reading decides: where the first lines together give about as many conversations as they are, each is one. Where they
give fewer, they belong together by a field that names the session, or all do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...core.conversation.formats import REGISTRY
from ...core.conversation.formats.format import Holds
from ...core.conversation.json_text import TooDeep, decode
from ...core.conversation.model import Json
from ...core.conversation.read import read
from ...core.conversation.reading import Reading
from .lines import Line

#: So many lines, or so many bytes, are looked at.
SAMPLE_LINES: Final = 60
SAMPLE_BYTES: Final = 2_000_000

#: Where a record names its session: a path of keys, the commoner ones first.
_SESSIONS: Final[tuple[tuple[str, ...], ...]] = (
    ("sessionId",),
    ("session_id",),
    ("payload", "session_id"),
    ("conversation_id",),
    ("conversationId",),
    ("chat_id",),
    ("thread_id",),
    ("trace_id",),
    ("traceId",),
    ("context", "trace_id"),
)
#: The first record of a session of this kind alone names it, under a name that others use for something else.
_OPENS: Final[tuple[str, tuple[str, ...]]] = ("session_meta", ("payload", "id"))


@dataclass(frozen=True, slots=True)
class Grouping:
    """How lines belong together."""

    #: Where a record names its session; empty where each line is a conversation of its own.
    session: tuple[str, ...] = ()
    #: Whether a line may be the reply to the one before it, and belongs to it then.
    replies: bool = False
    #: All lines are one conversation.
    one: bool = False

    def key(self, record: Json) -> str | None:
        """The session that a record names; None where it names none and belongs to the one before it."""
        if self.session == _OPENS[1] and (not isinstance(record, dict) or record.get("type") != _OPENS[0]):
            return None
        return _at(record, self.session)


def record_of(line: bytes) -> Json | None:
    """The JSON object or list of a line; None where it holds none that reading takes."""
    try:
        text = line.decode("utf-8").strip(" \t\r\n\ufeff")
        value, end, _ = decode(text)
    except (ValueError, TooDeep):
        return None
    return value if end == len(text) and isinstance(value, (dict, list)) else None


def is_lines_of_json(sample: Sequence[Line]) -> bool:
    """Whether a file that begins so is JSON lines: most of at least two lines are a whole object or list."""
    whole = sum(_looks_whole(line) for line in sample)
    return len(sample) > 1 and 2 * whole > len(sample)


def is_reply(line: bytes) -> bool:
    """Whether a line alone is read as one reply of a model."""
    found = _read([line])
    named = None if found is None or found.format is None else REGISTRY.named(found.format.name)
    return named is not None and named.holds is Holds.REPLY


def grouping(sample: Sequence[Line]) -> Grouping:
    """How the lines of a file that begins so belong together."""
    bodies = [line.head for line in sample if line.whole]
    records = [record for record in map(record_of, bodies) if record is not None]
    reading = _read(bodies)
    found = 0 if reading is None else len(reading.conversations)
    if not records or found >= len(records):
        return Grouping()
    named = {path: {key for record in records if (key := _at(record, path)) is not None} for path in _SESSIONS}
    if any(isinstance(record, dict) and record.get("type") == _OPENS[0] for record in records):
        named = {_OPENS[1]: {"opened"}}
    exact = next((path for path, keys in named.items() if keys and len(keys) == found), None)
    if exact is not None:
        return Grouping(exact)
    if 5 * found >= 2 * len(records):
        return Grouping(replies=5 * found <= 3 * len(records))
    several = [path for path, keys in named.items() if 0 < len(keys) < len(records)]
    if several:
        return Grouping(min(several, key=lambda path: abs(len(named[path]) - found)))
    return Grouping(one=found > 0)


def _read(bodies: Sequence[bytes]) -> Reading | None:
    try:
        return read(b"\n".join(bodies).decode("utf-8"))
    except UnicodeDecodeError:
        return None


def _looks_whole(line: Line) -> bool:
    if line.whole:
        return record_of(line.head) is not None
    return line.head.lstrip(b"\xef\xbb\xbf \t")[:1] in (b"{", b"[") and line.tail.rstrip()[-1:] in (b"}", b"]")


def _at(record: Json, path: tuple[str, ...]) -> str | None:
    at = record
    for key in path:
        at = at.get(key) if isinstance(at, dict) else None
    return at if isinstance(at, str) and at else None
