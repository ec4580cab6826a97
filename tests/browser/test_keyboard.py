"""A bench works by keys alone, and Lab's own shortcuts do not hear them (UI 8, 9)."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench_page import Bench
from playwright.sync_api import expect


@pytest.fixture
def routed(bench: Bench, examples: Path) -> Bench:
    """A bench with a long conversation that has failed results, its focus on a button."""
    path = examples / "conversations" / "agent-tidewatch-dst-loop.json"
    bench.paste(path.read_text(encoding="utf-8"))
    expect(bench.word).to_have_text("CLOUD")
    bench.settle()
    bench.setting("copy-record").focus()
    return bench


def _focused(bench: Bench) -> str:
    found: str = bench.page.evaluate(
        "() => { const node = document.activeElement; return node.dataset.k ?? node.dataset.act ?? node.id; }"
    )
    return found


def test_labs_command_keys_do_nothing_to_the_notebook(routed: Bench) -> None:
    """`d d` deletes a cell, `a`, `b`, `x` and the arrows change or leave it: not from a button, a slider or a fold."""
    page, lab = routed.page, routed.lab
    cells = page.locator(".jp-Notebook .jp-Cell")
    for control in (
        routed.setting("copy-record"),
        routed.slider("rung:readout:answer"),
        routed.panel("messages").locator("button.fold").first,
        routed.setting("controls:diagnose"),
        routed.panel("messages").locator("li").first,
    ):
        control.focus()
        for key in "ddxabmyvr0z":
            page.keyboard.press(key)
            control.focus()
        page.keyboard.press("ArrowDown")
        lab.execute("pass")
        expect(cells).to_have_count(1)
        expect(page.locator(".jp-Notebook .jp-CodeCell")).to_have_count(1)
        expect(page.locator(".jp-Dialog")).to_have_count(0)
    expect(routed.word).to_have_text("CLOUD")


def test_arrows_move_a_slider(routed: Bench) -> None:
    """By one hundredth, and Home and End to its ends."""
    slider = routed.slider("rung:readout:answer")
    slider.press("Home")
    expect(slider).to_have_value("0")
    slider.press("ArrowRight")
    slider.press("ArrowUp")
    slider.press("ArrowLeft")
    expect(slider).to_have_value("0.01")
    slider.press("End")
    expect(slider).to_have_value("1")


def test_saving_stays_labs(routed: Bench) -> None:
    """Ctrl+S from a button and from the editor saves the notebook, and the browser's own dialog does not open."""
    dirty = "() => window.jupyterapp.shell.currentWidget.context.model.dirty"
    for control in (routed.setting("copy-record"), routed.editor):
        routed.page.evaluate("() => { window.jupyterapp.shell.currentWidget.context.model.dirty = true; }")
        control.press("ControlOrMeta+s")
        routed.page.wait_for_function(f"() => !({dirty})()")


def test_keys_go_to_the_panels(routed: Bench) -> None:
    """w, j and p put the focus on a panel's title, / into the search."""
    for key, panel in (("w", "why"), ("j", "judge"), ("p", "policy")):
        routed.page.keyboard.press(key)
        expect(routed.panel(panel).locator("h3")).to_be_focused()
        expect(routed.panel(panel).locator("h3")).to_be_in_viewport()
    routed.page.keyboard.press("/")
    expect(routed.setting("messages:search")).to_be_focused()


def test_keys_in_a_text_field_are_text(routed: Bench) -> None:
    """What is typed into the search is searched for."""
    search = routed.setting("messages:search")
    search.press_sequentially("wjpc?/nm")
    expect(search).to_be_focused()
    expect(search).to_have_value("wjpc?/nm")
    expect(routed.root.locator(".rw-keys")).to_be_hidden()


def test_n_steps_through_the_failed_results_and_around(routed: Bench) -> None:
    """Seven of them, in order, wherever the list is scrolled to; N goes back."""
    failed = routed.lab.execute("print(*[mark.turn for mark in bench.screen.derived.results if mark.failed])")
    turns = [int(turn) for turn in failed.split()]
    assert len(turns) == 7
    for turn in (*turns, turns[0]):
        routed.page.keyboard.press("n")
        expect(routed.message(turn)).to_be_focused()
        expect(routed.message(turn).locator(".fail")).to_be_in_viewport()
    routed.page.keyboard.press("N")
    expect(routed.message(turns[-1])).to_be_focused()


def test_m_steps_through_the_marks_of_the_judges_view(routed: Bench) -> None:
    """Each is a row that was clipped, dropped or redacted; M goes back."""
    rows = routed.panel("judge").locator(".eye > div:is(.clip, .drop, :has(mark))")
    expect(rows).not_to_have_count(0)
    keys = rows.evaluate_all("rows => rows.map(row => row.dataset.k)")
    routed.page.keyboard.press("m")
    assert _focused(routed) == keys[0]
    routed.page.keyboard.press("M")
    assert _focused(routed) == keys[-1]


def test_arrows_and_pages_move_among_messages(routed: Bench) -> None:
    """Down, Up, Home, End, and a page at a time; each row that is moved to is there and in view."""
    routed.message(1).focus()
    for key, turn in (("Home", 0), ("ArrowDown", 1), ("End", 34), ("ArrowUp", 33), ("ArrowDown", 34), ("Home", 0)):
        routed.page.keyboard.press(key)
        expect(routed.message(turn)).to_be_focused()
        expect(routed.message(turn)).to_be_in_viewport()
    routed.page.keyboard.press("PageDown")
    expect(routed.message(0)).not_to_be_focused()
    down = routed.page.evaluate("() => document.activeElement.dataset.k")
    assert 3 < int(down[1:]) < 30
    routed.page.keyboard.press("PageUp")
    expect(routed.message(int(down[1:]))).not_to_be_focused()
    up = routed.page.evaluate("() => document.activeElement.dataset.k")
    assert int(up[1:]) < 3


_COPIED = """async () => {
  for (const end = performance.now() + 20000; performance.now() < end; await new Promise(requestAnimationFrame)) {
    const text = await navigator.clipboard.readText();
    if (text !== "before") return text;
  }
}"""


def test_c_copies_the_record(routed: Bench) -> None:
    """What lies on the clipboard is the record, which holds no text of the conversation."""
    routed.page.evaluate("() => navigator.clipboard.writeText('before')")
    routed.page.keyboard.press("c")
    record = routed.page.evaluate(_COPIED)
    assert record == routed.lab.execute("print(bench.to_json(), end='')")
    assert "forecast" not in record


def test_the_list_of_keys_opens_and_closes(routed: Bench) -> None:
    """`?` opens and focuses it, Escape closes it and leaves the focus in the bench."""
    keys = routed.root.locator(".rw-keys")
    routed.page.keyboard.press("?")
    expect(keys).to_be_visible()
    expect(keys).to_be_focused()
    expect(keys.locator("li").first).to_have_text("Ctrl or Cmd Enterrun")
    routed.page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    expect(routed.root).to_be_focused()


def test_control_enter_runs_and_escape_cancels(bench: Bench) -> None:
    """Also from the editor; a live driver asks nothing before."""
    bench.go_live()
    bench.lab.execute(
        "bench._session.set_rung(__import__('routing_workbench').core.vgr.evidence.Rung.ATTEMPT, delay_ms=20000)"
    )
    bench.paste("User: what is 6 times 7?")
    expect(bench.status).to_have_text("Idle")
    bench.editor.press("ControlOrMeta+Enter")
    expect(bench.status).to_contain_text("Asking attempt")
    expect(bench.editor).to_have_value("User: what is 6 times 7?")
    bench.setting("cancel").first.focus()
    bench.page.keyboard.press("Escape")
    expect(bench.status).to_contain_text("Cancelled at")


_STOP = """root => {
  const node = document.activeElement;
  if (!root.contains(node)) return null;
  const after = !window.__stop || window.__stop.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
  window.__stop = node;
  const part = node.closest("section, [role=region]");
  const named = document.getElementById(part.getAttribute("aria-labelledby"))?.textContent;
  return [Boolean(after), named ?? part.getAttribute("aria-label")];
}"""


_PANELS = {
    "vgr": ("Why", "Probabilities", "Evidence timeline", "Judge\u2019s view"),
    "cutoffs": ("Ordered rules", "What the judge was asked", "What if: rules", "Smallest flips"),
    "escalation": ("Streak", "What if: judge settings", "Judge\u2019s view"),
}


@pytest.mark.parametrize("algorithm", list(_PANELS))
def test_tab_goes_through_the_panels_in_reading_order(routed: Bench, algorithm: str) -> None:
    """Forward through every control once, never back up the page's order nor into a hidden pane, and out at the end."""
    # What was on screen once stays in the page.
    for other in (*_PANELS, algorithm):
        routed.bring(other)
    routed.root.evaluate("root => { window.__stop = null; root.focus(); }")
    stops: list[tuple[bool, str]] = []
    for _ in range(200):
        routed.page.keyboard.press("Tab")
        at = routed.root.evaluate(_STOP)
        if at is None:
            break
        stops.append((at[0], at[1]))
    else:
        pytest.fail("Tab never leaves the bench")
    assert [stop for stop in stops if not stop[0]] == []
    panels = list(dict.fromkeys(name for _, name in stops))
    turns = ["Turns"] if algorithm == "escalation" else []
    settings = ["Turn settings"] if algorithm == "vgr" else []
    before = ["Routing Workbench", "Conversation", "Verdict", *turns, "Messages"]
    assert panels == [*before, *_PANELS[algorithm], *settings, "Driver: mock"]
    focusable = "button, select, textarea, summary, input"
    controls = routed.root.locator(focusable).evaluate_all(
        "nodes => nodes.filter(node => !node.disabled && node.checkVisibility() && node.tabIndex >= 0).length"
    )
    assert len(stops) >= controls
