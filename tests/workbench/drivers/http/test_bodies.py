"""Bodies off the protocol, beyond the bounds, or packed."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from fault_server import (
    Fault,
    FaultServer,
    Scripted,
    chat_body,
)
from http_calls import ask, call, failed
from routing_workbench.core.conversation.model import Text
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.core.vgr.readout import p_yes
from routing_workbench.workbench.drivers.protocol import (
    ContextOverflow,
    HttpStatusError,
    InvalidResponse,
    TransportError,
)


def test_a_body_that_breaks_off_is_a_transport_error_and_not_asked_for_again() -> None:
    """The model has done the work; its time and tokens are spent."""
    with FaultServer(Scripted(body=chat_body("yes"), fault=Fault.CUT)) as server:
        error = failed(server.driver(max_retries=2))
    assert type(error) is TransportError
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    "body",
    ["", "<html>busy</html>", '{"choices": [', "[1, 2]", '"yes"', b"\xff\xfe", {"choices": []}, {"choices": [5]},
     {"choices": [{"message": None}]}, {"choices": [{"message": {"content": 5}}]}, {"error": {"message": "no"}},
     "[" * 200 + "]" * 200, '{"a":' * 5000 + "1" + "}" * 5000],
)  # fmt: skip
def test_a_body_off_the_protocol_is_an_invalid_response(body: Any) -> None:
    """Whatever it is, the error is the same."""
    with FaultServer(Scripted(body=body)) as server:
        assert type(failed(server.driver())) is InvalidResponse


def test_something_that_is_no_http_is_a_transport_error() -> None:
    """There was no reply to speak of."""
    with FaultServer(Scripted(fault=Fault.NOISE)) as server:
        assert type(failed(server.driver())) is TransportError


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_beyond_the_bound_is_not_read_to_its_end(chunked: bool) -> None:
    """Declared or not, in bytes."""
    with FaultServer(Scripted(body=b"x" * 1_000_000, chunked=chunked)) as server:
        error = failed(server.driver(max_body_bytes=1000))
    assert type(error) is InvalidResponse


def test_a_body_without_an_end_is_given_up_at_the_bound() -> None:
    """Long before the time is over."""
    with FaultServer(Scripted(fault=Fault.ENDLESS)) as server:
        assert type(failed(server.driver(max_body_bytes=100_000), call(timeout=5.0))) is InvalidResponse


def test_an_error_body_without_an_end_keeps_its_status() -> None:
    """Likewise."""
    with FaultServer(Scripted(400, fault=Fault.ENDLESS)) as server:
        assert isinstance(failed(server.driver(), call(timeout=5.0)), HttpStatusError)


def test_a_small_body_that_unpacks_beyond_the_bound_is_refused() -> None:
    """What is counted is what was unpacked."""
    packed = Scripted(body=gzip.compress(b"x" * 1_000_000), headers={"content-encoding": "gzip"})
    with FaultServer(packed) as server:
        assert type(failed(server.driver(max_body_bytes=10_000))) is InvalidResponse


def test_a_packed_body_is_unpacked() -> None:
    """Within the bound."""
    body = gzip.compress(Scripted(body=chat_body("yes")).payload)
    with FaultServer(Scripted(body=body, headers={"content-encoding": "gzip"})) as server:
        assert ask(server.driver()).response.outputs[0].content == (Text("yes"),)
    assert server.seen[0].headers["accept-encoding"] == "gzip"


def test_a_packed_error_body_is_read_too() -> None:
    """Its words count."""
    body = gzip.compress(b'{"error": {"message": "prompt is too long"}}')
    with FaultServer(Scripted(400, body=body, headers={"content-encoding": "gzip"})) as server:
        assert type(failed(server.driver())) is ContextOverflow


@pytest.mark.parametrize("encoding", ["gzip", "br"])
def test_a_body_that_does_not_unpack_is_an_invalid_response(encoding: str) -> None:
    """It was declared as packed."""
    with FaultServer(Scripted(body=b"plain", headers={"content-encoding": encoding})) as server:
        assert type(failed(server.driver())) is InvalidResponse


def test_a_request_beyond_the_bound_is_not_sent() -> None:
    """It counts as too long for any model."""
    with FaultServer() as server:
        error = failed(server.driver(max_request_bytes=50))
    assert type(error) is ContextOverflow
    assert server.seen == []


def test_empty_content_is_a_reply_without_text() -> None:
    """The parser has the say."""
    with FaultServer(Scripted(body=chat_body(""))) as server:
        assert ask(server.driver()).response.outputs[0].content == ()


def test_a_nan_among_the_logprobs_gives_no_score() -> None:
    """What no JSON allows voids the list, and the reply is kept."""
    body = '{"choices": [{"message": {"content": "yes"}, "logprobs": {"content": [{"token": "yes", "top_logprobs": ['
    body += '{"token": "yes", "logprob": NaN}, {"token": "no", "logprob": -3}]}]}}]}'
    with FaultServer(Scripted(body=body)) as server:
        reply = ask(server.driver(), call(Rung.READOUT, top_logprobs=8))
    assert p_yes(reply.body) is None
    assert reply.response.outputs[0].content == (Text("yes"),)


def test_an_overflow_within_a_success_is_an_overflow() -> None:
    """Some llama.cpp servers answer 200 with an error inside."""
    body = {"error": {"code": 400, "message": "too long", "type": "exceed_context_size_error", "n_ctx": 256}}
    with FaultServer(Scripted(body=body)) as server:
        assert type(failed(server.driver())) is ContextOverflow


def test_an_overflow_with_a_server_error_is_not_asked_again() -> None:
    """It will not fit the second time."""
    body = {"error": {"code": 500, "message": "Context size has been exceeded.", "type": "server_error"}}
    with FaultServer(Scripted(500, body=body)) as server:
        assert type(failed(server.driver(max_retries=2))) is ContextOverflow
    assert len(server.seen) == 1


def test_an_error_body_that_does_not_end_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The status says enough."""
    monkeypatch.setattr("routing_workbench.workbench.drivers.http.exchange.ERROR_SECONDS", 0.05)
    with FaultServer(Scripted(400, body="x" * 100, fault=Fault.HOLD_IN_BODY)) as server:
        error = failed(server.driver())
    assert isinstance(error, HttpStatusError)
    assert error.status == 400


def test_an_error_body_of_any_size_keeps_its_status() -> None:
    """Only its beginning is looked at."""
    with FaultServer(Scripted(400, body=b"x" * 3_000_000)) as server:
        error = failed(server.driver())
    assert isinstance(error, HttpStatusError)
