"""A request with its reply, in one object or as two documents: the reply becomes the last message."""

from __future__ import annotations

from dataclasses import dataclass

from ..json_text import decode_embedded
from ..model import Json
from ..positions import Path, path_text
from .anthropic import ANTHROPIC_MESSAGES_REQUEST
from .draft import Draft
from .format import Format, Match, Source
from .openai_chat import OPENAI_CHAT_REQUEST
from .reply import Reply, read_reply, reply_in

#: Under these names tools keep the two bodies; where the last is true, only if the second is a reply that can be read,
#: since the names are used for much else.
_NAMES = (
    ("request", "response", False),
    ("reqPayload", "respPayload", False),
    ("request_body", "response_body", False),
    ("requestBody", "responseBody", False),
    ("req", "res", True),
    ("input", "output", True),
    ("inputs", "outputs", True),
    ("prompt", "completion", True),
)
#: Under these names a request holds its own reply, in the same way; with `choices` the whole is the reply too.
_BESIDE = (("response", False), ("output", True), ("completion", True), ("choices", True))
_REQUESTS = (OPENAI_CHAT_REQUEST, ANTHROPIC_MESSAGES_REQUEST)


@dataclass(frozen=True, slots=True)
class _Pair:
    """The two halves; `outer` says how they stand together.

    `beside` is the field that holds the reply where that stands in the request itself.
    """

    request: Source
    reads_request: Format
    reply: Reply
    outer: str
    beside: str = ""


def match_pair(source: Source) -> Match | None:
    """Score two bodies that stand together, each read by itself."""
    found = _pair(source)
    return None if found is None else Match(0.99, found.outer)


def read_pair(source: Source, draft: Draft) -> None:
    """Read the request, then the reply behind it."""
    found = _pair(source)
    if found is None:
        return
    found.reads_request.read(found.request, draft)
    if found.beside:
        draft.extras.pop(path_text((*source.path, found.beside)), None)
    read_reply(found.reply, draft)
    if found.reply.path == source.path:
        for name in ("messages", "system"):
            draft.extras.pop(path_text((*source.path, name)), None)
    value, read = source.value, (found.request, found.reply)
    if isinstance(value, dict) and not found.beside:
        draft.keep(value, [str(half.path[len(source.path)]) for half in read], source.path)
        for half in read:
            _keep_wrapping(value, half.path, len(source.path) + 1, draft)


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
        return _two_documents(value, source.path) if len(value) == 2 else None
    if not isinstance(value, dict):
        return None
    for first, second, must_read in _NAMES:
        if first in value and second in value:
            request = _request(value[first], (*source.path, first))
            reply = reply_in(value[second], (*source.path, second))
            if request is not None and (reply.is_readable or not must_read):
                return _Pair(*request, reply, f"`{first}` and `{second}`")
    return _beside(value, source) if "messages" in value else None


def _beside(value: dict[str, Json], source: Source) -> _Pair | None:
    """A request that holds its reply, or a reply that holds its request."""
    for name, must_read in _BESIDE:
        if value.get(name) and (reads := _best(source)) is not None:
            whole = name == "choices"
            reply = reply_in(value, source.path) if whole else reply_in(value[name], (*source.path, name))
            if reply.is_readable or not must_read:
                return _Pair(source, reads, reply, f"`messages` and `{name}`", name)
    return None


def _two_documents(value: list[Json], path: Path) -> _Pair | None:
    request = _request(value[0], (*path, 0))
    if request is None:
        return None
    reply = reply_in(value[1], (*path, 1))
    one_message = isinstance(value[0], dict) and "messages" not in value[0]
    if reply.kind == "body" or (reply.kind in ("message", "error") and not one_message):
        return _Pair(*request, reply, "two documents, a request and its reply")
    return None


def _request(value: Json, path: Path) -> tuple[Source, Format] | None:
    """The request and the format to read it as; under `body` where it stands with its address and headers."""
    source = Source(_decoded(value), path)
    reads = _best(source)
    if reads is not None:
        return source, reads
    if isinstance(source.value, dict) and "body" in source.value and path[-1] != "body":
        return _request(source.value["body"], (*path, "body"))
    return None


def _best(source: Source) -> Format | None:
    scored = [(found.score, f) for f in _REQUESTS if (found := f.match(source)) is not None]
    return max(scored, key=lambda pair: pair[0])[1] if scored else None


REQUEST_RESPONSE_PAIR = Format(
    "request-response-pair",
    "Request and response",
    "a request and a response body under `request` and `response`, or one behind the other",
    "nothing; what stands beside the two bodies is kept as extras",
    match_pair,
    read_pair,
)
