"""Traces: each call of a model in them is a conversation; what ran around the calls is kept beside them."""

from __future__ import annotations

from itertools import islice
from typing import Final

from ..model import Json
from ..positions import Path
from ..remarks import shown
from .draft import Draft
from .format import Format, Match
from .otel_events import ROLE_OF, read_events
from .recorded import CALL, Recorded
from .source import Source
from .span_messages import FLAT, NUMBERED, read_span
from .spans import HINTS, Span, first_attribute, may_hold_spans, records_in, span_of

#: So many spans are looked at to tell whose they are.
_LOOKED_AT: Final = 60
#: So many values are looked at to find them.
_VISITED: Final = 150
_OPENINFERENCE: Final = (*FLAT, "openinference.")
#: What names of attributes start with that are no OpenInference.
_OTHERS: Final = ("gen_ai.", "traceloop.", "ai.prompt", "pydantic_ai.", "all_messages_events", "langfuse.observation.")
_NUMBERED: Final = tuple(f"{name}." for pair in NUMBERED for name in pair)


def _telling(source: Source, starts: tuple[str, ...]) -> str:
    """The first attribute of a span whose name starts so; empty where there is none."""
    if not may_hold_spans(source.fields):
        return ""
    return next((found for raw, _ in source.once(_front) if (found := first_attribute(raw, starts))), "")


def _front(source: Source) -> list[tuple[dict[str, Json], Path]]:
    """The first spans and records."""
    return list(islice(records_in(source.value, source.path, most=_VISITED), _LOOKED_AT))


def match_openinference(source: Source) -> Match | None:
    """Score spans with attributes of OpenInference."""
    found = _telling(source, _OPENINFERENCE)
    return Match(0.97, f"`{shown(_short(found))}` attributes") if found else None


def match_otel(source: Source) -> Match | None:
    """Score spans and events with attributes of GenAI."""
    if not may_hold_spans(source.fields):
        return None
    if any(isinstance(item.get("event.name"), str) and item["event.name"] in ROLE_OF for item in source.objects):
        return Match(0.96, "events of `gen_ai` messages")
    if found := _telling(source, (*_OTHERS, "mlflow.span", *_NUMBERED)):
        return Match(0.96, f"`{shown(_short(found))}` attributes")
    if not source.fields.isdisjoint(("resourceSpans", "resource_spans", "scopeSpans", "resourceLogs")):
        return Match(0.95, "`resourceSpans`")
    if any(span_of(raw, at).event in ROLE_OF for raw, at in source.once(_front)):
        return Match(0.95, "events of `gen_ai` messages")
    return None


def _short(name: str) -> str:
    """The name of an attribute up to its number."""
    return ".".join(part for part in name.split(".") if not part.isdigit())


def read_trace(source: Source, draft: Draft) -> None:
    """Read every call of a model; where there is none, what ran around them."""
    recorded = Recorded()
    events: list[Span] = []
    for raw, at in records_in(source.value, source.path, draft):
        span = span_of(raw, at)
        if span.event in ROLE_OF:
            events.append(span)
            continue
        made = Draft(_title(span), span.path)
        rank = read_span(span, source, made)
        if rank is None:
            recorded.leave(span.raw, span.path)
        else:
            recorded.add(made, rank, _trace(span), span.raw, span.path)
    for group in _grouped(events):
        made = Draft(at=group[0].path)
        read_events(group, made)
        recorded.add(made, CALL, _trace(group[0]), group[0].raw, group[0].path)
    if not recorded.settle(draft, "spans"):
        draft.fail(
            "no-conversation-text",
            "No span here holds messages; most likely their content was not recorded.",
            "Turn on the recording of message contents, and paste a span of a model call.",
            source.path,
        )


def _grouped(events: list[Span]) -> list[list[Span]]:
    """Records of a log by the span they belong to."""
    groups: dict[str, list[Span]] = {}
    for event in events:
        names = (event.raw.get(name) for name in ("spanId", "span_id", "traceId", "trace_id"))
        of = next((name for name in names if isinstance(name, str) and name), "")
        groups.setdefault(of, []).append(event)
    return list(groups.values())


def _trace(span: Span) -> str:
    """The trace that a span belongs to; empty where it names none."""
    context = span.raw.get("context")
    outer = context if isinstance(context, dict) else span.raw
    named = (outer.get(name) for name in ("traceId", "trace_id", "traceID", "context.trace_id"))
    return next((name for name in named if isinstance(name, str) and name), "")


def _title(span: Span) -> str:
    raw = span.raw
    context = raw.get("context")
    ids = (raw.get("spanId"), raw.get("span_id"), context.get("span_id") if isinstance(context, dict) else None)
    named = [raw.get("name"), raw.get("operationName"), *ids]
    return " ".join(shown(name, 40) for name in named if isinstance(name, str) and name)


_LOSES: Final = "nothing; further attributes and the spans around the calls are kept as extras"

OTEL_GENAI = Format(
    "otel-genai",
    "OpenTelemetry GenAI trace",
    "`gen_ai.input.messages`, `gen_ai.prompt.N` or `gen_ai` events in spans, log records or bare attributes",
    _LOSES,
    match_otel,
    read_trace,
    tells=HINTS | {"."},
    example="otel-genai-span",
)
OPENINFERENCE_SPAN = Format(
    "openinference-span",
    "OpenInference trace",
    "`llm.input_messages.N.message` or `openinference.span.kind` in spans or bare attributes",
    _LOSES,
    match_openinference,
    read_trace,
    tells=HINTS | {"."},
    example="openinference-flat-attributes",
)
