"""Several conversations in one paste: documents one a line or behind each other, or a list of them.

Each is read by itself, by whatever format it is in, and becomes a conversation of its own; a reply right behind a
request belongs to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model import Json
from ..positions import Path
from ..remarks import shown
from .draft import Draft
from .format import NO_BODY, Format, Holds, Match
from .reply import read_reply, reply_in
from .source import Source
from .streamed_exchange import asks, stream_at
from .wrapping import format_of, keep_inside, read_as

_SCORE = 0.91
#: Above the stream as which requests with the records of their replies would be read.
_STREAMED = 0.99
#: So many records at the front have to be conversations, and so many of the front may be none.
_FRONT, _NONE = 6, 2
#: Lists in lists are looked at to this depth.
_DEEP = 2
#: Fields that name a record, best first.
_NAMES = ("id", "custom_id", "recordId", "key", "uuid", "session_id", "name", "title")


def match_several(source: Source) -> Match | None:
    """Score a list by what its first items are, each by itself."""
    value = source.value
    if not isinstance(value, list) or len(value) < 2 or source.depth > _DEEP:
        return None
    if source.messages is not None and source.messages.roles and not all(_is_reply(item) for item, _ in _front(source)):
        return None  # the messages of one conversation
    if asks(value[0]) and stream_at(source, 1) is not None:
        return Match(_STREAMED, "requests, each with the stream of its reply")
    titles: dict[str, int] = {}
    none = 0
    for item, at in _front(source):
        inner = source.inside(item, at) if isinstance(item, (dict, list, str)) else None
        best = inner.registry.top(inner) if inner is not None and inner.registry is not None else None
        if best is None or best.match.score < 0.5:
            none += 1
        else:
            titles[best.format.title] = titles.get(best.format.title, 0) + 1
    if not titles or none > _NONE or none >= sum(titles.values()):
        return None
    what = "documents" if source.several else "items"
    return Match(_SCORE, f"{len(value):,} {what}, each by itself: {', '.join(titles)}")


def _is_reply(item: Json) -> bool:
    """Whether an item is a whole reply, though it may look like a message."""
    return isinstance(item, dict) and not item.keys().isdisjoint(("stop_reason", "choices", "output"))


def _front(source: Source) -> Iterator[tuple[Json, Path]]:
    return ((item, (*source.path, index)) for index, item in enumerate(source.value[:_FRONT]))


def read_several(source: Source, draft: Draft) -> None:
    """Read each record into a conversation of its own."""
    read_each(source, draft, "This record")


def read_each(source: Source, draft: Draft, what: str) -> None:
    """Read every record of the source by itself; `what` names one that cannot be read."""
    open_request: Draft | None = None
    behind = 0
    for index, (value, at) in enumerate(source.records()):
        if index < behind:
            continue
        inner = source.inside(value, at)
        found = format_of(inner)
        if open_request is not None:
            streamed = stream_at(source, index)
            reply = reply_in(value, at, source) if streamed is None else streamed.reply
            if reply.kind == "body":
                behind = index + 1 if streamed is None else streamed.stop
                read_reply(reply, open_request)
                open_request = None
                continue
        if found is None:
            open_request = None
            keep_inside(value, at, source, draft, what)
            continue
        made = draft.begin(name_of(value), at)
        read_as(found, inner, made)
        open_request = made if found.holds is Holds.REQUEST else None


def name_of(record: Json) -> str:
    """What a record calls itself, as a title; empty where it has no name."""
    if isinstance(record, dict):
        for key in _NAMES:
            name = record.get(key)
            if isinstance(name, str) and name:
                return shown(name, 60)
    return ""


SEVERAL_CONVERSATIONS = Format(
    "several-conversations",
    "Several conversations",
    "documents one behind the other, or a list, each a conversation by itself",
    "nothing",
    match_several,
    read_several,
    tells=NO_BODY,
    at_most=_STREAMED,
)
