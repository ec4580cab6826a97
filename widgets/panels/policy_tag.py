"""The policy in a few words: its version, and how many constants differ from policy 1.0.0."""

from __future__ import annotations

from ...core.explain.wording import counted
from ...core.vgr.policy import POLICY_1_0_0, Policy, changed_constants
from ..text import Html
from . import frame


def policy_tag(policy: Policy) -> Html:
    """The words, in amber for a what-if."""
    return frame.tag(policy_words(policy), "" if policy == POLICY_1_0_0 else "warn")


def policy_words(policy: Policy) -> str:
    """`policy 1.0.0`, or `what-if: policy 1.0.0, 2 changes`: no route sets another one (SPEC 4.4)."""
    if policy == POLICY_1_0_0:
        return f"policy {policy.version}"
    changed = len(changed_constants(policy))
    changes = f", {counted(changed, 'change')}" if changed else ""
    return f"what-if: policy {policy.version}{changes}"
