"""The rule trace as rows: clause, value, needs, margin, holds, origin (UI 5; SPEC 4.3-4.6).

The group that decides has the tint of the tier it argues for. What was asked for diagnosis only is filled in from a
second trace, marked extra and never fed to the decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ...core.explain.clause import Clause, Comparison, Holds
from ...core.explain.trace import Trace
from ...core.vgr.decision import ReadinessGate, Route
from ...core.vgr.evidence import COMPUTED, Asked, Rung
from .. import marks
from ..screen import RunState, Screen
from ..text import Child, Html, h
from . import asked, frame

#: Fields an operator declares or sets; nobody measures them.
_DECLARED: Final = frozenset({"prior_local", "structured_answer", "checker_validated"})

_WITHOUT: Final = {
    RunState.RUNNING: "The rule is traced once the evidence is there.",
    RunState.CANCELLED: "No decision: the run was cancelled.",
    RunState.FAILED: "No decision: the run failed.",
}


def trace(screen: Screen) -> Html:
    """The rule of the branch taken; before a decision, the sentence that says why there is none."""
    if screen.trace is None:
        return _undecided(screen)
    of = screen.trace
    rows = _Rows(of, asked.by_rung(screen.outcome.asked if screen.outcome else ()))
    extra = (screen.trace_with_extra or of).rule.clauses
    listed = list(rows.of(of.rule.clauses, extra, 0))
    note = "= asked for diagnosis after production had stopped. Shown, never fed to the decision."
    return h(
        "div",
        {"data-k": "trace"},
        h("div", {"class": "sub"}, "Rule of ", frame.mono(of.branch.value)),
        h("ol", {"class": "trace"}, _heads(of), listed, _conclusion(of), _gate(of, rows)),
        h("p", {"class": "t0 dim gap"}, h("span", {"class": "extra"}, "extra"), f" {note}") if rows.extras else None,
    )


def _undecided(screen: Screen) -> Html:
    ending = screen.outcome.ending if screen.outcome else None
    title: Child = ["Rule of ", frame.mono(screen.derived.ladder.taken.value)] if screen.derived else "Rule"
    if ending is not None:
        title = "Rule"
        says: Child = ["Ended before the rules: ", frame.mono(ending.value), "."]
    else:
        says = _WITHOUT.get(screen.state, "No evidence asked yet: the rule is traced once Run has asked.")
    return h(
        "div",
        {"data-k": "trace"},
        h("div", {"class": "sub"}, title),
        h("p", {"class": "t1 dim"}, says),
    )


def _heads(of: Trace) -> Html:
    names = [h("span", {"class": "num"}, name) for name in ("value", "needs", "margin")]
    return h("li", {"class": "hd", "data-k": "hd"}, h("span", None, of.sentence), names, _cells("holds", "origin"))


def _cells(*texts: str) -> list[Html]:
    return [h("span", None, text) for text in texts]


def _conclusion(of: Trace) -> Html:
    return h(
        "li",
        {"class": "sum", "data-k": "sum"},
        h("span", {"style": "grid-column:1/5"}, of.conclusion),
        h("span", {"style": "grid-column:5/-1"}, marks.tier(of.predicted)),
    )


def _gate(of: Trace, rows: _Rows) -> Child:
    """What holds a predicted LOCAL back or lets it pass; CLOUD is never gated, and some branches have no gate."""
    if not of.gate_clauses or of.predicted is Route.CLOUD:
        return None
    held = of.gate is not ReadinessGate.NONE
    says = ["Readiness gate ", frame.mono(of.gate.value)] if held else ["Readiness gate"]
    head = h(
        "li",
        {"class": f"grp{' why-no' if held else ''}", "data-k": "gate"},
        h("span", {"class": "clause"}, says),
        h("span"),
        h("span"),
        h("span"),
        h("span", None, marks.tier(Route.CLOUD, "holds LOCAL back") if held else marks.holds(Holds.YES, "open")),
        h("span"),
    )
    return [head, list(rows.of(of.gate_clauses, (), 1, "gate-"))]


class _Rows:
    """The rows of a trace; `extras` tells whether one of them is extra evidence."""

    def __init__(self, of: Trace, evidence: dict[Rung, Asked]) -> None:
        self._trace = of
        self._evidence = evidence
        self.extras = False

    def of(self, clauses: Sequence[Clause], extra: Sequence[Clause], depth: int, above: str = "") -> Iterator[Html]:
        """The rows of these clauses and of those in them; `extra` is the same place of the trace with extras."""
        if len(extra) != len(clauses):
            extra = clauses
        for index, (clause, more) in enumerate(zip(clauses, extra, strict=True)):
            name = f"{above}{clause.key or index}"
            yield self._row(clause, more.comparison, depth, name)
            yield from self.of(clause.clauses, more.clauses, depth + 1, f"{name}.")

    def _row(self, clause: Clause, more: Comparison | None, depth: int, name: str) -> Html:
        found = clause.comparison
        row = self._evidence.get(asked.RUNG_OF[found.source]) if found and found.source in asked.RUNG_OF else None
        extra = row is not None and row.extra and found is not None and found.holds is Holds.NOT_ASKED
        if extra:
            self.extras = True
            found = more
        kinds = [f"l{min(depth, 4)}" if depth else "" if found else "grp", "x" if extra else ""]
        if clause.key and clause.key == self._trace.decided_by:
            kinds.append("why-no" if self._trace.predicted is Route.CLOUD else "why-yes")
        # Deeper rows are read by their place below a numbered clause, as in the drawing.
        key = [h("span", {"class": "key"}, clause.key), "\N{EN SPACE}" if depth else None] if depth < 2 else None
        label: Child = [clause.label, " ", h("span", {"class": "extra"}, "extra")] if extra else clause.label
        return h(
            "li",
            {"class": " ".join(filter(None, kinds)) or None, "data-k": name},
            h("span", {"class": "clause"}, key, label),
            # What was not asked has no value; the column that says whether it holds says so.
            h("span", {"class": "num b"}, found.value if found and found.holds is not Holds.NOT_ASKED else None),
            h("span", {"class": "num dim"}, found.needs if found else None),
            _margin(found),
            h("span", None, marks.holds(found.holds if found else clause.holds)),
            h("span", None, _origin(found, row)),
        )


def _origin(found: Comparison | None, row: Asked | None) -> Child:
    if found is None:
        return None
    if found.source in asked.RUNG_OF:
        return marks.origin(row.origin) if row else None
    if found.source in _DECLARED:
        return h("span", {"class": "o computed"}, "operator")
    return marks.origin(COMPUTED)


def _margin(found: Comparison | None) -> Html:
    if found is None or not found.margin_text:
        return h("span", {"class": "num"})
    return h("span", {"class": f"num {'ok' if found.holds is Holds.YES else 'miss'}"}, found.margin_text)
