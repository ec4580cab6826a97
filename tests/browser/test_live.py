"""A pasted conversation is read, routed and drawn at once; what is set moves verdict and drawing (SPEC 4.4, UI 5)."""

from __future__ import annotations

from pathlib import Path

from bench_page import Bench, Lane
from playwright.sync_api import expect

READOUT, DELIBERATION, PRIOR, TURN_CHECK = range(4)


def _conversation(examples: Path, name: str) -> str:
    return (examples / "conversations" / name).read_text(encoding="utf-8")


def test_a_pasted_tool_session_takes_agentic_verified(bench: Bench, examples: Path) -> None:
    """Anthropic's format, read from the clipboard: the format, the branch, the verdict and its reason."""
    text = _conversation(examples, "agent-tidewatch-dst-loop.json")
    bench.paste(text)
    expect(bench.editor).to_have_value(text)
    expect(bench.word).to_have_text("CLOUD")
    expect(bench.reason).to_have_text("7 of 16 tool results failed and the run did not recover.")
    expect(bench.root.locator(".details .kv .b")).to_have_text("Anthropic Messages request:")
    rungs = bench.panel("why").locator(".ladder > li")
    assert rungs.evaluate_all("rows => rows.map(row => [row.dataset.k, row.querySelector('.r').innerText])") == [
        ["checks", "no checker"],
        ["coding_no_checks", "not coding"],
        ["answer", "no final answer"],
        ["chat", "not chat"],
        ["agentic_recognized", "no prior"],
        ["agentic_verified", "taken"],
        ["default_verified", "not reached"],
        ["unknown", "not reached"],
    ]
    expect(bench.panel("why").locator(".ladder > .taken")).to_have_attribute("data-k", "agentic_verified")
    expect(bench.row("timeline", "stop")).to_contain_text("Production stops here")
    expect(bench.chart).to_be_hidden()


def test_the_readout_across_its_dial_moves_verdict_and_drawing(bench: Bench, examples: Path) -> None:
    """At 0.96 and at the dial itself LOCAL with a square mark, one hundredth below it CLOUD with a round one."""
    bench.paste(_conversation(examples, "agent-ledgerlite-last-line.json"))
    expect(bench.word).to_have_text("LOCAL")
    expect(bench.reason).to_have_text("Readout 0.96 clears the dial of 0.20.")
    bench.expect_mark(READOUT, 0.96, "square")
    bars = [(0.2, 2), (0.5, 1), (0.9, 1)]
    assert bench.drawn(READOUT) == Lane((0.96, "square"), bars, (0.2, 1))
    assert bench.drawn(DELIBERATION) == Lane(None, [(0.5, 2)], None)
    assert bench.drawn(PRIOR) == Lane(None, [(0.5, 1)], None)
    assert bench.drawn(TURN_CHECK) == Lane(None, [(0.5, 1)], None)
    assert bench.labels() == ["dial 0.20", "floor 0.50", "bar 0.90", "bar 0.50", "bar 0.50", "escalates 0.50"]

    bench.setting("rung:deliberation:answer").select_option("no")
    bench.slide("rung:readout:answer", 19)
    expect(bench.word).to_have_text("CLOUD")
    expect(bench.reason).to_have_text("Readout 0.19 misses 0.20 and deliberation 0.00 misses 0.50.")
    bench.expect_mark(READOUT, 0.19, "circle")
    bench.expect_mark(DELIBERATION, 0, "circle")
    assert bench.drawn(READOUT) == Lane((0.19, "circle"), bars, (0.2, 1))
    assert bench.drawn(DELIBERATION) == Lane((0, "circle"), [(0.5, 2)], (0.5, 1))
    values = bench.root.locator(".rw-column").nth(1).locator(".lane")
    expect(values).to_have_text(
        ["mock 0.19misses \u22120.01", "mock 0.00misses \u22120.50", "not declared", "not asked"]
    )
    _expect_clause(bench, "B.B1", ["0.19", "\u2265 0.20", "\u22120.01", "no", "mock"])

    bench.slider("rung:readout:answer").press("ArrowRight")
    expect(bench.word).to_have_text("LOCAL")
    expect(bench.reason).to_have_text("Readout 0.20 clears the dial of 0.20.")
    bench.expect_mark(READOUT, 0.2, "square")
    bench.expect_mark(DELIBERATION, None)
    assert bench.drawn(READOUT) == Lane((0.2, "square"), bars, (0.2, 1))
    assert bench.drawn(DELIBERATION) == Lane(None, [(0.5, 2)], None)
    _expect_clause(bench, "B.B1", ["0.20", "\u2265 0.20", "+0.00", "yes", "mock"])


def _expect_clause(bench: Bench, key: str, cells: list[str]) -> None:
    expect(bench.row("why", key).locator(":scope > span:not(.clause)")).to_have_text(cells)


def test_after_a_reload_the_current_state_is_there_and_editing_goes_on(bench: Bench, examples: Path) -> None:
    """Editor, verdict, ladder, settings and the drawn figure are those of the last input, not of the construction."""
    text = _conversation(examples, "agent-ledgerlite-last-line.json")
    bench.paste(text)
    bench.expect_mark(READOUT, 0.96, "square")
    bench.setting("rung:deliberation:answer").select_option("no")
    bench.slide("rung:readout:answer", 19)
    bench.expect_mark(READOUT, 0.19, "circle")
    drawn = [bench.drawn(lane) for lane in range(4)]
    bench.lab.save()
    bench.lab.reload()
    expect(bench.editor).to_have_value(text)
    expect(bench.word).to_have_text("CLOUD")
    expect(bench.panel("why").locator(".ladder > .taken")).to_have_attribute("data-k", "agentic_verified")
    expect(bench.slider("rung:readout:answer")).to_have_value("0.19")
    expect(bench.setting("rung:deliberation:answer")).to_have_value("no")
    bench.expect_mark(READOUT, 0.19, "circle")
    assert [bench.drawn(lane) for lane in range(4)] == drawn

    bench.slider("rung:readout:answer").press("End")
    expect(bench.reason).to_have_text("Readout 1.00 clears the dial of 0.20.")
    bench.expect_mark(READOUT, 1, "square")
    bench.editor.press_sequentially(" ")
    bench.paste("What is 6 times 7?")
    expect(bench.reason).not_to_contain_text("dial of 0.20")
    expect(bench.panel("messages")).to_contain_text("What is 6 times 7?")


def test_of_several_pastes_in_a_row_the_last_one_wins(bench: Bench, examples: Path) -> None:
    """However quickly they come, and with a slow run on, the screen ends at the last one."""
    names = ("agent-ledgerlite-last-line.json", "agent-quillgraph-cycle-and-flail.json", "answer-leap-seconds.txt")
    for name in names * 2:
        bench.paste(_conversation(examples, name))
    delay = bench.setting("rung:readout:delay")
    delay.fill("20000")
    delay.press("Enter")
    bench.paste(_conversation(examples, names[0]))
    expect(bench.status).to_contain_text("Asking readout")
    bench.paste(_conversation(examples, "agent-tidewatch-dst-loop.json"))
    expect(bench.reason).to_have_text("7 of 16 tool results failed and the run did not recover.")
    bench.settle()
    expect(bench.reason).to_have_text("7 of 16 tool results failed and the run did not recover.")
    expect(bench.editor).to_have_value(_conversation(examples, "agent-tidewatch-dst-loop.json"))
    expect(bench.status).to_contain_text("Done")


def test_typing_quickly_ends_at_what_was_typed(bench: Bench) -> None:
    """Each key cancels the run before it; the caret stays where the typist is, and the messages are the last text's."""
    bench.editor.press_sequentially("User: how old is the oldest tree, and where does it stand?", delay=7)
    expect(bench.panel("messages").locator(".said").first).to_have_text(
        "how old is the oldest tree, and where does it stand?"
    )
    expect(bench.status).to_contain_text("Done")
    for _ in range(len("and where does it stand?")):
        bench.page.keyboard.press("Backspace")
    bench.page.keyboard.type("and how tall?")
    expect(bench.editor).to_have_value("User: how old is the oldest tree, and how tall?")
    expect(bench.panel("messages").locator(".said").first).to_have_text("how old is the oldest tree, and how tall?")


#: Remembers how the verdict card stood after each change of it.
_WATCH = """card => {
  const look = () => window.__cards.push([card.className, card.querySelector(".word")?.textContent ?? ""]);
  window.__cards = [];
  new MutationObserver(look).observe(card, { subtree: true, childList: true, attributes: true, characterData: true });
}"""


def test_between_two_verdicts_of_fast_runs_nothing_flickers(bench: Bench, examples: Path) -> None:
    """The card goes from verdict to verdict: at no time is it empty, running or stale."""
    # On a loaded machine any run may take long; what is fast is set so that these are.
    bench.lab.execute("from routing_workbench.workbench import session; session.REVEAL_AFTER = 20.0")
    bench.paste(_conversation(examples, "agent-ledgerlite-last-line.json"))
    expect(bench.word).to_have_text("LOCAL")
    bench.setting("rung:deliberation:answer").select_option("no")
    bench.verdict.evaluate(_WATCH)
    for value, word in (("0.10", "CLOUD"), ("0.30", "LOCAL"), ("0.05", "CLOUD")):
        bench.slider("rung:readout:answer").fill(value)
        expect(bench.reason).to_contain_text(f"Readout {value} ")
        expect(bench.word).to_have_text(word)
    bench.paste(_conversation(examples, "answer-leap-seconds.txt"))
    expect(bench.word).to_have_text("CLOUD")
    seen = {tuple(card) for card in bench.page.evaluate("window.__cards")}
    bench.lab.execute("session.REVEAL_AFTER = 0.15")
    assert ("panel verdict local", "LOCAL") in seen
    assert ("panel verdict cloud", "CLOUD") in seen
    assert {kind for kind, _ in seen} == {"panel verdict local", "panel verdict cloud"}
    assert {word for _, word in seen} == {"LOCAL", "CLOUD"}


def test_focus_caret_scroll_and_folds_survive_repaints(bench: Bench, examples: Path) -> None:
    """What the user holds stays while panels are painted under it."""
    bench.paste(_conversation(examples, "agent-quillgraph-cycle-and-flail.json"))
    expect(bench.word).to_have_text("CLOUD")
    fold = bench.message(3).locator("button.fold")
    fold.click()
    expect(fold).to_have_attribute("aria-expanded", "true")
    expect(bench.message(3).locator(".full")).to_be_visible()
    scroll = bench.panel("messages").locator(".scroll")
    scroll.evaluate("node => { node.scrollTop = 120; }")
    bench.editor.focus()
    bench.editor.evaluate("area => { area.setSelectionRange(700, 720); area.scrollTop = 300; }")

    bench.lab.execute("bench._session.set_controls(prior_local=0.5)")
    taken = bench.panel("why").locator(".ladder > .taken")
    expect(taken).to_have_attribute("data-k", "agentic_recognized")
    bench.settle()
    expect(fold).to_have_attribute("aria-expanded", "true")
    assert scroll.evaluate("node => node.scrollTop") == 120
    expect(bench.editor).to_be_focused()
    assert bench.editor.evaluate("area => [area.selectionStart, area.selectionEnd, area.scrollTop]") == [700, 720, 300]


def test_a_dragged_slider_moves_the_verdict_and_stays_under_the_pointer(bench: Bench, examples: Path) -> None:
    """The verdict follows while the button is down; no repaint takes the slider away or puts it back."""
    bench.paste(_conversation(examples, "agent-ledgerlite-last-line.json"))
    expect(bench.word).to_have_text("LOCAL")
    bench.setting("rung:deliberation:answer").select_option("no")
    slider = bench.slider("rung:readout:answer")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    mouse, middle = bench.page.mouse, box["y"] + box["height"] / 2
    mouse.move(box["x"] + 6 + 0.96 * (box["width"] - 12), middle)
    mouse.down()
    for part, word in ((0.1, "CLOUD"), (0.6, "LOCAL"), (0.05, "CLOUD")):
        mouse.move(box["x"] + 6 + part * (box["width"] - 12), middle, steps=5)
        expect(bench.word).to_have_text(word)
        assert abs(float(slider.input_value()) - part) <= 0.01
        assert slider.evaluate("node => node === document.activeElement")
    value = float(slider.input_value())
    mouse.up()
    expect(bench.reason).to_contain_text(f"Readout {value:.2f} misses 0.20")
    expect(bench.setting("rung:readout:answer").nth(1)).to_have_value(slider.input_value())


def test_three_hundred_thousand_characters_are_read_as_they_are_pasted(bench: Bench) -> None:
    """A long paste stays live: whole in the kernel, routed, and edited on."""
    text = "User: " + "tide " * 60_000 + "?"
    bench.paste(text)
    expect(bench.status).to_contain_text("Done")
    expect(bench.root.locator(".counts")).to_contain_text(f"{len(text) - 6:,} chars")
    assert bench.lab.execute("print(len(bench._session.text))") == f"{len(text)}\n"
    bench.editor.press("ControlOrMeta+End")
    bench.page.keyboard.type(" Why?")
    expect(bench.root.locator(".counts")).to_contain_text(f"{len(text) - 1:,} chars")
    expect(bench.editor).to_have_value(text + " Why?")


def test_a_paste_above_the_limit_says_so_and_is_read_when_applied(bench: Bench) -> None:
    """Nothing is sent and nothing lost before Apply; then all of it is read."""
    bench.paste("User: short")
    expect(bench.root.locator(".counts")).to_contain_text("5 chars")
    text = "User: " + "x" * 1_000_000
    bench.paste(text)
    foot = bench.root.locator(".rw-paste-foot")
    expect(foot).to_contain_text(
        "1,000,006 chars, over the 1,000,000 that are read as you type. Apply it, or save it and open the file."
    )
    expect(bench.root.locator(".counts")).to_contain_text("5 chars")
    foot.get_by_role("button", name="Apply").click()
    expect(bench.root.locator(".counts")).to_contain_text("1,000,000 chars")
    expect(foot).to_contain_text("1,000,006 chars, too long to edit here. Type or paste to replace it.")
    assert bench.lab.execute("print(len(bench._session.text))") == "1000006\n"
    assert bench.editor.evaluate("area => area.value.length") == 0
    bench.paste("User: short")
    expect(bench.root.locator(".counts")).to_contain_text("5 chars")


def test_a_file_is_opened_with_its_name(bench: Bench, examples: Path) -> None:
    """The button opens the browser's dialog; text, name and verdict follow."""
    path = examples / "conversations" / "agent-tidewatch-dst-loop.json"
    with bench.page.expect_file_chooser() as chooser:
        bench.setting("open").click()
    chooser.value.set_files(path)
    expect(bench.word).to_have_text("CLOUD")
    expect(bench.editor).to_have_value(path.read_text(encoding="utf-8"))
    expect(bench.root.locator(".rw-conversation .ph")).to_contain_text(path.name)


def test_a_dropped_file_is_read_and_what_is_not_says_why(bench: Bench) -> None:
    """Text is read; bytes that are none and a file above the limit each get a sentence, and the text before stays."""
    bench.drop("ask.txt", b"User: how high is the tide?")
    expect(bench.panel("messages").locator(".said").first).to_have_text("how high is the tide?")
    expect(bench.editor).to_have_value("User: how high is the tide?")
    foot = bench.root.locator(".rw-paste-foot")
    bench.drop("big.bin", b"x", zeros=64_000_000)
    expect(foot).to_contain_text(
        "64,000,001 bytes, over the limit of 64,000,000. Open it by its path: press Path, or use bench.open(path)."
    )
    bench.drop("noise.bin", b"\x7b\xff\xfe")
    expect(foot).to_contain_text("Byte 2 is not UTF-8: this is not a text file. Save it as UTF-8.")
    expect(bench.editor).to_have_value("User: how high is the tide?")
    expect(bench.panel("messages").locator(".said").first).to_have_text("how high is the tide?")
