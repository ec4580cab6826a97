"""A check with real processes: how it ends, what becomes of its tests, and what is shown of it."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from routing_workbench.workbench.checker.checker import Checker
from routing_workbench.workbench.checker.config import CheckerConfig
from routing_workbench.workbench.checker.outcome import CheckerEnding, CheckerOutcome
from routing_workbench.workbench.checker.processes import Tree

MakeChecker = Callable[..., Checker]
Check = Callable[..., CheckerOutcome]
LeftIn = Callable[[], list[str]]


# How it ends


def test_exit_status_0_passes(checker: MakeChecker, check: Check, left_in: LeftIn) -> None:
    """With the tests unchanged; the workspace is gone."""
    outcome = check(checker("pass"))
    assert (outcome.passed, outcome.ending, outcome.exit_code) == (True, CheckerEnding.PASSED, 0)
    assert outcome.took > 0.0
    assert left_in() == []


@pytest.mark.parametrize("status", [1, 2, 127, 255])
def test_any_other_exit_status_fails(checker: MakeChecker, check: Check, left_in: LeftIn, status: int) -> None:
    """It is the command's own no."""
    outcome = check(checker(f"raise SystemExit({status})"))
    assert (outcome.passed, outcome.ending, outcome.exit_code) == (False, CheckerEnding.FAILED, status)
    assert left_in() == []


def test_a_signal_is_no_answer(checker: MakeChecker, check: Check) -> None:
    """A command that was killed has not said no."""
    outcome = check(checker("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"))
    assert (outcome.passed, outcome.ending, outcome.exit_code) == (False, CheckerEnding.KILLED_BY_SIGNAL, None)


@pytest.mark.parametrize("program", ["no-such-program", "/no/such/program", "tests/check.py", "."])
def test_a_program_that_can_not_be_started(checker: MakeChecker, check: Check, left_in: LeftIn, program: str) -> None:
    """Not there, not executable, or a folder."""
    outcome = check(checker("pass", command=(program,)))
    assert (outcome.passed, outcome.ending, outcome.exit_code) == (False, CheckerEnding.NOT_STARTED, None)
    assert left_in() == []


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("nan")])
def test_without_time_nothing_starts(checker: MakeChecker, check: Check, tmp_path: Path, timeout: float) -> None:
    """Time that is not more than none is over."""
    outcome = check(checker("open(sys.argv[1], 'x')", tmp_path / "ran"), timeout=timeout)
    assert outcome.ending is CheckerEnding.TIMED_OUT
    assert not (tmp_path / "ran").exists()


def test_a_workspace_that_can_not_be_made_is_no_pass(checker: MakeChecker, check: Check, private: Path) -> None:
    """The disk may be full or the folder gone."""
    made = checker("pass")
    private.rename(private.with_name("elsewhere"))
    assert check(made).ending is CheckerEnding.WORKSPACE_FAILED


def test_a_workspace_that_can_not_be_removed_is_no_pass(
    checker: MakeChecker, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attempt's text would stay behind."""
    monkeypatch.setattr("routing_workbench.workbench.checker.workspace.remove_folder", lambda root: False)
    outcome = check(checker("pass"))
    assert (outcome.passed, outcome.ending, outcome.exit_code) == (False, CheckerEnding.WORKSPACE_FAILED, 0)


def test_a_process_that_can_not_be_killed_is_no_pass(
    checker: MakeChecker, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It could still change what was verified."""
    monkeypatch.setattr(Tree, "kill", lambda self: False)
    outcome = check(checker("pass"))
    assert (outcome.passed, outcome.ending, outcome.exit_code) == (False, CheckerEnding.WORKSPACE_FAILED, 0)


# The tests


@pytest.mark.parametrize(
    "change",
    [
        "pathlib.Path('tests/deeper/expected.txt').write_text('41 litres')",
        "pathlib.Path('tests/conftest.py').touch()",
        "pathlib.Path('tests/deeper/expected.txt').unlink()",
        "os.rename('tests', 'was'); shutil.copytree('was', 'tests'); os.chmod('tests/check.py', 0o755)",
        "os.rename('tests', 'was'); os.symlink('was', 'tests')",
        "os.unlink('tests/tool'); os.mkfifo('tests/tool')",
    ],
)
@pytest.mark.parametrize("status", [0, 1])
def test_a_command_that_changes_its_tests_does_not_pass(
    checker: MakeChecker, check: Check, left_in: LeftIn, change: str, status: int
) -> None:
    """Whatever its exit status says."""
    unlock = "[os.chmod(path, 0o700) for path in ('tests', 'tests/deeper', 'tests/deeper/expected.txt')]"
    outcome = check(checker(f"import os, pathlib, shutil; {unlock}; {change}; raise SystemExit({status})"))
    assert (outcome.passed, outcome.ending) == (False, CheckerEnding.TESTS_CHANGED_AFTER)
    assert outcome.exit_code == status
    assert left_in() == []


def test_a_process_left_behind_can_not_change_the_tests_later(checker: MakeChecker, check: Check) -> None:
    """It is killed before they are verified, so a clean exit still passes."""
    script = """
    import os, time
    if os.fork() == 0:
        time.sleep(60)
    """
    assert check(checker(textwrap.dedent(script))).ending is CheckerEnding.PASSED


def test_a_command_that_tampers_with_the_pinned_copy_does_not_pass(
    checker: MakeChecker, check: Check, private: Path
) -> None:
    """Neither in this run nor in the next."""
    script = """
    import pathlib, sys
    for path in pathlib.Path(sys.argv[1]).glob("*/tests/deeper/expected.txt"):
        path.chmod(0o600)
        path.write_text("tampered")
    """
    made = checker(textwrap.dedent(script), private)
    assert check(made).ending is CheckerEnding.TESTS_CHANGED_AFTER
    assert check(made).ending is CheckerEnding.TESTS_CHANGED_BEFORE


def test_what_was_pinned_runs_whatever_becomes_of_the_original(
    checker: MakeChecker, check: Check, tests_dir: Path
) -> None:
    """A test that fails stays failing when the folder is changed afterwards."""
    made = checker("raise SystemExit(1)")
    (tests_dir / "check.py").write_text("pass", encoding="utf-8")
    assert check(made).ending is CheckerEnding.FAILED


def test_an_executable_of_the_tests_can_be_the_command(checker: MakeChecker, check: Check) -> None:
    """Its executable bit is pinned, and its path starts at the workspace."""
    assert check(checker("", command=("tests/tool",))).ending is CheckerEnding.PASSED


def test_a_closed_checker_passes_nothing(checker: MakeChecker, check: Check, private: Path) -> None:
    """Its copy is gone."""
    made = checker("pass")
    made.close()
    assert list(private.iterdir()) == []
    assert check(made).ending is CheckerEnding.TESTS_CHANGED_BEFORE


def test_the_copy_goes_with_the_checker(config: Callable[..., CheckerConfig], private: Path) -> None:
    """Nobody has to close one."""
    made = Checker(config())
    assert len(list(private.iterdir())) == 1
    del made
    assert list(private.iterdir()) == []


# What is shown


def test_the_repr_says_that_it_is_no_sandbox(checker: MakeChecker) -> None:
    """It names the command and the pinned tests, and no argument."""
    made = checker("pass", "--token=k3y", command=("/opt/check", "--token=k3y"))
    assert repr(made) == (
        f"Checker('check', tests {made.manifest_hash[:12]}; The checker is no sandbox: it confines nothing by itself, "
        "and the command runs with the rights of this user.)"
    )


def test_nothing_of_the_attempt_or_the_output_is_shown(
    checker: MakeChecker, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Neither in the outcome nor in a log, of a loop in debug mode even."""
    caplog.set_level(0)
    made = checker("import sys; print(open('attempt.md').read()); raise SystemExit(open('attempt.md').read())")
    outcome = asyncio.run(made.run("sesame", 30.0), debug=True)
    assert outcome.ending is CheckerEnding.FAILED
    assert "sesame" not in "".join([repr(outcome), repr(made), caplog.text, *capfd.readouterr()])
