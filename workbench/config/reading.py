"""Reading a `routes.toml`: its routes, and a remark with its line for all that is not as it should be.

The format is Switchyard's: `[llm_clients.*]`, `[targets.*]` and `[routes.*]` of type vgr or llm_classifier. Nothing is
refused silently and nothing defaulted silently; thresholds are the policy's, which no route sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import Any, Final

from ...core.conversation.diagnostics import Diagnostic, Place, Severity
from ...core.conversation.positions import Path
from ...core.conversation.remarks import Remark, settle
from .checking import POLICY_NAMES, given, number
from .classifier import classifier_route
from .document import read_toml
from .endpoints import CLIENTS, TARGETS, Endpoints, read_endpoints, tables_of
from .findings import Findings, choose, named, nearest, told
from .route import Route, RouteKind, RoutesFile
from .secrets import find_secrets
from .vgr import vgr_route

ROUTES: Final = "routes"
_TYPES: Final = ("vgr", "llm_classifier")
_VERSION: Final = "schema_version"
_UNREAD: Final = {"fallback_client": "the workbench forwards nothing"}
_KEYS: Final = (_VERSION, CLIENTS, TARGETS, ROUTES)


def read_routes(text: str, *, name: str = "routes.toml", folder: FilePath | None = None) -> RoutesFile:
    """What a file of this text holds. Nothing in the text raises: what is wrong is among the diagnostics.

    Relative test folders of checkers are looked for in `folder`. Reading asks nobody and looks up no key.
    """
    toml = read_toml(text.removeprefix("\ufeff"))
    if isinstance(toml, Diagnostic):
        return RoutesFile(name, MappingProxyType({}), (toml,))
    findings = Findings()
    find_secrets(toml.values, findings)
    _check_top(toml.values, findings)
    endpoints = read_endpoints(toml.values, findings)
    routes = {
        route: _route(route, values, endpoints, folder, findings)
        for route, values in tables_of(toml.values, ROUTES, findings).items()
    }
    places = {(): Place(1, 1), **toml.places({remark.path for remark in findings.remarks if remark.path})}
    general = [
        remark for remark in findings.remarks if remark.path and remark.path[0] not in (CLIENTS, TARGETS, ROUTES)
    ]
    settled = {}
    for route, read in routes.items():
        remarks = [*findings.below(ROUTES, route), *general]
        for used in _used(toml.values[ROUTES][route], endpoints):
            remarks += findings.below(*used)
        settled[route] = _settled(read, _diagnostics(remarks, places), name)
    return RoutesFile(name, MappingProxyType(settled), _diagnostics(findings.remarks, places))


def _check_top(values: Mapping[str, Any], findings: Findings) -> None:
    version = values.get(_VERSION, 1)
    if type(version) is not int or version != 1:
        message = f"`{_VERSION}` must be 1, not {number(version)}."
        findings.error(
            "schema-version", (_VERSION,), message, "Write 1 if the file keeps to that format; no other is read here."
        )
    for key in values:
        if key in _KEYS or (key,) in findings.secrets:
            continue
        words = f"{named(key)} is not read here"
        if key in _UNREAD:
            findings.warning("not-read", (key,), f"{words}: {_UNREAD[key]}.", "It can stay.")
        elif key in POLICY_NAMES:
            step = "Change the policy in the workbench, as a what-if."
            findings.warning("threshold", (key,), f"{words}: thresholds are no settings of a file.", step)
        else:
            findings.warning("unknown-key", (key,), f"{words}.", choose(key, _KEYS, ""))


def _route(name: str, values: object, endpoints: Endpoints, folder: FilePath | None, findings: Findings) -> Route:
    path = (ROUTES, name)
    made: Route | None = None
    kind = values.get("type") if isinstance(values, dict) else None
    if not isinstance(values, dict):
        findings.error("wrong-value", path, f"{named(name)} must be a table, not {given(values)}.", "Write a table.")
    elif kind == "vgr":
        made = vgr_route(name, values, path, endpoints, folder, findings)
    elif kind == "llm_classifier":
        made = classifier_route(name, values, path, endpoints, findings)
    elif "type" not in values:
        findings.error("missing-key", path, f"Route {named(name)} has no `type`.", "Add it: vgr or llm_classifier.")
    else:
        what = f"type {named(kind)}" if isinstance(kind, str) else f"a type that is {given(kind)}"
        findings.error(
            "route-type",
            (*path, "type"),
            f"{what[:1].upper()}{what[1:]} is not read here; this workbench reads vgr and llm_classifier.",
            _nearest_type(kind),
        )
    return Route(name, RouteKind.VGR if kind == "vgr" else None) if made is None else made


def _nearest_type(kind: object) -> str:
    near = nearest(kind, _TYPES) if isinstance(kind, str) else None
    return "Use another route of the file." if near is None else f"Write {near} if that was meant."


def _used(values: object, endpoints: Endpoints) -> Iterator[Path]:
    """The tables of the targets that a route refers to, and of their clients."""
    route = values if isinstance(values, dict) else {}
    names = [name for key, name in route.items() if key.endswith("_target")]
    decision = route.get("decision")
    candidates = decision.get("candidates") if isinstance(decision, dict) else None
    names += candidates.values() if isinstance(candidates, dict) else ()
    for name in dict.fromkeys(one for one in names if isinstance(one, str) and one in endpoints.declared):
        yield TARGETS, name
        if name in endpoints.clients:
            yield CLIENTS, endpoints.clients[name]


def _diagnostics(remarks: list[Remark], places: Mapping[Path, Place]) -> tuple[Diagnostic, ...]:
    found = settle(dict.fromkeys(remarks), lambda paths: {path: places[path] for path in paths})
    # What only counts how many more there are has no line, and comes last.
    return tuple(sorted(found, key=lambda one: (one.place.line is None, one.place.line or 0, one.place.column or 0)))


def _settled(route: Route, diagnostics: tuple[Diagnostic, ...], file: str) -> Route:
    """The route with what concerns it. With an error among that it has a problem, and nothing else."""
    errors = [one for one in diagnostics if one.severity is Severity.ERROR]
    if not errors:
        return replace(route, diagnostics=diagnostics)
    own = (one for one in errors if (one.place.path or "").startswith(ROUTES))
    more = "" if len(errors) == 1 else f" And {len(errors) - 1} more."
    return Route(route.name, route.kind, diagnostics=diagnostics, problem=f"{told(next(own, errors[0]), file)}{more}")
