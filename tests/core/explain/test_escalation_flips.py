"""The closest change of the judge's settings that gives a turn the other tier (SPEC 6.2)."""

from __future__ import annotations

from itertools import product

import pytest
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.escalation.outcome import EscalationOutcome, EscalationTurn, Fallback
from routing_workbench.core.escalation.streak import StreakState, TurnVerdict, after
from routing_workbench.core.escalation.verdict import EscalationVerdict
from routing_workbench.core.explain.escalation_flips import EscalationFlip, escalation_flips
from routing_workbench.core.vgr.decision import Route

_SAID = {
    "e": EscalationVerdict.ESCALATE,
    "d": EscalationVerdict.DECLINE,
    "u": EscalationVerdict.UNAVAILABLE,
}


def session(script: str, confirmations: int = 2, *, has_session: bool = True) -> EscalationOutcome:
    """The outcome of a session whose verdicts are written as letters: e, d, u; a fallback is a full stop."""
    config = EscalationConfig(confirmations=confirmations)
    state, turns = StreakState(), []
    for number, letter in enumerate(script, 1):
        before = state if has_session else StreakState()
        verdict, fallback, served = _SAID.get(letter), None, Route.CLOUD
        if before.latched(config):
            state, evidence, verdict = before, TurnVerdict.LATCHED, None
        elif verdict is None:
            state, evidence, fallback = before, None, Fallback.TRANSPORT
        else:
            state, evidence = after(before, verdict, config)
            served = Route.CLOUD if evidence is TurnVerdict.ESCALATE else Route.LOCAL
        turns.append(
            EscalationTurn(
                number, number, (), verdict, evidence, before.streak, state.streak, served, "", fallback=fallback
            )
        )
    return EscalationOutcome(tuple(turns), config, has_session)


def test_one_confirmation_more_keeps_the_latching_turn_local():
    """The drawing's own flip; of the turns behind it nothing is claimed."""
    latched = EscalationFlip("confirmations 2 → 3", 3, True, 9, Route.LOCAL)
    for turn in (9, 12, 17, None):
        assert escalation_flips(session("ddddudd" + "ee" + "d" * 8), turn) == (latched,)


def test_fewer_confirmations_latch_where_the_streak_came_furthest():
    """The nearest number is the longest streak so far."""
    found = escalation_flips(session("dedeeded", 5))
    assert found == (EscalationFlip("confirmations 5 → 2", 2, True, 5, Route.CLOUD),)


def test_a_session_without_any_escalate_has_no_flip():
    """No number of confirmations escalates what was never said."""
    assert escalation_flips(session("dudd")) == ()


def test_no_turn_has_no_flip():
    """There is nothing to turn."""
    assert escalation_flips(session("")) == ()


def test_a_fallback_has_no_flip():
    """The efficient tier failed, whatever the judge's settings are."""
    assert escalation_flips(session("de.")) == ()


def test_a_session_id_may_latch_what_never_could():
    """Without one a streak of two cannot come about; a single confirmation would do as well."""
    assert escalation_flips(session("deue", has_session=False)) == (
        EscalationFlip("confirmations 2 → 1", 1, False, 4, Route.CLOUD),
        EscalationFlip("session id off → on", 2, True, 4, Route.CLOUD),
    )
    assert escalation_flips(session("eed", has_session=False)) == (
        EscalationFlip("session id off → on", 2, True, 2, Route.CLOUD),
    )


def test_a_session_id_latches_from_the_turn_behind_one_that_escalated_for_itself():
    """That turn is cloud's already; those behind it are not."""
    assert escalation_flips(session("e.dd", 1, has_session=False)) == (
        EscalationFlip("session id off → on", 1, True, 3, Route.CLOUD),
    )


@pytest.mark.parametrize("confirmations", [1, 2, 3])
def test_a_session_id_turns_the_turn_it_names_and_the_last(confirmations):
    """Against folding the session again with one, for every session of up to four verdicts and fallbacks."""
    for letters in (letters for size in range(1, 5) for letters in product("edu.", repeat=size)):
        made = session(letters, confirmations, has_session=False)
        kept = session(letters, confirmations).turns
        flips = [one for one in escalation_flips(made) if one.has_session]
        turned = [new.turn for old, new in zip(made.turns, kept, strict=True) if old.served is not new.served]
        if made.turns[-1].served is Route.CLOUD or not turned or kept[-1].served is Route.LOCAL:
            assert flips == []
        else:
            assert [(one.turn, one.gives) for one in flips] == [(turned[0], Route.CLOUD)]


def test_an_earlier_turn_knows_nothing_of_later_ones():
    """Its flip is made of the verdicts up to it."""
    made = session("dede", 3)
    assert escalation_flips(made, 1) == ()
    assert escalation_flips(made, 2) == (EscalationFlip("confirmations 3 → 1", 1, True, 2, Route.CLOUD),)


@pytest.mark.parametrize("has_session", [True, False])
def test_the_first_flip_turns_the_tier_and_none_is_closer(has_session):
    """Against trying every number of confirmations, for every session of up to four verdicts and fallbacks."""
    for size, confirmations in product(range(1, 5), range(1, 5)):
        for letters in product("edu.", repeat=size):
            script = "".join(letters)
            made = session(script, confirmations, has_session=has_session)
            served = made.turns[-1].served
            flips = [one for one in escalation_flips(made) if one.has_session is has_session]
            if made.turns[-1].fallback is not None:
                assert flips == []
            elif served is Route.CLOUD:
                (flip,) = flips
                under = session(script, flip.confirmations, has_session=has_session)
                assert flip.confirmations == confirmations + 1
                assert under.turns[flip.turn - 1].served is Route.LOCAL
            else:
                wanted = next(
                    (
                        lower
                        for lower in range(confirmations - 1, 0, -1)
                        if session(script, lower, has_session=has_session).turns[-1].served is Route.CLOUD
                    ),
                    None,
                )
                assert [one.confirmations for one in flips] == ([] if wanted is None else [wanted])
                for one in flips:
                    under = session(script, one.confirmations, has_session=has_session)
                    assert under.turns[one.turn - 1].evidence is TurnVerdict.ESCALATE
