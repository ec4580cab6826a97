"""Screens of the Cutoffs tab: an invented answer to the example's rules, in every state of the bench."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from routing_workbench.core.cutoffs.config import CutoffsConfig, Rule
from routing_workbench.core.cutoffs.decision import ReasonCode, decide_by_cutoffs, fail_open_decision
from routing_workbench.core.cutoffs.outcome import CutoffsOutcome
from routing_workbench.core.vgr.evidence import Asked, Miss, Origin, OriginKind, Rung
from routing_workbench.widgets.algorithm import Algorithm, CutoffsScreen
from routing_workbench.widgets.screen import DriverPanel, Failure, RungControl, RunState, Screen

_spec = spec_from_file_location("panel_screens", Path(__file__).with_name("screens.py"))
screens = module_from_spec(_spec)
_spec.loader.exec_module(screens)

MOCK = Origin(OriginKind.MOCK, "seed 7")
LIVE = Origin(OriginKind.LIVE, "smollm2-135m @ 127.0.0.1:8093")
CONFIG = CutoffsConfig(
    candidates=(("small", "local-coder-8b"), ("mid", "relay-coder-32b"), ("large", "summit-coder")),
    rules=(Rule("small", 0.6), Rule("mid", 0.35)),
    fallback="large",
    evidence={"repository": "tidewatch", "budget_usd": 0.05},
)
ANSWER = {"small": 0.22, "mid": 0.35, "large": 0.43}
CONTEXT = {
    "task": [{"role": "user", "content": "tests/test_forecast.py::test_dst_gap fails.\nFind out why and fix it."}],
    "candidates": ["large", "mid", "small"],
    "evidence": {"repository": "tidewatch", "budget_usd": 0.05},
}
ASKED = Asked(Rung.ROUTE, 0.0, 0.118, MOCK, None, "3 probabilities")
FAULTS = ("none", "connection refused", "timeout at connect", "HTTP 503", "truncated body", "NaN")


def driver(fault: str = "none") -> DriverPanel:
    """The mock with the row of the route question and a row for each label."""
    route = RungControl(Rung.ROUTE, "distribution", ("distribution", "missing label"), "choice", 118, fault)
    return DriverPanel(
        MOCK, "", (), (route,), FAULTS, probabilities=tuple((label, ANSWER[label]) for label in CONFIG.labels)
    )


def tab(config: CutoffsConfig = CONFIG, **more: object) -> CutoffsScreen:
    """The tab with the question as it is sent."""
    return CutoffsScreen(
        config,
        CONFIG,
        instructions="Choose the weakest candidate that will do this task well.",
        context=CONTEXT,
        task_words="Message 2 of 34: the opening user message; there is no later one, and no window is set.",
        **more,
    )


def idle(config: CutoffsConfig = CONFIG) -> Screen:
    """Read, not asked."""
    return replace(
        screens.idle(),
        algorithm=Algorithm.CUTOFFS,
        cutoffs=tab(config),
        driver=driver(),
        will_ask=(Rung.ROUTE,),
    )


def empty() -> Screen:
    """Nothing pasted."""
    return replace(screens.empty(), algorithm=Algorithm.CUTOFFS, cutoffs=CutoffsScreen(CONFIG, CONFIG), driver=driver())


def answered(
    answer: dict[str, float] | None = ANSWER,
    config: CutoffsConfig = CONFIG,
    asked: Asked = ASKED,
    **more: object,
) -> Screen:
    """Decided by these rules from this answer."""
    given = None if answer is None else tuple(answer.items())
    outcome = CutoffsOutcome(asked, decide_by_cutoffs(config, answer), given, "mid", 0.81, **more)
    return replace(idle(config), state=RunState.DONE, cutoffs=tab(config, outcome=outcome))


def done() -> Screen:
    """No rule wins, since mid is equal to its cutoff: the fallback."""
    return answered()


def wins() -> Screen:
    """The first of four rules that wins is the third; the second can never win."""
    rules = (Rule("large", 0.9), Rule("large", 0.95), Rule("small", 0.2), Rule("mid", 0.1))
    return answered(config=replace(CONFIG, rules=rules, fallback="mid"))


def letters() -> Screen:
    """A live answer that was read from letters."""
    asked = replace(ASKED, origin=LIVE)
    screen = answered(asked=asked, covered=0.83)
    return replace(screen, driver=DriverPanel(LIVE, "", (), (), (), models=(("judge", LIVE.label),)))


def unusable() -> Screen:
    """A label is missing."""
    asked = replace(ASKED, miss=Miss.UNPARSABLE, note="missing label")
    return answered({"small": 0.5, "mid": 0.2}, asked=asked)


def failed_open() -> Screen:
    """The judge failed, and fail_open is on."""
    config = replace(CONFIG, fail_open=True)
    asked = replace(ASKED, miss=Miss.CALL_FAILED, error="HTTP 503")
    outcome = CutoffsOutcome(asked, fail_open_decision(config, ReasonCode.UPSTREAM_5XX))
    return replace(idle(config), state=RunState.DONE, cutoffs=tab(config, outcome=outcome), driver=driver("HTTP 503"))


def failed() -> Screen:
    """The judge failed, and fail_open is off."""
    asked = replace(ASKED, miss=Miss.CALL_FAILED, error="HTTP 503")
    failure = Failure("route", "The decision judge failed: HTTP 503.", "Turn fail_open on, or clear the fault.")
    return replace(idle(), state=RunState.FAILED, asked=(asked,), failure=failure)


def running() -> Screen:
    """The first run."""
    return replace(idle(), state=RunState.RUNNING, asking=Rung.ROUTE)


def rerunning() -> Screen:
    """A further run, with the last verdict still on screen."""
    return replace(done(), state=RunState.RUNNING, asking=Rung.ROUTE)


def stale() -> Screen:
    """The conversation was edited after the run."""
    return replace(done(), state=RunState.STALE, remark="message 33 edited")


def other_rules() -> Screen:
    """Other candidates than those that were asked about."""
    other = CutoffsConfig((("a", "model-a"), ("b", "model-b")), (Rule("a", 0.5),), "b")
    screen = stale()
    return replace(screen, cutoffs=replace(screen.cutoffs, config=other), remark="candidates changed")


def cancelled() -> Screen:
    """Cancelled while the question was out."""
    return replace(idle(), state=RunState.CANCELLED, remark="asking route, at 1.2 s")


def changed() -> Screen:
    """A what-if: a cutoff lowered, a rule added, the fallback another; the last edit was refused."""
    config = replace(CONFIG, rules=(Rule("small", 0.6), Rule("mid", 0.3), Rule("large", 0.5)), fallback="small")
    screen = answered(config=config)
    return replace(screen, cutoffs=replace(screen.cutoffs, problem="The cutoff of rule 2 is 1.5. Give 0 to 1."))


def no_rules() -> Screen:
    """A configuration without any rule."""
    return idle(replace(CONFIG, rules=()))


#: Every screen by name.
STATES = {
    made.__name__: made
    for made in (
        empty,
        idle,
        running,
        done,
        wins,
        letters,
        unusable,
        failed_open,
        failed,
        rerunning,
        stale,
        other_rules,
        cancelled,
        changed,
        no_rules,
    )
}
