"""A pasted conversation is read, routed and drawn at once, and what is set moves verdict and drawing (SPEC 4.4, UI 5)."""

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
    expect(bench.root.locator(".details .kv .b")).to_have_text("Anthropic Messages request")
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
    assert bench.labels() == ["dial 0.20", "bar 0.90", "bar 0.50", "bar 0.50", "escalates 0.50"]

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
