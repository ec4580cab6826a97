"""A thread with a loop: posted work in order, `wait` for all of it, and a clean end."""

from __future__ import annotations

import asyncio
import threading

import pytest
from routing_workbench.workbench.own_loop import OwnLoop


@pytest.fixture
def loop():
    """A loop that is closed when the test is over."""
    made = OwnLoop("test-loop")
    yield made
    made.close()


def test_work_runs_in_order_on_one_thread(loop):
    """Whoever posts it."""
    done = []
    for number in range(100):
        loop.post(lambda number=number: done.append((number, threading.current_thread().name)))
    assert loop.wait(30)
    assert done == [(number, "test-loop") for number in range(100)]


def test_waiting_counts_what_work_starts(loop):
    """Tasks, and work posted by work."""
    done = []

    async def task():
        await asyncio.sleep(0)
        loop.post(lambda: done.append("posted"))

    loop.post(lambda: loop.start(task()) and None)
    assert loop.wait(30)
    assert done == ["posted"]


def test_waiting_gives_up(loop):
    """And says so."""
    go = threading.Event()
    loop.post(lambda: go.wait(30) and None)
    assert not loop.wait(0.01)
    go.set()
    assert loop.wait(30)


def test_closing_cancels_what_runs(loop):
    """Also what is started on the way out."""
    ended, began = [], threading.Event()

    async def inner():
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("inner")

    async def outer():
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            loop.start(inner())
            ended.append("outer")

    loop.post(lambda: loop.start(outer()) and None)
    assert began.wait(30)
    loop.close()
    assert ended == ["outer", "inner"]
    assert (asyncio.all_tasks(loop._loop), loop._loop.is_closed(), loop._thread.is_alive()) == (set(), True, False)


def test_closing_ends_what_a_cancelled_generator_still_does(loop):
    """Its `finally` runs on the loop it belongs to."""
    ended, began = [], threading.Event()

    async def numbers():
        try:
            yield 1
            yield 2
        finally:
            await asyncio.sleep(0)
            ended.append(threading.current_thread().name)

    async def left():
        source = numbers()
        assert await anext(source) == 1
        held.append(source)
        began.set()

    held = []
    loop.post(lambda: loop.start(left()) and None)
    assert began.wait(30)
    loop.close()
    assert ended == ["test-loop"]


def test_closing_twice_and_from_many_threads_is_once(loop):
    """Nobody is told that a loop is closed already."""
    failed = []

    def close():
        try:
            for _ in range(3):
                loop.close()
        except RuntimeError as error:
            failed.append(error)

    threads = [threading.Thread(target=close) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (failed, loop._thread.is_alive()) == ([], False)


def test_work_after_closing_is_ignored(loop):
    """And there is nothing to wait for."""
    loop.close()
    loop.post(lambda: pytest.fail("this runs"))
    assert loop.wait(30)


def test_posting_while_it_closes_never_raises():
    """The two may meet at any moment."""
    failed = []

    def post(loop):
        try:
            for _ in range(200):
                loop.post(lambda: None)
        except RuntimeError as error:
            failed.append(error)

    for _ in range(10):
        loop = OwnLoop("test-loop")
        thread = threading.Thread(target=post, args=(loop,))
        thread.start()
        loop.close()
        thread.join()
    assert failed == []
