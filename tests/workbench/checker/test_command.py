"""What a check's commands get: the attempt, an empty world around it, whatever loop it runs on."""

from __future__ import annotations

import asyncio
import os
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from routing_workbench.workbench.checker.checker import Checker
from routing_workbench.workbench.checker.outcome import CheckerEnding, CheckerOutcome

MakeChecker = Callable[..., Checker]
Check = Callable[..., CheckerOutcome]
LeftIn = Callable[[], list[str]]
ATTEMPT = "The tank holds 40 litres.\r\n\u2028\x00\ud800 Ünïcode"


def python(script: str, *arguments: object) -> tuple[str, ...]:
    """A Python script as a command."""
    return (sys.executable, "-c", textwrap.dedent(script), *map(str, arguments))


# Both commands


def test_the_attempt_is_a_file_in_a_private_workspace(checker: MakeChecker, check: Check, tmp_path: Path) -> None:
    """As it stands, lone surrogates included; the command stands in the workspace and finds nothing else there."""
    script = """
    import os, stat, sys
    with open(sys.argv[1], "w") as told:
        print(sorted(os.listdir()), oct(stat.S_IMODE(os.stat(".").st_mode)), file=told)
        print(ascii(open("attempt.md", "rb").read().decode("utf-8", "surrogatepass")), file=told)
        print(os.listdir("tmp"), os.environ["HOME"] == os.getcwd(), file=told)
    """
    assert check(checker(textwrap.dedent(script), tmp_path / "told"), ATTEMPT).passed
    assert (tmp_path / "told").read_text(encoding="utf-8").splitlines() == [
        "['attempt.md', 'tests', 'tmp'] 0o700",
        ascii(ATTEMPT),
        "[] True",
    ]


def test_the_environment_is_cleared(
    checker: MakeChecker, check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No key of the kernel's reaches the command."""
    monkeypatch.setenv("JUDGE_API_KEY", "k3y")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    script = "import os, sys; open(sys.argv[1], 'w').write(' '.join(sorted(os.environ)) + ' ' + os.environ['PATH'])"
    assert check(checker(script, tmp_path / "told")).passed
    assert (tmp_path / "told").read_text(encoding="utf-8") == (
        "HOME LANG PATH PYTHONDONTWRITEBYTECODE ROUTING_WORKBENCH_RUN TMPDIR /usr/local/bin:/usr/bin:/bin"
    )


def test_nothing_is_open_but_three_empty_streams(checker: MakeChecker, check: Check) -> None:
    """A file the kernel has open, inheritable even, is closed to the command; its input is empty."""
    script = """
    import os, sys
    held = [number for number in range(3, 256) if os.path.exists(f"/dev/fd/{number}")]
    streams = {os.stat(number).st_rdev for number in (0, 1, 2)}
    sys.exit(bool(sys.argv[1] in map(str, held)) or streams != {os.stat("/dev/null").st_rdev} or sys.stdin.read() != "")
    """
    kept = os.open("/dev/zero", os.O_RDONLY)
    try:
        os.set_inheritable(kept, True)
        assert check(checker(textwrap.dedent(script), kept)).ending is CheckerEnding.PASSED
    finally:
        os.close(kept)


def test_no_amount_of_output_holds_it_up(checker: MakeChecker, check: Check) -> None:
    """Nobody reads it and it fills no pipe."""
    script = "import sys; [print('x' * 1_000_000, file=to) for to in (sys.stdout, sys.stderr) for _ in range(40)]"
    assert check(checker(script)).ending is CheckerEnding.PASSED


def test_the_attempt_is_no_argument(checker: MakeChecker, check: Check, tmp_path: Path) -> None:
    """Arguments and environment are readable to others on the machine."""
    script = "import os, sys; open(sys.argv[1], 'w').write(ascii([sys.argv, sorted(os.environ.items())]))"
    assert check(checker(script, tmp_path / "told"), "sesame").passed
    assert "sesame" not in (tmp_path / "told").read_text(encoding="utf-8")


def test_runs_do_not_meet(checker: MakeChecker) -> None:
    """Each has a workspace of its own."""
    made = checker("import sys; sys.exit(open('attempt.md').read() != 'yes')")

    async def both() -> list[CheckerEnding]:
        runs = await asyncio.gather(made.run("yes", 30.0), made.run("no", 30.0))
        return [run.ending for run in runs]

    assert asyncio.run(both()) == [CheckerEnding.PASSED, CheckerEnding.FAILED]


def test_it_runs_on_a_loop_of_another_thread(checker: MakeChecker) -> None:
    """As a session's does, while the main thread has no loop at all."""
    made = checker("raise SystemExit(3)")
    outcomes: list[CheckerOutcome] = []
    thread = threading.Thread(target=lambda: outcomes.append(asyncio.run(made.run("", 30.0))))
    thread.start()
    thread.join(30.0)
    assert [(outcome.ending, outcome.exit_code) for outcome in outcomes] == [(CheckerEnding.FAILED, 3)]


# The materialize command


def test_the_materialize_command_reads_the_attempt_and_makes_files(checker: MakeChecker, check: Check) -> None:
    """It runs first, in the same workspace, with the attempt on its standard input."""
    made = checker(
        "import sys; sys.exit(open('answer.txt').read() != 'HELD 40')",
        materialize_command=python("import sys; open('answer.txt', 'w').write(sys.stdin.read().upper())"),
    )
    assert check(made, "held 40").ending is CheckerEnding.PASSED


@pytest.mark.parametrize(
    "command", [python("raise SystemExit(1)"), python("import os; os.abort()"), ("no-such-program",)]
)
def test_a_materialize_command_that_fails_is_a_miss(
    checker: MakeChecker, check: Check, tmp_path: Path, left_in: LeftIn, command: tuple[str, ...]
) -> None:
    """The command is not run on what was not made."""
    made = checker("import sys; open(sys.argv[1], 'x')", tmp_path / "ran", materialize_command=command)
    outcome = check(made, "held 40")
    assert (outcome.passed, outcome.ending, outcome.exit_code) == (False, CheckerEnding.MATERIALIZE_FAILED, None)
    assert not (tmp_path / "ran").exists()
    assert left_in() == []


@pytest.mark.parametrize(
    "placed",
    [
        "os.mkdir('tests'); open('tests/check.py', 'w').write('pass'); os.chmod('tests', 0)",
        "open('tests', 'w')",
        "os.symlink('tmp', 'tests')",
        "os.symlink('nowhere', 'tests')",
        "os.chmod('.', 0o500)",
    ],
)
def test_the_pinned_tests_replace_what_the_attempt_put_in_their_place(
    checker: MakeChecker, check: Check, placed: str
) -> None:
    """An attempt can't bring its own tests."""
    made = checker("raise SystemExit(4)", materialize_command=python(f"import os; {placed}"))
    assert check(made).exit_code == 4
