"""Calls recorded from a bench and replayed on it: the same result, without network and without inventing any."""

from __future__ import annotations

import json

from routing_workbench.core.vgr.evidence import OriginKind, Rung
from routing_workbench.widgets.algorithm import Algorithm
from routing_workbench.widgets.screen import RunState

DONE = RunState.DONE
STALE = RunState.STALE


def settled(session):
    """The session once it has nothing left to do."""
    assert session.wait(30)
    return session


def panel(session):
    """The driver panel."""
    return settled(session).screen.driver


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
