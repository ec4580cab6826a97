"""Drivers on a bench: choosing one sends nothing, a route offers its models, calls are recorded and replayed."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest
from routing_workbench.core.vgr.evidence import OriginKind, Rung
from routing_workbench.widgets.algorithm import Algorithm
from routing_workbench.widgets.screen import Controls, RunState
from routing_workbench.workbench import configured as configured_module
from routing_workbench.workbench import desk as desk_module
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.driving import NO_LIVE, Drivers

DONE, STALE, IDLE = RunState.DONE, RunState.STALE, RunState.IDLE
ROUTES = """
[llm_clients.box]
format = "openai_chat"
base_url = "http://127.0.0.1:9/v1"

[targets.small]
id = "small-8b"
llm_client = "box"

[targets.large]
id = "large-1"
llm_client = "box"

[routes.assistant]
type = "vgr"
local_target = "small"
cloud_target = "large"
judge_target = "large"
mode = "shadow"
deadline_seconds = 12
breaker_threshold = 2

[routes.agent]
type = "llm_classifier"
mode = "escalation"
judge_target = "large"
efficient_target = "small"
capable_target = "large"
escalation = { confirmations = 4 }
"""


@pytest.fixture
def routes(tmp_path):
    """A configuration with two routes, as a path."""
    path = tmp_path / "routes.toml"
    path.write_text(ROUTES, encoding="utf-8")
    return path


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def panel(session):
    """The driver panel."""
    return settled(session).screen.driver


# Choosing.


def test_mock_and_a_live_driver_that_is_not_configured_are_the_choices(opened):
    """The latter says what to do."""
    choices = {choice.key: choice for choice in panel(opened()[0]).choices}
    assert (choices["mock"].words, choices["mock"].disabled) == ("mock, seed 7", "")
    assert choices["live"].disabled == NO_LIVE


def test_a_driver_that_was_handed_in_is_a_choice_under_its_origin(opened, live, talk):
    """And the mock stays one."""
    session, _ = opened(live(), talk)
    assert panel(session).chosen == "given"
    assert [choice.words for choice in panel(session).choices if choice.key == "given"] == [
        "live: judge-8b @ test.example"
    ]
    session.choose_driver("mock")
    assert (panel(session).chosen, session.screen.state) == ("mock", DONE)


def test_choosing_a_driver_sends_nothing(opened, live, talk):
    """Its result is stale until Run."""
    driver = live()
    session, _ = opened(driver, talk)
    session.choose_driver("mock")
    assert settled(session).screen.state is DONE
    session.choose_driver("given")
    screen = settled(session).screen
    assert (screen.state, screen.remark, driver.calls) == (STALE, "driver switched", [])
    assert screen.outcome.asked[0].origin.kind is OriginKind.MOCK


def test_choosing_the_driver_in_use_changes_nothing(opened, live, talk):
    """Its result stays current, and what it holds stays open."""
    driver = live()
    session, _ = opened(driver, talk)
    session.run()
    settled(session)
    session.choose_driver("live")
    session.choose_driver("given")
    assert (settled(session).screen.state, panel(session).problem, driver.closed) == (DONE, "", [])


@pytest.mark.parametrize(("key", "says"), [("live", NO_LIVE), ("cassette:none", "This driver is not there any more.")])
def test_a_driver_that_cannot_be_chosen_says_why(opened, talk, key, says):
    """The one in use stays."""
    session, _ = opened(text=talk)
    before = session.result
    session.choose_driver(key)
    found = panel(session)
    assert (found.chosen, found.problem.startswith(says), session.result is before) == ("mock", True, True)


def test_the_mocks_script_is_kept_while_another_driver_is_asked(opened, live, talk):
    """Switching back loses nothing."""
    session, _ = opened(text=talk)
    session.choose_scenario("hedging judge")
    session.set_driver(live())
    session.choose_driver("mock")
    assert panel(session).scenario == "hedging judge"


def test_the_panel_says_who_answers_what(opened, live, talk):
    """Category by category."""
    session, _ = opened(live(), talk)
    assert ("judge", "judge-8b @ test.example") in panel(session).models
    session.choose_driver("mock")
    assert panel(session).models == ()


# Letting go.


def test_a_driver_is_let_go_of_when_another_is_chosen(opened, live, talk):
    """On the session's loop, once its calls have ended."""
    driver = live()
    session, _ = opened(driver, talk)
    session.run()
    settled(session)
    session.choose_driver("mock")
    settled(session)
    assert driver.closed == [session._loop._loop]


def test_a_call_has_ended_before_its_driver_is_let_go_of(opened, live, held, talk):
    """Not the other way round."""
    driver = live(MockDriver(sleep=held))
    ended = []

    async def close():
        ended.append(held.cancelled.is_set())

    driver.aclose = close
    session, _ = opened(driver, talk)
    session.run()
    assert held.reached.wait(30)
    session.choose_driver("mock")
    settled(session)
    assert ended == [True]


def test_closing_lets_go_of_the_driver_on_the_sessions_loop(opened, live, held, talk):
    """After the calls that were on; the loop still runs then."""
    driver = live(MockDriver(sleep=held))
    session, _ = opened(driver, talk)
    session.run()
    assert held.reached.wait(30)
    loop = session._loop._loop
    session.close()
    assert (driver.closed, held.cancelled.is_set(), loop.is_closed()) == ([loop], True, True)


def test_a_driver_that_fails_or_hangs_at_its_end_does_not_keep_a_session(opened, live, monkeypatch):
    """What it raises concerns nobody."""
    monkeypatch.setattr("routing_workbench.workbench.own_loop.AT_END", 0.05)
    for close in (lambda: asyncio.sleep(3600), lambda: asyncio.wait_for(asyncio.sleep(1), 0)):
        driver = live()
        driver.aclose = close
        session, _ = opened(driver)
        session.close()
        assert not session._loop._thread.is_alive()


# A configuration.


def test_a_route_sets_the_controls_and_offers_its_models(opened, talk, routes):
    """It asks nobody: the mock goes on answering."""
    session, _ = opened(text=talk)
    session.load_configuration(routes, "assistant")
    found = panel(session)
    assert (found.configuration, found.route, found.problem) == (str(routes), "assistant", "")
    assert found.routes == ("assistant", "agent")
    live = next(choice for choice in found.choices if choice.key == "live")
    assert (live.words, live.disabled) == ("live: large-1 @ 127.0.0.1:9 and 1 more", "")
    assert (found.chosen, session.screen.state) == ("mock", DONE)
    controls = session.screen.controls
    assert (controls.mode, controls.deadline, controls.breaker_threshold) == ("shadow", 12.0, 2)


def test_another_route_of_the_file_sets_what_it_configures(opened, talk, routes):
    """And leaves the rest."""
    session, _ = opened(text=talk)
    session.load_configuration(routes, "assistant")
    settled(session)
    session.choose_route("agent")
    screen = settled(session).screen
    assert (screen.escalation.config.confirmations, screen.escalation.source) == (4, "agent")
    assert screen.escalation.baseline == screen.escalation.config
    assert (screen.controls.mode, screen.driver.route) == ("shadow", "agent")


def test_a_route_that_is_loaded_leaves_the_results_there_as_stale(opened, live, talk, routes):
    """They were made with other settings."""
    session, _ = opened(live(), talk, algorithm=Algorithm.ESCALATION)
    session.run()
    turns = settled(session).screen.escalation.turns
    session.load_configuration(routes, "agent")
    screen = settled(session).screen
    assert (screen.state, screen.remark, screen.escalation.turns) == (STALE, "route agent loaded", turns)
    assert screen.escalation.outcome.config.confirmations == 2


def test_of_several_routes_one_is_to_be_chosen(opened, routes):
    """They are offered; nothing is set yet."""
    session, _ = opened()
    session.load_configuration(routes)
    found = panel(session)
    assert (found.routes, found.route, found.configuration) == (("assistant", "agent"), "", str(routes))
    assert "2 routes" in found.problem
    assert session.screen.controls == Controls()
    session.choose_route("agent")
    assert (panel(session).route, panel(session).problem) == ("agent", "")


def test_what_is_wrong_with_a_configuration_is_told_with_its_line(opened, routes):
    """And what was in use stays."""
    session, _ = opened()
    session.load_configuration(routes, "assistant")
    settled(session)
    routes.write_text(ROUTES.replace('mode = "shadow"', 'mode = "sideways"'), encoding="utf-8")
    session.load_configuration(routes, "assistant")
    found = panel(session)
    line = ROUTES.splitlines().index('mode = "shadow"') + 1
    assert f"routes.toml:{line}" in found.problem
    assert (found.route, session.screen.controls.mode) == ("assistant", "shadow")


def test_a_file_that_is_none_is_told(opened, tmp_path):
    """The session lives on."""
    session, _ = opened()
    session.choose_route("x")
    assert panel(session).problem == "No configuration is loaded. Name a routes.toml first."
    session.load_configuration(tmp_path / "none.toml")
    assert "cannot be read" in panel(session).problem


def test_of_two_configurations_the_last_one_named_counts(opened, routes):
    """However long the first one takes."""
    session, _ = opened()
    session.load_configuration(routes, "assistant")
    session.choose_route("agent")
    assert panel(session).route == "agent"
    assert session.screen.controls == Controls()


def test_reading_a_configuration_keeps_nobody_waiting(opened, talk, routes, monkeypatch):
    """It happens beside the session's thread, and is given up after a while."""
    go = threading.Event()
    real = configured_module.loaded

    def slow(path, route):
        assert go.wait(30)
        return real(path, route)

    monkeypatch.setattr(desk_module, "loaded", slow)
    session, watch = opened()
    session.load_configuration(routes, "assistant")
    session.set_text(talk)
    watch.until(lambda screen: screen.state is DONE)
    go.set()
    assert panel(session).route == "assistant"
    go.clear()
    monkeypatch.setattr(desk_module, "PATIENCE", 0.01)
    session.load_configuration(routes, "agent")
    assert "took longer" in panel(session).problem
    go.set()


def test_loading_while_the_live_driver_is_in_use_replaces_it(opened, talk, routes):
    """Nothing is sent; a result would be stale."""
    session, _ = opened(text=talk)
    session.load_configuration(routes, "assistant")
    settled(session)
    session.choose_driver("live")
    settled(session)
    session.load_configuration(routes, "agent")
    screen = settled(session).screen
    assert (screen.driver.chosen, screen.state, screen.remark) == ("live", STALE, "route agent loaded")


def test_a_session_begins_with_a_configured_route(opened, talk, routes):
    """Its settings, its algorithm and its models; nothing is asked before Run."""
    drivers = Drivers(configured=configured_module.configured(routes, "agent"))
    session, _ = opened(drivers=drivers, text=talk)
    screen = session.screen
    assert (screen.algorithm, screen.state, screen.driver.chosen) == (Algorithm.ESCALATION, IDLE, "live")
    assert screen.escalation.config.confirmations == 4


# Recording and replaying.


def test_calls_are_recorded_and_replayed(opened, live, talk, tmp_path):
    """What was recorded can be chosen, and gives the same result without the driver."""
    driver, path = live(), tmp_path / "talk.jsonl"
    session, _ = opened(driver, talk)
    session.record_to(path)
    assert panel(session).recording == str(path)
    session.run()
    served = settled(session).result.served
    session.stop_recording()
    assert (panel(session).recording, "cassette:talk" in [row.key for row in panel(session).choices]) == ("", True)
    asked = len(driver.calls)
    session.choose_driver("cassette:talk")
    assert settled(session).screen.state is STALE
    session.run()
    screen = settled(session).screen
    assert (screen.state, session.result.served, len(driver.calls)) == (DONE, served, asked)
    assert {row.origin.kind for row in screen.asked} == {OriginKind.CASSETTE}
    assert (screen.driver.missing, screen.driver.pace) == ("", "none")


def test_recording_makes_no_result_stale(opened, live, talk, tmp_path):
    """It changes nothing of what is answered."""
    session, _ = opened(live(), talk)
    session.run()
    settled(session)
    session.record_to(tmp_path / "talk.jsonl")
    assert (settled(session).screen.state, session.screen.driver.chosen) == (DONE, "given")


def test_what_a_cassette_does_not_hold_is_told_and_not_invented(opened, live, talk, tmp_path):
    """The replay of another conversation misses its calls."""
    session, _ = opened(live(), talk)
    session.record_to(tmp_path / "talk.jsonl")
    session.run()
    settled(session)
    session.stop_recording()
    session.choose_driver("cassette:talk")
    session.set_text(talk.replace("tides", "ships"))
    session.run()
    screen = settled(session).screen
    assert screen.driver.missing.startswith("2 calls are not on this cassette: readout, deliberation. ")
    assert [row.error for row in screen.asked] == ["", "not on this cassette", "not on this cassette"]
    assert screen.outcome.served == "cloud"
    session.set_text(talk)
    session.run()
    assert panel(session).missing == ""


def test_a_recording_is_of_one_driver(opened, live, talk, tmp_path):
    """Choosing another one ends it."""
    session, _ = opened(live(), talk)
    session.record_to(tmp_path / "talk.jsonl")
    session.choose_driver("mock")
    assert panel(session).recording == ""
    calls = (tmp_path / "talk.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    assert calls == []


def test_a_file_that_exists_is_not_recorded_over(opened, live, talk, tmp_path):
    """The panel says so."""
    path = tmp_path / "talk.jsonl"
    path.write_text("mine", encoding="utf-8")
    session, _ = opened(live(), talk)
    session.record_to(path)
    found = panel(session)
    assert (found.recording, path.read_text(encoding="utf-8")) == ("", "mine")
    assert "talk.jsonl exists" in found.problem


def test_a_recording_of_a_configured_route_knows_the_keys_it_must_not_hold(opened, routes, tmp_path, monkeypatch):
    """Those of its own models that are set."""
    text = ROUTES.replace('base_url = "http://127.0.0.1:9/v1"', 'base_url = "http://x.example/v1"\napi_key_env = "BOX"')
    routes.write_text(text, encoding="utf-8")
    monkeypatch.setenv("BOX", "canary-key-of-the-box")
    session, _ = opened()
    session.load_configuration(routes, "assistant")
    settled(session)
    session.choose_driver("live")
    session.record_to(tmp_path / "talk.jsonl")
    settled(session)
    keys = session._desk._drivers.asked._secrets
    assert {key.get_secret_value() for key in keys} == {"canary-key-of-the-box"}
    assert "canary" not in f"{keys!r}{session.screen!r}{(tmp_path / 'talk.jsonl').read_text(encoding='utf-8')}"


def test_the_pace_of_a_replay_is_set(opened, live, talk, tmp_path):
    """By its name or as a factor."""
    session, _ = opened(live(), talk)
    session.record_to(tmp_path / "talk.jsonl")
    session.run()
    settled(session)
    session.stop_recording()
    session.choose_driver("cassette:talk")
    for pace, shown in (("original", "original"), ("0,5", "0.5"), ("none", "none"), ("1", "original")):
        session.set_pace(pace)
        assert panel(session).pace == shown
    session.set_pace("-1")
    assert (panel(session).pace, panel(session).problem) == (
        "original",
        "The pace is not usable. Enter none, original, or a factor of 0 or more.",
    )


def test_no_screen_quotes_the_path_of_a_configuration_or_recording(opened, live, talk, tmp_path):
    """A folder may name a customer."""
    folder = tmp_path / "canary-customer"
    folder.mkdir()
    session, watch = opened(live(), talk)
    session.record_to(folder / "talk.jsonl")
    session.load_configuration(folder / "none.toml")
    session.run()
    settled(session)
    shown = "".join(map(repr, watch.screens)) + json.dumps(session.result.record())
    assert "canary" not in shown


def test_every_rung_of_another_algorithm_is_asked_of_the_same_driver(opened, live, talk):
    """Whom one chose is asked for all three."""
    driver = live()
    session, _ = opened(driver, talk)
    for algorithm in Algorithm:
        session.choose_algorithm(algorithm)
        session.run()
        assert settled(session).screen.state is DONE
    assert driver.calls == [Rung.TYPING, Rung.READOUT, Rung.ROUTE, Rung.ESCALATION_JUDGE]
