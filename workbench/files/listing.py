"""Listing the conversations of a large JSON-lines file without loading them, and loading the one that is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from ...core.conversation.file_text import NotText, decode
from ...core.explain.wording import counted
from ...widgets.files import Stage
from .grouping import SAMPLE_BYTES, SAMPLE_LINES, Grouping, grouping, is_lines_of_json, is_reply, record_of
from .heading import heading
from .headway import Headway
from .index import Index
from .lines import Line, lines
from .refusal import NotOpened, too_large
from .source import Source, pieces

#: Bytes of one conversation that are read at once.
WHOLE: Final = 64_000_000
#: Line numbers that a remark lists.
_LISTED: Final = 12


def sample_of(source: Source) -> list[Line]:
    """The first lines of a file. Raises NotOpened."""
    found: list[Line] = []
    size = 0
    for line in islice(lines(source, Headway()), SAMPLE_LINES):
        found.append(line)
        size += len(line.head)
        if size > SAMPLE_BYTES and len(found) > 1:
            break
    return found


def listed(source: Source, sample: list[Line], headway: Headway) -> Index:
    """The conversations of a file that begins with these lines. Raises NotOpened and Stopped."""
    headway.begin(Stage.LISTING, source.size)
    how = grouping(sample)
    making = _ByLine(how) if not how.session and not how.one else _BySession(how)
    for line in lines(source, headway):
        making.take(line)
    making.finish()
    making.index.put_away(len(making.index))
    return making.index


def remarks_on(index: Index) -> tuple[str, ...]:
    """What is wrong with lines of the file: one sentence, with their numbers."""
    if not index.broken:
        return ()
    numbers = ", ".join(f"{line:,}" for line in index.broken_lines[:_LISTED])
    more = f" and {index.broken - _LISTED:,} more" if index.broken > _LISTED else ""
    what = "is no JSON object" if index.broken == 1 else "are no JSON objects"
    return (f"{counted(index.broken, 'line')} {what}: {numbers}{more}.",)


def loaded(source: Source, index: Index, chosen: int, headway: Headway) -> str:
    """The text of one conversation: its lines alone. Raises NotOpened and Stopped."""
    spans = index.spans(chosen)
    size = sum(length for _, length in spans)
    if size > WHOLE:
        name = f"Number {chosen + 1:,} of {source.name}"
        raise too_large(name, size, WHOLE, "a conversation", "Choose another one, or cut it into parts.")
    headway.begin(Stage.READING, size)
    found = bytearray()
    with source.open() as opened:
        for start, length in spans:
            opened.seek(start)
            piece = opened.read(length)
            if len(piece) != length:
                raise NotOpened(f"{source.name} became shorter since it was listed.", "Open it again.")
            headway.advance(length)
            found += piece + b"\n"
    return _text(source.name, bytes(found))


def whole(source: Source, headway: Headway) -> str:
    """All of a file, as text. Raises NotOpened, for more than is read at once too, and Stopped."""
    if source.size > WHOLE:
        step = "Cut the conversation out of it, or write it as JSON lines, one record a line: those are listed."
        raise too_large(source.name, source.size, WHOLE, "one document", step)
    headway.begin(Stage.READING, source.size)
    return _text(source.name, b"".join(pieces(source, headway)))


def is_listed(sample: list[Line]) -> bool:
    """Whether a file that begins with these lines is listed rather than read whole."""
    return bool(sample) and not sample[0].head.startswith((b"\xff\xfe", b"\xfe\xff")) and is_lines_of_json(sample)


def _text(name: str, content: bytes) -> str:
    try:
        return decode(content)
    except NotText as error:
        raise NotOpened(f"{name} could not be read.", str(error)) from None


class _ByLine:
    """Each line is a conversation; a reply may belong to the request before it."""

    def __init__(self, how: Grouping) -> None:
        self.index = Index("message")
        self._replies = how.replies
        self._open = False

    def take(self, line: Line) -> None:
        """The next line."""
        if self._replies and self._open and line.whole and is_reply(line.head):
            self.index.add(len(self.index) - 1, line.start, line.length)
            self.index.count(len(self.index) - 1, 1)
            self._open = False
            return
        record = record_of(line.head) if line.whole else None
        self._open = record is not None
        at = self.index.begin(line.number)
        self.index.add(at, line.start, line.length)
        if record is not None:
            found = heading(record)
            self.index.name(at, found.title)
            self.index.count(at, found.messages)
        elif line.whole:
            self.index.break_line(at, line.number)
        self.index.put_away(at + 1)

    def finish(self) -> None:
        """There are no more lines."""


class _BySession:
    """A record that names its session belongs to that; one that names none to the session before it."""

    def __init__(self, how: Grouping) -> None:
        self.index = Index("line")
        self._how = how
        self._at: dict[str, int] = {}
        self._current: int | None = None
        #: Words that a harness put first, for a session that has no others.
        self._later: dict[int, str] = {}
        #: Lines before the first that names its session, and whether each is broken.
        self._waiting: list[tuple[Line, bool]] = []

    def take(self, line: Line) -> None:
        """The next line."""
        record = record_of(line.head) if line.whole else None
        broken = record is None and line.whole
        key = "" if self._how.one else _key_of(line, record, self._how)
        if key is None and self._current is None:
            self._waiting.append((Line(line.number, line.start, line.length, b""), broken))
            return
        if key is not None:
            self._turn_to(key, line.number)
        self._add(line, broken)
        if record is not None and self._current is not None and not self.index.is_named(self._current):
            found = heading(record)
            if found.words.startswith("<"):
                self._later.setdefault(self._current, found.words)
            elif found.words:
                self.index.name(self._current, found.words)

    def finish(self) -> None:
        """There are no more lines."""
        if self._waiting:
            self._turn_to("", self._waiting[-1][0].number)
        for conversation, words in self._later.items():
            if not self.index.is_named(conversation):
                self.index.name(conversation, words)

    def _turn_to(self, key: str, number: int) -> None:
        """The lines from here on, and those that wait, are of this session."""
        if key not in self._at:
            self._at[key] = self.index.begin(self._waiting[0][0].number if self._waiting else number)
        self._current = self._at[key]
        waiting, self._waiting = self._waiting, []
        for line, broken in waiting:
            self._add(line, broken)

    def _add(self, line: Line, broken: bool) -> None:
        if self._current is not None:
            self.index.add(self._current, line.start, line.length)
            self.index.count(self._current, 1)
            if broken:
                self.index.break_line(self._current, line.number)


def _key_of(line: Line, record: object, how: Grouping) -> str | None:
    if line.whole:
        return how.key(record)
    # Too long to be read here; its session is named at one of its ends, where it is named at all.
    name = how.session[-1]
    return next((value for end in (line.head, line.tail) for value in _values(end, f'"{name}"'.encode())), None)


def _values(end: bytes, name: bytes) -> Iterator[str]:
    """The string values of a key in the bytes of a line; a key inside a text has its quotes escaped."""
    for part in end.split(name)[1:]:
        value = part.lstrip(b" \t")
        if value[:1] == b":" and value[1:].lstrip(b" \t")[:1] == b'"':
            yield value[1:].lstrip(b" \t")[1:].split(b'"', 1)[0].decode("utf-8", "replace")
