"""The HTTP driver against a real server on loopback: what it sends, reads, repeats and lets go of."""

from __future__ import annotations

import asyncio
import gzip
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from fault_server import (
    MODELS,
    PATIENCE,
    SELF_SIGNED,
    Fault,
    FaultServer,
    NeverAccepts,
    Scripted,
    Seen,
    chat_body,
    refused_port,
)
from routing_workbench.core.conversation.model import Message, Output, Request, Response, Role, StopReason, Text
from routing_workbench.core.vgr.evidence import Origin, OriginKind, Rung
from routing_workbench.core.vgr.readout import p_yes
from routing_workbench.core.vgr.serving import ConfigurationError
from routing_workbench.workbench.drivers.http.driver import HttpDriver
from routing_workbench.workbench.drivers.http.targets import Client, Target, WireFormat
from routing_workbench.workbench.drivers.protocol import (
    Call,
    CallTimeout,
    Category,
    ContextOverflow,
    Driver,
    DriverError,
    HttpStatusError,
    InvalidResponse,
    NotConfigured,
    Question,
    Reply,
    ReplySchema,
    TransportError,
)

SECRET = "the conversation says QUETZAL"
REQUEST = Request((Message(Role.SYSTEM, (Text("rubric"),)),), (Message(Role.USER, (Text(SECRET),)),))
NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Clock:
    """Seconds slept so far; sleeping takes no time."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        """Note the seconds and return at once."""
        self.slept.append(seconds)


def call(rung: Rung = Rung.DELIBERATION, timeout: float = PATIENCE, **more: Any) -> Call:
    """A call of this rung to the judge."""
    return Call(rung, Category.JUDGE, REQUEST, timeout, **more)


def ask(driver: HttpDriver, asked: Call | None = None) -> Reply:
    """What the driver replies, on a loop of its own."""

    async def run() -> Reply:
        try:
            return await driver.complete(asked or call())
        finally:
            await driver.aclose()

    return asyncio.run(run())


def failed(driver: HttpDriver, asked: Call | None = None) -> DriverError:
    """How asking fails."""
    with pytest.raises(DriverError) as caught:
        ask(driver, asked)
    return caught.value


def test_it_is_a_driver_and_names_model_and_host_of_each_category() -> None:
    """The badge names the judge and counts the others; every value names its own."""
    box = Client("box", WireFormat.OPENAI_CHAT, "http://127.0.0.1:8080/v1")
    far = Client("far", WireFormat.ANTHROPIC_MESSAGES, "https://api.example.com")
    driver = HttpDriver({Category.LOCAL: Target("small", box), Category.JUDGE: Target("judge-8b", far)})
    typed: Driver = driver
    assert typed.origin == Origin(OriginKind.LIVE, "judge-8b @ api.example.com and 1 more")
    assert driver.origin_for(Category.LOCAL) == Origin(OriginKind.LIVE, "small @ 127.0.0.1:8080")
    assert (driver.models_for(Category.LOCAL), driver.models_for(Category.CLOUD)) == (("small",), ())
    assert repr(driver) == "HttpDriver(judge-8b @ api.example.com and 1 more)"


def test_a_completion_is_posted_and_read() -> None:
    """Path, model, messages and caps arrive; text, stop reason and usage come back."""
    with FaultServer(Scripted(body=chat_body("Fine.\nyes"))) as server:
        reply = ask(server.driver(), call(max_tokens=768))
    assert reply.response == Response((Output(Role.ASSISTANT, (Text("Fine.\nyes"),), StopReason.END_TURN),))
    assert reply.usage == {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
    assert (reply.body, reply.note) == (None, "")
    [seen] = server.seen
    assert (seen.method, seen.path) == ("POST", "/v1/chat/completions")
    assert seen.json == {
        "model": "judge-8b",
        "messages": [{"role": "system", "content": "rubric"}, {"role": "user", "content": SECRET}],
        "max_tokens": 768,
    }


def test_a_readout_keeps_the_first_token_and_nothing_else() -> None:
    """The body that a readout reads holds no message."""
    body = chat_body("yes", top={"yes": -0.1, "no": -2.4})
    with FaultServer(Scripted(body=body)) as server:
        reply = ask(server.driver(), call(Rung.READOUT, max_tokens=4, top_logprobs=8))
    assert p_yes(reply.body) == p_yes(body)
    assert reply.body == {"choices": [{"logprobs": {"content": body["choices"][0]["logprobs"]["content"]}}]}
    assert server.seen[0].json["logprobs"] is True
    assert server.seen[0].json["top_logprobs"] == 8


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


def test_a_refused_connection_is_a_transport_error() -> None:
    """After the repetitions that the client allows."""
    clock = Clock()
    client = Client("box", WireFormat.OPENAI_CHAT, f"http://127.0.0.1:{refused_port()}")
    error = failed(HttpDriver({Category.JUDGE: Target("m", client)}, sleep=clock.sleep))
    assert type(error) is TransportError
    assert len(clock.slept) == 2


def test_a_host_without_an_address_is_a_transport_error() -> None:
    """The name is reserved never to exist."""
    client = Client("box", WireFormat.OPENAI_CHAT, "http://nowhere.invalid", max_retries=0)
    assert type(failed(HttpDriver({Category.JUDGE: Target("m", client)}))) is TransportError


def test_a_certificate_nobody_vouches_for_is_a_transport_error() -> None:
    """No request reaches such a server."""
    with FaultServer(Scripted(body=chat_body("yes")), tls=True) as server:
        assert type(failed(server.driver())) is TransportError
    assert server.seen == []


def test_a_ca_bundle_of_the_environment_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """As httpx does."""
    monkeypatch.setenv("SSL_CERT_FILE", str(SELF_SIGNED))
    with FaultServer(Scripted(body=chat_body("yes")), tls=True) as server:
        assert ask(server.driver()).response.outputs[0].content == (Text("yes"),)


def test_a_ca_bundle_that_is_not_there_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says where to look, and nothing was asked."""
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/ca.pem")
    with FaultServer() as server:
        error = failed(server.driver())
    assert type(error) is NotConfigured
    assert str(error) == "the proxy or CA settings of the environment can't be used"


def test_a_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """The request goes to the proxy, with the whole address."""
    with FaultServer(Scripted(body=chat_body("yes"))) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.setenv("NO_PROXY", "")
        client = Client("box", WireFormat.OPENAI_CHAT, "http://judge.invalid/v1")
        ask(HttpDriver({Category.JUDGE: Target("m", client)}))
    assert proxy.seen[0].path == "http://judge.invalid/v1/chat/completions"


@pytest.mark.parametrize("fault", [Fault.HOLD, Fault.HOLD_IN_BODY])
def test_a_reply_that_does_not_come_in_time_is_a_timeout(fault: Fault) -> None:
    """At the first byte and in the middle of the body; the connection is closed."""
    with FaultServer(Scripted(body=chat_body("yes"), fault=fault)) as server:
        error = failed(server.driver(max_retries=2), call(timeout=0.2))
        assert server.left.wait(PATIENCE)
    assert type(error) is CallTimeout
    assert len(server.seen) == 1


def test_a_connection_that_is_not_accepted_in_time_is_a_timeout() -> None:
    """Connecting takes of the same time."""
    with NeverAccepts() as port:
        client = Client("box", WireFormat.OPENAI_CHAT, f"http://127.0.0.1:{port.port}")
        error = failed(HttpDriver({Category.JUDGE: Target("m", client)}), call(timeout=0.2))
    assert type(error) is CallTimeout


def test_waiting_between_repetitions_takes_of_the_same_time() -> None:
    """A backoff that would pass the deadline is not begun."""
    with FaultServer(Scripted(503)) as server:
        error = failed(server.driver(max_retries=2, draw=lambda: 0.0), call(timeout=0.2))
    assert isinstance(error, HttpStatusError)
    assert len(server.seen) == 1


def test_a_rung_may_have_less_time_than_is_left() -> None:
    """Its own timeout ends the call."""
    with FaultServer(Scripted(fault=Fault.HOLD)) as server:
        driver = server.driver(timeouts={Rung.DELIBERATION: 0.1})
        assert type(failed(driver, call(timeout=PATIENCE))) is CallTimeout


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


def test_a_small_body_that_unpacks_beyond_the_bound_is_refused() -> None:
    """What is counted is what was unpacked."""
    packed = Scripted(body=gzip.compress(b"x" * 1_000_000), headers={"content-encoding": "gzip"})
    with FaultServer(packed) as server:
        assert type(failed(server.driver(max_body_bytes=10_000))) is InvalidResponse


def test_a_body_that_does_not_unpack_is_an_invalid_response() -> None:
    """It was declared as packed."""
    with FaultServer(Scripted(body=b"plain", headers={"content-encoding": "gzip"})) as server:
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


def test_cancelling_closes_the_connection() -> None:
    """The server sees its client leave."""
    with FaultServer(Scripted(fault=Fault.HOLD)) as server:
        driver = server.driver(max_retries=2)

        async def run() -> None:
            task = asyncio.create_task(driver.complete(call()))
            await asyncio.to_thread(server.arrived.wait, PATIENCE)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await asyncio.to_thread(server.left.wait, PATIENCE)
            await driver.aclose()

        asyncio.run(run())
    assert len(server.seen) == 1


def test_after_a_cancelled_call_the_driver_answers_again() -> None:
    """The place in the queue is free, and the connection is a new one."""
    with FaultServer(Scripted(fault=Fault.HOLD), Scripted(body=chat_body("yes"))) as server:
        driver = server.driver(concurrency=1)

        async def run() -> Reply:
            task = asyncio.create_task(driver.complete(call()))
            await asyncio.to_thread(server.arrived.wait, PATIENCE)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            try:
                return await driver.complete(call())
            finally:
                await driver.aclose()

        assert asyncio.run(run()).response.outputs[0].content == (Text("yes"),)


def test_so_many_calls_at_a_time_and_no_more() -> None:
    """The others wait for their turn, and all are answered."""
    with FaultServer(Scripted(body=chat_body("yes"), fault=Fault.HOLD)) as server:
        driver = server.driver(concurrency=2)

        async def run() -> list[Reply]:
            calls = [asyncio.create_task(driver.complete(call())) for _ in range(6)]
            await asyncio.to_thread(server.arrived.wait, PATIENCE)
            server.release()
            try:
                return await asyncio.gather(*calls)
            finally:
                await driver.aclose()

        assert len(asyncio.run(run())) == 6
    assert (len(server.seen), server.most_at_once) == (6, 2)


def test_each_loop_has_its_own_connections() -> None:
    """Loops one after the other and at the same time; closing one leaves the other's alone."""
    with FaultServer(Scripted(body=chat_body("yes"))) as server:
        driver = server.driver()
        ask(driver)
        ask(driver)
        answers: list[Reply] = []
        threads = [threading.Thread(target=lambda: answers.append(ask(driver))) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
    assert (len(answers), len(server.seen)) == (3, 5)
    assert server.connections == 5


def test_a_loop_keeps_its_connection_until_it_is_closed() -> None:
    """And the driver can be used again after."""
    with FaultServer(Scripted(body=chat_body("yes"))) as server:
        driver = server.driver()

        async def run() -> list[int]:
            made = []
            for _ in range(2):
                await driver.complete(call())
                await driver.complete(call())
                made.append(server.connections)
                await driver.aclose()
            return made

        assert asyncio.run(run()) == [1, 2]


def test_a_cookie_of_one_reply_does_not_go_out_with_the_next_call() -> None:
    """Calls know nothing of each other."""
    with FaultServer(Scripted(body=chat_body("yes"), headers={"set-cookie": "session=1; Path=/"})) as server:
        driver = server.driver()

        async def run() -> None:
            await driver.complete(call())
            await driver.complete(call())
            await driver.aclose()

        asyncio.run(run())
    assert ["cookie" in seen.headers for seen in server.seen] == [False, False]


def test_the_newer_name_of_the_output_cap_is_found_and_remembered() -> None:
    """The first call learns it, the second knows it."""

    def reply(seen: Seen) -> Scripted:
        if "max_tokens" in seen.json:
            says = "Unsupported parameter: 'max_tokens' is not supported with this model. "
            says += "Use 'max_completion_tokens' instead."
            return Scripted(400, body={"error": {"message": says, "param": "max_tokens"}})
        return Scripted(body=chat_body("yes"))

    with FaultServer(reply) as server:
        driver = server.driver()
        for _ in range(2):
            ask(driver, call(max_tokens=768))
    assert ["max_tokens" in seen.json for seen in server.seen] == [True, False, False]
    assert server.seen[-1].json["max_completion_tokens"] == 768


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"error": {"message": "This response_format type is unavailable now"}}),
        (422, {"detail": [{"msg": "json_schema is not supported", "input": {"a": 1}}]}),
        (422, ""),
        (501, "not implemented"),
    ],
)
def test_where_json_schema_is_refused_json_object_is_asked_for(status: int, body: Any) -> None:
    """The note says so at every call, and the refusal is remembered."""

    def reply(seen: Seen) -> Scripted:
        refused = seen.json["response_format"]["type"] == "json_schema"
        return Scripted(status, body=body) if refused else Scripted(body=chat_body("{}"))

    schema = ReplySchema("verdict", {"type": "object"})
    with FaultServer(reply) as server:
        driver = server.driver()
        notes = [ask(driver, call(Rung.ESCALATION_JUDGE, schema=schema)).note for _ in range(2)]
    assert notes == ["the endpoint refused json_schema and was asked for json_object"] * 2
    sent = [seen.json["response_format"]["type"] for seen in server.seen]
    assert sent == ["json_schema", "json_object", "json_object"]


def test_an_error_that_names_no_format_is_raised_and_nothing_is_remembered() -> None:
    """A wrong request is not tried in another form."""
    schema = ReplySchema("verdict", {"type": "object"})
    with FaultServer(Scripted(400, body={"error": {"message": "unknown model"}})) as server:
        driver = server.driver()
        for _ in range(2):
            assert isinstance(failed(driver, call(schema=schema)), HttpStatusError)
    assert [seen.json["response_format"]["type"] for seen in server.seen] == ["json_schema"] * 2


def test_an_endpoint_that_refuses_both_formats_ends_in_its_status() -> None:
    """There is no third form."""
    with FaultServer(Scripted(400, body={"error": {"message": "response_format is not allowed"}})) as server:
        error = failed(server.driver(), call(schema=ReplySchema("verdict", {"type": "object"})))
    assert isinstance(error, HttpStatusError)
    assert len(server.seen) == 2


def test_a_readout_over_anthropic_messages_is_not_sent() -> None:
    """Nothing could be read from the reply; the note says why there is no score."""
    with FaultServer() as server:
        reply = ask(server.driver(WireFormat.ANTHROPIC_MESSAGES), call(Rung.READOUT, top_logprobs=8))
    assert (reply.response, reply.body) == (Response(()), None)
    assert reply.note == "anthropic_messages carries no logprobs; nothing was sent"
    assert server.seen == []


def test_a_decision_endpoint_completes_nothing() -> None:
    """It is asked nothing."""
    with FaultServer() as server:
        error = failed(server.driver(WireFormat.SYSTEM_ONE))
    assert type(error) is NotConfigured
    assert str(error) == "a system_one endpoint answers decision questions only"
    assert server.seen == []


def test_a_category_without_a_target_is_not_asked() -> None:
    """The error names it."""
    client = Client("box", WireFormat.OPENAI_CHAT, "http://127.0.0.1:1")
    error = failed(HttpDriver({Category.LOCAL: Target("m", client)}))
    assert type(error) is NotConfigured
    assert str(error) == "no target answers judge"


@pytest.mark.parametrize("targets", [{}, dict.fromkeys((Category.CHECKER, *MODELS), None)])
def test_no_target_and_a_model_for_the_checker_are_refused(targets: Any) -> None:
    """At once, not at the first call."""
    with pytest.raises(ConfigurationError):
        HttpDriver(targets)


def test_making_a_driver_sends_nothing() -> None:
    """Nor does asking it who it is."""
    with FaultServer() as server:
        driver = server.driver()
        assert driver.origin.label == f"judge-8b @ 127.0.0.1:{server.port}"
        asyncio.run(driver.aclose())
    assert server.connections == 0


def question(labels: tuple[str, ...] = ("cheap", "strong"), timeout: float = PATIENCE) -> Question:
    """A route question."""
    return Question("route", "Choose.", labels, {"task": SECRET}, timeout)


def test_a_decision_over_a_chat_model_is_read_from_letters() -> None:
    """One letter a label, sorted; the probabilities are the letters' shares, and their mass is shown."""
    top = {" b": -0.5, "A": -1.5, "x": -3.0}
    with FaultServer(Scripted(body=chat_body("B", top=top))) as server:
        driver = server.driver()
        answer = asyncio.run(driver.decide(question(("strong", "cheap"))))
    assert answer.probabilities is not None
    assert answer.probabilities == pytest.approx({"cheap": 0.26894142, "strong": 0.73105858})
    assert answer.covered == pytest.approx(0.82966082)
    assert (answer.choice, answer.usage["prompt_tokens"]) == ("strong", 11)
    sent = server.seen[0].json
    assert sent["top_logprobs"] == 20
    assert '"options":{"A":"cheap","B":"strong"}' in sent["messages"][1]["content"]
    assert SECRET in sent["messages"][1]["content"]
    assert SECRET not in sent["messages"][0]["content"]


def test_a_decision_over_anthropic_messages_has_no_distribution() -> None:
    """None is invented, and nothing is sent."""
    with FaultServer() as server:
        answer = asyncio.run(server.driver(WireFormat.ANTHROPIC_MESSAGES).decide(question()))
    assert answer.probabilities is None
    assert "no logprobs" in answer.note
    assert server.seen == []


def test_a_decision_endpoint_is_asked_natively() -> None:
    """At its address as given."""
    body = {
        "id": "d",
        "model": "m",
        "answers": {
            "route": {
                "type": "choice",
                "choice": "cheap",
                "probabilities": {"cheap": 0.7, "strong": 0.3},
                "confidence": 0.9,
            }
        },
        "usage": {"input_tokens": 9},
    }
    with FaultServer(Scripted(body=body)) as server:
        answer = asyncio.run(server.driver(WireFormat.SYSTEM_ONE).decide(question()))
    assert answer.probabilities == {"cheap": 0.7, "strong": 0.3}
    assert (answer.choice, answer.confidence, answer.usage) == ("cheap", 0.9, {"input_tokens": 9})
    assert server.seen[0].path == "/v1"


def test_a_decision_ends_in_its_time() -> None:
    """As a completion does."""
    with FaultServer(Scripted(fault=Fault.HOLD)) as server, pytest.raises(CallTimeout):
        asyncio.run(server.driver(WireFormat.SYSTEM_ONE).decide(question(timeout=0.1)))
