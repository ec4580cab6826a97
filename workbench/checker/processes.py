"""The processes of a check: finding all of them, those that left the process tree included, and ending them.

On Linux a process belongs to the check if it descends from the command, shares its session or process group, carries
the check's mark in its environment or works inside its workspace. Elsewhere only the command's process group is ended.
What this can't find: a process that left the tree, took a session of its own, wiped its environment and went elsewhere;
one that another user runs; and what a service, such as a container engine, runs on the command's behalf.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .workspace import MARK, Workspace

_PROC: Final = Path("/proc")
#: Seconds after which processes that do not die are given up, and between two looks.
_PATIENCE: Final = 2.0
_PAUSE: Final = 0.005
#: States of processes that are dead and wait for their parent to notice.
_DEAD: Final = frozenset("ZX")


@dataclass(frozen=True, slots=True)
class Tree:
    """What the processes of a check are known by."""

    workspace: Workspace
    #: The command's process id, which is its session's and its group's as well; None where it never started.
    leader: int | None

    def kill_once(self) -> bool:
        """Kill what is there now; whether there was anything."""
        if not _has_proc():
            return self._kill_group()
        members = self.members()
        self._kill_group()
        for pid in members:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        return bool(members)

    def kill(self) -> bool:
        """Kill until nothing is left, for some seconds; whether nothing is."""
        until = time.monotonic() + _PATIENCE
        while self.kill_once():
            if time.monotonic() > until:
                return False
            time.sleep(_PAUSE)
        return True

    def members(self) -> frozenset[int]:
        """The living processes of the check, as far as they can be found."""
        processes = {process.pid: process for process in _processes()}
        found = {pid for pid, process in processes.items() if self._shows(process)}
        children: dict[int, list[int]] = {}
        for process in processes.values():
            children.setdefault(process.parent, []).append(process.pid)
        waiting = list(found)
        while waiting:
            new = [pid for pid in children.get(waiting.pop(), ()) if pid not in found]
            found.update(new)
            waiting.extend(new)
        found.discard(os.getpid())
        return frozenset([pid for pid in found if processes[pid].state not in _DEAD])

    def _shows(self, process: _Process) -> bool:
        if self.leader is not None and self.leader in (process.pid, process.group, process.session):
            return True
        return self._carries_mark(process.pid) or self._works_inside(process.pid)

    def _carries_mark(self, pid: int) -> bool:
        try:
            environment = (_PROC / str(pid) / "environ").read_bytes()
        except OSError:
            return False
        return f"{MARK}={self.workspace.mark}".encode() in environment.split(b"\0")

    def _works_inside(self, pid: int) -> bool:
        try:
            folder = os.readlink(_PROC / str(pid) / "cwd")
        except OSError:
            return False
        root = os.path.realpath(self.workspace.root)
        return folder.removesuffix(" (deleted)") == root or folder.startswith(f"{root}/")

    def _kill_group(self) -> bool:
        """Kill the command's process group at one stroke, which no fork outruns; whether there was one."""
        if self.leader is None:
            return False
        try:
            os.killpg(self.leader, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            # macOS refuses to signal a group of which only dead processes are left.
            return False
        return True


@dataclass(frozen=True, slots=True)
class _Process:
    pid: int
    state: str
    parent: int
    group: int
    session: int


def _has_proc() -> bool:
    return (_PROC / "self" / "stat").exists()


def _processes() -> Iterator[_Process]:
    for name in os.listdir(_PROC):
        if not name.isdecimal():
            continue
        try:
            # The name in parentheses may hold anything, parentheses included.
            stat = (_PROC / name / "stat").read_bytes().rpartition(b")")[2].split()
            state, parent, group, session = stat[:4]
        except (OSError, ValueError):
            continue
        yield _Process(int(name), state.decode(), int(parent), int(group), int(session))
