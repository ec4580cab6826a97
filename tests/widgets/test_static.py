"""What a page without a kernel shows: the result, readable without a stylesheet, and no conversation."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from routing_workbench.core.conversation.model import Block, Text, ToolCall, ToolResult
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.escalation.outcome import EscalationOutcome, EscalationTurn
from routing_workbench.core.escalation.streak import TurnVerdict
from routing_workbench.core.escalation.verdict import EscalationVerdict
from routing_workbench.core.explain.reason import Reason
from routing_workbench.core.vgr.decision import Route
from routing_workbench.core.vgr.evidence import Asked, Rung
from routing_workbench.widgets.algorithm import Algorithm, EscalationScreen
from routing_workbench.widgets.screen import RunState
from routing_workbench.widgets.static import static_html, static_text, why_text

WHY = "7 of 16 tool results failed and the run did not recover."
STATES = (
    "empty",
    "idle",
    "running",
    "done",
    "local",
    "held_back",
    "ended",
    "stale",
    "rerunning",
    "cancelled",
    "failed",
    "several",
    "unreadable",
)


def texts(blocks: tuple[Block, ...]):
    """Every text in a message's blocks."""
    for block in blocks:
        if isinstance(block, Text):
            yield block.text
        elif isinstance(block, ToolCall):
            yield from (str(value) for value in block.arguments.values())
        elif isinstance(block, ToolResult):
            yield from texts(block.content)


@pytest.mark.parametrize("state", STATES)
def test_no_text_of_the_conversation_is_saved(screens, state):
    """Nor the name of its file, in any state."""
    screen = replace(screens.STATES[state](), source_name="secret-name.json")
    page = static_html(screen) + static_text(screen) + why_text(screen)
    spoken = {"secret-name.json"}
    if screen.derived is not None:
        spoken |= {text for turn in screen.derived.request.turns for text in texts(turn.content)}
        if screen.derived.attempt is not None:
            spoken |= {text for output in screen.derived.attempt.outputs for text in texts(output.content)}
    assert [text for text in spoken if text in page] == []


def test_the_result_is_in_the_page(screens):
    """Verdict, reason, rule and score, with words for those who have no colours."""
    page = static_html(replace(screens.done(), reason=Reason(WHY, "")))
    for words in ("CLOUD", WHY, "agentic_verified", "0.34"):
        assert words in page


def test_the_page_brings_its_stylesheet(screens):
    """Else nbconvert would show it bare."""
    assert static_html(screens.done()).startswith("<style>")


@pytest.mark.parametrize("control", ["<button", "<select", "<input", "data-act"])
def test_the_page_has_no_controls(screens, control):
    """They would do nothing."""
    assert control not in static_html(screens.done())


@pytest.mark.parametrize(
    ("state", "first"),
    [
        ("empty", "Routing Workbench: No conversation yet."),
        ("idle", "Routing Workbench: A conversation is read; nothing has been asked yet."),
        ("running", "Routing Workbench: Running."),
        ("cancelled", "Routing Workbench: Cancelled."),
        ("failed", "Routing Workbench: Failed: attempt."),
        ("done", "Routing Workbench: CLOUD. " + WHY),
        ("stale", "Routing Workbench: CLOUD, stale. " + WHY),
    ],
)
def test_the_first_line_says_how_it_stands(screens, state, first):
    """One word, one sentence."""
    screen = replace(screens.STATES[state](), reason=Reason(WHY, ""))
    assert static_text(screen).splitlines()[0] == first


def test_plain_text_gives_the_numbers(screens):
    """With bar and origin."""
    assert static_text(screens.done()).splitlines()[1:] == [
        "branch agentic_verified, predicted CLOUD, gate none, effective CLOUD, served CLOUD, policy 1.0.0",
        "readout 0.34 against dial 0.20, mock",
    ]


def test_a_turn_that_ended_early_says_where(screens):
    """There is no decision then."""
    assert "ended before the rules: local_timed_out, served CLOUD" in static_text(screens.ended())


def test_why_as_text_gives_every_clause(screens):
    """Key, label, value, need and whether it holds."""
    lines = why_text(screens.done()).splitlines()
    assert lines[0] == "agentic_verified: Commit when A and B"
    assert "    A1 resolved tool errors: 8, needs = 0: no" in lines
    assert lines[-1] == "predicted CLOUD, gate none, effective CLOUD, mode evaluate, served CLOUD"


def test_why_as_text_is_empty_before_a_decision(screens):
    """There is no rule to write out."""
    assert why_text(screens.idle()) == ""


def test_states_of_the_samples_are_all_tested(screens):
    """A new state must not slip by."""
    assert set(STATES) == set(screens.STATES)
    assert {screens.STATES[name]().state for name in STATES} == set(RunState)


def test_the_cutoffs_tab_is_saved_where_it_is_on_screen(cutoffs):
    """Label, reason, rules with values and origins, and no question: it holds the conversation."""
    page = static_html(replace(cutoffs.done(), source_name="secret-name.json"))
    for words in ("large", "No rule won: mid scored 0.35", "cutoff 0.60", "3 of 3", "mock"):
        assert words in page
    for words in ("test_dst_gap", "secret-name.json", "<textarea", "data-act", "<button"):
        assert words not in page


def test_the_cutoffs_in_plain_text(cutoffs):
    """Rule by rule."""
    assert static_text(cutoffs.done()).splitlines() == [
        "Routing Workbench: large. No rule won: mid scored 0.35, and 0.35 is not greater than its cutoff of 0.35.",
        "rule 1, small: 0.22, needs > 0.60: no",
        "rule 2, mid: 0.35, needs > 0.35: no, equal",
        "fallback, large: 0.43: taken",
        "model summit-coder, confidence 1.0, mock",
    ]
    assert static_text(cutoffs.stale()).startswith("Routing Workbench: large, stale. ")
    assert static_text(cutoffs.failed()) == "Routing Workbench: Failed: route."


def test_labels_that_a_provider_made_up_are_not_saved(cutoffs):
    """They are its own text, and so is its choice."""
    screen = cutoffs.answered({**cutoffs.ANSWER, "secret words": 0.1})
    outcome = replace(screen.cutoffs.outcome, choice="secret words")
    page = static_html(replace(screen, cutoffs=replace(screen.cutoffs, outcome=outcome)))
    assert "secret words" not in page
    assert "no configured label" in page
    assert "unknown" in page


def session(screens):
    """A session of two turns; the judge's words quote the conversation."""
    asked = (Asked(Rung.ESCALATION_JUDGE, 0.0, 0.2, screens.MOCK, answer="escalate"),)
    escalate = EscalationVerdict.ESCALATE
    turns = (
        EscalationTurn(1, 2, asked, escalate, TurnVerdict.PENDING, 0, 1, Route.LOCAL, reason="secret words"),
        EscalationTurn(2, 4, asked, escalate, TurnVerdict.ESCALATE, 1, 2, Route.CLOUD, reason="secret words"),
    )
    outcome = EscalationOutcome(turns, EscalationConfig())
    tab = EscalationScreen(EscalationConfig(), EscalationConfig(), total=2, turns=turns, outcome=outcome, selected=2)
    return replace(screens.idle(), state=RunState.DONE, algorithm=Algorithm.ESCALATION, escalation=tab)


def test_the_escalation_tab_is_saved_without_the_judge_s_words(screens):
    """They may quote what was said."""
    page = static_html(session(screens))
    assert "CLOUD" in page
    assert "secret words" not in page + static_text(session(screens))
    assert "data-act" not in page


def test_a_saved_session_numbers_its_turns_and_says_what_is_left_out(screens):
    """Of a row only the button is gone; a reason that was given is not called missing."""
    page = static_html(session(screens))
    assert re.findall(r'<th scope="row">([^<]*)</th>', page) == ["1", "2"]
    assert page.count(">its reason is not saved</span>") == 2
    assert "no reason given" not in page


def test_the_session_in_plain_text(screens):
    """Where it latched, and who answered."""
    first, second = static_text(session(screens)).splitlines()
    assert first.startswith("Routing Workbench: CLOUD. ")
    assert second == "2 turns, streak 2 of 2, latched at turn 2, mock"
