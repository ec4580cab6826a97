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


def select_branch(capabilities: Capabilities) -> Branch:
    """The branch of this set (SPEC 4.2)."""
    if capabilities.has_checks:
        return Branch.CHECKS
    if capabilities.is_coding:
        return Branch.CODING_NO_CHECKS
    if capabilities.final_answer is not None and capabilities.task_text is not None:
        return Branch.ANSWER
    if capabilities.is_chat:
        return Branch.CHAT
    if capabilities.transcript is not None:
        if capabilities.prior_local is not None:
            return Branch.AGENTIC_RECOGNIZED
        if capabilities.is_agentic:
            return Branch.AGENTIC_VERIFIED
        if capabilities.default_verified:
            return Branch.DEFAULT_VERIFIED
    return Branch.UNKNOWN
