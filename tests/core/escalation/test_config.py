"""The escalation judge's configuration (SPEC 6.2): the golden vectors, and what is said of what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from routing_workbench.core.escalation.config import (
    EscalationConfig,
    InvalidEscalation,
    check_config,
    config_from_json,
)

TESTS = Path(__file__).resolve().parents[2]


def vectors(name: str) -> list[Any]:
    """The lines of a vector file as parameters."""
    lines = (TESTS / "vectors" / f"{name}.jsonl").read_text("utf-8").split("\n")
    return [pytest.param(v["input"], v["expected"], id=v["id"]) for v in map(json.loads, filter(None, lines))]


def is_valid(raw: dict[str, Any]) -> bool:
    """Whether the configuration is accepted."""
    try:
        config_from_json(raw)
    except InvalidEscalation:
        return False
    return True


@pytest.mark.parametrize(("given_input", "expected"), vectors("escalation_config"))
def test_escalation_config_vector(given_input: dict[str, Any], expected: dict[str, Any]) -> None:
    """What is valid is what the reference accepts."""
    assert {"valid": is_valid(given_input["config"])} == expected


def test_missing_keys_have_their_defaults() -> None:
    """An empty table is the default configuration (SPEC 6.2)."""
    assert config_from_json({}) == EscalationConfig(2, 28, 500, None)
    assert config_from_json({"confirmations": 1}) == EscalationConfig(confirmations=1)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"confirmations": 0}, "confirmations is 0; give at least 1"),
        ({"recent_turn_window": -1}, "recent_turn_window is -1; give at least 1"),
        ({"window_message_chars": 49}, "window_message_chars is 49; give at least 50"),
        ({"confirmations": True}, "confirmations is True; give a whole number of at least 1"),
        ({"confirmations": 2.0}, "confirmations is 2.0; give a whole number of at least 1"),
        ({"confirmations": None}, "confirmations is None; give a whole number of at least 1"),
        ({"recent_turn_window": "28"}, "recent_turn_window is '28'; give a whole number of at least 1"),
        ({"window_message_chars": [1, 2]}, "window_message_chars is a list of 2; give a whole number of at least 50"),
        ({"confirmations": -(10**6000)}, "confirmations is a number too large to show; give at least 1"),
        ({"handoff_note": "\u3000\n"}, "handoff_note is blank; give a text, or leave it out"),
        ({"handoff_note": 7}, "handoff_note is 7; give a text, or leave it out"),
        (
            {"confirmation": 2},
            "escalation has no key 'confirmation'; there are confirmations, recent_turn_window, window_message_chars, "
            "handoff_note",
        ),
        (
            {"me@tide.example": 2, "confirmations": 0},
            "escalation has no key '[REDACTED]'; there are confirmations, recent_turn_window, window_message_chars, "
            "handoff_note",
        ),
        (
            ["confirmations"],
            "escalation is a list of 1; give a table with any of confirmations, recent_turn_window, "
            "window_message_chars, handoff_note",
        ),
    ],
)  # fmt: skip
def test_what_is_refused_is_named(raw: Any, message: str) -> None:
    """The key, what was given and the next step."""
    with pytest.raises(InvalidEscalation) as refused:
        config_from_json(raw)
    assert str(refused.value) == message


def test_a_long_value_is_shown_shortened() -> None:
    """An error stays a line."""
    with pytest.raises(InvalidEscalation) as refused:
        config_from_json({"confirmations": "x" * 1000})
    assert str(refused.value) == f"confirmations is '{'x' * 39}...; give a whole number of at least 1"


def test_a_configuration_built_in_code_is_checked_alike() -> None:
    """`check_config` is the same rule for a value that never was JSON."""
    check_config(EscalationConfig(handoff_note="Take over."))
    with pytest.raises(InvalidEscalation, match="confirmations"):
        check_config(EscalationConfig(confirmations=0))


def test_the_note_stays_out_of_the_repr() -> None:
    """It is an operator's text."""
    assert "Take over" not in repr(EscalationConfig(handoff_note="Take over."))
