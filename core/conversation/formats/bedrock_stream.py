"""Streams of Bedrock Converse: `messageStart`, blocks by index, `messageStop`, each the one field of its record."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..diagnostics import Place
from ..model import Json
from ..positions import Path
from .bedrock_response import read_response
from .draft import Draft
from .format import Format, Holds, Match, Medium
from .source import Source
from .streams import Record, read_whole, records, say_end, whole, with_drafts

_EVENTS = ("messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata")
#: What tells: `metadata` alone is the name of much else.
_TELLING = frozenset(_EVENTS) - {"metadata"}
#: What of a record has its own place; `p` only pads it.
_READ = frozenset({"contentBlockIndex", "start", "delta", "role", "p"})


def match_stream(source: Source) -> Match | None:
    """Score records by their one field."""
    found = next((name for name in _EVENTS if name in _TELLING & source.fields), "")
    return Match(0.97, f"records with `{found}`") if found else None


@dataclass(slots=True)
class _Block:
    """One block in the making: what opened it, and the pieces of each of its texts."""

    start: dict[str, Json] = field(default_factory=dict)
    pieces: dict[str, list[str]] = field(default_factory=dict)
    citations: list[Json] = field(default_factory=list)
    unread: list[Json] = field(default_factory=list)

    def add(self, delta: dict[str, Json]) -> bool:
        """Take one piece; whether it is of a known kind."""
        known = len(self.unread)
        for kind, value in delta.items():
            if kind == "text" and isinstance(value, str):
                self.pieces.setdefault("text", []).append(value)
            elif kind == "toolUse" and isinstance(value, dict):
                self._take(kind, "", value, ("input",))
            elif kind == "reasoningContent" and isinstance(value, dict):
                self._take(kind, "thought ", value, tuple(value))
            elif kind == "citation":
                self.citations.append(value)
            else:
                self.unread.append({kind: value})
        return len(self.unread) == known

    def _take(self, kind: str, prefix: str, piece: dict[str, Json], names: tuple[str, ...]) -> None:
        """Take the texts of a piece; all else in it is kept with the block."""
        for name, text in piece.items():
            if name in names and isinstance(text, str):
                self.pieces.setdefault(prefix + name, []).append(text)
            else:
                self.unread.append({kind: {name: text}})

    def whole(self) -> dict[str, Json]:
        """The block as a response has it."""
        texts = {name: "".join(pieces) for name, pieces in self.pieces.items()}
        made: dict[str, Json] = dict(self.start)
        thought = {name[8:]: text for name, text in texts.items() if name.startswith("thought ")}
        if isinstance(made.get("toolUse"), dict) or "input" in texts:
            opened = made.get("toolUse")
            made["toolUse"] = {**(opened if isinstance(opened, dict) else {}), "input": texts.get("input", "")}
        elif "redactedContent" in thought:
            made["reasoningContent"] = thought
        elif thought:
            made["reasoningContent"] = {"reasoningText": thought}
        if "text" in texts:
            made["text"] = texts["text"]
        if self.citations:
            made["citations"] = self.citations
        if self.unread or not made:
            made["unread deltas"] = self.unread
        return made


@dataclass(slots=True)
class _Reply:
    """One message in the making."""

    first: Path | Place
    last: Path | Place
    blocks: dict[int, _Block] = field(default_factory=dict)
    rest: dict[str, Json] = field(default_factory=dict)
    error: Json = None
    ended: bool = False
    role: Json = None

    def add(self, record: Record, draft: Draft) -> None:
        self.last = record.at
        for kind, value in record.value.items():
            event = value if isinstance(value, dict) else {}
            index = event.get("contentBlockIndex")
            if kind == "messageStart":
                self.role = event.get("role")
            if kind in _EVENTS:
                self.rest |= {name: rest for name, rest in event.items() if name not in _READ}
            # One block at a time is open, should its index be lost.
            at = index if isinstance(index, int) else max(self.blocks, default=0)
            if kind == "contentBlockStart" and isinstance(event.get("start"), dict):
                at = at if isinstance(index, int) else len(self.blocks)
                self.blocks.setdefault(at, _Block()).start |= event["start"]
            elif kind == "contentBlockDelta" and isinstance(event.get("delta"), dict):
                if not self.blocks.setdefault(at, _Block()).add(event["delta"]):
                    draft.note("record-unread", "This piece is of no known kind; it is kept with its block.", record.at)
            elif kind == "messageStop":
                self.ended = True
            elif kind.endswith("Exception"):
                self.error = value or kind
            elif kind not in _EVENTS:
                draft.extras.setdefault("unread records", {})[str(len(draft.extras.get("unread records", {})))] = {
                    kind: value
                }
                draft.note("record-unread", "This record of the stream is of no known kind; it is kept.", record.at)

    def read(self, draft: Draft) -> None:
        content = [self.blocks[index].whole() for index in sorted(self.blocks)]
        body = {**self.rest, "output": {"message": {"role": self.role, "content": content}}}
        if content or self.ended:
            read_whole(read_response, body, whole(self.first, self.last), draft)
        say_end(self.error, self.ended, self.last, draft)


def read_stream(source: Source, draft: Draft) -> None:
    """Put the blocks together; each further `messageStart` is a conversation of its own."""
    replies: list[_Reply] = []
    for record in records(source, draft):
        if record.is_end:
            continue
        starts = "messageStart" in record.value
        if not replies or (starts and (replies[-1].blocks or replies[-1].ended)):
            replies.append(_Reply(record.at, record.at))
        replies[-1].add(record, draft)
    for reply, own in with_drafts(replies, draft):
        reply.read(own)


BEDROCK_CONVERSE_STREAM = Format(
    "bedrock-converse-stream",
    "Bedrock Converse stream",
    "records with `messageStart`, `contentBlockDelta`, `messageStop`",
    "how the reply was cut into pieces; usage and metrics are kept as extras",
    match_stream,
    read_stream,
    holds=Holds.REPLY,
    medium=Medium.BOTH,
    fields=_TELLING,
    priority=2,
)
