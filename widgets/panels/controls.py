"""The Turn settings panel: what the operator declares, deploys and asks for, one compact row each."""

from __future__ import annotations

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


def controls(screen: Screen) -> Html:
    """The panel; every control is native and reports `controls:<field>`."""
    of = screen.controls
    rows = (
        _row("Task type", _task_type(of), "forced, not typed" if of.forced_type else ""),
        _row("Checker", _checker(of), ""),
        _row("Tool errors", _provenance(of), ""),
        _row("Prior for LOCAL", _prior(of), "" if of.prior_local is not None else "0 to 1, not declared"),
        _row("Structured answer", frame.check("declared", "controls:structured_answer", of.structured_answer), ""),
        _row("Deadline", _deadline(of), "s for all calls of a turn"),
        _row("Mode", _mode(of), _mode_note(of)),
        _row("Approval", _approval(of), "") if of.mode is Mode.ACTIVE else None,
        _row("Kill switch", frame.check("every turn goes to CLOUD", "controls:kill_switch", of.kill_switch), ""),
    )
    return frame.panel(screen, "controls", "Turn settings", h("div", {"class": "pb"}, h("ol", {"class": "set"}, rows)))


def _row(name: str, control: Child, note: Child) -> Html:
    return h(
        "li",
        {"data-k": name},
        h("span", None, name),
        h("span", {"class": "ctl"}, control, frame.dim(note) if note else None),
    )


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
