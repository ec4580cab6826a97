"""The bench without a kernel: what a saved notebook, GitHub or nbconvert shows in place of the widgets (UI 12).

Only what the algorithm on screen derived and decided: verdict, rule, scores and the evidence record. No text of a
conversation, no words of a model and no name of a file is in it, so a saved notebook holds none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ..core.explain.clause import Clause
from ..core.explain.cutoffs import RuleState, rule_rows
from ..core.explain.escalation_reason import escalation_reason
from . import marks, panels
from .algorithm import Algorithm, CutoffsScreen, EscalationScreen
from .frame import STYLESHEET
from .panels.frame import has_outcome
from .panels.reasons import headline
from .screen import RunState, Screen
from .text import Html, h, join

#: Controls do nothing on a saved page. Only our own tags can match: a `<` of any other text is escaped.
_CONTROLS: Final = re.compile(
    r"<(button|select|textarea)\b.*?</\1>|<label\b.*?</label>|<input\b[^>]*>|(?<=<tr) data-act=\"[^\"]*\"", re.DOTALL
)
_DECIDED: Final = (RunState.DONE, RunState.STALE)


def static_html(screen: Screen) -> str:
    """The result as a page fragment with its own stylesheet."""
    if not has_outcome(screen) or screen.state not in _DECIDED:
        body = h("p", None, _plain_state(screen))
    else:
        body = Html(_CONTROLS.sub("", join(_pieces(_without_content(screen)))))
    style = f"<style>{STYLESHEET}</style>"
    return style + h("div", {"class": "rw rw-static"}, h("h2", {"class": "b"}, "Routing Workbench"), body)


def static_text(screen: Screen) -> str:
    """The result in a few lines of plain text."""
    if not has_outcome(screen) or screen.state not in _DECIDED:
        return f"Routing Workbench: {_plain_state(screen)}"
    return "\n".join(_lines(screen))


def _pieces(quiet: Screen) -> tuple[Html, ...]:
    match quiet.algorithm:
        case Algorithm.VGR:
            return panels.verdict(quiet), panels.why(quiet), _scores(quiet), panels.timeline(quiet)
        case Algorithm.CUTOFFS:
            return panels.cutoffs_verdict(quiet), panels.cutoffs_rules(quiet), panels.cutoffs_usable(quiet)
        case Algorithm.ESCALATION:
            return panels.escalation_verdict(quiet), panels.streak_panel(quiet)


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
