"""What the judge of ordered cutoffs was asked, and whether its answer can be used (SPEC 6.1; UI 5)."""

from __future__ import annotations

import json
from typing import Final

from ...core.conversation.model import Json
from ...core.cutoffs.config import CutoffsConfig
from ...core.cutoffs.decision import ReasonCode, is_number
from ...core.cutoffs.outcome import CutoffsOutcome
from ...core.explain.clause import Holds
from ...core.explain.cutoffs import UsabilityRow, usability_rows
from ...core.explain.wording import chars, counted, probability
from ...core.vgr.evidence import Asked, Miss
from .. import marks
from ..algorithm import CutoffsScreen
from ..screen import RunState, Screen
from ..text import Child, Html, h
from . import asked, frame
from .cutoffs_shown import LABEL_CHARS, Shown, shown
from .durations import milliseconds
from .run import elapsed

#: Most characters of the context that are sent to the browser.
BOUND: Final = 150_000
#: The share of the first token's probability below which letters are not read (SPEC 7).
_LEAST_COVERED: Final = 0.5


def cutoffs_question(screen: Screen) -> Html:
    """The question as it is sent: its words, the labels, and the context. Model names are in reach of none of it."""
    of = shown(screen)
    sent = of is not None and (of.asked is not None or frame.has_outcome(screen))
    name, title = "cutoffs-question", f"What the judge {'was' if sent else 'is'} asked"
    found = screen.cutoffs
    if found is None or found.context is None:
        return frame.panel(screen, name, title, frame.empty("The question is there once a conversation is read."))
    labels = [[", " if at else None, frame.mono(label)] for at, label in enumerate(found.config.labels)]
    body = h(
        "div",
        {"class": "pb"},
        h(
            "p",
            {"class": "t1 says"},
            ["Question ", frame.mono("route"), ": choose one of ", labels, ". "],
            "Labels are sorted; model names never reach the judge.",
        ),
        _instructions(found),
        _context(found.context),
        h("p", {"class": "t1 dim after"}, found.task_words) if found.task_words else None,
    )
    origin = h("span", {"class": "o computed"}, "computed")
    return frame.panel(screen, name, title, body, beside=origin, kind="asks")


def cutoffs_usable(screen: Screen) -> Html:
    """Whether the answer can be used, what of it is ignored, and what a failed judge leads to."""
    of = shown(screen)
    name, title = "cutoffs-usable", "Is the answer usable?"
    if of is None:
        return frame.panel(screen, name, title, frame.empty("No question sent yet."))
    origin = of.asked.origin if of.asked else None
    body = h("div", {"class": "pb"}, _answer(screen, of), _failing(of.config))
    beside = marks.origin(origin) if origin else None
    return frame.panel(screen, name, title, body, beside=beside, stale=of.outcome is not None)


def _instructions(found: CutoffsScreen) -> Html:
    whose = "ours" if found.config.instructions is None else "the operator\N{RIGHT SINGLE QUOTATION MARK}s"
    return h(
        "details",
        {"class": "fold", "data-k": "instructions"},
        h("summary", None, f"Instructions, {whose}, {chars(found.instructions)}"),
        h("pre", {"class": "json"}, found.instructions),
    )


def _context(context: Json) -> list[Html | None]:
    """The context as it is sent, set out for reading."""
    try:
        text = json.dumps(context, ensure_ascii=False, indent=2)
    except (RecursionError, TypeError, ValueError):
        return [h("p", {"class": "t1 dim"}, "The context is nested too deep to be set out here.")]
    hidden = len(text) - BOUND
    cut = h("p", {"class": "t1 dim"}, f"{counted(hidden, 'more char')} are not listed here.") if hidden > 0 else None
    return [h("pre", {"class": "json context", "tabindex": 0, "aria-label": "Context"}, text[:BOUND]), cut]


def _answer(screen: Screen, of: Shown) -> Html:
    if of.outcome is not None:
        return h("ul", {"class": "chk"}, _rows(of.config, of.outcome))
    if screen.state is RunState.RUNNING:
        return h("p", {"class": "t1 dim"}, "Asking, ", elapsed(screen), ".")
    if of.failed and of.asked is not None:
        return h("ul", {"class": "chk"}, _failure(of.asked))
    if frame.has_outcome(screen):
        return h("p", {"class": "t1 dim"}, "The answer there is was given to another configuration.")
    return h("p", {"class": "t1 dim"}, "No question sent yet.")


def _rows(config: CutoffsConfig, outcome: CutoffsOutcome) -> list[Html | None]:
    if outcome.decision.reason_code not in (None, ReasonCode.INVALID_VERDICT):
        return [_failure(outcome.asked)]
    found = usability_rows(config, dict(outcome.probabilities) if outcome.probabilities is not None else None)
    return [
        *(_row(row.what, _found(row)) for row in found),
        _covered(outcome.covered),
        _own_choice(outcome),
        _row("note", h("span", {"class": "dim"}, outcome.asked.note)) if outcome.asked.note else None,
        _failure(outcome.asked),
    ]


def _found(row: UsabilityRow) -> Html:
    if row.holds is None:
        return h("span", {"class": "num"}, row.found)
    return h("span", {"class": "b"}, marks.stroke(row.holds), row.found)


def _covered(covered: float | None) -> Html | None:
    """Of an answer that was read from letters: how much of the first token's probability its options hold."""
    if covered is None:
        return None
    enough = covered >= _LEAST_COVERED
    shown_value, least = probability(covered, (_LEAST_COVERED,)), f"{_LEAST_COVERED:.2f}"
    what = (
        f"the options hold {shown_value} of the first token\N{RIGHT SINGLE QUOTATION MARK}s probability; "
        f"below {least} the answer is not used"
    )
    says = [marks.stroke(Holds.YES if enough else Holds.NO), "enough" if enough else "too little"]
    return _row(what, h("span", {"class": "b"}, says))


def _own_choice(outcome: CutoffsOutcome) -> Html:
    choice = "none" if outcome.choice is None else frame.short(outcome.choice, LABEL_CHARS)
    sure = outcome.confidence
    confidence = f", confidence {probability(sure)}" if is_number(sure) else ""
    what = f"provider\N{RIGHT SINGLE QUOTATION MARK}s own choice: {choice}{confidence}"
    return _row(what, h("span", {"class": "dim"}, "ignored"))


def _failure(row: Asked) -> Html:
    failed = row.miss is not None and row.miss is not Miss.UNPARSABLE
    says = asked.missed(row) if failed else "none"
    took = f"{says}, {milliseconds(row.took)} ms"
    return _row("judge failure", h("span", {"class": "fail" if failed else "dim"}, took))


def _failing(config: CutoffsConfig) -> list[Html]:
    """What each setting does with a judge that fails; the answer that cannot be used heeds neither."""
    label = frame.short(config.fallback, LABEL_CHARS)
    on, off = (None, "dim") if config.fail_open else ("dim", None)
    now = "now on" if config.fail_open else "now off"
    rows = (
        _row("fail_open on: fallback, confidence 0.0, with the reason code", h("span", {"class": "b"}, label), on),
        _row("fail_open off: the error is raised", h("span", {"class": "dim"}, now), off),
        _row("unusable answer: always the fallback", frame.mono("invalid_verdict")),
    )
    return [h("div", {"class": "sub gap"}, "If the judge fails"), h("ul", {"class": "chk"}, rows)]


def _row(what: Child, says: Child, kind: str | None = None) -> Html:
    return h("li", None, h("span", {"class": kind}, what), says)
