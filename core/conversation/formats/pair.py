"""A request with its reply, in one object or as two documents: the reply becomes the last message."""

from __future__ import annotations

from dataclasses import dataclass

from ..json_text import decode_embedded
from ..model import Json
from ..positions import Path, path_text
from .draft import Draft
from .exchange import Half, request_in
from .format import Format, Holds, Match
from .reply import Reply, read_reply, reply_in
from .source import Source
from .streamed_exchange import asks, stream_at
from .wrapping import format_of, read_as

#: Under these names tools keep the two bodies; where the last is true, only if the second is a reply that can be read,
#: since the names are used for much else.
_NAMES = (
    ("request", "response", False),
    ("reqPayload", "respPayload", False),
    ("request_body", "response_body", False),
    ("requestBody", "responseBody", False),
    ("modelInput", "modelOutput", False),
    ("req", "res", True),
    ("input", "output", True),
    ("inputs", "outputs", True),
    ("prompt", "completion", True),
)
#: Under these names a request holds its own reply, in the same way; with `choices` the whole is the reply too.
_BESIDE = (("response", False), ("output", True), ("completion", True), ("choices", True))
_SECOND = frozenset(second for _, second, _ in _NAMES) | {name for name, _ in _BESIDE}
_SCORE = 0.93
#: Above the stream as which a request with its records behind it would be read.
_STREAMED = 0.99


@dataclass(frozen=True, slots=True)
class _Pair:
    """The two halves; `outer` says how they stand together.

    `beside` is the field that holds the reply where that stands in the request itself.
    """

    request: Half
    reply: Reply
    outer: str
    beside: str = ""
    score: float = _SCORE


def match_pair(source: Source) -> Match | None:
    """Score two bodies that stand together, each read by itself."""
    found = _pair(source)
    return None if found is None else Match(found.score, found.outer)


def read_pair(source: Source, draft: Draft) -> None:
    """Read the request, then the reply behind it."""
    found = _pair(source)
    if found is None:
        return
    request, reply = found.request.inner, found.reply
    read_as(found.request.reads, request, draft)
    if found.beside:
        draft.extras.pop(path_text((*source.path, found.beside)), None)
    read_reply(reply, draft)
    if reply.path == source.path:
        for name in ("messages", "system"):
            draft.extras.pop(path_text((*source.path, name)), None)
    value, paths = source.value, (request.path, reply.path)
    if isinstance(value, dict) and not found.beside:
        draft.keep(value, [str(path[len(source.path)]) for path in paths], source.path)
        for path in paths:
            _keep_wrapping(value, path, len(source.path) + 1, draft)


def _keep_wrapping(outer: Json, path: Path, depth: int, draft: Draft) -> None:
    """Keep what stands beside a body that is wrapped once more: `url`, `headers`, `status`."""
    wrapping = _decoded(outer[path[depth - 1]])
    if len(path) > depth and isinstance(wrapping, dict):
        draft.keep(wrapping, (str(path[depth]),), path[:depth])


def _decoded(value: Json) -> Json:
    """The JSON in a string; any other value as it is."""
    inner = decode_embedded(value) if isinstance(value, str) else None
    return value if inner is None else inner[0]


def _pair(source: Source) -> _Pair | None:
    value = source.value
    if isinstance(value, list):
        return _two_documents(source, value) if len(value) == 2 else _streamed(source, value)
    if not isinstance(value, dict) or _SECOND.isdisjoint(value):
        return None
    for first, second, must_read in _NAMES:
        # With instructions beside it, `input` is but a part of its request.
        if first in value and second in value and not (first == "input" and "instructions" in value):
            request = request_in(value[first], (*source.path, first), source)
            if request is not None:
                reply = reply_in(value[second], (*source.path, second), source)
                if reply.is_readable or not must_read:
                    return _Pair(request, reply, f"`{first}` and `{second}`")
    return _beside(value, source)


def _beside(value: dict[str, Json], source: Source) -> _Pair | None:
    """A request that holds its reply, or a reply that holds its request."""
    held = "messages" if "messages" in value else "input"
    reads = format_of(source, Holds.REQUEST) if held in value else None
    if reads is None:
        return None
    for name, must_read in _BESIDE:
        if value.get(name):
            whole = name == "choices"
            reply = reply_in(value if whole else value[name], source.path if whole else (*source.path, name), source)
            if reply.is_readable or not must_read:
                return _Pair(Half(source, reads), reply, f"`{held}` and `{name}`", name)
    return None


def _streamed(source: Source, value: list[Json]) -> _Pair | None:
    """A request, then the records of one stream to the end."""
    if len(value) < 3 or not asks(value[0]):
        return None
    stream = stream_at(source, 1)
    if stream is None or stream.stop < len(value):
        return None
    request = request_in(value[0], (*source.path, 0), source)
    if request is None:
        return None
    return _Pair(request, stream.reply, "a request, then the stream of its reply", score=_STREAMED)


def _two_documents(source: Source, value: list[Json]) -> _Pair | None:
    request = request_in(value[0], (*source.path, 0), source)
    if request is None:
        return None
    reply = reply_in(value[1], (*source.path, 1), source)
    one_message = isinstance(value[0], dict) and value[0].keys().isdisjoint(("messages", "input"))
    if reply.kind == "body" or (reply.kind in ("message", "error") and not one_message):
        return _Pair(request, reply, "two documents, a request and its reply")
    return None


REQUEST_RESPONSE_PAIR = Format(
    "request-response-pair",
    "Request and response",
    "a request and a response body under `request` and `response`, or one behind the other",
    "nothing; what stands beside the two bodies is kept as extras",
    match_pair,
    read_pair,
    tells=_SECOND,
    at_most=_STREAMED,
    example="pair-request-response-object",
)
