"""The policy's constants, and which of them a given policy changes (SPEC 4.4)."""

from __future__ import annotations

from dataclasses import replace

from routing_workbench.core.vgr.policy import POLICY_1_0_0, RecoveredRun, TurnVerification, changed_constants


def test_the_frozen_policy_changes_nothing():
    """Whatever its version is called: that is no constant."""
    assert changed_constants(POLICY_1_0_0) == ()
    assert changed_constants(replace(POLICY_1_0_0, version="2.0.0")) == ()


def test_changes_are_named_with_their_group():
    """In the order of the policy; an unset dial is a change."""
    policy = replace(
        POLICY_1_0_0,
        readout_bar=0.8,
        chat_dial=None,
        recovered_run=RecoveredRun(max_tool_results=16),
        turn_verification=TurnVerification(escalate_at=0.6),
    )
    assert changed_constants(policy) == (
        "readout_bar",
        "chat_dial",
        "recovered_run.max_tool_results",
        "turn_verification.escalate_at",
    )
