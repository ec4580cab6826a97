"""Writing changed settings back into a `routes.toml`: comments, order and every other character stay (tomlkit)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from ...core.conversation.diagnostics import Severity
from ...core.cutoffs.config import CutoffsConfig
from ...core.escalation.config import EscalationConfig
from ...widgets.screen import Controls
from .document import TomlText, read_toml
from .editing import with_value
from .findings import choose, named, told
from .reading import ROUTES, read_routes
from .route import ConfigurationProblem, Route
from .vgr import SETTINGS

#: Keys of a decision table that may stand in its `policy` instead.
_POLICY_KEYS: Final = ("rules", "fallback")


def route_changes(
    route: Route,
    *,
    controls: Controls | None = None,
    cutoffs: CutoffsConfig | None = None,
    escalation: EscalationConfig | None = None,
) -> dict[str, object]:
    """What has to be written for a route to have these settings, by key; None removes a key.

    Only settings that a route can hold are looked at: a policy is no route setting, and neither are the forced type,
    the prior, the provenance, the attempt's source, the diagnosis and the kill switch. A checker is not changed.
    """
    changes: dict[str, object] = {}
    if controls is not None:
        for key, setting in SETTINGS.items():
            value = getattr(controls, setting)
            if value != getattr(route.controls, setting):
                changes[key] = value if value != "" else None
    if cutoffs is not None and route.cutoffs is not None and cutoffs != route.cutoffs:
        if cutoffs.rules != route.cutoffs.rules:
            changes["decision.rules"] = [{"candidate": r.candidate, "cutoff": r.cutoff} for r in cutoffs.rules]
        for key in ("fallback", "instructions", "evidence", "fail_open", "recent_turn_window"):
            if getattr(cutoffs, key) != getattr(route.cutoffs, key):
                changes[f"decision.{key}"] = getattr(cutoffs, key)
    if escalation is not None and route.escalation is not None:
        for field in fields(EscalationConfig):
            if getattr(escalation, field.name) != getattr(route.escalation, field.name):
                changes[f"escalation.{field.name}"] = getattr(escalation, field.name)
    return changes


def write_route(text: str, route_name: str, changes: Mapping[str, object]) -> str:
    """The file's text with changes to one route; all else stays as it was, to the character.

    Keys are those of the route, with a dot into its tables: `mode`, `escalation.confirmations`, `decision.rules` (which
    finds rules in `policy` too). A value of None removes the key. Raises ConfigurationProblem for a file that is no
    TOML, a route it does not have, a value TOML cannot hold, and changes that would make the route unusable.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    before = read_toml(text.removeprefix(mark))
    if not isinstance(before, TomlText):
        raise ConfigurationProblem(told(before, "The file"))
    routes = before.values.get(ROUTES)
    if not isinstance(routes, dict) or not isinstance(routes.get(route_name), dict):
        known = routes if isinstance(routes, dict) else {}
        raise ConfigurationProblem(f"There is no route {named(route_name)}. {choose(route_name, known, 'Add it.')}")
    written = before.text
    for key, value in changes.items():
        written = with_value(written, (ROUTES, route_name, *_path(key, routes[route_name])), value)
    written = mark + written
    _check(text, written, route_name)
    return written


def _path(key: str, values: Mapping[str, Any]) -> tuple[str, ...]:
    """The path of a key in its route; rules and fallback stand in `policy` where the file has them there."""
    head, *tail = key.split(".")
    decision = values.get("decision")
    policy = decision.get("policy") if head == "decision" and isinstance(decision, dict) else None
    if len(tail) == 1 and tail[0] in _POLICY_KEYS and isinstance(policy, dict) and tail[0] in policy:
        return (head, "policy", *tail)
    return (head, *tail)


def _check(text: str, written: str, name: str) -> None:
    """Refuse changes that give a usable route a problem."""
    before, after = read_routes(text).routes[name], read_routes(written).routes.get(name)
    known = {(one.code, one.message) for one in before.diagnostics}
    new = [
        told(one, "Written back")
        for one in (after.diagnostics if after is not None else ())
        if one.severity is Severity.ERROR and (one.code, one.message) not in known
    ]
    if new:
        raise ConfigurationProblem("\n".join([f"These changes would make route {named(name)} unusable.", *new]))
