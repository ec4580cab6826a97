"""The Why panel: rule trace with values, needs, margins and origins, and the branch ladder."""

from __future__ import annotations

from routing_workbench.core.vgr.signals import Signals
from routing_workbench.widgets import panels

MINUS = "\N{MINUS SIGN}"


def test_trace_row_has_value_need_margin_holds_and_origin(screens, row, text):
    """A comparison in one row, its margin signed with U+2212."""
    assert text(row(panels.why(screens.done()), "A.A1")) == f"A1 resolved tool errors 8 = 0 {MINUS}8 no computed"


def test_deciding_group_has_the_tint_of_the_tier_it_argues_for(screens):
    """Violet behind the clause that fails, teal behind the arm that commits."""
    assert '<li class="grp why-no" data-k="A">' in panels.why(screens.done())
    assert 'why-yes" data-k="A.A2">' in panels.why(screens.local())


def test_extra_evidence_is_marked_and_shown_with_its_origin(screens, row, text):
    """What was asked for diagnosis fills its row, light and marked extra."""
    html = row(panels.why(screens.done()), "B.B1")
    assert 'class="l1 x"' in html
    assert text(html) == "B1 readout extra 0.34 ≥ 0.20 +0.14 yes mock"
    assert text(row(panels.why(screens.done()), "B.B2")) == "B2 deliberation extra none ≥ 0.50 unknown mock"


def test_without_extras_the_score_was_not_asked(screens, row, text):
    """No value, no margin, no origin for what was not asked."""
    html = panels.why(screens.decided(screens.derived(), Signals(), screens.ASKED))
    assert text(row(html, "B.B1")) == "B1 readout ≥ 0.20 not asked"
    assert "extra" not in html


def test_gate_that_holds_back_is_a_row_of_its_own(screens, row, text):
    """The readiness gate follows the conclusion, with what it compared."""
    html = panels.why(screens.held_back())
    assert text(row(html, "gate")) == "Readiness gate secure_checker_missing holds LOCAL back"
    assert text(row(html, "gate-G")) == "G validated checker not deployed deployed no operator"


def test_gate_that_lets_local_pass_is_open(screens, row, text):
    """With what it compared."""
    html = panels.why(screens.decided(screens.derived(rounds=1), Signals(readout=0.96), screens.ASKED))
    assert text(row(html, "gate")) == "Readiness gate open"
    assert text(row(html, "gate-G")) == "G count attested by host host yes computed"


def test_cloud_is_never_gated(screens):
    """So a predicted CLOUD has no row for the gate."""
    assert "Readiness gate" not in panels.why(screens.done())


def test_a_rule_is_copied_once_there_is_one(screens):
    """Before that the button says why it does nothing."""
    says = 'disabled title="Nothing to copy: no rule is decided yet."'
    assert says in panels.why(screens.idle())
    assert says not in panels.why(screens.done())


def test_ladder_marks_taken_failed_and_not_reached(screens, row):
    """Eight rows; what comes after the taken one is off."""
    html = panels.why(screens.done())
    assert row(html, "agentic_verified").startswith('<li class="taken"')
    assert '<span class="r">no checker</span>' in row(html, "checks")
    assert row(html, "unknown").startswith('<li class="off"')
