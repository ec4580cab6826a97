"""The Turn settings panel: what the operator declares, deploys and asks for, one compact row each."""

from __future__ import annotations

from functools import partial
from typing import Final

from ...core.vgr.capabilities import TaskType, ToolErrorSource
from ...core.vgr.decision import ACTIVE_APPROVAL, Mode
from ..screen import Controls, Screen
from ..text import Child, Html, h
from . import frame

#: Values of `controls:task_type` beside the four types.
ROUTER: Final = "router"
NO_TYPING: Final = "off"
#: Value of `controls:provenance` that gives no count.
NO_COUNT: Final = "none"
#: The fields of the folded rows.
_MORE: Final = (
    "local_supports_images",
    "latch_escalation",
    "speculation_carry",
    "ask_cloud",
    "breaker_threshold",
    "breaker_cooldown",
)


#: The fields of each row that a route can set: what differs from the route is a what-if.
_OF_ROUTE: Final = {
    "Task type": ("forced_type", "typing_enabled"),
    "Checker": ("checker_configured", "checker_validated"),
    "Structured answer": ("structured_answer",),
    "Deadline": ("deadline",),
    "Mode": ("mode",),
    "Approval": ("approval",),
    "Images": ("local_supports_images",),
    "Latch": ("latch_escalation",),
    "Carry": ("speculation_carry",),
    "Breaker": ("breaker_threshold", "breaker_cooldown"),
}
#: What each setting does, as its row's title.
_TITLES: Final = {
    "Task type": "Typed by a model, not typed, or forced to one of the four types",
    "Checker": "Whether a check of the operator is set up for attempts, and whether it is validated and deployed",
    "Tool errors": "Who vouches for the count of failed tool results; active mode takes the host's word alone",
    "Prior for LOCAL": "The operator's own estimate that LOCAL does; the bar of agentic_recognized is read on it",
    "Structured answer": "The answer is one value that a witness can be compared with",
    "Deadline": "Seconds that all calls of a decision have together",
    "Mode": "off and shadow serve CLOUD, evaluate serves what is predicted, active what the readiness gate lets pass",
    "Approval": "Mode active serves LOCAL only with this text",
    "Kill switch": "Every turn goes to CLOUD without an attempt",
    "Images": "Whether a turn with images may go to the local tier; else it goes to CLOUD without an attempt",
    "Latch": "Whether turn verification keeps the session with CLOUD; else it moves the turn at its bar alone",
    "Carry": "Whether an escalation hands the rejected attempt to the cloud tier, as unverified reference",
    "Ask CLOUD": "Whether the cloud tier is asked for its reply where it serves; else the run stops at the decision",
    "Breaker": "Failures of an endpoint in a row that stop calls to it, and the seconds until it is tried again",
}


def controls(screen: Screen) -> Html:
    """The panel; every control is native and reports `controls:<field>`."""
    of, row = screen.controls, partial(_row, screen)
    rows = (
        row("Task type", _task_type(of), "forced, not typed" if of.forced_type else ""),
        row("Checker", _checker(of), ""),
        row("Tool errors", _provenance(of), ""),
        row("Prior for LOCAL", _prior(of), "" if of.prior_local is not None else "0 to 1, not declared"),
        row("Structured answer", frame.check("declared", "controls:structured_answer", of.structured_answer), ""),
        row("Deadline", _deadline(of), "s for all calls of a turn"),
        row("Mode", _mode(of), _mode_note(of)),
        row("Approval", _approval(of), "") if of.mode is Mode.ACTIVE else None,
        row("Kill switch", frame.check("every turn goes to CLOUD", "controls:kill_switch", of.kill_switch), ""),
    )
    body = h("div", {"class": "pb"}, h("ol", {"class": "set"}, rows), _more(screen))
    return frame.panel(screen, "controls", "Turn settings", body)


def _more(screen: Screen) -> Html:
    """The settings that a turn rarely needs, folded; its line counts those that differ from the route or the default.

    So a changed one is not overlooked.
    """
    of, start, row = screen.controls, screen.controls_baseline or Controls(), partial(_row, screen)
    changed = sum(getattr(of, name) != getattr(start, name) for name in _MORE)
    rows = (
        row("Images", frame.check("to LOCAL too", "controls:local_supports_images", of.local_supports_images), ""),
        row("Latch", frame.check("keeps the session", "controls:latch_escalation", of.latch_escalation), ""),
        row("Carry", frame.check("the rejected attempt", "controls:speculation_carry", of.speculation_carry), ""),
        row("Ask CLOUD", frame.check("for its reply", "controls:ask_cloud", of.ask_cloud), ""),
        row("Breaker", _breaker(of), ""),
    )
    return h(
        "details",
        {"class": "fold gap", "data-k": "more"},
        h("summary", None, f"More{f', {changed} changed' if changed else ''}"),
        h("ol", {"class": "set"}, rows),
    )


def _row(screen: Screen, name: str, control: Child, note: Child) -> Html:
    return h(
        "li",
        {"data-k": name, "title": _TITLES[name]},
        h("span", None, name),
        h("span", {"class": "ctl"}, control, frame.dim(note) if note else None, _what_if(screen, name)),
    )


def _what_if(screen: Screen, name: str) -> Child:
    """A mark where this row differs from what the route sets."""
    route = screen.controls_baseline
    if route is None or all(getattr(screen.controls, f) == getattr(route, f) for f in _OF_ROUTE.get(name, ())):
        return None
    return frame.tag("what-if", "warn")


def _breaker(of: Controls) -> list[Child]:
    return [
        h("span", None, "opens after"),
        frame.field(
            "Failures that open the breaker",
            "controls:breaker_threshold",
            f"{of.breaker_threshold}",
            kind="number",
            classes="small ms",
            min="1",
            step="1",
        ),
        h("span", None, "failures, for"),
        frame.field(
            "Seconds the breaker stays open",
            "controls:breaker_cooldown",
            f"{of.breaker_cooldown:.12g}",
            kind="number",
            classes="small ms",
            min="0",
            step="any",
        ),
        h("span", None, "s"),
    ]


def _task_type(of: Controls) -> Html:
    options = [(ROUTER, "typed by the router"), (NO_TYPING, "not typed")]
    options += [(kind.value, f"forced: {kind.value}") for kind in TaskType]
    current = of.forced_type.value if of.forced_type else ROUTER if of.typing_enabled else NO_TYPING
    return frame.select("Task type", "controls:task_type", options, current)


def _checker(of: Controls) -> list[Html]:
    return [
        frame.check("configured", "controls:checker_configured", of.checker_configured),
        frame.check("validated, deployed", "controls:checker_validated", of.checker_validated),
    ]


def _provenance(of: Controls) -> Html:
    options = [
        (ToolErrorSource.HOST.value, "count attested by the host"),
        (ToolErrorSource.UNTRUSTED.value, "count untrusted"),
        (NO_COUNT, "no count"),
    ]
    current = of.provenance.value if of.provenance else NO_COUNT
    return frame.select("Who attests the tool-error count", "controls:provenance", options, current)


def _prior(of: Controls) -> Html:
    value = "" if of.prior_local is None else f"{of.prior_local:.12g}"
    more = {"min": "0", "max": "1", "step": "0.01"}
    return frame.field("Prior for LOCAL", "controls:prior_local", value, kind="number", classes="small ms", **more)


def _deadline(of: Controls) -> Html:
    value = f"{of.deadline:.12g}"
    more = {"min": "0", "step": "any"}
    return frame.field("Deadline in seconds", "controls:deadline", value, kind="number", classes="small ms", **more)


def _mode(of: Controls) -> Html:
    return frame.switch("Mode", "controls:mode", [(mode.value, mode.value) for mode in Mode], of.mode.value)


def _mode_note(of: Controls) -> str:
    return "" if of.mode is Mode.ACTIVE else "active needs the approval text"


def _approval(of: Controls) -> list[Child]:
    given = of.approval == ACTIVE_APPROVAL
    says = "given" if given else ["missing: type ", frame.mono(ACTIVE_APPROVAL)]
    return [frame.field("Approval text", "controls:approval", of.approval), frame.dim(says)]
