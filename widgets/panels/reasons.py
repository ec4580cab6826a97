"""The sentence of the verdict card: why this route, or why the turn ended before the rules."""

from __future__ import annotations

from ...core.explain.reason import Reason
from ...core.vgr.evidence import TurnOutcome
from ..screen import Screen


def headline(screen: Screen, outcome: TurnOutcome) -> Reason:
    """The reason of the outcome on screen; an outcome without one is named by its branch alone."""
    if screen.reason is not None:
        return screen.reason
    branch = outcome.decision.branch.value if outcome.decision else "unknown"
    return Reason(f"Branch {branch} decided.", "")
