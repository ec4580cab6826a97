"""Panels whose values come with a later version: each says in one sentence what there is to know (UI 11)."""

from __future__ import annotations

from ...core.conversation.model import Role
from ...core.explain.wording import counted
from ...core.vgr.policy import changed_constants
from ..algorithm import Algorithm
from ..screen import Screen
from ..text import Html, h
from . import frame
from .escalation import escalation_turns
from .spoken import spoken


def turns(screen: Screen) -> Html:
    """The Turns panel: the turns of a replay, or what there is to replay."""
    if screen.algorithm is Algorithm.ESCALATION:
        return escalation_turns(screen)
    request, attempt = spoken(screen)
    replies = sum(message.role is Role.ASSISTANT for message in request.messages) if request else 0
    before = " before the attempt" if attempt else ""
    says = "No assistant turn yet."
    if replies:
        says = (
            f"{counted(replies, 'assistant turn')}{before}. The Escalation tab replays them; "
            "replaying turn checks is not in this version."
        )
    return frame.panel(screen, "turns", "Turns", frame.empty(says))


def policy(screen: Screen) -> Html:
    """The Policy panel, without what-if."""
    changed = len(changed_constants(screen.policy))
    says = f"{screen.policy.version}, {counted(changed, 'change') if changed else 'no changes'}."
    return frame.panel(screen, "policy", "Policy", frame.empty(says))


def flips(screen: Screen) -> Html:
    """The flips below the rule, not searched."""
    del screen
    says = h("p", {"class": "t1 dim"}, "Searching them is not in this version.")
    return h("div", {"class": "pb line", "data-k": "flips"}, h("div", {"class": "sub"}, "Smallest flips"), says)
