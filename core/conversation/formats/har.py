"""HAR captures of a browser or a proxy: each request to a model with its reply."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ..model import Json
from ..positions import Path
from .captures import Body, Exchange, decoded, read_exchanges
from .draft import Draft
from .format import Format, Match
from .source import LOOKED_AT, Source


def match_har(source: Source) -> Match | None:
    """Score entries with a request and a response, under `log` or alone."""
    value = source.value
    log = value.get("log") if isinstance(value, dict) else None
    if isinstance(log, dict) and log.get("entries") == [] and "creator" in log:
        return Match(0.95, "`log` without `entries`")
    front = [entry for entry, _ in islice(_entries(source), LOOKED_AT)]
    if not any(isinstance(entry.get("request"), dict) and "response" in entry for entry in front):
        return None
    if isinstance(value, dict) and "log" in value:
        return Match(0.98, "`log` with `entries`")
    asked = (entry["request"] for entry in front if isinstance(entry.get("request"), dict))
    return Match(0.97, "entries with `request.postData`") if any("postData" in request for request in asked) else None


def read_har(source: Source, draft: Draft) -> None:
    """Read the entries in the order of the capture."""
    read_exchanges(map(_exchange, _entries(source)), source, draft)


def _entries(source: Source) -> Iterator[tuple[dict[str, Json], Path]]:
    """The entries: of a capture, of a list, or one alone."""
    value, at = source.value, source.path
    for name in ("log", "entries"):
        if isinstance(value, dict) and isinstance(value.get(name), (dict, list)):
            value, at = value[name], (*at, name)
    if isinstance(value, list):
        return ((entry, (*at, index)) for index, entry in enumerate(value) if isinstance(entry, dict))
    return iter([(value, at)] if isinstance(value, dict) and "request" in value else [])


def _exchange(found: tuple[dict[str, Json], Path]) -> Exchange:
    entry, at = found
    request = entry["request"] if isinstance(entry.get("request"), dict) else {}
    response = entry["response"] if isinstance(entry.get("response"), dict) else {}
    return Exchange(
        at,
        _body(request.get("postData"), (*at, "request", "postData")),
        _body(response.get("content"), (*at, "response", "content")),
        _text(request.get("method")),
        _text(request.get("url")),
        response.get("status", ""),
        {name: entry[name] for name in ("startedDateTime", "time") if name in entry},
    )


def _body(part: Json, at: Path) -> Body:
    """The body in `postData` or `content`."""
    text = part.get("text") if isinstance(part, dict) else None
    if not isinstance(text, str):
        return Body(text, (*at, "text"))
    return decoded(text, (*at, "text")) if part.get("encoding") == "base64" else Body(text, (*at, "text"))


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


HAR = Format(
    "har",
    "HAR capture",
    "`log.entries` with a request and a response each",
    "headers, cookies and queries, which hold credentials; the bodies of requests that ask no model",
    match_har,
    read_har,
    fields=frozenset({"log", "entries", "request"}),
    example="har-sse-base64-body",
    priority=3,
)
