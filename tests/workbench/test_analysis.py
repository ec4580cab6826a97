"""`analyze` gives what the bench shows, and says what is wrong instead of raising."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import pytest
from routing_workbench import Workbench
from routing_workbench.core.conversation.read import read
from routing_workbench.core.conversation.reading import Reading
from routing_workbench.core.vgr.branch import Branch
from routing_workbench.core.vgr.capabilities import TaskType
from routing_workbench.core.vgr.decision import Mode, Route
from routing_workbench.core.vgr.evidence import Ending, OriginKind, Rung
from routing_workbench.core.vgr.policy import Policy
from routing_workbench.widgets.screen import Controls
from routing_workbench.workbench import analysis
from routing_workbench.workbench.analysis import analyze
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.scenarios import SCENARIOS, scenario
from routing_workbench.workbench.examples import example, examples

NAMES = [name for name, _ in examples()]


def without_timings(result):
    """The record of a result, without what differs from run to run."""
    made = result.record()
    for row in made.get("asked", ()):
        del row["started_ms"], row["took_ms"]
    return made


@pytest.mark.parametrize("controls", [Controls(), Controls(pasted_attempt=False, diagnose=True)], ids=["usual", "all"])
@pytest.mark.parametrize("chosen", SCENARIOS)
@pytest.mark.parametrize("name", NAMES)
def test_a_script_and_a_session_find_the_same(opened, instant, name, chosen, controls):
    """For every example and scenario, whether the turn decides, ends or fails."""
    script = scenario(chosen).script
    session, _ = opened(MockDriver(script, sleep=instant), example(name), controls=controls)
    found = analyze(example(name), driver=MockDriver(script, sleep=instant), controls=controls)
    assert without_timings(found) == without_timings(session.result)


@pytest.mark.parametrize("name", NAMES)
def test_a_script_and_the_bench_find_the_same(instant, name):
    """The widget adds nothing to what is found."""
    bench = Workbench(example(name), driver=MockDriver(sleep=instant))
    try:
        assert bench._session.wait(30)
        assert without_timings(analyze(example(name))) == without_timings(bench.result)
    finally:
        bench.close()


def test_the_result_holds_what_was_read_asked_and_decided(chat):
    """Branch, decision and served tier are a glance away."""
    found = analyze(chat(("user", "Sum up this memo."), ("assistant", "It is about tides.")))
    assert found.branch is Branch.DEFAULT_VERIFIED
    assert found.decision is not None
    assert found.decision.predicted is found.served is Route.LOCAL
    assert [row.rung for row in found.outcome.asked] == [Rung.TYPING, Rung.READOUT]
    assert found.origin.kind is OriginKind.MOCK


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty-input"),
        (" \n\t", "empty-input"),
        ('{"messages": []}', "unknown-format"),
        ('{"messages": [{"role": "user", "content": "x"}', "json-cut-off"),
        ("[" * 100_000, "json-too-deep"),
    ],
    ids=["nothing", "blank", "no messages", "cut off", "too deep"],
)
def test_bad_input_is_a_remark_with_a_place(text, code):
    """Never an exception."""
    found = analyze(text)
    assert (found.outcome, found.derived, found.failure) == (None, None, None)
    remark = found.reading.diagnostics[0]
    assert remark.code == code
    assert (remark.place.line, remark.place.column) != (None, None)
    assert remark.next_step


def test_a_forced_format_is_the_one_read(chat):
    """Even where another one fits better."""
    found = analyze(chat(("user", "Hello there")), format="plain-prompt")
    assert found.reading.format.name == "plain-prompt"


@pytest.mark.parametrize("name", ["no-such-format", "anthropic-messages"])
def test_a_format_that_does_not_fit_is_a_remark(name):
    """Nothing is routed."""
    found = analyze("Just a prompt.", format=name)
    assert found.reading.failed
    assert found.outcome is None


@pytest.fixture
def several(monkeypatch, chat):
    """Reading gives two conversations: one with an attempt, one without."""

    def both(text, *, force=None, previous=None):
        first = read(chat(("user", "What is 2 + 2?"), ("assistant", "4")))
        second = read(chat(("user", "Write a poem.")))
        return Reading(first.conversations + second.conversations, first.format, first.candidates, ())

    monkeypatch.setattr(analysis, "read", both)


@pytest.mark.usefixtures("several")
def test_without_a_choice_none_of_several_is_routed():
    """Guessing would show the route of another conversation."""
    found = analyze("two of them")
    assert (found.outcome, found.derived) == (None, None)
    assert len(found.reading.conversations) == 2


@pytest.mark.usefixtures("several")
@pytest.mark.parametrize(("index", "attempt"), [(0, "pasted"), (1, "produced")])
def test_the_chosen_conversation_is_routed(index, attempt):
    """Counted from 0."""
    assert analyze("two of them", conversation=index).record()["derived"]["attempt"] == attempt


@pytest.mark.usefixtures("several")
@pytest.mark.parametrize("index", [-1, 2])
def test_a_conversation_that_is_none_is_an_error_of_the_call(index):
    """It says how many there are."""
    with pytest.raises(IndexError, match=f"no conversation {index}; the paste holds 2, from 0"):
        analyze("two of them", conversation=index)


def test_a_choice_does_not_hide_that_a_paste_is_unreadable():
    """The remark says what is wrong, not the index."""
    assert analyze("", conversation=0).reading.failed


def test_a_final_assistant_message_is_the_attempt(chat):
    """The local tier is not asked."""
    found = analyze(chat(("user", "Hi"), ("assistant", "Good morning to you.")))
    assert found.derived.capabilities.attempt == "Good morning to you."
    assert found.derived.attempt_origin is None
    assert Rung.ATTEMPT not in [row.rung for row in found.outcome.asked]


def test_without_one_the_local_tier_writes_it(chat):
    """And the result says who wrote it."""
    found = analyze(chat(("user", "Hi")))
    assert found.outcome.asked[0].rung is Rung.ATTEMPT
    assert found.derived.attempt_origin.kind is OriginKind.MOCK
    assert len(found.derived.request.messages) == 1


def test_a_pasted_attempt_can_be_left_in_the_conversation(chat):
    """The switch of the controls: then the local tier goes on from it."""
    text = chat(("user", "Hi"), ("assistant", "Good morning to you."))
    found = analyze(text, controls=Controls(pasted_attempt=False))
    assert len(found.derived.request.messages) == 2
    assert found.outcome.asked[0].rung is Rung.ATTEMPT


def _body(stop_reason, arguments):
    content = [{"type": "tool_use", "id": "t1", "name": "read", "input": arguments}]
    body = {"type": "message", "role": "assistant", "content": content, "stop_reason": stop_reason}
    return json.dumps(body | {"id": "m1", "model": "m", "usage": {"input_tokens": 1, "output_tokens": 1}})


@pytest.mark.parametrize(
    ("stop_reason", "ending"),
    [("max_tokens", Ending.MALFORMED_TOOL_CALL), ("tool_use", Ending.TURN_VERIFICATION_COMPLETE)],
)
def test_a_tool_call_that_was_cut_off_is_malformed(stop_reason, ending):
    """The stop reason of the pasted body says so."""
    assert analyze(_body(stop_reason, {"path": "a.py"})).outcome.ending is ending


def test_a_wrong_key_fails_the_turn(chat):
    """The result says what failed and what to do; nothing is served."""
    found = analyze(chat(("user", "Hi")), driver=MockDriver(scenario("wrong key").script))
    assert (found.failure.stage, found.failure.what) == ("attempt", "Local tier failed: HTTP 401.")
    assert found.failure.next_step
    assert (found.outcome, found.served) == (None, None)


def test_active_without_its_approval_fails_the_turn(chat):
    """And asks nobody."""
    found = analyze(chat(("user", "Hi")), controls=Controls(mode=Mode.ACTIVE))
    assert found.failure.stage == "configuration"
    assert "none was given" in found.failure.what


def test_a_driver_that_breaks_fails_the_turn_without_its_words(chat):
    """Its text may quote the conversation."""

    def broken(call):
        raise ValueError("the secret words of the request")

    found = analyze(chat(("user", "Hi"), ("assistant", "Hello")), driver=MockDriver(replies=broken))
    assert found.failure.what == "The run failed: ValueError."
    assert "secret words" not in f"{found!r}{found.to_json()}{found.failure}"


def test_kill_switch_sends_the_turn_to_cloud(chat):
    """Nobody is asked."""
    found = analyze(chat(("user", "Hi")), controls=Controls(kill_switch=True))
    assert (found.outcome.ending, found.served, found.outcome.asked) == (Ending.KILL_SWITCH, Route.CLOUD, ())


def test_extras_are_asked_but_decide_nothing(chat):
    """Diagnosis asks what production skipped, after it."""
    text = chat(("user", "Write a function."), ("assistant", "```python\nprint(1)\n```"))
    plain = analyze(text)
    asked = analyze(text, controls=Controls(diagnose=True))
    assert asked.decision == plain.decision
    extra = {row.rung for row in asked.outcome.asked} - {row.rung for row in plain.outcome.asked}
    assert extra == {Rung.EVIDENCE_STRICT, Rung.DELIBERATION, Rung.CLOUD_JUDGE, Rung.EVIDENCE_CONFIRM}
    assert {row.rung for row in asked.outcome.asked if row.extra} == extra
    assert asked.trace == plain.trace
    assert (plain.trace_with_extra, asked.trace_with_extra is None) == (None, False)


def test_policy_and_forced_type_are_used(chat):
    """A dial of 1 withholds what the usual one commits."""
    text = chat(("user", "Hi"), ("assistant", "Hello"))
    controls = Controls(forced_type=TaskType.CHAT)
    script = scenario("contradicting instruments").script.edited(Rung.DELIBERATION, answer="no")
    driver = MockDriver(script.edited(Rung.CLOUD_JUDGE, answer="no").edited(Rung.READOUT, answer="0.5"))
    assert analyze(text, driver=driver, controls=controls).served is Route.LOCAL
    assert analyze(text, driver=driver, controls=controls, policy=Policy(chat_dial=1.0)).served is Route.CLOUD


def test_it_works_inside_a_running_loop(chat):
    """As in a notebook cell."""

    async def cell():
        return analyze(chat(("user", "Hi")))

    assert asyncio.run(cell()).outcome is not None


def test_an_analysis_imports_no_widgets_and_no_network():
    """A script without a screen pays for none."""
    code = (
        "import sys, routing_workbench; routing_workbench.analyze('Hi');"
        "print([name for name in ('ipywidgets', 'plotly', 'anywidget', 'httpx', 'IPython') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="/")
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("given", [None, 5, b"User: hi", {"messages": []}, []])
def test_what_is_no_text_is_refused_with_the_next_step(given):
    """A mistake of the program's, not of a paste."""
    with pytest.raises(TypeError, match=r"json\.dumps"):
        analyze(given)


def test_mode_active_as_a_word_needs_its_approval_too():
    """Fails closed however the mode is written."""
    result = analyze("User: Hi\nAssistant: Hello", controls=Controls(mode="active"))
    assert result.served is None
    assert result.failure.stage == "configuration"
