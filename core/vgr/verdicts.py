"""Reading a verifier's reply: verdict, task type and witness answer (SPEC 5).

Only the first output is read. A reply that did not stop by itself counts as empty, so it carries no verdict.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..conversation.model import Response, StopReason, Text
from .capabilities import TaskType
from .signals import Verdict
from .text import trim

_TASK_TYPES = {str(kind): kind for kind in TaskType}
_ABSTAIN = "abstain"


@dataclass(frozen=True, slots=True)
class TaskTyping:
    """The router's typing of a task. `task_type` is None where none was named."""

    task_type: TaskType | None
    #: The reply was a deliberate abstention, not merely unreadable.
    abstained: bool = False


def first_output_text(response: Response) -> str:
    """The text blocks of the first output joined by newlines; empty unless the reply stopped by itself.

    Refusals and reasoning are no text here (SPEC 5).
    """
    if not response.outputs:
        return ""
    output = response.outputs[0]
    if output.stop_reason not in (None, StopReason.END_TURN):
        return ""
    return "\n".join([block.text for block in output.content if isinstance(block, Text)])


def last_line(text: str) -> str:
    """The last line that is not blank, trimmed; empty where there is none."""
    # Trimming the whole text first leaves a last line that is not blank.
    return trim(trim(text).rpartition("\n")[2])


def parse_verdict(response: Response) -> Verdict:
    """The verdict of a yes/no reply: its last line must be exactly yes or no, else UNKNOWN (SPEC 5)."""
    word = last_line(first_output_text(response)).lower().rstrip(".!")
    if word == "yes":
        return Verdict.YES
    if word == "no":
        return Verdict.NO
    return Verdict.UNKNOWN


def parse_task_type(response: Response) -> TaskTyping:
    """The task type a reply names: the whole reply must be the word (SPEC 5)."""
    word = trim(first_output_text(response)).lower().rstrip(".")
    return TaskTyping(_TASK_TYPES.get(word), abstained=word == _ABSTAIN)


def parse_witness(response: Response) -> str | None:
    """The witness's answer: the last line that is not blank; None where there is none (SPEC 5)."""
    return last_line(first_output_text(response)) or None
