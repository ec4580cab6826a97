"""The conversation that panels show: the request, and the attempt that ends it."""

from __future__ import annotations

from ...core.conversation.model import Request, Response
from ..screen import Screen


def spoken(screen: Screen) -> tuple[Request | None, Response | None]:
    """The conversation on screen and the attempt that ends it, as far as there are any."""
    if screen.derived is not None:
        return screen.derived.request, screen.derived.attempt
    if screen.reading is not None and screen.chosen is not None:
        return screen.reading.conversations[screen.chosen].request, None
    return None, None
