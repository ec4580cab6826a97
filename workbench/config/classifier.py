"""A route of type llm_classifier: the escalation judge (SPEC 6.2), or ordered cutoffs (SPEC 6.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from ...core.conversation.positions import Path
from ...core.cutoffs.config import ConfigCheck, CutoffsConfig, InvalidCutoffs
from ...core.cutoffs.config import config_from_json as cutoffs_from_json
from ...core.escalation.config import EscalationConfig, InvalidEscalation
from ...core.escalation.config import config_from_json as escalation_from_json
from ..drivers.protocol import Category
from .checking import absent, checked, no_json, worded
from .endpoints import Endpoints, refused
from .findings import Findings, choose, named, nearest
from .picking import names_of, pick
from .route import Route, RouteKind
from .tables import ClassifierTable, DecisionTable

#: A target's names by the tiers of the specification, and the other name that files use.
_JUDGE: Final = ("judge_target", "classifier_target")
_TIERS: Final = {
    ("efficient_target", "weak_target"): Category.LOCAL,
    ("capable_target", "strong_target"): Category.CLOUD,
}
_NAMES: Final = (*_JUDGE, *(key for keys in _TIERS for key in keys))
_MODES: Final = {"escalation": RouteKind.ESCALATION, "decision": RouteKind.CUTOFFS}
_BY_TABLE: Final = {
    RouteKind.ESCALATION: "escalation, by its escalation table",
    RouteKind.CUTOFFS: "ordered cutoffs, by its decision table",
}
_ESCALATION_KEYS: Final = tuple(field.name for field in fields(EscalationConfig))


def classifier_route(name: str, values: object, path: Path, endpoints: Endpoints, findings: Findings) -> Route | None:
    """The route at this path; None where remarks say why it cannot be used."""
    table = checked(ClassifierTable, values, path, f"Route {named(name)}", findings)
    if table is None:
        # A dangling name is told whatever else is wrong.
        for key, given in names_of(values, _NAMES).items():
            if given is not None:
                endpoints.target(given, (*path, key), findings)
        return None
    kind = _kind(table, path, findings)
    cutoffs = None if table.decision is None else _cutoffs(table.decision, (*path, "decision"), endpoints, findings)
    policy = _escalation(table.escalation or {}, (*path, "escalation"), findings)
    wanted = {} if kind is None else {_JUDGE: Category.JUDGE, **(_TIERS if kind is RouteKind.ESCALATION else {})}
    found = {both: _given_key(table, both, path, name, findings) for both in wanted}
    keys = {key: wanted[both] for both, key in found.items() if key is not None}
    decisions = kind is RouteKind.CUTOFFS
    targets, of_targets = pick(names_of(values, keys), keys, path, endpoints, findings, decisions=decisions)
    if decisions:
        _unread_tiers(table, path, findings)
    if kind is None or findings.failed(*path):
        return None
    unset = [] if table.mode is not None else [("mode", _BY_TABLE[kind])]
    if policy is not None and kind is RouteKind.ESCALATION:
        left = [key for key in _ESCALATION_KEYS if key not in (table.escalation or {})]
        unset += [(f"escalation.{key}", worded(getattr(policy, key) or "none")) for key in left]
    else:
        unset += [pair for pair in absent(table) if pair[0].startswith("decision.")]
    return Route(
        name,
        kind,
        targets,
        cutoffs=cutoffs,
        escalation=policy if kind is RouteKind.ESCALATION else None,
        defaults=(*unset, *of_targets),
    )


def _kind(table: ClassifierTable, path: Path, findings: Findings) -> RouteKind | None:
    """Which algorithm the route configures: what its mode says, or else its table."""
    if table.mode is not None and table.mode not in _MODES:
        findings.error(
            "classifier-mode",
            (*path, "mode"),
            f"mode {named(table.mode)} of llm_classifier is not read here.",
            "This workbench reads mode escalation, and a decision table.",
        )
        return None
    if table.escalation is not None and table.decision is not None:
        message = "The route has an `escalation` and a `decision` table."
        findings.error("two-algorithms", (*path, "decision"), message, "Make two routes of it, one for each.")
        return None
    by_table = (
        RouteKind.CUTOFFS
        if table.decision is not None
        else RouteKind.ESCALATION
        if table.escalation is not None
        else None
    )
    kind = by_table if table.mode is None else _MODES[table.mode]
    if kind is None:
        message = "The route has no mode, no `escalation` and no `decision` table."
        findings.error("missing-key", path, message, 'Add mode = "escalation", or a decision table.')
    elif by_table not in (None, kind) or (kind is RouteKind.CUTOFFS and by_table is None):
        message = f"mode {named(table.mode)} does not go with the route's table."
        step = "Remove mode beside a decision table; without one, write escalation."
        findings.error("classifier-mode", (*path, "mode"), message, step)
        return None
    return kind


def _given_key(table: ClassifierTable, keys: tuple[str, str], path: Path, name: str, findings: Findings) -> str | None:
    """The one of two names for a target that the route uses."""
    given = [key for key in keys if getattr(table, key) is not None]
    if len(given) == 1:
        return given[0]
    if given:
        message = f"{named(keys[0])} and {named(keys[1])} are two names for one thing."
        findings.error("two-names", (*path, keys[1]), message, f"Keep {keys[0]}.")
    else:
        message = f"Route {named(name)} has no {named(keys[0])} (or {named(keys[1])})."
        findings.error("missing-key", path, message, "Add it: the name of a table under [targets].")
    return None


def _unread_tiers(table: ClassifierTable, path: Path, findings: Findings) -> None:
    for key in _NAMES:
        if key not in _JUDGE and getattr(table, key) is not None:
            findings.warning(
                "not-read",
                (*path, key),
                f"{named(key)} is not read beside a decision table: its candidates name the models.",
                "Remove it.",
            )


def _escalation(given: Mapping[str, Any], path: Path, findings: Findings) -> EscalationConfig | None:
    """The escalation settings; each key is refused on its own, so that each remark has its line."""
    for key, value in given.items():
        where = (*path, key)
        if where in findings.secrets:
            continue
        if key not in _ESCALATION_KEYS:
            step = choose(key, _ESCALATION_KEYS, "")
            findings.error("unknown-key", where, f"{named(key)} is no key of an escalation table.", step)
            continue
        try:
            escalation_from_json({key: value})
        except InvalidEscalation as error:
            refused(error, given, path, findings)
    return None if findings.failed(*path) else escalation_from_json(dict(given))


def _cutoffs(table: DecisionTable, path: Path, endpoints: Endpoints, findings: Findings) -> CutoffsConfig | None:
    raw = table.model_dump(exclude_unset=True)
    raw["candidates"] = {
        label: _model(value, (*path, "candidates", label), endpoints, findings)
        for label, value in table.candidates.items()
    }
    wrong = no_json(raw.get("evidence", ""), (*path, "evidence"))
    if wrong is not None:
        findings.error("no-json", wrong, f"{named(wrong[-1])} is no JSON value.", "Write text, a number or a list.")
    if findings.failed(*path):
        return None
    try:
        return cutoffs_from_json(raw)
    except InvalidCutoffs as error:
        _refused_cutoffs(error, raw, path, findings)
        return None


def _model(value: str, path: Path, endpoints: Endpoints, findings: Findings) -> str:
    """The model id behind a candidate: that of the target it names, or else the value itself."""
    if value in endpoints.declared:
        target = endpoints.target(value, path, findings)
        return value if target is None else target.model
    near = nearest(value, endpoints.declared)
    message = f"Candidate {named(path[-1])} names no target of this file, so its value is taken as a model id."
    if near is None:
        findings.note("model-id", path, message)
    else:
        findings.warning("model-id", path, message, f"Write {named(near)} if that was meant.")
    return value


def _refused_cutoffs(error: InvalidCutoffs, raw: Mapping[str, Any], path: Path, findings: Findings) -> None:
    """Remark on what was refused where it stands: the candidates, the rule that is refused on its own, or its key."""
    if error.check is ConfigCheck.DISTINCT_TARGETS:
        refused(error, ("candidates",), path, findings)
        return
    holder = (*path, "policy") if "policy" in raw else path
    policy = raw.get("policy", raw)
    label = next(iter(raw["candidates"]), "")
    for number, rule in enumerate(policy.get("rules", ())):
        try:
            cutoffs_from_json({"candidates": raw["candidates"], "rules": [rule], "fallback": label})
        except InvalidCutoffs:
            refused(error, (), (*holder, "rules", number), findings)
            return
    refused(error, policy, holder, findings)
