"""Acts of the screen as calls of the session."""

from __future__ import annotations

import re
from unittest.mock import Mock, call

import pytest
from routing_workbench.core.vgr.capabilities import TaskType, ToolErrorSource
from routing_workbench.core.vgr.decision import Mode
from routing_workbench.core.vgr.evidence import Origin, OriginKind, Rung
from routing_workbench.widgets import panels
from routing_workbench.widgets.act import Act
from routing_workbench.widgets.screen import DriverPanel, RungControl, RunState, Screen
from routing_workbench.workbench.acts import NotUsable, UnknownAct, apply
from routing_workbench.workbench.session import Session


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
        ("rung:readout:delay", "-1", "The delay of readout is not usable. Enter milliseconds, 0 to 3,600,000."),
    ],
)
def test_a_value_out_of_range_is_refused_in_words(session, act, value, says):
    """What, and the next step; the session hears nothing."""
    with pytest.raises(NotUsable, match=re.escape(says)):
        apply(Act(act, "", value), session)
    assert session.mock_calls == []


@pytest.mark.parametrize("act", ["", "fly", "controls:fly", "rung:readout:fly", "run:twice"])
def test_an_act_without_meaning_is_a_fault(session, act):
    """Not silence: an element of ours reports it."""
    with pytest.raises(UnknownAct):
        apply(Act(act), session)


def test_every_act_of_the_table_has_a_meaning(session):
    """The table in `widgets.panels` is the vocabulary."""
    names = re.findall(r"`([a-z][a-z:_-]*)`", "\n".join(re.findall(r"^\| (.*?) \|", panels.__doc__, re.MULTILINE)))
    elsewhere = {"paste", "open", "dismiss", "jump-diagnostic", "copy-record", "copy-why", "copy-view"}
    values = {"controls:task_type": "chat", "controls:provenance": "host", "controls:mode": "off"}
    numbers = {"controls:prior_local", "controls:deadline", "choose-conversation"}
    session.screen = Screen(RunState.IDLE)
    known = [name for name in names if name not in elsewhere and panels.looked(panels.START, name, "1", "all") is None]
    for name in known:
        if name not in ("judge:view", "probabilities:view") and not name.startswith("rung:"):
            apply(Act(name, "", values.get(name, "1" if name in numbers else "x")), session)
    assert len(known) > 15
