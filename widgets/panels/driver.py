"""The Driver panel: who answers, whom else one could ask, and for a mock each rung's answer, edited in place (UI 5)."""

from __future__ import annotations

from ...core.explain.wording import counted
from ...core.vgr.evidence import OriginKind
from ..algorithm import Algorithm
from ..screen import DriverPanel, Screen
from ..text import Child, Html, h
from . import frame, run
from .driver_rungs import NO_FAULT, rungs, scenario
from .driver_sources import choices, configuration, models, recording, replay, told


def driver(screen: Screen) -> Html:
    """The panel of the driver in use."""
    found = screen.driver
    if found is None:
        body = frame.empty("No driver. Choose mock, cassette or live.")
        return frame.panel(screen, "driver", "Driver", body)
    faults = sum(rung.fault != NO_FAULT for rung in found.rungs)
    return frame.panel(
        screen,
        "driver",
        f"Driver: {found.origin.kind.value}",
        h(
            "div",
            {"class": "pb"},
            _problem(found),
            choices(found),
            scenario(found),
            rungs(found),
            models(found),
            replay(found),
            h("p", {"class": "t1 dim line", "data-k": "remark"}, _remark(screen, found)),
            recording(found),
            h("p", {"class": "t1 line", "data-k": "checker"}, found.checker) if found.checker else None,
            configuration(found),
        ),
        beside=frame.tag(counted(faults, "fault"), "err") if faults else None,
        right=frame.button("Clear faults", "clear-faults", disabled="" if faults else "No fault is set.")
        if found.rungs
        else None,
    )


def _problem(found: DriverPanel) -> Child:
    """What was wrong with the last choice, file or recording: one row a line of it."""
    lines = [("error", line) for line in found.problem.splitlines() if line.strip()]
    return told(lines, "problem", role="alert")


def _remark(screen: Screen, found: DriverPanel) -> str:
    """What a change, or Run, sends and to whom."""
    if found.origin.kind is OriginKind.MOCK:
        return "A change runs it again at once: asking the mock sends nothing."
    stays = "Switching the driver sends nothing."
    if found.origin.kind is not OriginKind.LIVE:
        return f"A replay asks nobody: nothing leaves this machine. {stays}"
    calls = len(screen.will_ask)
    if not calls or run.cannot_run(screen):
        return f"Nothing is sent before you press Run. {stays}"
    # A session that latches asks no further.
    most = "at most " if screen.algorithm is Algorithm.ESCALATION and calls > 1 else ""
    return f"Run sends {most}{counted(calls, 'call')} to {found.origin.label}. {stays}"
