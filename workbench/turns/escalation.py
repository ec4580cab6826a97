"""The replay of a session before the escalation judge: turn by turn, with streak, latch and fallbacks (SPEC 6.2).

LOCAL stands for the efficient tier and CLOUD for the capable one. A pasted assistant message is the reply that the
efficient tier gave and that was held for the judge; nothing is asked of either tier, since the session went on as
pasted. Where it ends with somebody else's message, one more turn is live: the tiers are asked too.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ...core.conversation.model import Message, Request, Response, Role
from ...core.escalation.config import EscalationConfig, check_config
from ...core.escalation.handoff import with_handoff_note
from ...core.escalation.outcome import EscalationOutcome, EscalationTurn, Fallback
from ...core.escalation.streak import StreakState, TurnVerdict, after
from ...core.escalation.transcript import conversation_turn, summarize_for_judge, task_framing
from ...core.escalation.verdict import EscalationVerdict
from ...core.explain.escalation_view import escalation_view
from ...core.explain.judged import JudgedView
from ...core.vgr.decision import Route
from ...core.vgr.evidence import Rung
from ...prompts import escalation_prompt_set
from ..drivers.protocol import Driver, Reply
from .asking import Asker, Asking
from .breaker import Breakers
from .events import AttemptProduced, EscalationEvent, TurnJudged
from .failures import NO_TIME, EfficientFailed, fallback_of
from .questions import escalation_call, reply_call
from .replies import escalation_reading, read_reply
from .serving import serve_by_cloud
from .settings import DECISION_DEADLINE


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn about to be taken."""

    request: Request = field(repr=False)
    #: Where the messages stand that frame its task.
    framing: Sequence[int] = field(repr=False)
    config: EscalationConfig
    redact: bool
    asker: Asker
    before: StreakState
    #: Counted from 1, and where its reply stands in `Request.turns`.
    number: int
    place: int


def turn_places(request: Request) -> tuple[int, ...]:
    """Where each turn's reply stands in `Request.turns`; `len(turns)` last where one is to be produced."""
    base = len(request.instructions)
    places = [base + at for at, message in enumerate(request.messages) if message.role is Role.ASSISTANT]
    return (*places, len(request.turns)) if _has_live_turn(request) else tuple(places)


def transcript_view(
    request: Request, turn_message: int, config: EscalationConfig, redact: bool, reply: Response | None = None
) -> JudgedView:
    """What the judge reads of the turn whose reply stands at this place of `Request.turns` (see `turn_places`).

    `reply` is the produced one of a live turn; before there is one, the view ends with the message it is to answer.
    """
    messages = request.messages[: turn_message + 1 - len(request.instructions)]
    if turn_message == len(request.turns):
        messages = (*request.messages, _held(reply)) if reply is not None else request.messages
    read = replace(request, messages=messages)
    turn = conversation_turn(read) + (turn_message == len(request.turns) and reply is None)
    return escalation_view(read, turn, config, redact=redact)


async def replay_escalation(
    request: Request,
    *,
    driver: Driver,
    config: EscalationConfig,
    has_session: bool = True,
    redact: bool = False,
    deadline: float = DECISION_DEADLINE,
    breakers: Breakers | None = None,
    clock: Callable[[], float] | None = None,
) -> AsyncIterator[EscalationEvent]:
    """Take the turns of a whole conversation one by one; the last event is the `EscalationOutcome`.

    Each call has `deadline` seconds; `clock` gives monotonic ones. Without `has_session` no streak is kept from turn to
    turn. `redact` redacts the transcript, which the specification does not. SPEC 6 knows no breakers: without any,
    every question is sent. Raises InvalidEscalation before anything is asked, and EfficientFailed where a live turn's
    efficient tier failed and the capable one may not step in. Cancelling ends the call in flight.
    """
    check_config(config)
    clock = asyncio.get_running_loop().time if clock is None else clock
    state = StreakState()
    turns: list[EscalationTurn] = []
    framing = task_framing(request.messages)
    for number, place in enumerate(turn_places(request), 1):
        before = state if has_session else StreakState()
        asker = Asker(driver, clock, deadline, breakers)
        turn = _Turn(request, framing, config, redact, asker, before, number, place)
        async for event in _live(turn, deadline) if place == len(request.turns) else _pasted(turn):
            if isinstance(event, TurnJudged):
                turns.append(event.turn)
                state = StreakState(event.turn.streak_after)
            yield event
    yield EscalationOutcome(tuple(turns), config, has_session, escalation_prompt_set())


async def _pasted(turn: _Turn) -> AsyncIterator[EscalationEvent]:
    """A turn whose reply was pasted: the judge is asked, unless the session is latched."""
    if turn.before.latched(turn.config):
        yield TurnJudged(_latched(turn))
        return
    if announced := turn.asker.announce(Rung.ESCALATION_JUDGE, turn.number):
        yield announced
    asking = await _judge(turn, turn.request.messages[: turn.place + 1 - len(turn.request.instructions)])
    yield asking.event
    yield TurnJudged(_judged(turn, asking))


async def _live(turn: _Turn, deadline: float) -> AsyncIterator[EscalationEvent]:
    """The turn that the conversation waits for: its reply is asked of the efficient tier, held, and judged."""
    request, asker = turn.request, turn.asker
    if turn.before.latched(turn.config):
        settled = _latched(turn)
    else:
        if announced := asker.announce(Rung.EFFICIENT, turn.number):
            yield announced
        call_of = partial(reply_call, Rung.EFFICIENT, request, turn=turn.number)
        efficient = await asker.complete(Rung.EFFICIENT, call_of, partial(read_reply, Rung.EFFICIENT))
        yield efficient.event
        if efficient.reply is None:
            settled = replace(_unjudged(turn), fallback=_fallback(efficient))
        else:
            held = efficient.reply.response
            yield AttemptProduced(held, efficient.row.origin)
            asker.renew(deadline)
            if announced := asker.announce(Rung.ESCALATION_JUDGE, turn.number):
                yield announced
            asking = await _judge(turn, (*request.messages, _held(held)))
            yield asking.event
            settled = _judged(turn, asking)
    if settled.served is Route.CLOUD:
        note = turn.config.handoff_note if settled.note_sent else None
        async for event in serve_by_cloud(asker, with_handoff_note(request, note), turn=turn.number):
            yield event
    yield TurnJudged(replace(settled, asked=asker.rows))


async def _judge(turn: _Turn, messages: tuple[Message, ...]) -> Asking[Reply]:
    transcript = summarize_for_judge(messages, turn.number, turn.config, redacted=turn.redact, framing=turn.framing)
    return await turn.asker.complete(
        Rung.ESCALATION_JUDGE,
        partial(escalation_call, transcript, turn=turn.number),
        partial(read_reply, Rung.ESCALATION_JUDGE),
    )


def _judged(turn: _Turn, asking: Asking[Reply]) -> EscalationTurn:
    """The turn as the judge's reply leaves it. A judge that failed says as little as one that made no sense."""
    verdict, reason, absent, tolerant = EscalationVerdict.UNAVAILABLE, "", "", None
    if asking.reply is None:
        absent = f"no reply: {asking.row.error or NO_TIME}"
    else:
        reading = escalation_reading(asking.reply)
        verdict, reason, tolerant = reading.verdict, reading.reason, reading.tolerant
        absent = "" if reading.absent is None else reading.absent.value
    state, evidence = after(turn.before, verdict, turn.config)
    escalates = evidence is TurnVerdict.ESCALATE
    return replace(
        _unjudged(turn),
        verdict=verdict,
        evidence=evidence,
        streak_after=state.streak,
        served=Route.CLOUD if escalates else Route.LOCAL,
        reason=reason,
        absent=absent,
        tolerant=tolerant,
        note_sent=escalates and turn.config.handoff_note is not None,
    )


def _latched(turn: _Turn) -> EscalationTurn:
    return replace(_unjudged(turn), evidence=TurnVerdict.LATCHED, note_sent=turn.config.handoff_note is not None)


def _unjudged(turn: _Turn) -> EscalationTurn:
    """A turn that the capable tier takes without a judgement; the streak stays as it is."""
    streak = turn.before.streak
    return EscalationTurn(turn.number, turn.place, turn.asker.rows, None, None, streak, streak, Route.CLOUD)


def _fallback(asking: Asking[Reply]) -> Fallback:
    """Why the capable tier takes over. Raises EfficientFailed where it may not."""
    fallback = None if asking.error is None else fallback_of(asking.error)
    if fallback is None:
        raise EfficientFailed(asking.row.error or NO_TIME, asking.error) from None
    return fallback


def _held(reply: Response) -> Message:
    """A reply as the message it would become."""
    blocks = [block for output in reply.outputs if output.role is Role.ASSISTANT for block in output.content]
    return Message(Role.ASSISTANT, tuple(blocks))


def _has_live_turn(request: Request) -> bool:
    return bool(request.messages) and request.messages[-1].role is not Role.ASSISTANT
