"""What if on the Cutoffs tab: rules against their baseline, the smallest flips, and text that is not ours (UI 5)."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from routing_workbench.core.cutoffs.config import Rule
from routing_workbench.core.vgr.evidence import Miss, Origin, OriginKind
from routing_workbench.widgets import panels
from routing_workbench.widgets.panels.cutoffs_changes import changes
from routing_workbench.widgets.screen import Failure

MINUS = "\N{MINUS SIGN}"
ARROW = "\N{RIGHTWARDS ARROW}"
HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</textarea></option><b>", "\u202e`x`")


def test_each_rule_has_a_slider_with_the_baseline_s_tick(cutoffs, row):
    """Native, from 0 to 1, reported with the rule's index."""
    html = row(panels.cutoffs_settings(cutoffs.changed()), "1")
    assert '<span class="rng" style="--d:0.3500">' in html
    assert re.search(
        r'<input type="range"[^>]*aria-label="Cutoff of rule 2, mid" data-act="cutoffs:cutoff" value="0.3" '
        r'min="0" max="1" step="0.01">',
        html,
    )


def test_a_changed_cutoff_has_its_signed_delta(cutoffs, row, text):
    """Amber row; the same one says so."""
    html = panels.cutoffs_settings(cutoffs.changed())
    assert row(html, "1").startswith('<li class="chg"')
    assert text(row(html, "1")) == f"2 mid 0.30 {MINUS}0.05 Earlier Remove"
    assert text(row(html, "0")) == "1 small 0.60 same Earlier Remove"
    assert text(row(html, "2")) == "3 large 0.50 new Earlier Remove"


def test_what_the_changes_did_is_set_against_the_baseline(cutoffs, text):
    """With the same answer."""
    html = panels.cutoffs_settings(cutoffs.changed())
    assert '<span class="tag warn">3 changes</span>' in html
    assert "With 3 changes: mid . With the example: large ." in text(html)
    assert "Changed too: fallback." in text(html)
    lower = replace(cutoffs.CONFIG, rules=(Rule("small", 0.5), Rule("mid", 0.35)))
    moved = panels.cutoffs_settings(cutoffs.answered(config=lower))
    assert "With 1 change: large . With the example: large . The label does not move." in text(moved)


def test_a_refused_edit_says_why(cutoffs, text):
    """And the rules stand as they were."""
    html = panels.cutoffs_settings(cutoffs.changed())
    assert "not taken The cutoff of rule 2 is 1.5. Give 0 to 1." in text(html)
    assert 'role="alert"' in html
    assert 'role="alert"' not in panels.cutoffs_settings(cutoffs.done())


def test_controls_that_cannot_be_used_say_why(cutoffs, row):
    """The first rule is first, the only one is needed, and nothing changed needs no reset."""
    html = panels.cutoffs_settings(cutoffs.done())
    assert 'disabled title="It is the first rule."' in row(html, "0")
    assert "disabled" not in row(html, "1")
    assert 'data-act="cutoffs:reset" disabled title="Nothing is changed."' in html
    single = cutoffs.answered(config=replace(cutoffs.CONFIG, rules=(Rule("mid", 0.3),)))
    assert 'disabled title="A configuration needs a rule."' in row(panels.cutoffs_settings(single), "0")


def test_fallback_fail_open_and_window_are_native_controls(cutoffs):
    """Each with what is set."""
    html = panels.cutoffs_settings(
        cutoffs.answered(config=replace(cutoffs.CONFIG, fail_open=True, recent_turn_window=3))
    )
    assert '<option value="large" selected>large</option>' in html
    assert 'data-act="cutoffs:fail_open" data-k="true" value="true" aria-pressed="true">on</button>' in html
    assert re.search(r'<input type="number"[^>]*data-act="cutoffs:window" value="3" min="1" step="1"', html)
    assert html.count('data-act="cutoffs:add-rule"') == 3


def test_a_pasted_configuration_is_taken_by_its_button_alone(cutoffs):
    """The text reports nothing by itself, and is never rewritten."""
    html = panels.cutoffs_settings(cutoffs.done())
    area = re.search(r"<textarea([^>]*)></textarea>", html)[1]
    assert 'data-keep="true"' in area
    assert "data-act" not in area
    assert re.search(r'<button[^>]*data-act="cutoffs:config" data-take="true">Apply</button>', html)


def test_rules_are_matched_by_label_and_order(cutoffs):
    """Moved, added, removed and changed are told apart."""
    base = replace(cutoffs.CONFIG, rules=(Rule("small", 0.6), Rule("mid", 0.35), Rule("small", 0.2)))
    now = replace(base, rules=(Rule("mid", 0.35), Rule("small", 0.7), Rule("large", 0.1)), fail_open=True)
    made = changes(now, base)
    assert [rule.words for rule in made.rules] == ["moved", "+0.10, moved", "new"]
    assert made.removed == (Rule("small", 0.2),)
    assert (made.settings, made.count) == (("fail_open",), 5)
    assert changes(base, base).count == 0


def test_flips_are_listed_nearest_first_and_can_be_tried(cutoffs, row, text):
    """Count, kind, change and the label it gives."""
    html = panels.cutoffs_flips(cutoffs.done())
    assert text(row(html, "0")) == f"1 change config mid cutoff 0.35 {ARROW} below 0.35 mid Try"
    assert text(row(html, "1")) == f"1 change answer p(mid) 0.35 {ARROW} above 0.35 mid Try"
    assert 'data-act="cutoffs:try" value="1">Try</button>' in row(html, "1")


def test_only_the_mock_s_answers_can_be_tried(cutoffs, row):
    """Those of a model are what they are."""
    html = panels.cutoffs_flips(cutoffs.letters())
    assert "disabled" not in row(html, "0")
    assert "Only the mock’s answers can be changed." in row(html, "1")


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ("idle", "They are searched once an answer is there."),
        ("unusable", "No change of a cutoff helps: the answer is not usable."),
        ("failed_open", "No change of a cutoff helps: the judge gave no answer."),
        ("other_rules", "They are searched once an answer is there."),
    ],
)
def test_without_a_flip_there_is_a_sentence(cutoffs, text, state, says):
    """Which says why there is none."""
    assert text(panels.cutoffs_flips(cutoffs.STATES[state]())) == f"Smallest flips {says}"


class Shape(HTMLParser):
    """What a browser would make of a piece: its tags with the names of their attributes, in order."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, ...]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        """Keep a tag."""
        self.found.append((tag, *(name for name, _ in attrs)))


def saying(cutoffs, words: str):
    """Screens that say these words wherever text is not ours, of a configuration that holds; then one that failed."""
    one, two = f"{words}1", f"{words}2"
    config = replace(
        cutoffs.CONFIG,
        candidates=((one, f"{words}m"), (two, f"{words}n")),
        rules=(Rule(one, 0.9), Rule(two, 0.1)),
        fallback=one,
        instructions=words,
    )
    asked = replace(cutoffs.ASKED, note=words, error=words, origin=Origin(OriginKind.LIVE, words))
    screen = cutoffs.answered({one: 0.3, two: 0.7}, config, asked)
    outcome = replace(screen.cutoffs.outcome, choice=words)
    tab = replace(
        screen.cutoffs,
        outcome=outcome,
        context={"task": words},
        instructions=words,
        source=words,
        problem=words,
        baseline=replace(config, fail_open=True),
    )
    yield replace(screen, cutoffs=tab)
    broken = replace(asked, miss=Miss.CALL_FAILED)
    yield replace(cutoffs.failed(), cutoffs=tab, asked=(broken,), failure=Failure(words, words, words))


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize(
    "panel",
    [
        panels.cutoffs_verdict,
        panels.cutoffs_rules,
        lambda screen: panels.cutoffs_rules(screen, panels.View(cutoffs_table=True)),
        panels.cutoffs_question,
        panels.cutoffs_usable,
        panels.cutoffs_settings,
        panels.cutoffs_flips,
    ],
)
def test_hostile_labels_models_and_reasons_stay_text(cutoffs, panel, hostile):
    """Whatever they say, the page has the tags and attributes that plain words give."""
    for said, plain in zip(saying(cutoffs, hostile), saying(cutoffs, "x" * len(hostile)), strict=True):
        assert Shape(panel(said)).found == Shape(panel(plain)).found
