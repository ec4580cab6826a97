"""A request with its response, in one object or as two documents: the reply becomes the last message."""

from __future__ import annotations

from ..json_text import decode_embedded
from ..model import Json
from ..positions import Path
from .anthropic import ANTHROPIC_MESSAGES_REQUEST
from .anthropic_response import ANTHROPIC_MESSAGES_RESPONSE
from .draft import Draft
from .format import Format, Match, Source
from .openai_chat import OPENAI_CHAT_REQUEST
from .openai_response import OPENAI_CHAT_RESPONSE

#: Under these names tools keep the two bodies.
_NAMES = (
    ("request", "response"),
    ("reqPayload", "respPayload"),
    ("request_body", "response_body"),
    ("requestBody", "responseBody"),
)
_REQUESTS = (OPENAI_CHAT_REQUEST, ANTHROPIC_MESSAGES_REQUEST)
_RESPONSES = (OPENAI_CHAT_RESPONSE, ANTHROPIC_MESSAGES_RESPONSE)


def match_pair(source: Source) -> Match | None:
    """Score two bodies that stand together, each read by itself."""
    halves = _halves(source)
    if halves is None:
        return None
    request, response = _best(_REQUESTS, halves[0]), _best(_RESPONSES, halves[1])
    if request is None or response is None:
        return None
    where = "two documents" if isinstance(source.value, list) else f"`{halves[0].path[-1]}` and `{halves[1].path[-1]}`"
    return Match(0.99, f"{where}: a request and a response")


def read_pair(source: Source, draft: Draft) -> None:
    """Read the request, then the response behind it."""
    halves = _halves(source)
    if halves is None:
        return
    for formats, half in ((_REQUESTS, halves[0]), (_RESPONSES, halves[1])):
        best = _best(formats, half)
        if best is not None:
            best.read(half, draft)
    if isinstance(source.value, dict):
        draft.keep(source.value, (str(halves[0].path[-1]), str(halves[1].path[-1])), source.path)


def _best(formats: tuple[Format, ...], source: Source) -> Format | None:
    scored = [(found.score, f) for f in formats if (found := f.match(source)) is not None]
    return max(scored, key=lambda pair: pair[0])[1] if scored else None


def _halves(source: Source) -> tuple[Source, Source] | None:
    value = source.value
    if isinstance(value, list) and len(value) == 2:
        return _half(value[0], (*source.path, 0)), _half(value[1], (*source.path, 1))
    if isinstance(value, dict):
        for request, response in _NAMES:
            if request in value and response in value:
                return (
                    _half(value[request], (*source.path, request)),
                    _half(value[response], (*source.path, response)),
                )
    return None


def _half(value: Json, path: Path) -> Source:
    inner = decode_embedded(value) if isinstance(value, str) else None
    return Source(value if inner is None else inner[0], path)


REQUEST_RESPONSE_PAIR = Format(
    "request-response-pair",
    "Request and response",
    "a request and a response body under `request` and `response`, or one behind the other",
    "nothing; what stands beside the two bodies is kept as extras",
    match_pair,
    read_pair,
)
