"""Streams of Anthropic Messages: `message_start`, then blocks by index, each opened, continued and closed."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..diagnostics import Place
from ..model import Json
from ..positions import Path
from .anthropic_response import read_response
from .draft import Draft
from .format import Format, Holds, Match, Medium
from .source import Source
from .streams import Record, read_whole, records, say_end, whole, with_drafts

_TYPES = frozenset(
    {
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    }
)
#: By type of a delta: its field, and the field of the block that it continues.
_TEXTS = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "signature_delta": ("signature", "signature"),
    "input_json_delta": ("partial_json", "input"),
}


def match_stream(source: Source) -> Match | None:
    """Score records by their types."""
    known = source.types & _TYPES
    if not known or (known == {"message_stop"} and len(source.types) > 1):
        return None
    return Match(0.97, f"records of type `{'message_start' if 'message_start' in known else min(known)}`")


@dataclass(slots=True)
class _Reply:
    """One message in the making."""

    first: Path | Place
    last: Path | Place
    body: dict[str, Json] = field(default_factory=dict)
    blocks: dict[int, dict[str, Json]] = field(default_factory=dict)
    #: By block and field, the pieces that continue it.
    pieces: dict[tuple[int, str], list[str]] = field(default_factory=dict)
    error: Json = None
    ended: bool = False

    def add(self, record: Record, draft: Draft) -> None:
        event, self.last = record.value, record.at
        kind = event.get("type")
        index = event.get("index")
        at = index if isinstance(index, int) else len(self.blocks)
        if kind == "message_start" and isinstance(event.get("message"), dict):
            self.body = dict(event["message"])
        elif kind == "content_block_start" and isinstance(event.get("content_block"), dict):
            self.blocks[at] = dict(event["content_block"])
        elif kind == "content_block_delta" and isinstance(event.get("delta"), dict):
            self._continue(at, event["delta"], record, draft)
        elif kind == "message_delta":
            delta = event.get("delta")
            self.body |= delta if isinstance(delta, dict) else {}
            usage, more = self.body.get("usage"), event.get("usage")
            if isinstance(more, dict):
                self.body["usage"] = (usage if isinstance(usage, dict) else {}) | more
        elif kind == "message_stop":
            self.ended = True
        elif kind == "error":
            self.error = event.get("error") or event
        elif kind not in ("ping", "content_block_stop"):
            draft.extras.setdefault("unread records", {})[str(len(draft.extras.get("unread records", {})))] = event
            draft.note("record-unread", "This record of the stream is of no known type; it is kept aside.", record.at)

    def _continue(self, index: int, delta: dict[str, Json], record: Record, draft: Draft) -> None:
        kind = delta.get("type")
        source, target = _TEXTS.get(kind, ("", "")) if isinstance(kind, str) else ("", "")
        block = self.blocks.setdefault(index, {"type": "tool_use" if target == "input" else target or "unknown"})
        if source and isinstance(delta.get(source), str):
            self.pieces.setdefault((index, target), []).append(delta[source])
        elif kind == "citations_delta":
            found = block.get("citations")
            block["citations"] = [*(found if isinstance(found, list) else []), delta.get("citation")]
        else:
            block.setdefault("unread deltas", []).append(delta)
            draft.note("record-unread", "This piece is of no known type; it is kept with its block.", record.at)

    def read(self, draft: Draft) -> None:
        at = whole(self.first, self.last)
        for (index, name), pieces in self.pieces.items():
            block, text = self.blocks[index], "".join(pieces)
            before = block.get(name)
            if name != "input":
                block[name] = (before if isinstance(before, str) else "") + text
            elif text or not isinstance(before, dict):
                block[name] = text
        content = self.body.get("content")
        blocks = [*(content if isinstance(content, list) else []), *(self.blocks[i] for i in sorted(self.blocks))]
        if self.body or blocks:
            body = {"type": "message", **self.body, "role": self.body.get("role", "assistant"), "content": blocks}
            read_whole(read_response, body, at, draft)
        say_end(self.error, self.ended, self.last, draft)


def read_stream(source: Source, draft: Draft) -> None:
    """Put the blocks together; each further `message_start` is a conversation of its own."""
    replies: list[_Reply] = []
    for record in records(source, draft):
        if record.is_end:
            continue
        starts = record.value.get("type") == "message_start"
        if not replies or (starts and (replies[-1].body or replies[-1].blocks)):
            replies.append(_Reply(record.at, record.at))
        replies[-1].add(record, draft)
    for reply, own in with_drafts(replies, draft):
        reply.read(own)


ANTHROPIC_SSE = Format(
    "anthropic-sse",
    "Anthropic Messages stream",
    "records of type `message_start`, `content_block_delta`, `message_stop`",
    "how the reply was cut into pieces; usage and ids are kept as extras",
    match_stream,
    read_stream,
    holds=Holds.REPLY,
    medium=Medium.BOTH,
    fields=frozenset({"type"}),
    example="anthropic-sse-cut-in-input",
)
