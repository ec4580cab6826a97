"""The Driver panel: who answers, and for a mock each rung's answer, delay and fault, edited in place (UI 5)."""

from __future__ import annotations

from typing import Final

from ...core.explain.wording import counted
from ...core.vgr.evidence import OriginKind
from ..screen import DriverPanel, RungControl, Screen
from ..text import Child, Html, h
from . import frame

#: The fault that is none.
NO_FAULT: Final = "none"
#: Characters of an answer that a list shows; the whole answer stays its value.
ANSWER_CHARS: Final = 60


def driver(screen: Screen) -> Html:
    """The panel of the driver in use."""
    found = screen.driver
    if found is None:
        body = frame.empty("No driver. Choose mock, cassette or live.")
        return frame.panel(screen, "driver", "Driver", body)
    faults = sum(rung.fault != NO_FAULT for rung in found.rungs)
    return frame.panel(
        screen,
        "driver",
        f"Driver: {found.origin.kind.value}",
        h("div", {"class": "pb"}, _scenario(found), _rungs(found), _remark(found)),
        beside=[
            frame.dim(found.origin.label) if found.origin.label else None,
            frame.tag(counted(faults, "fault"), "err") if faults else None,
        ],
        right=frame.button("Clear faults", "clear-faults", disabled="" if faults else "No fault is set.")
        if found.rungs
        else None,
    )


def _scenario(found: DriverPanel) -> Child:
    if not found.scenarios:
        return None
    chosen = dict(found.scenarios).get(found.scenario, "")
    options = [(name, name) for name, _ in found.scenarios]
    if found.scenario not in dict(found.scenarios):
        options.insert(0, (found.scenario, found.scenario or "edited"))
    return h(
        "p",
        {"class": "t1 row"},
        h("span", None, "Scenario"),
        frame.select("Scenario", "scenario", options, found.scenario),
        frame.dim(chosen) if chosen else None,
    )


def _rungs(found: DriverPanel) -> Child:
    if not found.rungs:
        return None
    heads = h(
        "li",
        {"class": "hd", "data-k": "hd"},
        h("span", None, "rung"),
        h("span", None, "answer"),
        h("span", {"class": "num"}, "delay, ms"),
        h("span", None, "fault"),
    )
    return h("ol", {"class": "drv"}, heads, [_rung(rung, found.faults) for rung in found.rungs])


def _rung(rung: RungControl, faults: tuple[str, ...]) -> Html:
    name = rung.rung.value
    if rung.disabled:
        return h(
            "li",
            {"data-k": name},
            h("span", None, name),
            h("span", {"class": "dim"}, rung.disabled),
            h("span"),
            h("span"),
        )
    options = faults if rung.fault in faults else (rung.fault, *faults)
    return h(
        "li",
        {"class": "flt" if rung.fault != NO_FAULT else None, "data-k": name},
        h("span", None, name),
        _answer(rung),
        frame.field(
            f"{name} delay in ms",
            f"rung:{name}:delay",
            str(rung.delay_ms),
            kind="number",
            classes="small ms",
            min="0",
            step="1",
        ),
        frame.select(f"{name} fault", f"rung:{name}:fault", [(fault, fault) for fault in options], rung.fault),
    )


def _answer(rung: RungControl) -> Html:
    name, act = rung.rung.value, f"rung:{rung.rung.value}:answer"
    if rung.kind == "number":
        bounds = {"min": "0", "max": "1", "step": "0.01"}
        return h(
            "span",
            {"class": "score"},
            frame.field(f"{name} answer, slider", act, rung.answer, kind="range", classes="", k="slider", **bounds),
            frame.field(f"{name} answer", act, rung.answer, kind="number", k="number", **bounds),
        )
    if rung.kind == "choice":
        known = rung.options if rung.answer in rung.options else (rung.answer, *rung.options)
        return frame.select(f"{name} answer", act, [(answer, _short(answer)) for answer in known], rung.answer)
    return frame.field(f"{name} answer", act, rung.answer)


def _short(answer: str) -> str:
    line = " ".join(answer.split())
    return line if len(line) <= ANSWER_CHARS else f"{line[:ANSWER_CHARS]} ..."


def _remark(found: DriverPanel) -> Html:
    if found.origin.kind is OriginKind.MOCK:
        says = "A change runs the turn again at once: asking the mock sends nothing."
    else:
        says = "Switching the driver sends nothing."
    return h("p", {"class": "t1 dim line"}, says)
