"""Inputs that come while a run is on: the last one wins, and nothing of the one before it shows."""

from __future__ import annotations

import asyncio
import threading

import pytest
from routing_workbench.core.conversation.read import read
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.widgets.screen import RunState
from routing_workbench.workbench import intake as intake_module
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.scenarios import scenario

EMPTY = RunState.EMPTY
IDLE = RunState.IDLE
RUNNING = RunState.RUNNING
DONE = RunState.DONE
STALE = RunState.STALE
CANCELLED = RunState.CANCELLED
FAILED = RunState.FAILED
BROKEN = '{"messages": [{"role": "user", "content": "x"}'


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def rungs(screen):
    """The names of what was asked."""
    return [row.rung for row in screen.asked]


def test_a_new_text_cancels_the_run_before_it(opened, held, talk, chat):
    """Its result never shows."""
    driver = MockDriver(sleep=held)
    session, watch = opened(driver, talk, settle=False)
    assert held.reached.wait(30)
    driver._sleep = asyncio.sleep
    session.set_text(chat(("user", "Another one"), ("assistant", "Yes.")))
    settled(session)
    assert held.cancelled.is_set()
    assert {screen.derived.capabilities.attempt for screen in watch.screens if screen.outcome} == {"Yes."}


@pytest.mark.parametrize("late", ["answer", "error"])
def test_what_comes_of_a_cancelled_call_is_dropped(opened, held, talk, chat, late):
    """Also of a driver that does not let itself be cancelled."""
    told = threading.Event()

    async def stubborn(call):
        try:
            await held()
        except asyncio.CancelledError:
            told.set()
            if late == "error":
                raise ValueError("too late") from None
        return "chat"

    session, watch = opened(MockDriver(replies=stubborn), talk, settle=False)
    assert held.reached.wait(30)
    session.set_driver(MockDriver())
    settled(session)
    assert told.is_set()
    assert session.screen.state is DONE
    assert FAILED not in watch.states
    assert rungs(session.screen) == [Rung.TYPING, Rung.READOUT]
    assert session.screen.outcome.asked[0].value is None


def test_of_a_burst_of_texts_the_last_is_read(monkeypatch, opened, chat):
    """Those that came while one was read are skipped."""
    began, go, lengths = threading.Event(), threading.Event(), []

    def slow(text, **keywords):
        lengths.append(len(text))
        began.set()
        assert go.wait(30)
        return read(text, **keywords)

    monkeypatch.setattr(intake_module, "read", slow)
    session, _ = opened()
    texts = [chat(("user", "Say " + "a" * number)) for number in range(50)]
    session.set_text(texts[0])
    assert began.wait(30)
    for text in texts[1:]:
        session.set_text(text)
    go.set()
    settled(session)
    assert lengths == [len(texts[0]), len(texts[-1])]
    assert session.text == texts[-1]
    assert session.screen.derived.capabilities.task_text == "Say " + "a" * 49


def test_texts_from_several_threads_end_in_one_of_them(opened, chat):
    """The text that is told is the one that was read."""
    session, _ = opened()
    texts = [chat(("user", f"Question {number}")) for number in range(8)]
    threads = [threading.Thread(target=session.set_text, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    settled(session)
    assert session.screen.derived.capabilities.task_text == f"Question {texts.index(session.text)}"


def test_run_twice_at_once_is_one_turn(opened, held, proposal):
    """A double click earns one strike, not two."""
    driver = MockDriver(scenario("turn checks escalate").script)
    session, _ = opened(driver, proposal)
    driver._sleep = held
    session.run()
    assert held.reached.wait(30)
    driver._sleep = asyncio.sleep
    session.run()
    assert settled(session).screen.outcome.streak == 2
