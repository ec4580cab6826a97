"""The Cutoffs tab's verdict card and the bar above it, in every state of the bench (UI 5, 6)."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from routing_workbench.core.cutoffs.config import Rule
from routing_workbench.widgets import panels

MINUS = "\N{MINUS SIGN}"


def unspaced(text: str) -> str:
    """The text without the spaces that a tag leaves before a comma."""
    return re.sub(r" +([.,])", r"\1", text)


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ("empty", ""),
        ("idle", "Idle"),
        ("running", "Asking route, 0.0 s of 30 s"),
        ("done", "Done 0.118 s, 1 call"),
        ("failed_open", "Done 0.118 s, 1 call, 1 fault"),
        ("stale", "Stale: message 33 edited"),
        ("cancelled", "Cancelled at 1.2 s"),
        ("failed", "Failed: route"),
    ],
)
def test_bar_says_the_state_of_this_algorithm(cutoffs, text, state, says):
    """Whatever another one's run came to."""
    shown = unspaced(text(panels.bar(cutoffs.STATES[state]())))
    assert shown.removeprefix("Routing Workbench VGR Cutoffs Escalation ").partition("MOCK")[0].strip() == says


def test_tabs_are_one_stop_of_the_tab_key(cutoffs):
    """The tab that is shown; the frame moves to the others by arrows."""
    html = panels.bar(cutoffs.idle())
    assert html.count('role="tab" ') == 3
    assert html.count('tabindex="0"') == 1
    assert 'aria-selected="true" tabindex="0" data-act="algorithm" data-k="cutoffs" value="cutoffs">Cutoffs' in html


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ("idle", "Verdict 2 rules, else large. No question sent yet. Run asks the mock driver: route. Nothing leaves"),
        ("no_rules", "Verdict No rules. Add one, or paste a configuration. Run asks"),
        ("empty", "Verdict Paste a conversation to see its route."),
        ("running", "Verdict Asking route, 0.0 s of 30 s route... Cancel"),
        ("cancelled", "Verdict Cancelled while asking route. No verdict: no answer had come. Run again"),
        ("failed", "Verdict The decision judge failed: HTTP 503. Turn fail_open on, or clear the fault. Run again"),
    ],
)
def test_a_card_without_a_verdict_says_what_is_next(cutoffs, text, state, says):
    """One sentence and one thing to do."""
    assert unspaced(text(panels.cutoffs_verdict(cutoffs.STATES[state]()))).startswith(says)


@pytest.mark.parametrize(
    ("state", "chain"),
    [
        (
            "done",
            f"Judge answer usable all 3 labels, no other Rule 1, small 0.22 > 0.60 no, {MINUS}0.38 "
            "Rule 2, mid 0.35 > 0.35 no, equal Fallback large taken Confidence 1.0 verdict ordered_cutoffs",
        ),
        (
            "wins",
            "Judge answer usable all 3 labels, no other Earlier rules none won 2 rules; 1 not reached "
            "Rule 3, small 0.22 > 0.20 wins, +0.02 Fallback mid not reached Confidence 1.0 verdict ordered_cutoffs",
        ),
        (
            "unusable",
            "Judge answer not usable missing label Rule 1, small > 0.60 not applied Rule 2, mid > 0.35 not applied "
            "Fallback large taken Confidence 0.0 reason invalid_verdict",
        ),
        (
            "failed_open",
            "Judge answer none the call failed Rule 1, small > 0.60 not applied Rule 2, mid > 0.35 not applied "
            "Fallback large taken Confidence 0.0 reason upstream_5xx",
        ),
    ],
)
def test_chain_leads_from_the_answer_to_the_confidence(cutoffs, text, state, chain):
    """Five links, whatever the number of rules."""
    html = panels.cutoffs_verdict(cutoffs.STATES[state]())
    found = re.search(r'<ol class="chain">(.*?)</ol>', html, re.DOTALL)[1]
    assert text(found) == chain
    assert found.count("<li") == 5


def test_nearest_miss_stands_for_many_rules(cutoffs, text):
    """The one that the reason names."""
    rules = (Rule("small", 0.9), Rule("mid", 0.36), Rule("large", 0.8))
    says = text(panels.cutoffs_verdict(cutoffs.answered(config=replace(cutoffs.CONFIG, rules=rules))))
    assert f"Other rules none won 2 rules Rule 2, mid 0.35 > 0.36 no, {MINUS}0.01" in says


def test_first_of_many_rules_leaves_the_later_ones(cutoffs, text):
    """They were not reached."""
    rules = (Rule("small", 0.1), Rule("mid", 0.3), Rule("large", 0.8))
    says = text(panels.cutoffs_verdict(cutoffs.answered(config=replace(cutoffs.CONFIG, rules=rules))))
    assert "Rule 1, small 0.22 > 0.10 wins, +0.12 Later rules not reached 2 rules" in says


def test_a_single_rule_leaves_room_for_the_model(cutoffs, text):
    """The chain keeps its five."""
    says = text(panels.cutoffs_verdict(cutoffs.answered(config=replace(cutoffs.CONFIG, rules=(Rule("mid", 0.3),)))))
    assert "Fallback large not reached Model relay-coder-32b behind the label Confidence 1.0" in says


def test_a_label_is_no_tier(cutoffs, text):
    """Its lamp is plain, its word in ink, its model below it; reason, flip and origin as for any verdict."""
    html = panels.cutoffs_verdict(cutoffs.done())
    assert 'class="panel verdict plain"' in html
    assert "Target label large summit-coder No rule won: mid scored 0.35" in text(html)
    assert "Closest flip mid cutoff 0.35 \N{RIGHTWARDS ARROW} below 0.35 gives mid evidence mock" in text(html)
    assert 'class="tier' not in html


def test_a_long_label_is_set_smaller_and_cut(cutoffs):
    """With the whole of it as title."""
    label = "a" * 70
    config = replace(cutoffs.CONFIG, candidates=((label, "m1"), ("b", "m2")), rules=(Rule("b", 0.5),), fallback=label)
    html = panels.cutoffs_verdict(cutoffs.answered({label: 0.9, "b": 0.1}, config))
    assert f'<span class="label small" title="{label}">{"a" * 60} ...</span>' in html


@pytest.mark.parametrize("state", ["stale", "rerunning"])
def test_a_stale_card_keeps_its_rows_and_is_not_said_again(cutoffs, text, state):
    """Only ground and ink differ, so that nothing jumps."""
    stale, fresh = (panels.cutoffs_verdict(cutoffs.STATES[name]()) for name in (state, "done"))
    assert re.findall(r"<(\w+)", stale) == re.findall(r"<(\w+)", fresh)
    assert 'class="panel verdict plain stale"' in stale
    assert 'data-k="said"></p>' in stale
    assert 'data-k="said">large. No rule won: mid scored 0.35, and 0.35 is not' in fresh


def test_an_outcome_of_other_rules_says_so(cutoffs, text):
    """Its reason would name rules that are not there any more."""
    says = text(panels.cutoffs_verdict(cutoffs.other_rules()))
    assert "large , stale summit-coder Decided with other rules than those below." in says
    assert "Rule 1" not in says


def test_rules_that_cannot_be_used_cannot_run(cutoffs):
    """The button says why."""
    html = panels.bar(cutoffs.no_rules())
    assert 'disabled title="Nothing to run: the rules cannot be used. There is no rule. Add one' in html
