"""Why a turn ended before the rules, in one sentence for each ending (SPEC 7)."""

from __future__ import annotations

from ..vgr.decision import Route
from ..vgr.evidence import Ending
from .reason import Reason

_ENDINGS: dict[Ending, tuple[str, str]] = {
    Ending.MODE_OFF: ("Mode off asks for no attempt.", "Routing is switched off, so CLOUD serves every turn."),
    Ending.KILL_SWITCH: ("The kill switch is on.", "The local tier was not called; CLOUD serves until it is released."),
    Ending.BREAKER_OPEN: (
        "The breaker of the local tier is open.",
        "The local tier was not called after failing five times in a row; after 30 s one trial is admitted.",
    ),
    Ending.TURN_VERIFICATION_LATCHED: (
        "Turn checks latched this session to CLOUD.",
        "An earlier turn reached the streak, so the local tier is not called again in this session.",
    ),
    Ending.LOCAL_IMAGE_UNSUPPORTED: (
        "The local tier does not take the images of this turn.",
        "The local tier was not called.",
    ),
    Ending.LOCAL_TIMED_OUT: (
        "The local tier gave no attempt before the deadline.",
        "Nothing was judged, so CLOUD serves the turn.",
    ),
    Ending.LOCAL_UNAVAILABLE: (
        "The local tier was unavailable.",
        "The attempt failed in a way that CLOUD may take over; nothing was judged.",
    ),
    Ending.MALFORMED_TOOL_CALL: (
        "The attempt holds an incomplete tool call.",
        "A call that is cut off or has no parsed arguments is not served, so CLOUD serves the turn.",
    ),
    Ending.TURN_VERIFICATION_ESCALATED: (
        "The turn check asked for CLOUD often enough to latch the session.",
        "The proposed turn is not served, and CLOUD serves every later turn of the session.",
    ),
    Ending.TURN_VERIFICATION_COMPLETE: (
        "The proposed tool turn was checked in flight and did not latch.",
        "A turn that proposes tool calls is not judged by a branch.",
    ),
}


def ending_reason(ending: Ending, served: Route) -> Reason:
    """Why the turn ended before the rules, and which tier served it."""
    headline, detail = _ENDINGS[ending]
    if ending is Ending.TURN_VERIFICATION_COMPLETE:
        tier = "LOCAL serves it." if served is Route.LOCAL else "Mode shadow serves CLOUD all the same."
        detail = f"{detail} {tier}"
    return Reason(headline, detail)
