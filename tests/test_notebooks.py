"""The example notebooks run as they stand, headless, without a word on stderr."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

_EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
_NOTEBOOKS = sorted(_EXAMPLES.glob("*.ipynb"))


def test_there_is_a_first_notebook() -> None:
    """The one that `make lab` opens."""
    assert _EXAMPLES / "first_look.ipynb" in _NOTEBOOKS


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
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(_EXAMPLES)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"] == []
    assert [cell for cell in notebook.cells if cell.cell_type == "code"][-1].outputs
