"""The turns of one Claude Code conversation: message lines put together, and what stands between them kept aside.

Both forms of it write one API message as several lines with one `message.id`, a line a block, and the results of
parallel calls between those lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ..model import Block, Json, Message, Role, Text, text_of
from ..positions import Path
from ..remarks import shown
from .anthropic_blocks import PROVIDER, block_of, blocks_of
from .anthropic_response import STOP_REASONS
from .draft import Draft, role_named
from .session_records import Kept, kind_of
from .stop_reasons import stop_reason

SPEAKERS: Final = frozenset({"user", "assistant"})
#: Characters of a title that is made of a subagent's first words.
_TITLE_CHARS: Final = 60
_CONTENT = frozenset({"role", "content"})
# Members are bound once: looking one up on its class costs more than the comparison it is for.
_USER, _ASSISTANT, _TOOL = Role.USER, Role.ASSISTANT, Role.TOOL


def message_in(record: Json) -> dict[str, Json] | None:
    """The message of a record; of hand-trimmed ones also a bare text. None where it has none."""
    if not isinstance(record, dict):
        return None
    message = record.get("message")
    if isinstance(message, dict):
        return message if "content" in message or ("role" in message and "parts" not in message) else None
    if kind_of(record) not in SPEAKERS:
        return None
    if isinstance(message, (str, list)):
        return {"content": message}
    content = record.get("content") if message is None else None
    return {"content": content} if isinstance(content, (str, list)) else None


def has_results(message: dict[str, Json]) -> bool:
    """Whether tool results ride in a message."""
    content = message.get("content")
    return isinstance(content, list) and any(isinstance(b, dict) and b.get("type") == "tool_result" for b in content)


def is_hidden(record: dict[str, Json], message: dict[str, Json]) -> bool:
    """Whether the harness wrote a user message by itself, and said so."""
    return (record.get("isMeta") is True or record.get("isSynthetic") is True) and not has_results(message)


@dataclass(slots=True)
class _Open:
    """An assistant message that may go on in a later line."""

    id: str
    index: int
    blocks: list[Block]
    #: Its content as pasted.
    content: list[Json]


class Turns:
    """Fills a draft record by record."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.kept = Kept(draft)
        self._open: _Open | None = None
        self._stop: tuple[Json, Path] | None = None

    def add(self, record: dict[str, Json], message: dict[str, Json], at: Path) -> None:
        """Add the message of a record that stands at a path; the rest of the record is kept."""
        self._keep_rest(record, message, at)
        if message.get("model") == "<synthetic>":
            self.draft.note("synthetic-message", "The harness wrote this in the name of the assistant, no model.", at)
        named = message.get("role", record.get("type"))
        role, content = role_named(named), message.get("content")
        where = (*at, "message") if record.get("message") is not None else at
        where = where if isinstance(record.get("message"), (str, list)) else (*where, "content")
        if role is None or role is _TOOL:
            self.close()
            self.draft.add_unread(named, PROVIDER, message, at)
        elif role is _ASSISTANT:
            self._say(record, message, content, at, where)
        else:
            if not has_results(message):
                self.close()
            self.draft.add(role, blocks_of(content, where, self.draft), at)
            self._stop = None

    def _say(self, record: dict[str, Json], message: dict[str, Json], content: Json, at: Path, where: Path) -> None:
        given = message.get("id") or record.get("requestId")
        raw = content if isinstance(content, list) else [content]
        if self._open is not None and self._open.id == given:
            seen = self._open.content
            # Some versions write what they have so far into each line, or a line again.
            known = len(seen) if raw[: len(seen)] == seen else len(raw) if seen[-len(raw) :] == raw else 0
            if known and raw:
                self.draft.note("line-repeated", "This line repeats blocks of its message; they are read once.", at)
            if known:
                more = [block_of(block, (*where, known + i), self.draft) for i, block in enumerate(raw[known:])]
            else:
                more = blocks_of(content, where, self.draft)
            self._open.blocks += more
            seen += raw[known:]
        else:
            self.close()
            blocks = blocks_of(content, where, self.draft)
            self.draft.add(_ASSISTANT, blocks, at)
            if isinstance(given, str):
                self._open = _Open(given, len(self.draft.messages) - 1, blocks, list(raw))
            self._stop = None
        if message.get("stop_reason") is not None:
            self._stop = (message["stop_reason"], (*at, "message", "stop_reason"))

    def say(self, text: str, at: Path) -> None:
        """Add an assistant message of one text."""
        self.close()
        self.draft.add(_ASSISTANT, (Text(text),), at)

    def replace(self, given: str, messages: list[Message]) -> bool:
        """Put a version in the place of the message that is being written, if it holds that one and goes on from it."""
        if self._open is None or self._open.id != given or len(messages) != 1:
            return False
        blocks = list(messages[0].content)
        if blocks[: len(self._open.blocks)] != self._open.blocks:
            return False
        self._open.blocks = blocks
        return True

    def close(self) -> None:
        """End the assistant message that is being written."""
        if self._open is not None:
            self.draft.messages[self._open.index] = Message(_ASSISTANT, tuple(self._open.blocks))
            self._open = None

    def _keep_rest(self, record: dict[str, Json], message: dict[str, Json], at: Path) -> None:
        if isinstance(record.get("message"), dict):
            rest = {key: value for key, value in record.items() if key != "message"}
            if beside := {key: value for key, value in message.items() if key not in _CONTENT}:
                rest["message"] = beside
        else:
            read = "content" if record.get("message") is None else "message"
            rest = {key: value for key, value in record.items() if key != read}
        self.kept.keep(rest, at)

    def finish(self) -> None:
        """End the conversation: its stop reason, and what was kept aside."""
        self.close()
        draft = self.draft
        if self._stop is not None and draft.messages and draft.messages[-1].role is _ASSISTANT:
            draft.stop_reason = stop_reason(self._stop[0], STOP_REASONS, draft, self._stop[1])
        self.kept.remark()

    @property
    def last_text(self) -> str | None:
        """The text of the last message, where it is an assistant's."""
        self.close()
        last = self.draft.messages[-1] if self.draft.messages else None
        return text_of(last.content) if last is not None and last.role is _ASSISTANT else None


def first_words(messages: Iterable[Message]) -> str:
    """The first words of anybody, as a part of a title."""
    words = next((text for m in messages if (text := " ".join(text_of(m.content)[:400].split()))), "")
    return shown(words, _TITLE_CHARS)
