"""The named scenarios."""

from __future__ import annotations

import pytest
from routing_workbench.workbench.drivers.scenarios import SCENARIOS, scenario
from routing_workbench.workbench.drivers.script import Script


def test_the_first_scenario_affirms_everything() -> None:
    """It is what a new bench starts with."""
    assert next(iter(SCENARIOS.values())).script == Script()


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_is_described_in_one_sentence(name: str) -> None:
    """One line, and it ends as a sentence."""
    description = scenario(name).description
    assert "\n" not in description
    assert description.endswith(".")
    assert len(description) <= 100


def test_scenarios_differ() -> None:
    """No two scripts are the same under two names."""
    scripts = [one.script for one in SCENARIOS.values()]
    assert all(scripts[i] != scripts[j] for i in range(len(scripts)) for j in range(i))


def test_an_unknown_scenario_names_the_known_ones() -> None:
    """A wrong name says which names there are."""
    with pytest.raises(KeyError, match="hedging judge"):
        scenario("no such scenario")
