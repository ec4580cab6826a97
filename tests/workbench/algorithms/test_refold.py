"""Folding verdicts again gives what a replay under the new settings would give, or says that a call is missing."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product

import pytest
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.algorithms.refold import refold, same_transcripts
from routing_workbench.workbench.algorithms.settings import EscalationSettings
from routing_workbench.workbench.analysis import analyze
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.script import Script

SAID = ("escalate", "decline", "unavailable")


def _replayed(text, said, settings, **faults):
    script = Script().edited(Rung.ESCALATION_JUDGE, answer=", ".join(said), delay_ms=0)
    for rung in (Rung.EFFICIENT, Rung.CAPABLE):
        script = script.edited(rung, delay_ms=0)
    for rung, fault in faults.items():
        script = script.edited(Rung(rung), fault=fault, delay_ms=0)
    config = settings.config
    return analyze(
        text,
        algorithm="escalation",
        driver=MockDriver(script),
        escalation=config,
        has_session=settings.has_session,
        redact=settings.redact,
    )


def _without_times(turns):
    return tuple(
        replace(turn, asked=tuple(replace(row, started=0.0, took=0.0) for row in turn.asked)) for turn in turns
    )


def _text(count, *, live):
    messages = []
    for number in range(count):
        messages += [{"role": "user", "content": f"Again {number}"}, {"role": "assistant", "content": f"Try {number}"}]
    return json.dumps({"messages": messages + ([{"role": "user", "content": "Well?"}] if live else [])})


SETTINGS = tuple(
    EscalationSettings(EscalationConfig(confirmations=count, handoff_note=note), has_session)
    for count, note, has_session in product((1, 2, 3), (None, "Start over."), (True, False))
)


@pytest.mark.parametrize("live", [False, True], ids=["pasted", "live"])
@pytest.mark.parametrize("said", list(product(SAID, repeat=3)), ids=" ".join)
def test_a_refold_is_what_a_replay_would_give(said, live):
    """Under every pair of settings; where it gives nothing, the replay asked what the first one had not."""
    text = _text(2 if live else 3, live=live)
    replays = {settings: _replayed(text, said, settings).turns for settings in SETTINGS}
    refolded = 0
    for under, now in product(SETTINGS, SETTINGS):
        found = refold(replays[under], under, now)
        if found is not None:
            refolded += 1
            assert _without_times(found) == _without_times(replays[now])
            continue
        had = {(turn.turn, row.rung, turn.note_sent) for turn in replays[under] for row in turn.asked}
        needs = {(turn.turn, row.rung, turn.note_sent) for turn in replays[now] for row in turn.asked}
        assert needs - had or under.config.handoff_note != now.config.handoff_note
    assert refolded >= len(SETTINGS)


@pytest.mark.parametrize("fault", ["connection refused", "context overflow"])
def test_a_fallback_stays_one_unless_the_session_is_latched_by_then(fault):
    """Nobody judged it, and the capable tier served either way."""
    text, said = _text(2, live=True), ("escalate", "escalate", "escalate")
    never, soon = (EscalationSettings(EscalationConfig(confirmations=count)) for count in (9, 2))
    replays = {settings: _replayed(text, said, settings, efficient=fault).turns for settings in (never, soon)}
    assert _without_times(refold(replays[never], never, soon)) == _without_times(replays[soon])
    assert _without_times(refold(replays[never], never, never)) == _without_times(replays[never])


@pytest.mark.parametrize(
    "now",
    [
        EscalationSettings(redact=True),
        EscalationSettings(EscalationConfig(recent_turn_window=3)),
        EscalationSettings(EscalationConfig(window_message_chars=99)),
    ],
)
def test_another_transcript_is_never_refolded(now):
    """A judge would read something else."""
    assert refold((), EscalationSettings(), now) is None


def test_confirmations_and_note_are_no_part_of_a_transcript():
    """All else is."""
    one = EscalationConfig()
    assert same_transcripts(one, EscalationConfig(confirmations=7, handoff_note="x"))
    assert not same_transcripts(one, EscalationConfig(recent_turn_window=7))
