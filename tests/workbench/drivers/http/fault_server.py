"""A real HTTP server on loopback that answers as scripted, faults included, and what it saw; for tests alone.

    with FaultServer(Scripted(503), Scripted(body=chat_body("yes"))) as server:
        driver = server.driver()

Each request takes the next reply; the last one repeats. It runs on a thread of its own and ends with the block.
"""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any

from routing_workbench.workbench.drivers.http.driver import HttpDriver
from routing_workbench.workbench.drivers.http.targets import Client, Target, WireFormat
from routing_workbench.workbench.drivers.protocol import Answer, Call, Category, Question, Reply

#: Certificates and keys of `localhost` and 127.0.0.1, each signed by itself; invented for these tests.
SELF_SIGNED = Path(__file__).with_name("self_signed.pem")
UNTRUSTED = Path(__file__).with_name("untrusted.pem")
#: The first byte of a TLS handshake.
_TLS = b"\x16"
#: Seconds after which a test gives up; nothing waits for them to pass.
PATIENCE = 30.0
#: The four categories that models answer.
MODELS = (Category.LOCAL, Category.JUDGE, Category.CLOUD_JUDGE, Category.CLOUD)


class Fault(StrEnum):
    """What the server does instead of answering in full."""

    NONE = "none"
    #: Nothing is sent until the client leaves or the server ends: at the first byte, or in the middle of the body.
    HOLD = "hold"
    HOLD_IN_BODY = "hold_in_body"
    #: The connection ends: without an answer, by a reset, or in the middle of a body whose length was declared.
    CLOSE = "close"
    RESET = "reset"
    CUT = "cut"
    #: The body goes on until the client leaves.
    ENDLESS = "endless"
    #: Something that is no HTTP.
    NOISE = "noise"


@dataclass(frozen=True)
class Scripted:
    """One reply. A body that is no bytes and no text is sent as JSON."""

    status: int = 200
    body: Any = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    fault: Fault = Fault.NONE
    #: Sent in chunks, without a length.
    chunked: bool = False

    @property
    def payload(self) -> bytes:
        """The body as sent."""
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


@dataclass(frozen=True)
class Seen:
    """One request as it arrived; header names in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class FaultServer:
    """The server. `replies` are given in order, or as a function of the request. `port` 0 takes any that is free.

    One without TLS tells a client that begins with it so, as real servers do.
    """

    def __init__(
        self,
        *replies: Scripted | Callable[[Seen], Scripted],
        tls: bool = False,
        certificate: Path = SELF_SIGNED,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        self.seen: list[Seen] = []
        #: Set once a client left while its reply was held back.
        self.left = threading.Event()
        #: How many requests were being answered at a time, at most.
        self.most_at_once = 0
        #: How many connections were made, and how many of them are open.
        self.connections = 0
        self.open = 0
        self._replies = list(replies) or [Scripted()]
        self._tls = tls
        self._certificate = certificate
        self._at_once = 0
        self._ready = threading.Event()
        self._arrived = threading.Condition()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._loop: asyncio.AbstractEventLoop
        self._end: asyncio.Event
        self._release: asyncio.Event
        self.host = host
        self.port = port

    @property
    def url(self) -> str:
        """The base URL of a client."""
        return f"{'https' if self._tls else 'http'}://{self.host}:{self.port}/v1"

    def client(self, wire: WireFormat = WireFormat.OPENAI_CHAT, **settings: Any) -> Client:
        """A client of this server."""
        return Client("box", wire, self.url, **settings)

    def driver(
        self,
        wire: WireFormat = WireFormat.OPENAI_CHAT,
        *,
        max_retries: int = 0,
        extra_body: Any = None,
        **settings: Any,
    ) -> HttpDriver:
        """A driver whose four models all are here."""
        target = Target("judge-8b", self.client(wire, max_retries=max_retries), extra_body or {})
        return HttpDriver(dict.fromkeys(MODELS, target), **settings)

    async def requests(self, count: int) -> None:
        """Wait until so many requests have arrived, held or not."""

        def wait() -> bool:
            with self._arrived:
                return self._arrived.wait_for(lambda: len(self.seen) >= count, PATIENCE)

        assert await asyncio.to_thread(wait)

    async def left_alone(self) -> bool:
        """Whether all clients leave, as they do once they have closed their connections."""

        def wait() -> bool:
            with self._arrived:
                return self._arrived.wait_for(lambda: self.open == 0, PATIENCE)

        return await asyncio.to_thread(wait)

    def release(self) -> None:
        """Let go of all held replies; what follows is answered in full."""
        self._loop.call_soon_threadsafe(self._release.set)

    def __enter__(self) -> FaultServer:
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    async def _serve(self) -> None:
        self._loop, self._end, self._release = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
        context = None
        if self._tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self._certificate)
        tasks: set[asyncio.Task[None]] = set()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            tasks.add(task)
            self.connections += 1
            self.open += 1
            try:
                with suppress(OSError, EOFError):
                    while await self._answer(reader, writer):
                        pass
            finally:
                tasks.discard(task)
                writer.close()
                self.open -= 1
                with self._arrived:
                    self._arrived.notify_all()

        server = await asyncio.start_server(connected, self.host, self.port, ssl=context)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._end.wait()
        server.close()
        for task in tuple(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; whether the connection stays."""
        first = await reader.readexactly(1)
        if first == _TLS:
            writer.write(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
            await writer.drain()
            return False
        request = await _read(first, reader)
        self.seen.append(request)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        with self._arrived:
            self._arrived.notify_all()
        try:
            scripted = self._replies[min(len(self.seen), len(self._replies)) - 1]
            return await self._send(scripted(request) if callable(scripted) else scripted, reader, writer)
        finally:
            self._at_once -= 1

    async def _send(self, reply: Scripted, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        payload = reply.payload
        if reply.fault is Fault.HOLD and not await self._hold(reader):
            return False
        if reply.fault is Fault.CLOSE:
            return False
        if reply.fault is Fault.RESET:
            raw = writer.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            return False
        if reply.fault is Fault.NOISE:
            writer.write(b"\x00\x01 this is no HTTP\r\n\r\n")
            await writer.drain()
            return False
        chunked = reply.chunked or reply.fault is Fault.ENDLESS
        length = "transfer-encoding: chunked" if chunked else f"content-length: {len(payload)}"
        lines = [f"HTTP/1.1 {reply.status} Scripted", length, *(f"{k}: {v}" for k, v in reply.headers.items())]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        half = len(payload) // 2
        if reply.fault in (Fault.CUT, Fault.HOLD_IN_BODY):
            if chunked:
                writer.write(f"{half + (reply.fault is Fault.CUT):x}\r\n".encode())
            writer.write(payload[:half])
            await writer.drain()
            if reply.fault is Fault.CUT or not await self._hold(reader):
                return False
            writer.write(b"\r\n" if chunked else b"")
            payload = payload[half:]
        while reply.fault is Fault.ENDLESS:
            writer.write(b"400\r\n" + b" " * 1024 + b"\r\n")
            await writer.drain()
        if reply.chunked:
            for at in range(0, len(payload), 65536):
                part = payload[at : at + 65536]
                writer.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
                await writer.drain()
            writer.write(b"0\r\n\r\n")
        else:
            writer.write(payload)
        await writer.drain()
        return True

    async def _hold(self, reader: asyncio.StreamReader) -> bool:
        """Wait until released; False once the client has left."""
        gone = asyncio.ensure_future(reader.read(1))
        released = asyncio.ensure_future(self._release.wait())
        try:
            await asyncio.wait({gone, released}, return_when=asyncio.FIRST_COMPLETED)
            if released.done():
                return True
            self.left.set()
            return False
        finally:
            gone.cancel()
            released.cancel()
            with suppress(OSError, asyncio.CancelledError):
                await gone


async def _read(first: bytes, reader: asyncio.StreamReader) -> Seen:
    head = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, path, _ = head[0].split(" ")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Seen(method, path, headers, body)


class NeverAccepts:
    """A port whose queue of connections is full, so that connecting to it never ends (Linux drops the attempt)."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        self._at = (host, port)

    def __enter__(self) -> NeverAccepts:
        self._listener = socket.socket()
        self._listener.bind(self._at)
        self._listener.listen(0)
        self.port = self._listener.getsockname()[1]
        self._waiting = [socket.socket() for _ in range(4)]
        for waiting in self._waiting:
            waiting.setblocking(False)
            waiting.connect_ex((self._at[0], self.port))
        return self

    def __exit__(self, *_: object) -> None:
        for waiting in (*self._waiting, self._listener):
            waiting.close()


def complete(driver: HttpDriver, call: Call) -> Reply:
    """What the driver replies, on a loop of its own that is left tidy."""

    async def run() -> Reply:
        try:
            return await driver.complete(call)
        finally:
            await driver.aclose()

    return asyncio.run(run())


def decide(driver: HttpDriver, question: Question) -> Answer:
    """What the driver decides, likewise."""

    async def run() -> Answer:
        try:
            return await driver.decide(question)
        finally:
            await driver.aclose()

    return asyncio.run(run())


def refused_port() -> int:
    """A port on loopback that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def chat_body(text: str | None, *, top: Mapping[str, float] | None = None, **message: Any) -> dict[str, Any]:
    """A chat completion; `top` are the first token's alternatives and their logprobs, likeliest first."""
    choice: dict[str, Any] = {
        "index": 0,
        "message": {"role": "assistant", "content": text, **message},
        "finish_reason": "stop",
    }
    if top is not None:
        entries = [{"token": token, "logprob": logprob} for token, logprob in top.items()]
        choice["logprobs"] = {"content": [{**(entries[0] if entries else {}), "top_logprobs": entries}]}
    usage = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
    return {"id": "c", "object": "chat.completion", "model": "m", "choices": [choice], "usage": usage}
