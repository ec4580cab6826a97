"""Removing a folder that a stranger's program filled: read-only, unreadable or very deep ones go as well."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import count
from pathlib import Path
from secrets import token_hex


def remove_folder(root: Path) -> bool:
    """Remove a folder and all in it, following no link; whether it is gone. What resists is left, the rest is not.

    A folder found inside is moved up to `root` before it is emptied, so no depth exhausts the stack or a path's length.
    """
    token, numbers = token_hex(8), count()
    emptied: list[Path] = []
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        for entry in _opened(folder):
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    # A folder is renamed only by who may write into it.
                    os.chmod(entry.path, 0o700)
                    moved = root / f"{token}-{next(numbers)}"
                    os.rename(entry.path, moved)
                    waiting.append(moved)
                else:
                    os.unlink(entry.path)
        emptied.append(folder)
    for folder in reversed(emptied):
        with suppress(OSError):
            os.rmdir(folder)
    return not os.path.lexists(root)


def _opened(folder: Path) -> list[os.DirEntry[str]]:
    with suppress(OSError):
        os.chmod(folder, 0o700)
        with os.scandir(folder) as found:
            return list(found)
    return []
