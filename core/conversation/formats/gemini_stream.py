"""Streams of Gemini: partial responses as a JSON array, one a line, or as server-sent events."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..diagnostics import Place
from ..model import Json
from ..positions import Path
from .draft import Draft
from .format import Format, Holds, Match, Medium
from .gemini_response import BATCH, FINISH, body_in, given, read_response
from .source import Source
from .streams import read_whole, records, say_end, whole, with_drafts

#: Of a record: what is put together otherwise.
_APART = frozenset({"candidates", "error"})
_BESIDE = frozenset({"usageMetadata", "usage_metadata", "modelVersion", "model_version", "error", "promptFeedback"})
_ID = ("responseId", "response_id")


def match_stream(source: Source) -> Match | None:
    """Score events, or a list, of partial responses."""
    if source.is_json and not isinstance(source.value, list):
        return None
    found = 0
    for item in source.objects:
        if BATCH in item:
            return None
        if body_in(item, ()) is not None:
            found += 1
        elif _BESIDE.isdisjoint(item) and not isinstance(item.get("response"), dict):
            return None
    return Match(0.97, "records with `candidates`") if found else None


@dataclass(slots=True)
class _Candidate:
    """One candidate in the making; neighbouring texts of a kind are pieces of one part."""

    rest: dict[str, Json] = field(default_factory=dict)
    content: dict[str, Json] = field(default_factory=dict)
    parts: list[dict[str, Json]] = field(default_factory=list)
    pieces: list[list[str]] = field(default_factory=list)

    def add(self, raw: dict[str, Json]) -> None:
        given_content = raw.get("content")
        content = given_content if isinstance(given_content, dict) else {}
        for key, value in content.items():
            if key != "parts":
                self.content[key] = value
        parts = content.get("parts")
        for part in parts if isinstance(parts, list) else [] if parts is None else [parts]:
            self._add_part(part if isinstance(part, dict) else {"text": part})
        for key, value in raw.items():
            if value is not None and key != "content":
                self.rest[key] = value

    def _add_part(self, part: dict[str, Json]) -> None:
        text = part.get("text")
        last = self.parts[-1] if self.parts and self.pieces[-1] else None
        if isinstance(text, str) and last is not None and bool(last.get("thought")) == bool(part.get("thought")):
            self.pieces[-1].append(text)
            if len(part) > 1:
                last |= {key: value for key, value in part.items() if key != "text" and value is not None}
        else:
            self.parts.append(dict(part))
            self.pieces.append([text] if isinstance(text, str) else [])

    def whole(self, index: int) -> dict[str, Json]:
        parts = [
            part | {"text": "".join(pieces)} if pieces else part
            for part, pieces in zip(self.parts, self.pieces, strict=True)
        ]
        return {"index": index, **self.rest, "content": {**self.content, "parts": parts}}


@dataclass(slots=True)
class _Reply:
    """One reply in the making."""

    first: Path | Place
    last: Path | Place
    body: dict[str, Json] = field(default_factory=dict)
    candidates: dict[int, _Candidate] = field(default_factory=dict)
    error: Json = None
    #: Whether some candidate has said why it ended, and whether it went on behind its end.
    finished: bool = False
    went_on: bool = False

    def goes_on(self, chunk: dict[str, Json], by_line: bool) -> bool:
        """Whether a record belongs to this reply; older servers repeat why it ended in every record."""
        if not self.finished or not chunk.get("candidates"):
            return True
        before, now = given(self.body, _ID)[1], given(chunk, _ID)[1]
        return before == now if before and now else not by_line

    def add(self, chunk: dict[str, Json], at: Path | Place) -> None:
        self.last = at
        self.went_on = self.went_on or (self.finished and bool(chunk.get("candidates")))
        self.error = chunk.get("error") or self.error
        for key, value in chunk.items():
            if value is not None and key not in _APART:
                self.body[key] = value
        candidates = chunk.get("candidates")
        for position, raw in enumerate(candidates if isinstance(candidates, list) else []):
            if isinstance(raw, dict):
                index = raw.get("index")
                at_index = index if isinstance(index, int) and not isinstance(index, bool) else position
                made = self.candidates.get(at_index)
                if made is None:
                    made = self.candidates[at_index] = _Candidate()
                made.add(raw)
                self.finished = self.finished or given(raw, FINISH)[1] is not None

    def read(self, draft: Draft) -> None:
        candidates = [made.whole(index) for index, made in sorted(self.candidates.items())]
        body = {**self.body, "candidates": candidates} if candidates else self.body
        if body_in(body, ()) is not None:
            read_whole(read_response, body, whole(self.first, self.last), draft)
        else:
            draft.keep(body, (), ())
        if self.went_on:
            draft.warn(
                "stream-goes-on",
                "Several records say that the reply ends with them, as older servers do; all are read as one reply.",
                "If they are replies of their own, paste them one by one.",
                self.first,
            )
        say_end(self.error, self.finished or not candidates, self.last, draft)


def read_stream(source: Source, draft: Draft) -> None:
    """Put the records together; a stream behind the end of another is a conversation of its own."""
    replies: list[_Reply] = []
    for record in records(source, draft):
        if record.is_end:
            continue
        found = body_in(record.value, ())
        chunk = record.value
        if found is not None and found[1]:
            chunk = {key: value for key, value in chunk.items() if key != "response"} | found[0]
        if not replies or not replies[-1].goes_on(chunk, source.several):
            replies.append(_Reply(record.at, record.at))
        replies[-1].add(chunk, record.at)
    for reply, own in with_drafts(replies, draft):
        reply.read(own)


GEMINI_STREAM = Format(
    "gemini-stream",
    "Gemini stream",
    "a list of records, or `data:` lines, with `candidates`",
    "how the reply was cut into pieces; ratings and usage are kept as extras",
    match_stream,
    read_stream,
    holds=Holds.REPLY,
    medium=Medium.BOTH,
    fields=frozenset({"candidates", "response", "promptFeedback", "prompt_feedback"}),
    priority=2,
)
