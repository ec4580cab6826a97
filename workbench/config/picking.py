"""Which targets a route asks, by category: the names it gives, looked up and checked for what they can answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...core.conversation.positions import Path
from ..drivers.http.targets import Target, WireFormat
from ..drivers.protocol import Category
from .endpoints import DECISIONS_ONLY, Endpoints
from .findings import Findings, named


def names_of(values: object, keys: Iterable[str]) -> dict[str, str | None]:
    """The names a route's table gives under these keys; None where it gives none, or no text."""
    given = values if isinstance(values, dict) else {}
    return {key: name if isinstance(name := given.get(key), str) else None for key in keys}


def pick(
    names: Mapping[str, str | None],
    categories: Mapping[str, Category],
    path: Path,
    endpoints: Endpoints,
    findings: Findings,
    *,
    decisions: bool = False,
) -> tuple[dict[Category, Target], tuple[tuple[str, str], ...]]:
    """The targets by category, and what they leave to their defaults. Keys of a route without a name are left out.

    `decisions` says that decision questions are asked; all else needs a format that completes.
    """
    found: dict[Category, Target] = {}
    defaults: dict[str, str] = {}
    for key, name in names.items():
        target = None if name is None else endpoints.target(name, (*path, key), findings)
        if name is None or target is None:
            continue
        if not decisions and target.client.format in DECISIONS_ONLY:
            findings.error(
                "decisions-only",
                (*path, key),
                f"{named(key)} needs a model that writes, and a {target.client.format} client answers decision "
                "questions alone.",
                "Name another target.",
            )
            continue
        if decisions and target.client.format is WireFormat.ANTHROPIC_MESSAGES:
            findings.warning(
                "no-distribution",
                (*path, key),
                f"{named(key)} is asked over anthropic_messages, without logprobs: each turn takes the fallback.",
                "Name a target of another format.",
            )
        found[categories[key]] = target
        defaults |= endpoints.defaults[name]
    return found, tuple(defaults.items())
