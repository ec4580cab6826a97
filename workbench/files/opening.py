"""From a path, or a long text, to what the bench takes: one text that is read, or a list of conversations.

All of it runs beside the session's thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ...core.conversation.read import read
from ...core.conversation.reading import Reading
from ...widgets.files import Listing, Stage
from .headway import Headway
from .index import Index
from .listing import WHOLE, is_listed, listed, loaded, remarks_on, sample_of, whole
from .refusal import NotOpened
from .source import FileSource, Source, TextSource, find, read_pipe

#: Bytes from which a file of JSON lines is listed, and its conversations are not loaded.
LISTED_FROM: Final = 16_000_000


@dataclass(frozen=True, slots=True)
class Large:
    """A large file whose conversations are listed; `listing` is what the screen shows of it."""

    source: Source = field(repr=False)
    index: Index = field(repr=False)
    listing: Listing


@dataclass(frozen=True, slots=True)
class Opened:
    """What was opened: a text with its reading, or a large file, or a conversation of one with its text."""

    name: str = field(repr=False)
    text: str = field(default="", repr=False)
    reading: Reading | None = field(default=None, repr=False)
    large: Large | None = None


def check_path(path: Path) -> None:
    """Raise OSError, with what to do, for a path that can be seen to lead to no file that can be read."""
    try:
        find(path)
    except NotOpened as refusal:
        raise refusal.as_os_error() from None


def open_path(path: Path, headway: Headway) -> Opened:
    """A file, or what comes through a pipe. Raises NotOpened and Stopped."""
    found = find(path)
    return _opened(TextSource(path.name, read_pipe(path, WHOLE, headway)) if found is None else found, headway)


def open_text(text: str, name: str, forced: str | None, previous: Reading | None, headway: Headway) -> Opened:
    """A long text that is there already. Raises Stopped."""
    if forced is None and len(text) >= LISTED_FROM:
        source = TextSource(name or "the paste", text.encode("utf-8", "surrogatepass"))
        found = _large(source, headway)
        if found is not None:
            return Opened(name, large=found)
    return Opened(name, text, understood(text, forced, previous, headway))


def open_listed(large: Large, chosen: int, previous: Reading | None, headway: Headway) -> Opened:
    """One conversation of a large file. Raises NotOpened and Stopped."""
    text = loaded(large.source, large.index, chosen, headway)
    return Opened(large.source.name, text, understood(text, None, previous, headway), large)


def understood(text: str, forced: str | None, previous: Reading | None, headway: Headway) -> Reading:
    """The text as it is read. Nothing can stop that: who no longer waits for it drops what comes of it."""
    headway.begin(Stage.PARSING, len(text))
    return read(text, force=forced, previous=previous)


def _opened(source: FileSource | TextSource, headway: Headway) -> Opened:
    if source.size >= LISTED_FROM:
        found = _large(source, headway)
        if found is not None:
            return Opened(source.name, large=found)
    text = whole(source, headway)
    return Opened(source.name, text, understood(text, None, None, headway))


def _large(source: Source, headway: Headway) -> Large | None:
    """The file as a list; None where it is no JSON lines, or one conversation that can be read at once."""
    sample = sample_of(source)
    if not is_listed(sample):
        return None
    index = listed(source, sample, headway)
    if len(index) == 1 and source.size <= WHOLE:
        return None
    listing = Listing(source.name, index, source.size, remarks_on(index))
    return Large(source, index, listing)
