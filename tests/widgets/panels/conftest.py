"""The sample screens as fixtures: `screens` is the module, `screen` each of its states in turn."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

_spec = spec_from_file_location("panel_screens", Path(__file__).with_name("screens.py"))
_screens = module_from_spec(_spec)
_spec.loader.exec_module(_screens)


@pytest.fixture(scope="session")
def screens():
    """The module of sample screens."""
    return _screens


@pytest.fixture(params=sorted(_screens.STATES))
def screen(request):
    """One screen of every state."""
    return _screens.STATES[request.param]()
