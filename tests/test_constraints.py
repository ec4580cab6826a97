"""constraints.txt pins the whole tree, by name and version alone."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_ROOT = Path(__file__).resolve().parents[1]
_LINE = re.compile(r"([A-Za-z0-9._-]+)==([A-Za-z0-9._+!-]+)( ; .+)?")


#: A requirement in pyproject.toml, and the line before it.
_NEED = re.compile(r'^(.*)\n  "([A-Za-z0-9._-]+)[><=][^"]*",$', re.MULTILINE)


def _pins() -> dict[str, str]:
    lines = (_ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    matches = [_LINE.fullmatch(line) for line in lines if not line.startswith("#")]
    assert None not in matches, "each line is a comment or name==version: no hosts, no hashes, no paths"
    return {canonicalize_name(match[1]): match[2] for match in matches if match}


def _direct() -> list[Requirement]:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [Requirement(line) for line in (*project["dependencies"], *project["optional-dependencies"]["dev"])]


def _applies(need: Requirement, extras: tuple[str, ...]) -> bool:
    return need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in (*extras, ""))


def test_each_direct_dependency_is_pinned_inside_its_range() -> None:
    """The pins are a choice among what pyproject.toml allows."""
    pins = _pins()
    outside = [str(need) for need in _direct() if pins.get(canonicalize_name(need.name), "") not in need.specifier]
    assert outside == []


def test_the_whole_tree_is_pinned() -> None:
    """Every distribution that is reached from the direct ones here, by its own metadata."""
    pins, missing, seen = _pins(), set(), set()
    waiting = [(need.name, tuple(need.extras)) for need in _direct()]
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        if canonicalize_name(name) not in pins:
            missing.add(name)
        try:
            needs = [Requirement(line) for line in distribution(name).requires or ()]
        except PackageNotFoundError:
            missing.add(name)
            continue
        waiting += [(need.name, tuple(need.extras)) for need in needs if _applies(need, extras)]
    assert missing == set()


def test_each_direct_dependency_has_a_reason() -> None:
    """A comment stands above it: what it is here for."""
    text = (_ROOT / "pyproject.toml").read_text(encoding="utf-8")
    reasons = {name: line.strip() for line, name in _NEED.findall(text)}
    assert [need.name for need in _direct() if not reasons.get(need.name, "").startswith("# ")] == []
