"""Arguments that are none or of another kind: refused where they are given, with what to write instead."""

from __future__ import annotations

from typing import Any

import pytest
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.widgets.algorithm import Algorithm
from routing_workbench.workbench.analysis import analyze
from routing_workbench.workbench.app import Workbench
from routing_workbench.workbench.arguments import algorithm_of
from routing_workbench.workbench.drivers.mock import MockDriver

#: Arguments that all but `from_config` take, and what is said of a wrong value.
WRONG = [
    ({"driver": "mock"}, r"takes a driver, not a str; give one such as driver=MockDriver\(\)"),
    ({"driver": MockDriver}, "takes a driver, not the class MockDriver"),
    ({"controls": {"mode": "off"}}, r"takes controls as Controls\(\.\.\.\), not as dict"),
    ({"policy": "1.0.0"}, r"takes policy as Policy\(\.\.\.\), not as str"),
    ({"cutoffs": EscalationConfig()}, r"takes cutoffs as CutoffsConfig\(\.\.\.\), not as EscalationConfig"),
    ({"escalation": 2}, r"takes escalation as EscalationConfig\(\.\.\.\), not as int"),
]


@pytest.mark.parametrize("call", [analyze, Workbench])
@pytest.mark.parametrize(("given", "says"), WRONG)
def test_a_value_of_another_kind_is_refused(call: Any, given: dict[str, Any], says: str) -> None:
    """By its kind; the value may be anything."""
    with pytest.raises(TypeError, match=says):
        call("", **given)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mode", r"analyze\(controls=Controls\(mode=\.\.\.\)\)"),
        ("readout_bar", r"analyze\(policy=Policy\(readout_bar=\.\.\.\)\)"),
        ("algoritm", "Did you mean 'algorithm'"),
        ("zzz", "it takes text, algorithm, driver, controls, policy, cutoffs, escalation, has_session, redact, format"),
    ],
)
def test_a_name_that_a_script_cannot_give_says_what_to_write(name: str, says: str) -> None:
    """The same as a bench says."""
    call: Any = analyze
    with pytest.raises(TypeError, match=says):
        call("", **{name: 1})


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mode", r"Workbench\(controls=Controls\(mode=\.\.\.\)\)"),
        ("chat_dial", r"Workbench\(policy=Policy\(chat_dial=\.\.\.\)\)"),
        ("drivers", "Did you mean 'driver'"),
        ("fallback", r"Workbench\(cutoffs=CutoffsConfig\(fallback=\.\.\.\)\)"),
        ("confirmations", r"Workbench\(escalation=EscalationConfig\(confirmations=\.\.\.\)\)"),
        ("zzz", "it takes text, driver, controls, policy, algorithm, cutoffs, escalation"),
    ],
)
def test_an_unknown_argument_of_a_bench_says_what_to_write(name: str, says: str) -> None:
    """Instead of being ignored."""
    with pytest.raises(TypeError, match=says):
        Workbench(**{name: 1})


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"rout": "a"}, r"Workbench.from_config\(\) takes no 'rout'; it takes path, route, text, policy. Did you mean"),
        ({"chat_dial": 0.1}, r"Workbench.from_config\(policy=Policy\(chat_dial=\.\.\.\)\)"),
        ({"text": {}}, "reads pasted text, not a dict"),
        ({"policy": 1}, r"takes policy as Policy\(\.\.\.\), not as int"),
    ],
)
def test_a_configured_bench_refuses_what_it_cannot_take(given: dict[str, Any], says: str) -> None:
    """Before the file is read."""
    with pytest.raises(TypeError, match=says):
        Workbench.from_config("no such file", **given)


def test_an_algorithm_that_is_none_is_told_which_there_are() -> None:
    """As a word or as a value."""
    assert [algorithm_of(given) for given in ("vgr", Algorithm.CUTOFFS)] == [Algorithm.VGR, Algorithm.CUTOFFS]
    with pytest.raises(ValueError, match=r"algorithm is 'vgrr'; it is one of 'vgr', 'cutoffs', 'escalation'"):
        Workbench(algorithm="vgrr")
