"""Ways of looking: acts that change the view and nothing else."""

from __future__ import annotations

import pytest
from routing_workbench.widgets.panels import MessageFilter, View, looked


@pytest.mark.parametrize(
    ("act", "k", "value", "view"),
    [
        ("messages:filter", "", "failed", View(messages=MessageFilter.FAILED)),
        ("messages:search", "", "abc", View(search="abc")),
        ("messages:more", "", "", View(message_rows=400)),
        ("problems:more", "", "", View(problem_rows=400)),
        ("conversations:more", "", "", View(conversation_rows=400)),
        ("messages:open", "7", "", View(opened=frozenset({7}))),
        ("judge:view", "", "read", View(against_source=False)),
        ("probabilities:view", "", "table", View(table=True)),
        ("cutoffs:view", "table", "table", View(cutoffs_table=True)),
        ("escalation:view", "table", "table", View(escalation_table=True)),
        ("cutoffs:view", "", "else", None),
        ("messages:filter", "", "else", None),
        ("messages:open", "²", "", None),
        ("run", "", "", None),
    ],
)
def test_looking_changes_the_view_only(act, k, value, view):
    """Acts of looking give the next view; anything else is none of them."""
    assert looked(View(), act, k, value) == view


def test_opening_twice_folds_again():
    """Open is a toggle."""
    assert looked(View(opened=frozenset({7})), "messages:open", "7") == View()
