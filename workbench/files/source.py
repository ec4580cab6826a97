"""Where the bytes of a large conversation file are: on disk, or in memory where the browser sent them."""

from __future__ import annotations

import errno
import io
import os
import select
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final, Protocol

from .headway import Headway
from .refusal import NotOpened, not_opened

#: Bytes read at once: between two of them progress is told and a stop is heard.
PIECE: Final = 1 << 20
#: Seconds to wait for a pipe between two looks at whether to stop.
_LOOK: Final = 0.05


class Source(Protocol):
    """Bytes that can be read more than once, as long as they are the same."""

    @property
    def name(self) -> str:
        """What to call it on screen."""
        ...

    @property
    def size(self) -> int:
        """How many bytes it has."""
        ...

    def open(self) -> BinaryIO:
        """The bytes, from the start. Raises NotOpened where they are gone, or are others than they were."""
        ...


@dataclass(frozen=True, slots=True)
class TextSource:
    """A long text that was pasted, dropped or chosen in the browser."""

    name: str = field(repr=False)
    content: bytes = field(repr=False)

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return len(self.content)

    def open(self) -> BinaryIO:
        """The bytes, from the start; nothing is copied."""
        return io.BytesIO(self.content)


@dataclass(frozen=True, slots=True)
class FileSource:
    """A file as it was when it was found."""

    path: Path = field(repr=False)
    size: int
    #: Device, inode and time of its last change: what tells it from another file at the same path.
    version: tuple[int, int, int] = field(repr=False)

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name

    def open(self) -> BinaryIO:
        """The bytes, from the start. Raises NotOpened where the file is gone, or is not as it was.

        It may have grown since: agents go on writing to the files of their sessions.
        """
        try:
            opened = self.path.open("rb")
        except OSError as error:
            raise not_opened(self.path, error, begun=True) from None
        now = os.fstat(opened.fileno())
        grown = _version(now)[:2] == self.version[:2] and now.st_size > self.size
        if not grown and (_version(now), now.st_size) != (self.version, self.size):
            opened.close()
            raise NotOpened(f"{self.path} is not the file it was any more.", "Open it again.")
        return opened


def find(path: Path) -> FileSource | None:
    """The file at a path; None for a pipe, which can be read once. Raises NotOpened for all that is no file."""
    try:
        found = path.stat()
    except ValueError:
        raise NotOpened("That is no path of a file.", "Check the path.") from None
    except OSError as error:
        raise not_opened(path, error) from None
    if stat.S_ISDIR(found.st_mode):
        raise not_opened(path, IsADirectoryError(errno.EISDIR, "")) from None
    if stat.S_ISFIFO(found.st_mode):
        return None
    if not stat.S_ISREG(found.st_mode):
        raise NotOpened(f"{path} is a device or a socket, no file.", "Name a file.")
    if not os.access(path, os.R_OK):
        raise not_opened(path, PermissionError(errno.EACCES, "")) from None
    return FileSource(path, found.st_size, _version(found))


def pieces(source: Source, headway: Headway) -> Iterator[bytes]:
    """The bytes piece by piece, as many as it had when it was found. Raises NotOpened, Stopped between two pieces."""
    left = source.size
    with source.open() as opened:
        while left and (piece := _piece(source, opened, min(PIECE, left))):
            left -= len(piece)
            headway.advance(len(piece))
            yield piece
    if left:
        raise NotOpened(f"{source.name} became shorter while it was read.", "Open it again.")


def read_pipe(path: Path, limit: int, headway: Headway) -> bytes:
    """All that comes through a pipe. Raises NotOpened, also for more than `limit` bytes; Stopped while it waits."""
    found = bytearray()
    try:
        # Without blocking: a pipe that nobody writes to would hold this thread for good.
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError as error:
        raise not_opened(path, error) from None
    try:
        waiting = select.poll()
        waiting.register(opened, select.POLLIN)
        written = False
        while len(found) <= limit:
            ready = waiting.poll(_LOOK * 1000)
            headway.advance()
            if not ready:
                continue
            piece = b"" if not any(event & select.POLLIN for _, event in ready) else os.read(opened, PIECE)
            if not piece and written:
                return bytes(found)
            if not piece:
                # Nobody has opened it to write yet: poll says "hung up" at once, so it is asked again later.
                headway.pause(_LOOK)
                continue
            written = True
            headway.advance(len(piece))
            found += piece
    except OSError as error:
        raise not_opened(path, error, begun=True) from None
    finally:
        os.close(opened)
    raise NotOpened(f"More than {limit:,} bytes came through {path}, the limit.", "Open a file with them.")


def _piece(source: Source, opened: BinaryIO, size: int) -> bytes:
    try:
        return opened.read(size)
    except OSError as error:
        raise not_opened(Path(source.name), error, begun=True) from None


def _version(found: os.stat_result) -> tuple[int, int, int]:
    return (found.st_dev, found.st_ino, found.st_mtime_ns)
