"""Asking one question of the driver within the time that is left, and recording how it went (SPEC 7)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from ...core.vgr.evidence import Asked, Miss, Rung
from ..drivers.protocol import Call, CallTimeout, Driver, DriverError, Reply
from .breaker import Breakers, CallResult
from .events import RungAnswered, RungAsked, RungMissed
from .failures import endpoint_result, failure_words
from .questions import category_of
from .replies import Read

#: What stands in a record where a breaker kept a question from being sent.
BREAKER_OPEN = "breaker open"
#: A driver that times out by itself at the deadline may report a hair before it.
_HAIR = 0.001


@dataclass(frozen=True, slots=True)
class Asking:
    """How a question went: its row, the reply if there was one, and the error if there was one."""

    row: Asked
    reply: Reply | None = field(default=None, repr=False)
    error: DriverError | None = None
    #: Whether the error is the decision deadline itself.
    out_of_time: bool = False

    @property
    def event(self) -> RungAnswered | RungMissed:
        """The event that reports it."""
        return RungAnswered(self.row) if self.row.miss is None else RungMissed(self.row)


class Asker:
    """Asks a turn's questions one after the other. Its clock gives monotonic seconds; rows count from the turn's start.

    Nothing is started in the background: cancelling the task that awaits `ask` ends the call in flight.
    """

    def __init__(self, driver: Driver, clock: Callable[[], float], deadline: float, breakers: Breakers) -> None:
        self._driver = driver
        self._clock = clock
        self._began = clock()
        self._deadline = deadline
        self._until = self._began + deadline
        self._breakers = breakers
        self._extra = False

    def at(self) -> float:
        """Seconds since the turn began."""
        return self._clock() - self._began

    def left(self) -> float:
        """Seconds until the deadline; not positive once it has passed."""
        return self._until - self._clock()

    def begin_extras(self) -> None:
        """From now on questions are extra: they get a deadline of their own, and leave the breakers alone."""
        self._extra = True
        self._until = self._clock() + self._deadline

    def announce(self, rung: Rung) -> RungAsked | None:
        """The event for a question about to be sent; None where none will be, for lack of time or an open breaker."""
        left = self.left()
        if left <= 0 or (not self._extra and self._breakers.of(category_of(rung)).is_open(self._clock())):
            return None
        return RungAsked(rung, self.at(), left, self._extra)

    async def ask(self, rung: Rung, call_of: Callable[[float], Call], read: Callable[[Reply], Read]) -> Asking:
        """Send the question and read its reply. Failures become misses; only cancellation and faults of ours raise."""
        started, left = self.at(), self.left()
        if left <= 0:
            return Asking(self._row(rung, started, Read(miss=Miss.DEADLINE_EXHAUSTED)), out_of_time=True)
        breaker = None if self._extra else self._breakers.of(category_of(rung))
        if breaker is not None and not breaker.admit(self._clock()):
            return Asking(self._row(rung, started, Read(miss=Miss.CALL_FAILED), BREAKER_OPEN))
        result = CallResult.NEITHER
        try:
            async with asyncio.timeout(left) as guard:
                reply = await self._driver.complete(call_of(left))
            result = CallResult.SUCCESS
        except (DriverError, TimeoutError) as raised:
            error = raised if isinstance(raised, DriverError) else CallTimeout("timeout", rung)
            result = endpoint_result(error)
            timed_out = isinstance(error, CallTimeout)
            row = self._row(
                rung, started, Read(miss=Miss.TIMED_OUT if timed_out else Miss.CALL_FAILED), failure_words(error)
            )
            return Asking(row, None, error, timed_out and (guard.expired() or self.left() <= _HAIR))
        finally:
            if breaker is not None:
                breaker.record(result, self._clock())
        return Asking(self._row(rung, started, read(reply)), reply)

    def _row(self, rung: Rung, started: float, read: Read, error: str = "") -> Asked:
        return Asked(
            rung,
            started,
            self.at() - started,
            self._driver.origin_for(category_of(rung)),
            read.value,
            read.answer,
            read.miss,
            error,
            self._extra,
            read.note,
        )
