"""The sample screens of the panels, for the tests beside them."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest


def _samples(name):
    path = Path(__file__).parent / "panels" / f"{name}.py"
    spec = spec_from_file_location(f"panel_{name}", path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_screens, _cutoffs = _samples("screens"), _samples("cutoff_screens")


@pytest.fixture(scope="session")
def screens():
    """The module of sample screens of verification-gated routing."""
    return _screens


@pytest.fixture(scope="session")
def cutoffs():
    """The module of sample screens of ordered cutoffs."""
    return _cutoffs
