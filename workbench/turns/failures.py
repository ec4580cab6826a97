"""What a failed call means: its words for a record, whether the turn may go on, and what it says of the endpoint."""

from __future__ import annotations

from typing import ClassVar

from ...core.cutoffs.decision import ReasonCode
from ...core.escalation.outcome import Fallback
from ...core.vgr.evidence import Rung
from ..drivers.protocol import (
    NOT_AS_RECORDED,
    CallTimeout,
    ContextOverflow,
    DriverError,
    HttpStatusError,
    InvalidResponse,
    MissingKey,
    NotConfigured,
    NotRecorded,
    TransportError,
)
from ..drivers.with_checker import NotChecked
from .breaker import CallResult

_WORDS: tuple[tuple[type[DriverError], str], ...] = (
    (CallTimeout, "timeout"),
    (TransportError, "transport"),
    (ContextOverflow, "context overflow"),
    (InvalidResponse, "invalid response"),
    (NotConfigured, "not configured"),
    (NotRecorded, "not on this cassette"),
)
_REASON_CODES: tuple[tuple[type[DriverError], ReasonCode], ...] = (
    (CallTimeout, ReasonCode.TIMEOUT),
    (TransportError, ReasonCode.TRANSPORT),
    (InvalidResponse, ReasonCode.INVALID_RESPONSE),
    (ContextOverflow, ReasonCode.CLIENT_ERROR),
    (MissingKey, ReasonCode.CLIENT_ERROR),
)
#: HTTP statuses of the local tier that cloud may step in for, beside 5xx (SPEC 7).
_ELIGIBLE_STATUSES = frozenset({403, 408, 429})


#: What stands in a record where a breaker kept a question from being sent.
BREAKER_OPEN = "breaker open"
#: What an error says where no time was left to send a question.
NO_TIME = "no time was left"


class RungFailed(Exception):
    """A call failed on which a run depends, and in a way that no routing decision must hide. One subclass for each."""

    rung: ClassVar[Rung]
    _what: ClassVar[str]
    _check: ClassVar[str]

    def __init__(self, words: str, cause: DriverError | None = None) -> None:
        """`words` are the error's class and status, never a body; `cause` tells what to do about it."""
        super().__init__(f"{self._what}: {words}.")
        self.error = words
        self.next_step = _next_step(cause) or self._check


class AttemptFailed(RungFailed):
    """The local tier failed: a wrong key, a wrong request, a reply off the protocol. Not an eligible failure."""

    rung = Rung.ATTEMPT
    _check = "Check the key, the address and the model of the local tier, then run again."
    _what = "The local tier failed, and cloud may not step in, so nothing was served"


class EfficientFailed(RungFailed):
    """The efficient tier failed otherwise than by an overflow or in transport, so nothing was served (SPEC 6.2)."""

    rung = Rung.EFFICIENT
    _check = "Check the key, the address and the model of the efficient tier, then run again."
    _what = "The efficient tier failed, and the capable one may not step in, so nothing was served"


class JudgeFailed(RungFailed):
    """The decision judge failed, and the configuration does not fail open (SPEC 6.1)."""

    rung = Rung.ROUTE
    _check = "Check the judge's key, address and model, or turn fail_open on, then run again."
    _what = "The decision judge failed, and fail_open is off, so nothing was routed"


def _next_step(cause: DriverError | None) -> str:
    """What to do where nothing was asked of anybody; empty where an endpoint is to be looked at."""
    if isinstance(cause, NotRecorded):
        return f"{NOT_AS_RECORDED} Choose another driver, or record this run with one."
    if isinstance(cause, MissingKey):
        return f"Set {cause.variable} for the process that runs the workbench, then run again."
    if isinstance(cause, NotConfigured):
        return "Choose a driver that has a model for this, or name one in its configuration."
    return ""


def failure_words(error: DriverError) -> str:
    """Error class and status, e.g. `HTTP 503`. Never the error's own text: a driver may have put content there."""
    if isinstance(error, HttpStatusError):
        return f"HTTP {error.status}"
    if isinstance(error, MissingKey):
        return f"no {'usable ' if error.unusable else ''}key in {error.variable}"
    if isinstance(error, NotChecked):
        return f"checker: {error.ending.value.replace('_', ' ')}"
    return next((words for kind, words in _WORDS if isinstance(error, kind)), type(error).__name__)


def is_eligible(error: DriverError) -> bool:
    """Whether a failed attempt is served by cloud as `local_unavailable` (SPEC 7)."""
    if isinstance(error, HttpStatusError):
        return error.status in _ELIGIBLE_STATUSES or 500 <= error.status <= 599
    return isinstance(error, (ContextOverflow, TransportError, CallTimeout))


def fallback_of(error: DriverError) -> Fallback | None:
    """Why the capable tier takes over from an efficient one that failed so; None where it may not (SPEC 6.2)."""
    if isinstance(error, ContextOverflow):
        return Fallback.CONTEXT_OVERFLOW
    return Fallback.TRANSPORT if isinstance(error, TransportError) else None


def reason_code_of(error: DriverError) -> ReasonCode:
    """Why a decision fails open (SPEC 6.1). What the request itself got wrong before it could be answered is ours."""
    if isinstance(error, HttpStatusError):
        return ReasonCode.UPSTREAM_5XX if 500 <= error.status <= 599 else ReasonCode.UPSTREAM_NON_5XX
    return next((code for kind, code in _REASON_CODES if isinstance(error, kind)), ReasonCode.CALL_ERROR)


def endpoint_result(error: DriverError) -> CallResult:
    """What the failure says of the endpoint (SPEC 7, breaker)."""
    if isinstance(error, HttpStatusError):
        failed = 502 <= error.status <= 504
    else:
        failed = isinstance(error, (TransportError, CallTimeout))
    return CallResult.ENDPOINT_FAILURE if failed else CallResult.NEITHER
