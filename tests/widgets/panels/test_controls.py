"""The Turn settings panel: every control holds the value of its field and says what it does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from routing_workbench.core.vgr.capabilities import TaskType
from routing_workbench.core.vgr.decision import Mode
from routing_workbench.widgets import panels


def test_active_mode_asks_for_the_approval_text(screens, row, text):
    """The text is named, verbatim, until it is given."""
    screen = screens.done()
    active = replace(screen.controls, mode=Mode.ACTIVE)
    html = panels.controls(replace(screen, controls=active))
    assert "missing: type prospective-validation-and-canary-approved" in text(html)
    given = replace(active, approval="prospective-validation-and-canary-approved")
    assert text(row(panels.controls(replace(screen, controls=given)), "Approval")) == "Approval given"


@pytest.mark.parametrize(
    ("changes", "selected"),
    [
        ({}, '<option value="router" selected>'),
        ({"typing_enabled": False}, '<option value="off" selected>'),
        ({"forced_type": TaskType.CHAT}, '<option value="chat" selected>'),
        ({"provenance": None}, '<option value="none" selected>no count</option>'),
        ({"prior_local": 0.7}, 'value="0.7"'),
        ({"kill_switch": True}, 'data-act="controls:kill_switch" checked>'),
    ],
)
def test_settings_show_what_is_set(screens, changes, selected):
    """Each control holds the value of its field."""
    screen = screens.done()
    assert selected in panels.controls(replace(screen, controls=replace(screen.controls, **changes)))
