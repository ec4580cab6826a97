"""What a router knows of a turn before any judge is asked: the capability set (SPEC 4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class TaskType(StrEnum):
    """The router's own typing of the task; None stands for an abstention."""

    CODING = "coding"
    AGENTIC = "agentic"
    ANSWER = "answer"
    CHAT = "chat"


class ToolErrorSource(StrEnum):
    """Who vouches for the tool-error count."""

    HOST = "host"
    UNTRUSTED = "untrusted"


@dataclass(frozen=True, slots=True)
class ToolErrors:
    """A count of failed tool results and who vouches for it."""

    source: ToolErrorSource
    count: int


class Capabilities(NamedTuple):
    """The derived set; a field at its default is unset. `transcript` is the judged view (SPEC 3).

    A named tuple, since one is made in every analysis and a frozen dataclass of this size takes three times as long.
    """

    task_text: str | None = None
    final_answer: str | None = None
    transcript: str | None = None
    attempt: str | None = None
    has_checks: bool = False
    is_coding: bool = False
    is_chat: bool = False
    is_agentic: bool = False
    default_verified: bool = False
    #: Operator declaration: the attempt is served on a surface that shows structured answers.
    structured_answer: bool = False
    #: Operator declaration: prior probability in [0, 1] that local suffices.
    prior_local: float | None = None
    tool_errors: ToolErrors | None = None
    tool_results: int | None = None
    tool_tail_clean: bool | None = None

    def __repr__(self) -> str:
        """The fields, texts by their lengths."""
        shown = (
            f"{name}={f'{len(value)} chars' if isinstance(value, str) else value!r}"
            for name, value in self._asdict().items()
        )
        return f"Capabilities({', '.join(shown)})"
