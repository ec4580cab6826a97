"""Langfuse traces: each generation is a conversation; one observation, a list of them, or one a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ..model import Json
from ..positions import Path
from ..remarks import shown
from .draft import Draft
from .format import Format, Match
from .generation import is_nothing, read_generation
from .recorded import CALL, Recorded
from .source import Source, objects_in
from .wrapping import keep_inside

_AROUND: Final = frozenset({"SPAN", "AGENT", "CHAIN"})
_TYPES: Final = _AROUND | {"GENERATION", "EVENT", "TOOL", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL"}
#: Fields that only traces and observations have beside what went in and came out.
_TELLING: Final = ("traceId", "trace_id", "projectId", "project_id", "parentObservationId", "usageDetails", "htmlPath")
#: Fields of an exported trace, two of which tell.
_OF_TRACE: Final = ("sessionId", "userId", "bookmarked", "timestamp", "release", "latency", "totalCost", "scores")
_PARENTS: Final = ("parentObservationId", "parent_observation_id")
_SESSIONS: Final = ("sessionId", "session_id")


class _Observation(NamedTuple):
    raw: dict[str, Json]
    at: Path
    trace: str
    session: str | None


def match_langfuse(source: Source) -> Match | None:
    """Score traces by their observations, and observations by their type."""
    for item in source.objects:
        inside = objects_in(item.get("observations")) or objects_in(item.get("data"))
        if any(map(_is_observation, inside)):
            return Match(0.97, f"`observations` of type `{shown(inside[0].get('type'))}`")
        if "observations" in item and isinstance(item.get("trace"), dict):
            return Match(0.97, "`trace` with `observations`")
        if _is_observation(item):
            return Match(0.97, f"an observation of type `{item['type']}`")
        if _is_trace(item):
            return Match(0.95, "a trace with `input` and `output`")
    return None


def _is_observation(item: dict[str, Json]) -> bool:
    kind = item.get("type")
    if not isinstance(kind, str) or kind.upper() not in _TYPES or not ("input" in item or "output" in item):
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
    for index, (value, at) in enumerate(source.records()):
        if not isinstance(value, dict):
            keep_inside(value, at, source, draft, "This record")
            continue
        held = next((name for name in ("observations", "data") if objects_in(value.get(name))), None)
        if held is None:
            yield _Observation(value, at, _trace_of(value, index), _session(value))
            continue
        outer = value.get("trace")
        trace, trace_at = (outer, (*at, "trace")) if isinstance(outer, dict) else (value, at)
        session = _session(trace)
        items = value[held] if isinstance(value[held], list) else [value[held]]
        for position, item in enumerate(items):
            where = (*at, held, position) if isinstance(value[held], list) else (*at, held)
            if not isinstance(item, dict):
                keep_inside(item, where, source, draft, "This observation")
            elif held == "data":
                yield _Observation(item, where, _trace_of(item, index), _session(item))
            else:
                yield _Observation(item, where, f"#{index}", session)
        fields = {name: inner for name, inner in trace.items() if name != held}
        if not (is_nothing(fields.get("input")) and is_nothing(fields.get("output"))):
            yield _Observation(fields, trace_at, f"#{index}", session)
        else:
            draft.keep(fields, (), trace_at)
        if trace is not value:
            draft.keep(value, ("trace", held), at)


def _read_observation(one: _Observation, source: Source, draft: Draft) -> bool:
    raw, at = one.raw, one.at
    asked, answered = raw.get("input"), raw.get("output")
    if is_nothing(asked) and is_nothing(answered):
        return False
    if not read_generation(asked, (*at, "input"), answered, (*at, "output"), source, draft):
        return False
    if raw.get("level") == "ERROR":
        step = "What stands here is not a whole answer; ask again."
        draft.warn("run-failed", "The observation reports an error.", step, (*at, "level"))
    draft.session_id = draft.session_id or one.session
    draft.keep(raw, ("input", "output"), at)
    return True


def _trace_of(raw: dict[str, Json], index: int) -> str:
    named = (raw.get(name) for name in ("traceId", "trace_id"))
    return next((name for name in named if isinstance(name, str) and name), f"#{index}")


def _session(raw: dict[str, Json]) -> str | None:
    named = (raw.get(name) for name in _SESSIONS)
    return next((name for name in named if isinstance(name, str) and name), None)


def _title(raw: dict[str, Json]) -> str:
    return " ".join(shown(raw[name], 40) for name in ("name", "id") if isinstance(raw.get(name), str) and raw[name])


LANGFUSE_TRACE = Format(
    "langfuse-trace",
    "Langfuse trace",
    "`observations` of type `GENERATION` with `input` and `output`; or observations by themselves",
    "nothing; the observations around the generations are kept as extras",
    match_langfuse,
    read_langfuse,
    fields=frozenset({"observations", "data", "input", "output"}),
    example="langfuse-generation-tool-defs-as-messages",
)
