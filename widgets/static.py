"""The bench without a kernel: what a saved notebook, GitHub or nbconvert shows in place of the widgets (UI 12).

Only what was derived and decided: verdict, rule, scores and the evidence record. No text of a conversation and no name
of a file is in it, so a saved notebook holds none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ..core.explain.clause import Clause
from . import marks, panels
from .frame import STYLESHEET
from .panels.reasons import headline
from .screen import RunState, Screen
from .text import Html, h, join

#: Controls do nothing on a saved page. Only our own tags can match: a `<` of any other text is escaped.
_CONTROLS: Final = re.compile(r"<(button|select)\b.*?</\1>|<label\b.*?</label>|<input\b[^>]*>", re.DOTALL)
_DECIDED: Final = (RunState.DONE, RunState.STALE)


def static_html(screen: Screen) -> str:
    """The result as a page fragment with its own stylesheet."""
    if screen.outcome is None or screen.state not in _DECIDED:
        body = h("p", None, _plain_state(screen))
    else:
        quiet = _without_content(screen)
        pieces = (panels.verdict(quiet), panels.why(quiet), _scores(quiet), panels.timeline(quiet))
        body = Html(_CONTROLS.sub("", join(pieces)))
    style = f"<style>{STYLESHEET}</style>"
    return style + h("div", {"class": "rw rw-static"}, h("h2", {"class": "b"}, "Routing Workbench"), body)


def static_text(screen: Screen) -> str:
    """The result in a few lines of plain text."""
    outcome = screen.outcome
    if outcome is None or screen.state not in _DECIDED:
        return f"Routing Workbench: {_plain_state(screen)}"
    route = outcome.decision.effective if outcome.decision else outcome.served
    stale = ", stale" if screen.state is RunState.STALE else ""
    lines = [f"Routing Workbench: {marks.word(route)}{stale}. {headline(screen, outcome).headline}"]
    if outcome.decision is not None:
        decided = outcome.decision
        lines.append(
            f"branch {decided.branch}, predicted {marks.word(decided.predicted)}, gate {decided.readiness_gate}, "
            f"effective {marks.word(decided.effective)}, served {marks.word(outcome.served)}, "
            f"policy {decided.policy_version}"
        )
    elif outcome.ending is not None:
        lines.append(f"ended before the rules: {outcome.ending}, served {marks.word(outcome.served)}")
    for lane in panels.lanes(screen):
        if lane.value is not None:
            bars = ", ".join(bar.words for bar in lane.bars if bar.read)
            origin = f", {lane.origin.kind}" if lane.origin else ""
            lines.append(f"{lane.name} {lane.shown}{f' against {bars}' if bars else ', not compared'}{origin}")
    return "\n".join(lines)


def why_text(screen: Screen) -> str:
    """The rule trace as text, one clause a line: key, label, value, needs, holds. Empty where nothing was decided."""
    if screen.trace is None:
        return ""
    trace = screen.trace
    lines = [f"{trace.branch}: {trace.sentence}"]
    for clause in trace.rule.clauses:
        lines.extend(_clause_lines(clause, 1))
    for clause in trace.gate_clauses:
        lines.extend(_clause_lines(clause, 1))
    lines.append(trace.conclusion)
    lines.append(
        f"predicted {marks.word(trace.predicted)}, gate {trace.gate}, effective {marks.word(trace.effective)}, "
        f"mode {trace.mode}, served {marks.word(trace.served)}"
    )
    return "\n".join(lines)


def _clause_lines(clause: Clause, depth: int) -> list[str]:
    start = f"{'  ' * depth}{clause.key} {clause.label}"
    if clause.comparison is not None:
        compared = clause.comparison
        return [f"{start}: {compared.value}, needs {compared.needs}: {compared.holds}"]
    return [f"{start}: {clause.holds}", *(line for part in clause.clauses for line in _clause_lines(part, depth + 1))]


def _scores(screen: Screen) -> Html:
    return h(
        "section",
        {"class": "panel"},
        h("div", {"class": "ph"}, h("h3", None, "Probabilities")),
        h("div", {"class": "pb"}, panels.probability_table(panels.lanes(screen)), panels.verdicts(screen)),
    )


def _without_content(screen: Screen) -> Screen:
    return replace(screen, reading=None, source_name="", examples=())


def _plain_state(screen: Screen) -> str:
    match screen.state:
        case RunState.EMPTY:
            return "No conversation yet."
        case RunState.FAILED:
            return f"Failed: {screen.failure.stage}." if screen.failure else "Failed."
        case RunState.RUNNING:
            return "Running."
        case RunState.CANCELLED:
            return "Cancelled."
        case _:
            return "A conversation is read; nothing has been asked yet."
