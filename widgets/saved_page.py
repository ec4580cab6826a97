"""What a saved notebook shows where no kernel runs: an output of its own, kept at the last result (UI 12).

The output that holds the widgets stays as it was when its cell ran, and showing it anew would make new views and take
the focus away. So the page without a kernel is a second output; the stylesheet hides it while the widgets are there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from IPython.display import display, update_display

#: Seconds without a new result before the output is written: a dragged slider gives ten results a second.
PAUSE: Final = 0.4


class SavedPage:
    """The output named `name`; `render` gives its data by media type, called on any thread."""

    def __init__(self, name: str, render: Callable[[], dict[str, str]], pause: float = PAUSE) -> None:
        self._name = name
        self._render = render
        self._pause = pause
        self._written: dict[str, str] | None = None
        self._due: threading.Timer | None = None
        self._changing = threading.RLock()

    def show(self) -> None:
        """Add the output to the cell that runs; shown again, all of them are kept up to date."""
        with self._changing:
            self._written = self._render()
            display(self._written, raw=True, display_id=self._name)  # type: ignore[no-untyped-call]

    def renew(self) -> None:
        """Write the output anew once results pause. Does nothing before `show`."""
        with self._changing:
            if self._written is None:
                return
            self._stop()
            self._due = threading.Timer(self._pause, self._write)
            self._due.daemon = True
            self._due.start()

    def close(self) -> None:
        """Write what is due; from now on the output stays as it is."""
        with self._changing:
            if self._due is not None:
                self._write()
            self._written = None

    def _write(self) -> None:
        with self._changing:
            self._stop()
            rendered = self._render()
            if self._written is not None and rendered != self._written:
                self._written = rendered
                update_display(rendered, raw=True, display_id=self._name)  # type: ignore[no-untyped-call]

    def _stop(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None
