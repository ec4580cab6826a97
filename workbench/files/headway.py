"""How far work beside the session's thread has come, and the word to stop it."""

from __future__ import annotations

import threading

from ...widgets.files import Stage


class Stopped(Exception):
    """The work was told to stop, and did."""


class Headway:
    """Written by the thread that works, read by the session's. Work that can't look here is left to itself."""

    def __init__(self) -> None:
        self.stage = Stage.READING
        #: Bytes done, and of how many; None where nobody knows.
        self.done = 0
        self.total: int | None = None
        self._stop = threading.Event()

    def stop(self) -> None:
        """Tell the work to stop: it does at its next step."""
        self._stop.set()

    def advance(self, bytes_more: int = 0) -> None:
        """So many more bytes are done. Raises Stopped where nobody waits for the rest."""
        if self._stop.is_set():
            raise Stopped
        self.done += bytes_more

    def pause(self, seconds: float) -> None:
        """Wait so long, or until it is to stop. Raises Stopped."""
        self._stop.wait(seconds)
        self.advance()

    def begin(self, stage: Stage, total: int | None = None) -> None:
        """Another stage begins, of so many bytes. Raises Stopped."""
        self.stage, self.done, self.total = stage, 0, total
        self.advance()
