"""Why a file could not be opened, in a sentence for the screen, with the next step."""

from __future__ import annotations

import errno
from pathlib import Path

from ...widgets.files import Notice


class NotOpened(Exception):
    """A file could not be opened. It names the file and never quotes it."""

    def __init__(self, what: str, next_step: str, kind: type[OSError] = OSError) -> None:
        super().__init__(f"{what} {next_step}")
        self.notice = Notice(what, next_step)
        self._kind = kind

    def as_os_error(self) -> OSError:
        """The same as an error of a call, of the kind that the operating system's would be."""
        return self._kind(str(self))


def too_large(name: str, size: int, limit: int, kind: str, next_step: str) -> NotOpened:
    """A file, or a conversation of one, that is more than is read at once; `kind` says what is so large."""
    return NotOpened(f"{name} is {kind} of {size:,} bytes, over the limit of {limit:,}.", next_step)


def not_opened(path: Path, error: OSError, *, begun: bool = False) -> NotOpened:
    """What the operating system said, in our words; `begun` where the file was there and reading had begun."""
    match error.errno:
        case errno.ENOENT | errno.ENOTDIR:
            if begun:
                return NotOpened(f"{path} went away while it was read.", "Open it again where it is now.")
            return NotOpened(f"There is no file {path} on the kernel's machine.", "Check the path.", FileNotFoundError)
        case errno.EISDIR:
            return NotOpened(f"{path} is a folder.", "Name one file in it.", IsADirectoryError)
        case errno.EACCES | errno.EPERM:
            return NotOpened(f"The kernel may not read {path}.", "Allow it to, or copy the file.", PermissionError)
        case errno.ENAMETOOLONG | errno.EINVAL | errno.ELOOP:
            return NotOpened("That is no path of a file.", "Check the path.")
    what = f"Reading {path} failed: {errno.errorcode.get(error.errno or 0, type(error).__name__)}."
    return NotOpened(what, "Check the file and the disk it is on, and open it again.")
