"""The Driver panel: rungs, faults, choices, models, replays, recordings and configurations."""

from __future__ import annotations

import re
from dataclasses import replace

from routing_workbench.widgets import panels


def test_score_rung_has_slider_and_number(screens, row):
    """A range from 0 to 1 in steps of 0.01, and the same as a number."""
    html = row(panels.driver(screens.done()), "readout")
    for kind in ("range", "number"):
        pattern = (
            rf'<input type="{kind}"[^>]*data-act="rung:readout:answer"[^>]*value="0.34" min="0" max="1" step="0.01">'
        )
        assert re.search(pattern, html)


def test_faulty_rung_is_tinted_and_counted(screens, row):
    """The row and the head say it."""
    html = panels.driver(screens.done())
    assert row(html, "deliberation").startswith('<li class="flt"')
    assert '<span class="tag err">1 fault</span>' in html
    assert '<option value="timeout" selected>timeout</option>' in row(html, "deliberation")


def test_answer_outside_the_list_stays_choosable(screens):
    """A hedging judge's answer is none of yes, no, unknown, and is not lost."""
    screen = screens.done()
    rungs = (replace(screen.driver.rungs[3], answer="Yes, but look again"), *screen.driver.rungs[4:])
    html = panels.driver(replace(screen, driver=replace(screen.driver, rungs=rungs)))
    assert '<option value="Yes, but look again" selected>' in html


def test_disabled_rung_says_why(screens, row, text):
    """No controls, the reason instead."""
    assert text(row(panels.driver(screens.done()), "checker")) == "checker not configured"
