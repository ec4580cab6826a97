"""The Driver panel: rungs, faults, choices, models, replays, recordings and configurations."""

from __future__ import annotations

import re
from dataclasses import replace

from routing_workbench.core.vgr.evidence import Origin, OriginKind, Rung
from routing_workbench.widgets import panels
from routing_workbench.widgets.algorithm import Algorithm
from routing_workbench.widgets.screen import DriverChoice, DriverPanel, RungControl


def test_score_rung_has_slider_and_number(screens, row):
    """A range from 0 to 1 in steps of 0.01, and the same as a number."""
    html = row(panels.driver(screens.done()), "readout")
    for kind in ("range", "number"):
        pattern = (
            rf'<input type="{kind}"[^>]*data-act="rung:readout:answer"[^>]*value="0.34" min="0" max="1" step="0.01">'
        )
        assert re.search(pattern, html)


def test_faulty_rung_is_tinted_and_counted(screens, row):
    """The row and the head say it."""
    html = panels.driver(screens.done())
    assert row(html, "deliberation").startswith('<li class="flt"')
    assert '<span class="tag err">1 fault</span>' in html
    assert '<option value="timeout" selected>timeout</option>' in row(html, "deliberation")


def test_answer_outside_the_list_stays_choosable(screens):
    """A hedging judge's answer is none of yes, no, unknown, and is not lost."""
    screen = screens.done()
    rungs = (replace(screen.driver.rungs[3], answer="Yes, but look again"), *screen.driver.rungs[4:])
    html = panels.driver(replace(screen, driver=replace(screen.driver, rungs=rungs)))
    assert '<option value="Yes, but look again" selected>' in html


def test_disabled_rung_says_why(screens, row, text):
    """No controls, the reason instead."""
    assert text(row(panels.driver(screens.done()), "checker")) == "checker not configured"


# ------------------------------------------------------------------------------------ whom else to ask


def with_driver(screens, **changes):
    """The done screen with this changed of its driver."""
    screen = screens.done()
    return replace(screen, driver=replace(screen.driver, **changes))


CHOICES = (
    DriverChoice("mock", "mock, seed 7"),
    DriverChoice("cassette:tidewatch", "cassette: tidewatch on smollm2-135m"),
    DriverChoice("live", "live", "No live driver is configured. Name a routes.toml below."),
)
LIVE = Origin(OriginKind.LIVE, "smollm2-135m @ 127.0.0.1:8093")


def test_every_driver_can_be_chosen_or_says_why_not(screens, row, text):
    """A row each: outlined kind, name, what it does, and which is in use; the reason in words and as title."""
    html = panels.driver(with_driver(screens, choices=CHOICES, chosen="mock"))
    assert 'data-act="driver" value="mock" aria-pressed="true"' in row(html, "mock")
    assert text(row(html, "mock")) == "mock seed 7 scripted answers in use"
    assert '<span class="o cassette">cassette</span>' in row(html, "cassette:tidewatch")
    assert text(row(html, "cassette:tidewatch")) == "cassette tidewatch on smollm2-135m recorded answers use"
    assert 'disabled title="No live driver is configured. Name a routes.toml below."' in row(html, "live")
    assert text(row(html, "live")) == "live No live driver is configured. Name a routes.toml below."


def test_a_live_choice_says_who_is_asked(screens, row, text):
    """Model and host, and that it is a real one."""
    choices = (DriverChoice("live", "live: smollm2-135m @ 127.0.0.1:8093"),)
    html = panels.driver(with_driver(screens, choices=choices, chosen="live"))
    assert text(row(html, "live")) == "live smollm2-135m @ 127.0.0.1:8093 asks real models in use"


def test_a_replay_of_a_session_may_ask_fewer(screens, text):
    """It stops asking where it latches."""
    driver = DriverPanel(LIVE, "", (), (), ())
    screen = replace(screens.idle(), driver=driver, algorithm=Algorithm.ESCALATION)
    assert "Run sends at most 2 calls to smollm2-135m @ 127.0.0.1:8093." in text(panels.driver(screen))


def test_a_live_driver_waits_and_says_what_run_sends(screens, text):
    """How many calls, and to whom."""
    screen = replace(screens.idle(), driver=DriverPanel(LIVE, "", (), (), (), models=(("judge", LIVE.label),)))
    says = text(panels.driver(screen))
    assert "Run sends 2 calls to smollm2-135m @ 127.0.0.1:8093. Switching the driver sends nothing." in says
    assert "judge smollm2-135m @ 127.0.0.1:8093" in says
    assert "Clear faults" not in says


def test_a_replay_has_a_pace_and_says_what_it_does_not_hold(screens, text):
    """And that nothing is sent. A cassette is not recorded again."""
    played = DriverPanel(
        Origin(OriginKind.CASSETTE, "tidewatch"), "", (), (), (), pace="0.5", missing="1 call is missing: readout."
    )
    html = panels.driver(replace(screens.idle(), driver=played))
    assert '<option value="0.5" selected>2× faster</option>' in html
    assert "missing 1 call is missing: readout." in text(html)
    assert "A replay asks nobody: nothing leaves this machine." in text(html)
    assert 'data-act="record"' not in html


def test_a_pace_that_has_no_name_stays_chosen(screens):
    """As typed elsewhere."""
    played = DriverPanel(Origin(OriginKind.CASSETTE, "t"), "", (), (), (), pace="0.25")
    html = panels.driver(replace(screens.idle(), driver=played))
    assert '<option value="0.25" selected>0.25 of the recorded time</option>' in html


def test_recording_names_its_file_and_can_be_stopped(screens, text):
    """Else there is a field for one; what a cassette holds is said either way."""
    html = panels.driver(with_driver(screens, recording="cassettes/one.jsonl"))
    assert "Recording to cassettes/one.jsonl Stop" in text(html)
    assert 'data-act="record"' not in html
    html = panels.driver(screens.done())
    assert re.search(r'<input type="text"[^>]*data-keep="true"><button[^>]*data-act="record" data-take="true">', html)
    assert "A cassette holds a hash of each request, the redacted reply and its time" in text(html)


def test_a_configuration_is_loaded_by_its_path_and_has_routes(screens, text):
    """Several are chosen from; one is named alone."""
    used = {"configuration": "/x/routes.toml", "route": "coding"}
    html = panels.driver(with_driver(screens, routes=("coding", "triage"), **used))
    assert "/x/routes.toml , route coding" in text(html)
    assert '<option value="coding" selected>coding</option>' in html
    assert 'data-act="configuration" data-take="true">Load</button>' in html
    assert 'data-act="route"' not in panels.driver(with_driver(screens, routes=("coding",), **used))


def test_a_file_of_which_no_route_is_in_use_says_so(screens, text):
    """With its routes to choose from, none chosen yet."""
    html = panels.driver(with_driver(screens, routes=("coding", "triage"), configuration="/x/routes.toml"))
    assert "/x/routes.toml , no route of it is in use" in text(html)
    assert '<option value="" selected>choose a route</option>' in html


def test_a_configured_checker_is_told_to_be_no_sandbox(screens, text):
    """As the shell says it."""
    screen = screens.done()
    said = "Checker pytest, tests 0123456789ab. The checker is no sandbox."
    shown = replace(screen, driver=replace(screen.driver, checker=said))
    assert said in text(panels.driver(shown))
    assert "no sandbox" not in text(panels.driver(screen))


def test_what_was_wrong_is_a_row_for_each_line(screens, row, text):
    """As diagnostics, said at once."""
    html = panels.driver(with_driver(screens, problem="line 41: unknown key.\nline 44: no such target."))
    assert text(row(html, "0")) == "error line 41: unknown key."
    assert text(row(html, "1")) == "error line 44: no such target."
    assert 'class="diag said" role="alert"' in html


def test_what_is_wrong_elsewhere_in_the_file_stands_below_it_with_its_severity(screens, row, text):
    """It interrupts nobody; of very many the first are listed, and how many more there are."""
    remarks = (("error", "routes.toml:9:1: wrong."), *[("warning", f"routes.toml:{at}:1: odd.") for at in range(30)])
    html = panels.driver(with_driver(screens, configuration="routes.toml", remarks=remarks))
    block = row(html, "remarks", "ul")
    assert text(row(block, "0")) == "error routes.toml:9:1: wrong."
    assert text(row(block, "19")) == "warning routes.toml:18:1: odd."
    assert text(row(block, "more")) == "11 more"
    assert "alert" not in block


# --------------------------------------------------------------------------------- the rows of the mock


def test_faults_are_in_groups_and_each_is_listed_once(screens, row):
    """Connection, time, status, body and content; none stands before them."""
    faults = (
        *("none", "connection refused", "DNS failure", "TLS failure", "timeout at connect", "HTTP 503"),
        *("truncated body", "not JSON", "wrong shape", "empty content", "NaN", "context overflow"),
    )
    html = row(panels.driver(with_driver(screens, faults=faults)), "attempt")
    groups = re.findall(r'<optgroup label="(\w+)">(.*?)</optgroup>', html)
    assert {name: re.findall(r'value="([^"]+)"', options) for name, options in groups} == {
        "connection": ["connection refused", "DNS failure", "TLS failure"],
        "time": ["timeout at connect"],
        "status": ["HTTP 503"],
        "body": ["truncated body", "not JSON", "wrong shape"],
        "content": ["empty content", "NaN", "context overflow"],
    }
    assert '<option value="none" selected>none</option><optgroup' in html


def test_the_route_question_has_a_row_for_each_label(cutoffs, row):
    """Its probability by slider and number, reported with the label; delay and fault stand once."""
    html = panels.driver(cutoffs.idle())
    for kind in ("range", "number"):
        assert re.search(rf'<input type="{kind}"[^>]*data-act="probability" value="0.35"', row(html, "mid"))
    assert html.count("rung:route:fault") == 1
    assert re.findall(r'<li data-k="(large|mid|small)">', html) == ["large", "mid", "small"]


def test_a_long_probability_fits_its_field_and_is_exact_in_its_title(cutoffs, row):
    """A third of three labels."""
    screen = cutoffs.idle()
    driver = replace(screen.driver, probabilities=(("large", 1 / 3), ("mid", 0.35)))
    html = panels.driver(replace(screen, driver=driver))
    assert re.search(r'type="number"[^>]*value="0.3333"[^>]*title="0.3333333333333333"', row(html, "large"))
    assert "title" not in row(html, "mid").partition('type="number"')[2]


def test_the_escalation_judge_s_row_takes_a_list_over_turns(screens, row, text):
    """Said in its title; named as the drawing names it."""
    judge = RungControl(Rung.ESCALATION_JUDGE, "decline x6, escalate", (), "text", 2, "none")
    html = row(panels.driver(with_driver(screens, rungs=(judge,))), "escalation_judge")
    assert text(html).startswith("judge")
    assert 'data-act="rung:escalation_judge:answer" value="decline x6, escalate" title="One verdict, or a list' in html
