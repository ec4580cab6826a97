"""The sample screens of the panels, for the tests beside them."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

_spec = spec_from_file_location("panel_screens", Path(__file__).parent / "panels" / "screens.py")
_screens = module_from_spec(_spec)
_spec.loader.exec_module(_screens)


@pytest.fixture(scope="session")
def screens():
    """The module of sample screens."""
    return _screens
