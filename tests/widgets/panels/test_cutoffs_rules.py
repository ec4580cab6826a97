"""The Ordered rules panel: each probability as a bar with its cutoff, in rule order, and the same as a table (UI 5)."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from routing_workbench.core.cutoffs.config import Rule
from routing_workbench.widgets import panels
from routing_workbench.widgets.panels import View
from routing_workbench.widgets.screen import RunState

MINUS = "\N{MINUS SIGN}"
TABLE = View(cutoffs_table=True)


def drawn(html: str) -> dict[str, str]:
    """What a row draws: the places of the bar's end, the cutoff and the side that wins, in per cent."""
    places = {
        "bar": r'class="pbar" x="0" width="([\d.]+%)"',
        "end": r'<svg x="([\d.]+%)" y="28" overflow="visible"><path class="end"',
        "cutoff": r'class="thr on" x1="([\d.]+%)"',
        "side": r'class="side" x="([\d.]+%)"',
    }
    found = {name: re.search(pattern, html) for name, pattern in places.items()}
    return {name: match[1] for name, match in found.items() if match}


def test_each_bar_ends_at_its_probability_with_the_cutoff_on_it(cutoffs, row):
    """On an axis from 0 to 1; right of the cutoff is the side that wins."""
    html = panels.cutoffs_rules(cutoffs.done())
    assert drawn(row(html, "r1")) == {"bar": "22%", "end": "22%", "cutoff": "60%", "side": "60%"}
    assert drawn(row(html, "r2")) == {"bar": "35%", "end": "35%", "cutoff": "35%", "side": "35%"}
    assert drawn(row(html, "relse")) == {"bar": "43%", "end": "43%"}


def test_a_row_says_value_need_margin_and_origin(cutoffs, row, text):
    """Margins signed, an equal one without a sign: it does not win."""
    html = panels.cutoffs_rules(cutoffs.done())
    assert text(row(html, "r1")) == f"1 small local-coder-8b cutoff 0.60 0.22 mock > 0.60 {MINUS}0.38 no"
    assert text(row(html, "r2")) == "2 mid relay-coder-32b cutoff 0.35 0.35 mock > 0.35 0.00 no, equal"
    assert text(row(html, "relse")) == "else large summit-coder 0.43 mock fallback not compared taken"


def test_the_first_match_is_marked_and_no_other(cutoffs, row):
    """The fallback where no rule won."""
    assert re.findall(r'<li class="win" data-k="(\w+)">', panels.cutoffs_rules(cutoffs.done())) == ["relse"]
    assert re.findall(r'<li class="win" data-k="(\w+)">', panels.cutoffs_rules(cutoffs.wins())) == ["r3"]


def test_what_comes_after_the_match_was_not_reached(cutoffs, row, text):
    """With its margin all the same."""
    html = panels.cutoffs_rules(cutoffs.wins())
    assert text(row(html, "r4")).endswith("+0.25 not reached")
    assert text(row(html, "relse")).endswith("not compared not reached")


def test_a_shadowed_rule_says_why_it_never_wins(cutoffs, row, text):
    """In words, in its row, in both ways of looking."""
    why = "Never wins: rule 1 comes first with the same label and a cutoff of 0.90."
    assert text(row(panels.cutoffs_rules(cutoffs.wins()), "r2")).endswith(why)
    assert why in text(row(panels.cutoffs_rules(cutoffs.wins(), TABLE), "r2", "tr"))
    assert "Never wins" not in row(panels.cutoffs_rules(cutoffs.wins()), "r1")


def test_a_candidate_that_nothing_can_choose_is_listed_too(cutoffs, row, text):
    """With its probability and bar, and without a cutoff."""
    html = panels.cutoffs_rules(cutoffs.answered(config=replace(cutoffs.CONFIG, rules=(Rule("small", 0.6),))))
    assert text(row(html, "left mid")) == "mid relay-coder-32b 0.35 mock no rule not compared never chosen"
    assert drawn(row(html, "left mid")) == {"bar": "35%", "end": "35%"}


def test_before_an_answer_there_is_no_bar(cutoffs, row, text):
    """Cutoffs stand on dotted bases; nothing was asked."""
    html = panels.cutoffs_rules(cutoffs.idle())
    assert drawn(row(html, "r1")) == {"cutoff": "60%", "side": "60%"}
    assert 'class="base off"' in row(html, "r1")
    assert text(row(html, "r1")) == ("1 small local-coder-8b cutoff 0.60 not asked > 0.60 not compared not asked")


@pytest.mark.parametrize("state", ["unusable", "failed_open", "failed"])
def test_without_a_usable_answer_the_rules_are_unknown(cutoffs, row, text, state):
    """Asked, no usable answer: none is compared."""
    says = text(row(panels.cutoffs_rules(cutoffs.STATES[state]()), "r1"))
    assert says.endswith("> 0.60 not compared unknown")


def test_a_value_outside_the_axis_stands_at_its_end(cutoffs, row):
    """An answer is not trusted with the layout."""
    html = panels.cutoffs_rules(cutoffs.answered({"small": 7.0, "mid": -3.0, "large": 0.4}))
    assert drawn(row(html, "r1"))["end"] == "100%"
    assert drawn(row(html, "r2"))["end"] == "0%"


@pytest.mark.parametrize(("cutoff", "anchor"), [(0.0, "start"), (0.5, "middle"), (1.0, "end")])
def test_labels_of_cutoffs_stay_on_the_axis(cutoffs, row, cutoff, anchor):
    """Also at its ends."""
    html = panels.cutoffs_rules(cutoffs.answered(config=replace(cutoffs.CONFIG, rules=(Rule("mid", cutoff),))))
    assert f'text-anchor="{anchor}">cutoff {cutoff:.2f}</text>' in row(html, "r1")


def test_table_gives_the_values_of_the_chart(cutoffs, row, text):
    """Row by row, without a drawing."""
    html = panels.cutoffs_rules(cutoffs.done(), TABLE)
    assert text(row(html, "r1", "tr")) == f"1 small local-coder-8b 0.22 > 0.60 {MINUS}0.38 no mock"
    assert text(row(html, "relse", "tr")) == "else large summit-coder 0.43 fallback not compared taken mock"
    assert 'class="ch"' not in html


def test_no_rules_say_what_to_do(cutoffs, text):
    """An empty configuration, and none."""
    says = "Ordered rules No rules. Add one, or paste a configuration."
    assert text(panels.cutoffs_rules(cutoffs.no_rules())) == says
    assert text(panels.cutoffs_rules(replace(cutoffs.idle(), cutoffs=None))) == says


def test_rules_that_cannot_be_used_say_why(cutoffs, text):
    """Nothing is compared with them."""
    screen = cutoffs.idle(replace(cutoffs.CONFIG, rules=(Rule("medium", 0.5),)))
    assert "These rules cannot be used. Rule 1 names 'medium', which is no candidate." in text(
        panels.cutoffs_rules(screen)
    ).replace("&#39;", "'")


def test_other_rules_than_those_asked_about_compare_nothing(cutoffs, row, text):
    """The answer was about other labels."""
    html = panels.cutoffs_rules(cutoffs.other_rules())
    assert text(row(html, "r1")) == "1 a model-a cutoff 0.50 not asked > 0.50 not compared not asked"
    assert "stale" not in text(html)


def test_stale_values_stay_under_a_tag(cutoffs):
    """With their bars."""
    html = panels.cutoffs_rules(cutoffs.stale())
    assert '</h3><span class="tag">stale</span>' in html
    assert 'class="pbar"' in html


@pytest.mark.parametrize("state", [RunState.STALE, RunState.RUNNING, RunState.CANCELLED])
def test_an_earlier_answer_is_tagged_also_where_a_new_question_was_cancelled(cutoffs, state):
    """The card has no verdict then, but its values still stand in the panels."""
    screen = replace(cutoffs.done(), state=state)
    for panel in (panels.cutoffs_rules, panels.cutoffs_usable, panels.cutoffs_flips):
        assert '<span class="tag">stale</span>' in panel(screen)


def test_numbers_with_many_decimals_are_cut_and_exact_in_their_title(cutoffs, row, text):
    """Value, need and the cutoff's label, and the flip that would turn it."""
    config = replace(cutoffs.CONFIG, rules=(Rule("mid", 1 / 3),))
    screen = cutoffs.answered({"large": 0.4, "mid": 1 / 3 - 1e-9, "small": 0.2}, config=config)
    html = row(panels.cutoffs_rules(screen), "r1")
    assert '<span title="0.3333333333333333">0.3333\N{HORIZONTAL ELLIPSIS}</span>' in html
    assert ">cutoff 0.3333\N{HORIZONTAL ELLIPSIS}</text>" in html
    screen = cutoffs.answered({"large": 0.4, "mid": 1 / 3, "small": 0.2})
    says = text(row(panels.cutoffs_flips(screen), "0"))
    assert says == "1 change config mid cutoff 0.35 \N{RIGHTWARDS ARROW} below 0.3333\N{HORIZONTAL ELLIPSIS} mid Try"


def test_a_long_label_is_cut_by_the_page_and_whole_in_its_title(cutoffs, row):
    """Its column gives way, and no line of the row grows."""
    label, model = "medium-" * 8, "vendor/" * 8
    config = replace(cutoffs.CONFIG, candidates=((label, model),), rules=(Rule(label, 0.5),), fallback=label)
    html = row(panels.cutoffs_rules(cutoffs.idle(config)), "r1")
    assert f'<span class="b cut" title="{label}">{label}</span>' in html
    assert f'<span class="mono dim cut" title="{model}">{model}</span>' in html
