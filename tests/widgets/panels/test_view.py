"""Ways of looking: acts that change the view and nothing else."""

from __future__ import annotations

import pytest
from routing_workbench.widgets.panels import View, looked


@pytest.mark.parametrize(
    ("act", "k", "value", "view"),
    [
        ("problems:more", "", "", View(problem_rows=400)),
        ("conversations:more", "", "", View(conversation_rows=400)),
        ("judge:view", "", "read", View(against_source=False)),
        ("probabilities:view", "", "table", View(table=True)),
        ("cutoffs:view", "table", "table", View(cutoffs_table=True)),
        ("escalation:view", "table", "table", View(escalation_table=True)),
        ("cutoffs:view", "", "else", None),
        ("run", "", "", None),
    ],
)
def test_looking_changes_the_view_only(act, k, value, view):
    """Acts of looking give the next view; anything else is none of them."""
    assert looked(View(), act, k, value) == view
