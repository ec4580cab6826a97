"""The one seam between mock and real: what a turn asks of a driver, and how asking fails (SPEC 7).

Errors carry a class and a status, never a body, a key or conversation text:

    DriverError
    ├── CallTimeout           no reply in the time that was left
    ├── TransportError        the connection failed
    ├── HttpStatusError       the endpoint answered with an error status
    ├── ContextOverflow       the request was longer than the model's window
    ├── InvalidResponse       the reply was not what the protocol promises
    ├── MissingKey            the variable that should hold the key holds none that can be sent; nothing was asked
    ├── NotConfigured         no model is set up that could be asked this; nothing was asked
    └── NotRecorded           a cassette does not hold this call; nothing was asked of anybody
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from ...core.conversation.model import Json, Request, Response
from ...core.vgr.evidence import Origin, Rung

if TYPE_CHECKING:
    from pydantic import SecretStr


class Category(StrEnum):
    """Which model of a route answers a call."""

    LOCAL = "local"
    JUDGE = "judge"
    CLOUD_JUDGE = "cloud_judge"
    CLOUD = "cloud"
    #: No model: the operator's own check, run on the attempt.
    CHECKER = "checker"


@dataclass(frozen=True, slots=True)
class ReplySchema:
    """A JSON schema that a reply has to meet, with the name it is sent under."""

    name: str
    schema: Mapping[str, Json] = field(repr=False)


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
    #: The shape the reply has to have; None leaves it free.
    schema: ReplySchema | None = None
    #: Which assistant turn of a replayed session this asks about, from 1; None outside a replay. Never sent.
    turn: int | None = None


#: The note of a reply that was not held to its call's schema: who reads it has to check the shape.
SHAPE_UNCHECKED: Final = "the endpoint refused json_schema and was asked for json_object"


@dataclass(frozen=True, slots=True)
class Reply:
    """A driver's reply. `body` is the provider's body as received where the readout needs it, else None."""

    response: Response = field(repr=False)
    body: Json = field(default=None, repr=False)
    #: Token counts by name, as far as reported.
    usage: Mapping[str, int] = field(default_factory=dict)
    #: What a reader of this reply has to know, in our words: "anthropic_messages carries no logprobs". Never content.
    note: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One decision question: a choice over labels (SPEC 6.1). `timeout` is in seconds."""

    id: str
    instructions: str = field(repr=False)
    labels: tuple[str, ...]
    context: Json = field(repr=False)
    timeout: float
    #: What it is asked for, and whom.
    rung: Rung = Rung.ROUTE
    category: Category = Category.JUDGE


class AnswerType(StrEnum):
    """What kind of answer came; only a choice carries a distribution (SPEC 6.1)."""

    CHOICE = "choice"
    BOOLEAN = "boolean"
    SCORE = "score"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Answer:
    """A decision answer: probabilities by label as received, None where the answer carried none.

    The provider's own choice and confidence are shown and never used (SPEC 6.1).
    """

    probabilities: Mapping[str, float] | None
    type: AnswerType = AnswerType.CHOICE
    choice: str | None = field(default=None, repr=False)
    confidence: float | None = None
    #: The share of the first token's probability that its options hold, where the answer was read from letters.
    covered: float | None = None
    usage: Mapping[str, int] = field(default_factory=dict)
    #: Why there is no distribution, or what was seen on the way, in our words. Never content.
    note: str = ""


class Driver(Protocol):
    """A transport to models: mock, cassette or live. Swapped whole; switching sends nothing."""

    @property
    def origin(self) -> Origin:
        """Where this driver's answers come from, as its badge says."""
        ...

    def origin_for(self, category: Category) -> Origin:
        """Where the answers of this category come from, as shown on every value: the model and its host."""
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

    async def aclose(self) -> None:
        """Let go of what the running loop's calls hold, connections above all. The driver can be used again after."""
        ...


@runtime_checkable
class KnowsSecrets(Protocol):
    """A driver that knows what no recording of it may hold. Not every driver has any."""

    def known_secrets(self) -> Collection[SecretStr]:
        """Its keys, and what else it sends that may be one; read now."""
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


class MissingKey(DriverError):
    """The environment variable of a key is not set, or holds what no header can carry. Its name is no secret."""

    def __init__(self, variable: str, rung: Rung | None = None, *, unusable: bool = False) -> None:
        super().__init__(f"no {'usable ' if unusable else ''}key in {variable}", rung)
        self.variable = variable
        self.unusable = unusable


class NotConfigured(DriverError):
    """No model is set up that could be asked this."""


#: Why a cassette may not hold a call.
NOT_AS_RECORDED: Final = "The prompt, the policy or the conversation is not what was recorded."


class NotRecorded(DriverError):
    """A cassette does not hold this call: the prompt, the policy or the conversation is not what was recorded."""
