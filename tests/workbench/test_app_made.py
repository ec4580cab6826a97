"""Making a bench and closing it: as it is asked for or configured, and with nothing left behind."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import threading
import weakref

import pytest
from ipywidgets.widgets.widget import _instances
from routing_workbench import Algorithm, CutoffsConfig, EscalationConfig, MockDriver, Rule, Workbench
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.widgets.act import Act
from routing_workbench.widgets.screen import RunState

TALK = json.dumps({"messages": [{"role": "user", "content": "Why is the sky blue, secret words?"}]})


@pytest.fixture
def bench():
    """A bench with the mock driver."""
    made = Workbench()
    yield made
    made.close()


def settled(bench):
    """Wait until everything so far is read, run and painted."""
    assert bench._session.wait(30)
    assert bench._painter.settle(30)
    return bench


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_a_bench_begins_with_the_algorithm_that_is_asked_for(algorithm):
    """As a value or as a word."""
    for given in (algorithm, algorithm.value):
        bench = Workbench(TALK, algorithm=given)
        try:
            assert settled(bench).screen.algorithm is algorithm
            assert bench.result.algorithm is algorithm
            assert json.loads(bench.to_json())["algorithm"] == algorithm.value
        finally:
            bench.close()
    with pytest.raises(ValueError, match="fortune"):
        Workbench(algorithm="fortune")


def test_a_bench_takes_the_settings_of_the_other_two():
    """They are what later edits are compared with."""
    config = CutoffsConfig((("a", "x"), ("b", "y")), (Rule("a", 0.1),), "b")
    bench = Workbench(TALK, algorithm="cutoffs", cutoffs=config, escalation=EscalationConfig(confirmations=1))
    try:
        screen = settled(bench).screen
        assert (bench.result.served, screen.cutoffs.baseline, screen.escalation.config.confirmations) == (
            "a",
            config,
            1,
        )
    finally:
        bench.close()


@pytest.fixture
def routes(tmp_path):
    """A configuration with one route."""
    path = tmp_path / "routes.toml"
    path.write_text(
        """
[llm_clients.box]
format = "openai_chat"
base_url = "http://127.0.0.1:9/v1"

[targets.small]
id = "small-8b"
llm_client = "box"

[routes.agent]
type = "llm_classifier"
mode = "escalation"
judge_target = "small"
efficient_target = "small"
capable_target = "small"
escalation = { confirmations = 4 }
""",
        encoding="utf-8",
    )
    return path


def test_a_bench_is_made_from_a_configuration(routes):
    """With its algorithm, its settings and its models; it asks nobody before Run."""
    bench = Workbench.from_config(routes, route="agent", text=TALK)
    try:
        screen = settled(bench).screen
        assert (screen.algorithm, screen.state, bench.result) == (Algorithm.ESCALATION, RunState.IDLE, None)
        assert (screen.escalation.config.confirmations, screen.escalation.source) == (4, "agent")
        assert screen.driver.chosen == "live"
        assert screen.driver.origin.label == "small-8b @ 127.0.0.1:9"
    finally:
        bench.close()


@pytest.mark.parametrize(
    ("route", "before", "after", "says"),
    [
        (None, "confirmations = 4", "confirmations = 0", r"routes\.toml:16"),
        ("agnet", "", "", "agent"),
        (None, "[routes.agent]", "[routes.agent", r"routes\.toml:10"),
    ],
    ids=["value", "name", "syntax"],
)
def test_a_configuration_with_a_problem_makes_no_bench(routes, route, before, after, says):
    """The error says where and what to do, and nothing is left behind."""
    routes.write_text(routes.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")
    widgets = set(_instances)
    with pytest.raises(ValueError, match=says) as refused:
        Workbench.from_config(routes, route=route)
    assert type(refused.value).__name__ == "ConfigurationProblem"
    assert set(_instances) == widgets


def test_a_bench_lets_go_of_its_driver_when_it_is_closed(live):
    """On its own loop."""
    driver = live()
    bench = Workbench(TALK, driver=driver)
    loop = bench._session._loop._loop
    bench.close()
    assert driver.closed == [loop]


def test_closing_frees_everything():
    """Widgets, threads and the bench itself; twice is once."""
    for thread in threading.enumerate():
        if thread.name == "rw-figure":  # of a bench of another test, which closes it when it is made
            thread.join(60)
    before = set(_instances)
    bench = Workbench(TALK, driver=MockDriver())
    settled(bench)
    painter, gone = bench._painter._thread, weakref.ref(bench)
    bench.close()
    bench.close()
    if bench._layout._maker is not None:
        bench._layout._maker.join(60)
    assert (set(_instances) - before, painter.is_alive()) == (set(), False)
    assert sorted(bench._repr_mimebundle_()) == ["text/html", "text/plain"]
    del bench
    gc.collect()
    assert gone() is None


def test_acts_after_closing_do_nothing():
    """A message may still be on its way."""
    bench = Workbench()
    bench.close()
    bench._layout.surfaces["driver"]._on_act(Act(f"rung:{Rung.READOUT}:answer", "", "0.1"))
    assert bench._errors == []


def test_importing_shows_nothing():
    """Neither the package nor the class starts anything."""
    code = (
        "import threading, routing_workbench; from routing_workbench import Workbench;"
        "from ipywidgets.widgets.widget import _instances; print(len(_instances), threading.active_count())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="/")
    assert done.stdout == "0 1\n"
