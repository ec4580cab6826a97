"""Batch files: lines with a `custom_id` and a request, or a reply; where both stand there, they are joined by it."""

from __future__ import annotations

from typing import TypeAlias

from ..model import Json
from ..positions import Path, path_text
from ..remarks import shown
from .draft import Draft
from .exchange import request_in
from .format import Format, Match
from .reply import read_reply, reply_in
from .source import Source
from .wrapping import keep_inside, read_as

_ID = "custom_id"
_Paths: TypeAlias = tuple[tuple[str, ...], ...]
#: By API, under which path a line keeps its request, and under which its reply.
_REQUESTS: _Paths = (("body",), ("params",))
_REPLIES: _Paths = (("response", "body"), ("result", "message"))
_NO_REPLY = frozenset({"response", "result", "error"})


def match_batch(source: Source) -> Match | None:
    """Score lines with a `custom_id`."""
    if _ID not in source.fields:
        return None
    for item in source.objects:
        if _ID in item:
            found = next((path for path in _REQUESTS + _REPLIES if _under(item, path) is not None), None)
            if found is not None:
                return Match(0.97, f"`{_ID}` with `{'.'.join(found)}`")
            if not _NO_REPLY.isdisjoint(item):
                return Match(0.95, f"`{_ID}` with `{min(_NO_REPLY & item.keys())}`")
    return None


def read_batch(source: Source, draft: Draft) -> None:
    """Read each request and each reply; a reply whose request stands in the paste goes behind it."""
    asked: dict[str, Draft] = {}
    for value, at in source.records():
        name = value.get(_ID) if isinstance(value, dict) else None
        if not isinstance(name, str):
            keep_inside(value, at, source, draft, "This line")
            continue
        request, reply = _first(value, _REQUESTS), _first(value, _REPLIES)
        if request is not None:
            half = request_in(_under(value, request), (*at, *request), source)
            if half is None:
                keep_inside(value, at, source, draft, f"The request `{shown(name)}`")
                continue
            made = draft.begin(shown(name, 60), at)
            if name not in asked:
                asked[name] = made
            read_as(half.reads, half.inner, made)
            made.keep(value, (_ID, request[0]), at)
        elif reply is not None:
            found = reply_in(_under(value, reply), (*at, *reply), source)
            if found.kind == "error":
                _say_failed(name, value, at, asked.get(name), draft)
            elif not found.is_readable:
                keep_inside(value, at, source, draft, f"The reply `{shown(name)}`")
            else:
                made = asked.get(name) or draft.begin(shown(name, 60), at)
                read_reply(found, made)
                _keep_beside(value, reply, at, made)
        else:
            _say_failed(name, value, at, asked.get(name), draft)


def _say_failed(name: str, line: dict[str, Json], at: Path, asked: Draft | None, draft: Draft) -> None:
    """A line that reports an error is no empty answer."""
    (asked or draft).extras[path_text(at)] = line
    (asked or draft).warn(
        "batch-line-failed",
        f"The request `{shown(name)}` got an error and no reply; no turn is made of it.",
        "Send it again, or route its request alone.",
        at,
    )


def _keep_beside(line: dict[str, Json], reply: tuple[str, ...], at: Path, draft: Draft) -> None:
    draft.keep(line, (_ID, reply[0]), at)
    draft.keep(line[reply[0]], (reply[1],), (*at, reply[0]))


def _first(line: dict[str, Json], paths: _Paths) -> tuple[str, ...] | None:
    return next((path for path in paths if _under(line, path) is not None), None)


def _under(line: Json, path: tuple[str, ...]) -> Json:
    for step in path:
        line = line.get(step) if isinstance(line, dict) else None
    return line


OPENAI_BATCH_JSONL = Format(
    "openai-batch-jsonl",
    "Batch file",
    "lines with `custom_id` and a `body`, `params`, `response` or `result`",
    "nothing; ids and statuses are kept as extras",
    match_batch,
    read_batch,
    fields=frozenset({_ID}),
    example="batch-output-jsonl",
    priority=2,
)
