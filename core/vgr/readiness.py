"""What the operator has deployed, and the names of the readiness gates (SPEC 4.6)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ReadinessGate(StrEnum):
    """Why a predicted local is held back, or NONE."""

    SECURE_CHECKER_MISSING = "secure_checker_missing"
    TOOL_EVIDENCE_NOT_HOST_ATTESTED = "tool_evidence_not_host_attested"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Readiness:
    """What the operator has deployed."""

    checker_validated: bool = False
