"""What a conversation gives before any evidence, and how the controls change it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from routing_workbench.core.conversation.read import read
from routing_workbench.core.vgr.branch import Branch
from routing_workbench.core.vgr.capabilities import TaskType, ToolErrors, ToolErrorSource
from routing_workbench.core.vgr.decision import Mode
from routing_workbench.core.vgr.evidence import COMPUTED
from routing_workbench.core.vgr.policy import POLICY_1_0_0, TurnVerification
from routing_workbench.widgets.screen import Controls
from routing_workbench.workbench.deriving import derived, derived_so_far, settings_of, split
from routing_workbench.workbench.examples import example
from routing_workbench.workbench.progress import Progress

RUN = "agent-tidewatch-dst-loop.json"


def conversation_of(text):
    """The one conversation of a text."""
    return read(text).conversations[0]


def found_of(text, controls=None, policy=POLICY_1_0_0, **keywords):
    """What is derived of a text."""
    controls = controls or Controls()
    return derived(*split(conversation_of(text), controls), controls, policy, **keywords)


@pytest.fixture
def talk(chat):
    """A conversation with an attempt."""
    return chat(("user", "Sum up this memo."), ("assistant", "It is about tides."))


@pytest.fixture
def proposal(chat):
    """A conversation whose attempt is a tool call."""
    call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"path": "a.py"}'}}
    return chat(("user", "Mend the build."), ("assistant", {"content": "", "tool_calls": [call]}))


def test_every_control_that_a_turn_reads_reaches_its_settings():
    """One by one."""
    controls = Controls(
        forced_type=TaskType.CHAT,
        typing_enabled=False,
        checker_configured=True,
        checker_validated=True,
        provenance=None,
        mode=Mode.SHADOW,
        approval="words",
        structured_answer=True,
        prior_local=0.3,
        diagnose=True,
        deadline=4.0,
    )
    settings = settings_of(controls)
    same = (
        "forced_type",
        "typing_enabled",
        "checker_configured",
        "checker_validated",
        "provenance",
        "mode",
        "approval",
        "structured_answer",
        "prior_local",
        "diagnose",
        "deadline",
    )
    assert {name: getattr(settings, name) for name in same} == {name: getattr(controls, name) for name in same}


def test_no_approval_is_none():
    """An empty field is not a text that differs."""
    assert settings_of(Controls()).approval is None


def test_a_last_message_of_the_user_is_no_attempt(chat):
    """The whole conversation is the request."""
    request, attempt = split(conversation_of(chat(("user", "Hi"))), Controls())
    assert (len(request.messages), attempt) == (1, None)


def test_without_an_attempt_nothing_is_judged(chat):
    """And the branch is the one for what is missing."""
    found = found_of(chat(("user", "Hi")))
    assert (found.attempt, found.judged, found.ladder.taken) == (None, None, Branch.UNKNOWN)


@pytest.mark.parametrize(
    ("controls", "given", "origin"),
    [
        (Controls(forced_type=TaskType.CODING), {"task_type": TaskType.CHAT, "typed_by": COMPUTED}, "forced"),
        (Controls(), {"task_type": TaskType.CHAT, "typed_by": COMPUTED}, "computed"),
        (Controls(typing_enabled=False), {}, "not typed"),
    ],
    ids=["forced", "typed", "off"],
)
def test_the_origin_of_the_type_is_told(talk, controls, given, origin):
    """A forced type stands whatever typing gave."""
    assert found_of(talk, controls, **given).task_type_origin == origin


@pytest.mark.parametrize(
    ("controls", "name"),
    [
        (Controls(), "session"),
        (Controls(checker_configured=True), "session"),
        (Controls(forced_type=TaskType.ANSWER), "session"),
        (Controls(forced_type=TaskType.AGENTIC), "agentic"),
        (Controls(forced_type=TaskType.CODING), "coding"),
    ],
    ids=["untyped", "checks", "answer", "agentic", "coding"],
)
def test_the_view_shown_is_the_one_a_judge_reads(talk, controls, name):
    """Character by character."""
    found = found_of(talk, controls)
    assert found.judged.name == name
    assert found.judged.text == found.capabilities.transcript


def test_a_proposed_call_is_read_as_a_turn(proposal):
    """Unless turn verification is off."""
    assert found_of(proposal).judged.name == "turn"
    off = replace(POLICY_1_0_0, turn_verification=TurnVerification(enabled=False))
    assert found_of(proposal, policy=off).judged is None


@pytest.mark.parametrize(
    ("provenance", "errors"),
    [
        (ToolErrorSource.HOST, ToolErrors(ToolErrorSource.HOST, 7)),
        (ToolErrorSource.UNTRUSTED, ToolErrors(ToolErrorSource.UNTRUSTED, 7)),
        (None, None),
    ],
)
def test_the_tool_record_counts_for_whom_vouches_for_it(provenance, errors):
    """Without anybody there is no count, no number of results and no tail."""
    found = found_of(example(RUN), Controls(provenance=provenance)).capabilities
    assert found.tool_errors == errors
    assert (found.tool_results is None, found.tool_tail_clean is None) == (errors is None, errors is None)


def test_every_tool_result_is_marked_whoever_vouches():
    """What is shown of a result does not depend on the controls."""
    found = found_of(example(RUN), Controls(provenance=None))
    assert sum(mark.failed for mark in found.results) == 7


def test_operator_declarations_are_passed_through(talk):
    """They are never derived."""
    found = found_of(talk, Controls(prior_local=0.7, structured_answer=True))
    assert (found.capabilities.prior_local, found.capabilities.structured_answer) == (0.7, True)
    assert found.ladder.taken is Branch.AGENTIC_RECOGNIZED


def test_a_view_of_the_same_text_is_not_marked_again(talk):
    """A changed setting costs no second marking."""
    before = found_of(talk)
    after = found_of(talk, Controls(mode=Mode.SHADOW, diagnose=True), previous=before)
    assert after.judged is before.judged


@pytest.mark.parametrize("change", ["attempt", "request", "view"])
def test_a_view_of_another_text_is_marked_anew(chat, talk, change):
    """Whatever it is that differs."""
    before = found_of(talk)
    other = {
        "attempt": chat(("user", "Sum up this memo."), ("assistant", "It is about cats.")),
        "request": chat(("user", "Sum up that memo."), ("assistant", "It is about tides.")),
        "view": talk,
    }[change]
    controls = Controls(forced_type=TaskType.CODING if change == "view" else None)
    after = found_of(other, controls, previous=before)
    assert after.judged is not before.judged
    assert after.judged.text == after.capabilities.transcript


def test_progress_adds_the_attempt_and_the_type(chat):
    """As soon as they are there."""
    conversation = conversation_of(chat(("user", "Hi")))
    _, attempt = split(conversation_of(chat(("user", "Hi"), ("assistant", "Hello"))), Controls())
    progress = Progress(attempt=attempt, attempt_origin=COMPUTED, task_type=TaskType.CHAT, typed_by=COMPUTED)
    found = derived_so_far(conversation, Controls(), POLICY_1_0_0, progress)
    assert (found.capabilities.attempt, found.attempt_origin, found.ladder.taken) == ("Hello", COMPUTED, Branch.CHAT)
