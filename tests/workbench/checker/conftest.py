"""Checkers whose command is a script of the test, a private place for their folders, and a line to talk back on."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from routing_workbench.workbench.checker.checker import Checker
from routing_workbench.workbench.checker.config import CheckerConfig
from routing_workbench.workbench.checker.outcome import CheckerOutcome

#: Seconds after which a test gives up; nothing waits for it to pass.
PATIENCE = 30.0
ATTEST = "tests run in a throw-away virtual machine"


class Line:
    """A pipe by name on which a script of a test says something, and the test hears it without waiting in vain."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        # Opened for both, so that no end of file comes when a script closes it.
        self._descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    async def heard(self) -> str:
        """What was said, once something was."""
        loop = asyncio.get_running_loop()
        readable = loop.create_future()
        loop.add_reader(self._descriptor, lambda: readable.done() or readable.set_result(None))
        try:
            async with asyncio.timeout(PATIENCE):
                await readable
        finally:
            loop.remove_reader(self._descriptor)
        return os.read(self._descriptor, 4096).decode()

    def close(self) -> None:
        """Close it."""
        os.close(self._descriptor)


class HurriedLoop(asyncio.SelectorEventLoop):
    """A loop whose clock can be put forward, so that a deadline is over when the test says so."""

    ahead = 0.0

    def time(self) -> float:
        """Monotonic seconds, put forward."""
        return super().time() + self.ahead


def is_alive(pid: int) -> bool:
    """Whether this process lives; a dead one that nobody has collected does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="latin-1")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def run_check(checker: Checker, attempt: str = "", timeout: float = PATIENCE) -> CheckerOutcome:
    """Run one check on a loop of its own."""
    return asyncio.run(checker.run(attempt, timeout))


def run_until_over(checker: Checker, line: Line) -> tuple[CheckerOutcome, str]:
    """Run a check whose time is over as soon as its script has said something; its outcome, and what was said."""

    async def both() -> tuple[CheckerOutcome, str]:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, HurriedLoop)
        running = asyncio.create_task(checker.run("", 600.0))
        said = await line.heard()
        loop.ahead += 601.0
        return await running, said

    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        return runner.run(both())


@pytest.fixture(autouse=True)
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where checkers put their folders in this test."""
    place = tmp_path / "private"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture
def left_in(private: Path) -> Callable[[], list[str]]:
    """What stands where checkers put their folders, but for the pinned copies."""
    return lambda: [path.name for path in private.iterdir() if not path.name.startswith("routing-workbench-tests-")]


@pytest.fixture
def tests_dir(tmp_path: Path) -> Path:
    """A folder of tests: one file, one executable, one file in a folder of its own."""
    folder = tmp_path / "given"
    (folder / "deeper").mkdir(parents=True)
    (folder / "check.py").write_text("", encoding="utf-8")
    (folder / "deeper" / "expected.txt").write_text("40 litres\n", encoding="utf-8")
    (folder / "tool").write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    (folder / "tool").chmod(0o755)
    return folder


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    """The line; a script is given its path as its only argument."""
    made = Line(tmp_path / "line")
    yield made
    made.close()


@pytest.fixture
def config(tests_dir: Path) -> Callable[..., CheckerConfig]:
    """A configuration, with what the test changes."""

    def make(**changed: Any) -> CheckerConfig:
        given: dict[str, Any] = {"tests_dir": tests_dir, "command": ("true",), "sandbox_attestation": ATTEST}
        return CheckerConfig(**(given | changed))

    return make


@pytest.fixture
def checker(config: Callable[..., CheckerConfig], tests_dir: Path) -> Iterator[Callable[..., Checker]]:
    """A checker that runs this Python script, `tests/check.py` of the pinned folder, with these arguments."""
    made: list[Checker] = []

    def make(script: str = "", *arguments: object, **changed: Any) -> Checker:
        (tests_dir / "check.py").write_text(script, encoding="utf-8")
        command = (sys.executable, "tests/check.py", *map(str, arguments))
        made.append(Checker(config(**({"command": command} | changed))))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def check() -> Callable[..., CheckerOutcome]:
    """Run one check to its end."""
    return run_check


@pytest.fixture
def until_over() -> Callable[[Checker, Line], tuple[CheckerOutcome, str]]:
    """Run a check until its script has said something, and end its time then."""
    return run_until_over


@pytest.fixture
def alive() -> Callable[[int], bool]:
    """Whether a process lives."""
    return is_alive
