"""What a paste was read as: the format and why, the conversations in it, and the remarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .diagnostics import Diagnostic, Place, Severity
from .model import Json, Message, Output, Request, Response, Role, StopReason


@dataclass(frozen=True, slots=True)
class FormatMatch:
    """A format that the paste may be in: its stable name, its title, a score in [0, 1] and the reason."""

    name: str
    title: str
    score: float
    #: The structure that spoke for it, e.g. "`tool_use` blocks".
    reason: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation of a paste."""

    request: Request
    #: Where each turn of `request.turns` stands in the paste, same order and length.
    places: Sequence[Place] = ()
    #: Further candidate replies beside the last message (n > 1), kept and never merged.
    alternatives: tuple[Message, ...] = ()
    #: Top-level fields that are kept but not read (model, tools, temperature ...).
    extras: Mapping[str, Json] = field(default_factory=dict, repr=False)
    #: A short name to choose by where a paste holds several.
    title: str = field(default="", repr=False)
    #: Why the last message's model stopped, where the paste says so.
    stop_reason: StopReason | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """The outcome of reading a paste. `conversations` is empty where nothing could be read."""

    conversations: tuple[Conversation, ...]
    #: The format it was read as; None where none fits.
    format: FormatMatch | None
    #: All formats that could be meant, best first.
    candidates: tuple[FormatMatch, ...]
    diagnostics: tuple[Diagnostic, ...]
    #: Messages of a conversation that were edited or removed by hand since it was read.
    edits: int = 0

    @property
    def failed(self) -> bool:
        """Whether an error was found."""
        return any(d.severity is Severity.ERROR for d in self.diagnostics)


def split_attempt(request: Request, stop_reason: StopReason | None = None) -> tuple[Request, Response | None]:
    """Take a final assistant message off a request: it is the attempt (DESIGN, "How data flows")."""
    if not request.messages or request.messages[-1].role is not Role.ASSISTANT:
        return request, None
    last = request.messages[-1]
    rest = Request(request.instructions, request.messages[:-1], request.session_id)
    return rest, Response((Output(Role.ASSISTANT, last.content, stop_reason),))
