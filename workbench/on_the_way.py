"""The file or long text that is on its way to the bench: one at a time, with its progress on screen, to be left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from ..widgets.files import Notice, Opening
from .display import Display
from .files.headway import Headway, Stopped
from .files.opening import Opened
from .files.refusal import NotOpened
from .own_loop import OwnLoop
from .pasted import Pasted
from .seats import Seats

#: What takes less, in seconds, shows nothing before it is there; and how often progress shows.
REVEAL_AFTER: Final = 0.15
REVEAL_EVERY: Final = 0.1


@dataclass(frozen=True, slots=True, repr=False)
class Waiting:
    """What is done with it once it is there, or where it came to nothing."""

    take: Callable[[Opened, tuple[Pasted, ...]], None]
    give_up: Callable[[tuple[Pasted, ...]], None]
    #: Texts that it overtook before they were read; both of the above are told of them.
    overtaken: tuple[Pasted, ...] = ()
    #: Its own text, where that is kept nowhere else, and what the step to it is called.
    unread: Pasted | None = None
    words: str = ""


@dataclass(eq=False, slots=True, repr=False)
class Way:
    """One that is on its way."""

    name: str
    waiting: Waiting
    began: float
    headway: Headway = field(default_factory=Headway)
    task: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None


class OnTheWay:
    """Used on the session's thread alone."""

    def __init__(self, loop: OwnLoop, display: Display, seats: Seats, say: Callable[[Notice | None], None]) -> None:
        """`say` puts a sentence into the Conversation panel, which shows with the next screen."""
        self._loop = loop
        self._display = display
        self._seats = seats
        self._say = say
        self._way: Way | None = None

    @property
    def unread(self) -> Pasted | None:
        """The text on its way, where it is one that is kept nowhere else."""
        return None if self._way is None else self._way.waiting.unread

    def start(self, name: str, work: Callable[[Headway], Opened], waiting: Waiting) -> None:
        """Begin beside the thread. What was on its way is left."""
        self.leave()
        way = self._way = Way(name, waiting, self._loop.time())
        way.task = self._loop.start(self._go(way, work))
        way.timer = self._loop.later(REVEAL_AFTER, partial(self._seats.safely, partial(self._reveal, way)))

    def leave(self) -> Way | None:
        """Leave what is on its way, and give it. Reading stops at the next piece; what can't stop is dropped."""
        way, self._way = self._way, None
        if way is not None:
            self._end(way)
            way.headway.stop()
            if way.task is not None:
                way.task.cancel()
        return way

    async def _go(self, way: Way, work: Callable[[Headway], Opened]) -> None:
        try:
            opened = await self._loop.aside(partial(work, way.headway))
        except Stopped:
            return
        except NotOpened as refusal:
            self._seats.safely(partial(self._fail, way, refusal.notice))
        except Exception as error:  # noqa: BLE001 - whatever it is, the screen says so and the session lives on
            what = f"Opening {way.name} failed: {type(error).__name__}."
            self._seats.safely(partial(self._fail, way, Notice(what, "Report it: this is a defect of the workbench.")))
        else:
            self._seats.safely(partial(self._arrive, way, opened))

    def _arrive(self, way: Way, opened: Opened) -> None:
        if way is self._way:  # else a newer input has come
            self._way = None
            self._end(way)
            way.waiting.take(opened, way.waiting.overtaken)

    def _fail(self, way: Way, notice: Notice) -> None:
        if way is self._way:
            self._way = None
            self._end(way)
            self._say(notice)
            way.waiting.give_up(way.waiting.overtaken)
            self._seats.show()

    def _reveal(self, way: Way) -> None:
        if way is not self._way:
            return
        headway, shown = way.headway, self._display.screen.opening
        opening = Opening(way.name, headway.stage, self._loop.time() - way.began, headway.done, headway.total)
        # The seconds go on in the browser.
        if shown is None or replace(opening, seconds=shown.seconds) != shown:
            self._display.screen = replace(self._display.screen, opening=opening)
            self._seats.show()
        way.timer = self._loop.later(REVEAL_EVERY, partial(self._seats.safely, partial(self._reveal, way)))

    def _end(self, way: Way) -> None:
        if way.timer is not None:
            way.timer.cancel()
        self._display.screen = replace(self._display.screen, opening=None)
