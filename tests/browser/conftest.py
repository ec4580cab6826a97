"""Fixtures of the browser tests: one JupyterLab for all of them, one Chromium a module, a fresh page for each.

Chromium ends with its module: the event loop that runs while playwright is open keeps other tests from running theirs.
A missing browser is a failure, never a skip; leave these tests out with `-m "not browser"`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import ARGUMENTS, find_chromium
from lab_page import LabPage
from lab_server import LabServer
from playwright.sync_api import Browser, sync_playwright

_HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def lab_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    """A running JupyterLab."""
    with LabServer(tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A running headless Chromium."""
    executable = find_chromium()
    if executable is None:
        pytest.fail("No Chromium. `make test` installs one; CHROMIUM=/path names one.", pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture
def lab(browser: Browser, lab_server: LabServer) -> Iterator[LabPage]:
    """A page in JupyterLab; afterwards nothing left loopback, no dialog opened and no error reached the console."""
    context = browser.new_context(viewport={"width": 1600, "height": 1000}, service_workers="block")
    page = LabPage(context.new_page(), lab_server)
    yield page
    context.close()
    assert page.strangers() == []
    assert page.dialogs == []
    assert page.errors == []


@pytest.fixture(scope="session")
def examples() -> Path:
    """The folder of the example notebooks."""
    return _HERE.parents[1] / "examples"
