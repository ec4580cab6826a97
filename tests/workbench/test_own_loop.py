"""A thread with a loop: posted work in order, `wait` for all of it, and a clean end."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress

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


def test_what_goes_on_although_it_was_cancelled_is_left_behind(loop, monkeypatch):
    """The thread ends all the same."""
    monkeypatch.setattr("routing_workbench.workbench.own_loop.AT_END", 0.01)
    began = threading.Event()

    async def never():
        while True:
            began.set()
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    loop.post(lambda: loop.start(never()) and None)
    assert began.wait(30)
    loop.close()
    assert (loop._thread.is_alive(), loop._loop.is_closed()) == (False, True)


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


def test_what_blocks_is_done_beside_the_loop(loop):
    """The loop goes on meanwhile; what it gives or raises comes back."""
    go, found = threading.Event(), []

    def blocks():
        assert go.wait(30)
        return threading.current_thread().daemon

    def breaks():
        raise KeyError("x")

    async def ask():
        found.append(await loop.aside(blocks))
        with pytest.raises(KeyError):
            await loop.aside(breaks)
        found.append("raised")

    loop.post(lambda: loop.start(ask()) and None)
    loop.post(go.set)
    assert loop.wait(30)
    assert found == [True, "raised"]


def test_closing_waits_for_nobody_beside_the_loop(loop):
    """Who comes back too late is ignored."""
    go, began, left = threading.Event(), threading.Event(), []

    def blocks():
        left.append(threading.current_thread())
        began.set()
        assert go.wait(30)

    async def ask():
        await loop.aside(blocks)

    loop.post(lambda: loop.start(ask()) and None)
    assert began.wait(30)
    loop.close()
    go.set()
    left[0].join(30)
    assert (left[0].is_alive(), loop._thread.is_alive()) == (False, False)


def test_at_its_end_a_loop_does_what_is_to_be_done():
    """Once nothing else runs, on its own thread; what fails there does not keep it."""
    done = []

    async def at_end():
        done.append((threading.current_thread().name, slept.cancelled()))
        raise ValueError("not heard")

    def sleep():
        nonlocal slept
        slept = loop.start(asyncio.sleep(3600))
        began.set()

    slept, began = None, threading.Event()
    loop = OwnLoop("test-loop", at_end)
    loop.post(sleep)
    assert began.wait(30)
    loop.close()
    assert (done, loop._thread.is_alive(), loop._loop.is_closed()) == ([("test-loop", True)], False, True)
