"""Connections: how they fail, end and are kept, and what of the environment they take."""

from __future__ import annotations

import asyncio
import threading
from time import monotonic

import pytest
from fault_server import (
    PATIENCE,
    SELF_SIGNED,
    Fault,
    FaultServer,
    NeverAccepts,
    Scripted,
    chat_body,
    refused_port,
)
from http_calls import Clock, ask, call, failed
from routing_workbench.core.conversation.model import Text
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.http.driver import HttpDriver
from routing_workbench.workbench.drivers.http.targets import Client, Target, WireFormat
from routing_workbench.workbench.drivers.protocol import (
    CallTimeout,
    Category,
    NotConfigured,
    Reply,
    TransportError,
)


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
    """At the first byte and in the middle of the body; the connection is closed, and nothing is asked again."""
    with FaultServer(Scripted(body=chat_body("yes")), Scripted(body=chat_body("yes"), fault=fault)) as server:
        driver = server.driver(max_retries=2)

        async def run() -> None:
            await driver.complete(call())  # so that the connection stands, and its making takes none of the time
            with pytest.raises(CallTimeout):
                await driver.complete(call(timeout=0.5))
            assert await asyncio.to_thread(server.left.wait, PATIENCE)
            await driver.aclose()

        asyncio.run(run())
    assert (len(server.seen), server.connections) == (2, 1)


def test_a_connection_that_is_not_accepted_in_time_is_a_timeout() -> None:
    """Connecting takes of the same time."""
    with NeverAccepts() as port:
        client = Client("box", WireFormat.OPENAI_CHAT, f"http://127.0.0.1:{port.port}")
        error = failed(HttpDriver({Category.JUDGE: Target("m", client)}), call(timeout=0.2))
    assert type(error) is CallTimeout


def test_a_rung_may_have_less_time_than_is_left() -> None:
    """Its own timeout ends the call."""
    with FaultServer(Scripted(fault=Fault.HOLD)) as server:
        driver = server.driver(timeouts={Rung.DELIBERATION: 0.1})
        began = monotonic()
        assert type(failed(driver, call(timeout=PATIENCE))) is CallTimeout
    assert monotonic() - began < PATIENCE / 2


def test_cancelling_closes_the_connection() -> None:
    """The server sees its client leave."""
    with FaultServer(Scripted(fault=Fault.HOLD)) as server:
        driver = server.driver(max_retries=2)

        async def run() -> None:
            task = asyncio.create_task(driver.complete(call()))
            await server.requests(1)
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
            await server.requests(1)
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
            await server.requests(2)
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
