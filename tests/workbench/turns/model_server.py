"""All models of a route behind one loopback server: each rung answers from a script, and one of them is struck.

A rung is recognized by its rubric, a tier by its model. The network is real but for its names: a host of these tests
resolves to the server, and for the struck rung to an address that refuses, hangs or shows the wrong certificate.
"""

from __future__ import annotations

import asyncio
import gc
import selectors
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import pytest
from blows import RUNG_TIMEOUT, Address, Blow
from fault_runs import MARK, Both, Case, run_case
from fault_server import PATIENCE, SELF_SIGNED, UNTRUSTED, FaultServer, NeverAccepts, Scripted, Seen
from model_bodies import sound_reply
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.prompts import VGR_PROMPTS, escalation_prompt, letters_instructions, vgr_prompt
from routing_workbench.workbench.drivers.http.driver import HttpDriver
from routing_workbench.workbench.drivers.http.targets import Client, Target, WireFormat
from routing_workbench.workbench.drivers.protocol import Answer, Call, Category, Question, Reply
from routing_workbench.workbench.drivers.script import Script

#: The model of each category.
_MODELS = {
    Category.LOCAL: "local-8b",
    Category.JUDGE: "judge-8b",
    Category.CLOUD_JUDGE: "judge-xl",
    Category.CLOUD: "cloud-xl",
}
_RUBRICS = {vgr_prompt(name): Rung(name) for name in VGR_PROMPTS} | {
    escalation_prompt(): Rung.ESCALATION_JUDGE,
    letters_instructions(): Rung.ROUTE,
}
_WIRES = {
    "/chat/completions": WireFormat.OPENAI_CHAT,
    "/messages": WireFormat.ANTHROPIC_MESSAGES,
    "/responses": WireFormat.OPENAI_RESPONSES,
}
#: Seconds that a connection or a body gets to be under way before the clock jumps.
_UNDER_WAY = 0.02


class JumpingLoop(asyncio.SelectorEventLoop):
    """A loop on real time whose clock can jump: a deadline passes at once, and a sound answer has all its time."""

    def __init__(self, complaints: list[Mapping[str, Any]]) -> None:
        self.ahead = 0.0
        self.sockets = selectors.DefaultSelector()
        super().__init__(self.sockets)
        self.set_exception_handler(lambda _, context: complaints.append(context))

    def time(self) -> float:
        """Real seconds, and those skipped."""
        return super().time() + self.ahead

    def jump(self, seconds: float) -> None:
        """Skip so many seconds, once what was begun is under way. May be called from any thread."""
        self.call_soon_threadsafe(self.call_later, _UNDER_WAY, self._skip, seconds)

    def _skip(self, seconds: float) -> None:
        self.ahead += seconds


class Asking(HttpDriver):
    """The driver under test. It tells which rung it is about to ask, and how long it was to wait in between.

    `waits` is what waiting does; nothing, if not given.
    """

    def __init__(
        self,
        route: Route,
        targets: Mapping[Category, Target],
        *,
        waits: Callable[[float], Awaitable[None]] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(targets, sleep=self._wait, draw=lambda: 0.0, **settings)
        self.waited: list[float] = []
        self._waits = waits
        self._route = route

    async def complete(self, call: Call) -> Reply:
        """Tell the rung, then ask."""
        self._route.asking = call.rung
        return await super().complete(call)

    async def decide(self, question: Question) -> Answer:
        """Tell the rung, then ask."""
        self._route.asking = question.rung
        return await super().decide(question)

    async def _wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        if self._waits is not None:
            await self._waits(seconds)


class Route:
    """The models of a route and the network before them."""

    def __init__(self) -> None:
        self.script = Script()
        self.struck: Rung | None = None
        self.blow: Blow | None = None
        self.asking: Rung | None = None
        #: The struck rung's requests that arrived, and its connections that were begun.
        self.requests = 0
        self.connections = 0
        #: What loops told nobody but their log: exceptions never retrieved, tasks destroyed while they wait.
        self.complaints: list[Mapping[str, Any]] = []
        self._met = threading.Event()
        self._loop: JumpingLoop | None = None
        self._getaddrinfo = socket.getaddrinfo

    @contextmanager
    def open(self) -> Iterator[Route]:
        """Serve, and be what the names of these tests resolve to, until the end of the block."""
        with ExitStack() as stack:
            self.plain = stack.enter_context(FaultServer(self._reply))
            self.secure = stack.enter_context(FaultServer(self._reply, tls=True))
            port = self.secure.port
            host = Address.STRANGER.value
            stack.enter_context(FaultServer(tls=True, certificate=UNTRUSTED, host=host, port=port))
            stack.enter_context(FaultServer(host=Address.PLAIN.value, port=port))
            stack.enter_context(NeverAccepts(Address.HANGS.value, self.plain.port))
            patch = stack.enter_context(pytest.MonkeyPatch.context())
            patch.setattr(socket, "getaddrinfo", self._resolve)
            patch.setenv("SSL_CERT_FILE", str(SELF_SIGNED))
            patch.setenv("ROUTE_KEY", f"sk-{MARK}-{MARK}-{MARK}")
            patch.setenv("NO_PROXY", "*")
            # The library looks for this module at every step of a request, and mostly in vain: a fifth of all the time.
            patch.setitem(sys.modules, "sniffio", None)
            yield self
        gc.collect()
        assert self.complaints == []

    def strike(self, case: Case, rung: Rung, blow: Blow) -> None:
        """From now on answer as this case has it, but for this rung."""
        self.script, self.struck, self.blow = case.script, rung, blow
        self.requests = self.connections = 0
        self.plain.left.clear()
        self._met.clear()

    def heal(self) -> None:
        """From now on nothing is wrong."""
        self.struck = None

    async def struck_once(self) -> None:
        """Wait until a request of the struck rung has arrived."""
        assert await asyncio.to_thread(self._met.wait, PATIENCE)

    async def skip(self, seconds: float) -> None:
        """Let the running loop's clock jump now."""
        assert self._loop is not None
        self._loop.ahead += seconds

    def run_twice(self, case: Case, rung: Rung, blow: Blow, wire: WireFormat) -> Both:
        """Run the case with this rung struck, and then again on the same driver and loop, with nothing wrong.

        Checks what a connection leaves behind: no task, no socket, no complaint, and no more calls than were due.
        """
        self.strike(case, rung, blow)

        async def both() -> Both:
            driver = self.driver(wire, rung)
            with pytest.MonkeyPatch.context() as patch:
                for name, value in blow.environment.items():
                    patch.setenv(name, value)
                faulty = await run_case(case, driver)
            if blow.environment:
                await driver.aclose()  # what a connection took of the environment, it keeps
            calls = len(faulty.rows(rung))
            assert driver.waited == [*blow.waits] * calls
            assert self.requests == (blow.tries * calls if blow.connects else 0)
            assert blow.connects or self.connections == blow.tries * calls
            if blow.jump and blow.connects:
                assert await asyncio.to_thread(self.plain.left.wait, PATIENCE)
            self.heal()
            sound = await run_case(case, driver)
            assert MARK not in repr(driver)
            await driver.aclose()
            return Both(faulty, sound)

        return self.run(both())

    def run(self, work: Any) -> Any:
        """Run on a loop of its own, which is left tidy."""
        with asyncio.Runner(loop_factory=partial(JumpingLoop, self.complaints)) as runner:
            loop = self._loop = runner.get_loop()

            async def checked() -> Any:
                found = await work
                for _ in range(5):
                    await asyncio.sleep(0)
                assert asyncio.all_tasks() == {asyncio.current_task()}
                for server in (self.plain, self.secure):
                    assert await server.left_alone(), "a connection is left open"
                assert len(loop.sockets.get_map()) == 1, "a socket is left beside the loop's own"
                return found

            result = runner.run(checked())
        assert self.complaints == []
        return result

    def driver(self, wire: WireFormat, rung: Rung | None = None, **settings: Any) -> Asking:
        """A driver whose four models are here, with a timeout for this rung where it is to time out."""
        blow = self.blow
        if blow is not None and blow.jump > RUNG_TIMEOUT and rung is not None:
            settings = {"timeouts": {rung: RUNG_TIMEOUT}} | settings
        secure = blow is not None and blow.secure
        return Asking(self, {category: self._target(category, wire, secure) for category in _MODELS}, **settings)

    def _target(self, category: Category, wire: WireFormat, secure: bool) -> Target:
        host = "localhost" if secure else f"{category.value.replace('_', '-')}.invalid"
        scheme, port = ("https", self.secure.port) if secure else ("http", self.plain.port)
        url = f"{scheme}://{host}:{port}/{MARK}/v1"
        return Target(_MODELS[category], Client(category.value, wire, url, "ROUTE_KEY", (("x-tenant", MARK),)))

    def _resolve(self, host: Any, port: Any, *args: Any, **keywords: Any) -> Any:
        """The address of a host, in place of `socket.getaddrinfo`."""
        name = host.decode() if isinstance(host, bytes) else host
        if name != "localhost" and not name.endswith(".invalid"):
            return self._getaddrinfo(host, port, *args, **keywords)
        at = Address.HERE
        if self.blow is not None and self.struck is not None and self.asking is self.struck:
            self.connections += 1
            at = self.blow.address
            if at is Address.HANGS:
                self._jump(self.blow)
        return self._getaddrinfo(host if at is Address.NONE else at.value, port, *args, **keywords)

    def _jump(self, blow: Blow) -> None:
        assert self._loop is not None
        self._loop.jump(blow.jump)

    def _reply(self, seen: Seen) -> Scripted:
        """What a request is answered with. Runs on the server's thread."""
        path = "/" + seen.path.rpartition("/v1")[2].lstrip("/")
        wire = _WIRES.get(path, WireFormat.SYSTEM_ONE)
        sent = seen.json
        rung = self._rung_of(sent)
        sound = sound_reply(self.script, wire, rung, sent)
        blow = self.blow
        assert blow is not None
        if rung is not self.struck:
            # Where connections fail, each request makes its own.
            return Scripted(body=sound.body(), headers={} if blow.connects else {"connection": "close"})
        self.requests += 1
        self._met.set()
        if blow.jump:
            self._jump(blow)
        return blow.reply(sound)

    def _rung_of(self, sent: Any) -> Rung:
        if "questions" in sent:
            return Rung.ROUTE
        first = sent.get("messages", [{}])[0]
        system = sent.get("system") or sent.get("instructions") or (first.get("role") == "system" and first["content"])
        rung = _RUBRICS.get(system) if isinstance(system, str) else None
        if rung is Rung.EVIDENCE_STRICT and sent["model"] == _MODELS[Category.CLOUD_JUDGE]:
            return Rung.CLOUD_JUDGE
        if rung is None:
            assert self.asking is not None
            return self.asking
        return rung
