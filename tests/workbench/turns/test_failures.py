"""What a failed call means (SPEC 6, 7)."""

from __future__ import annotations

import pytest
from routing_workbench.core.cutoffs.decision import ReasonCode
from routing_workbench.core.escalation.outcome import Fallback
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.protocol import (
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
from routing_workbench.workbench.turns.breaker import CallResult
from routing_workbench.workbench.turns.failures import (
    AttemptFailed,
    EfficientFailed,
    JudgeFailed,
    RungFailed,
    endpoint_result,
    failure_words,
    fallback_of,
    is_eligible,
    reason_code_of,
)

FAILURE, NEITHER = CallResult.ENDPOINT_FAILURE, CallResult.NEITHER


@pytest.mark.parametrize(
    ("error", "result", "eligible", "words"),
    [
        (CallTimeout("x"), FAILURE, True, "timeout"),
        (TransportError("x"), FAILURE, True, "transport"),
        (ContextOverflow("x"), NEITHER, True, "context overflow"),
        (InvalidResponse("x"), NEITHER, False, "invalid response"),
        (HttpStatusError(400), NEITHER, False, "HTTP 400"),
        (HttpStatusError(401), NEITHER, False, "HTTP 401"),
        (HttpStatusError(403), NEITHER, True, "HTTP 403"),
        (HttpStatusError(404), NEITHER, False, "HTTP 404"),
        (HttpStatusError(408), NEITHER, True, "HTTP 408"),
        (HttpStatusError(429), NEITHER, True, "HTTP 429"),
        (HttpStatusError(500), NEITHER, True, "HTTP 500"),
        (HttpStatusError(502), FAILURE, True, "HTTP 502"),
        (HttpStatusError(503), FAILURE, True, "HTTP 503"),
        (HttpStatusError(504), FAILURE, True, "HTTP 504"),
        (HttpStatusError(505), NEITHER, True, "HTTP 505"),
        (HttpStatusError(599), NEITHER, True, "HTTP 599"),
        (HttpStatusError(600), NEITHER, False, "HTTP 600"),
    ],
)
def test_what_a_failure_means(error: DriverError, result: CallResult, eligible: bool, words: str) -> None:
    """For the breaker, for the attempt, and for the record, which never shows the error's own text."""
    assert (endpoint_result(error), is_eligible(error), failure_words(error)) == (result, eligible, words)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (CallTimeout("x"), "timeout"),
        (TransportError("x"), "transport"),
        (HttpStatusError(500), "upstream_5xx"),
        (HttpStatusError(599), "upstream_5xx"),
        (HttpStatusError(400), "upstream_non_5xx"),
        (HttpStatusError(408), "upstream_non_5xx"),
        (HttpStatusError(429), "upstream_non_5xx"),
        (HttpStatusError(600), "upstream_non_5xx"),
        (InvalidResponse("x"), "invalid_response"),
        (ContextOverflow("x"), "client_error"),
        (MissingKey("JUDGE_KEY"), "client_error"),
        (NotConfigured("x"), "call_error"),
        (NotRecorded("x"), "call_error"),
        (DriverError("x"), "call_error"),
    ],
)
def test_every_failure_has_a_reason_code(error: DriverError, code: str) -> None:
    """None is left without, and none says that a verdict was invalid: that is a judge who answered."""
    assert reason_code_of(error).value == code
    assert reason_code_of(error) is not ReasonCode.INVALID_VERDICT


@pytest.mark.parametrize(
    ("error", "fallback"),
    [
        (ContextOverflow("x"), Fallback.CONTEXT_OVERFLOW),
        (TransportError("x"), Fallback.TRANSPORT),
        (CallTimeout("x"), None),
        (HttpStatusError(503), None),
        (HttpStatusError(429), None),
        (InvalidResponse("x"), None),
        (MissingKey("LOCAL_KEY"), None),
    ],
)
def test_the_capable_tier_steps_in_for_two_failures_only(error: DriverError, fallback: Fallback | None) -> None:
    """An overflow and the connection; everything else raises (SPEC 6.2)."""
    assert fallback_of(error) is fallback


@pytest.mark.parametrize(
    ("kind", "rung"),
    [(AttemptFailed, Rung.ATTEMPT), (EfficientFailed, Rung.EFFICIENT), (JudgeFailed, Rung.ROUTE)],
)
def test_a_run_that_fails_says_what_to_do(kind: type[RungFailed], rung: Rung) -> None:
    """Which rung, the class and status of the error, and the next step as a sentence."""
    error = kind("HTTP 401")
    assert (error.rung, error.error) == (rung, "HTTP 401")
    assert str(error).endswith(": HTTP 401.")
    assert error.next_step.endswith("then run again.")


@pytest.mark.parametrize(
    ("cause", "says"),
    [
        (NotRecorded("x"), "The prompt, the policy or the conversation is not what was recorded. Choose another"),
        (MissingKey("LOCAL_KEY"), "Set LOCAL_KEY for the process that runs the workbench"),
        (NotConfigured("x"), "Choose a driver that has a model for this"),
        (HttpStatusError(401), "Check the key, the address and the model of the local tier"),
    ],
)
def test_the_next_step_is_that_of_the_cause(cause: DriverError, says: str) -> None:
    """No key is looked for where a cassette lacks the call."""
    assert AttemptFailed("x", cause).next_step.startswith(says)
