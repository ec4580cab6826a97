"""What Run will ask of a whole conversation, its last message taken as the attempt or not."""

from __future__ import annotations

from ..core.conversation.reading import Conversation
from ..core.vgr.evidence import Rung
from ..core.vgr.policy import Policy
from ..widgets.screen import Controls
from .deriving import settings_of, split
from .drivers.protocol import Driver
from .turns.outlook import will_ask


def outlook(conversation: Conversation, driver: Driver, controls: Controls, policy: Policy) -> tuple[Rung, ...]:
    """The rungs a run will ask, in order, as far as that is known before it runs."""
    request, attempt = split(conversation, controls)
    return will_ask(request, attempt, driver, settings_of(controls), policy)
