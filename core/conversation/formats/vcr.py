"""VCR cassettes, in YAML or JSON: each recorded request to a model with its reply."""

from __future__ import annotations

from collections.abc import Iterator

from ..model import Json
from ..positions import Path
from .captures import Body, Exchange, decoded, read_exchanges
from .draft import Draft
from .format import Format, Match
from .source import Source

_LISTS = ("interactions", "http_interactions")


def match_vcr(source: Source) -> Match | None:
    """Score recorded interactions, each with a request and a response."""
    value = source.value
    for name in _LISTS:
        found = value.get(name) if isinstance(value, dict) else None
        records = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
        if any({"request", "response"} <= one.keys() for one in records):
            return Match(0.98, f"`{name}` with `request` and `response`")
    return None


def read_vcr(source: Source, draft: Draft) -> None:
    """Read the interactions in the order of the cassette."""
    value = source.value
    name = next(name for name in _LISTS if isinstance(value.get(name), list))
    read_exchanges(_exchanges(value[name], (*source.path, name)), source, draft)
    draft.keep(value, (name, "version"), source.path)


def _exchanges(interactions: list[Json], at: Path) -> Iterator[Exchange]:
    for index, one in enumerate(interactions):
        if not isinstance(one, dict):
            continue
        here = (*at, index)
        request = one["request"] if isinstance(one.get("request"), dict) else {}
        response = one["response"] if isinstance(one.get("response"), dict) else {}
        status = response.get("status", response.get("status_code", ""))
        yield Exchange(
            here,
            _body(request, (*here, "request")),
            _body(response, (*here, "response")),
            _text(request.get("method")).upper(),
            _text(request.get("uri") or request.get("url")),
            status.get("code", "") if isinstance(status, dict) else status,
            {"recorded_at": one["recorded_at"]} if "recorded_at" in one else {},
        )


def _body(message: dict[str, Json], at: Path) -> Body:
    """A body: taken apart by the recorder, as a string, or a string with its encoding."""
    for name in ("parsed_body", "body", "content"):
        if message.get(name) is None:
            continue
        value, here = message[name], (*at, name)
        if name == "parsed_body" or not isinstance(value, dict):
            return Body(value, here)
        if "string" in value:
            value, here = value["string"], (*here, "string")
        if isinstance(value, dict) and isinstance(value.get("base64_string"), str):
            return decoded(value["base64_string"], (*here, "base64_string"))
        return Body(value, here)
    return Body(None, at)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


VCR_CASSETTE = Format(
    "vcr-cassette",
    "VCR cassette",
    "`interactions` with a request and a response each",
    "headers and queries, which hold credentials; the bodies of requests that ask no model",
    match_vcr,
    read_vcr,
    fields=frozenset(_LISTS),
    example="vcr-cassette-yaml",
    priority=3,
)
