"""What a failed call means: its words for a record, whether the turn may go on, and what it says of the endpoint."""

from __future__ import annotations

from ...core.vgr.evidence import Rung
from ..drivers.protocol import (
    CallTimeout,
    ContextOverflow,
    DriverError,
    HttpStatusError,
    InvalidResponse,
    NotRecorded,
    TransportError,
)
from .breaker import CallResult

_WORDS: tuple[tuple[type[DriverError], str], ...] = (
    (CallTimeout, "timeout"),
    (TransportError, "transport"),
    (ContextOverflow, "context overflow"),
    (InvalidResponse, "invalid response"),
    (NotRecorded, "not on this cassette"),
)
#: HTTP statuses of the local tier that cloud may step in for, beside 5xx (SPEC 7).
_ELIGIBLE_STATUSES = frozenset({403, 408, 429})


class AttemptFailed(Exception):
    """The local tier failed in a way cloud must not hide: a wrong key, a wrong request, a reply off the protocol."""

    def __init__(self, error: str) -> None:
        super().__init__(f"The local tier failed: {error}. Not an eligible failure, so nothing was served.")
        #: Error class and status, never a body.
        self.error = error
        self.rung = Rung.ATTEMPT
        self.next_step = "Check the key, the address and the model of the local tier, then run again."


def failure_words(error: DriverError) -> str:
    """Error class and status, e.g. `HTTP 503`. Never the error's own text: a driver may have put content there."""
    if isinstance(error, HttpStatusError):
        return f"HTTP {error.status}"
    return next((words for kind, words in _WORDS if isinstance(error, kind)), type(error).__name__)


def is_eligible(error: DriverError) -> bool:
    """Whether a failed attempt is served by cloud as `local_unavailable` (SPEC 7)."""
    if isinstance(error, HttpStatusError):
        return error.status in _ELIGIBLE_STATUSES or 500 <= error.status <= 599
    return isinstance(error, (ContextOverflow, TransportError, CallTimeout))


def endpoint_result(error: DriverError) -> CallResult:
    """What the failure says of the endpoint (SPEC 7, breaker)."""
    if isinstance(error, HttpStatusError):
        failed = 502 <= error.status <= 504
    else:
        failed = isinstance(error, (TransportError, CallTimeout))
    return CallResult.ENDPOINT_FAILURE if failed else CallResult.NEITHER
