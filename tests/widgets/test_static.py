"""What a page without a kernel shows: the result, readable without a stylesheet, and no conversation."""

from __future__ import annotations

from dataclasses import replace

import pytest
from routing_workbench.core.conversation.model import Block, Text, ToolCall, ToolResult
from routing_workbench.core.explain.reason import Reason
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
