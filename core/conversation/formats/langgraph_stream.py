"""Streams of LangGraph: states, updates by node, or messages; as its server sends them, or printed one a line.

A state holds all that came before it, so the last one is the conversation; updates hold what each node added.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from ..diagnostics import Place
from ..model import Json
from ..positions import Path
from ..remarks import Remark
from .draft import Draft, placed
from .events import events, has_events
from .format import NO_BODY, Format, Match, Medium
from .langchain import opened, read_messages, tells
from .source import LOOKED_AT, Source
from .streams import say_failed

_VALUES, _UPDATES, _PIECES, _WHOLE = "values", "updates", "messages", "messages/complete"
#: Events that hold messages, the best first: the whole state, what was added, whole messages, pieces of them.
_MODES: Final = (_VALUES, _UPDATES, _WHOLE, "messages/partial", _PIECES)
#: Events that say nothing of the conversation.
_ASIDE: Final = frozenset({"metadata", "end", "messages/metadata"})


class _Event(NamedTuple):
    mode: str
    value: Json
    at: Path | Place


def match_stream(source: Source) -> Match | None:
    """Score events by their names and messages, and records by the nodes they name."""
    if source.is_json:
        return _match_records(source)
    if not has_events(source.text, source.start):
        return None
    for event in islice(events(source.text, source.start, source.end), LOOKED_AT):
        mode = _mode(event.name)
        if mode in _MODES and any(tells(item) for item in _messages(mode, event.value)):
            return Match(0.97, f"events named `{mode}` with messages of LangChain")
    return None


def _match_records(source: Source) -> Match | None:
    objects = source.objects
    if isinstance(source.value, dict) and "messages" in source.value:
        return None  # one state, or a body
    if not objects or any(not item or len(item) > 20 for item in objects):
        return None
    if all("messages" in item for item in objects):
        grow = isinstance(source.value, list) and len(source.value) > 1 and _grow(source.value)
        return Match(0.96, "states of one thread, each with what came before") if grow else None
    if all(map(_is_update, objects)) and any(any(map(tells, _messages(_UPDATES, item))) for item in objects):
        return Match(0.95, "`messages` of LangChain by node")
    return None


def _is_update(item: dict[str, Json]) -> bool:
    return all(inner is None or isinstance(inner, (dict, list)) for inner in item.values())


def _grow(states: list[Json]) -> bool:
    """Whether each state of a list goes on from the one before it."""
    before: list[Json] = []
    for state in states:
        messages = state.get("messages") if isinstance(state, dict) else None
        if not isinstance(messages, list) or not _goes_on(messages, before):
            return False
        if not any(map(tells, messages[:LOOKED_AT])):
            return False
        before = messages
    return True


def _goes_on(messages: list[Json], before: list[Json]) -> bool:
    return messages[: len(before)] == before


def read_stream(source: Source, draft: Draft) -> None:
    """Read the best kind of events that stands there; the others repeat it in part, and are kept."""
    found = list(_events(source, draft))
    mode = next((mode for mode in _MODES if any(event.mode == mode for event in found)), "")
    if mode == _VALUES:
        _read_states([event for event in found if event.mode == mode], draft)
    else:
        last = {_id(one): event for event in found for one, _ in _items(event, mode)} if mode in _MODES[2:4] else {}
        items = [
            (one, at)
            for event in found
            for one, at in _items(event, mode)
            if not last or last[_id(one)] is event or _id(one) is None
        ]
        _read_items(items, draft)
    for event in found:
        if event.mode == "error":
            say_failed(event.value, event.at, draft)
        elif event.mode not in _ASIDE and event.mode != mode and event.value is not None:
            draft.extras.setdefault("other events", []).append(event.value)


def _events(source: Source, draft: Draft) -> Iterator[_Event]:
    if source.is_json:
        for value, path in source.records():
            held = isinstance(value, dict) and "messages" in value
            yield _Event(_VALUES if held else _UPDATES if isinstance(value, dict) else "", value, path)
        return
    for event in events(source.text, source.start, source.end):
        mode = "" if event.is_stray or (event.value is None and event.text) else _mode(event.name)
        yield _Event(
            mode if event.text != "null" else "end", event.value or event.text, source.at(event.start, event.end)
        )


def _mode(name: str) -> str:
    """The kind of an event; behind a bar stands the graph inside the graph that it is of."""
    return name.partition("|")[0]


def _messages(mode: str, value: Json) -> list[Json]:
    """The messages in the value of an event."""
    if mode == _UPDATES:
        nodes = list(value.values()) if isinstance(value, dict) else []
        held = [one for node in nodes for one in (node if isinstance(node, list) else [node])]
        return [one for node in held if isinstance(node, dict) for one in _listed(node.get("messages"))]
    if mode == _VALUES:
        return _listed(value.get("messages")) if isinstance(value, dict) else []
    items = _listed(value)
    # A piece stands with what is known of it.
    return items[:1] if mode == _PIECES else items


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [value] if isinstance(value, dict) else []


def _items(event: _Event, mode: str) -> list[tuple[Json, Path | Place]]:
    return [(one, event.at) for one in _messages(mode, event.value)] if event.mode == mode else []


def _id(message: Json) -> str | None:
    one = opened(message, ())
    given = one.data.get("id") if one is not None else None
    return given if isinstance(given, str) else None


def _read_items(items: list[tuple[Json, Path | Place]], draft: Draft) -> None:
    """Read messages, each at the place of its event."""
    if all(isinstance(at, tuple) for _, at in items):
        read_messages([(one, at) for one, at in items if isinstance(at, tuple)], draft)
        return
    made = Draft()
    read_messages([(one, (index,)) for index, (one, _) in enumerate(items)], made)

    def place_of(at: Path | Place | None) -> Path | Place | None:
        return items[at[0]][1] if isinstance(at, tuple) and at and isinstance(at[0], int) else at

    made.instructions_at = [place_of(at) or () for at in made.instructions_at]
    made.messages_at = [place_of(at) or () for at in made.messages_at]
    made.remarks = [
        Remark(one.severity, one.code, one.message, one.next_step, *placed(place_of(one.path) or one.place))
        for one in made.remarks
    ]
    draft.take(made)
    draft.stop_reason = made.stop_reason


def _read_states(states: list[_Event], draft: Draft) -> None:
    """Read the last state; one before it that holds what the last does not is kept."""
    last = states[-1]
    messages = _messages(_VALUES, last.value)
    if isinstance(last.at, tuple):
        read_messages([(one, (*last.at, "messages", index)) for index, one in enumerate(messages)], draft)
        draft.keep(last.value, ("messages",), last.at)
    else:
        _read_items([(one, last.at) for one in messages], draft)
        if isinstance(last.value, dict):
            draft.keep(last.value, ("messages",), ())
    if len(states) > 1:
        note = f"Of {len(states):,} states of one thread the last is read; it holds the others."
        draft.note("states-of-one-thread", note, last.at)
    for state in states[:-1]:
        if not _goes_on(messages, _messages(_VALUES, state.value)):
            draft.extras.setdefault("earlier states", []).append(state.value)
            message = "This state holds messages that the last one does not; it is kept aside."
            draft.warn("state-superseded", message, "To look at it, paste it alone.", state.at)


LANGGRAPH_STREAM = Format(
    "langgraph-stream",
    "LangGraph stream",
    "events `values`, `updates`, `messages` with messages of LangChain; updates or growing states one a line",
    "states before the last, and how a message was cut into pieces",
    match_stream,
    read_stream,
    medium=Medium.BOTH,
    tells=NO_BODY,
)
