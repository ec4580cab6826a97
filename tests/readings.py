"""What holds for every reading, whatever was pasted."""

from __future__ import annotations

import json

from routing_workbench.core.conversation import Reading, Severity
from routing_workbench.core.conversation.normalized import request_from_json, request_to_json


def codes(found: Reading) -> list[str]:
    """The codes of the diagnostics."""
    return [d.code for d in found.diagnostics]


def well(found: Reading) -> None:
    """No reader failed, each turn has its place, the model can be written and read back, and errors say what to do."""
    assert "reader-failed" not in codes(found)
    assert found.conversations or found.failed
    for conversation in found.conversations:
        assert len(conversation.places) == len(conversation.request.turns)
        # One of several may be empty: it is listed, so that their number is right.
        assert conversation.request.turns or len(found.conversations) > 1
        assert request_from_json(request_to_json(conversation.request)) == conversation.request
        json.dumps(request_to_json(conversation.request), ensure_ascii=False, allow_nan=False).encode()
    assert all(d.next_step for d in found.diagnostics if d.severity is not Severity.NOTE)
