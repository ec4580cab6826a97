"""`make bench`: what the escalation judge's transcript costs, in units of `json.loads` of the same conversation."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from core_bench import Prepared, interleaved, loads, print_figures
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.escalation.transcript import summarize_for_judge
from routing_workbench.core.explain.escalation_view import escalation_view
from sessions import fresh, session

_KINDS = ("agentic", "chat", "coding")
_DEFAULT = EscalationConfig()


def _transcript(kind: str, messages: int, config: EscalationConfig = _DEFAULT) -> Prepared:
    """The first transcript of a parsed session."""
    raw, _ = session(kind, messages)

    def prepared() -> Callable[[], object]:
        shown = fresh(raw).messages
        return lambda: summarize_for_judge(shown, messages // 2, config)

    return prepared


def _view(kind: str, messages: int) -> Prepared:
    """The same in marked rows, for display."""
    raw, _ = session(kind, messages)

    def prepared() -> Callable[[], object]:
        request = fresh(raw)
        return lambda: escalation_view(request, messages // 2, _DEFAULT)

    return prepared


def figures() -> Iterator[tuple[str, float, float]]:
    """Name, measured ratio and bar of every figure."""
    for kind in _KINDS:
        ratio = interleaved(_transcript(kind, 300), loads(session(kind, 300)[0]))
        yield f"escalation transcript, {kind}, 300 messages / json.loads", ratio, 0.2
    for kind in _KINDS:
        # Both show 28 messages. Of the others no more than the role is looked at, and no bar was set for that.
        ratio = interleaved(_transcript(kind, 3000), _transcript(kind, 300))
        yield f"escalation transcript, {kind}, 3,000 messages / 300", ratio, inf
    for kind in _KINDS:
        # A window that would show everything shows what the total of 18,000 characters holds.
        wide = _transcript(kind, 3000, EscalationConfig(recent_turn_window=3000))
        yield f"escalation transcript, {kind}, window 3,000 / 28", interleaved(wide, _transcript(kind, 3000)), inf
    for kind in _KINDS:
        ratio = interleaved(_view(kind, 3000), _view(kind, 300), seconds=2.0)
        yield f"escalation view, {kind}, 3,000 messages / 300", ratio, 11.0


if __name__ == "__main__":
    print_figures(figures())
