"""Builders for calls, and a tape: what a driver said, recorded and ready to be replayed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest
from routing_workbench.core.conversation.model import Message, Output, Request, Response, Role, StopReason, Text
from routing_workbench.core.vgr.evidence import Origin, OriginKind, Rung
from routing_workbench.workbench.drivers.cassette.playing import CassetteDriver
from routing_workbench.workbench.drivers.cassette.reading import Cassette, parse_cassette
from routing_workbench.workbench.drivers.cassette.recording import RecordingDriver
from routing_workbench.workbench.drivers.protocol import Answer, Call, Category, Question, Reply

DAY = date(2031, 4, 2)
PROMPT_SETS = {"vgr": "vgr-1", "escalation": "escalation-1"}


@dataclass
class Clock:
    """Seconds that pass only when somebody waits."""

    now: float = 100.0
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        """The time."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Note the wait, and let the time pass at once."""
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


class Live:
    """A driver that says what it is told to, as a live one would: `said` gives the reply, or the error to raise."""

    def __init__(self, said: Callable[[Any], Any], clock: Clock, takes: float = 0.25) -> None:
        self._said = said
        self._clock = clock
        self._takes = takes
        self.closed = 0

    @property
    def origin(self) -> Origin:
        """A host that answers."""
        return Origin(OriginKind.LIVE, "judge-8b @ gpu-03.example")

    def origin_for(self, category: Category) -> Origin:
        """One model a category."""
        return Origin(OriginKind.LIVE, f"{category}-8b @ gpu-03.example?key=canary-query")

    def models_for(self, category: Category) -> tuple[str, ...]:
        """No cloud judge."""
        return () if category is Category.CLOUD_JUDGE else (f"{category}-8b",)

    async def complete(self, call: Call) -> Reply:
        """What `said` gives, after a while."""
        return await self._answer(call)  # type: ignore[no-any-return]

    async def decide(self, question: Question) -> Answer:
        """What `said` gives, after a while."""
        return await self._answer(question)  # type: ignore[no-any-return]

    async def aclose(self) -> None:
        """Count it."""
        self.closed += 1

    async def _answer(self, asked: Call | Question) -> Any:
        await self._clock.sleep(self._takes)
        said = self._said(asked)
        if isinstance(said, BaseException):
            raise said
        return said


def call_of(text: str = "Is it right?", rung: Rung = Rung.DELIBERATION, **keywords: Any) -> Call:
    """A question of this rung about this text."""
    request = Request(
        (Message(Role.SYSTEM, (Text("Judge."),)),), (Message(Role.USER, (Text(text),)),), "session-canary"
    )
    return Call(rung, keywords.pop("category", Category.JUDGE), request, keywords.pop("timeout", 30.0), **keywords)


def question_of(**keywords: Any) -> Question:
    """The one question of the cutoffs."""
    given: dict[str, Any] = {
        "id": "route",
        "instructions": "Choose.",
        "labels": ("large", "small"),
        "context": {"task": "Sort a list."},
        "timeout": 30.0,
    }
    return Question(**(given | keywords))


def reply_of(text: str = "yes", **keywords: Any) -> Reply:
    """A reply of one text."""
    return Reply(Response((Output(Role.ASSISTANT, (Text(text),), StopReason.END_TURN),)), **keywords)


def recorder(said: Callable[[Any], Any], *, takes: float = 0.25, name: str = "tidewatch-17") -> SimpleNamespace:
    """A recorder over a live driver; its lines are in `lines`."""
    clock, lines = Clock(), list[str]()
    live = Live(said, clock, takes)
    recording = RecordingDriver(live, lines.append, name=name, recorded=DAY, prompt_sets=PROMPT_SETS, clock=clock)
    return SimpleNamespace(driver=recording, live=live, clock=clock, lines=lines)


def ask(driver: Any, *asked: Call | Question) -> list[Any]:
    """Ask one after the other; an error stands in the list as what was raised."""

    async def one(item: Call | Question) -> Any:
        try:
            return await (driver.complete(item) if isinstance(item, Call) else driver.decide(item))
        except Exception as error:  # noqa: BLE001 - tests look at whatever it is
            return error

    async def run() -> list[Any]:
        return [await one(item) for item in asked]

    return asyncio.run(run())


def taped(said: Mapping[Call | Question, Any] | Callable[[Any], Any], *asked: Call | Question) -> Cassette:
    """The cassette of asking these."""
    made = recorder(said if callable(said) else said.__getitem__)
    ask(made.driver, *asked)
    return parse_cassette("".join(made.lines))


def played(cassette: Cassette, **keywords: Any) -> CassetteDriver:
    """A replay with the prompts that were recorded."""
    return CassetteDriver(cassette, **({"prompt_sets": PROMPT_SETS} | keywords))


def replayed(said: Callable[[Any], Any], *asked: Call | Question) -> list[Any]:
    """What a replay answers to what was just recorded."""
    return ask(played(taped(said, *asked)), *asked)


@pytest.fixture(scope="session")
def tape() -> SimpleNamespace:
    """Everything above, by name."""
    return SimpleNamespace(
        day=DAY,
        clock=Clock,
        call=call_of,
        question=question_of,
        reply=reply_of,
        recorder=recorder,
        ask=ask,
        taped=taped,
        played=played,
        replayed=replayed,
    )
