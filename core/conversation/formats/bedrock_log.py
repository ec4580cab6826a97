"""Bedrock model invocation logs: a request and its reply a record, each in the API's or the model's own format."""

from __future__ import annotations

from typing import Any

from ..json_text import decode_embedded
from ..model import Json
from ..positions import Path
from ..remarks import shown
from .draft import Draft
from .exchange import read_exchange
from .format import Format, Match, Source
from .reply import read_reply, reply_in
from .wrapping import keep_inside

_TYPE = "ModelInvocationLog"
_INPUT, _OUTPUT = "inputBodyJson", "outputBodyJson"
#: Where CloudWatch keeps the record, as a text.
_MESSAGE = ("message", "@message")
#: Where its answers keep the records: events of a stream, and rows of a query.
_LISTS = ("events", "results")
_FRONT = 20


def match_log(source: Source) -> Match | None:
    """Score records, bare or as CloudWatch lists them."""
    records, _, _ = _records(source)
    looked = [opened[0] for opened in map(_opened, records[:_FRONT]) if opened is not None]
    if not looked:
        return None
    named = any(record.get("schemaType") == _TYPE for record in looked)
    return Match(0.98, f"`schemaType` is `{_TYPE}`" if named else f"`input` with an `{_INPUT}`")


def _records(source: Source) -> tuple[list[Json], Path, bool]:
    """The records, the path of their list, and whether they stand in one."""
    value = source.value
    name = next((n for n in _LISTS if isinstance(value, dict) and isinstance(value.get(n), list)), "")
    if name:
        return value[name], (*source.path, name), True
    return (value, source.path, True) if isinstance(value, list) else ([value], source.path, False)


def _opened(raw: Json) -> tuple[dict[str, Any], str] | None:
    """The record, and the field it stands in as a text or an object, empty for itself; None where there is none."""
    if isinstance(raw, list):
        # A row of a query lists its fields by name.
        cells = (cell for cell in raw if isinstance(cell, dict) and isinstance(cell.get("field"), str))
        raw = {cell["field"]: cell.get("value") for cell in cells}
    if not isinstance(raw, dict):
        return None
    if _is_record(raw):
        return raw, ""
    for name in _MESSAGE:
        inner = raw.get(name)
        if isinstance(inner, str) and (_TYPE in inner or _INPUT in inner):
            found = decode_embedded(inner)
            inner = found[0] if found is not None else None
        if isinstance(inner, dict) and _is_record(inner):
            return inner, name
    return None


def _is_record(value: dict[str, Any]) -> bool:
    request = value.get("input")
    return value.get("schemaType") == _TYPE or (isinstance(request, dict) and _INPUT in request)


def read_log(source: Source, draft: Draft) -> None:
    """Read each record as a conversation of its own."""
    records, path, in_list = _records(source)
    if isinstance(source.value, dict) and in_list:
        draft.keep(source.value, _LISTS, source.path)
    several = len(records) > 1
    for index, raw in enumerate(records):
        at = (*path, index) if in_list else path
        opened = _opened(raw)
        made = draft.begin(at=at) if several else draft
        if opened is None:
            keep_inside(raw, at, source, made, "This record")
        elif not opened[1]:
            _read_record(raw, at, source, made)
        else:
            _read_wrapped(raw, opened[0], opened[1], at, source, made)


def _read_wrapped(raw: Json, record: dict[str, Json], name: str, at: Path, source: Source, draft: Draft) -> None:
    """A record that stands in a text; all that is found in it stands at that text."""
    inner = Draft()
    where = (*at, name) if isinstance(raw, dict) else at
    _read_record(record, where, source, inner)
    inner.stand_at(where)
    draft.take(inner)
    draft.stop_reason = inner.stop_reason
    if isinstance(raw, dict):
        draft.keep(raw, (name,), at)
    else:
        rest = [cell for cell in raw if not (isinstance(cell, dict) and cell.get("field") == name)]
        draft.keep({"fields": rest}, (), at)


def _read_record(record: dict[str, Json], at: Path, source: Source, draft: Draft) -> None:
    bodies: list[Json] = []
    for half, body in (("input", _INPUT), ("output", _OUTPUT)):
        outer = record.get(half)
        bodies.append(outer.get(body) if isinstance(outer, dict) else None)
        if isinstance(outer, dict):
            draft.keep(outer, (body,), (*at, half))
    draft.keep(record, ("input", "output"), at)
    if isinstance(code := record.get("errorCode"), str):
        draft.note("call-failed", f"The record says that the call failed (`{shown(code, 60)}`).", at)
    request, reply = bodies
    request_at, reply_at = (*at, "input", _INPUT), (*at, "output", _OUTPUT)
    if request is not None and read_exchange(request, request_at, reply, reply_at, source, draft):
        return
    if request is not None:
        keep_inside(request, request_at, source, draft, "The request of this record")
    else:
        draft.warn(
            "body-elsewhere",
            "The record does not hold the request; a large body is stored apart from the log.",
            "Paste the stored body, with the reply behind it.",
            at,
        )
    if reply is not None:
        read_reply(reply_in(reply, reply_at, source), draft)


BEDROCK_INVOCATION_LOG = Format(
    "bedrock-invocation-log",
    "Bedrock invocation log",
    "`schemaType: ModelInvocationLog`; `inputBodyJson` and `outputBodyJson`",
    "what the formats of the two bodies lose; ids, times and token counts are kept as extras",
    match_log,
    read_log,
    fields=frozenset({"schemaType", "input", *_LISTS, *_MESSAGE}),
    example="bedrock-invocation-log",
    priority=2,
)
