"""The verdict card: one word, one sentence, and the chain that leads from the rule to what is served (UI 5, 6)."""

from __future__ import annotations

from typing import Final

from ...core.explain.reason import Reason
from ...core.vgr.decision import Mode, ReadinessGate, Route
from ...core.vgr.evidence import TurnOutcome
from .. import marks
from ..screen import Screen
from ..text import Child, Html, h
from . import frame
from .policy_tag import policy_tag
from .readable import readable
from .reasons import headline
from .spoken import spoken
from .waiting import waiting

_MODE_NOTES: Final = {
    Mode.OFF: "serves CLOUD",
    Mode.SHADOW: "serves CLOUD, decides beside it",
    Mode.EVALUATE: "serves the predicted route",
    Mode.ACTIVE: "serves the effective route",
}
_GATE_NOTES: Final = {
    ReadinessGate.SECURE_CHECKER_MISSING: "no validated checker: LOCAL is held back",
    ReadinessGate.TOOL_EVIDENCE_NOT_HOST_ATTESTED: "count not host-attested: LOCAL is held back",
}
#: A stale lamp keeps its shape and size; only ink and ground change, so that nothing jumps.
_STALE_GROUND: Final = "--lamp:repeating-linear-gradient(135deg,var(--rw-wash) 0 1px,transparent 1px 8px)"


def verdict(screen: Screen) -> Html:
    """The card of verification-gated routing in the state the bench is in."""
    if screen.outcome is None or not frame.decided(screen):
        return waiting(screen)
    outcome = screen.outcome
    route = outcome.decision.effective if outcome.decision else outcome.served
    return card(
        screen,
        route.value,
        (
            "Effective route" if outcome.decision else "Served",
            [marks.shape(route), marks.word(route)],
            f"the {'local' if route is Route.LOCAL else 'capable'} tier answers turn {_turn(screen)}",
        ),
        headline(screen, outcome),
        _chain(screen, outcome),
        _foot(screen, outcome),
        says=marks.word(route),
    )


def card(
    screen: Screen,
    kind: str,
    lamp: tuple[Child, Child, Child],
    why: Reason,
    chain: Child,
    foot: Child,
    *,
    says: str,
    said: str = "",
) -> Html:
    """A card with a verdict. `kind` is local, cloud or plain; `lamp` stands above, in and below the word.

    What follows a span of class push in `foot` stands at the right. `says` is the word as it is said, once, to those
    who cannot see it; `said` is the whole sentence for them, where it is not this card's.
    """
    stale = frame.shows_stale(screen)
    above, word, below = lamp
    sentence = said or f"{says}. {why.headline}"
    return h(
        "section",
        {
            "class": f"panel verdict {kind}{' stale' if stale else ''}",
            "aria-labelledby": f"{screen.bench}-verdict",
            "data-k": "verdict",
            "style": _STALE_GROUND if stale else None,
        },
        h("h3", {"class": "sr", "id": f"{screen.bench}-verdict"}, "Verdict"),
        h(
            "div",
            {"class": "lamp"},
            h("span", {"class": "cap"}, above),
            h("span", {"class": "word"}, word, ", stale" if stale else None),
            h("span", {"class": "cap"}, below),
        ),
        h(
            "div",
            {"class": "say"},
            h("p", {"class": "reason"}, readable(why.headline)),
            h("p", {"class": "detail"}, frame.coded(why.detail)) if why.detail else None,
        ),
        h("ol", {"class": "chain"}, chain),
        h("div", {"class": "foot"}, foot, frame.button("Copy record", "copy-record")),
        h("p", {"class": "sr", "role": "status", "data-k": "said"}, None if stale else sentence),
    )


def _turn(screen: Screen) -> str:
    request = spoken(screen)[0]
    replies = sum(message.role == "assistant" for message in request.messages) if request else 0
    return f"{replies + 1:,}"


def _chain(screen: Screen, outcome: TurnOutcome) -> list[Html]:
    mode = screen.trace.mode if screen.trace else screen.controls.mode
    used = "attempt used" if outcome.served is Route.LOCAL else "attempt not used"
    served = link("Served", marks.tier(outcome.served), used)
    run = link("Mode", mode.value, _MODE_NOTES[mode])
    decision = outcome.decision
    if decision is None:
        why = outcome.ending.value if outcome.ending else ""
        reached = [link(name, "not reached", "ended before the rules") for name in ("Predicted", "Readiness gate")]
        return [*reached, link("Effective", "not reached", why), run, served]
    gate = decision.readiness_gate
    held = gate is not ReadinessGate.NONE
    if held:
        note = _GATE_NOTES[gate]
    else:
        note = "CLOUD is never gated" if decision.predicted is Route.CLOUD else "nothing holds LOCAL back"
    return [
        link("Predicted", marks.tier(decision.predicted), ["by ", decision.branch.value]),
        link("Readiness gate", frame.mono(gate.value) if held else gate.value, note),
        link("Effective", marks.tier(decision.effective), "held back by the gate" if held else "as predicted"),
        run,
        served,
    ]


def link(name: str, value: Child, note: Child) -> Html:
    """One of the chain: its name, its value, and a note."""
    return h(
        "li",
        {"data-k": name},
        h("span", {"class": "k", "title": name}, name),
        h("span", {"class": "x"}, value),
        h("span", {"class": "n"}, note),
    )


def _foot(screen: Screen, outcome: TurnOutcome) -> Child:
    # Of the evidence that was read, which another driver may have given than the one that is chosen now.
    origins = dict.fromkeys(row.origin for row in outcome.asked if not row.extra)
    return [
        frame.evidence(origins) if origins else None,
        policy_tag(screen.policy),
        h("span", {"class": "push"}),
    ]
