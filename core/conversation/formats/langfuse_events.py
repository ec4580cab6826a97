"""Langfuse's ingestion events: what its clients send, an observation in pieces that are put together by its id."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..model import Json
from ..positions import Path

_ENDS: Final = ("-create", "-update")
#: Kinds of events that say no type of observation in their body.
_OTHERS: Final = frozenset({"score", "sdk-log", "dataset-run-item"})


class Made(NamedTuple):
    """An observation or a trace, and where it and each of its fields stand."""

    raw: dict[str, Json]
    at: Path
    paths: dict[str, Path]


def is_event(raw: Json) -> bool:
    """Whether an object is an event that creates or updates a trace or an observation."""
    if not isinstance(raw, dict) or not isinstance(raw.get("body"), dict):
        return False
    kind = raw.get("type")
    return isinstance(kind, str) and kind.endswith(_ENDS) and kind.rpartition("-")[0] not in _OTHERS


def observations_of(events: list[tuple[dict[str, Json], Path]]) -> list[Made]:
    """What the events make, in the order in which each was first named; what a later one says counts."""
    made: dict[tuple[str, str], Made] = {}
    for number, (event, at) in enumerate(events):
        body, kind = event["body"], event["type"].rpartition("-")[0]
        own = body.get("type") if kind == "observation" else kind
        name = body.get("id")
        key = ("trace" if kind == "trace" else "", name if isinstance(name, str) and name else f"#{number}")
        one = made.setdefault(key, Made({}, (*at, "body"), {}))
        one.raw.setdefault("type", own.upper() if isinstance(own, str) else "")
        if kind == "trace" and isinstance(name, str):
            one.raw.setdefault("traceId", name)
        for field, value in body.items():
            if value is not None and field != "type":
                one.raw[field] = value
                one.paths[field] = (*at, "body", field)
    return list(made.values())
