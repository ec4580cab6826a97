"""OpenHands events: a list of actions and observations, or rows of an output file that hold one under `history`."""

from __future__ import annotations

from collections.abc import Iterator

from ..model import Json, Role, Text
from ..positions import Path
from .draft import Draft
from .format import Format, Match
from .listed_record import draft_of
from .openhands_events import PROVIDER, Events
from .openhands_sdk import is_sdk_event, read_sdk_event
from .source import LOOKED_AT, Source
from .wrapping import keep_inside

#: Fields of a row, or of an answer of its server, that hold the events.
_LISTS = ("history", "trajectory", "events")
#: What stands beside an action, and beside an observation.
_ACTION, _OBSERVATION = frozenset({"args", "source"}), frozenset({"extras", "cause", "source"})


def match_openhands(source: Source) -> Match | None:
    """Score events by what stands beside `action` or `observation`, at the root or in a row."""
    for item in source.objects:
        if is_event(item):
            return Match(
                0.97, f"events with `{'action' if 'action' in item else 'observation'}`, `source` and the like"
            )
        if name := _list_in(item):
            return Match(0.97, f"`{name}` of events with `action` and `observation`")
    return None


def is_event(value: Json) -> bool:
    """Whether a value is an event, of either version."""
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("action"), str) and isinstance(value.get("args"), dict):
        return not _ACTION.isdisjoint(value)
    if isinstance(value.get("observation"), str) and isinstance(value.get("content"), (str, list)):
        return not _OBSERVATION.isdisjoint(value)
    return is_sdk_event(value)


def _list_in(row: Json) -> str:
    """The field of a row that holds events; empty where there is none."""
    held = (name for name in _LISTS if isinstance(row, dict) and isinstance(row.get(name), list))
    return next((name for name in held if any(is_event(e) for e in _flat(row[name][:LOOKED_AT]))), "")


def _flat(events: list[Json]) -> Iterator[Json]:
    """The events of a list; older rows keep an action and its observation as a pair."""
    for event in events:
        yield from event if isinstance(event, list) else (event,)


def read_openhands(source: Source, draft: Draft) -> None:
    """Read the events as one conversation, or each row as one."""
    rows = [(value, at, _list_in(value)) for value, at in source.records()]
    if not any(name for _, _, name in rows):
        _read_events([(value, at) for value, at, _ in rows], draft)
        return
    for value, at, name in rows:
        if not name and not _is_row(value):
            keep_inside(value, at, source, draft, "This row")
            continue
        _read_row(value, name, at, draft_of(value.get("instance_id"), at, source, draft))


def _is_row(value: Json) -> bool:
    return isinstance(value, dict) and isinstance(value.get("instance_id"), str) and "history" in value


def _read_row(row: dict[str, Json], name: str, at: Path, draft: Draft) -> None:
    read = {name}
    events = row[name] if name else []
    asked = row.get("instruction")
    if isinstance(asked, str) and asked and not any(_asks(event) for event in _flat(events)):
        draft.add(Role.USER, (Text(asked),), (*at, "instruction"))
        read.add("instruction")
    _read_events([(event, (*at, name, index)) for index, event in enumerate(events)], draft)
    draft.keep(row, read, at)


def _asks(event: Json) -> bool:
    return isinstance(event, dict) and event.get("source") == "user"


def _read_events(events: list[tuple[Json, Path]], draft: Draft) -> None:
    reader = Events(draft)
    for value, at in events:
        pair = (
            [(inner, (*at, index)) for index, inner in enumerate(value)] if isinstance(value, list) else [(value, at)]
        )
        for event, where in pair:
            if is_sdk_event(event):
                read_sdk_event(event, where, draft)
            elif is_event(event):
                reader.read(event, where)
            else:
                draft.add_unread(None, PROVIDER, event, where)
    reader.end()


OPENHANDS_EVENTS = Format(
    "openhands-events",
    "OpenHands events",
    "events with `action` and `args`, or `observation` and `extras`; rows with a `history` of them",
    "nothing; records of the harness, metrics and model replies are kept as extras",
    match_openhands,
    read_openhands,
    fields=frozenset({*_LISTS, "action", "observation", "kind"}),
    example="openhands-output-row",
)
