"""Ordered cutoffs on a bench: the question as it is sent, every edit checked, and answers read again (SPEC 6.1)."""

from __future__ import annotations

import json

import pytest
from routing_workbench.core.cutoffs.config import CutoffsConfig, Rule
from routing_workbench.core.cutoffs.decision import ReasonCode
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.widgets.algorithm import Algorithm
from routing_workbench.widgets.screen import Controls, RunState
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.script import Script
from routing_workbench.workbench.examples import EXAMPLE_CUTOFFS
from routing_workbench.workbench.own_settings import (
    add_rule,
    raise_rule,
    remove_rule,
    reset_cutoffs,
    set_cutoff,
    set_key,
    take_config,
)

DONE, STALE, FAILED, IDLE = RunState.DONE, RunState.STALE, RunState.FAILED, RunState.IDLE
GIVEN = {"small": 0.22, "mid": 0.35, "large": 0.43}


class Asked:
    """The mock's answers, and the questions it got."""

    def __init__(self, mock):
        self.questions = []
        self._decide = mock.decide
        mock.decide = self

    async def __call__(self, question):
        """Keep the question, then answer it."""
        self.questions.append(question)
        return await self._decide(question)


@pytest.fixture
def bench(opened, instant, talk):
    """A session on the Cutoffs tab, with the drawing's answer."""
    driver = MockDriver(Script(probabilities=GIVEN), sleep=instant)

    def make(driver=driver, **keywords):
        return opened(driver, talk, algorithm=Algorithm.CUTOFFS, **keywords)[0]

    return make


@pytest.fixture
def live_bench(live, bench, instant):
    """The same with a driver that is no mock, once it has run."""
    driver = live(MockDriver(Script(probabilities=GIVEN), sleep=instant))
    session = bench(driver)
    session.run()
    assert settled(session).screen.state is DONE
    return session, driver


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def edited(session, edit):
    """The tab after an edit."""
    session.edit_cutoffs(edit)
    return settled(session).screen.cutoffs


def test_the_example_routes_as_drawn(bench):
    """0.35 is not greater than 0.35, so the fallback takes the turn."""
    session = bench()
    decision = session.result.decision
    assert (decision.label, decision.target, decision.rule) == ("large", "summit-coder", None)
    assert session.screen.cutoffs.outcome.probabilities == (("large", 0.43), ("mid", 0.35), ("small", 0.22))
    assert (session.result.served, session.result.target) == ("large", "summit-coder")


def test_what_is_shown_is_what_is_sent(bench):
    """Instructions and context, to the letter; no model's name is in it."""
    driver = MockDriver()
    asked = Asked(driver)
    session = bench(driver)
    (question,) = asked.questions
    shown = session.screen.cutoffs
    assert (shown.instructions, shown.context) == (question.instructions, question.context)
    assert question.labels == session.screen.cutoffs.config.labels == ("large", "mid", "small")
    assert shown.task_words.startswith("Message 1 of 1")
    assert not any(model in f"{question.instructions}{question.context}" for _, model in shown.config.candidates)


def test_a_router_sees_no_attempt(bench):
    """It routes the request before anybody tried; with the switch off, the conversation goes on from it."""
    session = bench()
    assert len(session.screen.cutoffs.context["task"]) == 1
    assert "tides" not in str(session.screen.cutoffs.context)
    session.set_controls(pasted_attempt=False)
    assert settled(session).screen.cutoffs.task_words.startswith("Message 1 of 2")


def test_an_edit_runs_again_with_the_mock(bench):
    """A lower cutoff lets its rule win."""
    session = bench()
    assert edited(session, set_cutoff(1, 0.34)).outcome.decision.label == "mid"
    assert session.screen.cutoffs.config.rules[1] == Rule("mid", 0.34)
    assert session.screen.cutoffs.baseline == EXAMPLE_CUTOFFS


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (set_cutoff(1, 1.5), "The cutoff of rule 2 is 1.5. Give a number from 0 to 1."),
        (set_key("fallback", "huge"), "The fallback is 'huge', which is no candidate."),
        (set_key("recent_turn_window", 0), "The recent turn window is 0. Give 1 or more"),
        (add_rule("huge"), "Rule 3 names 'huge', which is no candidate."),
        (take_config("{"), "this is no JSON"),
        (take_config('{"candidates": {"a": "x"}, "rules": [], "fallback": "a"}'), "There is no rule."),
    ],
)
def test_a_refused_edit_says_why_and_changes_nothing(bench, edit, says):
    """In the core's words; the next good edit takes them away."""
    session = bench()
    before = session.screen.cutoffs
    after = edited(session, edit)
    assert says in after.problem
    assert (after.config, after.outcome, session.screen.state) == (before.config, before.outcome, DONE)
    assert edited(session, set_cutoff(0, 0.5)).problem == ""


def test_text_where_a_number_belongs_is_refused_in_words(bench):
    """As it was entered."""
    shown = edited(bench(), set_cutoff(0, "high"))
    assert shown.problem.startswith("The cutoff of rule 1")
    assert "'high'" in shown.problem or "number" in shown.problem


def test_rules_are_added_raised_and_removed(bench):
    """A new one comes last, at 0.5."""
    session = bench()
    assert edited(session, add_rule("large")).config.rules[-1] == Rule("large", 0.5)
    assert [rule.candidate for rule in edited(session, raise_rule(2)).config.rules] == ["small", "large", "mid"]
    assert [rule.candidate for rule in edited(session, remove_rule(0)).config.rules] == ["large", "mid"]
    assert [rule.candidate for rule in edited(session, raise_rule(0)).config.rules] == ["large", "mid"]
    assert edited(session, raise_rule(9)).config.rules == edited(session, remove_rule(9)).config.rules
    assert edited(session, reset_cutoffs).config == EXAMPLE_CUTOFFS


def test_a_whole_configuration_is_taken(bench):
    """From JSON; its labels are what the mock then answers for."""
    rules = [{"candidate": "a", "cutoff": 0.1}]
    text = json.dumps({"candidates": {"a": "x", "b": "y"}, "policy": {"rules": rules}, "fallback": "b"})
    session = bench()
    assert edited(session, take_config(text)).outcome.decision.label == "a"
    assert session.screen.driver.probabilities == (("a", 0.5), ("b", 0.5))


def test_the_mock_answers_what_is_set(bench):
    """By label, at once; the panel shows it."""
    session = bench()
    session.set_probabilities({"mid": 0.36})
    screen = settled(session).screen
    assert screen.cutoffs.outcome.decision.label == "mid"
    assert screen.driver.probabilities == (("large", 0.43), ("mid", 0.36), ("small", 0.22))


def test_a_fault_of_the_judge_fails_open_where_configured(bench):
    """Else the run fails, and says what to do."""
    session = bench()
    session.set_rung(Rung.ROUTE, fault="HTTP 503")
    screen = settled(session).screen
    assert (screen.state, screen.cutoffs.outcome) == (FAILED, None)
    assert screen.failure.what == "Decision judge failed: HTTP 503."
    assert screen.failure.next_step
    decision = edited(session, set_key("fail_open", True)).outcome.decision
    assert (decision.label, decision.reason_code, decision.confidence) == ("large", ReasonCode.UPSTREAM_5XX, 0.0)


def test_a_rule_is_tried_on_the_answer_that_is_there(live_bench):
    """Another cutoff, order, fallback or model asks nobody."""
    session, driver = live_bench
    assert edited(session, set_cutoff(1, 0.34)).outcome.decision.label == "mid"
    assert edited(session, reset_cutoffs).outcome.decision.label == "large"
    assert edited(session, set_key("fallback", "small")).outcome.decision.label == "small"
    assert (session.screen.state, driver.calls) == (DONE, [Rung.ROUTE])
    assert session.result.outcome is session.screen.cutoffs.outcome
    assert session.result.config == session.screen.cutoffs.config


def test_another_question_waits_for_run(live_bench):
    """The result is stale, and says why; what would be sent is on screen."""
    session, driver = live_bench
    shown = edited(session, set_key("instructions", "Choose."))
    assert (session.screen.state, session.screen.remark) == (STALE, "instructions changed")
    assert (shown.instructions, driver.calls) == ("Choose.", [Rung.ROUTE])
    assert shown.outcome.decision.label == "large"
    edited(session, reset_cutoffs)
    assert (session.screen.state, driver.calls) == (DONE, [Rung.ROUTE])


def test_evidence_of_another_kind_is_another_question(live_bench):
    """1 and true are equal to Python and not to a judge."""
    session, _ = live_bench
    edited(session, set_key("evidence", 1))
    session.run()
    assert settled(session).screen.state is DONE
    shown = edited(session, set_key("evidence", True))
    assert (session.screen.state, session.screen.remark) == (STALE, "evidence changed")
    assert shown.context["evidence"] is True


def test_a_changed_conversation_is_not_read_again(live_bench, chat):
    """A rule that is edited then leaves the result stale."""
    session, driver = live_bench
    session.set_text(chat(("user", "Another."), ("assistant", "Yes.")))
    settled(session)
    edited(session, set_cutoff(1, 0.34))
    assert (session.screen.state, driver.calls) == (STALE, [Rung.ROUTE])


def test_cutoffs_are_given_when_a_session_is_made(opened, talk):
    """They are what later edits are compared with."""
    config = CutoffsConfig((("a", "x"), ("b", "y")), (Rule("a", 0.9),), "b")
    session, _ = opened(text=talk, algorithm=Algorithm.CUTOFFS, cutoffs=config)
    shown = session.screen.cutoffs
    assert (shown.config, shown.baseline, shown.source, shown.outcome.decision.label) == (config, config, "given", "b")


def test_an_unusable_configuration_fails_before_anything_is_asked(opened, live, talk):
    """With what is wrong."""
    driver = live()
    session, _ = opened(driver, talk, algorithm=Algorithm.CUTOFFS, cutoffs=CutoffsConfig((("a", "x"),), (), "a"))
    session.run()
    screen = settled(session).screen
    assert (screen.state, screen.failure.stage, driver.calls) == (FAILED, "configuration", [])
    assert "There is no rule" in screen.failure.what


def test_the_deadline_is_the_controls(opened, talk):
    """A judge that takes longer is timed out."""
    script = Script().edited(Rung.ROUTE, delay_ms=60_000)

    async def no_wait(seconds):
        del seconds

    controls = Controls(deadline=2.0)
    session, _ = opened(MockDriver(script, sleep=no_wait), talk, algorithm=Algorithm.CUTOFFS, controls=controls)
    assert session.screen.failure.what == "Decision judge failed: timeout."


def test_editing_before_a_text_is_kept(opened, talk):
    """The order of inputs does not matter."""
    session, _ = opened(algorithm=Algorithm.CUTOFFS)
    assert edited(session, set_cutoff(0, 0.1)).config.rules[0].cutoff == 0.1
    assert session.screen.state is RunState.EMPTY
    session.set_text(talk)
    assert settled(session).screen.cutoffs.outcome.decision.label == "small"
