"""The sentence of the verdict card: why this route, or why the turn ended before the rules."""

from __future__ import annotations

from ...core.explain.endings import ending_reason
from ...core.explain.reason import Reason, reason
from ...core.vgr.evidence import TurnOutcome
from ..screen import Screen


def headline(screen: Screen, outcome: TurnOutcome) -> Reason:
    """The reason of the outcome on screen; a decision without its trace is named by its branch alone."""
    if outcome.ending is not None:
        return ending_reason(outcome.ending, outcome.served)
    if screen.trace is not None and screen.derived is not None:
        return reason(screen.trace, screen.derived.capabilities)
    branch = outcome.decision.branch.value if outcome.decision else "unknown"
    return Reason(f"Branch {branch} decided.", "")
