"""The harness itself: it runs notebooks in the real Lab, and it sees what a test must not."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from lab_page import LabPage
from playwright.sync_api import expect


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    """A notebook whose saved output is stale."""
    path = tmp_path / "plain.ipynb"
    cell = nbformat.v4.new_code_cell("print(6 * 7)", execution_count=9)
    cell.outputs = [nbformat.v4.new_output("stream", text="stale")]
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    return path


def test_a_notebook_runs_in_both_themes_and_narrow(lab: LabPage, notebook: Path) -> None:
    """Opening strips what was saved, running twice gives new counts, theme and width follow."""
    lab.open_notebook(notebook)
    expect(lab.output(0)).not_to_contain_text("stale")
    lab.run_all()
    expect(lab.output(0)).to_have_text("42")
    lab.run_all()
    expect(lab.code_cells.nth(0).locator(".jp-InputPrompt")).to_have_text("[2]:")
    lab.theme("dark")
    lab.theme("light")
    lab.resize(600)
    assert lab.page.viewport_size == {"width": 600, "height": 900}
    assert lab.requests, "the request log saw Lab load"


def test_no_announcement_is_shown(lab: LabPage, notebook: Path) -> None:
    """Lab asks nothing about news, which would fetch them."""
    lab.open_notebook(notebook)
    lab.run_all()
    expect(lab.page.get_by_text("official Jupyter news")).to_have_count(0)


def test_a_request_that_leaves_loopback_is_seen_and_fails(lab: LabPage, notebook: Path) -> None:
    """The log holds it, and the browser finds no address for it."""
    lab.open_notebook(notebook)
    answer = lab.page.evaluate("fetch('http://elsewhere.invalid/pixel').then(() => 'sent', () => 'failed')")
    assert answer == "failed"
    assert lab.strangers() == ["http://elsewhere.invalid/pixel"]
    lab.requests.clear()
    lab.errors.clear()


def test_dialogs_and_console_errors_are_seen(lab: LabPage, notebook: Path) -> None:
    """What a hostile conversation would do if its text ran."""
    lab.open_notebook(notebook)
    lab.page.evaluate("alert('executed')")
    lab.page.evaluate("console.error('complaint')")
    assert lab.dialogs == ["executed"]
    assert lab.errors == ["complaint"]
    lab.dialogs.clear()
    lab.errors.clear()
