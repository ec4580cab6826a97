"""What Run will ask of a whole conversation, its last message taken as the attempt or not."""

from __future__ import annotations

from ..core.conversation.model import Request
from ..core.conversation.reading import split_attempt
from ..core.vgr.evidence import Rung
from ..core.vgr.policy import Policy
from ..widgets.screen import Controls
from .deriving import settings_of
from .drivers.protocol import Driver
from .turns.outlook import will_ask


def outlook(conversation: Request, driver: Driver, controls: Controls, policy: Policy) -> tuple[Rung, ...]:
    """The rungs a run will ask, in order, as far as that is known before it runs."""
    request, attempt = split_attempt(conversation) if controls.pasted_attempt else (conversation, None)
    return will_ask(request, attempt, driver, settings_of(controls), policy)
