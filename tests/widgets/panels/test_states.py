"""The bar, the verdict card and the panels in every state of the bench (UI 6, 11)."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from routing_workbench.core.explain.reason import reason
from routing_workbench.core.vgr.evidence import Origin, OriginKind
from routing_workbench.widgets import panels


def said(html: str) -> str:
    """The text on screen, one space between pieces."""
    found = []

    class Reader(HTMLParser):
        def handle_data(self, data: str) -> None:
            found.append(data)

    Reader().feed(html)
    return re.sub(r"\s+", " ", " ".join(found)).strip()


def unspaced(text: str) -> str:
    """The text without the spaces that a tag leaves before a full stop or a comma."""
    return re.sub(r" +([.,])", r"\1", text)


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ("empty", "MOCK, seed 7 Run"),
        ("idle", "Idle MOCK, seed 7 Run"),
        ("running", "Asking readout, 0.9 s of 30 s MOCK, seed 7 Cancel"),
        ("done", "Done 1.316 s, 4 calls, 1 fault MOCK, seed 7 Run again"),
        ("stale", "Stale: message 33 edited MOCK, seed 7 Run again"),
        ("cancelled", "Cancelled at 1.2 s MOCK, seed 7 Run again"),
        ("failed", "Failed: attempt MOCK, seed 7 Run again"),
    ],
)
def test_bar_says_the_state(screens, state, says):
    """The bar names the state, the driver and the one thing to do next."""
    html = panels.bar(screens.STATES[state]())
    assert unspaced(said(html)) == f"Routing Workbench VGR Cutoffs Escalation {says}"


def test_clock_starts_at_the_last_answer(screens):
    """Elapsed time is given in seconds for the browser to count on."""
    assert '<span data-clock="0.853" data-k="clock">0.9 s</span>' in panels.bar(screens.running())


def test_nothing_to_run_disables_run_and_says_why(screens):
    """Disabled controls carry their reason as title."""
    html = panels.bar(screens.empty())
    assert 'disabled title="Nothing to run: paste a conversation first."' in html


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (
            "empty",
            "Verdict Paste a conversation to see its route. A chat request, a transcript or a log. Or open an example. "
            "Paste Examples Tidewatch, agent loop",
        ),
        (
            "idle",
            "Verdict Branch agentic_verified. No evidence asked yet. Run asks the mock driver: attempt, typing. "
            "Nothing leaves this machine. Run",
        ),
        (
            "running",
            "Verdict Asking readout, 0.9 s of 30 s attempt 812 ms, typing 41 ms, readout ... Cancel",
        ),
        (
            "cancelled",
            "Verdict Cancelled while asking deliberation. attempt, typing and readout are kept. "
            "No verdict: the rest was not asked. Run again Cancelled while asking deliberation.",
        ),
        (
            "failed",
            "Verdict Local tier failed: HTTP 401. Check the key of the local tier, then run again. Run again "
            "Details Failed at stage attempt. Asked before: attempt 12 ms, call_failed: HTTP 401. "
            "Local tier failed: HTTP 401.",
        ),
        (
            "several",
            "Verdict Choose a conversation to see its route. The paste holds 3 conversations; one is routed at a time.",
        ),
        (
            "unreadable",
            "Verdict Nothing to route: the paste could not be read. The Conversation panel says where, and what to do.",
        ),
        (
            "done",
            "Verdict Effective route CLOUD the capable tier answers turn 17 "
            "8 of 16 tool results failed and the run did not recover. {detail} "
            "Predicted CLOUD by agentic_verified Readiness gate none CLOUD is never gated Effective CLOUD as predicted "
            "Mode evaluate serves the predicted route Served CLOUD attempt not used evidence mock policy 1.0.0 "
            "Copy record CLOUD. 8 of 16 tool results failed and the run did not recover.",
        ),
        (
            "local",
            "Verdict Effective route LOCAL the local tier answers turn 1 Readout 0.93 clears the dial of 0.30. "
            "Predicted, effective and served agree. Predicted LOCAL by chat Readiness gate none "
            "nothing holds LOCAL back Effective LOCAL as predicted Mode evaluate serves the predicted route "
            "Served LOCAL attempt used evidence mock policy 1.0.0 Copy record "
            "LOCAL. Readout 0.93 clears the dial of 0.30.",
        ),
        (
            "held_back",
            "Verdict Effective route CLOUD the capable tier answers turn 17 No validated checker is deployed. {detail} "
            "Predicted LOCAL by checks "
            "Readiness gate secure_checker_missing no validated checker: LOCAL is held back "
            "Effective CLOUD held back by the gate Mode active serves the effective route Served CLOUD "
            "attempt not used evidence mock policy 1.0.0 Copy record CLOUD. No validated checker is deployed.",
        ),
        (
            "ended",
            "Verdict Served CLOUD the capable tier answers turn 17 The local tier gave no attempt before the deadline. "
            "Nothing was judged, so CLOUD serves the turn. Predicted not reached ended before the rules "
            "Readiness gate not reached ended before the rules Effective not reached local_timed_out "
            "Mode evaluate serves the predicted route Served CLOUD attempt not used evidence mock policy 1.0.0 "
            "Copy record CLOUD. The local tier gave no attempt before the deadline.",
        ),
    ],
)
def test_verdict_card_says(screens, state, says):
    """The card's whole text in each state, the sentence for screen readers last."""
    screen = screens.STATES[state]()
    detail = reason(screen.trace, screen.derived.capabilities).detail if screen.trace else ""
    assert unspaced(said(panels.verdict(screen))) == unspaced(says.format(detail=detail))


@pytest.mark.parametrize("state", ["stale", "rerunning"])
def test_stale_verdict_keeps_its_words_and_is_not_said_again(screens, state):
    """A stale card is the same card with ", stale" behind its word, silent for screen readers."""
    shown = said(panels.verdict(screens.STATES[state]()))
    whole = said(panels.verdict(screens.done()))
    sentence = " CLOUD. 8 of 16 tool results failed and the run did not recover."
    assert shown == whole.removesuffix(sentence).replace("route CLOUD the", "route CLOUD, stale the")


def test_stale_card_has_the_rows_of_the_fresh_one(screens):
    """Same structure and shape, so that nothing jumps: only ground and ink differ."""
    tags = [re.findall(r"<(\w+)", panels.verdict(made())) for made in (screens.done, screens.stale)]
    assert tags[0] == tags[1]
    assert 'class="panel verdict cloud stale"' in panels.verdict(screens.stale())


@pytest.mark.parametrize("panel", [panels.why, panels.probabilities_head, panels.timeline])
def test_stale_panels_have_a_tag_beside_their_title(screens, panel):
    """Values of an earlier input say so in the title."""
    assert '</h3><span class="tag">stale</span>' in panel(screens.stale())
    assert '<span class="tag">stale</span>' not in panel(screens.done())


@pytest.mark.parametrize(
    ("panel", "says"),
    [
        (panels.conversation_details, ""),
        (panels.turns, "Turns No assistant turn yet."),
        (panels.why, "Why The branch appears once a conversation is read."),
        (panels.probabilities_head, "Probabilities Chart Table"),
        (panels.probabilities_below, "No score asked."),
        (panels.timeline, "Evidence timeline Nothing asked yet. Ask every rung, for diagnosis"),
        (panels.judge_view, "Judge’s view No judge reads this: the branch is unknown until a conversation is read."),
        (panels.policy, "Policy 1.0.0, no changes."),
    ],
)
def test_empty_panels_say_their_sentence(screens, panel, says):
    """Nothing pasted: each panel says what will stand there."""
    assert said(panel(screens.empty())) == says


def test_driver_panel_without_a_driver(screens):
    """The panel says how to get one."""
    assert (
        said(panels.driver(replace(screens.empty(), driver=None))) == "Driver No driver. Choose mock, cassette or live."
    )


def test_idle_timeline_says_what_run_asks(screens):
    """Before a run, what will be asked."""
    assert "Nothing asked yet. Run asks: attempt, typing." in said(panels.timeline(screens.idle()))


def test_a_paste_that_cannot_be_read_is_not_run_over_what_was_read_before(screens):
    """Its card says so, Run says why not, and the panels of the earlier conversation are stale."""
    screen = replace(screens.idle(), reading=screens.unreadable().reading, chosen=None)
    assert "Nothing to route: the paste could not be read." in said(panels.verdict(screen))
    assert 'disabled title="Nothing to run: the paste could not be read."' in panels.bar(screen)
    for panel in (panels.turns, panels.why, panels.judge_view):
        assert '</h3><span class="tag">stale</span>' in panel(screen)
        assert '<span class="tag">stale</span>' not in panel(screens.idle())


def test_unknown_branch_has_no_judge(screens):
    """Branch unknown: nobody reads a view."""
    of = screens.derived(None)
    screen = replace(screens.idle(), derived=of)
    assert said(panels.judge_view(screen)) == "Judge’s view No judge reads this: branch unknown."


@pytest.mark.parametrize(
    ("origin", "badge"),
    [
        (Origin(OriginKind.MOCK, "seed 7"), '<span class="o mock badge">MOCK, seed 7</span>'),
        (Origin(OriginKind.CASSETTE, "t-17"), '<span class="o cassette badge">CASSETTE, t-17</span>'),
        (Origin(OriginKind.LIVE, "judge-8b @ h"), '<span class="o live badge">LIVE, judge-8b @ h</span>'),
    ],
)
def test_driver_badge_differs_by_word_and_outline(screens, origin, badge):
    """A mock is never mistaken for a measurement."""
    screen = screens.done()
    assert badge in panels.bar(replace(screen, driver=replace(screen.driver, origin=origin)))


def test_live_driver_is_named_before_anything_is_sent(screens):
    """Idle with a live driver says where the conversation will go."""
    screen = screens.idle()
    live = replace(screen.driver, origin=Origin(OriginKind.LIVE, "judge-8b @ host"))
    text = said(panels.verdict(replace(screen, driver=live)))
    assert "Run asks the live driver, judge-8b @ host: attempt, typing. Run" in text


def test_policy_changes_are_counted_with_the_nested_ones(screens):
    """Every constant that differs counts once."""
    policy = screens.done().policy
    changed = replace(policy, chat_dial=0.4, recovered_run=replace(policy.recovered_run, max_tool_results=16))
    assert '<span class="tag warn">what-if: policy 1.0.0, 2 changes</span>' in panels.verdict(
        replace(screens.done(), policy=changed)
    )


def test_screen_never_says_none_null_or_not_available(screen):
    """Absent things have words of their own (UI 10)."""
    for name in "bar verdict why probabilities_below timeline judge_view controls driver".split():
        assert not re.search(r"\b(None|null|N/A|nan|undefined)\b", said(getattr(panels, name)(screen))), name
    assert not re.search(r"\b(None|null|N/A)\b", said(panels.conversation_details(screen)))
