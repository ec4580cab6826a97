"""Codex CLI rollout files: items of OpenAI Responses one a line, wrapped in records, or bare in the first versions."""

from __future__ import annotations

from typing import Final

from ..model import Json
from ..positions import Path
from .codex_events import Mirrors, said_by, said_in
from .codex_exec_items import failed_call
from .codex_records import RECORDS, Reader, is_head, item_in
from .draft import Draft
from .format import Format, Match, Source
from .openai_responses_items import is_item
from .session_records import kind_of

_ENVELOPE: Final = frozenset({"timestamp", "type", "payload"})
#: Fields by which a rollout names the one that it was forked from.
_PARENTS: Final = ("forked_from_id", "parent_thread_id", "session_id")


def match_rollout(source: Source) -> Match | None:
    """Score records with a `payload`; of the first versions, a header and bare items."""
    for record in source.objects:
        if kind_of(record) in RECORDS and isinstance(record.get("payload"), dict):
            return Match(0.97, f"records of type `{record['type']}` with a `payload`")
    value = source.value
    if isinstance(value, dict):
        is_old = isinstance(value.get("session"), dict) and isinstance(value.get("items"), list)
        return Match(0.96, "`session` beside `items`") if is_old and any(map(is_item, value["items"][:20])) else None
    heads = any(record.get("record_type") == "state" or is_head(record) for record in source.objects)
    if heads and any(map(is_item, source.objects)):
        return Match(0.97, "a header, and items of OpenAI Responses")
    return None


def read_rollout(source: Source, draft: Draft) -> None:
    """Read each session of the paste; one that replays another it was forked from is one conversation with it."""
    sessions: list[_Session] = []
    value = source.value
    if isinstance(value, dict) and isinstance(value.get("items"), list):
        at = source.path
        head: list[tuple[Json, Path]] = [(value.get("session"), (*at, "session"))]
        records = head + [(item, (*at, "items", i)) for i, item in enumerate(value["items"])]
        draft.keep(value, ("session", "items"), at)
    else:
        records = list(source.records())
    for record, at in records:
        meta = _meta(record)
        if not sessions or (meta is not None and not sessions[-1].goes_on(meta)):
            sessions.append(_Session())
        sessions[-1].add(record, at, meta)
    with_turn = [session for session in sessions if session.has_turn]
    for session in sessions:
        if session in with_turn and len(with_turn) > 1:
            session.read(draft.begin("", session.records[0][1]))
        else:
            session.read(draft)


def _meta(record: Json) -> dict[str, Json] | None:
    """What a record says of the session that begins with it."""
    if not isinstance(record, dict):
        return None
    if kind_of(record) == "session_meta":
        payload = record.get("payload")
        return payload if isinstance(payload, dict) else {}
    return record if is_head(record) else None


class _Session:
    """The records of one session, and how they are read."""

    def __init__(self) -> None:
        #: Each record, where it stands, and its item with the steps to it.
        self.records: list[tuple[Json, Path, tuple[dict[str, Json], Path] | None]] = []
        self._has_events = False
        self.has_turn = False
        self._metas: list[dict[str, Json]] = []
        #: Ids of the session, and of those that it was forked from.
        self._known: set[Json] = set()
        #: Ids of the calls that ended with a failure, as an event says.
        self._failed: set[str] = set()

    def goes_on(self, meta: dict[str, Json]) -> bool:
        """Whether a header belongs to this session: its own again, or that of the one it was forked from."""
        named = meta.get("id")
        return not self.has_turn or not self._known or (isinstance(named, str) and named in self._known)

    def add(self, record: Json, at: Path, meta: dict[str, Json] | None) -> None:
        """Add the next record."""
        found = item_in(record)
        self.records.append((record, at, found))
        if meta is not None:
            self._metas.append(meta)
            named = (*(meta.get(name) for name in ("id", *_PARENTS)), _spawned_by(meta))
            self._known |= {name for name in named if isinstance(name, str)}
        elif found is not None:
            self.has_turn = True
        elif kind_of(record) == "event_msg" and isinstance(payload := record.get("payload"), dict):
            if said_in(payload) is not None:
                self.has_turn = self._has_events = True
            elif (call := failed_call(payload)) is not None:
                self._failed.add(call)

    def read(self, draft: Draft) -> None:
        """Read the records into a draft."""
        spoken = []
        if self._has_events:
            items = ((found[0], number) for number, (_, _, found) in enumerate(self.records) if found is not None)
            spoken = [(said, number) for item, number in items if (said := said_by(item)) is not None]
        reader = Reader(draft, Mirrors(spoken), self._failed)
        draft.session_id = next((i for meta in self._metas if isinstance(i := meta.get("id"), str) and i), None)
        for number, (record, at, found) in enumerate(self.records):
            if found is None:
                reader.read(record, at, number)
            else:
                reader.read_item(found[0], (*at, *found[1]))
                if found[1] and not record.keys() <= _ENVELOPE:
                    draft.keep(record, _ENVELOPE, at)
        reader.finish()


def _spawned_by(meta: dict[str, Json]) -> Json:
    """The session that started this one as its agent."""
    step: Json = meta
    for name in ("source", "subagent", "thread_spawn", "parent_thread_id"):
        step = step.get(name) if isinstance(step, dict) else None
    return step if isinstance(step, str) else None


CODEX_ROLLOUT_JSONL: Final = Format(
    "codex-rollout-jsonl",
    "Codex rollout",
    "records of type `session_meta`, `response_item` and `event_msg` with a `payload`",
    "times of items, and events that repeat them; other records are kept as extras",
    match_rollout,
    read_rollout,
    fields=frozenset({"payload", "record_type", "timestamp", "items"}),
    example="codex-rollout-response-items-only",
)
