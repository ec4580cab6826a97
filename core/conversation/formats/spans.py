"""The spans of a trace, wherever they stand: OTLP, a collector's JSON, exported rows, or bare attributes.

Attributes are a mapping, or a list of keys and typed values; either way a span's are one flat table of dotted names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import compress, islice, repeat
from typing import Final

from ..json_text import decode_embedded
from ..model import Json
from ..positions import Path
from .draft import Draft
from .message_list import numbered
from .source import objects_in

#: Fields that hold spans, or records of a log, or what holds them.
_CONTAINERS: Final = (
    "resourceSpans",
    "resource_spans",
    "scopeSpans",
    "scope_spans",
    "instrumentationLibrarySpans",
    "resourceLogs",
    "resource_logs",
    "scopeLogs",
    "scope_logs",
    "logRecords",
    "log_records",
    "spans",
    "batches",
    "trace",
    "traces",
    "data",
)
_ATTRIBUTES: Final = ("attributes", "tags", "span_attributes", "SpanAttributes")
_ROOTS: Final = ("gen_ai", "llm", "openinference")
#: What the names of attributes about models start with.
PREFIXES: Final = (
    *("gen_ai.", "llm.", "openinference.", "traceloop.", "ai.prompt", "attributes.llm.", "input.value"),
    *("pydantic_ai.", "langfuse.observation.", "mlflow.span"),
)
#: One of these stands in attributes of a model that are kept as a text.
_MARKS: Final = ('"llm', '"gen_ai', '"openinference')
_OF_SPANS: Final = frozenset((*_ATTRIBUTES, *_ROOTS))
_EVENT_NAMES: Final = frozenset({"event.name", "event_name", "eventName"})
HINTS: Final = frozenset((*_CONTAINERS, *_ATTRIBUTES, *_ROOTS)) | _EVENT_NAMES
_SCALARS: Final = frozenset({"stringValue", "intValue", "doubleValue", "boolValue", "bytesValue"})
_SNAKE: Final = {
    "string_value": "stringValue",
    "int_value": "intValue",
    "double_value": "doubleValue",
    "bool_value": "boolValue",
    "bytes_value": "bytesValue",
    "array_value": "arrayValue",
    "kvlist_value": "kvlistValue",
}


class Paths(dict[str, Path]):
    """Where attributes stand: those that were named under the first object, by their name, all others explicitly."""

    __slots__ = ("base",)

    def __init__(self, base: Path = ()) -> None:
        super().__init__()
        self.base = base

    def __missing__(self, name: str) -> Path:
        return (*self.base, name)


@dataclass(slots=True, repr=False)
class Span:
    """One span or record: what was pasted, its attributes by name, and where each of them stands."""

    raw: dict[str, Json]
    path: Path
    attributes: dict[str, Json] = field(default_factory=dict)
    paths: Paths = field(default_factory=Paths)
    #: What is inside a list of events of the span, each as a record of its own.
    events: list[Span] = field(default_factory=list)
    #: Fields of what was pasted that the attributes were.
    taken: Collection[str] = ()

    def place_of(self, name: str) -> Path:
        """Where an attribute is kept: by its name, also where the attributes are a list of keys and values."""
        held = next((held for held in _ATTRIBUTES if isinstance(self.raw.get(held), list)), None)
        return self.paths[name] if held is None else (*self.path, held, name)

    @property
    def event(self) -> str:
        """The name of the event that this is; empty where it is none of a model's."""
        raw = map(self.raw.get, ("event.name", "event_name", "eventName", "name"))
        names = (self.attributes.get("event.name"), *raw)
        return next((name for name in names if isinstance(name, str) and name.startswith("gen_ai.")), "")


def records_in(
    value: Json, path: Path, beside: Draft | None = None, most: int | None = None
) -> Iterator[tuple[dict[str, Json], Path]]:
    """The spans and records in a value as they were pasted, in its order; what stands around them goes to `beside`.

    No more than `most` values are looked at, where it is given.
    """
    level: list[tuple[Json, Path]] = [(value, path)]
    while level and most != 0:
        most = None if most is None else most - 1
        item, at = level.pop()
        if isinstance(item, list):
            inside = zip(item, numbered(at), strict=False)
            level += list(inside if most is None else islice(inside, most))[::-1]
        elif isinstance(item, dict):
            if is_span(item):
                yield item, at
                continue
            held = [name for name in _CONTAINERS if name in item and isinstance(item[name], (dict, list))]
            level += reversed([(item[name], (*at, name)) for name in held])
            if beside is not None:
                beside.keep(item, held, at)


def first_attribute(raw: dict[str, Json], starts: tuple[str, ...]) -> str:
    """The first name of a span's attributes, or of those of its events, that starts so; empty where there is none."""
    wanted = starts + tuple(f"attributes.{start}" for start in starts)
    for record in (raw, *objects_in(raw.get("events"))):
        held, _ = _held(record, _ATTRIBUTES)
        named: Iterable[str] = held if isinstance(held, dict) else _keys(held)
        names = list(named)
        found = next(compress(names, map(str.startswith, names, repeat(wanted))), None)
        if found is None and isinstance(held, dict):
            roots = ((root, held[root]) for root in _ROOTS if isinstance(held.get(root), dict))
            found = next(
                (f"{root}.{n}" for root, inner in roots for n in inner if f"{root}.{n}".startswith(starts)), None
            )
        if found is None and held is not record:
            found = next((name for name in record if name.startswith(PREFIXES) and name.startswith(wanted)), None)
        if found is not None:
            return found.removeprefix("attributes.")
    return ""


def _keys(held: list[Json]) -> Iterator[str]:
    return (item["key"] for item in held if isinstance(item, dict) and isinstance(item.get("key"), str))


def _held(record: dict[str, Json], names: tuple[str, ...]) -> tuple[dict[str, Json] | list[Json], str]:
    """The attributes of a span or an event, and the field they stand in; the record itself where there is none.

    Some stores keep them as a JSON text.
    """
    for name in names:
        held = record.get(name)
        if isinstance(held, str) and held[:1] == "{" and any(mark in held for mark in _MARKS):
            found = decode_embedded(held)
            held = None if found is None else found[0]
        if isinstance(held, (dict, list)):
            return held, name
    return record, ""


def may_hold_spans(names: frozenset[str]) -> bool:
    """Whether objects with these fields can be spans, or can hold some; quickly told, of every paste."""
    return not names.isdisjoint(HINTS) or _has_prefix(names)


def is_span(item: dict[str, Json]) -> bool:
    """Whether an object is a span or a record, and not what holds some."""
    if HINTS.isdisjoint(item):
        return _has_prefix(item)
    if not _OF_SPANS.isdisjoint(item) and _held(item, _ATTRIBUTES)[1]:
        return "scopeSpans" not in item and "spans" not in item
    if not _EVENT_NAMES.isdisjoint(item) or _has_prefix(item):
        return True
    return not _OF_SPANS.isdisjoint(item) and any(isinstance(item.get(name), dict) for name in _ROOTS)


def _has_prefix(names: Iterable[str]) -> bool:
    """Whether one of the names is that of an attribute; all of these hold a dot, and few other names do."""
    return "." in "".join(names) and any(name.startswith(PREFIXES) for name in names)


def span_of(raw: dict[str, Json], path: Path) -> Span:
    """A span with its attributes and events taken apart."""
    held, name = _held(raw, _ATTRIBUTES)
    at = (*path, name) if name else path
    made = Span(raw, path, paths=Paths(at), taken=(name,) if name else raw)
    _flatten(held, at, made)
    if isinstance(raw.get(name), str):
        # All that a text holds stands where the text does.
        made.paths.update(dict.fromkeys(made.attributes, at))
    if name and any(other.startswith(PREFIXES) for other in raw):
        beside = {other: value for other, value in raw.items() if other.startswith(PREFIXES)}
        made.taken = (name, *beside)
        _flatten(beside, path, made)
    for name in ("events", "logs"):
        events = raw.get(name)
        if isinstance(events, list):
            for index, event in enumerate(events):
                if isinstance(event, dict):
                    made.events.append(_event(event, (*path, name, index)))
    return made


def _event(raw: dict[str, Json], path: Path) -> Span:
    held, name = _held(raw, (*_ATTRIBUTES, "fields"))
    made = Span(raw, path, paths=Paths((*path, name)))
    if name:
        _flatten(held, (*path, name), made)
    return made


def _flatten(raw: Json, at: Path, span: Span) -> None:
    attributes, paths = span.attributes, span.paths
    if at == paths.base and isinstance(raw, dict):
        # Most attributes are texts under their own names.
        texts = {
            name: value for name, value in raw.items() if type(value) is str and not name.startswith("attributes.")
        }
        attributes |= texts
        raw = {name: value for name, value in raw.items() if name not in texts} if len(texts) < len(raw) else {}
    for given, value, where in _members(raw, at):
        name = given.removeprefix("attributes.")
        if isinstance(value, dict) and name.partition(".")[0] in (*_ROOTS, "input", "output"):
            _flatten_nested(name, value, where, span)
        else:
            attributes[name] = value
            paths[name] = where


def _flatten_nested(name: str, value: dict[str, Json], at: Path, span: Span) -> None:
    """Names of an object's fields behind its own; what is no object, and what is a message's, stays as it is."""
    level = [(name, value, at)]
    while level:
        outer, item, where = level.pop()
        for key, inner in item.items():
            inside = f"{outer}.{key}"
            if isinstance(inner, dict) and inner and inside not in ("input.value", "output.value"):
                level.append((inside, inner, (*where, key)))
            else:
                span.attributes[inside] = inner
                span.paths[inside] = (*where, key)


def _members(raw: Json, at: Path) -> Iterator[tuple[str, Json, Path]]:
    """Names and values of attributes, with the path of each value."""
    if isinstance(raw, dict):
        for name, inner in raw.items():
            value, steps = any_value(inner) if isinstance(inner, dict) else (inner, ())
            yield name, value, (*at, name, *steps)
    elif isinstance(raw, list):
        for index, item in enumerate(raw):
            if isinstance(item, dict) and isinstance(item.get("key"), str):
                value, steps = any_value(item.get("value"))
                yield item["key"], value, (*at, index, "value", *steps)


def any_value(raw: Json) -> tuple[Json, Path]:
    """The JSON value in one of OTLP's, and the steps down to where it stands."""
    if not isinstance(raw, dict) or len(raw) != 1:
        return raw, ()
    ((given, value),) = raw.items()
    name = _SNAKE.get(given, given)
    if name in _SCALARS:
        return value, (given,)
    values = value.get("values", []) if isinstance(value, dict) else None
    if name == "arrayValue" and isinstance(values, list):
        return [any_value(item)[0] for item in values], (given,)
    if name == "kvlistValue" and isinstance(values, list):
        members = (item for item in values if isinstance(item, dict) and isinstance(item.get("key"), str))
        return {item["key"]: any_value(item.get("value"))[0] for item in members}, (given,)
    return raw, ()
