"""Server-sent events in a text: taken apart as browsers do, and as people paste them.

Lines end at LF, CR LF or CR, and a blank line ends an event. Pastes lose blank lines, are indented and break off: so
`data:` lines that are no JSON text together are events of their own, and what stands at the end counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..json_text import TooDeep, decode
from ..model import Json
from ..positions import skip_space

#: What ends a stream of OpenAI.
DONE = "[DONE]"
_STREAM = re.compile(r"(?:[ \t]*+(?:(?::|id:|retry:)[^\n]*)?\r?\n)*+[ \t]*+(?:event: ?\w|data: ?(?:\{|\[DONE\]))")
_LINE = re.compile(r"[ \t]*([^\r\n]*)(?:\r\n?|\n|\Z)")
#: An event as servers send it: perhaps its name, one line of data, a blank line.
_WHOLE = re.compile(r"(?:event:([^\r\n]*)\r?\n)?(data:[^\r\n]*)\r?\n\r?\n")
_SILENT = frozenset({"", "id", "retry"})


@dataclass(slots=True)
class Event:
    """One event: its name, its data as JSON (None where it is none) and as text, and its range in the text.

    A line that belongs to no event is one with `is_stray`. Not frozen, since a stream has thousands; it never changes.
    """

    name: str
    value: Json = field(repr=False)
    text: str = field(repr=False)
    start: int
    end: int
    is_stray: bool = False


def has_events(text: str, start: int) -> bool:
    """Whether the text is a stream of events from this offset on; comments and ids may stand before."""
    return _STREAM.match(text, start) is not None


def events(text: str, start: int, end: int) -> Iterator[Event]:
    """The events that have data, and stray lines, in order."""
    name = ""
    gathered: list[tuple[str, int, int]] = []
    while start < end:
        whole = None if gathered or name else _WHOLE.match(text, start, end)
        if whole is not None:
            # Most events are a line with their data, and a blank one.
            named, body = whole.groups()
            at = whole.start(2)
            start = whole.end()
            body = body.rstrip()
            data = body[6:] if body[5:6] == " " else body[5:]
            yield Event(named.strip() if named else "", _json(data), data, at, at + len(body))
            continue
        line = _LINE.match(text, start, end)
        if line is None:
            break
        start = line.end()
        body, at = line[1].rstrip(), line.start(1)
        key, colon, value = body.partition(":")
        if key == "data" and colon:
            gathered.append((value.removeprefix(" "), at, at + len(body)))
        elif not (colon and key in _SILENT):
            yield from _dispatched(name, gathered)
            name, gathered = value.strip() if key == "event" else "", []
            if body and key != "event":
                yield Event("", None, body, at, at + len(body), is_stray=True)
    yield from _dispatched(name, gathered)


def _dispatched(name: str, gathered: list[tuple[str, int, int]]) -> Iterator[Event]:
    if len(gathered) > 1 and (whole := _json("\n".join(text for text, _, _ in gathered))) is not None:
        yield Event(name, whole, "", gathered[0][1], gathered[-1][2])
        return
    for text, start, end in gathered:
        yield Event(name, _json(text), text, start, end)


def _json(text: str) -> Json:
    if not text.startswith(("{", "[")) or text == DONE:
        return None
    try:
        value, end, _ = decode(text, strict=False)
    except (ValueError, TooDeep):
        return None
    return value if skip_space(text, end) == len(text) else None
