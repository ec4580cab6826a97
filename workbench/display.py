"""The screen as it stands, and whoever is told of a new one."""

from __future__ import annotations

from collections.abc import Callable

from ..widgets.screen import Screen


class Display:
    """Read from any thread, changed on the session's alone."""

    def __init__(self, screen: Screen, told: Callable[[Screen], None]) -> None:
        """`told` must neither wait nor raise."""
        self.screen = screen
        self.told = told

    def show(self, screen: Screen) -> None:
        """Put this screen in place and tell."""
        self.screen = screen
        self.told(screen)
