"""The example notebooks run as they stand, headless, without a word on stderr."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

_EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
_NOTEBOOKS = sorted(_EXAMPLES.glob("*.ipynb"))


@cache
def _run(path: Path) -> nbformat.NotebookNode:
    """The notebook as it stands after a run beside its files."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(_EXAMPLES)}}).execute()
    return notebook


def test_there_is_a_first_notebook_and_it_leads_on() -> None:
    """The one that `make lab` opens links the other."""
    assert [path.name for path in _NOTEBOOKS] == ["first_look.ipynb", "three_algorithms.ipynb"]
    assert "](three_algorithms.ipynb)" in _NOTEBOOKS[0].read_text(encoding="utf-8")


@pytest.mark.parametrize("path", _NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_stored_without_outputs(path: Path) -> None:
    """What it shows comes from running it; it names its kernel, so Lab does not ask."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.outputs for cell in code] == [[] for _ in code]
    assert notebook.metadata.kernelspec.name == "python3"


@pytest.mark.parametrize("path", _NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs_clean(path: Path) -> None:
    """No error, nothing on stderr, and the last cell has something to show."""
    notebook = _run(path)
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"] == []
    assert [cell for cell in notebook.cells if cell.cell_type == "code"][-1].outputs


def test_the_three_algorithms_run_from_mock_and_cassette_and_wait_to_go_live() -> None:
    """The mock latches where its scenario says, no recorded call is missing, and the live bench has asked nothing."""
    cells = {cell.id: cell for cell in _run(_EXAMPLES / "three_algorithms.ipynb").cells}
    printed = {
        name: "".join([output.text for output in cell.outputs if output.output_type == "stream"])
        for name, cell in cells.items()
        if cell.cell_type == "code"
    }
    assert printed["vgr"].count("(mock, seed 7)") == 3
    assert printed["cutoffs"].splitlines()[-1].startswith("small takes the turn, model local-coder-8b: ")
    assert [line for line in printed["escalation"].splitlines() if "escalate streak 2" in line] == [
        " 9 escalate streak 2 escalate cloud"
    ]
    assert printed["cassette"].count("Every call is on the cassette.") == 2
    assert "mock" not in printed["cassette"]
    said = "".join([output.data["text/plain"] for output in cells["live"].outputs])
    assert "nothing has been asked yet" in said
