"""The real model for tests: started on a free port, or the test is reported as not run, with the reason."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from routing_workbench.workbench.local_model.parts import CpuLacks, NotAvailable, find_parts
from routing_workbench.workbench.local_model.server import LocalServer

#: How the reason of a test begins that this machine's CPU can't run; CI counts no other skip as harmless.
NOT_RUN = "NOT RUN, no real model here:"


@contextmanager
def real_model(context: int = 8192) -> Iterator[LocalServer]:
    """A running server. Skips where the CPU can't run it; fails where it is only not installed."""
    try:
        parts = find_parts()
    except CpuLacks as error:
        pytest.skip(f"{NOT_RUN} {error}")
    except NotAvailable as error:
        pytest.fail(f"{error} `make test` does.", pytrace=False)
    with LocalServer(parts, free_port(), context) as server:
        yield server


def free_port() -> int:
    """A loopback port that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
