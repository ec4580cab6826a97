"""Asking one question of the driver within the time that is left, and recording how it went (SPEC 7)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ...core.vgr.evidence import Asked, Miss, Rung
from ..drivers.protocol import Answer, Call, CallTimeout, Driver, DriverError, Question, Reply
from .breaker import Breaker, Breakers, CallResult
from .events import RungAnswered, RungAsked, RungMissed
from .failures import BREAKER_OPEN, endpoint_result, failure_words
from .questions import category_of
from .replies import Read

#: A driver that times out by itself at the deadline may report a hair before it.
_HAIR = 0.001

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Asking(Generic[R]):
    """How a question went: its row, the reply or answer if there was one, and the error if there was one."""

    row: Asked
    reply: R | None = field(default=None, repr=False)
    error: DriverError | None = None
    #: Whether the error is the deadline itself.
    out_of_time: bool = False

    @property
    def event(self) -> RungAnswered | RungMissed:
        """The event that reports it."""
        return RungAnswered(self.row) if self.row.miss is None else RungMissed(self.row)


class Asker:
    """Asks a turn's questions one after the other. Its clock gives monotonic seconds; rows count from the turn's start.

    Nothing is started in the background: cancelling the task that awaits an answer ends the call in flight. Without
    breakers every question is sent.
    """

    def __init__(self, driver: Driver, clock: Callable[[], float], deadline: float, breakers: Breakers | None) -> None:
        self._driver = driver
        self._clock = clock
        self._began = clock()
        self._deadline = deadline
        self._until = self._began + deadline
        self._breakers = breakers
        self._extra = False
        self._rows: list[Asked] = []

    @property
    def rows(self) -> tuple[Asked, ...]:
        """Everything asked so far, in order."""
        return tuple(self._rows)

    def at(self) -> float:
        """Seconds since the turn began."""
        return self._clock() - self._began

    def left(self) -> float:
        """Seconds until the deadline; not positive once it has passed."""
        return self._until - self._clock()

    def renew(self, deadline: float) -> None:
        """What is asked from now on has this many seconds of its own."""
        self._until = self._clock() + deadline

    def begin_extras(self) -> None:
        """From now on questions are extra: they get a deadline of their own, and leave the breakers alone."""
        self._extra = True
        self.renew(self._deadline)

    def announce(self, rung: Rung, turn: int | None = None) -> RungAsked | None:
        """The event for a question about to be sent; None where none will be, for lack of time or an open breaker."""
        left, breaker = self.left(), self._breaker_of(rung)
        if left <= 0 or (breaker is not None and breaker.is_open(self._clock())):
            return None
        return RungAsked(rung, self.at(), left, self._extra, turn)

    async def complete(
        self, rung: Rung, call_of: Callable[[float], Call], read: Callable[[Reply], Read]
    ) -> Asking[Reply]:
        """Ask for a completion and read it. Failures become misses; only cancellation and faults of ours raise."""
        return await self._ask(rung, lambda left: self._driver.complete(call_of(left)), read)

    async def decide(
        self, rung: Rung, question_of: Callable[[float], Question], read: Callable[[Answer], Read]
    ) -> Asking[Answer]:
        """Ask a decision question and read its answer, as `complete` does."""
        return await self._ask(rung, lambda left: self._driver.decide(question_of(left)), read)

    async def _ask(self, rung: Rung, send: Callable[[float], Awaitable[R]], read: Callable[[R], Read]) -> Asking[R]:
        started, left = self.at(), self.left()
        if left <= 0:
            return Asking(self._row(rung, started, Read(miss=Miss.DEADLINE_EXHAUSTED)), out_of_time=True)
        breaker = self._breaker_of(rung)
        if breaker is not None and not breaker.admit(self._clock()):
            return Asking(self._row(rung, started, Read(miss=Miss.CALL_FAILED), BREAKER_OPEN))
        result = CallResult.NEITHER
        try:
            async with asyncio.timeout(left) as guard:
                reply = await send(left)
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

    def _breaker_of(self, rung: Rung) -> Breaker | None:
        if self._extra or self._breakers is None:
            return None
        return self._breakers.of(category_of(rung))

    def _row(self, rung: Rung, started: float, read: Read, error: str = "") -> Asked:
        row = Asked(
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
        self._rows.append(row)
        return row
