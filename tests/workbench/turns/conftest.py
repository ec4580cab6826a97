"""A clock that only moves when something waits, conversations for every branch, and a driver that keeps its calls."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from routing_workbench.core.conversation.model import (
    Message,
    Output,
    Request,
    Response,
    Role,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
)
from routing_workbench.core.vgr.evidence import Asked, Rung, TurnOutcome
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.protocol import Answer, Call, Question, Reply
from routing_workbench.workbench.turns.vgr import run_vgr_turn

pytest.register_assert_rewrite("fault_places", "fault_rules", "fault_runs", "model_server")

T = TypeVar("T")


class _Selector(selectors.SelectSelector):
    """Instead of waiting it moves the loop's clock."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> list[Any]:
        assert timeout is not None, "the test waits for something that never comes"
        self.loop.now += timeout
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time: a sleep of an hour returns at once and the clock shows an hour more."""

    def __init__(self) -> None:
        selector = _Selector()
        selector.loop = self
        self.now = 0.0
        super().__init__(selector)

    def time(self) -> float:
        """Virtual seconds."""
        return self.now


def run_virtually(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run in virtual time; fails if a task is left over."""

    async def checked() -> T:
        result = await coroutine
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return result

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(checked())


class RecordingDriver(MockDriver):
    """A mock that keeps the calls it got. `said` answers by rung; other rungs answer from the affirming script."""

    def __init__(self, said: Mapping[Rung, Any] | None = None, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.said = dict(said or {})
        self.calls: list[Call] = []
        self.questions: list[Question] = []

    async def decide(self, question: Question) -> Answer:
        """Keep the question, then answer it."""
        self.questions.append(question)
        said = self.said.get(question.rung)
        if isinstance(said, BaseException):
            raise said
        return said if isinstance(said, Answer) else await super().decide(question)

    async def complete(self, call: Call) -> Reply:
        """Keep the call, then answer it."""
        self.calls.append(call)
        if call.rung not in self.said:
            return await super().complete(call)
        said = self.said[call.rung]
        return await MockDriver(replies=said if callable(said) else [said]).complete(call)

    def text_sent(self, rung: Rung) -> str:
        """The material of the one call of this rung."""
        (call,) = [call for call in self.calls if call.rung is rung]
        return "".join(block.text for block in call.request.messages[0].content if isinstance(block, Text))


@dataclass
class Run:
    """A finished turn."""

    events: list[Any]

    @property
    def outcome(self) -> TurnOutcome:
        """The last event."""
        assert isinstance(self.events[-1], TurnOutcome)
        return self.events[-1]

    @property
    def rungs(self) -> list[str]:
        """What production asked, in order."""
        return [row.rung.value for row in self.outcome.asked if not row.extra]

    def row(self, rung: Rung) -> Asked:
        """The one row of this rung."""
        (row,) = [row for row in self.outcome.asked if row.rung is rung]
        return row


def text_message(role: Role, text: str) -> Message:
    """A message of one text."""
    return Message(role, (Text(text),))


def reply_of(*content: Any, stop: StopReason | None = StopReason.END_TURN) -> Response:
    """A reply of one output."""
    return Response((Output(Role.ASSISTANT, tuple(content), stop),))


def _agentic(*results: tuple[str, bool | None]) -> Request:
    messages = [text_message(Role.USER, "Make the harbour test pass.")]
    for number, (text, is_error) in enumerate(results):
        messages.append(Message(Role.ASSISTANT, (ToolCall(f"c{number}", "run", {"step": number}),)))
        messages.append(Message(Role.TOOL, (ToolResult(f"c{number}", (Text(text),), is_error),)))
    return Request((), tuple(messages))


_PLAIN = Request(
    (text_message(Role.SYSTEM, "Be brief."),),
    (text_message(Role.USER, "How many litres fit into the blue tank? Ask ann@dock.example."),),
)


@pytest.fixture
def scene() -> SimpleNamespace:
    """Conversations, attempts and small builders."""
    return SimpleNamespace(
        plain=_PLAIN,
        clean_run=_agentic(("ok", None), ("3 passed", None)),
        failed_run=_agentic(("ok", None), ("it broke", True)),
        recovered_run=_agentic(("it broke", True), ("3 passed", None)),
        prose=reply_of(Text("The tank holds 40 litres.")),
        code=reply_of(Text("Use this:\n```python\nprint(40)\n```")),
        call=reply_of(Text("I will look."), ToolCall("n1", "read", {"path": "tank.py"}), stop=StopReason.TOOL_USE),
        message=text_message,
        reply=reply_of,
    )


@pytest.fixture
def recording() -> type[RecordingDriver]:
    """The driver that keeps its calls."""
    return RecordingDriver


@pytest.fixture
def virtually() -> Callable[[Coroutine[Any, Any, Any]], Any]:
    """Run a coroutine in virtual time."""
    return run_virtually


@pytest.fixture
def collect() -> Callable[[Callable[[], AsyncIterator[Any]]], list[Any]]:
    """Take all events of a run in virtual time, to its end."""

    def take(run: Callable[[], AsyncIterator[Any]]) -> list[Any]:
        async def events() -> list[Any]:
            return [event async for event in run()]

        return run_virtually(events())

    return take


@pytest.fixture
def run_turn() -> Callable[..., Run]:
    """Run one turn to its end in virtual time."""

    def run(request: Request, attempt: Response | None, driver: Any, **keywords: Any) -> Run:
        async def collect() -> Run:
            return Run([event async for event in run_vgr_turn(request, attempt=attempt, driver=driver, **keywords)])

        return run_virtually(collect())

    return run


@pytest.fixture(scope="module")
def route() -> Iterator[Any]:
    """The models of a route behind a real server, for a module's tests."""
    from model_server import Route

    with Route().open() as opened:
        yield opened
