"""A bench in its notebook: beside another, closed, run again, and saved (DESIGN, Jupyter facts)."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from bench_page import Bench
from lab_page import LabPage
from playwright.sync_api import Browser, expect

_IMPORT = "import routing_workbench\nfrom routing_workbench import *"
_BENCH = "from routing_workbench import Workbench\n{name} = Workbench()\n{name}"


def _write(path: Path, *cells: str) -> Path:
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells]), path)
    return path


def _conversation(examples: Path, name: str) -> str:
    return (examples / "conversations" / name).read_text(encoding="utf-8")


def test_two_benches_of_one_notebook_do_not_meet(lab: LabPage, tmp_path: Path, examples: Path) -> None:
    """Importing shows nothing. Each bench has its own text, settings, verdict and ids; closing one leaves the other."""
    lab.open_notebook(_write(tmp_path / "two.ipynb", _IMPORT, _BENCH.format(name="one"), _BENCH.format(name="two")))
    lab.run_all()
    expect(lab.output(0)).to_have_text("")
    one, two = Bench(lab, 1), Bench(lab, 2)
    one.paste(_conversation(examples, "agent-tidewatch-dst-loop.json"))
    expect(one.word).to_have_text("CLOUD")
    two.wait_until_empty()
    two.paste(_conversation(examples, "answer-leap-seconds.txt"))
    expect(two.word).to_have_text("LOCAL")
    two.setting("rung:deliberation:answer").select_option("no")
    two.setting("probabilities:view").get_by_text("Table").click()
    expect(two.root.locator("table.tab")).to_have_count(1)
    expect(one.word).to_have_text("CLOUD")
    expect(one.setting("rung:deliberation:answer")).to_have_value("yes")
    expect(one.root.locator("table.tab")).to_have_count(0)
    # A pane that was on screen once stays in the page.
    for bench, algorithms in ((one, ("escalation", "cutoffs")), (two, ("cutoffs", "escalation"))):
        for algorithm in algorithms:
            bench.tab(algorithm).click()
            expect(bench.status).to_contain_text("Done")
            expect(bench.verdict).to_be_visible()
        bench.shows(algorithms[-1])
    one.shows("cutoffs")
    ids = lab.page.evaluate("[...document.querySelectorAll('.rw [id]')].map(node => node.id)")
    assert len(ids) == len(set(ids)) > 0
    named = lab.page.evaluate(
        "[...document.querySelectorAll('.rw [aria-labelledby]')].map(n => n.ariaLabelledByElements)"
    )
    assert [names for names in named if len(names) != 1] == []

    lab.execute("one.close(); one.close()")
    expect(one.root).to_have_count(0)
    two.tab("vgr").click()
    expect(two.word).to_have_text("LOCAL")
    two.slide("rung:readout:answer", 10)
    expect(two.word).to_have_text("CLOUD")


def test_running_the_cell_again_gives_a_new_bench(lab: LabPage, tmp_path: Path) -> None:
    """The one before is gone from the page, and the new one works; also where the cell closes the old one first."""
    closing = "from routing_workbench import Workbench\nif 'it' in globals():\n    it.close()\nit = Workbench()\nit"
    lab.open_notebook(_write(tmp_path / "again.ipynb", _BENCH.format(name="bench"), closing))
    for _ in range(2):
        lab.run_all()
        for cell in (0, 1):
            bench = Bench(lab, cell)
            expect(bench.root).to_have_count(1)
            bench.wait_until_empty()
            bench.paste("User: a question that nobody answers yet")
            expect(bench.panel("messages")).to_contain_text("a question that nobody answers yet")


#: Stands in the conversation and nowhere else.
_CANARY = "zq7canary4kx"
_VERDICT = "Readout 0.19 misses 0.20 and deliberation 0.00 misses 0.50."


@pytest.fixture
def decided(bench: Bench, examples: Path) -> Bench:
    """A bench with a result that was edited after its cell ran, of a file."""
    text = _conversation(examples, "agent-ledgerlite-last-line.json").replace("samples/march", _CANARY)
    bench.drop(f"{_CANARY}.json", text.encode())
    expect(bench.root.locator(".rw-conversation .ph")).to_contain_text(f"{_CANARY}.json")
    bench.expect_mark(0, 0.96, "square")
    bench.setting("rung:deliberation:answer").select_option("no")
    bench.slide("rung:readout:answer", 19)
    expect(bench.reason).to_have_text(_VERDICT)
    expect(bench.lab.output(0).locator(".rw-static .reason")).to_have_text(_VERDICT)
    return bench


def test_a_saved_notebook_holds_the_last_result_and_no_conversation(decided: Bench) -> None:
    """Its outputs hold verdict and why; neither they nor the saved widget state hold what was pasted."""
    saved = decided.lab.saved()
    written = nbformat.writes(saved)
    assert _CANARY not in written
    assert "careful coding agent" not in written
    assert len(saved.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]) > 20
    outputs = [output.data for output in saved.cells[0].outputs]
    assert ["application/vnd.jupyter.widget-view+json" in data for data in outputs] == [True, False]
    assert _VERDICT in outputs[1]["text/html"]
    assert "agentic_verified" in outputs[1]["text/html"]
    assert outputs[1]["text/plain"].splitlines() == [
        f"Routing Workbench: CLOUD. {_VERDICT}",
        "branch agentic_verified, predicted CLOUD, gate none, effective CLOUD, served CLOUD, policy 1.0.0",
        "readout 0.19 against dial 0.20, mock",
        "deliberation 0.00 against bar 0.50, mock",
    ]


def test_the_page_without_a_kernel_shows_verdict_and_why(decided: Bench, browser: Browser) -> None:
    """The saved HTML alone, in any page: words, the tier's colour, the branch and the rule, without any request."""
    html = decided.lab.saved().cells[0].outputs[1].data["text/html"]
    context = browser.new_context()
    page = context.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.set_content(html)
    expect(page.locator(".rw-static .word")).to_have_text("CLOUD")
    expect(page.locator(".rw-static .reason")).to_have_text(_VERDICT)
    expect(page.locator(".rw-static .ladder > .taken")).to_contain_text("agentic_verified")
    expect(page.locator(".rw-static .trace")).to_contain_text("so the attempt is not committed")
    expect(page.locator(".rw-static .lamp")).to_have_css("background-color", "rgb(91, 53, 181)")
    expect(page.locator("button, select, input, textarea")).to_have_count(0)
    assert requests == []
    context.close()


def test_opened_again_without_running_lab_shows_the_result(decided: Bench) -> None:
    """The widgets are gone with their kernel, the result stands in their place; running the cell brings them back."""
    lab = decided.lab
    static = lab.output(0).locator(".rw-static")
    expect(static).to_be_hidden()
    lab.save()
    lab.forget_kernel()
    expect(static.locator(".word")).to_have_text("CLOUD")
    expect(static.locator(".reason")).to_be_visible()
    expect(static.locator(".reason")).to_have_text(_VERDICT)
    expect(lab.page.get_by_text("Error displaying widget")).to_be_hidden()
    lab.errors[:] = [error for error in lab.errors if "widget model" not in error]
    lab.run_all()
    decided.wait_until_empty()
    expect(static).to_be_hidden()


def _decide(bench: Bench, algorithm: str) -> str:
    """Bring this algorithm with a pasted canary to a verdict of its own, and give the sentence of its saved page."""
    bench.bring(algorithm)
    if algorithm == "cutoffs":
        bench.slider("cutoffs:cutoff").first.fill("0.2")
        expect(bench.verdict.locator(".lamp .label")).to_have_text("small")
    else:
        field = bench.setting("rung:escalation_judge:answer")
        field.fill(json.dumps({"escalate": True, "reason": f"It circles around {_CANARY}."}))
        field.press("Enter")
        expect(bench.word).to_have_text("CLOUD")
    bench.settle()
    reason = bench.reason.inner_text()
    expect(bench.lab.output(0).locator(".rw-static .reason")).to_have_text(reason)
    return reason


@pytest.mark.parametrize(
    ("algorithm", "starts", "holds"),
    [
        ("cutoffs", "Routing Workbench: small. Rule 1 won", "model local-coder-8b, confidence 1.0, mock"),
        ("escalation", "Routing Workbench: CLOUD. ", "latched at turn 2, mock"),
    ],
)
def test_a_saved_notebook_shows_the_algorithm_on_screen(
    decided: Bench, browser: Browser, algorithm: str, starts: str, holds: str
) -> None:
    """Its verdict and its drawing, without a kernel and without a word of conversation, question or judge."""
    reason = _decide(decided, algorithm)
    saved = decided.lab.saved()
    written = nbformat.writes(saved)
    assert _CANARY not in written
    assert "careful coding agent" not in written
    static = saved.cells[0].outputs[1].data
    assert static["text/plain"].startswith(starts)
    assert holds in static["text/plain"]
    context = browser.new_context()
    page = context.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.set_content(static["text/html"])
    expect(page.locator(".rw-static .reason")).to_have_text(reason)
    drawing = {"cutoffs": ".rules svg.ch .pbar", "escalation": ".streakbox > svg rect.off"}[algorithm]
    expect(page.locator(drawing).first).to_be_visible()
    expect(page.locator(".rw-static .verdict")).to_have_count(1)
    expect(page.locator("button, select, input, textarea")).to_have_count(0)
    assert requests == []
    context.close()


def test_a_notebook_opened_again_begins_with_the_algorithm_it_was_given(lab: LabPage, tmp_path: Path) -> None:
    """`Workbench(algorithm=...)` shows that tab first, also to a page that is loaded anew."""
    cell = "from routing_workbench import Workbench\nWorkbench('User: hello', algorithm='cutoffs')"
    lab.open_notebook(_write(tmp_path / "given.ipynb", cell))
    lab.run_all()
    bench = Bench(lab)
    for _ in range(2):
        expect(bench.status).to_contain_text("Done")
        expect(bench.tab("cutoffs")).to_have_attribute("aria-selected", "true")
        bench.shows("cutoffs")
        expect(bench.verdict.locator(".lamp .label")).to_be_visible()
        lab.save()
        lab.reload()
