"""Messages and blocks, and the quick ways to make them."""

from __future__ import annotations

import copy
from dataclasses import FrozenInstanceError

import pytest
from routing_workbench.core.conversation.diagnostics import Place, quick_place
from routing_workbench.core.conversation.model import (
    Message,
    Role,
    Text,
    ToolCall,
    ToolResult,
    quick_call,
    quick_message,
    quick_result,
    quick_text_message,
)


def test_what_is_made_quickly_is_what_is_made_otherwise() -> None:
    """Frozen, equal, and with the same hash and type."""
    pairs = [
        (quick_message(Role.USER, (Text("a"),)), Message(Role.USER, (Text("a"),))),
        (quick_call("i", "f", None), ToolCall("i", "f", None)),
        (quick_result("i", "a"), ToolResult("i", (Text("a"),))),
        (quick_text_message(Role.TOOL, "a"), Message(Role.TOOL, (Text("a"),))),
        (quick_place(1, 2, 3, 4), Place(1, 2, None, 3, 4)),
    ]
    for quick, plain in pairs:
        assert (quick, hash(quick), type(quick)) == (plain, hash(plain), type(plain))
        assert copy.deepcopy(quick) == plain
        with pytest.raises(FrozenInstanceError):
            setattr(quick, next(iter(type(quick).__slots__)), None)
