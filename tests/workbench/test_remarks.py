"""What changed, in a few words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from routing_workbench.core.conversation.read import read
from routing_workbench.core.cutoffs.config import Rule
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.vgr.capabilities import TaskType
from routing_workbench.core.vgr.decision import Mode
from routing_workbench.widgets.algorithm import EscalationScreen
from routing_workbench.widgets.screen import Controls
from routing_workbench.workbench.examples import EXAMPLE_CUTOFFS
from routing_workbench.workbench.remarks import (
    changed_controls,
    changed_cutoffs,
    changed_escalation,
    changed_messages,
)

TURNS = [("system", "Be brief."), ("user", "One"), ("assistant", "Two"), ("user", "Three")]


@pytest.mark.parametrize(
    ("after", "says"),
    [
        (TURNS, ""),
        ([*TURNS[:2], ("assistant", "Too"), TURNS[3]], "message 2 edited"),
        ([*TURNS[:3], ("assistant", "Three")], "message 3 edited"),
        ([*TURNS, ("assistant", "Four")], "1 message added"),
        ([*TURNS, ("assistant", "Four"), ("user", "Five")], "2 messages added"),
        (TURNS[:3], "1 message removed"),
        (TURNS[:2], "2 messages removed"),
        ([("system", "Be long."), *TURNS[1:]], "instructions edited"),
        (TURNS[1:], "instructions edited"),
        ([("system", "Be long."), ("user", "Another")], "conversation changed"),
        ([TURNS[0], ("user", "A"), ("assistant", "B"), TURNS[3]], "conversation changed"),
        ([TURNS[0], ("user", "A"), *TURNS[2:], ("user", "Five")], "conversation changed"),
    ],
)
def test_messages(chat, after, says):
    """Counted from 1, as the screen counts them."""
    old, new = (read(chat(*turns)).conversations[0].request for turns in (TURNS, after))
    assert changed_messages(old, new) == says


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"mode": Mode.SHADOW}, "mode changed"),
        ({"forced_type": TaskType.CHAT}, "task type changed"),
        ({"typing_enabled": False}, "task typing changed"),
        ({"pasted_attempt": False}, "attempt changed"),
        ({"prior_local": 0.4}, "prior changed"),
        ({"diagnose": True}, "diagnosis changed"),
        ({"kill_switch": True}, "kill switch changed"),
        ({"checker_configured": True, "checker_validated": True}, "checker configured and checker validated changed"),
    ],
)
def test_controls(changes, says):
    """In the screen's words."""
    assert changed_controls(Controls(), replace(Controls(), **changes)) == says


def test_a_change_never_says_a_value():
    """An approval may be anything that was in the clipboard."""
    assert changed_controls(Controls(), Controls(approval="secret words")) == "approval changed"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, ""),
        ({"fallback": "mid"}, "fallback changed"),
        ({"fail_open": True, "recent_turn_window": 3}, "fail open and recent turn window changed"),
        ({"rules": (Rule("small", 0.6), Rule("mid", 0.3))}, "cutoff of mid changed"),
        ({"rules": (Rule("mid", 0.35), Rule("small", 0.6))}, "rules changed"),
        ({"evidence": {"a": 1}, "instructions": "x"}, "instructions and evidence changed"),
        ({"evidence": 1, "instructions": "x", "fail_open": True}, "configuration changed"),
    ],
)
def test_cutoffs(changes, says):
    """Each by its name; many as one."""
    assert changed_cutoffs(EXAMPLE_CUTOFFS, replace(EXAMPLE_CUTOFFS, **changes)) == says


def test_evidence_is_compared_as_a_judge_reads_it():
    """To Python 1 equals true."""
    one, true = (replace(EXAMPLE_CUTOFFS, evidence=value) for value in (1, True))
    assert changed_cutoffs(one, true) == "evidence changed"


@pytest.mark.parametrize(
    ("config", "switches", "says"),
    [
        ({}, {}, ""),
        ({"confirmations": 3}, {}, "confirmations changed"),
        ({}, {"has_session": False, "redact": True}, "session id and redaction changed"),
        ({"handoff_note": "x"}, {"redact": True}, "handoff note and redaction changed"),
    ],
)
def test_escalation(config, switches, says):
    """Its switches too."""
    before = EscalationScreen(EscalationConfig(), EscalationConfig())
    after = replace(before, config=EscalationConfig(**config), **switches)
    assert changed_escalation(before, after) == says
