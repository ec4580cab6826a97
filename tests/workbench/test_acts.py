"""Acts of the screen as calls of the session."""

from __future__ import annotations

import re
from dataclasses import replace
from unittest.mock import Mock, call

import pytest
from routing_workbench.core.cutoffs.decision import decide_by_cutoffs
from routing_workbench.core.cutoffs.outcome import CutoffsOutcome
from routing_workbench.core.explain.cutoff_flips import smallest_flips
from routing_workbench.core.vgr.capabilities import TaskType, ToolErrorSource
from routing_workbench.core.vgr.decision import Mode
from routing_workbench.core.vgr.evidence import Asked, Origin, OriginKind, Rung
from routing_workbench.widgets import panels
from routing_workbench.widgets.act import Act
from routing_workbench.widgets.algorithm import Algorithm, CutoffsScreen
from routing_workbench.widgets.screen import DriverPanel, RungControl, RunState, Screen
from routing_workbench.workbench.acts import NotUsable, UnknownAct, apply
from routing_workbench.workbench.examples import EXAMPLE_CUTOFFS
from routing_workbench.workbench.own_settings import (
    add_rule,
    edited_cutoffs,
    raise_rule,
    remove_rule,
    reset_cutoffs,
    set_cutoff,
    set_key,
    take_config,
)
from routing_workbench.workbench.session import Session

GIVEN = {"small": 0.22, "mid": 0.35, "large": 0.43}


@pytest.fixture
def session():
    """A session that records what is asked of it."""
    return Mock(spec=Session)


@pytest.mark.parametrize(
    ("act", "done"),
    [
        (Act("run"), call.run()),
        (Act("cancel"), call.cancel()),
        (Act("example", "", "chat"), call.choose_example("chat")),
        (Act("scenario", "", "slow"), call.choose_scenario("slow")),
        (Act("force-format", "", "anthropic"), call.force_format("anthropic")),
        (Act("force-format", "", ""), call.force_format(None)),
        (Act("choose-conversation", "2", "2"), call.choose_conversation(2)),
        (Act("choose-listed", "7", "7"), call.choose_listed(7)),
        (Act("open-path", "", " /logs/a b.jsonl "), call.open_path("/logs/a b.jsonl")),
        (Act("edit-message", "32:1", "text"), call.edit_message(32, 1, "text")),
        (Act("remove-message", "4"), call.remove_message(4)),
        (Act("undo"), call.undo()),
        (Act("redo"), call.redo()),
        (Act("close-notice"), call.tell(None)),
        (Act("controls:task_type", "", "router"), call.set_controls(forced_type=None, typing_enabled=True)),
        (Act("controls:task_type", "", "off"), call.set_controls(forced_type=None, typing_enabled=False)),
        (Act("controls:task_type", "", "chat"), call.set_controls(forced_type=TaskType.CHAT, typing_enabled=True)),
        (Act("controls:provenance", "", "none"), call.set_controls(provenance=None)),
        (Act("controls:provenance", "", "untrusted"), call.set_controls(provenance=ToolErrorSource.UNTRUSTED)),
        (Act("controls:mode", "shadow", "shadow"), call.set_controls(mode=Mode.SHADOW)),
        (Act("controls:approval", "", "x"), call.set_controls(approval="x")),
        (Act("controls:prior_local", "", "0,4"), call.set_controls(prior_local=0.4)),
        (Act("controls:prior_local", "", " "), call.set_controls(prior_local=None)),
        (Act("controls:deadline", "", "12.5"), call.set_controls(deadline=12.5)),
        (Act("controls:kill_switch", "", "true"), call.set_controls(kill_switch=True)),
        (Act("controls:diagnose", "", "false"), call.set_controls(diagnose=False)),
        (Act("controls:ask_cloud", "", "true"), call.set_controls(ask_cloud=True)),
        (Act("controls:latch_escalation", "", "false"), call.set_controls(latch_escalation=False)),
        (Act("controls:breaker_threshold", "", "3"), call.set_controls(breaker_threshold=3)),
        (Act("controls:breaker_cooldown", "", "2,5"), call.set_controls(breaker_cooldown=2.5)),
        (Act("algorithm", "", "escalation"), call.choose_algorithm(Algorithm.ESCALATION)),
        (Act("algorithm", "cutoffs", ""), call.choose_algorithm(Algorithm.CUTOFFS)),
        (Act("probability", "mid", "0,36"), call.set_probabilities({"mid": 0.36})),
        (Act("driver", "", "live"), call.choose_driver("live")),
        (Act("configuration", "", " /a/routes.toml "), call.load_configuration("/a/routes.toml")),
        (Act("route", "", "agent"), call.choose_route("agent")),
        (Act("record", "", "/a/b.jsonl"), call.record_to("/a/b.jsonl")),
        (Act("stop-recording"), call.stop_recording()),
        (Act("pace", "", "original"), call.set_pace("original")),
        (Act("escalation:confirmations", "", "3"), call.set_escalation(confirmations=3)),
        (Act("escalation:confirmations", "", "many"), call.set_escalation(confirmations="many")),
        (Act("escalation:recent_turn_window", "", "-1"), call.set_escalation(recent_turn_window="-1")),
        (Act("escalation:window_message_chars", "", "60"), call.set_escalation(window_message_chars=60)),
        (Act("escalation:handoff_note", "", "Go on."), call.set_escalation(handoff_note="Go on.")),
        (Act("escalation:handoff_note", "", ""), call.set_escalation(handoff_note=None)),
        (Act("escalation:session", "", "false"), call.set_escalation(has_session=False)),
        (Act("escalation:redact", "", "true"), call.set_escalation(redact=True)),
        (Act("escalation:reset"), call.reset_escalation()),
        (Act("turn", "", "4"), call.look_at_turn(4)),
        (Act("turn:previous"), call.step_turn(-1)),
        (Act("turn:next"), call.step_turn(1)),
        (Act("rung:readout:answer", "", "0.34"), call.set_rung(Rung.READOUT, answer="0.34")),
        (Act("rung:turn_check:delay", "", "58"), call.set_rung(Rung.TURN_CHECK, delay_ms=58)),
        (Act("rung:deliberation:fault", "", "timeout"), call.set_rung(Rung.DELIBERATION, fault="timeout")),
    ],
    ids=lambda value: f"{value.act}={value.value}" if isinstance(value, Act) else "",
)
def test_an_act_is_one_call(session, act, done):
    """Exactly this one."""
    apply(act, session)
    assert session.mock_calls == [done]


def test_the_title_of_the_examples_reads_none(session):
    """It is the list's own name."""
    apply(Act("example", "", ""), session)
    assert session.mock_calls == []


def test_clearing_faults_leaves_the_rest(session):
    """Only rungs that have one are edited."""
    rungs = tuple(
        RungControl(rung, "yes", (), "choice", 10, fault)
        for rung, fault in ((Rung.READOUT, "timeout"), (Rung.TYPING, "none"))
    )
    session.screen = Screen(RunState.IDLE, driver=DriverPanel(Origin(OriginKind.MOCK), "", (), rungs, ()))
    apply(Act("clear-faults"), session)
    assert session.mock_calls == [call.set_rung(Rung.READOUT, fault="none")]


@pytest.mark.parametrize(
    ("act", "value", "says"),
    [
        ("controls:prior_local", "1.01", "The prior is not usable. Enter 0 to 1, or nothing."),
        ("controls:prior_local", "nan", "The prior is not usable. Enter 0 to 1, or nothing."),
        ("controls:deadline", "soon", "The deadline is not usable. Enter seconds, 0 to 3600."),
        ("controls:breaker_threshold", "1.5", "The breaker threshold is not usable. Enter a whole number, 1 to 1000."),
        ("controls:breaker_cooldown", "-1", "The breaker cooldown is not usable. Enter seconds, 0 to 86,400."),
        ("configuration", " ", "There is no path. Enter that of the configuration, on the kernel's machine."),
        ("record", "", "There is no path. Enter that of the cassette, on the kernel's machine."),
        ("probability", "1.2", "p() is not usable. Enter 0 to 1."),
        ("rung:readout:delay", "-1", "The delay of readout is not usable. Enter milliseconds, 0 to 3,600,000."),
    ],
)
def test_a_value_out_of_range_is_refused_in_words(session, act, value, says):
    """What, and the next step; the session hears nothing."""
    with pytest.raises(NotUsable, match=re.escape(says)):
        apply(Act(act, "", value), session)
    assert session.mock_calls == []


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (Act("cutoffs:cutoff", "1", "0,34"), set_cutoff(1, 0.34)),
        (Act("cutoffs:cutoff", "1", "high"), set_cutoff(1, "high")),
        (Act("cutoffs:fallback", "", "mid"), set_key("fallback", "mid")),
        (Act("cutoffs:fail_open", "", "true"), set_key("fail_open", True)),
        (Act("cutoffs:window", "", "5"), set_key("recent_turn_window", 5)),
        (Act("cutoffs:window", "", " "), set_key("recent_turn_window", None)),
        (Act("cutoffs:add-rule", "", "large"), add_rule("large")),
        (Act("cutoffs:remove-rule", "0", ""), remove_rule(0)),
        (Act("cutoffs:raise-rule", "1", ""), raise_rule(1)),
        (Act("cutoffs:config", "", '{"candidates": {"a": "x"}}'), take_config('{"candidates": {"a": "x"}}')),
        (Act("cutoffs:reset"), reset_cutoffs),
    ],
    ids=lambda value: f"{value.act}={value.value}" if isinstance(value, Act) else "",
)
def test_an_act_of_the_cutoffs_is_one_edit(session, act, expected):
    """It gives what the edit of that name gives."""
    config = replace(EXAMPLE_CUTOFFS, recent_turn_window=3)
    shown = CutoffsScreen(config, EXAMPLE_CUTOFFS)
    apply(act, session)
    ((edit,), _) = session.edit_cutoffs.call_args
    assert edited_cutoffs(shown, edit) == edited_cutoffs(shown, expected) != shown
    assert len(session.mock_calls) == 1


@pytest.fixture
def answered(session):
    """A session with the drawing's answer on screen, by this driver."""

    def make(kind):
        decision = decide_by_cutoffs(EXAMPLE_CUTOFFS, GIVEN)
        asked = Asked(Rung.ROUTE, 0.0, 0.1, Origin(kind))
        outcome = CutoffsOutcome(asked, decision, tuple(GIVEN.items()))
        cutoffs = CutoffsScreen(EXAMPLE_CUTOFFS, EXAMPLE_CUTOFFS, outcome=outcome)
        panel = DriverPanel(Origin(kind), "", (), (), ())
        session.screen = Screen(RunState.DONE, Algorithm.CUTOFFS, cutoffs, driver=panel)
        return session, smallest_flips(EXAMPLE_CUTOFFS, GIVEN)

    return make


def test_a_flip_of_a_cutoff_is_tried_as_a_what_if(answered):
    """Whoever answered."""
    session, flips = answered(OriginKind.LIVE)
    at, flip = next((at, flip) for at, flip in enumerate(flips) if flip.rule is not None)
    apply(Act("cutoffs:try", str(at), ""), session)
    ((edit,), _) = session.edit_cutoffs.call_args
    config = edited_cutoffs(session.screen.cutoffs, edit).config
    assert decide_by_cutoffs(config, GIVEN).label == flip.gives


def test_a_flip_of_a_probability_is_tried_on_the_mock_alone(answered):
    """With all others as they were; a model's answer cannot be changed."""
    session, flips = answered(OriginKind.MOCK)
    at, flip = next((at, flip) for at, flip in enumerate(flips) if flip.rule is None)
    apply(Act("cutoffs:try", str(at), ""), session)
    assert session.mock_calls == [call.set_probabilities(GIVEN | {flip.label: flip.after})]
    session, _ = answered(OriginKind.LIVE)
    with pytest.raises(NotUsable, match="Only the mock's probabilities can be changed"):
        apply(Act("cutoffs:try", str(at), ""), session)


def test_a_flip_that_is_gone_by_the_time_of_the_click_does_nothing(answered):
    """The list was another one."""
    session, flips = answered(OriginKind.MOCK)
    apply(Act("cutoffs:try", str(len(flips)), ""), session)
    assert session.mock_calls == []


@pytest.mark.parametrize(
    "act",
    [
        "",
        "fly",
        "controls:fly",
        "rung:readout:fly",
        "run:twice",
        "cutoffs:fly",
        "cutoffs:remove-rule",
        "escalation:fly",
        "turn:fly",
        "driver:fly",
    ],
)
def test_an_act_without_meaning_is_a_fault(session, act):
    """Not silence: an element of ours reports it."""
    with pytest.raises(UnknownAct):
        apply(Act(act), session)


def test_every_act_of_the_table_has_a_meaning(session):
    """The table in `widgets.panels` is the vocabulary."""
    names = re.findall(r"`([a-z][a-z:_-]*)`", "\n".join(re.findall(r"^\| (.*?) \|", panels.__doc__, re.MULTILINE)))
    elsewhere = {"paste", "open", "dismiss", "jump-diagnostic", "go-message"}
    values = {
        "algorithm": "cutoffs",
        "controls:task_type": "chat",
        "controls:provenance": "host",
        "controls:mode": "off",
        "turn": "1",
    }
    keys = {"edit-message": "1:0"}
    numbers = {
        "choose-conversation",
        "choose-listed",
        "controls:breaker_cooldown",
        "controls:breaker_threshold",
        "controls:deadline",
        "controls:prior_local",
        "probability",
    }
    session.screen = Screen(RunState.IDLE)
    known = [name for name in names if name not in elsewhere and panels.looked(panels.START, name, "1", "all") is None]
    for name in known:
        if not name.endswith(":view") and not name.startswith(("rung:", "copy-")):
            apply(Act(name, keys.get(name, "1"), values.get(name, "1" if name in numbers else "x")), session)
    assert len(known) > 15
