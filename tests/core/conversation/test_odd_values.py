"""A value of another type, in any place of any paste, is read or remarked on: no reader takes a type for granted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from routing_workbench.core.conversation import read

from .test_pastes import PASTES
