"""Three algorithms on one bench: their tabs by pointer and key, one pane at a time, and nothing lost (UI 5, 9)."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench_page import Bench
from playwright.sync_api import expect

ALGORITHMS = ("vgr", "cutoffs", "escalation")

#: Notes in each frame which panes are visible, until it is asked for them.
_WATCH = """root => {
  window.__panes = [];
  window.__watch = () => {
    window.__panes.push([...new Set([...root.querySelectorAll(".rw-pane")].filter((pane) => pane.checkVisibility())
      .map((pane) => pane.className.match(/rw-of-(\\w+)/)[1]))].join(" "));
    window.__frame = requestAnimationFrame(window.__watch);
  };
  window.__watch();
}"""
_WATCHED = "() => { cancelAnimationFrame(window.__frame); return [...new Set(window.__panes)]; }"


@pytest.fixture
def pasted(bench: Bench, examples: Path) -> Bench:
    """A bench with a session of several turns, routed by VGR."""
    bench.paste((examples / "conversations" / "agent-tidewatch-dst-loop.json").read_text(encoding="utf-8"))
    expect(bench.word).to_have_text("CLOUD")
    bench.settle()
    return bench


def _expect_shown(bench: Bench, algorithm: str) -> None:
    """This tab alone is selected and a stop of the tab key, and its panes alone are visible."""
    for one in ALGORITHMS:
        expect(bench.tab(one)).to_have_attribute("aria-selected", str(one == algorithm).lower())
        expect(bench.tab(one)).to_have_attribute("tabindex", "0" if one == algorithm else "-1")
    bench.shows(algorithm)
    expect(bench.verdict).to_have_count(1)


def test_a_click_shows_one_pane_and_at_no_time_two(pasted: Bench) -> None:
    """In every frame exactly one algorithm's panes are visible, before and after Python has painted them."""
    pasted.root.evaluate(_WATCH)
    for algorithm in ("cutoffs", "escalation", "vgr", "escalation", "cutoffs"):
        pasted.tab(algorithm).click()
        _expect_shown(pasted, algorithm)
        pasted.settle()
        _expect_shown(pasted, algorithm)
        expect(pasted.tab(algorithm)).to_be_focused()
    assert set(pasted.page.evaluate(_WATCHED)) == set(ALGORITHMS)


def test_a_click_shows_the_pane_before_the_kernel_hears_of_it(pasted: Bench) -> None:
    """A kernel that is busy holds nothing up: the browser shows the pane, and Python says the same later."""
    pasted.tab("escalation").evaluate("tab => tab.click()")
    pasted.shows("escalation")
    pasted.settle()
    _expect_shown(pasted, "escalation")


def test_arrows_home_and_end_move_between_the_tabs(pasted: Bench) -> None:
    """What is moved to is shown and has the focus, also after it was painted; the ends meet."""
    pasted.tab("vgr").focus()
    for key, algorithm in (
        ("ArrowRight", "cutoffs"),
        ("ArrowRight", "escalation"),
        ("ArrowRight", "vgr"),
        ("ArrowLeft", "escalation"),
        ("Home", "vgr"),
        ("End", "escalation"),
    ):
        pasted.page.keyboard.press(key)
        pasted.settle()
        _expect_shown(pasted, algorithm)
        expect(pasted.tab(algorithm)).to_be_focused()


def test_the_keys_1_2_3_choose_an_algorithm(pasted: Bench) -> None:
    """From a button anywhere in the bench, but not from a text field, where a digit is a digit; Lab hears none."""
    pasted.setting("copy-record").focus()
    for key, algorithm in (("2", "cutoffs"), ("3", "escalation"), ("1", "vgr"), ("3", "escalation")):
        pasted.page.keyboard.press(key)
        pasted.settle()
        _expect_shown(pasted, algorithm)
    search = pasted.setting("messages:search")
    search.press_sequentially("123")
    expect(search).to_have_value("123")
    expect(search).to_be_focused()
    _expect_shown(pasted, "escalation")
    # In Lab's command mode a digit makes a heading of the cell.
    expect(pasted.page.locator(".jp-Notebook .jp-CodeCell")).to_have_count(1)


def test_panel_keys_go_to_the_panels_of_the_tab_on_screen(pasted: Bench) -> None:
    """w, j and p find their panel in each algorithm, and never one that is hidden."""
    panels = {
        "vgr": ("why", "judge", "policy"),
        "cutoffs": ("cutoffs-rules", "cutoffs-question", "cutoffs-what-if"),
        "escalation": ("streak", "transcript", "judge-settings"),
    }
    for algorithm in ("cutoffs", "escalation", "vgr"):
        pasted.bring(algorithm)
        for key, panel in zip("wjp", panels[algorithm], strict=True):
            pasted.page.keyboard.press(key)
            expect(pasted.panel(panel).locator("h3")).to_be_focused()
            expect(pasted.panel(panel).locator("h3")).to_be_in_viewport()


def test_nothing_is_lost_by_going_to_another_tab_and_back(pasted: Bench) -> None:
    """Settings, folds, what is looked at, and each algorithm's result stay; no algorithm runs again."""
    pasted.setting("controls:prior_local").fill("0.4")
    pasted.setting("controls:prior_local").press("Enter")
    pasted.setting("messages:search").fill("forecast")
    pasted.setting("messages:search").press("Enter")
    pasted.bring("cutoffs")
    pasted.slider("cutoffs:cutoff").first.fill("0.25")
    pasted.panel("cutoffs-question").locator("summary").click()
    pasted.setting("cutoffs:view").get_by_text("Table").click()
    expect(pasted.verdict.locator(".label")).to_have_text("small")
    pasted.bring("escalation")
    pasted.slider("escalation:confirmations").fill("3")
    pasted.slider("turn").fill("5")
    expect(pasted.panel("streak").locator("tr.here")).to_have_attribute("data-k", "t5")
    pasted.settle()
    results = {}
    for algorithm in (*ALGORITHMS, *ALGORITHMS):
        pasted.bring(algorithm)
        found = pasted.lab.execute("print(id(bench.result), bench.result.algorithm)"), pasted.status.inner_text()
        assert results.setdefault(algorithm, found) == found

    pasted.bring("vgr")
    expect(pasted.setting("controls:prior_local")).to_have_value("0.4")
    expect(pasted.setting("messages:search")).to_have_value("forecast")
    expect(pasted.panel("why").locator(".ladder > .taken")).to_have_attribute("data-k", "agentic_recognized")
    pasted.bring("cutoffs")
    expect(pasted.slider("cutoffs:cutoff").first).to_have_value("0.25")
    expect(pasted.panel("cutoffs-question").locator("details")).to_have_attribute("open", "")
    expect(pasted.panel("cutoffs-rules").locator("table")).to_have_count(1)
    expect(pasted.verdict.locator(".label")).to_have_text("small")
    expect(pasted.setting("messages:search")).to_have_value("forecast")
    pasted.bring("escalation")
    expect(pasted.slider("escalation:confirmations")).to_have_value("3")
    expect(pasted.slider("turn")).to_have_value("5")
    expect(pasted.panel("streak").locator("tr.here")).to_have_attribute("data-k", "t5")


def test_an_edit_reaches_the_tabs_that_were_not_on_screen(pasted: Bench) -> None:
    """Another paste is routed by each algorithm as soon as its tab is there."""
    for algorithm in ALGORITHMS:
        pasted.bring(algorithm)
    pasted.paste("User: what is 6 times 7?")
    expect(pasted.panel("streak")).to_contain_text("Turn 1 is live: its reply was asked of the efficient tier.")
    pasted.bring("cutoffs")
    expect(pasted.panel("cutoffs-question").locator("pre.context")).to_contain_text("what is 6 times 7?")
    expect(pasted.status).to_contain_text("Done")
    pasted.bring("vgr")
    expect(pasted.verdict).to_contain_text("answers turn 1")
    expect(pasted.status).to_contain_text("Done")


@pytest.mark.parametrize("algorithm", ["escalation", "cutoffs"])
def test_a_page_that_is_loaded_again_keeps_the_algorithm_shown(pasted: Bench, algorithm: str) -> None:
    """Tab, panes, card and drawing are those on screen before, and the tabs still work."""
    pasted.bring(algorithm)
    expect(pasted.status).to_contain_text("Done")
    said = pasted.reason.inner_text()
    pasted.lab.save()
    pasted.lab.reload()
    expect(pasted.reason).to_have_text(said)
    _expect_shown(pasted, algorithm)
    drawing = {"escalation": ".streakbox svg", "cutoffs": ".rules svg.ch"}[algorithm]
    expect(pasted.root.locator(drawing).first).to_be_visible()
    pasted.bring("vgr")
    _expect_shown(pasted, "vgr")
    expect(pasted.word).to_have_text("CLOUD")
