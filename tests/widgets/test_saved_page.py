"""The page for readers without a kernel: shown as an output of its own, and written anew once results pause."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from routing_workbench.widgets import saved_page
from routing_workbench.widgets.saved_page import SavedPage


class Notebook:
    """Stands in for IPython's display functions: the outputs by name, and how often one was written anew."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.outputs: dict[str, Any] = {}
        self.renewed = 0
        self.wrote = threading.Event()
        monkeypatch.setattr(saved_page, "display", self._show)
        monkeypatch.setattr(saved_page, "update_display", self._renew)

    def _show(self, data: Any, *, raw: bool, display_id: str) -> None:
        assert raw
        self.outputs[display_id] = data

    def _renew(self, data: Any, *, raw: bool, display_id: str) -> None:
        self._show(data, raw=raw, display_id=display_id)
        self.renewed += 1
        self.wrote.set()


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Notebook:
    """A notebook without outputs."""
    return Notebook(monkeypatch)


def test_results_that_come_quickly_are_written_once(notebook: Notebook) -> None:
    """The last one, after the pause."""
    result = {"text/plain": "first"}
    page = SavedPage("page", lambda: dict(result), pause=0.02)
    page.show()
    assert notebook.outputs == {"page": {"text/plain": "first"}}
    for word in ("second", "third"):
        result["text/plain"] = word
        page.renew()
    assert notebook.wrote.wait(10)
    assert notebook.outputs == {"page": {"text/plain": "third"}}
    assert notebook.renewed == 1
    page.close()


def test_closing_writes_what_is_due_and_nothing_after(notebook: Notebook) -> None:
    """Also where the pause is not over, and once only."""
    result = {"text/plain": "first"}
    page = SavedPage("page", lambda: dict(result), pause=60)
    page.show()
    result["text/plain"] = "last"
    page.renew()
    page.close()
    assert notebook.outputs == {"page": {"text/plain": "last"}}
    result["text/plain"] = "later"
    page.renew()
    page.close()
    assert (notebook.outputs, notebook.renewed) == ({"page": {"text/plain": "last"}}, 1)


def test_a_page_that_is_not_shown_writes_nothing(notebook: Notebook) -> None:
    """A bench without a cell has no output to keep."""
    page = SavedPage("page", lambda: {"text/plain": "first"}, pause=0)
    page.renew()
    page.close()
    assert notebook.outputs == {}


def test_the_same_result_is_not_written_again(notebook: Notebook) -> None:
    """Looking around changes no result."""
    page = SavedPage("page", lambda: {"text/plain": "first"}, pause=60)
    page.show()
    page.renew()
    page.close()
    assert notebook.renewed == 0
