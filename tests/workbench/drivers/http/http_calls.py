"""Calls that the tests of the HTTP driver make, and how they are made."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from fault_server import (
    PATIENCE,
    complete,
)
from routing_workbench.core.conversation.model import Message, Request, Role, Text
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.http.driver import HttpDriver
from routing_workbench.workbench.drivers.protocol import (
    Call,
    Category,
    DriverError,
    Question,
    Reply,
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
    return complete(driver, asked or call())


def failed(driver: HttpDriver, asked: Call | None = None) -> DriverError:
    """How asking fails."""
    with pytest.raises(DriverError) as caught:
        ask(driver, asked)
    return caught.value


def question(labels: tuple[str, ...] = ("cheap", "strong"), timeout: float = PATIENCE) -> Question:
    """A route question."""
    return Question("route", "Choose.", labels, {"task": SECRET}, timeout)
