"""The processes of a check: at the deadline, when cancelled and at the end none is left, nor is the workspace."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from routing_workbench.workbench.checker.checker import Checker
from routing_workbench.workbench.checker.outcome import CheckerEnding, CheckerOutcome

MakeChecker = Callable[..., Checker]
Check = Callable[..., CheckerOutcome]
LeftIn = Callable[[], list[str]]

#: What a child does that was started anew with nothing in its environment.
_ANEW = "import os, sys, time; open(sys.argv[1], 'w').write(f'{os.getpid()} {sys.argv[2]}'); time.sleep(60)"


def spawning(how: str) -> str:
    """A script whose child does this first, then tells its own id and the command's; then both wait long."""
    return textwrap.dedent(
        f"""
        import os, signal, sys, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        command = os.getpid()
        if os.fork() == 0:
            {how}
            open(sys.argv[1], "w").write(f"{{os.getpid()}} {{command}}")
        time.sleep(60)
        """
    )


_WIPED = f"os.execve(sys.executable, [sys.executable, '-c', {_ANEW!r}, sys.argv[1], str(command)], {{}})"
_DAEMON = "os.setsid(); os.fork() and os._exit(0)"
LEAVING = {
    "ignores SIGTERM": "pass",
    "own group": "os.setpgid(0, 0)",
    "own session": "os.setsid(); os.chdir('/')",
    "daemon elsewhere": f"{_DAEMON}; os.chdir('/')",
    "wiped its environment": f"os.setsid(); os.chdir('/'); {_WIPED}",
    "wiped daemon in the workspace": f"{_DAEMON}; {_WIPED}",
}


def ids(said: str) -> list[int]:
    """The process ids that a script told."""
    return [int(word) for word in said.split()]


@pytest.mark.parametrize("how", LEAVING.values(), ids=LEAVING)
def test_at_the_deadline_the_whole_tree_is_killed(
    checker: MakeChecker, until_over: Any, line: Any, alive: Callable[[int], bool], left_in: LeftIn, how: str
) -> None:
    """Children that ignore SIGTERM, and those that left the group, the session or the tree."""
    outcome, said = until_over(checker(spawning(how), line.path), line)
    assert (outcome.passed, outcome.ending, outcome.exit_code) == (False, CheckerEnding.TIMED_OUT, None)
    assert [alive(pid) for pid in ids(said)] == [False, False]
    assert left_in() == []


def test_a_daemon_is_killed_when_the_command_ends(
    checker: MakeChecker, check: Check, alive: Callable[[int], bool], tmp_path: Path
) -> None:
    """It ends with its command, also where that passes."""
    script = """
    import os, sys, time
    ready, told = os.pipe()
    if os.fork() == 0:
        os.setsid()
        os.fork() and os._exit(0)
        os.chdir("/")
        open(sys.argv[1], "w").write(str(os.getpid()))
        os.write(told, b"x")
        time.sleep(60)
    os.read(ready, 1)
    """
    assert check(checker(textwrap.dedent(script), tmp_path / "told")).passed
    assert not alive(int((tmp_path / "told").read_text(encoding="utf-8")))


def test_the_materialize_command_ends_at_the_deadline_too(
    checker: MakeChecker, until_over: Any, line: Any, alive: Callable[[int], bool], left_in: LeftIn
) -> None:
    """There is one deadline for all of a check."""
    made = checker("pass", materialize_command=(sys.executable, "-c", spawning("os.setsid()"), str(line.path)))
    outcome, said = until_over(made, line)
    assert outcome.ending is CheckerEnding.TIMED_OUT
    assert [alive(pid) for pid in ids(said)] == [False, False]
    assert left_in() == []


def test_a_command_that_never_reads_a_long_attempt_is_not_waited_for(checker: MakeChecker, check: Check) -> None:
    """The attempt is no pipe that somebody has to empty."""
    made = checker("pass", materialize_command=("true",))
    assert check(made, "x" * 5_000_000).ending is CheckerEnding.PASSED


@pytest.mark.parametrize("times", [1, 3])
def test_cancelling_kills_the_tree_and_goes_on(
    checker: MakeChecker, line: Any, alive: Callable[[int], bool], left_in: LeftIn, times: int
) -> None:
    """Being cancelled again while that happens leaves nothing undone."""
    made = checker(spawning(_DAEMON), line.path)

    async def cancelled() -> str:
        running = asyncio.create_task(made.run("", 600.0))
        said: str = await line.heard()
        for _ in range(times):
            running.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await running
        return said

    assert [alive(pid) for pid in ids(asyncio.run(cancelled()))] == [False, False]
    assert left_in() == []


def test_a_workspace_filled_with_what_is_hard_to_remove_is_gone(
    checker: MakeChecker, check: Check, left_in: LeftIn
) -> None:
    """Read-only folders, a pipe, links, and a folder deeper than any path."""
    script = """
    import os
    os.makedirs("locked/below")
    os.mkfifo("locked/pipe")
    os.symlink("/", "locked/root")
    os.chmod("locked/below", 0)
    os.chmod("locked", 0)
    for _ in range(1200):
        os.mkdir("down")
        os.chdir("down")
    """
    assert check(checker(textwrap.dedent(script))).ending is CheckerEnding.PASSED
    assert left_in() == []


def test_the_end_of_the_interpreter_ends_a_check(
    line: Any, tests_dir: Path, private: Path, alive: Callable[[int], bool]
) -> None:
    """A kernel that is shut down leaves neither processes nor folders."""
    (tests_dir / "check.py").write_text(spawning(_DAEMON), encoding="utf-8")
    script = """
    import asyncio, os, sys, tempfile, threading
    from routing_workbench.workbench.checker.checker import Checker
    from routing_workbench.workbench.checker.config import CheckerConfig

    folder, line, tempfile.tempdir = sys.argv[1:]
    made = Checker(CheckerConfig(folder, (sys.executable, "tests/check.py", line), sandbox_attestation="a test"))
    threading.Thread(target=lambda: asyncio.run(made.run("", 600.0)), daemon=True).start()
    print(os.read(os.open(line, os.O_RDONLY), 20).decode())
    """
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), tests_dir, line.path, private],
        capture_output=True,
        text=True,
        timeout=60.0,
        check=True,
    )
    assert [alive(pid) for pid in ids(ended.stdout)] == [False, False]
    assert list(private.iterdir()) == []
