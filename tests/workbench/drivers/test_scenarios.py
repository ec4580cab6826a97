"""The named scenarios."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from routing_workbench.core.conversation.model import Message, Request, Role, Text
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.scenarios import SCENARIOS, scenario
from routing_workbench.workbench.drivers.script import Script
from routing_workbench.workbench.examples import EXAMPLE_CUTOFFS
from routing_workbench.workbench.turns.cutoffs import run_cutoffs
from routing_workbench.workbench.turns.escalation import replay_escalation

CONVERSATION = Request((), tuple(Message(role, (Text("x"),)) for role in (Role.USER, Role.ASSISTANT) * 12))


async def at_once(seconds: float) -> None:
    """A sleep that takes no time."""


def driver(name: str) -> MockDriver:
    """A mock with this scenario."""
    return MockDriver(scenario(name).script, sleep=at_once)


def last(run: AsyncIterator[Any]) -> Any:
    """The last event of a run."""

    async def taken() -> Any:
        return [event async for event in run][-1]

    return asyncio.run(taken())


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


@pytest.mark.parametrize(
    ("name", "label", "reason"),
    [
        ("everything affirms", "small", None),
        ("small wins", "small", None),
        ("nobody reaches the bar", "large", None),
        ("tie at the cutoff", "large", None),
        ("no usable distribution", "large", "invalid_verdict"),
        ("a label too many", "large", "invalid_verdict"),
        ("not a number", "large", "invalid_verdict"),
        ("a boolean answer", "large", "invalid_verdict"),
        ("hedging judge", "large", "invalid_verdict"),
        ("silent judge", "large", "invalid_verdict"),
        ("failing judge", "large", "upstream_5xx"),
        ("timing-out judge", "large", "timeout"),
        ("malformed replies", "large", "invalid_response"),
    ],
)
def test_what_a_scenario_does_to_the_example_route(name: str, label: str, reason: str | None) -> None:
    """As its line says, with the example's labels and cutoffs, failing open."""
    config = replace(EXAMPLE_CUTOFFS, fail_open=True)
    decision = last(run_cutoffs(CONVERSATION, driver=driver(name), config=config)).decision
    assert (decision.label, decision.reason_code) == (label, reason)


@pytest.mark.parametrize(
    ("name", "latched_at", "streaks"),
    [
        ("everything affirms", None, {0}),
        ("everything denies", None, {0}),
        ("escalates at turn 8", 9, {0, 1, 2}),
        ("escalations apart", None, {0, 1}),
        ("judge unavailable between", 8, {1, 2}),
        ("judge unavailable", None, {0}),
        ("hedging judge", None, {0}),
        ("failing judge", None, {0}),
    ],
)
def test_what_a_scenario_does_to_a_session(name: str, latched_at: int | None, streaks: set[int]) -> None:
    """Of twelve turns, with two confirmations."""
    outcome = last(replay_escalation(CONVERSATION, driver=driver(name), config=EscalationConfig()))
    assert (outcome.latched_at, {turn.streak_after for turn in outcome.turns}) == (latched_at, streaks)


def test_a_tie_is_one() -> None:
    """The probability is the cutoff, to the last bit."""
    cutoffs = {rule.candidate: rule.cutoff for rule in EXAMPLE_CUTOFFS.rules}
    assert scenario("tie at the cutoff").script.probabilities["mid"] == cutoffs["mid"]
