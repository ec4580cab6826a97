"""Whom to ask, in the Driver panel: the drivers to choose from, their models, cassettes, and a configuration (UI 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...core.vgr.evidence import OriginKind
from ..screen import DriverChoice, DriverPanel
from ..text import Child, Html, h
from . import frame

#: The paces to choose from: values of the act, and their words.
_PACES: Final = {
    "none": "at once",
    "original": "as recorded",
    "0.5": "2\N{MULTIPLICATION SIGN} faster",
    "0.1": "10\N{MULTIPLICATION SIGN} faster",
    "2": "2\N{MULTIPLICATION SIGN} slower",
}
#: What a driver of each kind does.
_DOES: Final = {
    OriginKind.MOCK: "scripted answers",
    OriginKind.CASSETTE: "recorded answers",
    OriginKind.LIVE: "asks real models",
}
#: Lines listed of what is wrong.
_LINES: Final = 20
_HOLDS: Final = "A cassette holds a hash of each request, the redacted reply and its time; no request and no key."


def choices(found: DriverPanel) -> Child:
    """Every driver; one that cannot be chosen says why and what to do. Choosing sends nothing."""
    if not found.choices:
        return None
    rows = [_choice(choice, choice.key == found.chosen) for choice in found.choices]
    return h("ul", {"class": "pick", "aria-label": "Drivers", "data-k": "choices"}, rows)


def _choice(choice: DriverChoice, chosen: bool) -> Html:
    """A row to press: the kind outlined as the badge has it, the name, what such a driver does, and which is in use."""
    kind = next((kind for kind in OriginKind if choice.words.startswith(kind.value)), None)
    name = choice.words if kind is None else choice.words.removeprefix(kind.value).lstrip(",: ")
    row = [
        h("span", None, h("span", {"class": f"o {kind.value}"}, kind.value) if kind else None),
        h("span", {"class": "b cut", "title": name}, frame.short(name, 80)) if name else None,
        h("span", {"class": "dim cut"}, _DOES[kind]) if kind and name else None,
        h("span", {"class": "b"} if chosen else {"class": "use"}, "in use" if chosen else "use") if name else None,
    ]
    return h(
        "li",
        {"data-k": choice.key},
        frame.button(row, "driver", value=choice.key, kind="choice", pressed=chosen, disabled=choice.disabled),
        frame.dim(choice.disabled) if choice.disabled else None,
    )


def models(found: DriverPanel) -> Child:
    """Who answers what."""
    if not found.models:
        return None
    rows = [
        h("li", {"data-k": name}, h("span", {"class": "mono"}, name), h("span", {"class": "mono dim"}, model))
        for name, model in found.models
    ]
    return h("ul", {"class": "who", "aria-label": "Models", "data-k": "models"}, rows)


def replay(found: DriverPanel) -> Child:
    """The pace of a replay, and what its cassette does not hold."""
    if not found.pace:
        return None
    paces = list(_PACES.items())
    if found.pace not in _PACES:
        paces.append((found.pace, f"{found.pace} of the recorded time"))
    return [
        h(
            "p",
            {"class": "t1 row", "data-k": "pace"},
            h("span", None, "Pace"),
            frame.select("Pace", "pace", paces, found.pace),
            frame.dim("of the recorded times"),
        ),
        h(
            "ul",
            {"class": "diag said", "data-k": "missing"},
            h("li", None, h("span", {"class": "sev warning"}, "missing"), h("span", {"class": "text"}, found.missing)),
        )
        if found.missing
        else None,
    ]


def recording(found: DriverPanel) -> Child:
    """Recording the driver in use to a new file. A cassette has nothing new to record."""
    if found.origin.kind is OriginKind.CASSETTE:
        return None
    if found.recording:
        what: Child = [
            h("span", None, "Recording to ", frame.mono(found.recording)),
            frame.button("Stop", "stop-recording"),
        ]
    else:
        what = [
            h("span", None, "Record"),
            frame.form("Cassette file", "record", "Record", placeholder="tidewatch.cassette.jsonl"),
        ]
    return [
        h("p", {"class": "t1 row line", "data-k": "record"}, what),
        h("p", {"class": "t0 dim", "data-k": "holds"}, _HOLDS),
    ]


def configuration(found: DriverPanel) -> Html:
    """The configuration in use, its routes, and a field to name another file."""
    routes = [(name, name) for name in found.routes]
    if found.route not in found.routes:
        routes.insert(0, (found.route, found.route or "choose a route"))
    return h(
        "div",
        {"class": "line", "data-k": "configuration"},
        h(
            "p",
            {"class": "t1 row"},
            h("span", None, "Configuration"),
            frame.form("Configuration file", "configuration", "Load", placeholder="routes.toml"),
        ),
        _in_use(found) if found.configuration else None,
        told(found.remarks, "remarks"),
        h(
            "p",
            {"class": "t1 row"},
            h("span", None, "Route"),
            frame.select("Route", "route", routes, found.route),
        )
        if len(found.routes) > 1
        else None,
    )


def told(lines: Sequence[tuple[str, str]], key: str, *, role: str | None = None) -> Child:
    """What is wrong, a row for each line with its severity; of very many the first, and how many more there are."""
    if not lines:
        return None
    rows = [
        h("li", {"data-k": str(at)}, h("span", {"class": f"sev {kind}"}, kind), h("span", {"class": "text"}, line))
        for at, (kind, line) in enumerate(lines[:_LINES])
    ]
    more = len(lines) - len(rows)
    rest = h("li", {"data-k": "more"}, h("span"), h("span", {"class": "dim"}, f"{more:,} more")) if more else None
    return h("ul", {"class": "diag said", "role": role, "data-k": key}, rows, rest)


def _in_use(found: DriverPanel) -> Html:
    route = f"route {found.route}" if found.route else "no route of it is in use"
    return h("p", {"class": "t1 dim"}, frame.mono(found.configuration), f", {route}")
