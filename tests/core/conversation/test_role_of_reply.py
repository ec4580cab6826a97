"""A reply that names another role than a model's: read as the reply it is, never silently."""

from __future__ import annotations

import json
from typing import Any

import pytest
from routing_workbench.core.conversation import read
from routing_workbench.core.conversation.model import Role

GEMINI = {"candidates": [{"content": {"role": "user", "parts": [{"text": "hi"}]}, "finishReason": "STOP"}]}
CONVERSE = {"output": {"message": {"role": "user", "content": [{"text": "hi"}]}}, "stopReason": "end_turn"}


@pytest.mark.parametrize("body", [GEMINI, CONVERSE], ids=["gemini", "converse"])
def test_another_role_is_remarked_on_and_kept(body: dict[str, Any]) -> None:
    """The remark names it, and it stays among the extras."""
    reading = read(json.dumps(body))
    (found,) = reading.conversations
    assert found.request.messages[0].role is Role.ASSISTANT
    assert "role-of-reply" in {remark.code for remark in reading.diagnostics}
    assert "user" in found.extras.values()
