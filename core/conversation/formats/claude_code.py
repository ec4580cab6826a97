"""Claude Code session files: one record a line, several lines a message, and conversations of subagents in between."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, Final

from ..model import Json, Role
from ..positions import Path, path_text
from ..remarks import shown
from .anthropic_blocks import blocks_of
from .claude_code_threads import Entry, Thread, Threads, is_boundary, taken_back
from .claude_code_turns import Turns, first_words, is_hidden, message_in
from .draft import Draft
from .format import Format, Match, Source
from .session_records import kind_of

#: Fields of a record that say which file it is of.
_OWN: Final = frozenset({"sessionId", "parentUuid", "isSidechain"})
#: Records without a message that no other format has: their type, and a field beside it.
_BESIDE: Final = {
    "summary": "leafUuid",
    "file-history-snapshot": "snapshot",
    "queue-operation": "operation",
    "attachment": "attachment",
    "progress": "toolUseID",
}
#: Records that name a session, best first: their type, and the field with the name.
_TITLES: Final = (("custom-title", "customTitle"), ("ai-title", "aiTitle"), ("summary", "summary"))


def match_session(source: Source) -> Match | None:
    """Score records with a message and the fields of a session file, or records that only such files have."""
    for record in source.objects:
        kind = kind_of(record)
        if message_in(record) is not None and kind in ("user", "assistant", "system"):
            # With a `messageId` it is a prompt in a log of the Gemini CLI.
            own = None if "messageId" in record else min(_OWN & record.keys(), default=None)
            if own is None and "uuid" in record and "session_id" not in record and "timestamp" in record:
                own = "uuid"
            return None if own is None else Match(0.97, f"records of type `{kind}` with `message` and `{own}`")
    for record in source.objects:
        kind = kind_of(record)
        beside = _BESIDE.get(kind or "")
        if beside in record or (kind == "system" and "subtype" in record and "sessionId" in record):
            return Match(0.95, f"records of type `{kind}`")
    return None


def read_session(source: Source, draft: Draft) -> None:
    """Read the session and each of its subagents; several sessions are several conversations."""
    threads = Threads()
    for record, at in source.records():
        threads.add(record, at)
    threads.join_resumed()
    titles = _titles(threads)
    found = [thread for thread in threads.threads if thread.has_turn]
    # What belongs to no conversation is kept with the paste.
    outer = Turns(draft)
    for record, at in threads.loose:
        outer.kept.aside(kind_of(record), record, at)
    for thread in threads.threads:
        for entry in thread.entries if not thread.has_turn else ():
            outer.kept.aside(kind_of(entry.record), entry.record, entry.at)
    if not found:
        outer.finish()
        return
    several = len(found) > 1
    for thread in found:
        made = draft.begin("", thread.entries[0].at) if several else draft
        _read(thread, outer if made is draft else Turns(made))
        if thread.is_subagent:
            made.title = f"subagent: {first_words(made.messages)}"
        else:
            made.title = titles.get(thread.session or "", "")
    if several:
        outer.finish()
    _say_continued(found, draft)


def _titles(threads: Threads) -> dict[str, str]:
    """By session, what its file calls it; a summary names the session that its leaf stands in."""
    records = [(e.record, thread.session) for thread in threads.threads for e in thread.entries if e.message is None]
    records += [(record, None) for record, _ in threads.loose if isinstance(record, dict)]
    leaves: dict[str, str] = {}
    if any(record.get("type") == "summary" for record, _ in records):
        for thread in threads.threads:
            for entry in thread.entries:
                if isinstance(uuid := entry.record.get("uuid"), str):
                    leaves[uuid] = thread.session or ""
    titles: dict[str, str] = {}
    for kind, name in reversed(_TITLES):
        for record, session in records:
            title = record.get(name) if record.get("type") == kind else None
            leaf = record.get("leafUuid")
            of = leaves.get(leaf) if isinstance(leaf, str) else session
            if isinstance(title, str) and title and of is not None:
                titles[of] = shown(" ".join(title.split()), 80)
    return titles


def _read(thread: Thread, turns: Turns) -> None:
    draft = turns.draft
    draft.session_id = thread.session
    for at in thread.resumed:
        draft.note(
            "session-continued", "The session goes on here under another id; it is read as one conversation.", at
        )
    left = taken_back(thread.entries)
    seen: set[str] = set()
    for index, entry in enumerate(thread.entries):
        uuid = entry.record.get("uuid")
        if isinstance(uuid, str) and uuid in seen:
            draft.note("record-repeated", "This record stands here a second time; it is read once.", entry.at)
            turns.kept.keep(entry.record, entry.at)
            continue
        if isinstance(uuid, str):
            seen.add(uuid)
        if index in left:
            draft.extras.setdefault("turns taken back", {})[path_text(entry.at)] = entry.record
        else:
            _read_entry(entry, turns)
    if left:
        first = thread.entries[min(left)]
        count = sum(thread.entries[i].message is not None for i in left)
        message = f"The user went back to before this turn and wrote something else; {count:,} turns are kept aside."
        draft.note("turns-taken-back", message, first.at)
    turns.finish()


def _read_entry(entry: Entry, turns: Turns) -> None:
    record, at, message = entry
    draft = turns.draft
    if record.get("isApiErrorMessage") is True or record.get("subtype") == "api_error":
        _say_failed(record, turns, at)
    elif message is None:
        if prompt := _queued(record):
            turns.close()
            draft.add(Role.USER, blocks_of(prompt, (*at, "attachment", "prompt"), draft), at)
            draft.note("queued-prompt", "The user wrote this while the assistant worked; it is read where it came.", at)
            turns.kept.keep(record, at)
        elif record.get("type") == "queue-operation" and record.get("content"):
            turns.kept.aside(record.get("operation"), record, at, "queued-prompts")
        else:
            if is_boundary(record):
                draft.note("compacted", "The conversation was compacted here; the turns before it stay.", at)
            turns.kept.aside(record.get("subtype") or kind_of(record), record, at)
    elif is_hidden(record, message):
        turns.kept.aside(kind_of(record), record, at, "meta-records")
    else:
        if record.get("isCompactSummary") is True:
            text = "This message is the summary that stands for the turns before it; no user wrote it."
            draft.note("compact-summary", text, at)
        turns.add(record, message, at)


def _queued(record: dict[str, Json]) -> Any:
    """What a user wrote into the queue, where it was passed on to the model; None for all other attachments."""
    held = record.get("attachment") if record.get("type") == "attachment" else None
    if not isinstance(held, dict) or held.get("type") != "queued_command" or held.get("isMeta") is True:
        return None
    origin = held.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else None
    if held.get("commandMode", "prompt") != "prompt" or kind not in (None, "human"):
        return None
    prompt = held.get("prompt")
    return prompt if isinstance(prompt, (str, list)) else None


def _say_failed(record: dict[str, Json], turns: Turns, at: Path) -> None:
    turns.kept.keep(record, at)
    turns.draft.warn(
        "api-error",
        "A call of the API failed here. What the harness wrote about it is no answer of the model; it is kept aside.",
        "Look at the record, if the turn is missing.",
        at,
    )


def _say_continued(found: Iterable[Thread], draft: Draft) -> None:
    """Remark on sessions of the paste that go on from each other; they are not put together."""
    session_of: dict[str, str] = {}
    for thread in found:
        if thread.is_subagent or thread.session is None:
            continue
        for record, at, _ in islice(thread.entries, 50):
            other = session_of.get(parent) if isinstance(parent := record.get("parentUuid"), str) else None
            if other is not None and other != thread.session:
                text = "This session goes on from another one of the paste; the two are kept apart."
                draft.note("session-continued", text, at)
                break
        for record, _, _ in thread.entries:
            if isinstance(uuid := record.get("uuid"), str):
                session_of.setdefault(uuid, thread.session)


CLAUDE_CODE_JSONL: Final = Format(
    "claude-code-jsonl",
    "Claude Code session",
    "records with `sessionId`, `parentUuid` and a `message`",
    "which line a block came in; records of the harness and turns that were taken back are kept as extras",
    match_session,
    read_session,
    fields=frozenset({"sessionId", "parentUuid", "isSidechain", "leafUuid", "isSnapshotUpdate", "uuid", "operation"}),
    example="claude-code-split-message",
)
