"""`analyze` by each of the three algorithms gives what the bench shows."""

from __future__ import annotations

import asyncio
import signal
import threading
from datetime import date

import pytest
from routing_workbench import (
    Algorithm,
    CassetteDriver,
    CutoffsConfig,
    EscalationConfig,
    Rule,
    analyze,
    read_cassette,
    record_to,
)
from routing_workbench.core.vgr.decision import Route
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.script import Fault, Script
from routing_workbench.workbench.examples import example, examples

NAMES = [name for name, _ in examples()]
SCRIPTS = {
    "usual": Script(),
    "circling": Script(probabilities={"mid": 0.5}).edited(Rung.ESCALATION_JUDGE, answer="decline, escalate"),
    "faulty": Script()
    .edited(Rung.ROUTE, fault=Fault.HTTP_503)
    .edited(Rung.ESCALATION_JUDGE, fault=Fault.NOT_JSON)
    .edited(Rung.EFFICIENT, fault=Fault.HTTP_401),
}


def without_timings(result):
    """The record of a result, without what differs from run to run."""

    def clean(value):
        if isinstance(value, dict):
            return {key: clean(inner) for key, inner in value.items() if key not in ("started_ms", "took_ms")}
        return [clean(inner) for inner in value] if isinstance(value, list) else value

    return clean(result.record())


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("algorithm", [Algorithm.CUTOFFS, Algorithm.ESCALATION])
def test_a_script_and_a_session_find_the_same(opened, instant, algorithm, name, script):
    """For every example, whether the run decides or fails; of VGR `test_analysis` says so."""
    session, _ = opened(MockDriver(SCRIPTS[script], sleep=instant), example(name), algorithm=algorithm)
    found = analyze(example(name), algorithm=algorithm, driver=MockDriver(SCRIPTS[script], sleep=instant))
    assert found.algorithm is algorithm
    assert without_timings(found) == without_timings(session.result)


def test_an_algorithm_is_named_by_a_word_too(chat):
    """And a word that names none is refused."""
    text = chat(("user", "Hi"), ("assistant", "Hello"))
    found = [analyze(text, algorithm=word).algorithm for word in ("vgr", "cutoffs", "escalation")]
    assert found == list(Algorithm)
    with pytest.raises(ValueError, match=r"algorithm is 'fortune'; it is one of 'vgr', 'cutoffs', 'escalation'"):
        analyze(text, algorithm="fortune")


def test_cutoffs_are_given(chat):
    """The label, the model behind it, and the question as it was sent."""
    config = CutoffsConfig((("a", "x"), ("b", "y")), (Rule("a", 0.4),), "b")
    found = analyze(chat(("user", "Hi"), ("assistant", "Hello")), algorithm="cutoffs", cutoffs=config)
    assert (found.served, found.target, found.decision.rule) == ("a", "x", 0)
    assert found.question.context["candidates"] == ["a", "b"]
    assert "Hello" not in str(found.question.context)
    assert repr(found) == "<CutoffsResult: served a, mock>"


def test_escalation_is_given(chat):
    """With its session and redaction."""
    driver = MockDriver(Script().edited(Rung.ESCALATION_JUDGE, answer="escalate"))
    text = chat(("user", "Hi"), ("assistant", "Hello"), ("user", "Hm"), ("assistant", "Hello again"))
    config = EscalationConfig(confirmations=2)
    found = analyze(text, algorithm="escalation", driver=driver, escalation=config)
    assert (found.served, found.latched_at, len(found.turns)) == (Route.CLOUD, 2, 2)
    assert repr(found) == "<EscalationResult: 2 turns, latched at turn 2, mock>"
    alone = analyze(text, algorithm="escalation", driver=driver, escalation=config, has_session=False, redact=True)
    assert (alone.served, alone.latched_at) == (Route.LOCAL, None)
    assert (alone.record()["session"], alone.record()["redacted"]) == (False, True)


@pytest.mark.parametrize("algorithm", ["cutoffs", "escalation"])
def test_bad_input_is_a_remark_and_no_exception(algorithm):
    """Nothing was routed."""
    found = analyze("", algorithm=algorithm)
    assert (found.outcome, found.failure, found.served, found.asked) == (None, None, None, ())
    assert found.reading.failed
    assert repr(found).endswith("Result: nothing routed>")
    assert found.record()["reading"]["remarks"]


def test_an_unusable_configuration_is_a_failure(chat):
    """It says what is wrong; nobody is asked."""
    text = chat(("user", "Hi"), ("assistant", "Hello"))
    found = analyze(text, algorithm="cutoffs", cutoffs=CutoffsConfig((("a", "x"),), (), "a"))
    assert (found.failure.stage, "There is no rule" in found.failure.what) == ("configuration", True)
    found = analyze(text, algorithm="escalation", escalation=EscalationConfig(confirmations=0))
    assert (found.failure.stage, "confirmations is 0" in found.failure.what) == ("configuration", True)


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_the_driver_is_let_go_of_on_the_loop_that_asked_it(live, chat, algorithm):
    """Also where the run failed; the driver can be used again."""
    text = chat(("user", "Hi"), ("assistant", "Hello"))
    driver = live()
    for _ in range(2):
        assert analyze(text, algorithm=algorithm, driver=driver).outcome is not None
    broken = live(MockDriver(replies=lambda call: 1 / 0))
    broken.decide = lambda question: 1 / 0
    assert analyze(text, algorithm=algorithm, driver=broken).failure.stage == "run"
    assert len(set(map(id, driver.closed))) <= 2
    assert (len(driver.closed), len(broken.closed)) == (2, 1)
    assert all(loop.is_closed() for loop in driver.closed)


def test_a_driver_that_fails_at_its_end_does_not_take_the_result_with_it(live, chat, monkeypatch):
    """Nor does one that hangs."""
    monkeypatch.setattr("routing_workbench.workbench.analysis._LET_GO", 0.05)
    for close in (lambda: asyncio.sleep(3600), lambda: 1 / 0):
        driver = live()
        driver.aclose = close
        assert analyze(chat(("user", "Hi"), ("assistant", "Hello")), driver=driver).outcome is not None


def test_a_replay_begins_anew_with_each_analysis(live, chat, tmp_path):
    """Else a second one would go on where the first one ended; a recorder around it changes nothing of that."""
    text = chat(("user", "Sum up this memo."), ("assistant", "It is about tides."))
    driver = live(MockDriver(replies=["abstain", 0.96, "abstain", 0.1, "no"]))
    recorder = record_to(tmp_path / "twice.jsonl", driver, recorded=date(2031, 4, 2))
    assert [analyze(text, driver=recorder).served for _ in range(2)] == [Route.LOCAL, Route.CLOUD]
    replay = CassetteDriver(read_cassette(tmp_path / "twice.jsonl"))
    again = record_to(tmp_path / "again.jsonl", replay, recorded=date(2031, 4, 2))
    assert [analyze(text, driver=asked).served for asked in (replay, replay, again)] == [Route.LOCAL] * 3


@pytest.mark.usefixtures("interrupts")
def test_an_analysis_that_is_interrupted_ends_its_call(live, chat, held):
    """And lets go of the driver; nobody waits until the run would be over."""

    async def interrupt(seconds):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        await held()

    driver = live(MockDriver(sleep=interrupt))
    with pytest.raises(KeyboardInterrupt):
        analyze(chat(("user", "a"), ("assistant", "b")), driver=driver)
    assert (held.cancelled.is_set(), len(driver.closed)) == (True, 1)
