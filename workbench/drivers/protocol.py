"""The one seam between mock and real: what a turn asks of a driver, and how asking fails (SPEC 7).

Errors carry a class and a status, never a body, a key or conversation text:

    DriverError
    ├── CallTimeout           no reply in the time that was left
    ├── TransportError        the connection failed
    ├── HttpStatusError       the endpoint answered with an error status
    ├── ContextOverflow       the request was longer than the model's window
    └── InvalidResponse       the reply was not what the protocol promises
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from ...core.conversation.model import Json, Request, Response
from ...core.vgr.evidence import Origin, Rung


class Category(StrEnum):
    """Which model of a route answers a call."""

    LOCAL = "local"
    JUDGE = "judge"
    CLOUD_JUDGE = "cloud_judge"
    CLOUD = "cloud"
    #: No model: the operator's own check, run on the attempt.
    CHECKER = "checker"


@dataclass(frozen=True, slots=True)
class Call:
    """One completion to ask for. `timeout` is what is left of the deadline, in seconds."""

    rung: Rung
    category: Category
    request: Request = field(repr=False)
    timeout: float
    #: Output cap in tokens; None leaves it to the endpoint.
    max_tokens: int | None = None
    #: How many top alternatives of each token are asked for; None asks for no logprobs.
    top_logprobs: int | None = None
    #: Whether the model may reason before it answers.
    reasoning: bool = True


@dataclass(frozen=True, slots=True)
class Reply:
    """A driver's reply. `body` is the provider's body as received where the readout needs it, else None."""

    response: Response = field(repr=False)
    body: Json = field(default=None, repr=False)
    #: Token counts by name, as far as reported.
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """One decision question: a choice over labels (SPEC 6.1). Asked from issue to issue by the cutoffs algorithm."""

    id: str
    instructions: str = field(repr=False)
    labels: tuple[str, ...]
    context: Json = field(repr=False)
    timeout: float


@dataclass(frozen=True, slots=True)
class Answer:
    """A decision answer: probabilities by label as received, None where the answer carried none."""

    probabilities: Mapping[str, float] | None


class Driver(Protocol):
    """A transport to models: mock, cassette or live. Swapped whole; switching sends nothing."""

    @property
    def origin(self) -> Origin:
        """Where this driver's answers come from, shown on every value."""
        ...

    def models_for(self, category: Category) -> tuple[str, ...]:
        """The models that answer this category; empty where none is configured."""
        ...

    async def complete(self, call: Call) -> Reply:
        """Ask for a completion. Raises a DriverError; cancelling the task ends the call."""
        ...

    async def decide(self, question: Question) -> Answer:
        """Ask a decision question. Raises a DriverError; cancelling the task ends the call."""
        ...


class DriverError(Exception):
    """Asking failed. `rung` names what was asked; the text holds an error class and status only."""

    def __init__(self, message: str, rung: Rung | None = None) -> None:
        super().__init__(message)
        self.rung = rung


class CallTimeout(DriverError):
    """No reply in the time that was left."""


class TransportError(DriverError):
    """The connection failed."""


class HttpStatusError(DriverError):
    """The endpoint answered with an error status."""

    def __init__(self, status: int, rung: Rung | None = None) -> None:
        super().__init__(f"HTTP {status}", rung)
        self.status = status


class ContextOverflow(DriverError):
    """The request was longer than the model's window."""


class InvalidResponse(DriverError):
    """The reply was not what the protocol promises."""
