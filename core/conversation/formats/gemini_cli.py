"""Gemini CLI sessions: a log of messages that are written again as they grow, and taken back; before, one object."""

from __future__ import annotations

from typing import Final

from ..model import Block, Json, Reasoning, Role, ToolCall, ToolResult
from ..positions import Path
from ..remarks import shown
from .arguments import arguments
from .call_ids import CallIds
from .draft import Draft
from .format import Format, Match, Source
from .gemini_parts import PROVIDER, is_part, parts_of
from .session_records import Kept, kind_of

#: Types of messages that the program wrote to its user.
_NOTICES: Final = frozenset({"info", "error", "warning", "about", "help", "stats", "quit", "compression"})
_FAILED: Final = frozenset({"error", "cancelled"})
_LINE: Final = frozenset({"id", "timestamp", "type", "content"})
_READ: Final = {
    "user": frozenset({"type", "content"}),
    "gemini": frozenset({"type", "content", "thoughts", "toolCalls"}),
}
#: Without one of these only a list of messages can tell.
_TELLING: Final = frozenset({"projectHash", "$rewindTo", "$set", "type", "messageId"})
_CALL: Final = ("id", "name", "args", "status", "result")


def match_session(source: Source) -> Match | None:
    """Score the records of a log, or one object with all messages."""
    found = source.messages
    may_tell = not isinstance(source.value, dict) or not _TELLING.isdisjoint(source.fields)
    if found is not None and not may_tell and "type" not in found.front_fields:
        return None
    for record in source.objects:
        if "projectHash" in record and "sessionId" in record:
            inner = record.get("messages")
            own = "`messages`" if isinstance(inner, list) and inner else "`projectHash`"
            return Match(0.97, f"`sessionId` beside {own}")
        if isinstance(record.get("$rewindTo"), str) or isinstance(record.get("$set"), dict):
            name = "$rewindTo" if "$rewindTo" in record else "$set"
            return Match(0.96, f"records with `{name}`")
        if kind_of(record) == "gemini" and ("content" in record or "toolCalls" in record):
            return Match(0.96, "messages of type `gemini`")
        if {"messageId", "sessionId", "message"} <= record.keys() and isinstance(record["message"], str):
            return Match(0.96, "`messageId` beside `sessionId`")
        inner = record.get("messages")
        if isinstance(inner, list) and any(kind_of(m) == "gemini" for m in inner[:20]):
            return Match(0.96, "`messages` of type `gemini`")
    # Lines of the user alone.
    if source.types == {"user"} and all(record.keys() >= _LINE for record in source.objects):
        content = source.objects[0]["content"]
        score = 0.9 if isinstance(content, list) and content and is_part(content[0]) else 0.8
        return Match(score, "messages of type `user` with `id`, `timestamp` and `content`")
    return None


def read_sessions(source: Source, draft: Draft) -> None:
    """Replay the log of each session, and read what stands in the end."""
    logs: dict[str | None, _Log] = {}
    here = None
    for record, at in source.records():
        named = record.get("sessionId") if isinstance(record, dict) else None
        if here is None or (isinstance(named, str) and named != here.name):
            name = named if isinstance(named, str) else None
            here = logs.setdefault(name, _Log(name, at))
        here.add(record, at)
    several = sum(bool(log.messages) for log in logs.values()) > 1
    for log in logs.values():
        log.read(draft.begin(log.title, log.at) if several and log.messages else draft)


class _Log:
    """The records of one session, replayed as the program does."""

    def __init__(self, name: str | None, at: Path) -> None:
        self.name = name
        self.at = at
        self.title = ""
        #: The messages by id, in order; a later record of an id replaces the earlier one in its place.
        self.messages: dict[Json, tuple[dict[str, Json], Path]] = {}
        self._gone: list[Json] = []
        #: Where messages were taken out, and what is said of it.
        self._rewound: list[tuple[Path, str]] = []
        #: What is no message, and whether it is known what it is.
        self._others: list[tuple[Json, Path, bool]] = []

    def add(self, record: Json, at: Path) -> None:
        """Replay the next record."""
        if not isinstance(record, dict):
            self._others.append((record, at, False))
        elif isinstance(target := record.get("$rewindTo"), str):
            self._rewind(target, at)
        elif isinstance(changes := record.get("$set"), dict):
            self._set(changes, (*at, "$set"))
        elif "type" in record or "role" in record:
            given = record.get("id", record.get("messageId"))
            # What has no id is never replaced.
            self.messages[given if isinstance(given, (str, int)) else at] = (record, at)
        elif "sessionId" in record or "projectHash" in record:
            self._set(record, at)
        else:
            self._others.append((record, at, False))

    def _rewind(self, target: str, at: Path) -> None:
        """Take back the message of this id and all behind it; where it is unknown, all of them stand behind it."""
        gone = []
        while self.messages:
            given, (record, _) = self.messages.popitem()
            gone.append(record)
            if given == target:
                break
        self._take_back(gone[::-1], "The user went back here", at)

    def _set(self, changes: dict[str, Json], at: Path) -> None:
        summary = changes.get("summary")
        if isinstance(summary, str) and summary:
            self.title = shown(" ".join(summary.split()), 80)
        rest = {key: value for key, value in changes.items() if key != "messages"}
        messages = changes.get("messages")
        if isinstance(messages, list) and messages:
            ids = {m.get("id") for m in messages if isinstance(m, dict) and isinstance(m.get("id"), (str, int))}
            gone = [record for given, (record, _) in self.messages.items() if given not in ids]
            self._take_back(gone, "All messages were replaced here", at)
            self.messages.clear()
            for index, message in enumerate(messages):
                self.add(message, (*at, "messages", index))
        elif messages:
            rest["messages"] = messages
        self._others.append((rest, at, True))

    def _take_back(self, gone: list[dict[str, Json]], why: str, at: Path) -> None:
        if gone:
            self._gone += gone
            self._rewound.append(
                (at, f"{why}; {len(gone):,} messages before it are no part of it any more. Kept aside.")
            )

    def read(self, draft: Draft) -> None:
        """Read the messages that are left, and say what is not among them."""
        draft.session_id = self.name
        draft.title = draft.title or self.title
        kept = Kept(draft)
        for record, at, known in self._others:
            if known:
                kept.keep(record, at)
            else:
                kept.unread(record, at)
        if self._gone:
            draft.extras["turns taken back"] = self._gone
        for at, text in self._rewound:
            draft.note("turns-taken-back", text, at)
        reader = _Messages(draft, kept)
        for record, at in self.messages.values():
            reader.read(record, at)
        kept.remark()


class _Messages:
    """Reads the messages of a session."""

    def __init__(self, draft: Draft, kept: Kept) -> None:
        self._draft = draft
        self._kept = kept
        self._ids = CallIds(draft)
        #: Calls with a result that a message of the assistant records beside its parts.
        self._recorded: set[str] = set()

    def read(self, record: dict[str, Json], at: Path) -> None:
        """Read one message."""
        draft, named = self._draft, record.get("type", record.get("role"))
        kind = named if isinstance(named, str) else None
        if kind in _NOTICES and kind != "error":
            self._kept.aside(kind, record, at)
            return
        if kind == "error":
            self._kept.keep(record, at)
            text = "The program reports an error here; it is no turn, and kept aside."
            draft.warn("api-error", text, "Look at the record, if the turn is missing.", at)
            return
        if kind is None or kind not in _READ:
            draft.add_unread(named, PROVIDER, record, at)
            return
        read = _READ[kind]
        if kind == "gemini":
            self._gemini(record, at)
        else:
            name = "content" if "content" in record or "message" not in record else "message"
            if self._user(record.get(name), (*at, name), at):
                read |= {name}
            else:
                read -= {name}
        if rest := {key: value for key, value in record.items() if key not in read}:
            self._kept.keep(rest, at)

    def _user(self, content: Json, where: Path, at: Path) -> bool:
        """Read what a user says; whether that is all of it, without results that the calls before hold already."""
        parts = content if isinstance(content, list) else [content]
        fresh = [(part, (*where, i)) for i, part in enumerate(parts) if not self._is_recorded(part)]
        if fresh or not parts:
            blocks = [block for part, place in fresh for block in parts_of(part, place, self._draft, self._ids)]
            self._draft.add(Role.USER, blocks, at)
        return len(fresh) == len(parts)

    def _is_recorded(self, part: Json) -> bool:
        held = part.get("functionResponse", part.get("functionCall")) if isinstance(part, dict) else None
        return isinstance(held, dict) and isinstance(held.get("id"), str) and held["id"] in self._recorded

    def _gemini(self, record: dict[str, Json], at: Path) -> None:
        draft, ids = self._draft, self._ids
        ids.turn()
        thoughts, calls = record.get("thoughts"), record.get("toolCalls")
        blocks: list[Block] = []
        for index, thought in enumerate(thoughts if isinstance(thoughts, list) else [thoughts] if thoughts else []):
            blocks.append(_thought(thought, (*at, "thoughts", index), draft))
        placed = [(call, (*at, "toolCalls", i)) for i, call in enumerate(calls if isinstance(calls, list) else [])]
        recorded = [(call, place) for call, place in placed if isinstance(call, dict)]
        self._recorded |= {call["id"] for call, _ in recorded if isinstance(call.get("id"), str)}
        content = record.get("content")
        if isinstance(content, list) and recorded:
            names = {call["name"] for call, _ in recorded if isinstance(call.get("name"), str)}
            content = [part for part in content if not (self._is_recorded(part) or _called(part) in names)]
        blocks += parts_of(content, (*at, "content"), draft, ids, joined=True)
        blocks += [self._call(call, place) for call, place in recorded]
        results = [result for call, place in recorded for result in _results(call, place, draft, ids)]
        if any(not isinstance(call, dict) for call, _ in placed) or (calls and not isinstance(calls, list)):
            blocks.append(draft.unknown(PROVIDER, calls, "A list of calls of another shape", (*at, "toolCalls")))
        draft.add(Role.ASSISTANT, blocks, at)
        if results:
            draft.add(Role.TOOL, results, (*at, "toolCalls"))

    def _call(self, call: dict[str, Json], at: Path) -> ToolCall:
        draft, named = self._draft, call.get("name")
        name = named if isinstance(named, str) else ""
        if not name:
            draft.warn("call-without-name", "This tool call names no tool.", "Add the name of the tool.", at)
        draft.keep(call, _CALL if isinstance(named, str) or named is None else ("id", "args", "status", "result"), at)
        args = call.get("args")
        read = {} if args is None else arguments(args, name, draft, (*at, "args"))
        return ToolCall(self._ids.call(call.get("id"), name, at), name, read)


def _called(part: Json) -> Json:
    """The name in a part that is a call without an id; None for all other parts."""
    held = part.get("functionCall") if isinstance(part, dict) else None
    name = held.get("name") if isinstance(held, dict) and held.get("id") is None else None
    return name if isinstance(name, str) else None


def _thought(thought: Json, at: Path, draft: Draft) -> Block:
    if isinstance(thought, str):
        return Reasoning(thought)
    if not isinstance(thought, dict):
        return draft.unknown(PROVIDER, thought, "A thought of another shape", at)
    texts = {name: text for name in ("subject", "description") if isinstance(text := thought.get(name), str) and text}
    draft.keep(thought, texts, at)
    return Reasoning("\n".join(texts.values()))


def _results(call: dict[str, Json], at: Path, draft: Draft, ids: CallIds) -> list[ToolResult]:
    """What a call gave back, and whether its status says that it failed; nothing where it never ended."""
    status, result = str(call.get("status")), call.get("result")
    failed = status in _FAILED
    if result in (None, [], "") and not failed:
        return []
    name = call.get("name") if isinstance(call.get("name"), str) else ""
    blocks = parts_of(result, (*at, "result"), draft, CallIds(Draft()))
    content: list[Block] = []
    for block in blocks:
        content += block.content if isinstance(block, ToolResult) else (block,)
    given = ids.result(call.get("id"), str(name), at)
    return [ToolResult(given, tuple(content), True if failed else False if status == "success" else None)]


GEMINI_CLI_SESSION: Final = Format(
    "gemini-cli-session",
    "Gemini CLI session",
    "records with `$set` and `$rewindTo`; messages of type `gemini` with `toolCalls`; `sessionId` beside `projectHash`",
    "earlier states of a message; messages that were taken back, and notices of the program, are kept as extras",
    match_session,
    read_sessions,
    fields=frozenset({"projectHash", "$set", "$rewindTo", "type", "messages"}),
    tells=_TELLING,
    example="gemini-cli-session-rewind",
    priority=2,
)
