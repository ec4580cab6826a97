"""The bench without a kernel: what a saved notebook, GitHub or nbconvert shows in place of the widgets (UI 12).

Only what the algorithm on screen derived and decided: verdict, rule, scores and the evidence record. No text of a
conversation, no words of a model and no name of a file is in it, so a saved notebook holds none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ..core.cutoffs.outcome import CutoffsOutcome
from ..core.escalation.outcome import EscalationTurn
from ..core.explain.clause import Clause
from ..core.explain.escalation_reason import escalation_reason
from ..core.explain.wording import counted
from . import marks, panels
from .algorithm import Algorithm, CutoffsScreen, EscalationScreen
from .frame import STYLESHEET
from .panels.cutoffs_shown import shown
from .panels.cutoffs_verdict import cutoffs_reason
from .panels.frame import has_outcome
from .panels.policy_tag import policy_words
from .panels.reasons import headline
from .screen import RunState, Screen
from .text import Html, h, join

#: Controls do nothing on a saved page. Only our own tags can match: a `<` or `"` of any other text is escaped.
_CONTROLS: Final = re.compile(
    r"<(button|select|textarea)\b.*?</\1>|<label\b.*?</label>|<input\b[^>]*>"
    r'| (?:data-act|data-value|tabindex)="[^"]*"',
    re.DOTALL,
)
#: The number of a turn is a button to press on a live page, and the name of its row on this one.
_TURNS: Final = re.compile(r'<button\b[^>]* data-act="turn"[^>]*>(.*?)</button>', re.DOTALL)
#: What stands for the words of a judge.
NOT_SAVED: Final = "its reason is not saved"
_DECIDED: Final = (RunState.DONE, RunState.STALE)


def static_html(screen: Screen) -> str:
    """The result as a page fragment with its own stylesheet."""
    if not has_outcome(screen) or screen.state not in _DECIDED:
        body = h("p", None, _plain_state(screen))
    else:
        body = Html(_CONTROLS.sub("", _TURNS.sub(r"\1", join(_pieces(_without_content(screen))))))
    style = f"<style>{STYLESHEET}</style>"
    count = screen.edits.count
    edited = h("p", {"class": "t1"}, f"Of an edited conversation: {counted(count, 'edit')} by hand.") if count else None
    return style + h("div", {"class": "rw rw-static"}, h("h2", {"class": "b"}, "Routing Workbench"), edited, body)


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


def _lines(screen: Screen) -> list[str]:
    match screen.algorithm:
        case Algorithm.VGR:
            return _turn_lines(screen)
        case Algorithm.CUTOFFS:
            return _cutoff_lines(screen)
        case Algorithm.ESCALATION:
            return _session_lines(screen)


def _said(screen: Screen, word: str, reason: str) -> str:
    stale = ", stale" if screen.state is RunState.STALE else ""
    edited = f", {counted(screen.edits.count, 'edit')} by hand" if screen.edits.count else ""
    return f"Routing Workbench: {word}{stale}{edited}. {reason}"


def _turn_lines(screen: Screen) -> list[str]:
    outcome = screen.outcome
    if outcome is None:
        return []
    decided = outcome.decision
    route = decided.effective if decided else outcome.served
    lines = [_said(screen, marks.word(route), headline(screen, outcome).headline)]
    if decided is not None:
        lines.append(
            f"branch {decided.branch}, predicted {marks.word(decided.predicted)}, gate {decided.readiness_gate}, "
            f"effective {marks.word(decided.effective)}, "
            f"served {marks.word(outcome.served)}, {policy_words(screen.policy)}"
        )
    elif outcome.ending is not None:
        lines.append(f"ended before the rules: {outcome.ending}, served {marks.word(outcome.served)}")
    for lane in panels.lanes(screen):
        if lane.value is not None:
            bars = ", ".join(bar.words for bar in lane.bars if bar.read)
            origin = f", {lane.origin.kind}" if lane.origin else ""
            lines.append(f"{lane.name} {lane.shown}{f' against {bars}' if bars else ', not compared'}{origin}")
    return lines


def _cutoff_lines(screen: Screen) -> list[str]:
    of = shown(screen)
    outcome = screen.cutoffs.outcome if screen.cutoffs else None
    if of is None or outcome is None:
        return []
    decision = outcome.decision
    reason = cutoffs_reason(of, outcome).headline
    lines = [_said(screen, decision.label, reason)]
    for row in of.rows() if of.outcome else ():
        name = "fallback" if row.order is None else f"rule {row.order}"
        needs = "" if row.cutoff is None else f", needs {row.needs}"
        lines.append(f"{name}, {row.label}: {row.value}{needs}: {row.state}")
    lines.append(f"model {decision.target}, confidence {decision.confidence:.1f}, {outcome.asked.origin.kind}")
    return lines


def _session_lines(screen: Screen) -> list[str]:
    outcome = screen.escalation.outcome if screen.escalation else None
    if outcome is None or outcome.served is None:
        return []
    latch = f"latched at turn {outcome.latched_at:,}" if outcome.latched_at is not None else "not latched"
    origins = dict.fromkeys(row.origin.kind.value for turn in outcome.turns for row in turn.asked)
    last = outcome.turns[-1]
    return [
        _said(screen, marks.word(outcome.served), escalation_reason(outcome).headline),
        f"{counted(len(outcome.turns), 'turn')}, streak {last.streak_after:,} of {outcome.config.confirmations:,}, "
        + ", ".join((latch, *origins)),
    ]


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
    cutoffs = screen.cutoffs and replace(screen.cutoffs, context=None, outcome=_own_labels(screen.cutoffs))
    escalation = screen.escalation and _without_words(screen.escalation)
    return replace(screen, reading=None, source_name="", examples=(), cutoffs=cutoffs, escalation=escalation)


def _own_labels(of: CutoffsScreen) -> CutoffsOutcome | None:
    """The answer with the labels that were asked about; what else a provider named is its own text."""
    outcome, known = of.outcome, of.config.labels
    if outcome is None:
        return None
    answered = outcome.probabilities and tuple(
        (label if label in known else f"label {at} of the answer", value)
        for at, (label, value) in enumerate(outcome.probabilities, 1)
    )
    choice = outcome.choice if outcome.choice is None or outcome.choice in known else "no configured label"
    return replace(outcome, probabilities=answered, choice=choice)


def _without_words(of: EscalationScreen) -> EscalationScreen:
    """The turns without the judge's own words: they may quote the conversation."""
    outcome = of.outcome and replace(of.outcome, turns=tuple(map(_without_reason, of.outcome.turns)))
    return replace(of, turns=tuple(map(_without_reason, of.turns)), outcome=outcome, view=None)


def _without_reason(turn: EscalationTurn) -> EscalationTurn:
    return replace(turn, reason=NOT_SAVED if turn.reason else "")


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
