"""What all streams have in common: their records, each with its place, and what is said when one breaks off."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol, TypeVar

from ..diagnostics import Place
from ..model import Json, StopReason
from ..positions import Path
from ..remarks import shown
from .draft import Draft
from .events import DONE
from .source import Source


class Record(NamedTuple):
    """One record of a stream: its object, and where it stands. `is_end` for what closes a stream and holds nothing."""

    value: dict[str, Json]
    at: Path | Place
    is_end: bool = False


def records(source: Source, draft: Draft) -> Iterator[Record]:
    """The records of server-sent events, or of JSON one a line; what is none is kept and said."""
    if source.is_json:
        for value, path in source.records():
            if isinstance(value, dict):
                yield Record(value, path)
            else:
                _keep(str(path[-1]) if path else "", value, path, draft)
        return
    for event in source.events():
        at = source.at(event.start, event.end)
        if isinstance(event.value, dict):
            failed = event.name == "error" and event.value.keys().isdisjoint(("error", "type"))
            yield Record({"type": "error", "error": event.value} if failed else event.value, at)
        elif event.text.strip() == DONE:
            yield Record({}, at, is_end=True)
        elif event.text or event.value is not None:
            name = f"line {at.line}" if isinstance(at, Place) else str(event.start)
            _keep(name, event.text or event.value, at, draft)


def _keep(name: str, value: Json, at: Path | Place, draft: Draft) -> None:
    draft.extras.setdefault("unread records", {})[name] = value
    draft.warn(
        "record-unread",
        "This is no record of the stream; it is kept aside.",
        "Check that nothing is missing without it.",
        at,
    )


def whole(first: Path | Place, last: Path | Place) -> Path | Place:
    """The place from a first record to a last one; of JSON, that of the first."""
    if isinstance(first, Place) and isinstance(last, Place):
        return Place(first.line, first.column, None, first.start, last.end)
    return first


def read_whole(read: Callable[[Source, Draft], None], body: Json, at: Path | Place, draft: Draft) -> None:
    """Read a body that was put together from a stream, by the reader of such bodies; all stands at one place."""
    made = Draft()
    read(Source(body), made)
    made.stand_at(at)
    draft.take(made)
    draft.stop_reason = made.stop_reason


def say_failed(error: Json, at: Path | Place, draft: Draft) -> None:
    """Remark on an error that a stream reports; what came before it is kept as it is."""
    message = error.get("message", "") if isinstance(error, dict) else error
    said = f": {shown(message, 60)}" if isinstance(message, str) and message else ""
    draft.extras["stream error"] = error
    draft.warn(
        "stream-failed",
        f"The stream breaks off with an error{said}. The reply is incomplete.",
        "Do not take it for a finished answer; ask again.",
        at,
    )


def say_end(error: Json, ended: bool, at: Path | Place, draft: Draft) -> None:
    """Remark on a stream that ended with an error, or with no end; on any other there is nothing to say."""
    if error:
        draft.stop_reason = StopReason.ERROR
        say_failed(error, at, draft)
    elif not ended:
        say_cut_off(at, draft)


def say_cut_off(at: Path | Place, draft: Draft) -> None:
    """Remark on a stream without an end."""
    draft.warn(
        "stream-cut-off",
        "The stream has no end; the reply may be incomplete.",
        "Paste the stream to its end, if there is more.",
        at,
    )


class _Reply(Protocol):
    """A reply of a stream in the making."""

    first: Path | Place


_AnyReply = TypeVar("_AnyReply", bound=_Reply)


def with_drafts(replies: Sequence[_AnyReply], draft: Draft) -> Iterator[tuple[_AnyReply, Draft]]:
    """Each reply with what it fills: the draft of the paste, or of several each one of its own."""
    for reply in replies:
        yield reply, draft if len(replies) == 1 else draft.begin(at=reply.first)
