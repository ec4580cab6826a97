"""The verdict card: one word, one sentence, and the chain that leads from the rule to what is served (UI 5, 6)."""

from __future__ import annotations

from typing import Final

from ...core.vgr.decision import Mode, ReadinessGate, Route
from ...core.vgr.evidence import TurnOutcome
from .. import marks
from ..screen import RunState, Screen
from ..text import Child, Html, h
from . import frame
from .messages import spoken
from .policy_tag import policy_tag
from .reasons import headline
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
    """The card in the state the bench is in."""
    decided = screen.outcome is not None and screen.state in (RunState.DONE, RunState.STALE, RunState.RUNNING)
    if screen.outcome is None or not decided:
        return waiting(screen)
    return _card(screen, screen.outcome)


def _card(screen: Screen, outcome: TurnOutcome) -> Html:
    stale = frame.shows_stale(screen)
    route = outcome.decision.effective if outcome.decision else outcome.served
    why = headline(screen, outcome)
    return h(
        "section",
        {
            "class": f"panel verdict {route.value}{' stale' if stale else ''}",
            "aria-labelledby": f"{screen.bench}-verdict",
            "data-k": "verdict",
            "style": _STALE_GROUND if stale else None,
        },
        h("h3", {"class": "sr", "id": f"{screen.bench}-verdict"}, "Verdict"),
        _lamp(screen, outcome, route, stale),
        h(
            "div",
            {"class": "say"},
            h("p", {"class": "reason"}, why.headline),
            h("p", {"class": "detail"}, frame.coded(why.detail)) if why.detail else None,
        ),
        h("ol", {"class": "chain"}, _chain(screen, outcome)),
        _foot(screen, outcome),
        h(
            "p",
            {"class": "sr", "role": "status", "data-k": "said"},
            None if stale else f"{marks.word(route)}. {why.headline}",
        ),
    )


def _lamp(screen: Screen, outcome: TurnOutcome, route: Route, stale: bool) -> Html:
    who = "local" if route is Route.LOCAL else "capable"
    return h(
        "div",
        {"class": "lamp"},
        h("span", {"class": "cap"}, "Effective route" if outcome.decision else "Served"),
        h("span", {"class": "word"}, marks.shape(route), marks.word(route), ", stale" if stale else None),
        h("span", {"class": "cap"}, f"the {who} tier answers turn {_turn(screen)}"),
    )


def _turn(screen: Screen) -> str:
    request = spoken(screen)[0]
    replies = sum(message.role == "assistant" for message in request.messages) if request else 0
    return f"{replies + 1:,}"


def _chain(screen: Screen, outcome: TurnOutcome) -> list[Html]:
    mode = screen.trace.mode if screen.trace else screen.controls.mode
    used = "attempt used" if outcome.served is Route.LOCAL else "attempt not used"
    served = _link("Served", marks.tier(outcome.served), used)
    run = _link("Mode", mode.value, _MODE_NOTES[mode])
    decision = outcome.decision
    if decision is None:
        why = outcome.ending.value if outcome.ending else ""
        reached = [_link(name, "not reached", "ended before the rules") for name in ("Predicted", "Readiness gate")]
        return [*reached, _link("Effective", "not reached", why), run, served]
    gate = decision.readiness_gate
    held = gate is not ReadinessGate.NONE
    if held:
        note = _GATE_NOTES[gate]
    else:
        note = "CLOUD is never gated" if decision.predicted is Route.CLOUD else "nothing holds LOCAL back"
    return [
        _link("Predicted", marks.tier(decision.predicted), ["by ", decision.branch.value]),
        _link("Readiness gate", frame.mono(gate.value) if held else gate.value, note),
        _link("Effective", marks.tier(decision.effective), "held back by the gate" if held else "as predicted"),
        run,
        served,
    ]


def _link(name: str, value: Child, note: Child) -> Html:
    return h(
        "li",
        {"data-k": name},
        h("span", {"class": "k"}, name),
        h("span", {"class": "x"}, value),
        h("span", {"class": "n"}, note),
    )


def _foot(screen: Screen, outcome: TurnOutcome) -> Html:
    # Of the evidence that was read, which another driver may have given than the one that is chosen now.
    origins = dict.fromkeys(row.origin for row in outcome.asked if not row.extra)
    return h(
        "div",
        {"class": "foot"},
        [frame.dim("evidence"), [[marks.origin(origin), " "] for origin in origins]] if origins else None,
        policy_tag(screen.policy),
        h("span", {"class": "push"}),
        frame.button("Copy record", "copy-record"),
    )
