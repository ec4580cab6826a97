"""The breaker of an endpoint: it opens after failures in a row and closes on a success (SPEC 7)."""

from __future__ import annotations

from enum import StrEnum

from ..drivers.protocol import Category

#: Endpoint failures in a row that open a breaker, and the seconds it then stays open.
FAILURES_TO_OPEN = 5
COOLDOWN = 30.0


class CallResult(StrEnum):
    """What a call says about its endpoint."""

    SUCCESS = "success"
    #: Transport, timeout, HTTP 502 to 504.
    ENDPOINT_FAILURE = "endpoint_failure"
    #: Anything that says nothing of the endpoint's health: cancelled, refused, a reply that can't be read.
    NEITHER = "neither"


class Breaker:
    """One endpoint's breaker. Times are monotonic seconds, given by the caller."""

    def __init__(self, threshold: int = FAILURES_TO_OPEN, cooldown: float = COOLDOWN) -> None:
        self._threshold = threshold
        self._cooldown = cooldown
        self._failures = 0
        self._opened: float | None = None
        self._trial = False

    def is_open(self, now: float) -> bool:
        """Whether a call would be refused now. Asking admits nothing."""
        return self._opened is not None and (self._trial or now - self._opened < self._cooldown)

    def admit(self, now: float) -> bool:
        """Whether a call may be sent; after the cooldown this admits one trial. `record` must follow an admission."""
        if self.is_open(now):
            return False
        self._trial = self._opened is not None
        return True

    def record(self, result: CallResult, now: float) -> None:
        """Take in how an admitted call ended."""
        trial, self._trial = self._trial, False
        if result is CallResult.SUCCESS:
            self._failures, self._opened = 0, None
        elif result is CallResult.ENDPOINT_FAILURE:
            self._failures += 1
            if trial or (self._opened is None and self._failures >= self._threshold):
                self._opened = now


class Breakers:
    """The breakers of a route, one for each endpoint; they outlive a turn."""

    def __init__(self, threshold: int = FAILURES_TO_OPEN, cooldown: float = COOLDOWN) -> None:
        self._threshold = threshold
        self._cooldown = cooldown
        self._by_category: dict[Category, Breaker] = {}

    def of(self, category: Category) -> Breaker:
        """The breaker of the endpoint that answers this category."""
        return self._by_category.setdefault(category, Breaker(self._threshold, self._cooldown))
