"""The checker: runs the operator's command on an attempt and says whether the pinned tests pass (SPEC 4.5, 7).

A run: a fresh workspace; the attempt as `attempt.md`; the materialize command, if there is one; the pinned tests,
verified, as `tests/`; the command; both copies of the tests verified again; everything removed. The checker is no
sandbox: it confines nothing by itself, and the command runs with the rights of this user. So code of the attempt that
the command runs may end it with status 0 early, or change the tests and change them back, and nothing here notices.
"""

from __future__ import annotations

import asyncio
import os
import sys
import weakref

from .command import run_command, to_the_end
from .config import NO_SANDBOX, CheckerConfig, CheckerRefused
from .outcome import CheckerEnding, CheckerOutcome
from .pinned import PinnedTests, pin
from .processes import Tree
from .workspace import Workspace, new_workspace


class Checker:
    """A configured checker. Making one pins the tests; raises `CheckerRefused` where they can't be.

    It is no sandbox. Runs may overlap. The pinned copy is removed with the checker or at the interpreter's end, and on
    Linux what still runs then is ended first; where the interpreter is killed, neither happens.
    """

    def __init__(self, config: CheckerConfig) -> None:
        if sys.platform == "win32":
            raise CheckerRefused(f"a checker needs process groups, which {sys.platform} lacks. Run it elsewhere.")
        self.config = config
        self._pinned = pin(config)
        self._running: set[Workspace] = set()
        self._end = weakref.finalize(self, _end, os.getpid(), self._pinned, self._running)

    def __repr__(self) -> str:
        return f"Checker({self.name!r}, tests {self.manifest_hash[:12]}; {NO_SANDBOX})"

    @property
    def name(self) -> str:
        """The command's name."""
        return self.config.name

    @property
    def summary(self) -> str:
        """For a person: what is run on which tests, that it is no sandbox, and what the operator attests."""
        attested = " ".join(self.config.sandbox_attestation.split()).rstrip(".")
        return (
            f"Checker {self.name}, tests {self.manifest_hash[:12]}. {NO_SANDBOX} "
            f"The operator attests what confines it: {attested}."
        )

    @property
    def validated(self) -> bool:
        """Whether the operator validated it (SPEC 4.6)."""
        return self.config.validated

    @property
    def manifest_hash(self) -> str:
        """What the pinned tests are recorded by: a SHA-256, in hexadecimal."""
        return self._pinned.manifest_hash

    def close(self) -> None:
        """Kill what runs and remove the pinned copy; no run passes any more. Does nothing the second time."""
        self._end()

    async def run(
        self,
        attempt_text: str,
        timeout: float,  # noqa: ASYNC109 - running out of time is an outcome of a check, not an error around it
    ) -> CheckerOutcome:
        """Check an attempt within `timeout` seconds. Nothing the command does raises.

        Cancelling ends all processes and removes the workspace before it goes on.
        """
        clock = asyncio.get_running_loop().time
        began = clock()
        if not timeout > 0:
            return CheckerOutcome(CheckerEnding.TIMED_OUT, 0.0)
        try:
            workspace = new_workspace()
        except OSError:
            return CheckerOutcome(CheckerEnding.WORKSPACE_FAILED, clock() - began)
        self._running.add(workspace)
        status = None
        try:
            async with asyncio.timeout_at(began + timeout):
                ending, status = await self._check(workspace, attempt_text)
        except TimeoutError:
            ending = CheckerEnding.TIMED_OUT
        except OSError:
            ending = CheckerEnding.WORKSPACE_FAILED
        finally:
            removed = await to_the_end(lambda: self._clear(workspace))
        return CheckerOutcome(ending if removed else CheckerEnding.WORKSPACE_FAILED, clock() - began, status)

    async def _check(self, workspace: Workspace, attempt_text: str) -> tuple[CheckerEnding, int | None]:
        """The ending, and the command's exit status if it gave one. Raises OSError where the workspace fails."""
        await to_the_end(lambda: workspace.fill(attempt_text))
        if not await self._materialize(workspace):
            return CheckerEnding.MATERIALIZE_FAILED, None
        if not await to_the_end(lambda: self._place_tests(workspace)):
            return CheckerEnding.TESTS_CHANGED_BEFORE, None
        try:
            ended = await run_command(self.config.command, workspace)
        except OSError:
            return CheckerEnding.NOT_STARTED, None
        status = ended.status if ended.status >= 0 else None
        if not ended.gone:
            return CheckerEnding.WORKSPACE_FAILED, status
        if not await to_the_end(lambda: self._unchanged(workspace)):
            return CheckerEnding.TESTS_CHANGED_AFTER, status
        if status is None:
            return CheckerEnding.KILLED_BY_SIGNAL, None
        return (CheckerEnding.FAILED if status else CheckerEnding.PASSED), status

    async def _materialize(self, workspace: Workspace) -> bool:
        command = self.config.materialize_command
        if command is None:
            return True
        try:
            ended = await run_command(command, workspace, workspace.attempt)
        except OSError:
            return False
        return ended.gone and ended.status == 0

    def _clear(self, workspace: Workspace) -> bool:
        removed = workspace.remove()
        self._running.discard(workspace)
        return removed

    def _place_tests(self, workspace: Workspace) -> bool:
        workspace.clear_tests()
        return self._pinned.place(workspace.tests)

    def _unchanged(self, workspace: Workspace) -> bool:
        return self._pinned.holds(self._pinned.root) and self._pinned.holds(workspace.tests)


def _end(owner: int, pinned: PinnedTests, running: set[Workspace]) -> None:
    # A fork of the interpreter ends as well, and none of this is its own.
    if os.getpid() != owner:
        return
    for workspace in tuple(running):
        Tree(workspace, None).kill()
        workspace.remove()
    pinned.remove()
