"""One POST and its answer: connections, bounds and repetitions. The only module that imports httpx.

What comes out is a status with a text, or a DriverError of class and status alone; no exception of the library leaves
this module, not even as a cause, since those carry the request with its key and body.

A call is repeated where it failed before its answer began (connection errors; 408, 429 and 5xx, but for 501). A body
that breaks off is not asked for again: the model has done the work, and the time and tokens it took are spent.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from random import random

import httpx

from ....core.vgr.evidence import Rung
from ..protocol import DriverError, InvalidResponse, NotConfigured, TransportError
from .error_body import error_words
from .logs import unlogged
from .overflow import says_overflow
from .retries import backoff, may_pass, retry_after
from .unpacking import ACCEPTED, unpacked

#: Bytes of an error body that are looked at, and the seconds it is waited for.
ERROR_BYTES = 65_536
ERROR_SECONDS = 2.0
#: Statuses whose body may say that the request was too long, or what the endpoint does not take.
_SPEAKING = frozenset({400, 413, 422, 500, 501})


@dataclass(frozen=True, slots=True)
class Received:
    """A status and what came with it: the whole body for 2xx, the server's words where an error may say why."""

    status: int
    text: str = field(default="", repr=False)

    @property
    def is_success(self) -> bool:
        """Whether the status is 2xx."""
        return 200 <= self.status <= 299


@dataclass(frozen=True, slots=True)
class _Failed:
    """A failure, and whether it may pass."""

    error: DriverError
    may_pass: bool = False


@dataclass(frozen=True, slots=True)
class _Connections:
    client: httpx.AsyncClient
    gate: asyncio.Semaphore


class Exchange:
    """Posts bodies from any number of event loops; each has its own connections, and `concurrency` bounds each."""

    def __init__(
        self,
        *,
        concurrency: int,
        max_body_bytes: int,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        draw: Callable[[], float] = random,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._concurrency = concurrency
        self._max_body_bytes = max_body_bytes
        self._transport = transport
        self._sleep = sleep
        self._draw = draw
        self._now = now
        self._lock = threading.Lock()
        self._by_loop: dict[asyncio.AbstractEventLoop, _Connections] = {}

    async def post(
        self, url: str, headers: Sequence[tuple[str, str]], body: bytes, *, retries: int, until: float, rung: Rung
    ) -> Received:
        """Post and return what came; `until` is on the loop's clock, and nothing is repeated that would pass it.

        Raises TransportError, InvalidResponse for a body that is too large or can't be decoded, NotConfigured.
        """
        connections = self._connections(rung)
        clock = asyncio.get_running_loop().time
        for repetition in range(retries + 1):
            with unlogged():  # around all of it: what the library leaves behind is let go in here
                got, asked_wait = await self._once(connections, url, headers, body, rung)
            if not _repeatable(got) or repetition == retries:
                break
            wait = backoff(repetition, self._draw()) if asked_wait is None else asked_wait
            if clock() + wait >= until:
                break
            await self._sleep(wait)
        if isinstance(got, _Failed):
            raise got.error
        return got

    async def aclose(self) -> None:
        """Close the running loop's connections; the next call opens new ones."""
        with self._lock:
            connections = self._by_loop.pop(asyncio.get_running_loop(), None)
        if connections is not None:
            with unlogged():
                await connections.client.aclose()

    async def _once(
        self, connections: _Connections, url: str, headers: Sequence[tuple[str, str]], body: bytes, rung: Rung
    ) -> tuple[Received | _Failed, float | None]:
        """One attempt: what came or how it failed, and the seconds the endpoint asks to wait."""
        began, sent = False, [("accept-encoding", ACCEPTED), *headers]
        try:
            async with connections.gate:
                if connections.client.is_closed:
                    return _Failed(TransportError("the connections were closed", rung)), None
                async with connections.client.stream("POST", url, content=body, headers=sent) as response:
                    began = True
                    wait = retry_after(response.headers.get("retry-after"), self._now())
                    if not response.is_success:
                        return Received(response.status_code, await _error_text(response)), wait
                    text = await self._text(response)
                    if text is None:
                        unread = f"the reply is larger than {self._max_body_bytes:,} bytes, or its encoding is broken"
                        return _Failed(InvalidResponse(unread, rung)), None
                    return Received(response.status_code, text), None
        except (httpx.HTTPError, httpx.StreamError, OSError):
            return _Failed(TransportError("the connection failed", rung), may_pass=not began), None
        except httpx.InvalidURL:
            return _Failed(NotConfigured("base_url can't be used", rung)), None

    async def _text(self, response: httpx.Response) -> str | None:
        """The whole body; None where it is larger than is read, or its encoding is broken."""
        most, packed = self._max_body_bytes, bytearray()
        declared = response.headers.get("content-length", "")
        if declared.isdecimal() and int(declared[:20]) > most:
            return None
        async for chunk in response.aiter_raw():
            packed += chunk
            if len(packed) > most:
                return None
        body = unpacked(bytes(packed), _encoding(response), most)
        if body is None:
            return None
        try:
            return body.decode("utf-8-sig")
        except UnicodeDecodeError:
            return None

    def _connections(self, rung: Rung) -> _Connections:
        loop = asyncio.get_running_loop()
        with self._lock:
            found = self._by_loop.get(loop)
            if found is None:
                # Loops end without saying so; what they held can't be closed any more, only let go.
                self._by_loop = {other: held for other, held in self._by_loop.items() if not other.is_closed()}
                client = self._client()
                if client is not None:
                    found = self._by_loop[loop] = _Connections(client, asyncio.Semaphore(self._concurrency))
        if found is None:
            raise NotConfigured("the proxy or CA settings of the environment can't be used", rung)
        return found

    def _client(self) -> httpx.AsyncClient | None:
        """A client that takes proxies and CA bundles from the environment; None where those can't be used."""
        try:
            return httpx.AsyncClient(
                transport=self._transport,
                follow_redirects=False,
                # The deadline of the whole call ends it, in whatever state it is.
                timeout=None,  # noqa: S113
                # What one call is told must not go out with the next.
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            )
        except (OSError, ValueError, ImportError, httpx.InvalidURL):
            return None


def _repeatable(got: Received | _Failed) -> bool:
    if isinstance(got, _Failed):
        return got.may_pass
    return may_pass(got.status) and not says_overflow(got.text)


async def _error_text(response: httpx.Response) -> str:
    """The words of an error body, where it may say why; as much of it as comes in time."""
    if response.status_code not in _SPEAKING:
        return ""
    body = bytearray()
    try:
        async with asyncio.timeout(ERROR_SECONDS):
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) >= ERROR_BYTES:
                    break
    except (TimeoutError, httpx.HTTPError, httpx.StreamError):
        pass
    said = unpacked(bytes(body), _encoding(response), ERROR_BYTES, whole=False)
    return error_words((said or b"").decode("utf-8", "replace"))


def _encoding(response: httpx.Response) -> str:
    encoding: str = response.headers.get("content-encoding", "")
    return encoding
