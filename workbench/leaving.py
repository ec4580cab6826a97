"""Drivers that are no longer asked: each is let go of once its calls have ended, and all of them at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any, Final

from .drivers.protocol import Driver

#: Seconds that calls may take to end, and that a driver may take to let go of what it holds.
PATIENCE: Final = 10.0


class Leaving:
    """Changed on the session's thread alone. What a driver raises when it is let go of concerns nobody."""

    def __init__(self, in_use: Callable[[], Driver]) -> None:
        self._in_use = in_use
        self._drivers: list[Driver] = []

    def add(self, driver: Driver) -> None:
        """This driver is no longer asked; from now on the end lets go of it, too."""
        self._remove(driver)
        self._drivers.append(driver)

    async def let_go(self, driver: Driver, ending: Collection[asyncio.Task[Any]]) -> None:
        """Let go of it once these calls have ended, unless it was chosen again meanwhile."""
        if ending:
            await asyncio.wait(ending, timeout=PATIENCE)
        if driver is self._in_use():
            self._remove(driver)
        elif driver in self._drivers:
            await self._close(driver)

    async def let_go_of_all(self) -> None:
        """Let go of those that are left, and of the one in use."""
        self.add(self._in_use())
        await asyncio.gather(*[self._close(driver) for driver in self._drivers])

    async def _close(self, driver: Driver) -> None:
        with suppress(Exception):
            async with asyncio.timeout(PATIENCE):
                await driver.aclose()
        self._remove(driver)

    def _remove(self, driver: Driver) -> None:
        self._drivers = [other for other in self._drivers if other is not driver]
