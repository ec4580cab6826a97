"""A request and its reply as one conversation, wherever the two stand: pairs, log rows, captures, traces."""

from __future__ import annotations

from typing import NamedTuple

from ..model import Json
from ..positions import Path
from .draft import Draft
from .format import Format, Holds
from .reply import read_reply, reply_in
from .source import Source
from .wrapping import format_of, read_as


class Half(NamedTuple):
    """The request: where it stands, and the format to read it as."""

    inner: Source
    reads: Format


def request_in(value: Json, at: Path, source: Source) -> Half | None:
    """The request in a part of the source; under `body` where it stands with its address and headers."""
    inner = source.inside(value, at)
    reads = format_of(inner, Holds.REQUEST)
    if reads is not None:
        return Half(inner, reads)
    if isinstance(inner.value, dict) and "body" in inner.value and at[-1] != "body":
        return request_in(inner.value["body"], (*at, "body"), source)
    return None


def read_exchange(request: Json, request_at: Path, reply: Json, reply_at: Path, source: Source, draft: Draft) -> bool:
    """Read a request and the reply behind it into one draft; whether there was a request that could be read.

    For formats that keep the two bodies. A reply that is missing, an error, or in no format that is read is said so;
    where the request cannot be read, nothing is added, and the caller keeps it (`keep_inside`).
    """
    half = request_in(request, request_at, source)
    if half is None:
        return False
    read_as(half.reads, half.inner, draft)
    read_reply(reply_in(reply, reply_at, source), draft)
    return True
