"""Streams of the Vercel AI SDK as its chat hooks receive them: pieces of parts, put together to one message."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ..diagnostics import Place
from ..model import Json, StopReason
from ..positions import Path
from .draft import Draft
from .format import Format, Holds, Match, Medium, Source
from .stop_reasons import stop_reason
from .streams import read_whole, records, say_cut_off, say_failed, whole, with_drafts
from .vercel_ui import read_ui

_TEXTS: Final = ("text", "reasoning")
#: What only these streams have.
_TELLING: Final = frozenset(
    {
        "start-step",
        "finish-step",
        "text-start",
        "text-delta",
        "reasoning-start",
        "reasoning-delta",
        "tool-input-start",
        "tool-input-delta",
        "tool-input-available",
        "tool-input-error",
        "tool-output-available",
        "tool-output-error",
    }
)
#: The state that a part of a tool is in behind a record, and what of the record goes into it.
_STATES: Final = {
    "tool-input-start": "input-streaming",
    "tool-input-available": "input-available",
    "tool-call": "input-available",
    "tool-input-error": "output-error",
    "tool-output-available": "output-available",
    "tool-result": "output-available",
    "tool-output-error": "output-error",
    "tool-error": "output-error",
    "tool-output-denied": "output-denied",
    "tool-approval-request": "approval-requested",
}
_DELTAS: Final = ("delta", "text", "textDelta")
_STOPS: Final = {
    "stop": StopReason.END_TURN,
    "length": StopReason.MAX_TOKENS,
    "tool-calls": StopReason.TOOL_USE,
    "content-filter": StopReason.CONTENT_FILTER,
    "error": StopReason.ERROR,
    "other": StopReason.UNKNOWN,
    "unknown": StopReason.UNKNOWN,
}


def match_stream(source: Source) -> Match | None:
    """Score records by their types."""
    if source.is_json and not isinstance(source.value, list):
        return None
    found = sorted(_TELLING & source.types)
    return Match(0.97, f"records of type `{found[0]}`") if found else None


@dataclass(slots=True)
class _Reply:
    """One message in the making."""

    first: Path | Place
    last: Path | Place
    parts: list[dict[str, Json]] = field(default_factory=list)
    #: The pieces of the texts that are being written, and the parts of the tools, by their ids.
    texts: dict[str, list[str]] = field(default_factory=dict)
    tools: dict[str, dict[str, Json]] = field(default_factory=dict)
    inputs: dict[str, list[str]] = field(default_factory=dict)
    rest: dict[str, Json] = field(default_factory=dict)
    error: Json = None
    reason: Json = None
    ended: bool = False

    def add(self, record: dict[str, Json], at: Path | Place) -> None:
        """Take the next record."""
        self.last = at
        named = record.get("type")
        kind = named if isinstance(named, str) else ""
        family, _, event = kind.partition("-")
        if family in _TEXTS and event in ("start", "delta", "end"):
            self._add_text(family, record)
        elif kind == "tool-input-delta":
            delta = record.get("inputTextDelta", record.get("delta"))
            self._tool(record)
            self.inputs.setdefault(str(record.get("toolCallId")), []).append(delta if isinstance(delta, str) else "")
        elif kind in _STATES and isinstance(record.get("toolCallId"), str):
            self._tool(record)["state"] = _STATES[kind]
        elif kind in ("start-step", "step-start"):
            self.parts.append({"type": "step-start"})
        elif kind in ("finish", "abort"):
            self.ended = True
            self.reason = record.get("finishReason", self.reason)
            self._keep(record, ("type", "finishReason"))
        elif kind == "error":
            self.error = record.get("errorText", record.get("error")) or kind
            self._keep(record, ("type", "errorText", "error"))
        elif kind in ("start", "finish-step", "message-metadata"):
            self.reason = record.get("finishReason", self.reason)
            self._keep(record, ("type", "finishReason"))
        else:
            self.parts.append(record)

    def _add_text(self, family: str, record: dict[str, Json]) -> None:
        name = f"{family} {record.get('id')}"
        is_new = name not in self.texts or record["type"] == f"{family}-start"
        if is_new and not str(record["type"]).endswith("-end"):
            self.texts[name] = []
            self.parts.append({"type": family, "text": self.texts[name]})
        text = next((record[key] for key in _DELTAS if isinstance(record.get(key), str)), "")
        if name in self.texts:
            self.texts[name].append(text)
        self._keep(record, ("type", "id", *_DELTAS))

    def _tool(self, record: dict[str, Json]) -> dict[str, Json]:
        """The part of a tool, with what a record says of it."""
        call = str(record.get("toolCallId"))
        if call not in self.tools:
            self.tools[call] = {"type": "dynamic-tool"}
            self.parts.append(self.tools[call])
        beside = ("type", "inputTextDelta", "delta", "dynamic")
        self.tools[call] |= {key: value for key, value in record.items() if key not in beside}
        return self.tools[call]

    def _keep(self, record: dict[str, Json], read: tuple[str, ...]) -> None:
        self.rest |= {key: value for key, value in record.items() if key not in read}

    def read(self, draft: Draft) -> None:
        """Read the message that the pieces make."""
        for call, pieces in self.inputs.items():
            if "input" not in self.tools.get(call, {"input": None}):
                self.tools[call]["input"] = "".join(pieces)
        for part in self.parts:
            if isinstance(part.get("text"), list):
                part["text"] = "".join(part["text"])
        if any(part.get("type") != "step-start" for part in self.parts):
            body = {**self.rest, "role": "assistant", "parts": self.parts}
            read_whole(read_ui, body, whole(self.first, self.last), draft)
        else:
            draft.keep(self.rest, (), ())
        made = Draft()
        draft.stop_reason = stop_reason(self.reason, _STOPS, made, ("finishReason",))
        made.stand_at(self.last)
        draft.take(made)
        if self.error is not None:
            draft.stop_reason = StopReason.ERROR
            say_failed(self.error, self.last, draft)
        elif not self.ended:
            say_cut_off(self.last, draft)


def read_stream(source: Source, draft: Draft) -> None:
    """Put the parts together; a stream behind the end of another is a conversation of its own."""
    replies: list[_Reply] = []
    for record in records(source, draft):
        if record.is_end:
            continue
        if not replies or (replies[-1].ended and record.value.get("type") == "start"):
            replies.append(_Reply(record.at, record.at))
        replies[-1].add(record.value, record.at)
    for reply, own in with_drafts(replies, draft):
        reply.read(own)


VERCEL_UI_STREAM = Format(
    "vercel-ui-stream",
    "Vercel AI SDK stream (UI)",
    "records of type `text-delta`, `tool-input-available`, `finish-step` and the like",
    "how the message was cut into pieces",
    match_stream,
    read_stream,
    holds=Holds.REPLY,
    medium=Medium.BOTH,
    fields=frozenset({"type"}),
    priority=3,
)
