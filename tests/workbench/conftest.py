"""Sessions that are watched and closed, a reply that is held back, and a driver that is no mock."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from routing_workbench.core.vgr.evidence import Origin, OriginKind, Rung
from routing_workbench.widgets.algorithm import Algorithm
from routing_workbench.widgets.screen import RunState, Screen
from routing_workbench.workbench import seats
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.protocol import Answer, Call, Category, Question, Reply
from routing_workbench.workbench.drivers.script import Script
from routing_workbench.workbench.session import Session

#: Seconds after which a test gives up; nothing waits for it to pass.
PATIENCE = 30.0


ROUTES = """
[llm_clients.box]
format = "openai_chat"
base_url = "http://127.0.0.1:9/v1"

[targets.small]
id = "small-8b"
llm_client = "box"

[targets.large]
id = "large-1"
llm_client = "box"

[routes.assistant]
type = "vgr"
local_target = "small"
cloud_target = "large"
judge_target = "large"
mode = "shadow"
deadline_seconds = 12
breaker_threshold = 2

[routes.agent]
type = "llm_classifier"
mode = "escalation"
judge_target = "large"
efficient_target = "small"
capable_target = "large"
escalation = { confirmations = 4 }
"""


class Watch:
    """Keeps the screens a session shows, and waits for one."""

    def __init__(self) -> None:
        self.screens: list[Screen] = []
        self._changed = threading.Condition()

    def __call__(self, screen: Screen) -> None:
        """Take a screen in."""
        with self._changed:
            self.screens.append(screen)
            self._changed.notify_all()

    def until(self, holds: Callable[[Screen], bool]) -> Screen:
        """Wait for the first screen that this holds of."""
        with self._changed:
            assert self._changed.wait_for(lambda: any(map(holds, self.screens)), PATIENCE), "no such screen"
            return next(screen for screen in self.screens if holds(screen))

    @property
    def states(self) -> list[RunState]:
        """The states, each once for as long as it lasted."""
        found: list[RunState] = []
        for screen in self.screens:
            if found[-1:] != [screen.state]:
                found.append(screen.state)
        return found

    def clear(self) -> None:
        """Forget what was shown."""
        with self._changed:
            self.screens.clear()


class Held:
    """An async function to wait in until `release`; `reached` is set once somebody waits."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.cancelled = threading.Event()
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def __call__(self, seconds: float = 0.0) -> None:
        """Wait, however long that takes."""
        event = asyncio.Event()
        self._waiting.append((asyncio.get_running_loop(), event))
        self.reached.set()
        try:
            await event.wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise

    def release(self) -> None:
        """Let everybody go who waits now."""
        waiting, self._waiting = self._waiting, []
        for loop, event in waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)


class LiveDriver:
    """A driver that is no mock: it keeps the calls it got, and answers as the mock does."""

    def __init__(self, mock: MockDriver | None = None) -> None:
        self.calls: list[Rung] = []
        #: The loops it was let go of on.
        self.closed: list[asyncio.AbstractEventLoop] = []
        self._mock = mock or MockDriver(sleep=no_wait)

    @property
    def origin(self) -> Origin:
        """Live."""
        return Origin(OriginKind.LIVE, "judge-8b @ test.example")

    def origin_for(self, category: Category) -> Origin:
        """A model for each category."""
        return Origin(OriginKind.LIVE, f"{category}-8b @ test.example")

    def models_for(self, category: Category) -> tuple[str, ...]:
        """One for each category."""
        return (f"live-{category}",)

    async def complete(self, call: Call) -> Reply:
        """Keep the call, then answer it."""
        self.calls.append(call.rung)
        return await self._mock.complete(call)

    async def decide(self, question: Question) -> Answer:
        """Keep the question, then answer it."""
        self.calls.append(question.rung)
        return await self._mock.decide(question)

    async def aclose(self) -> None:
        """Keep the loop it happens on."""
        self.closed.append(asyncio.get_running_loop())


async def no_wait(seconds: float) -> None:
    """A sleep that takes no time."""


def chat_text(*messages: tuple[str, Any], **top: Any) -> str:
    """A Chat Completions request as JSON text: a role and its content, or all other fields of the message."""
    made = [
        {"role": role, **(content if isinstance(content, dict) else {"content": content})} for role, content in messages
    ]
    return json.dumps({"messages": made, **top})


@pytest.fixture
def opened() -> Iterator[Callable[..., tuple[Session, Watch]]]:
    """Open a session on a driver and perhaps a text: it is settled, watched, and closed when the test is over."""
    sessions: list[Session] = []

    def make(driver: Any = None, text: str = "", *, settle: bool = True, **keywords: Any) -> tuple[Session, Watch]:
        watch = Watch()
        session = Session(MockDriver(sleep=no_wait) if driver is None else driver, on_screen=watch, **keywords)
        sessions.append(session)
        if text:
            session.set_text(text)
        if settle:
            assert session.wait(PATIENCE)
        return session, watch

    yield make
    for session in sessions:
        session.close()


@pytest.fixture
def held() -> Iterator[Held]:
    """A place to wait in; whoever is left is let go when the test is over."""
    place = Held()
    yield place
    place.release()


@pytest.fixture
def instant() -> Callable[[float], Any]:
    """A mock's sleep that takes no time."""
    return no_wait


@pytest.fixture
def live() -> type[LiveDriver]:
    """The driver that is no mock."""
    return LiveDriver


@pytest.fixture
def chat() -> Callable[..., str]:
    """Write a conversation as JSON text."""
    return chat_text


@pytest.fixture
def talk() -> str:
    """A conversation with an attempt."""
    return chat_text(("user", "Sum up this memo."), ("assistant", "It is about tides."))


@pytest.fixture
def proposal() -> str:
    """A conversation whose attempt is a tool call."""
    call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"path": "a.py"}'}}
    return chat_text(("user", "Mend the build."), ("assistant", {"content": "", "tool_calls": [call]}))


@pytest.fixture
def circling(chat: Callable[..., str]) -> str:
    """Six turns of an assistant that gets nowhere."""
    turns = [(("user", f"Again, {number}."), ("assistant", f"Try number {number}.")) for number in range(1, 7)]
    return chat(*[message for turn in turns for message in turn])


@pytest.fixture
def replayed(opened: Callable[..., tuple[Session, Watch]], circling: str) -> Callable[..., tuple[Session, Watch]]:
    """Open a session on the Escalation tab; the judge says these words, one a turn."""

    def make(
        said: str = "decline, decline, escalate x9",
        text: str = circling,
        *,
        driver: Callable[[MockDriver], Any] = lambda mock: mock,
        sleep: Any = no_wait,
        **keywords: Any,
    ) -> tuple[Session, Watch]:
        mock = MockDriver(Script().edited(Rung.ESCALATION_JUDGE, answer=said), sleep=sleep)
        return opened(driver(mock), text, algorithm=Algorithm.ESCALATION, **keywords)

    return make


@pytest.fixture
def no_reveal(monkeypatch: pytest.MonkeyPatch) -> None:
    """No run takes long enough to show between two results."""
    monkeypatch.setattr(seats, "REVEAL_AFTER", 3600.0)


@pytest.fixture
def routes(tmp_path: Path) -> Path:
    """A configuration with a VGR route and one of the escalation judge, as a path."""
    path = tmp_path / "routes.toml"
    path.write_text(ROUTES, encoding="utf-8")
    return path


@pytest.fixture
def interrupts() -> Iterator[None]:
    """Interrupts are heard, here and in what is started meanwhile: tests that run in the background ignore them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
