"""The records of ordered cutoffs and of the escalation judge: no content, strict JSON, enough to decide again."""

from __future__ import annotations

import json
import math

import pytest
from routing_workbench import CutoffsConfig, EscalationConfig, Rule, analyze
from routing_workbench.core.escalation.streak import StreakState, after
from routing_workbench.core.escalation.verdict import EscalationVerdict
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.prompts import cutoffs_prompt_set, escalation_prompt_set
from routing_workbench.widgets.algorithm import Algorithm
from routing_workbench.workbench.cutoffs_result import cutoffs_decision_from_record
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.protocol import Answer, AnswerType
from routing_workbench.workbench.drivers.script import Fault, Script
from routing_workbench.workbench.own_settings import set_key

CONFIG = CutoffsConfig(
    (("small", "x-8b"), ("mid", "y-32b"), ("large", "z")),
    (Rule("small", 0.6), Rule("mid", 0.35)),
    "large",
    instructions="canary-instructions",
    evidence={"canary-evidence": [1, "canary"]},
    fail_open=True,
    recent_turn_window=2,
)
TALK = (
    ("user", "canary-task of a customer"),
    ("assistant", "canary-reply one"),
    ("user", "canary-again"),
    ("assistant", "canary-reply two"),
)


def strictly(text):
    """Read JSON that has no NaN and no infinity."""

    def constant(name):
        raise AssertionError(f"{name} is no JSON")

    return json.loads(text, parse_constant=constant)


class Answering(MockDriver):
    """A mock that gives this answer to the route question."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    async def decide(self, question):
        """The answer as it is."""
        del question
        return self.answer


ANSWERS = {
    "first": Answer({"small": 0.7, "mid": 0.2, "large": 0.1}),
    "second": Answer({"small": 0.2, "mid": 0.36, "large": 0.1}, choice="mid", confidence=0.9, covered=0.8),
    "fallback": Answer({"small": 0.2, "mid": 0.35, "large": 0.43}),
    "nan": Answer({"small": math.nan, "mid": 0.9, "large": 0.0}),
    "infinite": Answer({"small": math.inf, "mid": 0.9, "large": 0.0}, confidence=math.inf),
    "missing": Answer({"small": 0.9}),
    "unknown": Answer({"small": 0.9, "mid": 0.0, "large": 0.1, "canary-label": 0.0}, choice="canary-choice"),
    "none": Answer(None),
    "boolean": Answer(None, AnswerType.BOOLEAN),
    "no numbers": Answer({"small": True, "mid": "canary-value", "large": 10**400}),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_record_of_cutoffs_gives_its_decision_again(chat, name):
    """From the value as from its JSON, and without what a model wrote."""
    found = analyze(chat(*TALK), algorithm="cutoffs", driver=Answering(ANSWERS[name]), cutoffs=CONFIG)
    assert cutoffs_decision_from_record(found.record()) == found.decision
    assert cutoffs_decision_from_record(strictly(found.to_json())) == found.decision
    assert "canary" not in f"{found.to_json()}{found!r}"


@pytest.mark.parametrize("fault", [Fault.HTTP_503, Fault.HTTP_403, Fault.REFUSED, Fault.TIMEOUT, Fault.NOT_JSON])
def test_a_judge_that_failed_is_recorded_by_its_class(chat, fault):
    """And the fallback it led to."""
    driver = MockDriver(Script().edited(Rung.ROUTE, fault=fault))
    found = analyze(chat(*TALK), algorithm="cutoffs", driver=driver, cutoffs=CONFIG)
    made = strictly(found.to_json())
    assert made["decision"]["evidence"]["source"] == "fail_open"
    assert cutoffs_decision_from_record(made) == found.decision


def test_a_record_of_cutoffs_says_by_what_it_was_made(chat):
    """Of texts and evidence the length alone."""
    made = analyze(chat(*TALK), algorithm="cutoffs", cutoffs=CONFIG).record()
    assert (made["algorithm"], made["prompt_set"]) == ("cutoffs", f"{cutoffs_prompt_set()}+operator")
    assert made["config"]["candidates"] == {"small": "x-8b", "mid": "y-32b", "large": "z"}
    assert (made["config"]["instructions"], made["config"]["evidence"]) == ({"chars": 19}, {"chars": 34})
    assert set(made["question"]) == {"instructions", "context"}
    assert [(row["rung"], row["note"]) for row in made["asked"]] == [("route", "")]
    assert analyze(chat(*TALK), algorithm="cutoffs").record()["prompt_set"] == cutoffs_prompt_set()


def test_a_record_of_a_replay_says_by_what_it_was_made(chat):
    """Of the judge's reason and the handoff note the length alone."""
    config = EscalationConfig(confirmations=1, handoff_note="canary-note")
    driver = MockDriver(Script().edited(Rung.ESCALATION_JUDGE, answer="decline, escalate"))
    found = analyze(chat(*TALK), algorithm="escalation", driver=driver, escalation=config)
    made = strictly(found.to_json())
    assert (made["algorithm"], made["prompt_set"]) == ("escalation", escalation_prompt_set())
    assert made["config"]["handoff_note"] == {"chars": 11}
    assert [turn["evidence"] for turn in made["turns"]] == ["continue", "escalate"]
    assert [turn["note_sent"] for turn in made["turns"]] == [False, True]
    assert all(set(turn["reason"]) == {"chars"} for turn in made["turns"])
    assert (made["latched_at"], made["served"], made["session"], made["redacted"]) == (2, "cloud", True, False)


@pytest.mark.parametrize("said", ["escalate", "decline, escalate, escalate", "escalate, unavailable, escalate"])
def test_the_streak_of_a_record_can_be_folded_again(chat, said):
    """From its verdicts alone."""
    talk = [message for _ in range(3) for message in (("user", "Again"), ("assistant", "Yes"))]
    driver = MockDriver(Script().edited(Rung.ESCALATION_JUDGE, answer=said))
    made = strictly(analyze(chat(*talk), algorithm="escalation", driver=driver).to_json())
    config, state = EscalationConfig(made["config"]["confirmations"]), StreakState()
    for turn in made["turns"]:
        assert turn["streak"][0] == state.streak
        if turn["verdict"] is not None:
            state, evidence = after(state, EscalationVerdict(turn["verdict"]), config)
            assert (turn["evidence"], turn["streak"][1]) == (evidence, state.streak)


@pytest.mark.parametrize("algorithm", [Algorithm.CUTOFFS, Algorithm.ESCALATION])
def test_nothing_of_a_conversation_is_recorded_or_printed(opened, chat, algorithm):
    """Neither on any screen, nor in the result, nor what a judge or a tier wrote."""
    replies = json.dumps({"escalate": True, "reason": "canary-reason"})
    driver = MockDriver(replies=lambda call: replies if call.rung is Rung.ESCALATION_JUDGE else "canary-written")
    for text in (chat(*TALK), chat(*TALK[:3]), chat(*TALK)[:-1]):
        config = EscalationConfig(handoff_note="canary-note")
        session, watch = opened(driver, text, algorithm=algorithm, cutoffs=CONFIG, escalation=config)
        session.set_escalation(confirmations=1)
        session.edit_cutoffs(set_key("evidence", "canary-evidence"))
        session.look_at_turn(1)
        assert session.wait(30)
        shown = "".join(map(repr, watch.screens)) + repr(session.result)
        assert "canary" not in shown + ("" if session.result is None else session.result.to_json())


def test_a_driver_that_breaks_is_recorded_by_kind_alone(chat):
    """Its text may quote the conversation."""

    def broken(call):
        raise ValueError("canary-words")

    found = analyze(chat(*TALK), algorithm="escalation", driver=MockDriver(replies=broken))
    assert found.failure.what == "The run failed: ValueError."
    assert "canary" not in f"{found!r}{found.to_json()}"
