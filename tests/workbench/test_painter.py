"""Painting beside the session: one at a time, the newest wins, nobody waits."""

from __future__ import annotations

import threading

import pytest
from routing_workbench.workbench.painter import Painter


@pytest.fixture
def held():
    """A painter whose first paint waits for `go`."""
    painted, began, go = [], threading.Event(), threading.Event()

    def paint(value):
        began.set()
        assert go.wait(10)
        painted.append((value, threading.current_thread().name))

    painter = Painter(paint, "test-paint")
    yield painter, painted, began, go
    go.set()
    painter.close()


def test_values_in_between_are_skipped(held):
    """The screen shows what is current, not what was."""
    painter, painted, began, go = held
    painter.offer(1)
    assert began.wait(10)
    for value in (2, 3, 4):
        painter.offer(value)
    go.set()
    assert painter.settle()
    assert [value for value, _ in painted] == [1, 4]


def test_offering_does_not_wait_for_the_paint(held):
    """A slow browser must not lengthen measured times."""
    painter, painted, began, _ = held
    painter.offer(1)
    assert began.wait(10)
    painter.offer(2)
    assert painted == []


def test_all_paints_are_on_one_thread(held):
    """So that two never mix."""
    painter, painted, _, go = held
    go.set()
    for value in range(3):
        painter.offer(value)
        assert painter.settle()
    assert painted == [(0, "test-paint"), (1, "test-paint"), (2, "test-paint")]


def test_nothing_is_painted_after_close(held):
    """And its thread is gone."""
    painter, painted, _, go = held
    go.set()
    painter.close()
    painter.offer(1)
    assert (painted, painter._thread.is_alive()) == ([], False)
