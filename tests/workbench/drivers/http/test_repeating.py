"""Repetitions: what is asked again, how often, and after what wait."""

from __future__ import annotations

from datetime import timedelta
from email.utils import format_datetime

import pytest
from fault_server import (
    PATIENCE,
    Fault,
    FaultServer,
    Scripted,
    chat_body,
)
from http_calls import NOW, Clock, ask, call, failed
from routing_workbench.core.conversation.model import Text
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.protocol import (
    HttpStatusError,
)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_a_status_that_may_pass_is_asked_again_twice_at_most(status: int) -> None:
    """Three requests in all, with growing waits; then the status is raised."""
    clock = Clock()
    with FaultServer(Scripted(status)) as server:
        error = failed(server.driver(max_retries=2, sleep=clock.sleep, draw=lambda: 0.0))
    assert isinstance(error, HttpStatusError)
    assert (error.status, error.rung, len(server.seen)) == (status, Rung.DELIBERATION, 3)
    assert clock.slept == [0.25, 0.5]


@pytest.mark.parametrize("status", [301, 302, 307, 400, 401, 403, 404, 413, 422, 501])
def test_a_status_that_stays_is_asked_once(status: int) -> None:
    """Redirects among them: the address that was configured is the one that is asked."""
    with FaultServer(Scripted(status, headers={"location": "/elsewhere"})) as server:
        error = failed(server.driver(max_retries=2))
    assert isinstance(error, HttpStatusError)
    assert (error.status, len(server.seen)) == (status, 1)


def test_a_call_that_passes_at_the_second_try_is_answered() -> None:
    """A fault that passes leaves no trace in the reply."""
    with FaultServer(Scripted(503), Scripted(body=chat_body("yes"))) as server:
        reply = ask(server.driver(max_retries=2, sleep=Clock().sleep))
    assert reply.response.outputs[0].content == (Text("yes"),)
    assert len(server.seen) == 2


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        ("7", 7.0),
        ("0", 0.0),
        (format_datetime(NOW + timedelta(seconds=9), usegmt=True), 9.0),
        (format_datetime(NOW - timedelta(seconds=9), usegmt=True), 0.0),
        ("soon", 0.25),
    ],
)
def test_retry_after_is_honoured(header: str, wait: float) -> None:
    """In seconds and as a date; a header that says neither counts as none."""
    clock = Clock()
    with FaultServer(Scripted(429, headers={"retry-after": header}), Scripted(body=chat_body("yes"))) as server:
        ask(server.driver(max_retries=1, sleep=clock.sleep, draw=lambda: 0.0, now=lambda: NOW))
    assert clock.slept == [wait]


def test_retry_after_beyond_the_time_left_is_not_waited_for() -> None:
    """The status is raised at once, while there is time to ask elsewhere."""
    clock = Clock()
    with FaultServer(Scripted(429, headers={"retry-after": "31"})) as server:
        error = failed(server.driver(max_retries=2, sleep=clock.sleep), call(timeout=30.0))
    assert isinstance(error, HttpStatusError)
    assert (error.status, len(server.seen), clock.slept) == (429, 1, [])


@pytest.mark.parametrize("fault", [Fault.CLOSE, Fault.RESET])
def test_a_connection_that_ends_without_an_answer_is_made_again(fault: Fault) -> None:
    """Nothing of an answer had come."""
    with FaultServer(Scripted(fault=fault), Scripted(body=chat_body("yes"))) as server:
        ask(server.driver(max_retries=1, sleep=Clock().sleep))
    assert len(server.seen) == 2


def test_waiting_between_repetitions_takes_of_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wait that would pass the deadline is not begun."""
    monkeypatch.setattr("routing_workbench.workbench.drivers.http.retries.BACKOFF", 2 * PATIENCE)
    with FaultServer(Scripted(503)) as server:
        error = failed(server.driver(max_retries=2, draw=lambda: 0.0))
    assert isinstance(error, HttpStatusError)
    assert len(server.seen) == 1
