"""The operator's settings as a value: words become the enums they name, anything else is refused."""

from __future__ import annotations

import math

import pytest
from routing_workbench.core.vgr.capabilities import TaskType, ToolErrorSource
from routing_workbench.core.vgr.decision import Mode
from routing_workbench.widgets.screen import Controls


def test_words_become_the_enums_they_name():
    """A word that stayed one would pass every check made by identity: mode active without its approval, say."""
    controls = Controls(forced_type="chat", provenance="untrusted", mode="active")
    assert controls.forced_type is TaskType.CHAT
    assert controls.provenance is ToolErrorSource.UNTRUSTED
    assert controls.mode is Mode.ACTIVE


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("forced_type", "coder", "one of 'coding', 'agentic', 'answer', 'chat', None"),
        ("provenance", "client", "one of 'host', 'untrusted', None"),
        ("mode", None, "one of 'off', 'shadow', 'evaluate', 'active'$"),
        ("prior_local", 1.5, "a number in"),
        ("prior_local", math.nan, "a number in"),
        ("prior_local", True, "a number in"),
        ("prior_local", "0.5", "a number in"),
        ("deadline", -1, "a finite number of seconds"),
        ("deadline", math.inf, "a finite number of seconds"),
        ("deadline", math.nan, "a finite number of seconds"),
    ],
)
def test_anything_else_is_refused_with_what_it_may_be(field, value, says):
    """At once, and not when a turn runs."""
    with pytest.raises(ValueError, match=says):
        Controls(**{field: value})
