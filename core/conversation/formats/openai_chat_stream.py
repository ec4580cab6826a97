"""Streams of OpenAI Chat: chunks with deltas, put together by the index of their choice and of their calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..diagnostics import Place
from ..model import Json
from ..positions import Path
from .deltas import add_delta, joined
from .draft import Draft
from .format import Format, Holds, Match, Medium
from .openai_response import read_response
from .source import Source
from .streams import read_whole, records, say_end, whole, with_drafts

_CHUNK = "chat.completion.chunk"
#: Of a chunk and of a choice: what is put together otherwise.
_APART = frozenset({"choices", "object", "error"})
_IN_PARTS = frozenset({"index", "delta", "message"})


def match_stream(source: Source) -> Match | None:
    """Score records by the first chunk among them."""
    if "choices" not in source.fields:
        return None
    for item in source.objects:
        if item.get("object") == _CHUNK:
            return Match(0.97, f"records with `object` `{_CHUNK}`")
        choices = item.get("choices")
        if isinstance(choices, list) and any(isinstance(c, dict) and "delta" in c for c in choices):
            return Match(0.95, "`choices` with a `delta`")
    return None


@dataclass(slots=True)
class _Reply:
    """One reply in the making."""

    first: Path | Place
    last: Path | Place
    body: dict[str, Json] = field(default_factory=dict)
    choices: dict[int, dict[str, Json]] = field(default_factory=dict)
    error: Json = None
    ended: bool = False
    #: Whether chunks name different replies, as some gateways have it.
    mixed: bool = False
    #: Whether the last chunk was one that says whose the reply is, as the first one does.
    starts: bool = False

    def add(self, chunk: dict[str, Json], at: Path | Place) -> None:
        self.last, self.starts = at, False
        body = self.body
        given, before = chunk.get("id"), body.get("id")
        self.mixed = self.mixed or bool(given and before and given != before)
        for key, value in chunk.items():
            if value is not None and key not in _APART:
                body[key] = value
        self.error = chunk.get("error") or self.error
        for position, choice in enumerate(_objects(chunk.get("choices"))):
            index = choice.get("index")
            if not isinstance(index, int):
                index = position
            made = self.choices.get(index)
            if made is None:
                made = self.choices[index] = {"index": index, "delta": {}}
            delta = choice.get("delta", choice.get("message"))
            if isinstance(delta, dict):
                add_delta(made["delta"], delta)
                self.starts = self.starts or ("role" in delta and _starts(chunk))
            if not _IN_PARTS.issuperset(choice):
                add_delta(made, {key: value for key, value in choice.items() if key not in _IN_PARTS})

    @property
    def finished(self) -> bool:
        """Whether every choice has said why it ended."""
        return bool(self.choices) and all(choice.get("finish_reason") for choice in self.choices.values())

    def read(self, draft: Draft, read: Callable[[Source, Draft], None]) -> None:
        at = whole(self.first, self.last)
        choices = []
        for choice in map(joined, self.choices.values()):
            message = {"role": "assistant", **{k: v for k, v in choice.pop("delta").items() if k != "role" or v}}
            for call in _objects(message.get("tool_calls")):
                call.pop("index", None)
            choices.append({**choice, "message": message})
        if choices:
            read_whole(read, {**self.body, "choices": choices}, at, draft)
        else:
            draft.keep(self.body, (), ())
        if self.mixed:
            draft.note(
                "ids-differ", "The chunks have different ids, and nothing ends between them; read as one reply.", at
            )
        say_end(self.error, self.finished or self.ended, self.last, draft)


def read_stream(source: Source, draft: Draft) -> None:
    """Put the chunks together; a stream behind the end of another is a conversation of its own."""
    read_chunks(source, draft, read_response)


def read_chunks(source: Source, draft: Draft, read: Callable[[Source, Draft], None]) -> None:
    """The same, each whole body by `read`: of OpenAI Chat, or of a dialect of it."""
    replies: list[_Reply] = []
    for record in records(source, draft):
        last = replies[-1] if replies else None
        if record.is_end:
            if last is not None:
                last.ended = True
            continue
        given, before = record.value.get("id"), last.body.get("id") if last is not None else None
        another = given and before and given != before
        # A reply says once whose it is; where ids change with every chunk, this tells that another begins.
        starts = another and last is not None and not last.starts and _starts(record.value)
        if last is None or last.ended or starts or (another and last.finished):
            last = _Reply(record.at, record.at)
            replies.append(last)
        last.add(record.value, record.at)
    for reply, own in with_drafts(replies, draft):
        reply.read(own, read)


def _starts(chunk: dict[str, Json]) -> bool:
    deltas = [choice.get("delta") for choice in _objects(chunk.get("choices"))]
    return any(isinstance(delta, dict) and delta.get("role") for delta in deltas)


def _objects(value: Json) -> list[dict[str, Json]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


OPENAI_CHAT_SSE = Format(
    "openai-chat-sse",
    "OpenAI Chat stream",
    "`data:` lines (or JSON lines) with `choices` that hold a `delta`",
    "how the reply was cut into pieces; ids, usage and log probabilities are kept as extras",
    match_stream,
    read_stream,
    holds=Holds.REPLY,
    medium=Medium.BOTH,
    fields=frozenset({"choices"}),
    example="sse-parallel-tool-calls",
)
