"""The decision: predicted route, readiness gate, effective route, and what each mode serves (SPEC 4.6)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .branch import Branch


class Route(StrEnum):
    """The tier that serves."""

    LOCAL = "local"
    CLOUD = "cloud"


class ReadinessGate(StrEnum):
    """Why a predicted local is held back, or NONE."""

    SECURE_CHECKER_MISSING = "secure_checker_missing"
    TOOL_EVIDENCE_NOT_HOST_ATTESTED = "tool_evidence_not_host_attested"
    NONE = "none"


class Mode(StrEnum):
    """How decisions are served."""

    OFF = "off"
    SHADOW = "shadow"
    EVALUATE = "evaluate"
    ACTIVE = "active"


#: The text that mode `active` asks for, verbatim (SPEC 4.6).
ACTIVE_APPROVAL = "prospective-validation-and-canary-approved"


@dataclass(frozen=True, slots=True)
class Readiness:
    """What the operator has deployed."""

    checker_validated: bool = False


@dataclass(frozen=True, slots=True)
class ResolvedSignals:
    """Resolved tool evidence; results and tail are None unless the run counts as recovered (SPEC 4.3)."""

    recovered_run: bool
    tool_results: int | None
    tool_tail_clean: bool | None


@dataclass(frozen=True, slots=True)
class Decision:
    """A routing decision under one policy version."""

    branch: Branch
    predicted: Route
    effective: Route
    readiness_gate: ReadinessGate
    resolved: ResolvedSignals
    policy_version: str
