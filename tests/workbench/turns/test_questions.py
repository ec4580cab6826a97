"""What each rung is asked (SPEC 7)."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from routing_workbench.core.conversation.model import Request, Role, Text, ToolCall
from routing_workbench.core.vgr.evidence import VGR_RUNGS, Rung
from routing_workbench.prompts import escalation_prompt, escalation_schema, vgr_closing, vgr_prompt
from routing_workbench.workbench.drivers.protocol import Call, Category
from routing_workbench.workbench.turns.questions import (
    Material,
    attempt_text,
    call_for,
    escalation_call,
    reply_call,
    task_text,
    witness_view,
)

JUDGED = [r for r in VGR_RUNGS if r not in (Rung.ATTEMPT, Rung.CHECKER)]


def material(scene: SimpleNamespace, *, strict: bool = False, request: Request | None = None) -> Material:
    """A turn's material, with a view that is easy to recognise."""
    text = attempt_text(scene.prose)
    return Material(request or scene.plain, scene.prose, text, "THE VIEW", strict=strict)


def sent(call: Call) -> tuple[str, str]:
    """The system text and the user text of a call."""
    (rubric,), (view,) = call.request.instructions, call.request.messages
    (system,), (user,) = rubric.content, view.content
    assert isinstance(system, Text)
    assert isinstance(user, Text)
    assert (rubric.role, view.role) == (Role.SYSTEM, Role.USER)
    return system.text, user.text


@pytest.mark.parametrize("rung", JUDGED, ids=str)
def test_each_judge_reads_its_own_rubric(scene: SimpleNamespace, rung: Rung) -> None:
    """The rubric is the only instruction, the material the only message."""
    assert sent(call_for(rung, material(scene), 3.0))[0] == vgr_prompt(rung.value)


def test_the_strict_judgement_reads_the_strict_rubric(scene: SimpleNamespace) -> None:
    """It is still asked of the cloud judge; every other rung keeps its own."""
    call = call_for(Rung.CLOUD_JUDGE, material(scene, strict=True), 3.0)
    assert sent(call)[0] == vgr_prompt("evidence_strict")
    assert call.category is Category.CLOUD_JUDGE
    for rung in JUDGED:
        if rung is not Rung.CLOUD_JUDGE:
            assert sent(call_for(rung, material(scene, strict=True), 3.0))[0] == vgr_prompt(rung.value)


@pytest.mark.parametrize(
    "rung",
    [
        Rung.DELIBERATION,
        Rung.EVIDENCE_STRICT,
        Rung.CLOUD_JUDGE,
        Rung.EVIDENCE_CONFIRM,
        Rung.ANSWER_VERIFIER,
        Rung.EVIDENCE_VERIFIER,
    ],
    ids=str,
)
def test_verifiers_read_the_judged_view_as_derived(scene: SimpleNamespace, rung: Rung) -> None:
    """What "Judge's view" shows is what is sent, to the character."""
    assert sent(call_for(rung, material(scene), 3.0))[1] == "THE VIEW"


def test_a_readout_reads_the_same_view_and_behind_it_our_question(scene: SimpleNamespace) -> None:
    """The last word before the first token is ours, whatever the view says to the judge."""
    closing = "Can the attempt be sent as it stands? Answer yes or no.\nAnswer:"
    assert sent(call_for(Rung.READOUT, material(scene), 3.0))[1] == f"THE VIEW\n\n{closing}"


@pytest.mark.parametrize("rung", [Rung.TURN_CHECK, Rung.TYPING], ids=str)
def test_what_is_read_from_few_tokens_is_asked_again_behind_the_material(scene: SimpleNamespace, rung: Rung) -> None:
    """Each with its own closing."""
    assert sent(call_for(rung, material(scene), 3.0))[1].endswith(f"\n\n{vgr_closing(rung.value)}")


@pytest.mark.parametrize("rung", [Rung.READOUT, Rung.TURN_CHECK], ids=str)
def test_a_readout_is_four_tokens_with_eight_alternatives(scene: SimpleNamespace, rung: Rung) -> None:
    """And no reasoning before the first token."""
    call = call_for(rung, material(scene), 3.0)
    assert (call.max_tokens, call.top_logprobs, call.reasoning, call.category) == (4, 8, False, Category.JUDGE)


def test_a_deliberation_has_768_tokens_and_may_reason(scene: SimpleNamespace) -> None:
    """No logprobs are asked for."""
    call = call_for(Rung.DELIBERATION, material(scene), 3.0)
    assert (call.max_tokens, call.top_logprobs, call.reasoning, call.category) == (768, None, True, Category.JUDGE)


@pytest.mark.parametrize(
    ("rung", "category"),
    [
        (Rung.TYPING, Category.JUDGE),
        (Rung.WITNESS, Category.JUDGE),
        (Rung.EVIDENCE_STRICT, Category.JUDGE),
        (Rung.ANSWER_VERIFIER, Category.CLOUD_JUDGE),
        (Rung.EVIDENCE_VERIFIER, Category.CLOUD_JUDGE),
        (Rung.CLOUD_JUDGE, Category.CLOUD_JUDGE),
        (Rung.EVIDENCE_CONFIRM, Category.CLOUD_JUDGE),
        (Rung.CHECKER, Category.CHECKER),
    ],
)
def test_who_is_asked(scene: SimpleNamespace, rung: Rung, category: Category) -> None:
    """Cheap judges first, the cloud judge only where the SPEC names it."""
    assert call_for(rung, material(scene), 3.0).category is category


def test_every_call_carries_the_time_left(scene: SimpleNamespace) -> None:
    """In seconds."""
    assert call_for(Rung.READOUT, material(scene), 1.25).timeout == 1.25
    assert reply_call(Rung.ATTEMPT, scene.plain, 2.5).timeout == 2.5


@pytest.mark.parametrize(
    ("rung", "category"),
    [(Rung.ATTEMPT, Category.LOCAL), (Rung.EFFICIENT, Category.LOCAL), (Rung.CAPABLE, Category.CLOUD)],
    ids=str,
)
def test_a_tier_gets_the_request_as_it_is(scene: SimpleNamespace, rung: Rung, category: Category) -> None:
    """Unredacted and with its instructions: it is the user's own request. Nothing caps its reply."""
    call = reply_call(rung, scene.plain, 3.0, turn=9)
    assert call.request is scene.plain
    assert (call.category, call.max_tokens, call.top_logprobs, call.schema, call.turn) == (
        category,
        None,
        None,
        None,
        9,
    )


def test_the_escalation_judge_reads_rubric_and_transcript() -> None:
    """The transcript is the only user message; the reply is held to a schema and has 4,096 tokens."""
    call = escalation_call("THE TRANSCRIPT", 3.0, turn=7)
    assert sent(call) == (escalation_prompt(), "THE TRANSCRIPT")
    assert (call.category, call.max_tokens, call.turn) == (Category.JUDGE, 4096, 7)
    assert call.schema is not None
    assert {"name": call.schema.name, "schema": call.schema.schema} == escalation_schema()


def test_the_checker_gets_the_attempt(scene: SimpleNamespace) -> None:
    """And nothing else."""
    call = call_for(Rung.CHECKER, material(scene), 3.0)
    assert call.request == Request((), (scene.message(Role.ASSISTANT, "The tank holds 40 litres."),))


def test_typing_reads_the_latest_task_redacted_then_cut(scene: SimpleNamespace) -> None:
    """Redaction comes before the budget of 4,000 characters, so half a secret is never sent."""
    secret = "sk-" + "a1B2" * 8
    text = "x" * 3989 + " " + secret
    request = Request((), (scene.message(Role.USER, "old"), scene.message(Role.USER, text)))
    asked = sent(call_for(Rung.TYPING, material(scene, request=request), 3.0))[1]
    assert asked == "x" * 3989 + f" [REDACTED]\n\n{vgr_closing('typing')}"
    longer = Request((), (scene.message(Role.USER, "y" * 5000),))
    asked = sent(call_for(Rung.TYPING, material(scene, request=longer), 3.0))[1]
    assert asked == "y" * 4000 + f"\n\n{vgr_closing('typing')}"


def test_the_task_is_the_last_user_turn_that_is_not_blank(scene: SimpleNamespace) -> None:
    """Blank turns after it don't count."""
    request = Request((), (scene.message(Role.USER, "first"), scene.message(Role.USER, " \n")))
    assert task_text(request) == "first"
    assert task_text(Request((), ())) == ""


def test_a_witness_never_sees_the_attempt(scene: SimpleNamespace) -> None:
    """It reads the redacted session and no more."""
    view = sent(call_for(Rung.WITNESS, material(scene), 3.0))[1]
    assert view == "[system] Be brief.\n[user (latest)] How many litres fit into the blue tank? Ask [REDACTED]."


def test_a_witness_view_keeps_a_final_newline_of_the_task(scene: SimpleNamespace) -> None:
    """Only the attempt's line is taken off."""
    assert witness_view(Request((), (scene.message(Role.USER, "why?\n"),))) == "[user (latest)] why?\n"


def test_a_turn_check_reads_the_proposed_turn(scene: SimpleNamespace) -> None:
    """The trajectory and the call that is proposed."""
    asked = sent(call_for(Rung.TURN_CHECK, Material(scene.clean_run, scene.call, "I will look."), 3.0))[1]
    view = asked.removesuffix(f"\n\n{vgr_closing('turn_check')}")
    assert view.startswith("[task] Make the harbour test pass.\n")
    assert view.endswith('[proposed next turn] [assistant] I will look. [tool call] read({"path":"tank.py"})')


def test_the_attempts_text_is_the_text_of_its_outputs(scene: SimpleNamespace) -> None:
    """Calls add nothing."""
    assert attempt_text(scene.reply(Text("a"), ToolCall("1", "x", {}), Text("b"))) == "a\nb"
    assert attempt_text(scene.reply(ToolCall("1", "x", {}))) == ""


def test_a_call_shows_no_content_in_its_repr(scene: SimpleNamespace) -> None:
    """Calls may end up in a traceback."""
    call = call_for(Rung.WITNESS, material(scene), 3.0)
    assert "litres" not in repr(call)
    assert "litres" not in repr(material(scene))
