"""The verdict card of ordered cutoffs: the label, why it takes the turn, and the rules that lead there (UI 5)."""

from __future__ import annotations

from ...core.cutoffs.decision import CutoffDecision, ReasonCode, usable
from ...core.cutoffs.outcome import CutoffsOutcome
from ...core.explain.cutoffs import RuleRow, RuleState, cutoff_reason
from ...core.explain.reason import Reason
from ...core.explain.wording import counted
from ..screen import Screen
from ..text import Child, Html, h
from . import frame
from .cutoffs_flips import change
from .cutoffs_shown import LABEL_CHARS, Shown, given, shown
from .readable import readable
from .verdict import card, link
from .waiting import waiting

_OTHER_RULES = Reason("Decided with other rules than those below.", "Run again to decide with these.")
#: A label of more characters is set smaller.
_LARGE = 10
_MEDIUM = 20


def cutoffs_verdict(screen: Screen) -> Html:
    """The card in the state the bench is in. A label is no tier, so its lamp is plain and its word in ink."""
    of = shown(screen)
    outcome = screen.cutoffs.outcome if screen.cutoffs else None
    if of is None or outcome is None or not frame.decided(screen):
        return waiting(screen)
    decision = outcome.decision
    label, model = frame.short(decision.label), frame.short(decision.target)
    size = "" if len(label) <= _LARGE else "medium" if len(label) <= _MEDIUM else "small"
    return card(
        screen,
        "plain",
        (
            "Target label",
            h("span", {"class": f"label {size}".strip(), "title": decision.label}, label),
            h("span", {"class": "mono", "title": decision.target}, model),
        ),
        cutoffs_reason(of, outcome),
        _chain(of, decision) if of.outcome else _bare(decision),
        _foot(of, outcome),
        says=label,
    )


def cutoffs_reason(of: Shown, outcome: CutoffsOutcome) -> Reason:
    """Why the outcome's label takes the turn; of one made with other rules, that it was."""
    return cutoff_reason(of.config, given(outcome), outcome.decision) if of.outcome else _OTHER_RULES


def _chain(of: Shown, decision: CutoffDecision) -> list[Html]:
    rules = [row for row in of.rows() if row.order is not None]
    links = [
        _answer(of, decision),
        *_rules(rules, decision),
        link("Fallback", _short(of.config.fallback), "taken" if decision.rule is None else "not reached"),
        _confidence(decision),
    ]
    if len(links) < 5:
        links.insert(-1, link("Model", frame.mono(frame.short(decision.target, 24)), "behind the label"))
    return links


def _bare(decision: CutoffDecision) -> list[Html]:
    return [link("Model", frame.mono(frame.short(decision.target, 24)), "behind the label"), _confidence(decision)]


def _answer(of: Shown, decision: CutoffDecision) -> Html:
    if decision.reason_code is None:
        return link("Judge answer", "usable", f"{_all(len(of.config.labels))}, no other")
    if decision.reason_code is ReasonCode.INVALID_VERDICT:
        why = usable(of.config, of.probabilities)
        return link("Judge answer", "not usable", why.value if why else "no answer")
    return link("Judge answer", "none", "the call failed")


def _all(size: int) -> str:
    return f"all {size:,} labels" if size > 1 else "the label"


def _rules(rules: list[RuleRow], decision: CutoffDecision) -> list[Html]:
    """Each rule, or of more than two the one that decides and the others together."""
    if len(rules) <= 2:
        return [_rule(row) for row in rules]
    if decision.reason_code is not None:
        return [link("Rules", f"{len(rules):,}", "not applied")]
    if decision.rule is None:
        nearest = max(rules, key=lambda row: -1.0 if row.margin is None else row.margin)
        return [link("Other rules", "none won", _counted(len(rules) - 1)), _rule(nearest)]
    won = rules[decision.rule]
    before, after = decision.rule, len(rules) - decision.rule - 1
    if not before:
        return [_rule(won), link("Later rules", "not reached", _counted(after))]
    note = f"{_counted(before)}; {after:,} not reached" if after else _counted(before)
    return [link("Earlier rules", "none won", note), _rule(won)]


def _rule(row: RuleRow) -> Html:
    name = f"Rule {row.order}, {_short(row.label)}"
    if row.margin is None:
        return link(name, readable(row.needs), "not applied" if row.state is RuleState.UNKNOWN else row.state.value)
    margin = "" if row.state is RuleState.EQUAL else f", {row.margin_text}"
    return link(name, readable(f"{row.value} {row.needs}"), f"{row.state.value}{margin}")


def _counted(size: int) -> str:
    return counted(size, "rule")


def _confidence(decision: CutoffDecision) -> Html:
    code = decision.reason_code
    note: Child = ["verdict ", frame.mono("ordered_cutoffs")] if code is None else ["reason ", frame.mono(code.value)]
    return link("Confidence", f"{decision.confidence:.1f}", note)


def _foot(of: Shown, outcome: CutoffsOutcome) -> Child:
    flips = of.flips()
    says: Child = None
    if flips:
        says = [
            change(flips[0]),
            " gives ",
            h("b", {"title": flips[0].gives}, frame.short(flips[0].gives, LABEL_CHARS)),
        ]
    elif of.outcome is not None and outcome.decision.reason_code is None:
        says = "no single change gives another label"
    flip = h("span", None, h("span", {"class": "dim"}, "Closest flip"), "\N{EN SPACE}", says) if says else None
    return [flip, h("span", {"class": "push"}), frame.evidence([outcome.asked.origin])]


def _short(label: str) -> str:
    return frame.short(label, LABEL_CHARS)
