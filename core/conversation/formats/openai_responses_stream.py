"""Streams of OpenAI Responses: the same text comes as deltas, as `.done`, in its item and in the final response.

Whichever of these says the most is taken, once: the final response, else each finished item, else its pieces.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..diagnostics import Place
from ..model import Json, StopReason
from ..positions import Path
from .draft import Draft
from .format import Format, Holds, Match, Medium
from .openai_responses_response import read_response
from .source import Source
from .streams import read_whole, records, say_cut_off, say_failed, whole, with_drafts

_ENDS = frozenset({"response.completed", "response.incomplete", "response.failed", "response.done"})
#: Kinds of pieces (`response.KIND.delta` and `.done`): the field of the event that holds the whole, and where it goes -
#: a list of the item with the type of the parts in it, or a field.
_PIECES = {
    "output_text": ("text", "content", "output_text"),
    "refusal": ("refusal", "content", "refusal"),
    "reasoning_text": ("text", "content", "reasoning_text"),
    "reasoning_summary_text": ("text", "summary", "summary_text"),
    "function_call_arguments": ("arguments", "arguments", ""),
    "custom_tool_call_input": ("input", "input", ""),
}


def match_stream(source: Source) -> Match | None:
    """Score records by their types."""
    for kind in sorted(source.types):
        if kind.startswith("response."):
            return Match(0.97, f"records of type `{kind}`")
    return None


@dataclass(slots=True)
class _Item:
    """One output item in the making."""

    item: dict[str, Json] = field(default_factory=dict)
    is_done: bool = False
    #: By field and index of the part: its type, and its pieces; the whole is one piece.
    parts: dict[tuple[str, int], tuple[str, list[str]]] = field(default_factory=dict)

    def built(self) -> dict[str, Json]:
        """The item as its pieces make it."""
        made = dict(self.item)
        if self.is_done:
            return made
        lists: dict[str, list[Json]] = {}
        kind = ""
        for (name, _), (part_type, pieces) in sorted(self.parts.items()):
            text = "".join(pieces)
            if part_type:
                kind = "reasoning" if part_type.startswith("reasoning") or part_type == "summary_text" else "message"
                lists.setdefault(name, []).append(
                    {"type": part_type, "refusal" if part_type == "refusal" else "text": text}
                )
            else:
                kind = "function_call" if name == "arguments" else "custom_tool_call"
                made[name] = text
        made = {"type": kind, **made, **lists}
        return {"role": "assistant", **made} if made["type"] == "message" else made


@dataclass(slots=True)
class _Reply:
    """One response in the making."""

    first: Path | Place
    last: Path | Place
    body: dict[str, Json] = field(default_factory=dict)
    items: dict[int, _Item] = field(default_factory=dict)
    error: Json = None
    ended: bool = False

    def add(self, event: dict[str, Json], at: Path | Place) -> None:
        self.last = at
        kind = event.get("type")
        if not isinstance(kind, str):
            return
        response = event.get("response")
        if isinstance(response, dict):
            self.body |= response
        if kind in _ENDS:
            self.ended = True
        elif kind == "error":
            self.error = event.get("error") or {k: v for k, v in event.items() if k not in ("type", "sequence_number")}
        elif kind in ("response.output_item.added", "response.output_item.done"):
            made = self._item(event)
            if isinstance(event.get("item"), dict):
                made.item, made.is_done = event["item"], kind.endswith("done")
        else:
            self._piece(kind, event)

    def _item(self, event: dict[str, Json]) -> _Item:
        given = event.get("output_index")
        index = given if isinstance(given, int) else len(self.items)
        made = self.items.get(index)
        if made is None:
            made = self.items[index] = _Item()
        return made

    def _piece(self, kind: str, event: dict[str, Json]) -> None:
        name, _, step = kind.removeprefix("response.").rpartition(".")
        if name not in _PIECES:
            return
        whole_field, target, part_type = _PIECES[name]
        index = event.get("summary_index" if target == "summary" else "content_index", 0)
        _, pieces = self._item(event).parts.setdefault(
            (target, index if isinstance(index, int) else 0), (part_type, [])
        )
        if step == "delta" and isinstance(event.get("delta"), str):
            pieces.append(event["delta"])
        elif step == "done" and isinstance(event.get(whole_field), str):
            pieces[:] = [event[whole_field]]

    def read(self, draft: Draft) -> None:
        at = whole(self.first, self.last)
        output = self.body.get("output")
        if not isinstance(output, list) or not output:
            output = [self.items[index].built() for index in sorted(self.items)]
        body = {**self.body, "output": output}
        if not self.ended:
            body.pop("status", None)
        if output or self.body:
            read_whole(read_response, body, at, draft)
        if self.error:
            draft.stop_reason = StopReason.ERROR
            say_failed(self.error, self.last, draft)
        elif not self.ended:
            draft.stop_reason = None
            say_cut_off(self.last, draft)


def read_stream(source: Source, draft: Draft) -> None:
    """Put the items together; each further response is a conversation of its own."""
    replies: list[_Reply] = []
    for record in records(source, draft):
        if record.is_end:
            continue
        starts = record.value.get("type") in ("response.created", "response.queued")
        if not replies or (starts and (replies[-1].ended or replies[-1].items)):
            replies.append(_Reply(record.at, record.at))
        replies[-1].add(record.value, record.at)
    for reply, own in with_drafts(replies, draft):
        reply.read(own)


OPENAI_RESPONSES_SSE = Format(
    "openai-responses-sse",
    "OpenAI Responses stream",
    "records of type `response.created`, `response.output_text.delta`, `response.completed`",
    "how the reply was cut into pieces; usage and ids are kept as extras",
    match_stream,
    read_stream,
    holds=Holds.REPLY,
    medium=Medium.BOTH,
    fields=frozenset({"type"}),
    example="responses-sse-stream",
)
