"""A checker on a bench: nothing is run before Run, it is told to be no sandbox, and a check is recorded like a call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from routing_workbench.widgets.screen import Controls, RunState
from routing_workbench.workbench.checker.checker import Checker
from routing_workbench.workbench.checker.config import NO_SANDBOX
from routing_workbench.workbench.config.route import ConfigurationProblem
from routing_workbench.workbench.configured import configured
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.with_checker import WithChecker
from routing_workbench.workbench.driving import Drivers
from routing_workbench.workbench.session import Session

MakeChecker = Callable[..., Checker]
TALK = '{"messages": [{"role": "user", "content": "How many?"}, {"role": "assistant", "content": "40 litres"}]}'
ROUTE = """
[llm_clients.box]
format = "openai_chat"
base_url = "http://127.0.0.1:9/v1"

[targets.small]
id = "small-8b"
llm_client = "box"

[routes.checked]
type = "vgr"
local_target = "small"
cloud_target = "small"

[routes.checked.checker]
tests_dir = "tests"
command = ["python3", "-c", "import sys; sys.exit(open('attempt.md').read() != '40 litres')"]
sandbox_attestation = "a throw-away virtual machine"
validated = true
"""


@pytest.fixture
def checked(tmp_path: Path) -> Path:
    """A configuration whose route has a checker."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text("pass", encoding="utf-8")
    path = tmp_path / "routes.toml"
    path.write_text(ROUTE, encoding="utf-8")
    return path


@pytest.fixture
def bench() -> Iterator[Callable[..., Session]]:
    """Open a session on a conversation; it is closed when the test is over."""
    opened: list[Session] = []

    def make(**given: Any) -> Session:
        opened.append(Session(**given))
        opened[-1].set_text(TALK)
        assert opened[-1].wait(30)
        return opened[-1]

    yield make
    for session in opened:
        session.close()


def test_a_checker_beside_a_mock_is_not_run_before_run(checker: MakeChecker, bench: Callable[..., Session]) -> None:
    """Its command is real, whoever answers the rest."""
    driver = WithChecker(MockDriver(), checker("pass"))
    session = bench(driver=driver, controls=Controls(checker_configured=True))
    assert (session.screen.state, session.screen.outcome) == (RunState.IDLE, None)
    session.run()
    assert session.wait(30)
    assert session.screen.state is RunState.DONE


def test_a_bench_says_that_its_checker_is_no_sandbox(checked: Path, bench: Callable[..., Session]) -> None:
    """With its tests, and what the operator attests; also while the mock is asked."""
    session = bench(drivers=Drivers(configured=configured(checked)))
    for key in ("live", "mock"):
        session.choose_driver(key)
        assert session.wait(30)
        said = session.screen.driver and session.screen.driver.checker
        assert said is not None
        assert said.startswith("Checker python3, tests ")
        assert NO_SANDBOX in said
        assert said.endswith("The operator attests what confines it: a throw-away virtual machine.")


def test_a_recorded_check_is_replayed_as_one(checked: Path, bench: Callable[..., Session], tmp_path: Path) -> None:
    """Its command is not run again; the record says that it was recorded, and on which tests."""
    session = bench(drivers=Drivers(configured=configured(checked)))
    session.record_to(tmp_path / "kept.jsonl")
    session.run()
    assert session.wait(30)
    live = session.result and session.result.record()
    session.stop_recording()
    session.choose_driver("cassette:kept")
    session.run()
    assert session.wait(30)
    replayed = session.result and session.result.record()
    assert live
    assert replayed
    assert live["served"] == replayed["served"] == "local"
    assert live["asked"][0]["note"] == replayed["asked"][0]["note"]
    assert live["asked"][0]["note"].endswith(", no sandbox")
    assert (live["asked"][0]["origin"]["kind"], replayed["asked"][0]["origin"]["kind"]) == ("live", "cassette")


def test_closing_a_bench_removes_the_copy_of_the_tests(checked: Path, bench: Callable[..., Session]) -> None:
    """It was made for this bench."""
    found = configured(checked)
    session = bench(drivers=Drivers(configured=found))
    assert isinstance(found.driver, WithChecker)
    copy = found.driver.checker._pinned.root
    assert copy.is_dir()
    session.close()
    assert not copy.exists()


def test_a_test_folder_that_cannot_be_pinned_is_a_problem_of_the_configuration(checked: Path) -> None:
    """It shows when the copy is made, and reads like all else that is wrong with the file."""
    (checked.parent / "tests" / "link").symlink_to("test_it.py")
    with pytest.raises(ConfigurationProblem, match=r"Route `checked` cannot be used: .* holds the symbolic link"):
        configured(checked)
