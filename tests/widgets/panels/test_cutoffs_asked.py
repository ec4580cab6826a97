"""What the judge of ordered cutoffs was asked, exactly as sent, and whether its answer can be used (SPEC 6.1)."""

from __future__ import annotations

import html as standard
import json
import re
from dataclasses import replace

import pytest
from routing_workbench.widgets import panels


def sent(html: str) -> str:
    """The context on screen, as text."""
    return standard.unescape(re.search(r'<pre class="json context"[^>]*>(.*?)</pre>', html, re.DOTALL)[1])


def test_the_context_is_the_one_that_is_sent(cutoffs):
    """Set out for reading, and equal to it."""
    shown = sent(panels.cutoffs_question(cutoffs.done()))
    assert json.loads(shown) == cutoffs.CONTEXT
    assert shown == json.dumps(cutoffs.CONTEXT, ensure_ascii=False, indent=2)


def test_labels_are_sorted_and_models_do_not_appear(cutoffs, text):
    """A judge chooses among labels alone."""
    html = panels.cutoffs_question(cutoffs.done())
    assert "Question route : choose one of large , mid , small . Labels are sorted" in text(html)
    for _, model in cutoffs.CONFIG.candidates:
        assert model not in html


@pytest.mark.parametrize(("instructions", "whose"), [(None, "ours"), ("Pick one.", "the operator’s")])
def test_the_question_s_words_are_there_whole(cutoffs, text, instructions, whose):
    """With whose they are."""
    screen = cutoffs.done()
    tab = replace(screen.cutoffs, config=replace(cutoffs.CONFIG, instructions=instructions), instructions="Pick <one>.")
    html = panels.cutoffs_question(replace(screen, cutoffs=tab))
    assert f"Instructions, {whose}, 11 chars" in text(html)
    assert "Pick &lt;one&gt;.</pre>" in html


def test_how_the_task_was_cut_is_said(cutoffs, text):
    """In a sentence below it."""
    assert text(panels.cutoffs_question(cutoffs.done())).endswith(cutoffs.done().cutoffs.task_words)


@pytest.mark.parametrize(
    ("state", "title"),
    [
        ("idle", "What the judge is asked"),
        ("done", "What the judge was asked"),
        ("failed", "What the judge was asked"),
    ],
)
def test_the_title_tells_whether_it_was_sent(cutoffs, text, state, title):
    """Before a run it is what Run will ask."""
    assert text(panels.cutoffs_question(cutoffs.STATES[state]())).startswith(title)


def test_without_a_conversation_there_is_no_question(cutoffs, text):
    """Its own sentence."""
    assert text(panels.cutoffs_question(cutoffs.empty())) == (
        "What the judge is asked The question is there once a conversation is read."
    )


def test_a_context_beyond_the_bound_says_what_is_left_out(cutoffs):
    """Too long for the browser: counted, not silently cut."""
    screen = cutoffs.done()
    long = replace(screen.cutoffs, context={"task": "x" * 200_000})
    html = panels.cutoffs_question(replace(screen, cutoffs=long))
    assert len(sent(html)) == 150_000
    assert re.search(r"[\d,]+ more chars are not listed here\.", html)[0] == "50,016 more chars are not listed here."


def test_a_usable_answer_passes_every_check(cutoffs, text):
    """What is required, what is not, and what is ignored."""
    says = text(panels.cutoffs_usable(cutoffs.done()))
    for part in (
        "Is the answer usable? mock",
        "a probability for exactly the configured labels 3 of 3",
        "each in [0, 1], none NaN yes",
        "sum, not required to be 1 1.00",
        "provider’s own choice: mid, confidence 0.81 ignored",
        "judge failure none, 118 ms",
    ):
        assert part in says


def test_an_unusable_answer_says_what_is_wrong(cutoffs, text):
    """Which is no failure of the judge."""
    says = text(panels.cutoffs_usable(cutoffs.unusable())).replace("&#39;", "'")
    assert "a probability for exactly the configured labels 2 of 3, 'large' missing" in says
    assert "note missing label" in says
    assert "judge failure none, 118 ms" in says


def test_the_covered_mass_of_letters_is_shown_with_its_meaning(cutoffs, text):
    """And only where letters were read."""
    meaning = "the options hold 0.83 of the first token’s probability; below 0.50 the answer is not used enough"
    assert meaning in text(panels.cutoffs_usable(cutoffs.letters()))
    assert "first token" not in panels.cutoffs_usable(cutoffs.done())


def test_too_little_covered_mass_is_named(cutoffs, text):
    """Also where it is close."""
    screen = cutoffs.answered(None, covered=0.4999)
    assert "the options hold 0.4999 of the first token’s probability; below 0.50 the answer is not used too little" in (
        text(panels.cutoffs_usable(screen))
    )


@pytest.mark.parametrize("state", ["failed_open", "failed"])
def test_a_judge_that_failed_gave_no_answer_to_look_at(cutoffs, text, state):
    """The failure alone, with class and status."""
    says = text(panels.cutoffs_usable(cutoffs.STATES[state]()))
    assert "judge failure call_failed: HTTP 503, 118 ms" in says
    assert "configured labels" not in says


@pytest.mark.parametrize(("state", "now"), [("done", "now off"), ("failed_open", "now on")])
def test_what_a_failing_judge_leads_to_is_said_before_it_fails(cutoffs, text, state, now):
    """Both settings, and the one that is on."""
    says = text(panels.cutoffs_usable(cutoffs.STATES[state]()))
    assert "fail_open on: fallback, confidence 0.0, with the reason code large" in says
    assert f"fail_open off: the error is raised {now}" in says
    assert "unusable answer: always the fallback invalid_verdict" in says


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ("idle", "No question sent yet."),
        ("running", "Asking, 0.0 s ."),
        ("other_rules", "The answer there is was given to another configuration."),
    ],
)
def test_without_an_answer_of_these_rules_nothing_is_checked(cutoffs, text, state, says):
    """And that is said."""
    assert says in text(panels.cutoffs_usable(cutoffs.STATES[state]()))
