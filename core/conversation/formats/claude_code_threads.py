"""Which conversation of a Claude Code session file a record belongs to, and which of its turns were taken back.

A session and each of its subagents (`isSidechain`) are conversations of their own, never merged. A session that was
resumed may go on under another id: its first turn then names the last one of the old id as its parent. Where the user
went back and wrote something else, the turns on the branch that was left are no part of the conversation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ..model import Json
from ..positions import Path
from .claude_code_turns import has_results, message_in


class Entry(NamedTuple):
    """One record, where it stands, and its message (None where it is no turn)."""

    record: dict[str, Json]
    at: Path
    message: dict[str, Json] | None


@dataclass(slots=True)
class Thread:
    """The records of one conversation, in order."""

    #: The id of the session; None where no record names one.
    session: str | None
    is_subagent: bool
    entries: list[Entry] = field(default_factory=list)
    #: Where it goes on under another id of the session.
    resumed: list[Path] = field(default_factory=list)

    @property
    def has_turn(self) -> bool:
        """Whether a record has a message."""
        return any(entry.message is not None for entry in self.entries)


class Threads:
    """Sorts the records of a file into its conversations, in the order in which they begin."""

    def __init__(self) -> None:
        self.threads: list[Thread] = []
        #: Records of no session, and what is no record.
        self.loose: list[tuple[Json, Path]] = []
        self._main: dict[str | None, Thread] = {}
        #: Subagents by session and agent, and by the records that are known to be theirs.
        self._by_agent: dict[tuple[str | None, str], Thread] = {}
        self._by_uuid: dict[tuple[str | None, str], Thread] = {}
        self._session: str | None = None

    def add(self, record: Json, at: Path) -> None:
        """Put a record where it belongs."""
        if not isinstance(record, dict):
            self.loose.append((record, at))
            return
        message, named = message_in(record), record.get("sessionId")
        session = named if isinstance(named, str) and named else None
        if session is not None:
            self._session = session
        elif message is None and record.get("uuid") is None:
            self.loose.append((record, at))
            return
        progress = _progress(record)
        if progress is not None:
            agent = record["data"].get("agentId") or record.get("parentToolUseID")
            rest = {key: value for key, value in record["data"].items() if key != "message"}
            self._subagent(self._session, agent, progress).entries += (
                Entry({**record, "data": rest}, at, None),
                Entry(progress, (*at, "data", "message"), message_in(progress)),
            )
            return
        entry = Entry(record, at, message)
        if record.get("isSidechain") is True:
            self._subagent(self._session, record.get("agentId"), record).entries.append(entry)
            return
        if self._session not in self._main:
            self._main[self._session] = self._begin(self._session, is_subagent=False)
        self._main[self._session].entries.append(entry)

    def _subagent(self, session: str | None, agent: Json, record: dict[str, Json]) -> Thread:
        """The subagent of a record: that of its parent, else the one of its id, else a new one."""
        parent, uuid = record.get("parentUuid"), record.get("uuid")
        found = self._by_uuid.get((session, parent)) if isinstance(parent, str) else None
        if found is None and isinstance(agent, str):
            found = self._by_agent.get((session, agent))
        if found is None:
            found = self._begin(session, is_subagent=True)
        if isinstance(agent, str):
            self._by_agent.setdefault((session, agent), found)
        if isinstance(uuid, str):
            self._by_uuid[session, uuid] = found
        return found

    def _begin(self, session: str | None, *, is_subagent: bool) -> Thread:
        self.threads.append(Thread(session, is_subagent))
        return self.threads[-1]

    def join_resumed(self) -> None:
        """Put what a session wrote under a new id behind what it wrote under the old one; call it when all is added."""
        #: By their last records: the threads that may go on.
        ending: dict[str, Thread] = {}
        joined: set[int] = set()
        for thread in self.threads:
            if thread.is_subagent or not thread.has_turn:
                continue
            top = _top(thread)
            goes_on = ending.get(top) if top is not None else None
            if goes_on is not None and top in _end(goes_on) and goes_on.entries[-1].at < thread.entries[0].at:
                goes_on.resumed.append(thread.entries[0].at)
                goes_on.entries += thread.entries
                goes_on.session = thread.session
                joined.add(id(thread))
            else:
                goes_on = thread
            ending |= dict.fromkeys(_end(thread), goes_on)
        self.threads = [thread for thread in self.threads if id(thread) not in joined]


def _top(thread: Thread) -> str | None:
    """The parent that the first turn has outside of its thread."""
    parents = {
        uuid: entry.record.get("parentUuid")
        for entry in thread.entries
        if isinstance(uuid := entry.record.get("uuid"), str)
    }
    first = next(entry.record for entry in thread.entries if entry.message is not None)
    at, seen = first.get("parentUuid"), set[str]()
    while isinstance(at, str) and at in parents and at not in seen:
        seen.add(at)
        at = parents[at]
    return at if isinstance(at, str) and at not in parents else None


def _end(thread: Thread) -> list[str]:
    """The records from the last turn on."""
    uuids: list[str] = []
    for entry in reversed(thread.entries):
        if isinstance(uuid := entry.record.get("uuid"), str):
            uuids.append(uuid)
        if entry.message is not None:
            break
    return uuids


def _progress(record: dict[str, Json]) -> dict[str, Json] | None:
    """The message record of a subagent that stands in a record of its progress."""
    given = record.get("data") if record.get("type") == "progress" else None
    inner = given.get("message") if isinstance(given, dict) else None
    return inner if isinstance(inner, dict) and message_in(inner) is not None else None


def is_prompt(entry: Entry) -> bool:
    """Whether a user wrote a record, rather than a tool or the harness."""
    record = entry.record
    if entry.message is None or record.get("type") != "user" or has_results(entry.message):
        return False
    return record.get("isMeta") is not True and record.get("isCompactSummary") is not True


def taken_back(entries: list[Entry]) -> set[int]:
    """Indexes of the entries on branches that the user left; each stretch between compactions is a tree by itself."""
    left: set[int] = set()
    first = 0
    for index, entry in enumerate(entries):
        if is_boundary(entry.record):
            left |= _left(entries, range(first, index))
            first = index
    return left | _left(entries, range(first, len(entries)))


def is_boundary(record: dict[str, Json]) -> bool:
    """Whether a record says that the conversation was compacted here."""
    return record.get("type") == "system" and record.get("subtype") == "compact_boundary"


def _left(entries: list[Entry], stretch: range) -> set[int]:
    """The branches beside the way from the last message up, at whose fork that way goes on with a prompt.

    Forks of other kinds are no choice of the user: results of parallel calls stand beside each other.
    """
    index_of = {uuid: i for i in stretch if isinstance(uuid := entries[i].record.get("uuid"), str)}
    parents = {
        i: index_of.get(parent) for i in stretch if isinstance(parent := entries[i].record.get("parentUuid"), str)
    }
    tip = next((i for i in reversed(stretch) if entries[i].message is not None), None)
    #: By each record on the way: whether the first message below it is a prompt.
    way: dict[int, bool] = {}
    below = False
    at = tip
    while at is not None and at not in way:
        way[at] = below
        below = is_prompt(entries[at]) if entries[at].message is not None else below
        at = parents.get(at)
    tops: dict[int, int] = {}
    for i in stretch:
        if i not in way:
            parent = parents.get(i)
            tops[i] = tops.get(parent, i) if parent is not None else i
    turns = {top for i, top in tops.items() if _is_turn(entries[i])}
    gone = {top for top in turns if (fork := parents.get(top)) is not None and way.get(fork)}
    return {i for i, top in tops.items() if top in gone}


def _is_turn(entry: Entry) -> bool:
    """Whether an entry is more than a result or a record of the harness."""
    return entry.message is not None and (entry.record.get("type") == "assistant" or is_prompt(entry))
