"""Ollama replies, whole or streamed as JSON lines: `message` of `/api/chat`, `response` of `/api/generate`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..diagnostics import Place
from ..model import Json, Role, StopReason
from ..positions import Path
from .call_ids import CallIds
from .draft import Draft
from .format import Format, Holds, Match, Source
from .ollama_messages import read_message
from .stop_reasons import stop_reason
from .streams import read_whole, records, say_cut_off, say_end, whole, with_drafts

_STOP = {"stop": StopReason.END_TURN, "length": StopReason.MAX_TOKENS, "tool_calls": StopReason.TOOL_USE}
#: Done without having written anything: the model was loaded, or put away.
_IDLE = frozenset({"load", "unload"})
#: Texts of a record that go on in the next.
_TEXTS = ("content", "thinking")


def _is_reply(body: Json) -> bool:
    if not isinstance(body, dict) or "done" not in body:
        return False
    message, text = body.get("message"), body.get("response")
    return (isinstance(message, dict) and "role" in message) or (isinstance(text, str) and "model" in body)


def match_response(source: Source) -> Match | None:
    """Score one reply."""
    if not _is_reply(source.value):
        return None
    return Match(0.96, f"`{'message' if 'message' in source.value else 'response'}` and `done`")


def match_stream(source: Source) -> Match | None:
    """Score a list of replies, each a part of one."""
    if not isinstance(source.value, list) or not source.objects:
        return None
    if not all(_is_reply(item) or "error" in item for item in source.objects) or not _is_reply(source.objects[0]):
        return None
    return Match(0.97, "records with `message` and `done`")


def read_response(source: Source, draft: Draft) -> None:
    """Read the message; all other fields are kept as extras."""
    body = source.value
    if not isinstance(body, dict):
        return
    ended, reason = body.get("done") is True, body.get("done_reason")
    has_message = isinstance(body.get("message"), dict)
    read_message(message_of(body), (*source.path, "message") if has_message else source.path, draft, CallIds(draft))
    read = ["done", "message"] if has_message else ["done", "response", "thinking"]
    if not (isinstance(reason, str) and reason in _IDLE):
        draft.stop_reason = stop_reason(reason, _STOP, draft, (*source.path, "done_reason"))
        read.append("done_reason")
    draft.keep(body, read, source.path)
    if not ended:
        say_cut_off(source.path, draft)


def message_of(body: dict[str, Any]) -> dict[str, Any]:
    """The message of a record; that of `/api/generate` is made of its two texts."""
    message = body.get("message")
    if isinstance(message, dict):
        return message
    made = {"role": str(Role.ASSISTANT), "content": body.get("response")}
    return made | {"thinking": body["thinking"]} if body.get("thinking") else made


@dataclass(slots=True)
class _Reply:
    """One reply in the making."""

    first: Path | Place
    last: Path | Place
    body: dict[str, Json] = field(default_factory=dict)
    message: dict[str, Json] = field(default_factory=dict)
    pieces: dict[str, list[str]] = field(default_factory=dict)
    calls: list[Json] = field(default_factory=list)
    images: list[Json] = field(default_factory=list)
    error: Json = None

    @property
    def ended(self) -> bool:
        """Whether the last record has come."""
        return self.body.get("done") is True

    def add(self, record: dict[str, Json], at: Path | Place) -> None:
        self.last = at
        self.error = record.get("error") or self.error
        self.body |= {k: v for k, v in record.items() if k not in ("message", "response", "thinking", "error")}
        for name, value in message_of(record).items() if _is_reply(record) else ():
            if name in _TEXTS and isinstance(value, str):
                self.pieces.setdefault(name, []).append(value)
            elif name == "tool_calls" and isinstance(value, list):
                self.calls += value
            elif name == "images" and isinstance(value, list):
                self.images += value
            elif value is not None:
                self.message[name] = value

    def read(self, draft: Draft) -> None:
        message = self.message | {name: "".join(pieces) for name, pieces in self.pieces.items()}
        message |= {"tool_calls": self.calls} if self.calls else {}
        message |= {"images": self.images} if self.images else {}
        if message:
            body = {**self.body, "done": True, "message": message}
            read_whole(read_response, body, whole(self.first, self.last), draft)
        say_end(self.error, self.ended, self.last, draft)


def read_stream(source: Source, draft: Draft) -> None:
    """Put the records together; what comes behind the last record of a reply is a conversation of its own."""
    replies: list[_Reply] = []
    for record in records(source, draft):
        if not replies or replies[-1].ended:
            replies.append(_Reply(record.at, record.at))
        replies[-1].add(record.value, record.at)
    for reply, own in with_drafts(replies, draft):
        reply.read(own)


OLLAMA_CHAT_RESPONSE = Format(
    "ollama-chat-response",
    "Ollama response",
    "a `message` or `response`, and `done`",
    "nothing; durations and counts are kept as extras",
    match_response,
    read_response,
    holds=Holds.REPLY,
    fields=frozenset({"done"}),
    priority=2,
)
OLLAMA_CHAT_STREAM = Format(
    "ollama-chat-stream",
    "Ollama stream",
    "JSON lines with a `message` or `response`, and `done`",
    "how the reply was cut into pieces; durations and counts are kept as extras",
    match_stream,
    read_stream,
    holds=Holds.REPLY,
    fields=frozenset({"done"}),
    example="ollama-ndjson-stream",
    priority=2,
)
