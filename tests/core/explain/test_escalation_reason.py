"""The sentence of a judged session: one for every way a turn can come to its tier (SPEC 6.2; UI 5)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.escalation.outcome import EscalationOutcome, EscalationTurn, Fallback
from routing_workbench.core.escalation.streak import StreakState, TurnVerdict, after
from routing_workbench.core.escalation.verdict import EscalationVerdict
from routing_workbench.core.explain.escalation_reason import escalation_reason
from routing_workbench.core.vgr.decision import Route

_SAID = {
    "e": EscalationVerdict.ESCALATE,
    "d": EscalationVerdict.DECLINE,
    "u": EscalationVerdict.UNAVAILABLE,
}
_FELL = {"c": Fallback.CONTEXT_OVERFLOW, "t": Fallback.TRANSPORT}


def session(script: str, confirmations: int = 2, *, has_session: bool = True, note: str | None = None):
    """The outcome of a session whose turns are written as letters: e, d, u, or a fallback c, t."""
    config = EscalationConfig(confirmations=confirmations, handoff_note=note)
    state, turns = StreakState(), []
    for number, letter in enumerate(script, 1):
        before = state if has_session else StreakState()
        blank = EscalationTurn(number, 2 * number, (), None, None, before.streak, before.streak, Route.CLOUD)
        if before.latched(config):
            turns.append(replace(blank, evidence=TurnVerdict.LATCHED, note_sent=note is not None))
        elif letter in _FELL:
            turns.append(replace(blank, fallback=_FELL[letter]))
        else:
            verdict = _SAID[letter]
            state, evidence = after(before, verdict, config)
            escalates = evidence is TurnVerdict.ESCALATE
            turns.append(
                replace(
                    blank,
                    verdict=verdict,
                    evidence=evidence,
                    streak_after=state.streak,
                    served=Route.CLOUD if escalates else Route.LOCAL,
                    reason="<b>loops</b>",
                    absent="the reply holds no text" if letter == "u" else "",
                    note_sent=escalates and note is not None,
                )
            )
            continue
        state = before
    return EscalationOutcome(tuple(turns), config, has_session)


@pytest.mark.parametrize(
    ("script", "confirmations", "headline"),
    [
        ("", 2, "No assistant turn: there is nothing to judge."),
        ("d", 2, "The judge declined turn 1: the efficient tier serves."),
        ("ddd", 2, "The judge declined all 3 turns: the efficient tier serves."),
        ("dud", 2, "The judge never said escalate: 2 declined, 1 turn without a verdict."),
        ("dded", 2, "No latch: the streak reached 1 of 2 at turn 3, then a decline cleared it."),
        ("ee" + "d", 3, "No latch: the streak reached 2 of 3 at turn 2, then a decline cleared it."),
        ("dde", 2, "Pending at turn 3: streak 1 of 2, one more escalate latches the session."),
        ("de", 4, "Pending at turn 2: streak 1 of 4, three more escalates latch the session."),
        ("ddee", 2, "Latched at turn 4: the judge said escalate twice in a row."),
        ("ddeeddd", 2, "Latched at turn 4: the judge said escalate twice in a row."),
        ("eee", 3, "Latched at turn 3: the judge said escalate three times in a row."),
        ("deue", 2, "Latched at turn 4: the judge said escalate twice with no decline between."),
        ("dete", 2, "Latched at turn 4: the judge said escalate twice with no decline between."),
        ("de", 1, "Latched at turn 2: the judge said escalate, and one confirmation is enough."),
        ("ddu", 2, "No usable verdict at turn 3: the streak stays at 0 of 2."),
        ("deu", 2, "No usable verdict at turn 3: the streak stays at 1 of 2."),
        ("uuu", 2, "No usable verdict in any of 3 turns: the efficient tier serves."),
        ("u", 2, "No usable verdict at turn 1: the streak stays at 0 of 2."),
        ("ddc", 2, "The efficient tier ran out of context: the capable tier took turn 3."),
        ("det", 2, "The efficient tier could not be reached: the capable tier took turn 3."),
    ],
)
def test_every_way_to_a_tier_has_its_sentence(script, confirmations, headline):
    """The deciding fact, then the consequence, at most 80 characters."""
    found = escalation_reason(session(script, confirmations))
    assert found.headline == headline
    assert len(found.headline) <= 80


@pytest.mark.parametrize(
    ("script", "confirmations", "headline"),
    [
        ("dee", 2, "Can never latch: without a session id no streak is kept between turns."),
        ("ddd", 5, "Can never latch: without a session id no streak is kept between turns."),
        ("de", 1, "Escalated for turn 2 alone: without a session id nothing latches."),
        ("ed", 1, "The judge declined turn 2: the efficient tier serves."),
        ("eu", 1, "No usable verdict at turn 2: the streak stays at 0 of 1."),
    ],
)
def test_without_session_nothing_latches(script, confirmations, headline):
    """No sentence claims a latch that no session id carries."""
    assert escalation_reason(session(script, confirmations, has_session=False)).headline == headline


def test_never_latching_says_what_to_do():
    """The warning counts what the judge said, and names both ways out."""
    assert escalation_reason(session("dee", has_session=False)).detail == (
        "Every turn starts from 0, and 2 confirmations are needed; the judge said escalate in 2 of 3 turns. "
        "Give a session id, or set confirmations to 1."
    )


def test_the_latching_turn_and_those_after_it_differ_in_detail():
    """At the latch a reply is discarded; later nobody is asked."""
    assert escalation_reason(session("ee")).detail == (
        "The held reply of turn 2 is discarded, and the capable tier serves from here on."
    )
    assert escalation_reason(session("eeddd")).detail == (
        "A latched session is served by the capable tier without asking the efficient one or the judge. "
        "The held reply of turn 2 was discarded."
    )


def test_a_latch_of_before_is_told_without_its_turn():
    """Where the turn that latched is not among those that are known."""
    latched = session("eed")
    known = replace(latched, turns=latched.turns[2:])
    assert escalation_reason(known).headline == "Latched: the capable tier serves."


def test_a_note_that_is_sent_is_told():
    """The handoff note goes with the latching turn and those after it."""
    for script in ("ee", "eed"):
        assert escalation_reason(session(script, note="Take over.")).detail.endswith(
            "The handoff note goes with the request."
        )


def test_an_unavailable_verdict_says_why():
    """Our own words for the reply, and what it means for the streak."""
    assert escalation_reason(session("du")).detail == (
        "The reply holds no text. It neither adds to the streak nor clears it, so the efficient tier serves."
    )


def test_a_fallback_leaves_streak_and_note():
    """Nobody judged it, so nothing moves."""
    assert escalation_reason(session("et", note="Take over.")).detail == (
        "A fallback is not judged: the streak stays at 1 of 2, and no handoff note is sent."
    )


@pytest.mark.parametrize(
    ("turn", "headline"),
    [
        (1, "The judge declined turn 1: the efficient tier serves."),
        (2, "The judge declined all 2 turns so far: the efficient tier serves."),
        (3, "Pending at turn 3: streak 1 of 2, one more escalate latches the session."),
        (4, "Latched at turn 4: the judge said escalate twice in a row."),
        (6, "Latched at turn 4: the judge said escalate twice in a row."),
    ],
)
def test_an_earlier_turn_is_told_as_the_session_had_come_by_then(turn, headline):
    """What came later is not known to it."""
    assert escalation_reason(session("ddeedd"), turn).headline == headline


def test_headlines_fit_however_large_the_numbers():
    """Two lines that can be read from three metres (UI 3)."""
    for script, confirmations in (*[(script, 10**13) for script in ("de", "ded", "du", "dud", "dc", "dt")], ("e", 1)):
        made = session(script, confirmations)
        far = replace(made, turns=tuple(replace(one, turn=one.turn + 10**6) for one in made.turns))
        assert len(escalation_reason(far).headline) <= 80
    far = session("e" * 30, 30)
    assert len(escalation_reason(far).headline) <= 80


@pytest.mark.parametrize("script", ["dee", "ded", "de", "du", "dc"])
def test_the_judges_words_are_never_quoted(script):
    """They are untrusted, and shown elsewhere as text."""
    found = escalation_reason(session(script))
    assert "loops" not in found.headline + found.detail
