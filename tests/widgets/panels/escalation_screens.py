"""Screens of the Escalation tab: an invented session of 17 turns and its verdicts, in every state of the bench."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from routing_workbench.core.conversation.model import Message, Request, Role, Text
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.escalation.outcome import EscalationOutcome, EscalationTurn, Fallback
from routing_workbench.core.escalation.streak import StreakState, TurnVerdict, after
from routing_workbench.core.escalation.verdict import Absent, EscalationVerdict
from routing_workbench.core.explain.escalation_view import escalation_view
from routing_workbench.core.vgr.decision import Route
from routing_workbench.core.vgr.evidence import Asked, Miss, Origin, OriginKind, Rung
from routing_workbench.widgets.algorithm import Algorithm, EscalationScreen
from routing_workbench.widgets.screen import Failure, RunState, Screen

_spec = spec_from_file_location("panel_screens", Path(__file__).with_name("screens.py"))
screens = module_from_spec(_spec)
_spec.loader.exec_module(screens)

MOCK = Origin(OriginKind.MOCK, "seed 7")
CONFIG = EscalationConfig()
#: The drawing's own session: e is escalate, d decline, u unavailable; c and t are fallbacks of the efficient tier.
SCRIPT = "ddddudde" + "e" + "d" * 8
REASON = "Same assertion after three edits of one file; the next step repeats the pattern."
_SAID = {"e": EscalationVerdict.ESCALATE, "d": EscalationVerdict.DECLINE, "u": EscalationVerdict.UNAVAILABLE}
_FELL = {"c": Fallback.CONTEXT_OVERFLOW, "t": Fallback.TRANSPORT}


def request(turns: int = 17) -> Request:
    """A task with an e-mail address, then as many replies with something said between them."""
    spoken = [Message(Role.USER, (Text("Find out why it fails. Ask mara.voss@tidewatch.example for the log."),))]
    for turn in range(1, turns + 1):
        spoken += [
            Message(Role.ASSISTANT, (Text(f"Step {turn}: I edit the forecast."),)),
            Message(Role.USER, (Text("1 failed, 22 passed in 1.31s"),)),
        ]
    return Request((), tuple(spoken[:-1]))


def turns_of(script: str, config: EscalationConfig = CONFIG, *, has_session: bool = True) -> tuple[EscalationTurn, ...]:
    """The turns that these verdicts make."""
    state, made = StreakState(), []
    for number, letter in enumerate(script, 1):
        before = state if has_session else StreakState()
        turn = EscalationTurn(number, 2 * number - 1, (), None, None, before.streak, before.streak, Route.CLOUD)
        noted = config.handoff_note is not None
        if before.latched(config):
            state, turn = before, replace(turn, evidence=TurnVerdict.LATCHED, note_sent=noted)
        elif letter in _FELL:
            row = Asked(Rung.EFFICIENT, 0.0, 0.812, MOCK, miss=Miss.CALL_FAILED, error="context overflow")
            state, turn = before, replace(turn, fallback=_FELL[letter], asked=(row,))
        else:
            verdict = _SAID[letter]
            state, evidence = after(before, verdict, config)
            escalates = evidence is TurnVerdict.ESCALATE
            said = verdict is not EscalationVerdict.UNAVAILABLE
            miss = None if said else Miss.UNPARSABLE
            turn = replace(
                turn,
                asked=(Asked(Rung.ESCALATION_JUDGE, 0.0, 0.231, MOCK, None, verdict.value, miss),),
                verdict=verdict,
                evidence=evidence,
                streak_after=state.streak,
                served=Route.CLOUD if escalates else Route.LOCAL,
                reason=(REASON if letter == "e" else "The work moves forward.") if said else "",
                absent="" if said else Absent.NOT_JSON.value,
                tolerant=None if said else True,
                note_sent=escalates and noted,
            )
        made.append(turn)
    return tuple(made)


def tab(
    script: str = SCRIPT,
    config: EscalationConfig = CONFIG,
    *,
    selected: int | None = None,
    has_session: bool = True,
    **more: object,
) -> EscalationScreen:
    """The tab after a replay."""
    turns = turns_of(script, config, has_session=has_session)
    latched = next((turn.turn for turn in turns if turn.evidence is TurnVerdict.ESCALATE), None)
    shown = selected or latched or len(turns)
    whole = request(len(turns))
    read = replace(whole, messages=whole.messages[: 2 * shown])
    return EscalationScreen(
        config,
        CONFIG,
        has_session=has_session,
        total=len(turns),
        turns=turns,
        outcome=EscalationOutcome(turns, config, has_session, "1"),
        selected=shown,
        view=escalation_view(read, shown, config, redact=bool(more.get("redact"))) if turns else None,
        **more,
    )


def screen_of(shown: EscalationScreen, state: RunState = RunState.DONE, **more: object) -> Screen:
    """A screen with this tab."""
    base = screens.idle()
    whole = request(shown.total)
    conversation = replace(base.reading.conversations[0], request=whole)
    return replace(
        base,
        algorithm=Algorithm.ESCALATION,
        state=state,
        escalation=shown,
        derived=replace(base.derived, request=whole, attempt=None, results=()),
        reading=replace(base.reading, conversations=(conversation,)),
        will_ask=(Rung.ESCALATION_JUDGE,) * shown.total,
        **more,
    )


def done(script: str = SCRIPT, **more: object) -> Screen:
    """Replayed to its end; by default latched at turn 9, which is selected."""
    return screen_of(tab(script, **more))


def _part(judged: int) -> EscalationScreen:
    """The tab while only some turns are judged."""
    whole = tab(selected=judged or 17)
    return replace(whole, turns=whole.turns[:judged], outcome=None)


def empty() -> Screen:
    """Nothing pasted."""
    return replace(screens.empty(), algorithm=Algorithm.ESCALATION, escalation=EscalationScreen(CONFIG, CONFIG))


def no_turn() -> Screen:
    """A conversation without any message to judge."""
    return screen_of(EscalationScreen(CONFIG, CONFIG), RunState.IDLE)


def idle() -> Screen:
    """Read, not replayed."""
    return screen_of(_part(0), RunState.IDLE)


def running() -> Screen:
    """Five of 17 turns judged, the sixth asked."""
    part = _part(5)
    rows = tuple(row for turn in part.turns for row in turn.asked)
    return screen_of(part, RunState.RUNNING, asked=rows, asking=Rung.ESCALATION_JUDGE)


def rerunning() -> Screen:
    """A further replay, with the last one still on screen."""
    return replace(done(), state=RunState.RUNNING, asking=Rung.ESCALATION_JUDGE)


def cancelled() -> Screen:
    """Cancelled at the sixth turn."""
    return replace(running(), state=RunState.CANCELLED, asking=None, remark="asking escalation_judge, at 1.2 s")


def failed() -> Screen:
    """The efficient tier refused the live turn."""
    what = Failure("efficient", "Efficient tier failed: HTTP 401.", "Check its key, then run again.")
    return replace(running(), state=RunState.FAILED, asking=None, failure=what)


def stale() -> Screen:
    """Edited after a replay."""
    return replace(done(), state=RunState.STALE, remark="message 33 edited")


def latched() -> Screen:
    """A turn after the latch is looked at."""
    return done(selected=17)


def never() -> Screen:
    """No session id, three confirmations, a note, redaction: all of it a what-if."""
    config = EscalationConfig(confirmations=3, window_message_chars=300, handoff_note="Read stations.py first.")
    return done("eede", config=config, has_session=False, redact=True)


def fell_back() -> Screen:
    """The efficient tier ran out of context at the last turn."""
    return done("dedc")


def unavailable() -> Screen:
    """The judge hedged at the last turn."""
    return done("du")


def refused() -> Screen:
    """An edit was refused."""
    return done(problem="confirmations is 0; give at least 1")


#: Every screen by name.
STATES = {
    made.__name__: made
    for made in (
        empty,
        no_turn,
        idle,
        running,
        rerunning,
        done,
        cancelled,
        failed,
        stale,
        latched,
        never,
        fell_back,
        unavailable,
        refused,
    )
}
