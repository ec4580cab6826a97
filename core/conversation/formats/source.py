"""What a format looks at: a JSON value and its path, or text; and its structure, found once for all formats.

Structure is looked up when a format first asks for it, so that a paste pays only for what its candidates need.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate, chain, islice, repeat
from operator import add
from typing import TYPE_CHECKING, Final, TypeVar

from ..diagnostics import Place, Severity, quick_place
from ..document import parse_document
from ..model import Json
from ..positions import Path
from ..remarks import Remark
from .events import Event, events, has_events
from .message_list import MessageList, message_list, numbered

if TYPE_CHECKING:
    from .format import Holds
    from .registry import Found, Registry

_Found = TypeVar("_Found")
#: So many records at the root (or events of a stream) are looked at to tell a format.
LOOKED_AT: Final = 50
#: So many of the last values inside a source are remembered.
_REMEMBERED: Final = 32
#: Names for what is odd about a call: no id, or the name of its function where its body is due.
BARE_CALL: Final = "(a call without an id)"
NAMED_FUNCTION: Final = "(a call of a named function)"
_DOTTED: Final = frozenset({"."})
_UNSEEN: Final = object()


class Source:
    """A JSON value and its path in the paste, or text where `is_json` is false. It is never changed.

    Of several documents (`several`) the value is the list of them, and a path's first step the document's index.
    """

    __slots__ = (
        "_events",
        "_fields",
        "_inside",
        "_line_ends",
        "_messages",
        "_objects",
        "_once",
        "_types",
        "depth",
        "end",
        "first",
        "found_as",
        "is_json",
        "path",
        "registry",
        "remarks",
        "several",
        "start",
        "text",
        "top_as",
        "unread_lines",
        "value",
    )

    def __init__(
        self,
        value: Json = None,
        path: Path = (),
        text: str = "",
        start: int = 0,
        end: int = 0,
        is_json: bool = True,
        several: bool = False,
        *,
        registry: Registry | None = None,
        depth: int = 0,
        first: int = 0,
    ) -> None:
        self.value = value
        self.path = path
        #: The place of its first record, where it is a part of a longer list.
        self.first = first
        #: The text, and the range of its content. Offsets are the paste's, but for a text inside JSON.
        self.text, self.start, self.end = text, start, end
        self.is_json = is_json
        self.several = several
        #: Where formats that wrap others find them; without it nothing inside is read.
        self.registry = registry
        #: How many formats this stands in; 0 for the paste itself.
        self.depth = depth
        #: Of a text inside JSON: what was remarked while it was taken apart, and its lines that are no JSON.
        self.remarks: tuple[Remark, ...] = ()
        self.unread_lines: Mapping[str, str] | None = None
        #: What its registry found of it, and the best of that, by the half that was asked for.
        self.found_as: dict[Holds | None, list[Found]] = {}
        self.top_as: dict[Holds | None, Found | None] = {}
        self._inside: dict[tuple[int, Path], tuple[Json, Source]] | None = None
        self._messages: MessageList | object | None = _UNSEEN
        self._objects: list[dict[str, Json]] | None = None
        self._once: dict[Callable[[Source], object], object] = {}
        self._events: tuple[list[Event], Iterator[Event]] | None = None
        self._fields: frozenset[str] | None = None
        self._types: frozenset[str] | None = None
        self._line_ends: list[int] | None = None

    def once(self, find: Callable[[Source], _Found]) -> _Found:
        """What a function finds in this source, looked for once: by all formats that ask, and by the one that reads."""
        if find not in self._once:
            self._once[find] = find(self)
        return self._once[find]  # type: ignore[return-value]

    @property
    def messages(self) -> MessageList | None:
        """The list of messages in the value, and what its messages look like."""
        if self._messages is _UNSEEN:
            self._messages = message_list(self.value, self.path) if self.is_json else None
        return self._messages  # type: ignore[return-value]

    @property
    def objects(self) -> list[dict[str, Json]]:
        """The objects at the root: the value, the first of a list or of several documents, or of a stream's events."""
        if self._objects is None:
            if self.is_json:
                self._objects = objects_in(self.value)
            elif has_events(self.text, self.start):
                found = events(self.text, self.start, self.end)
                first = list(islice(found, LOOKED_AT))
                self._events = first, found
                self._objects = [event.value for event in first if isinstance(event.value, dict)]
            else:
                self._objects = []
        return self._objects

    def events(self) -> Iterator[Event]:
        """The events of a stream; those that told what it is are not taken apart once more."""
        first, found = self._events or ([], events(self.text, self.start, self.end))
        self._events = None
        return chain(first, found)

    @property
    def fields(self) -> frozenset[str]:
        """Names of all fields of these objects."""
        if self._fields is None:
            value = self.value
            self._fields = frozenset(value) if type(value) is dict else frozenset().union(*self.objects)
        return self._fields

    @property
    def names(self) -> frozenset[str] | None:
        """Of a body with `messages`: its fields, those of its first messages and the types of their blocks.

        "." is among them where the name of a field holds one, as in traces, and what is odd about its first call. None
        for all else.
        """
        found = self.messages if type(self.value) is dict and "messages" in self.value else None
        if found is None or not found.is_of_objects:
            return None
        names = self.fields | found.front_fields | found.block_types
        if "." in "".join(self.fields):
            names |= _DOTTED
        if (call := found.first_call) is not None:
            if "id" not in call:
                names |= {BARE_CALL}
            if isinstance(call.get("function"), str):
                names |= {NAMED_FUNCTION}
        return names

    @property
    def types(self) -> frozenset[str]:
        """What stands under `type` in these objects."""
        if self._types is None:
            found = (item.get("type") for item in self.objects)
            self._types = frozenset(kind for kind in found if isinstance(kind, str))
        return self._types

    def records(self) -> Iterator[tuple[Json, Path]]:
        """Each document of several, each item of a list, or the value alone; with its path."""
        if isinstance(self.value, list):
            return zip(self.value, numbered(self.path, self.first), strict=False)
        return iter([(self.value, self.path)])

    def inside(self, value: Json, at: Path) -> Source:
        """A value that stands in this one, as a source of its own.

        A string is taken apart like a paste; whatever is found in it stands at the string's place. The last ones are
        remembered: what a format looks at when it is asked, it reads later.
        """
        if self._inside is None or len(self._inside) >= _REMEMBERED:
            self._inside = {}
        elif (known := self._inside.get((id(value), at))) is not None:
            return known[1]
        made = self._taken_apart(value, at)
        # The value is kept with it, so that no other gets its identity.
        self._inside[id(value), at] = value, made
        return made

    def _taken_apart(self, value: Json, at: Path) -> Source:
        depth = self.depth + 1
        if not isinstance(value, str):
            return Source(value, at, registry=self.registry, depth=depth)
        document = parse_document(value)
        is_json = bool(document.roots) and document.prose_behind is None
        made = Source(
            document.value if is_json else None,
            at,
            document.text,
            document.start,
            document.end,
            is_json,
            is_json and document.several,
            registry=self.registry,
            depth=depth,
        )
        made.remarks = tuple(Remark(r.severity, r.code, r.message, r.next_step, at) for r in document.remarks)
        made.unread_lines = document.unread_lines
        return made

    def as_text(self) -> Source:
        """The same paste, its JSON taken as text."""
        return Source(None, (), self.text, self.start, self.end, is_json=False, registry=self.registry)

    def part(self, start: int, stop: int) -> Source:
        """Some of the records, as a source of its own; each keeps its place."""
        return Source(
            self.value[start:stop],
            self.path,
            self.text,
            self.start,
            self.end,
            several=self.several,
            registry=self.registry,
            depth=self.depth + 1,
            first=start,
        )

    def only(self) -> Source:
        """The one item of a list, as the source."""
        return Source(self.value[0], (*self.path, 0), self.text, self.start, self.end, registry=self.registry)

    def at(self, start: int, end: int) -> Path | Place:
        """Where a range of the text stands in the paste; of a text inside JSON, the place of its string."""
        if self.depth:
            return self.path
        if self._line_ends is None:
            lengths = map(add, map(len, self.text.split("\n")), repeat(1))
            self._line_ends = list(accumulate(lengths))
        before = bisect.bisect_right(self._line_ends, start)
        column = start + 1 - (self._line_ends[before - 1] if before else 0)
        return quick_place(before + 1, column, start, end)

    def why_broken(self) -> Remark | None:
        """Of a text inside JSON that means to be JSON and is not: what is wrong with it."""
        return next((remark for remark in self.remarks if remark.severity is Severity.ERROR), None)


def objects_in(value: Json) -> list[dict[str, Json]]:
    """The object, or the first objects of a list."""
    items = value[:LOOKED_AT] if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, dict)]
