"""Three algorithms on one bench: each keeps its own place, and switching between them loses and sends nothing."""

from __future__ import annotations

import asyncio

import pytest
from routing_workbench.core.vgr.decision import Mode
from routing_workbench.core.vgr.evidence import CUTOFF_RUNGS, ESCALATION_RUNGS, VGR_RUNGS, Rung
from routing_workbench.widgets.algorithm import Algorithm
from routing_workbench.widgets.screen import RunState
from routing_workbench.workbench.drivers.mock import MockDriver

VGR, CUTOFFS, ESCALATION = Algorithm
IDLE, RUNNING, DONE, STALE = RunState.IDLE, RunState.RUNNING, RunState.DONE, RunState.STALE
CANCELLED, FAILED = RunState.CANCELLED, RunState.FAILED


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def shown(session, algorithm):
    """The screen once this algorithm is on it."""
    session.choose_algorithm(algorithm)
    return settled(session).screen


def outcomes(screen):
    """The outcome of each algorithm."""
    return screen.outcome, screen.cutoffs.outcome, screen.escalation.outcome


def test_each_algorithm_runs_with_the_mock_once_it_is_shown(opened, talk):
    """Not before: nobody looks at it."""
    session, _ = opened(text=talk)
    assert [outcome is None for outcome in outcomes(session.screen)] == [False, True, True]
    assert shown(session, CUTOFFS).state is DONE
    assert [outcome is None for outcome in outcomes(session.screen)] == [False, False, True]
    assert shown(session, ESCALATION).state is DONE
    assert [outcome is None for outcome in outcomes(session.screen)] == [False, False, False]


def test_going_back_runs_nothing_again(opened, talk):
    """Its result is still the one that it had."""
    session, _ = opened(text=talk)
    before = [shown(session, algorithm) and session.result for algorithm in Algorithm]
    again = [shown(session, algorithm) and session.result for algorithm in Algorithm]
    assert all(one is other for one, other in zip(before, again, strict=True))


def test_a_tab_answers_at_once(opened, held, talk):
    """Also where its run takes a while."""
    driver = MockDriver()
    session, watch = opened(driver, talk)
    driver._sleep = held
    watch.clear()
    session.choose_algorithm(ESCALATION)
    first = watch.until(lambda screen: screen.algorithm is ESCALATION)
    assert (first.state, first.escalation.total) == (RUNNING, 1)


def test_the_result_is_that_of_the_algorithm_on_screen(opened, talk):
    """And so are its record, its rungs and what was asked."""
    session, _ = opened(text=talk)
    rungs = {VGR: VGR_RUNGS, CUTOFFS: CUTOFF_RUNGS, ESCALATION: ESCALATION_RUNGS}
    for algorithm in (CUTOFFS, ESCALATION, VGR):
        screen = shown(session, algorithm)
        assert session.result.algorithm is algorithm
        assert session.result.record()["algorithm"] == algorithm
        assert screen.asked == session.result.asked
        assert tuple(row.rung for row in screen.driver.rungs) == rungs[algorithm]


def test_switching_with_another_driver_sends_nothing(opened, live, talk):
    """Each says what Run will ask."""
    driver = live()
    session, _ = opened(driver, talk)
    will_ask = {algorithm: shown(session, algorithm).will_ask for algorithm in Algorithm}
    assert will_ask == {VGR: (Rung.TYPING,), CUTOFFS: (Rung.ROUTE,), ESCALATION: (Rung.ESCALATION_JUDGE,)}
    assert (driver.calls, session.screen.state, session.result) == ([], IDLE, None)


def test_run_asks_for_the_algorithm_on_screen_alone(opened, live, talk):
    """The others stay as they are."""
    driver = live()
    session, _ = opened(driver, talk)
    shown(session, CUTOFFS)
    session.run()
    screen = settled(session).screen
    assert (driver.calls, screen.state) == ([Rung.ROUTE], DONE)
    assert (shown(session, VGR).state, shown(session, ESCALATION).state, driver.calls) == (IDLE, IDLE, [Rung.ROUTE])


def test_an_input_makes_every_result_stale(opened, live, chat, talk):
    """The one on screen at once, the others when they are shown; all of them stay."""
    driver = live()
    session, _ = opened(driver, talk)
    for algorithm in Algorithm:
        shown(session, algorithm)
        session.run()
        assert settled(session).screen.state is DONE
    before, asked = outcomes(session.screen), len(driver.calls)
    session.set_text(chat(("user", "Sum up this memo."), ("assistant", "It is about ships.")))
    settled(session)
    for algorithm in (ESCALATION, CUTOFFS, VGR):
        screen = shown(session, algorithm)
        assert (screen.state, screen.remark) == (STALE, "message 2 edited")
    assert (outcomes(session.screen), len(driver.calls)) == (before, asked)


@pytest.mark.parametrize("change", ["controls", "driver"])
def test_controls_and_driver_are_inputs_of_all(opened, live, talk, change):
    """Whichever is on screen."""
    driver = live()
    session, _ = opened(driver, talk)
    for algorithm in Algorithm:
        shown(session, algorithm)
        session.run()
        settled(session)
    if change == "controls":
        session.set_controls(mode=Mode.SHADOW)
    else:
        session.set_driver(live())
    assert [shown(session, algorithm).state for algorithm in Algorithm] == [STALE] * 3


def test_a_run_goes_on_while_another_algorithm_is_shown(opened, live, held, talk):
    """And its result is there on the way back."""
    driver = live(MockDriver(sleep=held))
    session, watch = opened(driver, talk)
    session.run()
    watch.until(lambda screen: screen.asking is Rung.TYPING)
    session.choose_algorithm(CUTOFFS)
    screen = watch.until(lambda screen: screen.algorithm is CUTOFFS)
    assert (screen.state, screen.asking, screen.asked) == (IDLE, None, ())
    watch.clear()
    session.choose_algorithm(VGR)
    assert watch.until(lambda screen: screen.algorithm is VGR).asking is Rung.TYPING
    driver._mock._sleep = asyncio.sleep
    held.release()
    assert settled(session).screen.state is DONE
    assert not held.cancelled.is_set()


def test_two_algorithms_may_run_at_once(opened, live, held, talk):
    """Cancel ends the one on screen alone."""
    driver = live(MockDriver(sleep=held))
    session, watch = opened(driver, talk)
    session.run()
    watch.until(lambda screen: screen.asking is Rung.TYPING)
    session.choose_algorithm(ESCALATION)
    session.run()
    watch.until(lambda screen: screen.asking is Rung.ESCALATION_JUDGE)
    session.cancel()
    watch.until(lambda screen: screen.algorithm is ESCALATION and screen.state is CANCELLED)
    driver._mock._sleep = asyncio.sleep
    held.release()
    settled(session)
    assert (session.screen.state, shown(session, VGR).state) == (CANCELLED, DONE)


def test_each_algorithm_keeps_its_own_failure(opened, talk):
    """A judge that breaks one leaves the others alone."""

    def replies(call):
        if call.rung is Rung.ESCALATION_JUDGE:
            raise ValueError("secret words")
        return "chat" if call.rung is Rung.TYPING else "yes"

    session, _ = opened(MockDriver(replies=replies), talk)
    assert session.screen.state is DONE
    screen = shown(session, ESCALATION)
    assert (screen.state, screen.failure.what) == (FAILED, "The run failed: ValueError.")
    assert (shown(session, VGR).state, session.screen.failure) == (DONE, None)
    assert shown(session, ESCALATION).failure == screen.failure


def test_an_edit_on_another_tab_shows_the_conversation_as_it_is(opened, chat, talk):
    """What is derived of it is current, whichever algorithm is on screen."""
    session, _ = opened(text=talk)
    shown(session, CUTOFFS)
    session.set_text(chat(("user", "Sum up this memo."), ("assistant", "It is about ships.")))
    screen = settled(session).screen
    assert screen.state is DONE
    assert screen.derived.capabilities.attempt == "It is about ships."


def test_an_unreadable_text_leaves_every_result_as_stale(opened, talk):
    """And no text leaves none."""
    session, _ = opened(text=talk)
    for algorithm in Algorithm:
        shown(session, algorithm)
    before = outcomes(session.screen)
    session.set_text('{"messages": [')
    settled(session)
    for algorithm in Algorithm:
        assert (shown(session, algorithm).state, session.screen.remark) == (STALE, "the text can't be read")
    assert outcomes(session.screen) == before
    session.set_text("")
    assert outcomes(settled(session).screen) == (None, None, None)
    assert [shown(session, algorithm).state for algorithm in Algorithm] == [RunState.EMPTY] * 3


def test_an_algorithm_that_is_none_is_an_error_of_the_call(opened):
    """Where the caller sees it."""
    session, _ = opened()
    with pytest.raises(ValueError, match="fortune"):
        session.choose_algorithm("fortune")


def test_an_input_that_is_refused_shows_on_the_algorithm_on_screen(opened, talk):
    """The others keep their state."""
    session, _ = opened(text=talk)
    shown(session, CUTOFFS)
    session.choose_conversation(7)
    assert settled(session).screen.failure.stage == "input"
    assert shown(session, VGR).state is DONE


@pytest.mark.usefixtures("no_reveal")
def test_beside_a_run_that_is_on_the_result_before_it_is_never_shown_as_current(opened, held, talk):
    """Also where the run is so young that by itself it would not show yet."""
    driver = MockDriver()
    session, watch = opened(driver, talk)
    driver._sleep = held
    watch.clear()
    session.set_controls(mode="shadow")
    session.look_at_turn(1)
    shown = watch.until(lambda screen: True)
    assert (shown.state, shown.remark, shown.outcome) == (RUNNING, "mode changed", session.result.outcome)
