"""A routes.toml on a bench: its route sets what it configures and offers its models; nothing is sent."""

from __future__ import annotations

import threading

from routing_workbench.core.vgr.evidence import Ending
from routing_workbench.widgets.algorithm import Algorithm
from routing_workbench.widgets.screen import Controls, RunState
from routing_workbench.workbench import configured as configured_module
from routing_workbench.workbench import desk as desk_module
from routing_workbench.workbench.driving import Drivers

DONE = RunState.DONE
STALE = RunState.STALE
IDLE = RunState.IDLE


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def panel(session):
    """The driver panel."""
    return settled(session).screen.driver


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


def test_what_the_route_sets_is_what_later_changes_are_compared_with(opened, talk, routes):
    """Also after another route that sets none of it; without a route there is nothing to compare with."""
    session, _ = opened(text=talk)
    assert session.screen.controls_baseline is None
    session.load_configuration(routes, "assistant")
    settled(session)
    session.set_controls(mode="off")
    session.choose_route("agent")
    screen = settled(session).screen
    route = screen.controls_baseline
    assert (screen.controls.mode, route.mode, route.deadline) == ("off", "shadow", 12.0)


def test_a_route_leaves_what_no_route_holds(opened, talk, routes):
    """Above all the kill switch, which a file must not disengage."""
    session, _ = opened(text=talk)
    session.set_controls(kill_switch=True, prior_local=0.4, provenance=None, diagnose=True, ask_cloud=True)
    session.load_configuration(routes, "assistant")
    found = settled(session).screen.controls
    assert (found.kill_switch, found.prior_local, found.provenance) == (True, 0.4, None)
    assert (found.diagnose, found.ask_cloud, found.mode) == (True, True, "shadow")
    assert session.result.outcome.ending is Ending.KILL_SWITCH


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
    text = routes.read_text(encoding="utf-8")
    routes.write_text(text.replace('mode = "shadow"', 'mode = "sideways"'), encoding="utf-8")
    session.load_configuration(routes, "assistant")
    found = panel(session)
    line = text.splitlines().index('mode = "shadow"') + 1
    assert f"routes.toml:{line}" in found.problem
    assert (found.route, session.screen.controls.mode) == ("assistant", "shadow")


def test_what_is_wrong_with_the_rest_of_a_file_is_told_beside_the_route_in_use(opened, routes):
    """A route that cannot be used is missed in the list, and a table that is not read is missed by nobody."""
    text = routes.read_text(encoding="utf-8")
    wrong = text.replace('mode = "shadow"', 'mode = "sideways"') + '\n[route.more]\ntype = "vgr"\n'
    routes.write_text(wrong, encoding="utf-8")
    session, _ = opened()
    session.load_configuration(routes)
    found = panel(session)
    assert (found.routes, found.route, found.problem) == (("agent",), "agent", "")
    mode, more = wrong.splitlines().index('mode = "sideways"') + 1, wrong.splitlines().index("[route.more]") + 1
    assert [kind for kind, _ in found.remarks] == ["error", "warning"]
    assert found.remarks[0][1].startswith(f"routes.toml:{mode}:")
    assert found.remarks[1][1].startswith(f"routes.toml:{more}:")
    session.choose_route("assistant")
    found = panel(session)
    assert found.remarks[0][1].startswith(f"routes.toml:{more}:")
    assert f"routes.toml:{mode}:" in found.problem
    routes.write_text(text, encoding="utf-8")
    session.load_configuration(routes, "assistant")
    assert (panel(session).remarks, panel(session).problem) == ((), "")


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
