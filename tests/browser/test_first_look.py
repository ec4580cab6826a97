"""The first notebook, as a newcomer meets it: run all cells, choose an example, read the verdict."""

from __future__ import annotations

from pathlib import Path

from bench_page import Bench
from lab_page import LabPage
from playwright.sync_api import expect


def test_the_first_notebook_runs_and_an_example_shows_its_verdict(lab: LabPage, examples: Path) -> None:
    """All cells run clean; the bench asks for a conversation and the first example gives CLOUD with its reason."""
    lab.open_notebook(examples / "first_look.ipynb")
    lab.run_all()
    bench = Bench(lab)
    bench.wait_until_empty()
    expect(lab.output(1)).to_contain_text("Readout 0.96 clears the dial of 0.70.")
    bench.root.get_by_role("combobox", name="Examples").first.select_option("agent-tidewatch-dst-loop.json")
    expect(bench.word).to_have_text("CLOUD")
    expect(bench.reason).to_have_text("7 of 16 tool results failed and the run did not recover.")
    text = (examples / "conversations" / "agent-tidewatch-dst-loop.json").read_text(encoding="utf-8")
    expect(bench.editor).to_have_value(text)
    expect(bench.root.locator(".badge")).to_have_text("MOCK, seed 7")
