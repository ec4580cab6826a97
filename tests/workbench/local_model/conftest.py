"""The real local model, started once for these tests, where this machine can run it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from local_model import real_model
from routing_workbench.workbench.drivers.http.driver import HttpDriver
from routing_workbench.workbench.drivers.http.targets import Client, Target, WireFormat
from routing_workbench.workbench.drivers.protocol import Category
from routing_workbench.workbench.local_model.parts import ALIAS
from routing_workbench.workbench.local_model.server import HOST, LocalServer


@pytest.fixture(scope="session")
def model_server() -> Iterator[LocalServer]:
    """A running llama.cpp server with SmolLM2-135M."""
    with real_model() as server:
        yield server


@pytest.fixture
def target(model_server: LocalServer) -> Target:
    """The model as a target."""
    return Target(ALIAS, Client("local", WireFormat.OPENAI_CHAT, f"http://{HOST}:{model_server.port}/v1"))


@pytest.fixture
def driver(target: Target) -> HttpDriver:
    """A driver that asks the model for everything."""
    return HttpDriver({category: target for category in Category if category is not Category.CHECKER})


@pytest.fixture(scope="session")
def sessions() -> Path:
    """The folder of the six sessions."""
    return Path(__file__).resolve().parents[2] / "cases" / "sessions"
