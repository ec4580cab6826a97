"""What a router knows of a turn before any judge is asked: the capability set (SPEC 4.1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


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


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The derived set; a field at its default is unset. `transcript` is the judged view (SPEC 3)."""

    task_text: str | None = field(default=None, repr=False)
    final_answer: str | None = field(default=None, repr=False)
    transcript: str | None = field(default=None, repr=False)
    attempt: str | None = field(default=None, repr=False)
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
