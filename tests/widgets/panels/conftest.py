"""The sample screens as fixtures: `screens` and `cutoffs` are modules, `screen` each of their states in turn."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest


def _samples(name):
    spec = spec_from_file_location(f"panel_{name}", Path(__file__).with_name(f"{name}.py"))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_screens, _cutoffs = _samples("screens"), _samples("cutoff_screens")
_STATES = {
    **{f"vgr-{name}": made for name, made in _screens.STATES.items()},
    **{f"cutoffs-{name}": made for name, made in _cutoffs.STATES.items()},
}


@pytest.fixture(scope="session")
def screens():
    """The module of sample screens of verification-gated routing."""
    return _screens


@pytest.fixture(scope="session")
def cutoffs():
    """The module of sample screens of ordered cutoffs."""
    return _cutoffs


@pytest.fixture(params=sorted(_STATES))
def screen(request):
    """One screen of every state of each."""
    return _STATES[request.param]()


@pytest.fixture(scope="session")
def text():
    """Gives the text of a piece, tags as spaces."""

    def read(html: str) -> str:
        return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)).replace("&quot;", '"').replace("&gt;", ">").strip()

    return read


@pytest.fixture(scope="session")
def row():
    """Gives the row of a key."""

    def found(html: str, key: str, tag: str = "li") -> str:
        match = re.search(rf'<{tag}[^>]* data-k="{re.escape(key)}"[^>]*>(.*?)</{tag}>', html, re.DOTALL)
        assert match, key
        return match[0]

    return found
