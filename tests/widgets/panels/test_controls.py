"""The Turn settings panel: every control holds the value of its field and says what it does."""

from __future__ import annotations

import re
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
        ({"local_supports_images": True}, 'data-act="controls:local_supports_images" checked>'),
        ({"latch_escalation": False}, 'data-act="controls:latch_escalation">'),
        ({"speculation_carry": True}, 'data-act="controls:speculation_carry" checked>'),
        ({"ask_cloud": True}, 'data-act="controls:ask_cloud" checked>'),
        ({"breaker_threshold": 3}, 'data-act="controls:breaker_threshold" value="3" min="1" step="1">'),
        ({"breaker_cooldown": 0.5}, 'data-act="controls:breaker_cooldown" value="0.5" min="0" step="any">'),
    ],
)
def test_settings_show_what_is_set(screens, changes, selected):
    """Each control holds the value of its field."""
    screen = screens.done()
    assert selected in panels.controls(replace(screen, controls=replace(screen.controls, **changes)))


def test_rarer_settings_are_folded_and_counted(screens, text):
    """So that a changed one is not overlooked."""
    screen = screens.done()
    assert "Kill switch every turn goes to CLOUD More Images" in text(panels.controls(screen))
    changed = replace(screen.controls, ask_cloud=True, breaker_threshold=2)
    assert "More, 2 changed Images" in text(panels.controls(replace(screen, controls=changed)))


def test_every_setting_says_what_it_does(screens):
    """As the title of its row."""
    html = panels.controls(screens.done())
    rows = re.findall(r'<li data-k="([^"]+)" title="([^"]+)">', html)
    assert len(rows) == html.count("<li ") == 13


def test_what_differs_from_the_route_is_marked_as_a_what_if(screens, row, text):
    """What no route holds is none, and without a route there is nothing to differ from."""
    screen = screens.done()
    changed = replace(screen.controls, mode=Mode.SHADOW, breaker_cooldown=5.0, kill_switch=True, prior_local=0.4)
    html = panels.controls(replace(screen, controls=changed, controls_baseline=screen.controls))
    marked = [name for name in re.findall(r'<li data-k="([^"]+)"', html) if "what-if" in text(row(html, name))]
    assert marked == ["Mode", "Breaker"]
    assert "what-if" not in panels.controls(replace(screen, controls=changed))


def test_the_fold_counts_what_differs_from_the_route(screens, text):
    """Not what the route itself sets."""
    screen = screens.done()
    route = replace(screen.controls, breaker_threshold=2, latch_escalation=False)
    changed = replace(route, latch_escalation=True)
    assert "More, 1 changed Images" in text(panels.controls(replace(screen, controls=changed, controls_baseline=route)))
