"""Running one command of a check in its workspace, and ending all its processes when it ends or is no longer wanted."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeVar

from .processes import Tree
from .workspace import Workspace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    #: Its exit status; negative where a signal ended it.
    status: int
    #: Whether none of its processes is left.
    gone: bool


async def run_command(command: tuple[str, ...], workspace: Workspace, read: Path | None = None) -> Ended:
    """Run a command to its end and kill what it left behind. Raises OSError where it can't be started.

    Its standard input is empty, or the file given; what it writes is discarded unread. Cancelling kills it all first.
    """
    process = None
    gone = False
    with _source(read) as source:
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=source,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                cwd=workspace.root,
                env=workspace.environment,
                start_new_session=True,
            )
            status = await process.wait()
        finally:
            tree = Tree(workspace, None if process is None else process.pid)
            # At once, even where every thread of the loop is busy.
            tree.kill_once()
            gone = await to_the_end(tree.kill)
            if process is not None and gone:
                await process.wait()
    return Ended(status, gone)


async def to_the_end(work: Callable[[], T]) -> T:
    """Do blocking work in a thread. Where the waiting task is cancelled, the work is finished before that raises."""
    try:
        future = asyncio.get_running_loop().run_in_executor(None, work)
    except RuntimeError:
        # The interpreter is ending and starts no more threads.
        return work()
    cancelled = False
    while not future.done():
        try:
            await asyncio.wait([future])
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        # Its own error, if any, no longer matters to anybody.
        future.exception()
        raise asyncio.CancelledError
    return future.result()


def _source(read: Path | None) -> BinaryIO:
    return open(os.devnull if read is None else read, "rb")
