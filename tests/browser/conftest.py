"""Fixtures of the browser tests: one JupyterLab for all of them, one Chromium a module, a fresh page for each.

Chromium ends with its module: the event loop that runs while playwright is open keeps other tests from running theirs.
A missing browser is a failure, never a skip; leave these tests out with `-m "not browser"`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
from bench_page import CELL, Bench
from chromium import ARGUMENTS, find_chromium
from lab_page import PATIENCE, LabPage
from lab_server import LabServer
from live_model import KEY_VARIABLE
from playwright.sync_api import Browser, expect, sync_playwright

_HERE = Path(__file__).parent
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def live_key() -> Iterator[str]:
    """A key that kernels have in their environment, which is the only way that one gets there."""
    key = f"sk-{secrets.token_hex(20)}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_VARIABLE, key)
        yield key


@pytest.fixture(scope="session")
def lab_server(tmp_path_factory: pytest.TempPathFactory, live_key: str) -> Iterator[LabServer]:
    """A running JupyterLab."""
    del live_key
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
    with _page(browser, lab_server) as page:
        yield page
    page.check()


@pytest.fixture(scope="module")
def bench_lab(browser: Browser, lab_server: LabServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabPage]:
    """A page whose notebook shows one bench, for all tests of a module."""
    path = tmp_path_factory.mktemp("bench") / "bench.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)]), path)
    with _page(browser, lab_server) as page:
        page.open_notebook(path)
        page.resize(1600, 1000)
        page.run_all()
        yield page


@pytest.fixture
def bench(bench_lab: LabPage) -> Iterator[Bench]:
    """The module's bench, empty again; what must not happen is looked for after each test."""
    bench = Bench(bench_lab)
    bench.reset()
    yield bench
    bench_lab.check()


@contextmanager
def _page(browser: Browser, server: LabServer) -> Iterator[LabPage]:
    context = browser.new_context(
        viewport={"width": 1600, "height": 1000},
        service_workers="block",
        permissions=["clipboard-read", "clipboard-write"],
    )
    yield LabPage(context.new_page(), server)
    context.close()


@pytest.fixture(scope="session")
def examples() -> Path:
    """The folder of the example notebooks."""
    return _HERE.parents[1] / "examples"
