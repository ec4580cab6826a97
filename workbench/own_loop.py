"""One daemon thread with one event loop of its own: work posted from any thread runs there, one piece at a time.

Widget callbacks come on changing threads and loops, so nothing may be bound to the one a callback happens to run on.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final, TypeVar

#: Seconds that tasks may take to end once they are cancelled, and that what is done at the end may take.
AT_END: Final = 2.0

T = TypeVar("T")


class OwnLoop:
    """A loop in a thread. `close` cancels what runs, then does what is to be done `at_end`, and ends it."""

    def __init__(self, name: str, at_end: Callable[[], Coroutine[Any, Any, None]] | None = None) -> None:
        self._name = name
        self._at_end = at_end
        self._loop = asyncio.new_event_loop()
        self._open = 0
        self._settled = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    def post(self, work: Callable[[], None]) -> None:
        """Run this on the loop's thread and return at once. `work` must not raise. Ignored after `close`."""

        def counted() -> None:
            try:
                work()
            finally:
                self._count(-1)

        with self._settled:
            if not self._closed:
                self._open += 1
                self._loop.call_soon_threadsafe(counted)

    def start(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task; call this on the loop's thread. `wait` waits for it, too."""
        self._count(1)
        task = self._loop.create_task(coroutine)
        task.add_done_callback(lambda _: self._count(-1))
        return task

    def result_of(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run this on the loop and give or raise what it does; call this on another thread."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    async def aside(self, work: Callable[[], T]) -> T:
        """Do what blocks on a thread of its own, and give or raise what it does; await this on the loop's thread.

        Nobody waits for that thread: it is left to itself where the awaiting task is cancelled, or the program ends.
        """
        done: asyncio.Future[T] = self._loop.create_future()

        def tell(result: T | None, error: BaseException | None) -> None:
            if done.cancelled():
                return
            if error is None:
                done.set_result(result)  # type: ignore[arg-type]  # it is there where no error is
            else:
                done.set_exception(error)

        def do() -> None:
            result, error = None, None
            try:
                result = work()
            except Exception as raised:  # noqa: BLE001 - it is raised where it is awaited
                error = raised
            with suppress(RuntimeError):  # the loop may be closed by now
                self._loop.call_soon_threadsafe(tell, result, error)

        threading.Thread(target=do, name=f"{self._name}-aside", daemon=True).start()
        return await done

    def time(self) -> float:
        """The loop's clock, in monotonic seconds."""
        return self._loop.time()

    def later(self, seconds: float, work: Callable[[], None]) -> asyncio.TimerHandle:
        """Run this on the loop's thread after a while, unless it is cancelled; call this on the loop's thread."""
        return self._loop.call_later(seconds, work)

    def wait(self, timeout: float) -> bool:
        """Wait until all posted work and all started tasks are done; False where that took longer, in seconds."""
        with self._settled:
            return self._settled.wait_for(lambda: self._closed or not self._open, timeout)

    def close(self) -> None:
        """Cancel what runs and end the thread, waiting some seconds for it. Does nothing the second time."""
        with self._settled:
            if self._closed:
                return
            self._closed = True
            self._loop.call_soon_threadsafe(self._loop.stop)
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=5.0)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            self._end_tasks()
            if self._at_end is not None:
                with suppress(Exception):
                    self._loop.run_until_complete(asyncio.wait_for(self._at_end(), AT_END))
        finally:
            self._loop.close()
            with self._settled:
                self._settled.notify_all()

    def _end_tasks(self) -> None:
        """Cancel what runs and wait for it; what goes on all the same is left behind with the loop."""
        until = self._loop.time() + AT_END
        # What is cancelled may start more on its way out.
        while (tasks := asyncio.all_tasks(self._loop)) and (left := until - self._loop.time()) > 0:
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.wait(tasks, timeout=left))
        if not tasks:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())

    def _count(self, change: int) -> None:
        with self._settled:
            self._open += change
            if not self._open:
                self._settled.notify_all()
