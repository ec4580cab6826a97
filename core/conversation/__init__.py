"""The normalized conversation, and reading one from a paste (SPEC 1)."""

from __future__ import annotations

from .diagnostics import Diagnostic, Place, Severity
from .opening import locate
from .read import read
from .reading import Conversation, FormatMatch, Reading, split_attempt

__all__ = [
    "Conversation",
    "Diagnostic",
    "FormatMatch",
    "Place",
    "Reading",
    "Severity",
    "locate",
    "read",
    "split_attempt",
]
