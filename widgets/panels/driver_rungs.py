"""The mock in the Driver panel: its scenario, and each rung's answer, delay and fault, edited in place (UI 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...core.vgr.evidence import Rung
from ..screen import DriverPanel, RungControl
from ..text import Child, Html, h
from . import frame, run

#: The fault that is none.
NO_FAULT: Final = "none"
#: Characters of an answer that a list shows; the whole answer stays its value.
ANSWER_CHARS: Final = 60
#: Characters of a probability that its field shows.
_FITS: Final = 6
_BOUNDS: Final[Mapping[str, str]] = {"min": "0", "max": "1", "step": "0.01"}
#: Groups of the list of faults, each by how its names begin; what fits none stands in the last.
_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "connection": ("connection", "DNS", "TLS", "transport"),
    "time": ("timeout",),
    "status": ("HTTP",),
    "body": ("truncated", "not JSON", "wrong shape", "invalid response"),
    "content": ("",),
}


def scenario(found: DriverPanel) -> Child:
    """The named scripts to load, and what the one in use does."""
    if not found.scenarios:
        return None
    known = dict(found.scenarios)
    options = [(name, name) for name in known]
    if found.scenario not in known:
        options.insert(0, (found.scenario, found.scenario or "edited"))
    says = known.get(found.scenario, "")
    return h(
        "p",
        {"class": "t1 row", "data-k": "scenario"},
        h("span", None, "Scenario"),
        frame.select("Scenario", "scenario", options, found.scenario),
        frame.dim(says) if says else None,
    )


def rungs(found: DriverPanel) -> Child:
    """A row for each rung of the algorithm on screen, and one for each label of the route question."""
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
    rows = [_rung(rung, found.faults) for rung in found.rungs]
    asked = any(rung.rung is Rung.ROUTE for rung in found.rungs)
    return [
        h("ol", {"class": "drv", "data-k": "rungs"}, heads, rows),
        _probabilities(found.probabilities) if asked and found.probabilities else None,
    ]


def _rung(rung: RungControl, faults: tuple[str, ...]) -> Html:
    name, act = run.named(rung.rung), f"rung:{rung.rung.value}"
    cells: tuple[Html, ...] = (h("span", {"class": "dim"}, rung.disabled), h("span"), h("span"))
    if not rung.disabled:
        more = {"min": "0", "step": "1"}
        delay = f"{name} delay in ms"
        cells = (
            _answer(rung, name, f"{act}:answer"),
            frame.field(delay, f"{act}:delay", str(rung.delay_ms), kind="number", classes="small ms", **more),
            _fault(rung.fault, faults, f"{name} fault", f"{act}:fault"),
        )
    faulty = rung.fault != NO_FAULT and not rung.disabled
    return h("li", {"class": "flt" if faulty else None, "data-k": rung.rung.value}, h("span", None, name), cells)


def _answer(rung: RungControl, name: str, act: str) -> Html:
    if rung.kind == "number":
        return h(
            "span",
            {"class": "score"},
            frame.field(f"{name} answer, slider", act, rung.answer, kind="range", classes="", k="slider", **_BOUNDS),
            frame.field(f"{name} answer", act, rung.answer, kind="number", k="number", **_BOUNDS),
        )
    if rung.kind == "choice":
        known = rung.options if rung.answer in rung.options else (rung.answer, *rung.options)
        return frame.select(
            f"{name} answer", act, [(answer, frame.short(answer, ANSWER_CHARS)) for answer in known], rung.answer
        )
    title = "One verdict, or a list over the turns: decline x6, unavailable, escalate. The last one goes on."
    more = {"title": title} if rung.rung is Rung.ESCALATION_JUDGE else {}
    return frame.field(f"{name} answer", act, rung.answer, **more)


def _fault(fault: str, faults: tuple[str, ...], label: str, act: str) -> Html:
    """The list of faults in groups; a long one is cut in its column, so it is the title too."""
    known = faults if fault in faults else (fault, *faults)
    groups: dict[str, list[str]] = {}
    for name in known:
        if name != NO_FAULT:
            group = next(group for group, starts in _GROUPS.items() if name.startswith(starts))
            groups.setdefault(group, []).append(name)
    title = fault if fault != NO_FAULT else ""
    return frame.grouped(label, act, [NO_FAULT] if NO_FAULT in known else [], groups, fault, title=title)


def _probabilities(found: tuple[tuple[str, float], ...]) -> Html:
    """What the mock answers to the route question, label by label; it sends them as they stand, whatever their sum."""
    return h("ol", {"class": "drv probs", "data-k": "probabilities"}, [_probability(*one) for one in found])


def _probability(label: str, probability: float) -> Html:
    name, value = f"p({frame.short(label, 24)})", _shown(probability)
    exact = {} if float(value) == probability else {"title": repr(probability)}
    return h(
        "li",
        {"data-k": label},
        h("span", {"class": "cut", "title": label}, f"p({frame.short(label)})"),
        h(
            "span",
            {"class": "score"},
            frame.field(f"{name}, slider", "probability", value, kind="range", classes="", **_BOUNDS),
            frame.field(name, "probability", value, kind="number", **{**_BOUNDS, "step": "any"}, **exact),
        ),
    )


def _shown(probability: float) -> str:
    """As it fits its field; the field's title is the exact one."""
    short = f"{probability:.12g}"
    return short if len(short) <= _FITS else f"{probability:.4f}"
