"""A session: the last input wins, nothing is lost, and nothing is sent that was not asked for."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest
from routing_workbench.core.conversation.read import read
from routing_workbench.core.conversation.reading import Reading
from routing_workbench.core.vgr.branch import Branch
from routing_workbench.core.vgr.capabilities import TaskType
from routing_workbench.core.vgr.decision import Mode, Route
from routing_workbench.core.vgr.evidence import Ending, Miss, OriginKind, Rung
from routing_workbench.widgets.screen import Controls, RunState
from routing_workbench.workbench import session as session_module
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.scenarios import scenario
from routing_workbench.workbench.drivers.script import Fault, RungScript
from routing_workbench.workbench.examples import example, examples

EMPTY, IDLE, RUNNING, DONE = RunState.EMPTY, RunState.IDLE, RunState.RUNNING, RunState.DONE
STALE, CANCELLED, FAILED = RunState.STALE, RunState.CANCELLED, RunState.FAILED
BROKEN = '{"messages": [{"role": "user", "content": "x"}'


@pytest.fixture
def talk(chat):
    """A conversation with an attempt."""
    return chat(("user", "Sum up this memo."), ("assistant", "It is about tides."))


@pytest.fixture
def proposal(chat):
    """A conversation whose attempt is a tool call."""
    call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"path": "a.py"}'}}
    return chat(("user", "Mend the build."), ("assistant", {"content": "", "tool_calls": [call]}))


@pytest.fixture
def no_reveal(monkeypatch):
    """No run takes long enough to show between two results."""
    monkeypatch.setattr(session_module, "REVEAL_AFTER", 3600.0)


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def rungs(screen):
    """The names of what was asked."""
    return [row.rung for row in screen.asked]


# What is shown, and when.


def test_a_session_starts_empty(opened):
    """With the examples, the mock's panel and no result."""
    session, watch = opened()
    assert (session.screen.state, session.result, session.text) == (EMPTY, None, "")
    assert session.screen.examples == examples()
    assert session.screen.driver.origin.kind is OriginKind.MOCK
    assert watch.screens == []


def test_the_mock_is_asked_at_once(opened, talk):
    """Asking it sends nothing."""
    session, watch = opened(text=talk)
    assert session.screen.state is DONE
    assert session.screen.outcome is session.result.outcome
    assert session.screen.outcome.served is Route.LOCAL
    assert rungs(session.screen) == [Rung.TYPING, Rung.READOUT]
    assert watch.states[-1] is DONE


def test_a_first_result_is_preceded_by_what_is_computed(opened, held, talk):
    """There is nothing to flicker against."""
    _, watch = opened(MockDriver(sleep=held), talk, settle=False)
    shown = watch.until(lambda screen: screen.state is RUNNING and screen.asking is Rung.TYPING)
    assert shown.derived.capabilities.attempt == "It is about tides."
    assert (shown.outcome, shown.remark) == (None, "")
    assert shown.will_ask == (Rung.TYPING,)


@pytest.mark.usefixtures("no_reveal")
def test_a_short_run_shows_nothing_between_two_results(opened, talk):
    """So nothing flickers, although the loop turns while it is on."""
    session, watch = opened(MockDriver(sleep=lambda seconds: asyncio.sleep(0)), talk)
    watch.clear()
    session.set_rung(Rung.READOUT, answer="0.1")
    settled(session)
    assert [screen.state for screen in watch.screens] == [DONE]


def test_a_long_run_shows_itself_with_the_result_before_it(monkeypatch, opened, held, talk):
    """The old result stands, and says why it is stale."""
    monkeypatch.setattr(session_module, "REVEAL_AFTER", 0.0)
    driver = MockDriver()
    session, watch = opened(driver, talk)
    old = session.screen.outcome
    watch.clear()
    driver._sleep = held
    session.set_controls(mode=Mode.SHADOW)
    shown = watch.until(lambda screen: screen.state is RUNNING)
    assert (shown.outcome, shown.remark) == (old, "mode changed")
    driver._sleep = asyncio.sleep
    held.release()
    assert settled(session).screen.state is DONE
    assert watch.states == [RUNNING, DONE]


def test_rows_arrive_one_by_one(opened, held, talk):
    """Each answer is on screen before the next question is answered."""
    session, watch = opened(MockDriver(sleep=held), talk, settle=False)
    watch.until(lambda screen: screen.asking is Rung.TYPING)
    held.release()
    shown = watch.until(lambda screen: screen.asking is Rung.READOUT)
    assert rungs(shown) == [Rung.TYPING]
    held.release()
    assert settled(session).screen.state is DONE


# The last input wins.


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

    monkeypatch.setattr(session_module, "read", slow)
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


# Nothing is lost.


def test_an_unreadable_text_keeps_the_result_as_stale(opened, talk):
    """And the text stays as it was typed."""
    session, _ = opened(text=talk)
    before, result = session.screen, session.result
    session.set_text(BROKEN)
    settled(session)
    assert (session.screen.state, session.screen.remark) == (STALE, "the text can't be read")
    assert session.screen.reading.diagnostics[0].code == "json-cut-off"
    assert (session.screen.outcome, session.screen.derived) == (before.outcome, before.derived)
    assert (session.result, session.text) == (result, BROKEN)


def test_an_unreadable_first_text_leaves_nothing_to_route(opened):
    """The remark says what and where."""
    session, _ = opened(text=BROKEN)
    assert (session.screen.state, session.screen.derived, session.result) == (IDLE, None, None)
    assert session.screen.reading.diagnostics[0].place.column == 47


def test_a_mended_text_is_routed_again(opened, talk):
    """The stale result goes then."""
    session, _ = opened(text=talk)
    session.set_text(BROKEN)
    session.set_text(talk)
    assert settled(session).screen.state is DONE


def test_removing_the_text_empties_the_bench_but_not_the_controls(opened, talk):
    """Nor the driver's script."""
    session, _ = opened(text=talk)
    session.set_controls(mode=Mode.SHADOW, prior_local=0.4)
    session.choose_scenario("hedging judge")
    session.set_text("")
    screen = settled(session).screen
    assert (screen.state, screen.reading, screen.outcome, screen.asked, session.result) == (EMPTY, None, None, (), None)
    assert screen.controls == Controls(mode=Mode.SHADOW, prior_local=0.4)
    assert screen.driver.scenario == "hedging judge"


def test_controls_set_before_a_text_are_used(opened, talk):
    """The order of inputs does not matter."""
    session, _ = opened()
    session.set_controls(kill_switch=True)
    session.set_text(talk)
    assert settled(session).screen.outcome.ending is Ending.KILL_SWITCH


def test_cancelling_keeps_what_was_gathered(opened, held, talk):
    """And says where it stood."""
    session, watch = opened(MockDriver(sleep=held), talk, settle=False)
    watch.until(lambda screen: screen.asking is Rung.TYPING)
    held.release()
    watch.until(lambda screen: screen.asking is Rung.READOUT)
    session.cancel()
    screen = settled(session).screen
    assert (screen.state, rungs(screen), screen.asking) == (CANCELLED, [Rung.TYPING], None)
    assert screen.remark.startswith("asking readout, at ")
    assert (screen.outcome, session.result) == (None, None)


@pytest.mark.usefixtures("no_reveal")
def test_cancelling_before_a_run_shows_keeps_its_rows_not_the_old_ones(opened, held, talk):
    """What is kept is of this run."""
    driver = MockDriver()
    session, _ = opened(driver, talk)
    driver._sleep = held
    session.set_controls(mode=Mode.SHADOW)
    assert held.reached.wait(30)
    session.cancel()
    screen = settled(session).screen
    assert (screen.state, screen.asked) == (CANCELLED, ())
    assert screen.remark.startswith("asking typing, at ")


def test_nothing_of_a_cancelled_run_shows_later(opened, held, talk):
    """However close the two are."""
    session, watch = opened(MockDriver(sleep=held))
    for number in range(30):
        watch.clear()
        session.set_text(talk + " " * number)
        session.cancel()
        assert settled(session).screen.state is CANCELLED
        assert watch.screens[-1].state is CANCELLED


def test_cancelling_nothing_does_nothing(opened, talk):
    """A late click."""
    session, watch = opened(text=talk)
    watch.clear()
    session.cancel()
    settled(session)
    assert (watch.screens, session.screen.state) == ([], DONE)


def test_unchanged_messages_are_the_same_objects(opened, chat):
    """So that what was derived of them stays."""
    turns = [("user", f"Question {number}") for number in range(5)]
    session, _ = opened(text=chat(*turns, ("assistant", "One")))
    before = session.screen.reading.conversations[0].request.messages
    turns[2] = ("user", "Another question")
    session.set_text(chat(*turns, ("assistant", "One")))
    after = settled(session).screen.reading.conversations[0].request.messages
    assert [new is old for new, old in zip(after, before, strict=True)] == [True, True, False, True, True, True]


# Failures.


def test_a_wrong_key_is_a_failed_run(opened, chat):
    """With what failed and what to do; the turn has no verdict."""
    session, _ = opened(MockDriver(scenario("wrong key").script), chat(("user", "Hi")))
    screen = session.screen
    assert (screen.state, screen.outcome, rungs(screen)) == (FAILED, None, [Rung.ATTEMPT])
    assert (screen.failure.stage, screen.failure.what) == ("attempt", "Local tier refused: HTTP 401.")
    assert session.result.failure == screen.failure


def test_active_without_its_approval_fails_until_it_is_set(opened, talk):
    """The next step says how."""
    session, _ = opened(text=talk, controls=Controls(mode=Mode.ACTIVE))
    assert (session.screen.state, session.screen.failure.stage) == (FAILED, "configuration")
    session.set_controls(approval="prospective-validation-and-canary-approved")
    assert settled(session).screen.state is DONE


def test_a_driver_that_breaks_shows_its_error_by_kind_only(opened, talk):
    """Its text may quote the conversation."""

    def broken(call):
        raise ValueError("secret words of the request")

    session, watch = opened(MockDriver(replies=broken), talk)
    assert (session.screen.state, session.screen.failure.what) == (FAILED, "The run failed: ValueError.")
    shown = "".join(map(repr, watch.screens)) + repr(session.result) + session.result.to_json()
    assert "secret words" not in shown
    assert session.text == talk


def test_a_failed_run_can_be_run_again(opened, talk):
    """The session lives on."""
    driver = MockDriver(replies=lambda call: 1 / 0)
    session, _ = opened(driver, talk)
    driver._function = None
    session.run()
    assert settled(session).screen.state is DONE
    assert session.screen.failure is None


def test_a_control_that_is_none_is_an_error_of_the_call(opened, talk):
    """Where the caller sees it; the session goes on."""
    session, _ = opened(text=talk)
    with pytest.raises(TypeError, match="colour"):
        session.set_controls(colour="red")
    with pytest.raises(ValueError, match="flood"):
        session.set_rung(Rung.READOUT, fault="flood")
    with pytest.raises(ValueError, match="-1"):
        session.set_rung(Rung.READOUT, delay_ms=-1)
    with pytest.raises(KeyError, match="no scenario"):
        session.choose_scenario("weather")
    with pytest.raises(KeyError, match="no example"):
        session.choose_example("weather")
    assert settled(session).screen.state is DONE


def test_a_control_of_the_wrong_kind_is_refused_at_the_caller(opened, talk):
    """In words that do not quote it, and nothing changes."""
    session, _ = opened(text=talk)
    before = settled(session).screen
    with pytest.raises(ValueError, match="prior_local is no probability") as refused:
        session.set_controls(prior_local="secret words")
    assert "secret words" not in str(refused.value)
    assert settled(session).screen == before


# Conversations and formats.


@pytest.fixture
def several(monkeypatch, chat):
    """Reading gives two conversations."""

    def both(text, *, force=None, previous=None):
        first, second = (read(chat(("user", f"{which} {text}"))) for which in ("First", "Second"))
        return Reading(first.conversations + second.conversations, first.format, first.candidates, ())

    monkeypatch.setattr(session_module, "read", both)


@pytest.mark.usefixtures("several")
def test_of_several_conversations_none_is_routed_before_the_choice(opened):
    """Guessing would show the route of another conversation."""
    session, _ = opened(text="question")
    assert (session.screen.state, session.screen.chosen, session.screen.derived) == (IDLE, None, None)
    assert session.screen.remark == "choose a conversation"


@pytest.mark.usefixtures("several")
def test_the_chosen_conversation_is_routed(opened):
    """Counted from 0."""
    session, _ = opened(text="question")
    session.choose_conversation(1)
    screen = settled(session).screen
    assert (screen.state, screen.chosen) == (DONE, 1)
    assert screen.derived.capabilities.task_text == "Second question"


@pytest.mark.usefixtures("several")
@pytest.mark.parametrize("index", [-1, 2])
def test_a_conversation_that_is_none_is_refused_in_words(opened, index):
    """The one that was chosen stays."""
    session, _ = opened(text="question")
    session.choose_conversation(0)
    settled(session)
    session.choose_conversation(index)
    screen = settled(session).screen
    assert screen.failure.what == f"There is no conversation {index}; the paste holds 2, counted from 0."
    assert screen.chosen == 0


def test_a_forced_format_stays_while_the_text_is_edited(opened, talk):
    """It was chosen for this paste."""
    session, _ = opened(text=talk)
    session.force_format("plain-prompt")
    assert settled(session).screen.reading.format.name == "plain-prompt"
    session.set_text(talk + " ")
    assert settled(session).screen.reading.format.name == "plain-prompt"


def test_a_forced_format_ends_with_none_and_with_another_source(opened, talk):
    """Then the format is detected again."""
    session, _ = opened(text=talk)
    session.force_format("plain-prompt")
    session.force_format(None)
    assert settled(session).screen.reading.format.name == "openai-chat-request"
    session.force_format("plain-prompt")
    session.set_text(talk, "talk.json")
    assert settled(session).screen.reading.format.name == "openai-chat-request"


def test_a_format_forced_before_a_text_leaves_the_bench_empty(opened, talk):
    """And is used for the text that comes."""
    session, _ = opened()
    session.force_format("plain-prompt")
    assert settled(session).screen.state is EMPTY
    session.set_text(talk)
    assert settled(session).screen.reading.format.name == "plain-prompt"


def test_a_pasted_attempt_can_be_left_in_the_conversation(opened, talk):
    """Then the local tier writes one, and the screen says who did."""
    session, _ = opened(text=talk)
    assert session.screen.derived.attempt_origin is None
    session.set_controls(pasted_attempt=False)
    screen = settled(session).screen
    assert screen.derived.attempt_origin.kind is OriginKind.MOCK
    assert len(screen.derived.request.messages) == 2
    assert rungs(screen)[0] is Rung.ATTEMPT


def test_a_tool_call_that_was_cut_off_is_malformed(opened):
    """By the stop reason in the pasted body."""
    content = [{"type": "tool_use", "id": "t1", "name": "read", "input": {"path": "a.py"}}]
    body = {"type": "message", "role": "assistant", "content": content, "stop_reason": "max_tokens"}
    session, _ = opened(text=json.dumps(body))
    assert session.screen.outcome.ending is Ending.MALFORMED_TOOL_CALL


def test_a_file_is_read_with_its_name(opened, tmp_path, talk):
    """Bytes that are no UTF-8 show as replacement characters."""
    path = tmp_path / "talk.json"
    path.write_bytes(talk.replace("tides", "t\u00efdes").encode("latin-1"))
    session, _ = opened()
    session.open_path(path)
    assert settled(session).screen.source_name == "talk.json"
    assert session.screen.derived.capabilities.attempt == "It is about t\ufffddes."


def test_a_file_that_is_none_is_an_error_of_the_call(opened, tmp_path):
    """The session is as it was."""
    session, _ = opened()
    with pytest.raises(FileNotFoundError):
        session.open_path(tmp_path / "none.json")
    assert settled(session).screen.state is EMPTY


# A driver that is no mock.


def test_another_driver_is_not_asked_before_run(opened, live, talk):
    """Pasting computes what needs nobody, and says what Run will ask."""
    driver = live()
    session, _ = opened(driver, talk)
    screen = session.screen
    assert (driver.calls, screen.state, screen.outcome) == ([], IDLE, None)
    assert screen.derived.capabilities.attempt == "It is about tides."
    assert screen.will_ask == (Rung.TYPING,)
    session.run()
    settled(session)
    assert driver.calls == [Rung.TYPING, Rung.READOUT]
    assert (session.screen.state, session.result.origin.kind) == (DONE, OriginKind.LIVE)


def test_switching_the_driver_sends_nothing(opened, live, talk):
    """The mock's result is stale then, and still marked as the mock's."""
    driver = live()
    session, _ = opened(text=talk)
    session.set_driver(driver)
    screen = settled(session).screen
    assert (driver.calls, screen.state, screen.remark) == ([], STALE, "driver switched")
    assert screen.outcome.asked[0].origin.kind is OriginKind.MOCK
    assert (screen.driver.origin.kind, screen.driver.rungs) == (OriginKind.LIVE, ())


@pytest.mark.parametrize(
    ("change", "remark"),
    [
        (lambda session: session.set_controls(mode=Mode.SHADOW), "mode changed"),
        (lambda session: session.set_controls(diagnose=True, deadline=5.0), "diagnosis and deadline changed"),
        (lambda session: session.force_format("plain-prompt"), "conversation changed"),
    ],
    ids=["one", "two", "format"],
)
def test_a_change_makes_the_result_of_another_driver_stale(opened, live, talk, change, remark):
    """It stays, and nothing is sent."""
    driver = live()
    session, _ = opened(driver, talk)
    session.run()
    outcome, asked = settled(session).screen.outcome, len(driver.calls)
    change(session)
    screen = settled(session).screen
    assert (screen.state, screen.remark, screen.outcome, len(driver.calls)) == (STALE, remark, outcome, asked)


def test_an_edited_message_makes_the_result_stale(opened, live, chat):
    """The remark names it."""
    session, _ = opened(live(), chat(("user", "One"), ("assistant", "Two")))
    session.run()
    settled(session)
    session.set_text(chat(("user", "One"), ("assistant", "Three")))
    screen = settled(session).screen
    assert (screen.state, screen.remark) == (STALE, "message 2 edited")
    assert screen.derived.capabilities.attempt == "Three"


def test_a_control_that_did_not_change_changes_nothing(opened, live, talk):
    """The result is as good as before."""
    session, watch = opened(live(), talk)
    session.run()
    settled(session)
    watch.clear()
    session.set_controls(mode=Mode.EVALUATE)
    assert settled(session).screen.state is DONE
    assert watch.screens == []


def test_an_edit_ends_the_run_of_another_driver(opened, live, held, talk, chat):
    """What it had gathered is of another text."""
    session, watch = opened(live(MockDriver(sleep=held)), talk)
    session.run()
    watch.until(lambda screen: screen.asking is Rung.TYPING)
    session.set_text(chat(("user", "Another")))
    screen = settled(session).screen
    assert held.cancelled.is_set()
    assert (screen.state, screen.asked, screen.will_ask) == (IDLE, (), (Rung.ATTEMPT, Rung.TYPING))


def test_editing_the_mock_does_nothing_to_another_driver(opened, live, talk):
    """It has no script."""
    driver = live()
    session, watch = opened(driver, talk)
    watch.clear()
    session.set_rung(Rung.READOUT, answer="0.1")
    session.choose_scenario("silent judge")
    settled(session)
    assert (watch.screens, driver.calls) == ([], [])


# The mock's script.


def test_an_edited_answer_moves_the_decision(opened, talk):
    """At once."""
    session, _ = opened(text=talk)
    session.set_rung(Rung.READOUT, answer="0.2")
    session.set_rung(Rung.DELIBERATION, answer="no")
    screen = settled(session).screen
    assert screen.outcome.served is Route.CLOUD
    assert next(row for row in screen.driver.rungs if row.rung is Rung.READOUT).answer == "0.2"


def test_a_fault_is_a_miss(opened, talk):
    """Fails closed."""
    session, _ = opened(text=talk)
    for rung in (Rung.READOUT, Rung.DELIBERATION):
        session.set_rung(rung, fault=Fault.TIMEOUT.value)
    screen = settled(session).screen
    assert [row.miss for row in screen.asked] == [None, Miss.TIMED_OUT, Miss.TIMED_OUT]
    assert screen.outcome.served is Route.CLOUD


def test_a_delay_is_edited_alone(opened, instant, talk):
    """Answer and fault stay."""
    driver = MockDriver(sleep=instant)
    session, _ = opened(driver, talk)
    session.set_rung(Rung.READOUT, delay_ms=58)
    settled(session)
    assert driver.script.of(Rung.READOUT) == RungScript("0.96", 58)


def test_a_scenario_is_loaded_whole(opened, talk):
    """And named."""
    session, _ = opened(text=talk)
    session.set_rung(Rung.READOUT, answer="0.2")
    session.choose_scenario("everything denies")
    screen = settled(session).screen
    assert (screen.driver.scenario, screen.outcome.served) == ("everything denies", Route.CLOUD)


def test_extras_are_asked_but_decide_nothing(opened, talk):
    """Diagnosis shows them beside the decision."""
    session, _ = opened(text=talk)
    decision = session.result.decision
    session.set_controls(diagnose=True)
    screen = settled(session).screen
    assert [row.rung for row in screen.asked if row.extra] == [Rung.DELIBERATION]
    assert (session.result.decision, screen.trace_with_extra is None) == (decision, False)


def test_a_forced_type_changes_the_branch(opened, talk):
    """Nobody is asked for it."""
    session, _ = opened(text=talk)
    session.set_controls(forced_type=TaskType.CHAT)
    screen = settled(session).screen
    assert (session.result.branch, screen.derived.task_type_origin) == (Branch.CHAT, "forced")
    assert Rung.TYPING not in rungs(screen)


# From turn to turn.


def test_repeating_a_turn_by_edits_earns_no_strikes(opened, proposal):
    """It is the same turn each time."""
    session, _ = opened(MockDriver(scenario("turn checks escalate").script), proposal)
    for answer in ("0.7", "0.9", "0.6"):
        session.set_rung(Rung.TURN_CHECK, answer=answer)
        settled(session)
        session.set_controls(diagnose=answer == "0.9")
        outcome = settled(session).screen.outcome
        assert (outcome.streak, outcome.latched, outcome.served) == (1, False, Route.LOCAL)


def test_run_is_the_next_turn_and_two_strikes_latch(opened, proposal):
    """The one after that is served by cloud without a question."""
    session, _ = opened(MockDriver(scenario("turn checks escalate").script), proposal)
    seen = []
    for _ in range(3):
        outcome = settled(session).screen.outcome
        seen.append((outcome.streak, outcome.ending))
        session.run()
    assert seen == [
        (1, Ending.TURN_VERIFICATION_COMPLETE),
        (2, Ending.TURN_VERIFICATION_ESCALATED),
        (2, Ending.TURN_VERIFICATION_LATCHED),
    ]
    assert settled(session).screen.asked == ()


def test_an_edit_repeats_the_turn_that_run_began(opened, proposal):
    """From where it began: a kinder check takes the latch back."""
    session, _ = opened(MockDriver(scenario("turn checks escalate").script), proposal)
    session.run()
    assert settled(session).screen.outcome.latched
    session.set_rung(Rung.TURN_CHECK, answer="0.1")
    outcome = settled(session).screen.outcome
    assert (outcome.streak, outcome.latched) == (0, False)


def test_a_cancelled_turn_leaves_the_session_as_it_was(opened, held, proposal):
    """Run again is the same turn."""
    driver = MockDriver(scenario("turn checks escalate").script)
    session, _ = opened(driver, proposal)
    driver._sleep = held
    session.run()
    assert held.reached.wait(30)
    session.cancel()
    driver._sleep = asyncio.sleep
    session.run()
    assert settled(session).screen.outcome.streak == 2


@pytest.mark.parametrize("change", ["text", "driver"])
def test_another_conversation_or_driver_begins_a_new_session(opened, proposal, change):
    """Strikes are not carried over."""
    session, _ = opened(MockDriver(scenario("turn checks escalate").script), proposal)
    session.run()
    settled(session)
    if change == "text":
        session.set_text(proposal.replace("build", "tests"))
    else:
        session.set_driver(MockDriver(scenario("turn checks escalate").script))
    assert settled(session).screen.outcome.streak == 1


def _down(opened, chat):
    script = scenario("everything affirms").script.edited(Rung.ATTEMPT, fault=Fault.HTTP_503)
    return opened(MockDriver(script), chat(("user", "Hi")))[0]


def test_repeating_a_turn_by_edits_does_not_open_a_breaker(opened, chat):
    """It is one failure, however often it is looked at."""
    session = _down(opened, chat)
    for number in range(8):
        session.set_controls(diagnose=number % 2 == 0)
        assert settled(session).screen.outcome.ending is Ending.LOCAL_UNAVAILABLE


def test_run_after_run_opens_the_breaker(opened, chat):
    """After five failures the local tier is not asked again."""
    session = _down(opened, chat)
    endings = []
    for _ in range(6):
        endings.append(settled(session).screen.outcome.ending)
        session.run()
    assert endings == [Ending.LOCAL_UNAVAILABLE] * 5 + [Ending.BREAKER_OPEN]
    assert settled(session).screen.asked == ()


def test_the_kill_switch_sends_every_turn_to_cloud(opened, talk):
    """Until it is released."""
    session, _ = opened(text=talk)
    session.set_controls(kill_switch=True)
    outcome = settled(session).screen.outcome
    assert (outcome.ending, outcome.served, outcome.asked) == (Ending.KILL_SWITCH, Route.CLOUD, ())
    session.set_controls(kill_switch=False)
    assert settled(session).screen.outcome.ending is None


# The end.


def test_closing_ends_the_thread_and_the_call_in_flight(opened, held, talk):
    """Twice is once, and what comes later is ignored."""
    session, watch = opened(MockDriver(sleep=held), talk, settle=False)
    assert held.reached.wait(30)
    thread, loop = session._loop._thread, session._loop._loop
    session.close()
    session.close()
    assert held.cancelled.is_set()
    assert (thread.is_alive(), loop.is_closed(), asyncio.all_tasks(loop)) == (False, True, set())
    watch.clear()
    session.set_text("later")
    session.run()
    assert (session.wait(1), watch.screens) == (True, [])


def test_a_session_can_close_itself(opened, talk):
    """From what watches it, on its own thread."""
    closed = threading.Event()
    session, _ = opened()

    def close(screen):
        session.close()
        closed.set()

    session._on_screen = close
    session.set_text(talk)
    assert closed.wait(30)
    session._loop._thread.join(30)
    assert not session._loop._thread.is_alive()


def test_two_sessions_do_not_meet(opened, talk, chat):
    """Neither controls nor script nor strikes."""
    one, _ = opened(text=talk)
    other, _ = opened(text=chat(("user", "Hi"), ("assistant", "Hello")))
    one.choose_scenario("everything denies")
    one.set_controls(mode=Mode.SHADOW)
    settled(one)
    assert settled(other).screen.controls == Controls()
    assert (other.screen.outcome.served, other.screen.driver.scenario) == (Route.LOCAL, "everything affirms")
    assert other.screen.derived.capabilities.attempt == "Hello"


def test_every_example_can_be_chosen(opened):
    """And is read without an error."""
    session, _ = opened()
    for name, _ in examples():
        session.choose_example(name)
        assert settled(session).screen.source_name == name
        assert (session.text, session.screen.state) == (example(name), DONE)
