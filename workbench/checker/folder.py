"""A folder's manifest: every file by path, executable bit and SHA-256, read within limits, perhaps copied on the way.

Nothing is followed and nothing special is opened: symbolic links, pipes, sockets and devices are refused.
"""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

from .config import CheckerRefused, shown

#: What a tests folder may hold: bytes in all its files, and files and folders.
MAX_BYTES: Final = 64 * 1024 * 1024
MAX_ENTRIES: Final = 20_000
_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder of a manifest."""

    #: From the folder, with slashes.
    path: str
    #: SHA-256 of the bytes; empty for a folder.
    digest: str
    executable: bool = False


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a folder holds, sorted by path."""

    entries: tuple[Entry, ...]

    @property
    def hash(self) -> str:
        """SHA-256 over all entries, in hexadecimal. The folder's own place is no part of it."""
        total = hashlib.sha256()
        for entry in self.entries:
            path = os.fsencode(entry.path)
            total.update(b"%d:%b:%d:%b\n" % (len(path), path, entry.executable, entry.digest.encode()))
        return total.hexdigest()


def manifest_of(root: Path, copy_to: Path | None = None) -> Manifest:
    """The manifest of what is read now, and with `copy_to`, an empty folder, a read-only copy of exactly that.

    Raises `CheckerRefused` for what is refused or beyond a limit, OSError for what can't be read or written.
    """
    if not stat.S_ISDIR(os.lstat(root).st_mode):
        raise CheckerRefused(f"tests folder {shown(str(root))} is no folder. Put the folder back.")
    entries: list[Entry] = []
    folders: list[Path] = []
    left = MAX_BYTES
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        for name in _names(root / folder):
            path = f"{folder}/{name}" if folder else name
            if len(entries) == MAX_ENTRIES:
                raise CheckerRefused(
                    f"tests folder {shown(str(root))} holds more than {MAX_ENTRIES:,} files and folders. "
                    "Point tests_dir at a smaller folder."
                )
            if _kind(root, path) == stat.S_IFDIR:
                entries.append(Entry(path, ""))
                waiting.append(path)
                if copy_to is not None:
                    (copy_to / path).mkdir(mode=0o700)
                    folders.append(copy_to / path)
            else:
                entry, size = _file(root, path, copy_to, left)
                entries.append(entry)
                left -= size
    if copy_to is not None:
        for made in (*reversed(folders), copy_to):
            made.chmod(0o500)
    return Manifest(tuple(sorted(entries, key=lambda entry: entry.path)))


def _names(folder: Path) -> list[str]:
    with os.scandir(folder) as found:
        return sorted([entry.name for entry in islice(found, MAX_ENTRIES + 1)])


def _kind(root: Path, path: str) -> int:
    """Whether it is a folder or a file; all else is refused before anything opens it."""
    kind = stat.S_IFMT(os.lstat(root / path).st_mode)
    if kind == stat.S_IFLNK:
        raise CheckerRefused(
            f"tests folder {shown(str(root))} holds the symbolic link {shown(path)}. "
            "A link can't be pinned: replace it by a copy of what it points to."
        )
    if kind not in (stat.S_IFDIR, stat.S_IFREG):
        raise CheckerRefused(
            f"tests folder {shown(str(root))} holds {shown(path)}, which is neither file nor folder. Remove it."
        )
    return kind


def _file(root: Path, path: str, copy_to: Path | None, left: int) -> tuple[Entry, int]:
    """The file's entry and its size in bytes. It may have become something else since it was looked at."""
    descriptor = os.open(root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as source:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise CheckerRefused(
                f"tests folder {shown(str(root))}: {shown(path)} changed while it was read. Try again."
            )
        executable = bool(mode & 0o111)
        if copy_to is None:
            digest, size = _read(root, source, None, left)
        else:
            with open(copy_to / path, "xb") as target:
                digest, size = _read(root, source, target, left)
                os.fchmod(target.fileno(), 0o500 if executable else 0o400)
    return Entry(path, digest, executable), size


def _read(root: Path, source: BinaryIO, target: BinaryIO | None, left: int) -> tuple[str, int]:
    total, size = hashlib.sha256(), 0
    while chunk := source.read(_CHUNK):
        size += len(chunk)
        if size > left:
            raise CheckerRefused(
                f"tests folder {shown(str(root))} holds more than {MAX_BYTES // 1024**2} MiB. "
                "Point tests_dir at a smaller folder."
            )
        total.update(chunk)
        if target is not None:
            target.write(chunk)
    return total.hexdigest(), size
