"""What each mode serves, and the approval of mode `active` (SPEC 4.6)."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from routing_workbench.core.vgr.branch import Branch
from routing_workbench.core.vgr.decision import ACTIVE_APPROVAL, Decision, Mode, ReadinessGate, ResolvedSignals, Route
from routing_workbench.core.vgr.serving import ConfigurationError, ModeNotApproved, check_mode, serve

VECTORS = Path(__file__).resolve().parents[2] / "vectors" / "serve_mode.jsonl"
CASES = [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_serve_mode_vector(case: dict[str, Any]) -> None:
    """The configuration is accepted exactly when the vector says so."""
    mode, approval = Mode(case["input"]["mode"]), case["input"]["approval"]
    if case["expected"]["valid"]:
        check_mode(mode, approval)
    else:
        with pytest.raises(ConfigurationError):
            check_mode(mode, approval)


def test_only_active_asks_for_the_approval() -> None:
    """The exact text is accepted everywhere; other texts matter to `active` alone."""
    for mode, approval in product(Mode, (ACTIVE_APPROVAL, None, "", "something else")):
        if mode is Mode.ACTIVE and approval != ACTIVE_APPROVAL:
            with pytest.raises(ModeNotApproved):
                check_mode(mode, approval)
        else:
            check_mode(mode, approval)


@pytest.mark.parametrize(
    ("approval", "what"),
    [
        (None, "none was given"),
        ("", "none was given"),
        (f"{ACTIVE_APPROVAL} ", "the text given, 43 characters, differs"),
    ],
)
def test_a_refused_mode_says_what_was_given_and_what_to_do(approval: str | None, what: str) -> None:
    """The message names the finding and the next step, and does not repeat the text given."""
    with pytest.raises(ModeNotApproved) as raised:
        check_mode(Mode.ACTIVE, approval)
    assert str(raised.value) == (
        f"mode active needs its approval text verbatim, and {what}. "
        "Set approval to 'prospective-validation-and-canary-approved', or choose evaluate."
    )


@pytest.mark.parametrize(
    ("predicted", "effective", "off", "shadow", "evaluate", "active"),
    [
        ("local", "local", "cloud", "cloud", "local", "local"),
        ("local", "cloud", "cloud", "cloud", "local", "cloud"),
        ("cloud", "cloud", "cloud", "cloud", "cloud", "cloud"),
    ],
)
def test_each_mode_serves_its_route(
    predicted: str, effective: str, off: str, shadow: str, evaluate: str, active: str
) -> None:
    """Off and shadow serve cloud, evaluate the predicted route, active the effective one."""
    decision = Decision(
        Branch.CHECKS,
        Route(predicted),
        Route(effective),
        ReadinessGate.NONE,
        ResolvedSignals(False, None, None),
        "1.0.0",
    )
    assert [serve(decision, mode) for mode in Mode] == [off, shadow, evaluate, active]
