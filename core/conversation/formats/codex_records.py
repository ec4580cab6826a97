"""The records of one Codex session, read one by one into a conversation."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from ..json_text import compact
from ..model import Json, Message, Role, Text, ToolResult, text_of
from ..normalized import block_to_json
from ..positions import Path, path_text
from .codex_events import Mirrors, Said, said_in
from .draft import Draft
from .openai_responses_items import is_item, read_items
from .session_records import Kept, kind_of

#: Types of records.
RECORDS: Final = frozenset(
    {"session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state"}
    | {"inter_agent_communication", "inter_agent_communication_metadata"}
)
#: Items that are the program's own notes, and no part of the conversation.
_NO_TURNS: Final = frozenset({"ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "other"})
_FAILED: Final = frozenset({"error", "stream_error", "turn_aborted"})
#: How messages start that the program writes in the name of the user; they begin no turn.
_CONTEXT: Final = re.compile(r"\s*+(?:<[a-z_]+[ >]|# AGENTS\.md)")
# Members are bound once: looking one up on its class costs more than the comparison it is for.
_USER = Role.USER


def is_head(record: Json) -> bool:
    """Whether a record is the header of a first version: an id and a time, and no type."""
    return (
        isinstance(record, dict) and record.keys().isdisjoint(("type", "role")) and {"id", "timestamp"} <= record.keys()
    )


def item_in(record: Json) -> tuple[dict[str, Json], Path] | None:
    """The item of a record, and the steps to it."""
    if not isinstance(record, dict):
        return None
    kind = kind_of(record)
    if kind == "response_item":
        payload = record.get("payload")
        return (payload, ("payload",)) if isinstance(payload, dict) else None
    if "payload" in record or kind in RECORDS:
        return None
    return (record, ()) if "role" in record or is_item(record) else None


class Reader:
    """Fills a draft record by record; items are gathered until something else stands between them."""

    def __init__(self, draft: Draft, mirrors: Mirrors, failed: Collection[str] = ()) -> None:
        """`failed` are the ids of the calls that events report as failed."""
        self._draft = draft
        self._failed = failed
        self._kept = Kept(draft)
        self._mirrors = mirrors
        self._items: list[tuple[Json, Path]] = []
        self._copies = 0
        #: Texts of the messages so far, by role, and how many messages they are of.
        self._known: set[tuple[Role, str]] = set()
        self._counted = 0

    def read_item(self, item: dict[str, Json], at: Path) -> None:
        """Read the next item."""
        kind, output = kind_of(item), item.get("output")
        if kind in _NO_TURNS:
            self._kept.aside(kind, item, at)
        elif kind == "local_shell_call" and not item.get("call_id") and isinstance(item.get("id"), str):
            self._items.append(({**item, "call_id": item["id"]}, at))
        elif kind == "tool_search_output" and "output" not in item and "tools" in item:
            found = {name: value for name, value in item.items() if name != "tools"}
            self._items.append(({**found, "output": compact(item["tools"])}, at))
        elif kind == "function_call_output" and isinstance(output, dict) and isinstance(output.get("success"), bool):
            # The first versions wrote the text of a result with a flag beside it.
            self._flush()
            text, given = output.get("content"), item.get("call_id")
            content = (Text(text),) if isinstance(text, str) and text else ()
            result = ToolResult(given if isinstance(given, str) else "", content, not output["success"])
            self._draft.add(Role.TOOL, (result,), at)
            self._draft.keep(output, ("success", "content") if isinstance(text, str) else ("success",), (*at, "output"))
        else:
            self._items.append((item, at))

    def read(self, record: Json, at: Path, number: int) -> None:
        """Read the next record that is no item; `number` counts all of the session."""
        kind = kind_of(record)
        payload = record.get("payload") if kind is not None else None
        if kind == "event_msg" and isinstance(payload, dict):
            self._event(payload, record, at, number)
        elif kind == "session_meta" and isinstance(payload, dict):
            self._meta(payload, record, at)
        elif kind == "compacted" and isinstance(payload, dict):
            self._compacted(payload, record, at)
        elif kind in RECORDS or is_head(record):
            self._kept.aside(kind or "header", record, at)
        elif isinstance(record, dict) and isinstance(record.get("record_type"), str):
            self._kept.aside(record["record_type"], record, at)
        else:
            self._kept.unread(record, at)

    def _event(self, payload: dict[str, Json], record: Json, at: Path, number: int) -> None:
        kind, said = kind_of(payload), said_in(payload)
        if said is not None:
            copied = self._mirrors.copy_of(said, number)
            if copied is not None:
                self._copies += 1
                if said.text.strip() not in copied:
                    self._kept.keep(record, at)
            elif said.speaker == "reasoning" and self._mirrors.has("reasoning"):
                self._kept.aside(kind, record, at)  # the plain text of what an item holds encrypted
            else:
                self._say(said, record, at)
        elif kind == "thread_rolled_back":
            self._roll_back(payload.get("num_turns"), record, at)
        elif kind in _FAILED:
            why = payload.get("reason", payload.get("message"))
            self._kept.failed(record, at, "The turn broke off here", why)
        else:
            self._kept.aside(kind or "event_msg", record, at)

    def _say(self, said: Said, record: Json, at: Path) -> None:
        """Read an event that no item repeats; it is read like the item that is missing."""
        self._draft.note("event-only", "This text stands in an event alone, not in an item; it is read from there.", at)
        self._kept.keep(record, at)
        kind = "output_text" if said.speaker == "assistant" else "input_text"
        if said.speaker == "reasoning":
            item: Json = {"type": "reasoning", "summary": [{"type": "summary_text", "text": said.text}]}
        else:
            item = {"type": "message", "role": said.speaker, "content": [{"type": kind, "text": said.text}]}
        self._items.append((item, at))

    def _meta(self, payload: dict[str, Json], record: Json, at: Path) -> None:
        self._kept.aside("session_meta", record, at)
        base = payload.get("base_instructions")
        text = base.get("text") if isinstance(base, dict) else base
        if isinstance(text, str) and text and not self._draft.instructions:
            self._flush()
            self._draft.add(Role.SYSTEM, (Text(text),), (*at, "payload", "base_instructions"))

    def _compacted(self, payload: dict[str, Json], record: Json, at: Path) -> None:
        """A compaction: the turns before it stay, and what takes their place is read where it is new."""
        self._flush()
        draft = self._draft
        draft.note("compacted", "The conversation was compacted here; the turns before it stay.", at)
        self._kept.aside("compacted", record, at)
        history, where = payload.get("replacement_history"), (*at, "payload", "replacement_history")
        self._known |= {(m.role, text_of(m.content)) for m in draft.messages[self._counted :]}
        self._counted = len(draft.messages)
        new = [
            (item, (*where, i))
            for i, item in enumerate(history if isinstance(history, list) else [])
            if isinstance(item, dict) and kind_of(item) not in _NO_TURNS and is_item(item)
        ]
        made = Draft()
        read_items(new, made)
        for message, stands_at in zip(made.messages, made.messages_at, strict=True):
            if (message.role, text_of(message.content)) not in self._known and text_of(message.content):
                draft.add(message.role, message.content, stands_at)
                draft.note("compact-summary", "This stands for the turns before it, since the compaction.", stands_at)
        if not draft.messages and isinstance(payload.get("message"), str) and payload["message"]:
            draft.add(_USER, (Text(payload["message"]),), (*at, "payload", "message"))
            draft.note("compact-summary", "This stands for the turns before the paste.", at)

    def _roll_back(self, turns: Json, record: Json, at: Path) -> None:
        """Take the last turns of the user back, with all that followed them."""
        self._flush()
        self._kept.keep(record, at)
        messages, count = self._draft.messages, turns if isinstance(turns, int) else 0
        cut = len(messages)
        while cut and count > 0:
            cut -= 1
            if messages[cut].role is _USER and not _CONTEXT.match(text_of(messages[cut].content)):
                count -= 1
        if cut < len(messages):
            gone = [_plain(message) for message in messages[cut:]]
            self._draft.extras.setdefault("turns taken back", {})[path_text(at)] = gone
            text = f"The user went back here; {len(gone):,} messages before it are taken out and kept aside."
            self._draft.note("turns-taken-back", text, at)
            del messages[cut:], self._draft.messages_at[cut:]
            self._counted = min(self._counted, cut)

    def _flush(self) -> None:
        if self._items:
            read_items(self._items, self._draft)
            self._items = []

    def finish(self) -> None:
        """Read what is left, and say what was kept aside."""
        self._flush()
        if self._failed:
            self._mark_failed()
        self._kept.remark()
        if self._copies:
            text = f"{self._copies:,} events repeat what items say; they are not read a second time."
            self._draft.note("events-repeated", text)

    def _mark_failed(self) -> None:
        """Mark the results of calls whose end an event reports as a failure; the items do not say it."""
        for index, message in enumerate(self._draft.messages):
            content = tuple(
                ToolResult(b.tool_call_id, b.content, True)
                if isinstance(b, ToolResult) and b.tool_call_id in self._failed and b.is_error is None
                else b
                for b in message.content
            )
            if content != message.content:
                self._draft.messages[index] = Message(message.role, content, message.source_role)


def _plain(message: Message) -> Json:
    """A message that was taken out, as JSON."""
    return {"role": str(message.role), "content": [block_to_json(block) for block in message.content]}
