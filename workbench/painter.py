"""Painting on a thread of its own: a bench shows the newest value, one at a time, however fast values arrive."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Painter(Generic[Value]):
    """Calls `paint` with the newest value offered; values that came in between are skipped.

    Whoever offers never waits for the browser: a slow paint must not lengthen the times a run measures.
    `paint` must not raise.
    """

    def __init__(self, paint: Callable[[Value], None], name: str) -> None:
        self._paint = paint
        self._waiting: list[Value] = []
        self._busy = False
        self._closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def offer(self, value: Value) -> None:
        """Show this value next; returns at once. Ignored after `close`."""
        with self._changed:
            if not self._closed:
                self._waiting[:] = [value]
                self._changed.notify_all()

    def settle(self, timeout: float = 10.0) -> bool:
        """Wait until everything offered is painted; False where that took longer than `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self._closed or not (self._waiting or self._busy), timeout)

    def close(self) -> None:
        """Paint nothing more and wait for the paint that is on, unless it is the one that closes."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=5.0)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._waiting)
                if self._closed:
                    return
                value = self._waiting.pop()
                self._busy = True
            try:
                self._paint(value)
            finally:
                with self._changed:
                    self._busy = False
                    self._changed.notify_all()
            del value
