"""The spans of a trace, wherever they stand: OTLP, a collector's JSON, exported rows, or bare attributes.

Attributes are a mapping, or a list of keys and typed values; either way a span's are one flat table of dotted names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from ..model import Json
from ..positions import Path
from .draft import Draft
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
_HINTS: Final = frozenset((*_CONTAINERS, *_ATTRIBUTES, *_ROOTS, "event.name", "event_name", "eventName"))
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


@dataclass(slots=True, repr=False)
class Span:
    """One span or record: what was pasted, its attributes by name, and where each of them stands."""

    raw: dict[str, Json]
    path: Path
    attributes: dict[str, Json]
    paths: dict[str, Path]
    #: What is inside a list of events of the span, each as a record of its own.
    events: list[Span] = field(default_factory=list)

    def place_of(self, name: str) -> Path:
        """Where an attribute is kept: by its name, also where the attributes are a list of keys and values."""
        held = next((held for held in _ATTRIBUTES if isinstance(self.raw.get(held), list)), None)
        return self.paths[name] if held is None else (*self.path, held, name)

    @property
    def event(self) -> str:
        """The name of the event that this is; empty where it is none of a model's."""
        names = (
            self.attributes.get("event.name"),
            *map(self.raw.get, ("event.name", "event_name", "eventName", "name")),
        )
        return next((name for name in names if isinstance(name, str) and name.startswith("gen_ai.")), "")


def records_in(value: Json, path: Path, beside: Draft | None = None) -> Iterator[tuple[dict[str, Json], Path]]:
    """The spans and records in a value as they were pasted, in its order; what stands around them goes to `beside`."""
    level: list[tuple[Json, Path]] = [(value, path)]
    while level:
        item, at = level.pop()
        if isinstance(item, list):
            level += reversed([(inner, (*at, index)) for index, inner in enumerate(item)])
        elif isinstance(item, dict):
            if is_span(item):
                yield item, at
                continue
            held = [name for name in _CONTAINERS if isinstance(item.get(name), (dict, list))]
            level += reversed([(item[name], (*at, name)) for name in held])
            if beside is not None:
                beside.keep(item, held, at)


def attribute_names(raw: dict[str, Json]) -> Iterator[str]:
    """The names of a span's attributes, and of those of its events, as they come."""
    for record in (raw, *objects_in(raw.get("events"))):
        held = next((record[name] for name in _ATTRIBUTES if isinstance(record.get(name), (dict, list))), record)
        for name, value, _ in _members(held, ()):
            if name in _ROOTS and isinstance(value, dict):
                yield from (f"{name}.{inner}" for inner in value)
            yield name.removeprefix("attributes.")
        if held is not record:
            yield from (name for name in record if name.startswith(PREFIXES))


def may_hold_spans(names: frozenset[str]) -> bool:
    """Whether objects with these fields can be spans, or can hold some; quickly told, of every paste."""
    if not names.isdisjoint(_HINTS):
        return True
    # All of these hold a dot, and few other names do.
    return "." in "".join(names) and any(name.startswith(PREFIXES) for name in names)


def is_span(item: dict[str, Json]) -> bool:
    """Whether an object is a span or a record, and not what holds some."""
    if any(isinstance(item.get(name), (dict, list)) for name in _ATTRIBUTES):
        return "scopeSpans" not in item and "spans" not in item
    if any(name.startswith(PREFIXES) or name in ("event.name", "event_name", "eventName") for name in item):
        return True
    return any(isinstance(item.get(name), dict) for name in _ROOTS)


def span_of(raw: dict[str, Json], path: Path) -> Span:
    """A span with its attributes and events taken apart."""
    made = Span(raw, path, {}, {})
    held = next((name for name in _ATTRIBUTES if isinstance(raw.get(name), (dict, list))), None)
    if held is None:
        _flatten(raw, path, made)
    else:
        _flatten(raw[held], (*path, held), made)
        if any(name.startswith(PREFIXES) for name in raw):
            _flatten({name: value for name, value in raw.items() if name.startswith(PREFIXES)}, path, made)
    for name in ("events", "logs"):
        events = raw.get(name)
        if isinstance(events, list):
            for index, event in enumerate(events):
                if isinstance(event, dict):
                    made.events.append(_event(event, (*path, name, index)))
    return made


def _event(raw: dict[str, Json], path: Path) -> Span:
    made = Span(raw, path, {}, {})
    held = next((name for name in ("attributes", "fields") if isinstance(raw.get(name), (dict, list))), None)
    if held is not None:
        _flatten(raw[held], (*path, held), made)
    return made


def _flatten(raw: Json, at: Path, span: Span) -> None:
    for given, value, where in _members(raw, at):
        name = given.removeprefix("attributes.")
        if isinstance(value, dict) and name.partition(".")[0] in (*_ROOTS, "input", "output"):
            _flatten_nested(name, value, where, span)
        else:
            span.attributes[name] = value
            span.paths[name] = where


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
