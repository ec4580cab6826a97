"""The verification branch a capability set selects: first match wins (SPEC 4.2)."""

from __future__ import annotations

from enum import StrEnum

from .capabilities import Capabilities


class Branch(StrEnum):
    """The eight branches, in the order they are tried."""

    CHECKS = "checks"
    CODING_NO_CHECKS = "coding_no_checks"
    ANSWER = "answer"
    CHAT = "chat"
    AGENTIC_RECOGNIZED = "agentic_recognized"
    AGENTIC_VERIFIED = "agentic_verified"
    DEFAULT_VERIFIED = "default_verified"
    UNKNOWN = "unknown"


#: The capability fields each branch needs, all of them set. `unknown` needs none: it is what is left.
PREDICATES: tuple[tuple[Branch, tuple[str, ...]], ...] = (
    (Branch.CHECKS, ("has_checks",)),
    (Branch.CODING_NO_CHECKS, ("is_coding",)),
    (Branch.ANSWER, ("final_answer", "task_text")),
    (Branch.CHAT, ("is_chat",)),
    (Branch.AGENTIC_RECOGNIZED, ("transcript", "prior_local")),
    (Branch.AGENTIC_VERIFIED, ("is_agentic", "transcript")),
    (Branch.DEFAULT_VERIFIED, ("default_verified", "transcript")),
)


def is_set(capabilities: Capabilities, name: str) -> bool:
    """Whether a field is set: a declared 0 or an empty text is, false is not."""
    value = getattr(capabilities, name)
    return value is not None and value is not False


def select_branch(capabilities: Capabilities) -> Branch:
    """The branch of this set (SPEC 4.2)."""
    for branch, names in PREDICATES:
        for name in names:
            if not is_set(capabilities, name):
                break
        else:
            return branch
    return Branch.UNKNOWN
