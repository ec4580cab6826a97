"""The example file is usable as it stands: three routes, three algorithms, nothing to remark."""

from __future__ import annotations

from pathlib import Path

import pytest
from routing_workbench import examples
from routing_workbench.workbench.config import RouteKind, load_file, load_route, read_routes
from routing_workbench.workbench.drivers.http.driver import HttpDriver

PATH = Path(examples.__file__).with_name("routes.toml")


def test_it_holds_one_route_of_each_kind():
    """Without any remark."""
    file = load_file(PATH)
    assert file.diagnostics == ()
    assert {name: route.kind for name, route in file.routes.items()} == {
        "assistant": RouteKind.VGR,
        "agent": RouteKind.ESCALATION,
        "triage": RouteKind.CUTOFFS,
    }


@pytest.mark.parametrize("name", ["assistant", "agent", "triage"])
def test_each_route_makes_a_driver(name):
    """Which sends nothing yet, and reads no key."""
    assert isinstance(load_route(PATH, name).driver(), HttpDriver)


def test_the_checker_in_its_comments_works_once_uncommented(tmp_path):
    """What a reader is told to enable is right."""
    lines = PATH.read_text(encoding="utf-8").splitlines(keepends=True)
    start = next(number for number, line in enumerate(lines) if line.startswith("# [routes.assistant.checker]"))
    end = next(number for number, line in enumerate(lines) if number > start and not line.startswith("# "))
    lines[start:end] = [line.removeprefix("# ") for line in lines[start:end]]
    (tmp_path / "tests").mkdir()
    route = read_routes("".join(lines), folder=tmp_path).routes["assistant"]
    assert route.problem == ""
    assert route.checker is not None
    assert route.controls.checker_configured
    assert not route.controls.checker_validated
