"""Langfuse traces: each generation is a conversation; one observation, a list of them, or one a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from ..model import Json
from ..positions import Path, path_text
from ..remarks import shown
from .draft import Draft
from .format import Format, Match
from .generation import is_nothing, read_generation
from .langfuse_events import is_event, observations_of
from .recorded import CALL, Recorded
from .source import Source, objects_in
from .span_messages import read_span
from .spans import span_of
from .wrapping import keep_inside

_AROUND: Final = frozenset({"SPAN", "AGENT", "CHAIN"})
_TYPES: Final = _AROUND | {"GENERATION", "EVENT", "TOOL", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL"}
#: Fields that only traces and observations have beside what went in and came out.
_TELLING: Final = ("traceId", "trace_id", "projectId", "project_id", "parentObservationId", "usageDetails", "htmlPath")
#: Fields of an exported trace, two of which tell.
_OF_TRACE: Final = ("sessionId", "userId", "bookmarked", "timestamp", "release", "latency", "totalCost", "scores")
#: Where what went in and what came out stand, newer names first.
_HELD: Final = ("input", "output", "prompt", "completion")
_PARENTS: Final = ("parentObservationId", "parent_observation_id")
_SESSIONS: Final = ("sessionId", "session_id")


class _Observation(NamedTuple):
    raw: dict[str, Json]
    at: Path
    trace: str
    session: str | None
    #: Of one that was put together from events, where its fields stand.
    paths: Mapping[str, Path] = {}


def match_langfuse(source: Source) -> Match | None:
    """Score traces by their observations, and observations by their type."""
    for item in source.objects:
        events = objects_in(item.get("batch")) or [item]
        if any(map(is_event, events)):
            return Match(0.97, "events that create or update traces and observations")
        inside = objects_in(item.get("observations")) or objects_in(item.get("data"))
        if any(map(_is_observation, inside)):
            return Match(0.97, f"`observations` of type `{shown(inside[0].get('type'))}`")
        if "data" in item and any(map(_is_trace, inside)):
            return Match(0.95, "`data` with traces that have `input` and `output`")
        if "observations" in item and isinstance(item.get("trace"), dict):
            return Match(0.97, "`trace` with `observations`")
        if _is_observation(item):
            return Match(0.97, f"an observation of type `{item['type']}`")
        if _is_trace(item):
            return Match(0.95, "a trace with `input` and `output`")
    return None


def _is_observation(item: dict[str, Json]) -> bool:
    kind = item.get("type")
    if not isinstance(kind, str) or kind.upper() not in _TYPES or item.keys().isdisjoint(_HELD):
        return False
    return kind.isupper() or any(name in item for name in _TELLING)


def _is_trace(item: dict[str, Json]) -> bool:
    if "type" in item or not ("input" in item and "output" in item):
        return False
    return any(name in item for name in _TELLING) or sum(name in item for name in _OF_TRACE) > 1


def read_langfuse(source: Source, draft: Draft) -> None:
    """Read every generation; of a trace without one, the outermost step, or the trace itself."""
    recorded = Recorded()
    for one in _observations(source, draft):
        kind = one.raw.get("type")
        kind = kind.upper() if isinstance(kind, str) else ""
        made = Draft(_title(one.raw), one.at)
        if (kind not in _AROUND and kind not in ("GENERATION", "", "TRACE")) or not _read_observation(
            one, source, made
        ):
            recorded.leave(one.raw, one.at)
        else:
            inner = any(one.raw.get(name) for name in _PARENTS)
            rank = CALL if kind == "GENERATION" else CALL + 3 if kind in ("", "TRACE") else CALL + 1 + inner
            recorded.add(made, rank, one.trace, one.raw, one.at)
    if not recorded.settle(draft, "observations"):
        draft.fail(
            "no-messages",
            "No observation here holds messages.",
            "Paste a generation with its input, or turn on the recording of inputs and outputs.",
            source.path,
        )


def _observations(source: Source, draft: Draft) -> Iterator[_Observation]:
    """All observations, each with its trace; a trace itself stands behind its own."""
    events: list[tuple[dict[str, Json], Path]] = []
    for index, (value, at) in enumerate(source.records()):
        if not isinstance(value, dict):
            keep_inside(value, at, source, draft, "This record")
        elif is_event(value) or any(map(is_event, objects_in(value.get("batch")))):
            batch = value.get("batch")
            items = [(one, (*at, "batch", n)) for n, one in enumerate(batch)] if isinstance(batch, list) else []
            for one, where in items or [(value, at)]:
                if is_event(one):
                    events.append((one, where))
                    draft.keep(one, ("body",), where)
                else:
                    draft.extras[path_text(where)] = one
            if items:
                draft.keep(value, ("batch",), at)
        elif objects_in(value.get("data")) and "observations" not in value:
            items = _listed(value["data"], (*at, "data"))
            for one, where in items:
                yield from _of_record(one, where, str(where[-1]), source, draft)
            draft.keep(value, ("data",), at)
        else:
            yield from _of_record(value, at, str(index), source, draft)
    for made in observations_of(events):
        yield _Observation(made.raw, made.at, _trace_of(made.raw, ""), _session(made.raw), made.paths)


def _of_record(value: Json, at: Path, number: str, source: Source, draft: Draft) -> Iterator[_Observation]:
    """The observations of a trace and the trace behind them, or one observation by itself."""
    if not isinstance(value, dict):
        keep_inside(value, at, source, draft, "This record")
        return
    if not objects_in(value.get("observations")):
        yield _Observation(value, at, _trace_of(value, number), _session(value))
        return
    outer = value.get("trace")
    trace, trace_at = (outer, (*at, "trace")) if isinstance(outer, dict) else (value, at)
    session = _session(trace)
    for item, where in _listed(value["observations"], (*at, "observations")):
        if isinstance(item, dict):
            yield _Observation(item, where, f"#{number}", session)
        else:
            keep_inside(item, where, source, draft, "This observation")
    fields = {name: inner for name, inner in trace.items() if name != "observations"}
    if not (is_nothing(fields.get("input")) and is_nothing(fields.get("output"))):
        yield _Observation(fields, trace_at, f"#{number}", session)
    else:
        draft.keep(fields, (), trace_at)
    if trace is not value:
        draft.keep(value, ("trace", "observations"), at)


def _listed(value: Json, at: Path) -> list[tuple[Json, Path]]:
    """The items of a list with their paths; what is no list, alone."""
    return [(item, (*at, index)) for index, item in enumerate(value)] if isinstance(value, list) else [(value, at)]


def _read_observation(one: _Observation, source: Source, draft: Draft) -> bool:
    raw, at = one.raw, one.at
    # Older clients named them otherwise.
    given, replied = ("input" if "input" in raw else "prompt"), ("output" if "output" in raw else "completion")
    asked, answered = raw.get(given), raw.get(replied)
    read: set[str] = {given, replied}
    if not (is_nothing(asked) and is_nothing(answered)):
        asked_at, answered_at = one.paths.get(given, (*at, given)), one.paths.get(replied, (*at, replied))
        if not read_generation(asked, asked_at, answered, answered_at, source, draft):
            return False
    elif not _read_attributes(raw, at, source, draft):
        return False
    else:
        read.add("metadata")
    if raw.get("level") == "ERROR":
        step = "What stands here is not a whole answer; ask again."
        draft.warn("run-failed", "The observation reports an error.", step, one.paths.get("level", (*at, "level")))
    draft.session_id = draft.session_id or one.session
    draft.keep(raw, read, at)
    return True


def _read_attributes(raw: dict[str, Json], at: Path, source: Source, draft: Draft) -> bool:
    """Read the messages that a library left in the attributes of its span; whether there were some."""
    metadata = raw.get("metadata")
    attributes = metadata.get("attributes") if isinstance(metadata, dict) else None
    if not isinstance(metadata, dict) or not isinstance(attributes, dict):
        return False
    return read_span(span_of(metadata, (*at, "metadata")), source, draft) is not None


def _trace_of(raw: dict[str, Json], number: str) -> str:
    named = (raw.get(name) for name in ("traceId", "trace_id"))
    return next((name for name in named if isinstance(name, str) and name), f"#{number}")


def _session(raw: dict[str, Json]) -> str | None:
    named = (raw.get(name) for name in _SESSIONS)
    return next((name for name in named if isinstance(name, str) and name), None)


def _title(raw: dict[str, Json]) -> str:
    return " ".join(shown(raw[name], 40) for name in ("name", "id") if isinstance(raw.get(name), str) and raw[name])


LANGFUSE_TRACE = Format(
    "langfuse-trace",
    "Langfuse trace",
    "`observations` of type `GENERATION` with `input` and `output`; observations by themselves; ingestion events",
    "nothing; the observations around the generations are kept as extras",
    match_langfuse,
    read_langfuse,
    fields=frozenset({"observations", "data", "batch", "body", *_HELD}),
    example="langfuse-generation-tool-defs-as-messages",
)
