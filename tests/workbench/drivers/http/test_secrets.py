"""Keys, bodies and conversations: in the request alone, never in an error, a repr, a traceback or a log."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fault_server import PATIENCE, Fault, FaultServer, Scripted, chat_body, complete, refused_port
from routing_workbench.core.conversation.model import Message, Request, Role, Text
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.cassette.recording import record_to
from routing_workbench.workbench.drivers.http.driver import HttpDriver
from routing_workbench.workbench.drivers.http.keys import key_of
from routing_workbench.workbench.drivers.http.targets import Client, Target, WireFormat
from routing_workbench.workbench.drivers.protocol import Call, Category, DriverError, MissingKey
from routing_workbench.workbench.drivers.with_checker import WithChecker
from routing_workbench.workbench.turns.failures import failure_words, is_eligible

KEY = "sk-hunter2-hunter2-hunter2"
HEADER = "other-hunter2"
TEXT = "QUETZAL-hunter2"
#: In each of the secrets.
MARK = "hunter2"
CALL = Call(
    Rung.DELIBERATION, Category.JUDGE, Request((), (Message(Role.USER, (Text(TEXT),)),)), PATIENCE, max_tokens=8
)


def driver_of(url: str, wire: WireFormat = WireFormat.OPENAI_CHAT, **settings: Any) -> HttpDriver:
    """A driver with a key and a secret header."""
    client = Client("c", wire, url, "JUDGE_KEY", (("x-tenant", HEADER),), max_retries=0)
    return HttpDriver({Category.JUDGE: Target("m", client, {"user": TEXT})}, **settings)


def chain(error: BaseException) -> list[BaseException]:
    """The error, its causes and its contexts."""
    found: list[BaseException] = []
    waiting: list[BaseException | None] = [error]
    while waiting:
        at = waiting.pop()
        if at is not None and at not in found:
            found.append(at)
            waiting += [at.__cause__, at.__context__]
    return found


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_KEY", KEY)


@pytest.mark.parametrize(
    ("wire", "name", "value"),
    [
        (WireFormat.OPENAI_CHAT, "authorization", f"Bearer {KEY}"),
        (WireFormat.OPENAI_RESPONSES, "authorization", f"Bearer {KEY}"),
        (WireFormat.ANTHROPIC_MESSAGES, "x-api-key", KEY),
    ],
)
def test_the_key_goes_out_in_its_header(wire: WireFormat, name: str, value: str) -> None:
    """And the operator's headers with it."""
    with FaultServer(Scripted(401)) as server, pytest.raises(DriverError):
        complete(driver_of(server.url, wire), CALL)
    [seen] = server.seen
    assert seen.headers[name] == value
    assert seen.headers["x-tenant"] == HEADER
    assert ("anthropic-version" in seen.headers) is (wire is WireFormat.ANTHROPIC_MESSAGES)


def test_a_header_of_the_operator_replaces_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its case."""
    monkeypatch.delenv("JUDGE_KEY")
    with FaultServer(Scripted(401)) as server:
        client = Client("c", WireFormat.OPENAI_CHAT, server.url, None, (("Authorization", "Basic eA=="),), 0)
        with pytest.raises(DriverError):
            complete(HttpDriver({Category.JUDGE: Target("m", client)}), CALL)
    assert server.seen[0].headers["authorization"] == "Basic eA=="


FAULTS = {
    "status": Scripted(400, body={"error": {"message": f"Incorrect API key: {KEY}", "echo": TEXT}}),
    "retried": Scripted(503, body=TEXT, headers={"x-echo": KEY}),
    "redirect": Scripted(307, headers={"location": f"/?key={KEY}"}),
    "not json": Scripted(body=f"<html>{TEXT} {KEY}"),
    "wrong shape": Scripted(body={"choices": TEXT, "key": KEY}),
    "overflow": Scripted(400, body={"error": {"message": f"maximum context length {KEY} {TEXT}"}}),
    "cut": Scripted(body=chat_body(TEXT * 50), fault=Fault.CUT),
    "noise": Scripted(fault=Fault.NOISE),
    "reset": Scripted(fault=Fault.RESET),
    "encoding": Scripted(body=TEXT, headers={"content-encoding": "gzip"}),
    "huge": Scripted(body=TEXT * 900_000),
    "held": Scripted(body=TEXT, fault=Fault.HOLD),
    "held in body": Scripted(body=TEXT * 50, fault=Fault.HOLD_IN_BODY),
}


@pytest.mark.parametrize("name", [*FAULTS, "refused"])
def test_no_error_holds_a_secret(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """Neither its text, nor what it was raised from, nor its traceback, nor any log at its lowest level."""
    caplog.set_level(logging.DEBUG)
    timeout = 0.2 if name.startswith("held") else PATIENCE
    call = Call(CALL.rung, CALL.category, CALL.request, timeout, max_tokens=8)
    with FaultServer(FAULTS.get(name, Scripted())) as server:
        url = f"http://127.0.0.1:{refused_port()}" if name == "refused" else server.url
        driver = driver_of(url)
        with pytest.raises(DriverError) as caught:
            complete(driver, call)
    error = caught.value
    said = "".join(traceback.format_exception(error)) + repr((driver, call, error, error.args, vars(error)))
    assert chain(error) == [error]
    assert MARK not in said
    assert MARK not in caplog.text + repr([vars(record) for record in caplog.records])
    assert [record for record in caplog.records if record.name.startswith(("httpx", "httpcore"))] == []


def test_a_call_that_succeeds_logs_nothing_of_the_library(caplog: pytest.LogCaptureFixture) -> None:
    """Others who use the library keep their records."""
    caplog.set_level(logging.DEBUG)
    with FaultServer(Scripted(body=chat_body("yes"), headers={"x-echo": KEY})) as server:
        complete(driver_of(server.url), CALL)
        assert MARK not in caplog.text
        logging.getLogger("httpx").info("somebody else's")
    assert [record.getMessage() for record in caplog.records if record.name == "httpx"] == ["somebody else's"]


def test_a_key_is_held_as_a_secret() -> None:
    """Its repr is stars."""
    client = Client("c", WireFormat.OPENAI_CHAT, "http://h", "JUDGE_KEY")
    assert MARK not in repr(key_of(client, Rung.READOUT))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "no key in JUDGE_KEY"),
        ("", "no key in JUDGE_KEY"),
        ("hunter2\n", "no usable key in JUDGE_KEY"),
        ("hunter2\nx-b: 1", "no usable key in JUDGE_KEY"),
        ("hünter2", "no usable key in JUDGE_KEY"),
    ],
)
def test_a_missing_key_names_its_variable(value: str | None, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is sent, cloud does not hide it, and the record says which variable."""
    monkeypatch.delenv("JUDGE_KEY")
    if value is not None:
        monkeypatch.setenv("JUDGE_KEY", value)
    with FaultServer() as server, pytest.raises(MissingKey) as caught:
        complete(driver_of(server.url), CALL)
    assert (str(caught.value), failure_words(caught.value), is_eligible(caught.value)) == (words, words, False)
    assert server.seen == []


def test_a_recording_leaves_out_what_the_driver_knows_to_be_secret(tmp_path: Path) -> None:
    """Key and extra headers, whatever they look like and however the recorder got hold of the driver."""
    path = tmp_path / "talk.jsonl"
    client = Client("c", WireFormat.OPENAI_CHAT, "http://127.0.0.1:9", "JUDGE_KEY", (("x-pass", f"Token {HEADER}"),))
    target = Target("m", client)

    async def echo() -> AsyncIterator[bytes]:
        yield json.dumps(chat_body(f"You sent {KEY} and {HEADER}.")).encode()

    transport = httpx.MockTransport(lambda request: httpx.Response(200, content=echo()))
    checker: Any = SimpleNamespace(name="tests")
    driver = record_to(path, WithChecker(HttpDriver({Category.JUDGE: target}, transport=transport), checker))
    asyncio.run(driver.complete(CALL))
    text = path.read_text(encoding="utf-8")
    assert "You sent [REDACTED] and [REDACTED]." in text
    assert MARK not in text
