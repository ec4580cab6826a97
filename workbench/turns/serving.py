"""Serving by the cloud tier: the request it gets, and its reply where the operator has it asked (SPEC 6.2, 7)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import TypeAlias

from ...core.conversation.model import Request
from ...core.vgr.evidence import Rung
from .asking import Asker
from .events import CloudReplied, Forwarded, RungAnswered, RungAsked, RungMissed
from .questions import reply_call
from .replies import read_reply
from .settings import SERVING_DEADLINE

ServingEvent: TypeAlias = Forwarded | RungAsked | RungAnswered | RungMissed | CloudReplied


async def serve_by_cloud(
    asker: Asker, request: Request, *, carried: bool = False, ask: bool = True, turn: int | None = None
) -> AsyncIterator[ServingEvent]:
    """Forward the request, and unless told not to ask, yield the reply. A failed call is a miss: nobody else serves.

    The call has a deadline of its own, since the decision is made.
    """
    yield Forwarded(request, carried)
    if not ask:
        return
    asker.renew(SERVING_DEADLINE)
    if announced := asker.announce(Rung.CAPABLE, turn):
        yield announced
    asking = await asker.complete(
        Rung.CAPABLE, partial(reply_call, Rung.CAPABLE, request, turn=turn), partial(read_reply, Rung.CAPABLE)
    )
    yield asking.event
    if asking.reply is not None:
        yield CloudReplied(asking.reply.response, asking.row.origin)
