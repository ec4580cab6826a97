"""What `codex exec --json` prints: events of a thread and its items; in the first versions messages under `msg`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..model import Json, Role
from ..positions import Path
from .codex_exec_items import BETWEEN_TURNS, Gathered, item_of
from .draft import Draft
from .format import Format, Match, Source
from .session_records import Kept, kind_of

_ITEM_EVENTS: Final = frozenset({"item.started", "item.updated", "item.completed"})
_EVENTS: Final = _ITEM_EVENTS | {"thread.started", "turn.started", "turn.completed", "turn.failed"}
#: Messages of the first versions that report a failure.
_FAILED: Final = frozenset({"error", "stream_error", "turn_aborted"})


def match_events(source: Source) -> Match | None:
    """Score records by the types of their events."""
    if known := source.types & _EVENTS:
        return Match(0.96, f"events of type `{min(known)}`")
    for record in source.objects:
        if isinstance(message := record.get("msg"), dict) and isinstance(message.get("type"), str) and "id" in record:
            return Match(0.95, "events with a `msg` of their own `type`")
    return None


def read_events(source: Source, draft: Draft) -> None:
    """Read each thread; a thread that is resumed goes on."""
    threads: dict[str, _Thread] = {}
    here: _Thread | None = None
    for record, at in source.records():
        if kind_of(record) == "thread.started":
            named = record.get("thread_id")
            name = named if isinstance(named, str) else ""
            here = threads.setdefault(name, _Thread(name))
        elif here is None:
            here = threads.setdefault("", _Thread(""))
        here.add(record, at)
    several = sum(bool(thread.items) for thread in threads.values()) > 1
    for thread in threads.values():
        thread.read(draft.begin("", thread.items[0].at) if several and thread.items else draft)


@dataclass(slots=True)
class _Item:
    """One item: its last state, and where its first one stands."""

    state: dict[str, Json]
    at: Path


class _Thread:
    """The events of one thread."""

    def __init__(self, name: str) -> None:
        self.items: list[_Item] = []
        self._name = name
        #: By id, the items of the run that goes on; each run counts anew.
        self._open: dict[str, _Item] = {}
        self._others: list[tuple[Json, Path]] = []
        #: What stands beside the items.
        self._beside: list[tuple[Json, Path]] = []

    def add(self, record: Json, at: Path) -> None:
        """Add the next event."""
        kind = kind_of(record)
        item = record.get("item") if kind in _ITEM_EVENTS else None
        message = record.get("msg") if isinstance(record, dict) else None
        old = item_of(message) if isinstance(message, dict) else None
        if isinstance(item, dict):
            self._item(item, (*at, "item"))
            if len(record) > 2:
                self._beside.append(({key: value for key, value in record.items() if key != "item"}, at))
        elif old is not None:
            self._item(old, (*at, "msg"))
            if len(record) > 2:
                self._beside.append(({key: value for key, value in record.items() if key != "msg"}, at))
        elif isinstance(record, dict) and record.keys() == {"prompt"} and isinstance(record["prompt"], str):
            self._item({"type": "user_message", "text": record["prompt"]}, at)
        else:
            self._others.append((record, at))
            if kind in ("thread.started", "turn.started"):
                self._open = {}
                if self.items:
                    self.items.append(_Item(BETWEEN_TURNS, at))

    def _item(self, state: dict[str, Json], at: Path) -> None:
        given = state.get("id")
        before = self._open.get(given) if isinstance(given, str) else None
        if before is not None and before.state.get("type") == state.get("type"):
            before.state = before.state | state
            return
        self.items.append(_Item(state, at))
        if isinstance(given, str):
            self._open[given] = self.items[-1]

    def read(self, draft: Draft) -> None:
        """Read the items into a draft, and say what else there was."""
        if self._name:
            draft.session_id = self._name
        gathered = Gathered(draft)
        for item in self.items:
            gathered.add(item.state, item.at)
        gathered.close()
        if draft.messages and draft.messages[0].role is not Role.USER:
            text = "The events begin with the assistant; the prompt of the run is not among them."
            draft.note("prompt-missing", text, None, "Put it in front, to route the whole conversation.")
        kept = Kept(draft)
        for rest, at in self._beside:
            kept.keep(rest, at)
        for record, at in self._others:
            _keep(record, at, kept)
        kept.remark()


def _keep(record: Json, at: Path, kept: Kept) -> None:
    """Keep an event that holds no item."""
    kind, message = kind_of(record), record.get("msg") if isinstance(record, dict) else None
    said = message if isinstance(message, dict) else record
    if kind in ("turn.failed", "error") or kind_of(message) in _FAILED:
        error = record.get("error") if kind == "turn.failed" else said
        why = error.get("message", error.get("reason")) if isinstance(error, dict) else error
        kept.failed(record, at, "The run broke off with an error", why)
    elif kind in _EVENTS or isinstance(message, dict):
        kept.aside(kind or kind_of(message), record, at)
    elif kind is None and isinstance(record, dict):
        kept.aside("configuration", record, at)
    else:
        kept.unread(record, at)


CODEX_EXEC_JSONL: Final = Format(
    "codex-exec-jsonl",
    "Codex exec events",
    "events of type `thread.started`, `turn.completed` and `item.completed`",
    "earlier states of an item; plans, usage and times are kept as extras",
    match_events,
    read_events,
    fields=frozenset({"item", "thread_id", "msg", "usage", "error", "type"}),
    priority=2,
)
