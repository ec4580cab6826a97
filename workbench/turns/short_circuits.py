"""The short circuits of a VGR turn: served by cloud without an attempt, first match wins (SPEC 7)."""

from __future__ import annotations

from ...core.conversation.model import Block, Media, Request, ToolResult
from ...core.vgr.decision import Mode
from ...core.vgr.evidence import Ending
from .kill_switch import KillSwitch
from .session_state import SessionState
from .settings import TurnSettings


def short_circuit(
    request: Request, settings: TurnSettings, state: SessionState, kill_switch: KillSwitch, *, breaker_open: bool
) -> Ending | None:
    """The first short circuit that applies; None where the turn goes on."""
    if settings.mode is Mode.OFF:
        return Ending.MODE_OFF
    if kill_switch.engaged:
        return Ending.KILL_SWITCH
    if breaker_open:
        return Ending.BREAKER_OPEN
    if state.latched:
        return Ending.TURN_VERIFICATION_LATCHED
    if not settings.local_supports_images and any(_holds_image(turn.content) for turn in request.turns):
        return Ending.LOCAL_IMAGE_UNSUPPORTED
    return None


def _holds_image(content: tuple[Block, ...]) -> bool:
    """Whether an image is among the blocks; one inside a tool result would reach the local tier as well."""
    return any(
        (isinstance(block, Media) and block.kind == "image")
        or (isinstance(block, ToolResult) and _holds_image(block.content))
        for block in content
    )
