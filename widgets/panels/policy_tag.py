"""The policy in two words: its version, and how many constants differ from policy 1.0.0."""

from __future__ import annotations

from ...core.explain.wording import counted
from ...core.vgr.policy import POLICY_1_0_0, Policy
from ..text import Html
from . import frame


def policy_tag(policy: Policy) -> Html:
    """`policy 1.0.0`, with its changes in amber."""
    changed = changes(policy)
    name = f"policy {policy.version}"
    return frame.tag(f"{name}, {counted(changed, 'change')}", "warn") if changed else frame.tag(name)


def changes(policy: Policy) -> int:
    """How many constants differ from policy 1.0.0."""
    given, frozen = _constants(policy), _constants(POLICY_1_0_0)
    return sum(given[name] != frozen[name] for name in frozen)


def _constants(policy: Policy) -> dict[str, object]:
    found: dict[str, object] = {}
    for group, of in (("", policy), ("recovered_run.", policy.recovered_run), ("turn.", policy.turn_verification)):
        found |= {f"{group}{name}": getattr(of, name) for name in of.__slots__}
    for name in ("version", "recovered_run", "turn_verification"):
        del found[name]
    return found
