"""The decision: predicted route, readiness gate, effective route (SPEC 4.6). Serving stands in `serving`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .branch import Branch, select_branch
from .capabilities import Capabilities
from .clauses import Facts
from .policy import POLICY_1_0_0, Policy
from .readiness import Readiness, ReadinessGate
from .resolution import resolve_tool_errors
from .rules import GATES, RECOVERED_RUN, RULES, TOOL_RECORD
from .signals import Signals

__all__ = [
    "ACTIVE_APPROVAL",
    "Decision",
    "Mode",
    "Readiness",
    "ReadinessGate",
    "ResolvedSignals",
    "Route",
    "agentic_can_gather",
    "decide",
    "facts_of",
]


class Route(StrEnum):
    """The tier that serves."""

    LOCAL = "local"
    CLOUD = "cloud"


class Mode(StrEnum):
    """How decisions are served."""

    OFF = "off"
    SHADOW = "shadow"
    EVALUATE = "evaluate"
    ACTIVE = "active"


#: The text that mode `active` asks for, verbatim (SPEC 4.6).
ACTIVE_APPROVAL = "prospective-validation-and-canary-approved"


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


def facts_of(capabilities: Capabilities, signals: Signals, readiness: Readiness, policy: Policy) -> Facts:
    """What the rules read: the arguments, with the tool-error count resolved (SPEC 4.3)."""
    tool_errors = resolve_tool_errors(capabilities.tool_errors, signals.tool_errors)
    return Facts(capabilities, signals, readiness, policy, tool_errors)


_NOT_RECOVERED = ResolvedSignals(False, None, None)


def decide(
    capabilities: Capabilities, signals: Signals, readiness: Readiness, policy: Policy = POLICY_1_0_0
) -> Decision:
    """The decision on this evidence (SPEC 4.5, 4.6). A score that is missing or NaN clears no bar."""
    facts = facts_of(capabilities, signals, readiness, policy)
    branch = select_branch(capabilities)
    resolved = _NOT_RECOVERED
    if branch is Branch.AGENTIC_VERIFIED and RECOVERED_RUN.holds(facts):
        resolved = ResolvedSignals(True, capabilities.tool_results, capabilities.tool_tail_clean)
    predicted = effective = Route.CLOUD
    gate = ReadinessGate.NONE
    if RULES[branch].holds(facts):
        predicted = effective = Route.LOCAL
        needed = GATES.get(branch)
        if needed is not None and not needed.clause.holds(facts):
            gate, effective = needed.reason, Route.CLOUD
    return Decision(branch, predicted, effective, gate, resolved, policy.version)


def agentic_can_gather(capabilities: Capabilities, signals: Signals, policy: Policy = POLICY_1_0_0) -> bool:
    """Whether `agentic_verified` asks for any score: the count is 0 or the run recovered (SPEC 7). False elsewhere."""
    if select_branch(capabilities) is not Branch.AGENTIC_VERIFIED:
        return False
    return TOOL_RECORD.holds(facts_of(capabilities, signals, Readiness(), policy))
