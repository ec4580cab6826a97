"""The Escalation tab in every state: card, streak, verdict of a turn, settings, transcript, turns (SPEC 6.2; UI 6)."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from routing_workbench.core.escalation.config import EscalationConfig
from routing_workbench.core.vgr.evidence import Asked, Miss, Rung
from routing_workbench.widgets.panels.escalation import (
    escalation_details,
    escalation_settings,
    escalation_turns,
    escalation_verdict,
    streak_panel,
    transcript_panel,
)
from routing_workbench.widgets.panels.escalation_columns import labelled
from routing_workbench.widgets.panels.escalation_details import CAP_TOKENS
from routing_workbench.widgets.panels.escalation_streak import PASTED, ROWS
from routing_workbench.widgets.panels.view import View
from routing_workbench.widgets.screen import RunState
from routing_workbench.workbench.turns.questions import ESCALATION_TOKENS

_spec = spec_from_file_location("escalation_screens", Path(__file__).with_name("escalation_screens.py"))
screens = module_from_spec(_spec)
_spec.loader.exec_module(screens)

TABLE = View(escalation_table=True)


def said(html: str) -> str:
    """The text on screen, one space between pieces."""
    found: list[str] = []

    class Reader(HTMLParser):
        def handle_data(self, data: str) -> None:
            found.append(data)

    Reader().feed(html)
    return re.sub(r"\s+", " ", " ".join(found)).strip()


def rows(html: str) -> list[str]:
    """The rows of the streak's table, as texts."""
    body = html.partition("<tbody>")[2].partition("</tbody>")[0]
    return [said(row) for row in body.split("</tr>") if row]


def part(html: str, tag: str, kind: str) -> str:
    """The text of the first element of this class."""
    return said(re.search(rf'<{tag} class="{kind}"[^>]*>(.*?)</{tag}>', html, re.DOTALL)[1])


class TestVerdictCard:
    """One word, one sentence, and the chain of five."""

    @pytest.mark.parametrize(
        ("state", "lamp", "headline"),
        [
            (
                "done",
                "Served, turn 9 CLOUD capable, latched at this turn",
                "Latched at turn 9: the judge said escalate twice in a row.",
            ),
            (
                "latched",
                "Served, turn 17 CLOUD capable, latched since turn 9",
                "Latched at turn 9: the judge said escalate twice in a row.",
            ),
            (
                "stale",
                "Served, turn 9 CLOUD, stale capable, latched at this turn",
                "Latched at turn 9: the judge said escalate twice in a row.",
            ),
            (
                "never",
                "Served, turn 4 LOCAL efficient, streak 1 of 3",
                "Can never latch: without a session id no streak is kept between turns.",
            ),
            (
                "fell_back",
                "Served, turn 4 CLOUD capable, a fallback for this turn",
                "The efficient tier ran out of context: the capable tier took turn 4.",
            ),
            (
                "unavailable",
                "Served, turn 2 LOCAL efficient, streak 0 of 2",
                "No usable verdict at turn 2: the streak stays at 0 of 2.",
            ),
        ],
    )
    def test_lamp_and_headline(self, state, lamp, headline):
        """Who serves the turn on screen, since when, and the deciding fact."""
        html = escalation_verdict(screens.STATES[state]())
        assert part(html, "div", "lamp") == lamp
        assert part(html, "p", "reason") == headline

    @pytest.mark.parametrize(
        ("screen", "chain"),
        [
            (
                screens.done(),
                "Streak 2 of 2 at the bar Efficient tier reply discarded as pasted, 28 chars Judge escalate 231 ms "
                "Served CLOUD capable Evidence escalate source escalation",
            ),
            (
                screens.latched(),
                "Streak 2 of 2 at the bar Efficient tier not called since turn 10 Judge not asked since turn 10 "
                "Served CLOUD capable Evidence latched source escalation",
            ),
            (
                screens.done(selected=8),
                "Streak 1 of 2 from 0 Efficient tier reply served as pasted, 28 chars Judge escalate 231 ms "
                "Served LOCAL efficient Evidence pending source escalation",
            ),
            (
                screens.done("eed", config=EscalationConfig(confirmations=3)),
                "Streak 0 of 3 cleared from 2 Efficient tier reply served as pasted, 28 chars Judge decline 231 ms "
                "Served LOCAL efficient Evidence continue source escalation",
            ),
            (
                screens.fell_back(),
                "Streak 0 of 2 left as it was Efficient tier context overflow no reply to hold Judge not asked "
                "no reply to judge Served CLOUD capable Evidence fallback no verdict",
            ),
        ],
        ids=["latching", "latched", "pending", "cleared", "fallback"],
    )
    def test_chain_of_five(self, screen, chain):
        """Streak, efficient tier, judge, served, evidence; each with a note."""
        assert part(escalation_verdict(screen), "ol", "chain") == chain

    def test_closest_flip_can_be_tried(self):
        """The drawing's flip, and a button that makes it a what-if."""
        html = escalation_verdict(screens.done())
        assert "Closest flip confirmations 2 → 3 keeps turn 9 LOCAL Try" in said(html)
        assert re.search(r'<button[^>]*data-act="escalation:confirmations"[^>]*value="3"', html)

    def test_a_turn_without_flip_says_so(self):
        """No number of confirmations escalates what was never said."""
        html = escalation_verdict(screens.done("ddd"))
        assert "Closest flip none: no setting gives this turn the other tier" in said(html)

    def test_status_is_of_the_whole_session(self):
        """It is said once, when the replay ends, whichever turn is looked at; a stale one is not said."""
        latch = "CLOUD. Latched at turn 9: the judge said escalate twice in a row."
        for selected in (3, 9, 17):
            html = escalation_verdict(screens.done(selected=selected))
            assert re.search(r'role="status"[^>]*>([^<]*)<', html)[1] == latch
        assert re.search(r'role="status"[^>]*>([^<]*)<', escalation_verdict(screens.stale()))[1] == ""

    @pytest.mark.parametrize(
        ("state", "says"),
        [
            ("empty", "Paste a conversation to see its route."),
            ("no_turn", "No assistant turn yet."),
            ("idle", "Not replayed. Replay asks 17 verdicts of the mock driver, fewer once a turn latches."),
            ("running", "Judging turn 6 of 17. 5 of 17 turns judged: 4 decline, 1 unavailable. Cancel"),
            ("cancelled", "Cancelled at turn 6 of 17. 5 of 17 turns judged: 4 decline, 1 unavailable. Replay again"),
            (
                "failed",
                "Efficient tier failed: HTTP 401. Check its key, then run again. "
                "5 of 17 turns judged: 4 decline, 1 unavailable. Replay again",
            ),
        ],
    )
    def test_without_a_verdict(self, state, says):
        """Each state says what is known and what to do; the turns that were judged are kept."""
        assert f"Verdict {says}" in said(escalation_verdict(screens.STATES[state]()))

    def test_a_live_turn_is_announced(self):
        """A conversation that waits for its reply asks the efficient tier too."""
        screen = replace(screens.idle(), will_ask=(Rung.ESCALATION_JUDGE, Rung.EFFICIENT, Rung.ESCALATION_JUDGE))
        assert "Replay asks 17 verdicts and one reply of the efficient tier" in said(escalation_verdict(screen))


class TestStreak:
    """The chart and the table beside it."""

    def test_turns_of_the_run_that_is_on_are_not_those_of_the_one_before(self):
        """The verdict is stale as long as it stands; the panels are as long as no new turn has come."""
        before = replace(screens.done(), state=RunState.RUNNING)
        tag = '<span class="tag">stale</span>'
        assert tag in streak_panel(before)
        on = replace(before, escalation=replace(before.escalation, turns=screens.turns_of("dd")))
        assert tag not in streak_panel(on)
        assert tag not in escalation_details(on)
        assert 'class="panel verdict cloud stale"' in escalation_verdict(on)

    def test_rows_fold_what_says_the_same(self):
        """Declines at streak 0 and latched turns fold; the others keep the judge's reason."""
        assert rows(streak_panel(screens.done())) == [
            "1 to 4 continue decline 4 turns 0 0 LOCAL",
            "5 continue unavailable the reply is not one JSON object, bare or in a json fence 0 0 LOCAL",
            "6 continue decline The work moves forward. 0 0 LOCAL",
            "7 continue decline The work moves forward. 0 0 LOCAL",
            f"8 pending escalate {screens.REASON} 0 1 LOCAL",
            f"9 escalate escalate {screens.REASON} 1 2 CLOUD",
            "10 to 17 latched not asked 2 2 CLOUD",
        ]

    def test_table_lists_every_turn_and_no_chart(self):
        """The table view folds nothing."""
        html = streak_panel(screens.done(), TABLE)
        assert len(rows(html)) == 17
        assert "streakbox" not in html

    def test_a_turn_that_is_looked_at_keeps_its_row(self):
        """A fold would hide its reason."""
        assert rows(streak_panel(screens.done(selected=3)))[:3] == [
            "1 continue decline The work moves forward. 0 0 LOCAL",
            "2 continue decline The work moves forward. 0 0 LOCAL",
            "3 continue decline The work moves forward. 0 0 LOCAL",
        ]

    @pytest.mark.parametrize(("selected", "row"), [(8, "t8"), (9, "t9"), (10, "t10"), (14, "t10"), (17, "t10")])
    def test_the_row_of_the_selected_turn_is_marked(self, selected, row):
        """Also where it is folded with its neighbours."""
        html = streak_panel(screens.done(selected=selected))
        assert re.findall(r'<tr class="here" data-k="(\w+)"', html) == [row]
        assert html.count('aria-current="true"') == 1

    def test_rows_and_columns_select_a_turn(self):
        """By pointer anywhere in a row or column, by keyboard on the row's button."""
        html = streak_panel(screens.done())
        assert re.findall(r'<tr[^>]*data-act="turn" data-value="(\d+)"', html) == ["1", "5", "6", "7", "8", "9", "10"]
        assert re.findall(r'<button[^>]*data-act="turn" value="(\d+)"', html) == ["1", "5", "6", "7", "8", "9", "10"]
        assert len(re.findall(r'<rect class="pick"[^>]*data-act="turn"', html)) == 17

    def test_rows_arrive_one_by_one(self):
        """While a replay runs, the next turn is being asked."""
        assert rows(streak_panel(screens.running()))[-2:] == [
            "5 continue unavailable the reply is not one JSON object, bare or in a json fence 0 0 LOCAL",
            "6 asking no reply yet",
        ]

    @pytest.mark.parametrize("state", ["cancelled", "failed"])
    def test_rows_that_were_judged_stay(self, state):
        """What ended a replay takes none of its verdicts away."""
        assert len(rows(streak_panel(screens.STATES[state](), TABLE))) == 5

    @pytest.mark.parametrize(
        ("state", "says"),
        [
            ("idle", "Streak Not replayed. Replay asks 17 verdicts."),
            ("empty", "Streak No assistant turn yet."),
            ("no_turn", "Streak No assistant turn yet."),
        ],
    )
    def test_without_turns_it_says_why(self, state, says):
        """What a replay would ask, or that there is none."""
        assert said(streak_panel(screens.STATES[state]())) == says

    def test_a_pasted_session_says_what_is_not_known(self):
        """Nobody knows what a stronger model would have said."""
        assert PASTED in said(streak_panel(screens.done()))
        assert said(streak_panel(screens.done())).endswith("is not known.")

    def test_a_live_turn_is_named(self):
        """Its reply was not pasted."""
        shown = screens.tab("dd")
        last = shown.turns[-1]
        row = Asked(Rung.EFFICIENT, 0.0, 0.8, screens.MOCK, None, "50 chars")
        turns = (shown.turns[0], replace(last, asked=(row, *last.asked)))
        outcome = replace(shown.outcome, turns=turns)
        screen = screens.screen_of(replace(shown, turns=turns, outcome=outcome))
        assert "Turn 2 is live: its reply was asked of the efficient tier." in said(streak_panel(screen))

    def test_stale_values_stay_with_a_tag(self):
        """They are those of an earlier input."""
        assert said(streak_panel(screens.stale())).startswith("Streak stale ")

    def test_chart_names_its_values(self):
        """What the drawing shows, for those who can't see it."""
        html = streak_panel(screens.done())
        assert (
            'aria-label="Streak by turn: 17 of 17 turns judged, at most 2 of 2, latched at turn 9; '
            'the table below holds the same values"'
        ) in html

    def test_chart_draws_bar_latch_and_steps(self):
        """The bar at 2, the latch behind turn 9, the levels 0, 1, 2 and the marks of the judge."""
        html = streak_panel(screens.done())
        assert re.findall(r'<line class="lvl bar" x1="0" x2="100%" y1="([\d.]+)"', html) == ["28.0"]
        assert re.findall(r'<line class="sc" x1="([\d.]+%)" x2="\1" y1="4"', html) == ["52.941%"]
        levels = re.findall(r'<line class="s[cg]" x1="([\d.]+%)" x2="(?!\1)([\d.]+%)" y1="([\d.]+)"', html)
        assert levels == [
            ("0.000%", "41.176%", "96.0"),
            ("41.176%", "47.059%", "62.0"),
            ("47.059%", "52.941%", "28.0"),
        ]
        assert html.count('<path class="pc" d="M0-5.5 5 4.5H-5z">') == 2
        assert html.count('<text class="on ask"') == 1

    def test_without_session_every_turn_starts_from_nothing(self):
        """No level runs on into the next turn, and there is no latch."""
        html = streak_panel(screens.done("ee", has_session=False))
        risers = re.findall(r'<line class="sc" x1="([\d.]+%)" x2="\1" y1="([\d.]+)" y2="([\d.]+)"', html)
        assert risers == [("0.000%", "96.0", "62.0"), ("50.000%", "96.0", "62.0")]
        assert "latch at" not in html

    def test_a_long_session_stays_small(self):
        """Rows are listed around the selected turn, labels are a round number apart."""
        screen = screens.done("d" * 1200 + "ee", selected=1201)
        html = streak_panel(screen, TABLE)
        assert len(rows(html)) == ROWS
        assert f"{1202 - ROWS:,} more rows not listed here." in said(html)
        chart = streak_panel(screen)
        assert "pick" not in chart
        axis = re.findall(r'<text[^>]*y="112"[^>]*>([\d,]+)<', chart)
        assert axis == ["1", *(f"{turn:,}" for turn in range(200, 1200, 200)), "1,201"]


class TestDetails:
    """The verdict of the selected turn."""

    def test_the_reply_as_read(self):
        """One JSON object, and what became of it."""
        assert said(escalation_details(screens.done())) == (
            f'Verdict that latched turn 9 mock {{"escalate": true, "reason": "{screens.REASON}"}} '
            "read as one JSON object yes streak 1 → 2, bar 2 reached held reply, 28 chars discarded "
            "handoff note none set judge call 231 ms, cap 4,096 tokens"
        )

    def test_an_unavailable_reply_says_why(self):
        """Our words for what was missing, and what a forgiving reader would have taken; it does not count."""
        assert said(escalation_details(screens.unavailable())) == (
            "Verdict of the turn turn 2 mock unavailable : the reply is not one JSON object, bare or in a json fence. "
            "A tolerant reader would read escalate: true; the contract does not. "
            "read as one JSON object no streak 0 → 0, bar 2 below held reply, 28 chars served "
            "handoff note none set judge call 231 ms, cap 4,096 tokens"
        )

    def test_a_call_that_failed_was_not_read(self):
        """There was no reply to read; the fault is in the fault's colour."""
        shown = screens.tab("u")
        row = Asked(Rung.ESCALATION_JUDGE, 0.0, 0.02, screens.MOCK, miss=Miss.CALL_FAILED, error="HTTP 503")
        turn = replace(shown.turns[0], asked=(row,), absent="no reply: HTTP 503", tolerant=None)
        html = escalation_details(screens.screen_of(replace(shown, turns=(turn,))))
        assert "read as one JSON object" not in html
        assert '<span class="fail">call_failed: HTTP 503</span>' in html

    def test_a_latched_turn_leads_to_the_verdict_that_latched(self):
        """Nobody was asked; the turn that was is one click away."""
        html = escalation_details(screens.latched())
        assert "Not asked: the session is latched since turn 9. Go to turn 9" in said(html)
        assert re.search(r'<button[^>]*data-act="turn"[^>]*value="9"', html)

    def test_a_fallback_has_no_reply_to_judge(self):
        """What failed, in the fault's own words."""
        says = said(escalation_details(screens.fell_back()))
        assert "The efficient tier failed: context overflow. There is no reply to judge." in says
        assert "efficient call 812 ms, call_failed: context overflow" in says

    @pytest.mark.parametrize(
        ("selected", "says"),
        [
            (1, "handoff note 12 chars, not sent at this turn"),
            (2, "sent with the request"),
            (3, "sent with the request"),
        ],
    )
    def test_the_handoff_note(self, selected, says):
        """It goes with the latching turn and those after it; only its length is shown."""
        config = EscalationConfig(handoff_note="Now take it.")
        html = escalation_details(screens.done("eed", config=config, selected=selected))
        assert says in said(html)
        assert "Now take it." not in html

    def test_a_turn_that_is_not_judged_yet(self):
        """It may be selected while the replay runs."""
        shown = replace(screens.running().escalation, selected=12)
        assert said(escalation_details(screens.screen_of(shown))) == "Verdict of the turn Turn 12 is not judged yet."

    def test_a_long_reason_is_cut_with_its_length(self):
        """A judge may write 4,096 tokens."""
        shown = screens.tab("e")
        turn = replace(shown.turns[0], reason="x" * 5000)
        html = escalation_details(screens.screen_of(replace(shown, turns=(turn,))))
        assert "1,000 more chars of the reason not shown." in said(html)
        assert max(map(len, re.findall("x+", html))) == 4000

    def test_a_reply_without_reason_shows_none(self):
        """An absent reason is not an empty one."""
        shown = screens.tab("e")
        turn = replace(shown.turns[0], reason="")
        screen = screens.screen_of(replace(shown, turns=(turn,)))
        assert '{"escalate": true}' in said(escalation_details(screen))
        assert "no reason given" in said(streak_panel(screen))

    def test_the_cap_is_that_of_the_call(self):
        """Two floors name the same number."""
        assert CAP_TOKENS == ESCALATION_TOKENS


class TestSettings:
    """What if, against the baseline."""

    def test_unchanged(self):
        """Nothing differs, so nothing can be reset."""
        html = escalation_settings(screens.done())
        assert said(html) == (
            "What if: judge settings baseline default Reset confirmations 2 same recent turns 28 same "
            "chars a message 500 same Handoff note none set session id redact the transcript "
            "Session id set: streaks are kept between turns. Without one, 2 confirmations can never be reached. "
            "The reference does not redact this transcript; redacting it is the operator\u2019s own option."
        )
        assert 'disabled title="Nothing differs from the baseline."' in html
        assert "chg" not in html

    def test_changed_with_the_warning(self):
        """Deltas with their sign, the note by its length, and what can never latch."""
        html = escalation_settings(screens.never())
        assert said(html) == (
            "What if: judge settings baseline default, 3 changes Reset confirmations 3 +1 recent turns 28 same "
            "chars a message 300 \u2212200 Handoff note 23 chars session id redact the transcript "
            "warning A run without session id and confirmations > 1 can never latch. "
            "Redaction on, the operator\u2019s own option: the reference does not redact this transcript."
        )
        assert html.count('class="chg"') == 2

    def test_sliders_report_and_have_a_tick_at_the_baseline(self):
        """Native ranges with the acts of the table."""
        html = escalation_settings(screens.never())
        found = re.findall(
            r'style="--d:([\d.]+)"><input type="range"[^>]*data-act="([\w:]+)" '
            r'value="(\d+)" min="(\d+)" max="(\d+)" step="(\d+)"',
            html,
        )
        assert found == [
            ("0.2500", "escalation:confirmations", "3", "1", "5", "1"),
            ("0.4576", "escalation:recent_turn_window", "28", "1", "60", "1"),
            ("0.2308", "escalation:window_message_chars", "300", "50", "2000", "10"),
        ]

    def test_a_value_beyond_the_slider_widens_it(self):
        """The thumb stands where the value is, also between two steps."""
        config = EscalationConfig(confirmations=12, window_message_chars=2503)
        html = escalation_settings(screens.done("d", config=config))
        assert 'value="12" min="1" max="12" step="1"' in html
        assert 'value="2503" min="50" max="2503" step="1"' in html

    @pytest.mark.parametrize("act", ["handoff_note", "session", "redact", "reset"])
    def test_acts(self, act):
        """Every control reports."""
        assert f'data-act="escalation:{act}"' in escalation_settings(screens.never())

    def test_one_confirmation_without_session(self):
        """It escalates its own turn, and latches nothing."""
        html = escalation_settings(screens.done("d", config=EscalationConfig(confirmations=1), has_session=False))
        assert "Without a session id an escalation holds for its own turn alone." in said(html)
        assert "warning" not in html

    def test_a_refused_edit_says_why(self):
        """In the fault's colour, with the next step."""
        html = escalation_settings(screens.refused())
        assert '<p class="problem fail" role="alert">confirmations is 0; give at least 1</p>' in html


class TestTranscript:
    """Judge's view of the selected turn."""

    def test_counts_and_what_is_sent_unredacted(self):
        """How much of the budgets is used, and the span that redaction would have hit."""
        html = transcript_panel(screens.done())
        counts = "818 of 18,000 chars kept redacted 0 clipped 0 dropped 0 1 span sent unredacted window"
        assert part(html, "div", "marks").startswith(counts)
        assert part(html, "span", "asis-count") == "1 span sent unredacted"
        assert '<mark class="asis" title="e-mail, 27 chars, sent unredacted">mara.voss@tidewatch.example</mark>' in html
        assert "1 e-mail address, sent as it stands" in said(html)
        assert '<div class="kept asis"' in html

    def test_redacted_by_the_operators_option(self):
        """Nothing is sent as it stands; what was replaced is marked as in every other view."""
        html = transcript_panel(screens.never())
        assert "unredacted" not in html
        assert "mara.voss" not in html
        assert '<mark title="e-mail, 27 chars">' in html

    def test_lines_kept_whole_fold_and_the_held_reply_is_named(self):
        """What is judged never folds."""
        html = transcript_panel(screens.done())
        assert "Messages 2 to 17: 16 lines kept whole, 600 chars" in said(html)
        assert said(html).endswith("18 [assistant] Step 9: I edit the forecast. the held reply, under judgement")

    def test_as_read_is_the_text_alone(self):
        """What goes out, letter for letter."""
        screen = screens.done()
        html = transcript_panel(screen, View(against_source=False))
        assert screen.escalation.view.text in html.replace("&#39;", "'")

    @pytest.mark.parametrize(
        ("state", "says"),
        [
            ("done", "escalation transcript of turn 9"),
            ("latched", "escalation transcript of turn 17, not asked: the session is latched"),
            ("fell_back", "escalation transcript of turn 4, not asked: no reply to judge"),
            ("idle", "escalation transcript of turn 17, not asked yet"),
        ],
    )
    def test_head_says_whether_it_was_asked(self, state, says):
        """A transcript that nobody read is not shown as one that was."""
        assert part(transcript_panel(screens.STATES[state]()), "span", "dim t1") == says

    def test_without_turn(self):
        """Nobody reads anything."""
        assert said(transcript_panel(screens.no_turn())) == (
            "Judge\u2019s view No judge reads this: no assistant turn yet."
        )

    def test_a_live_turn_without_reply_names_none(self):
        """The view then ends with the message that is to be answered."""
        shown = screens.tab("dd")
        whole = screens.request(2)
        asks = replace(whole, messages=whole.messages[:-1])
        view = screens.escalation_view(asks, 2, screens.CONFIG)
        screen = screens.screen_of(replace(shown, turns=shown.turns[:1], outcome=None, view=view))
        assert "under judgement" not in transcript_panel(screen)

    def test_copy(self):
        """The transcript's own act."""
        assert 'data-act="copy-transcript"' in transcript_panel(screens.done())


class TestTurns:
    """The selector and its lanes."""

    def test_selector(self):
        """Previous, next, the slider, and the values of the selected turn in words."""
        html = escalation_turns(screens.done())
        assert said(html).startswith("Turns 17 replayed mock ‹ turn 9 of 17 ›")
        assert part(html, "div", "val") == "9 none escalate 2 of 2 CLOUD"
        assert re.search(r'<input type="range"[^>]*data-act="turn"[^>]*value="9" min="1" max="17" step="1"', html)
        for act in ("turn:previous", "turn:next"):
            assert f'data-act="{act}"' in html

    @pytest.mark.parametrize(
        ("selected", "disabled"), [(1, "This is the first turn."), (17, "This is the last turn."), (9, None)]
    )
    def test_the_ends_are_disabled_with_a_reason(self, selected, disabled):
        """A control that does nothing says why."""
        html = escalation_turns(screens.done(selected=selected))
        assert re.findall(r'disabled title="([^"]+)"', html) == ([disabled] if disabled else [])

    def test_lanes_draw_route_by_shape(self):
        """LOCAL is square, CLOUD is round; one outline marks the selected turn."""
        html = escalation_turns(screens.done())
        assert html.count('<rect class="pl"') == 8
        assert html.count('<circle class="pc"') == 9
        assert html.count('class="outline"') == 1
        assert "latched, not asked" in html

    def test_not_replayed(self):
        """What a replay asks."""
        assert said(escalation_turns(screens.idle())).endswith("Not replayed. Replay asks 17 verdicts.")

    def test_running(self):
        """How far the replay is."""
        assert said(escalation_turns(screens.running())).startswith("Turns 5 of 17 replayed mock")

    @pytest.mark.parametrize("state", ["empty", "no_turn"])
    def test_no_turn(self, state):
        """There is nothing to select."""
        assert said(escalation_turns(screens.STATES[state]())) == "Turns No assistant turn yet."

    def test_turns_of_a_longer_session_before_stay_inside_the_drawing(self):
        """A shorter conversation was pasted: what was judged beyond its last turn is not drawn."""
        shown = replace(screens.tab(screens.SCRIPT), total=5, selected=5)
        html = escalation_turns(screens.screen_of(shown, RunState.STALE))
        assert said(html).startswith("Turns stale 17 replayed mock")
        assert html.count('<rect class="pl"') == 5
        assert 'class="off"' not in html
        assert 'width="-' not in html

    def test_labels_of_three_digits_have_room(self):
        """Fewer of them than of two."""
        assert labelled(99, 1) == [1, *range(5, 96, 5)]
        assert labelled(300, 1) == [1, 50, 100, 150, 200, 250, 300]


@pytest.mark.parametrize("state", [RunState.DONE, RunState.STALE, RunState.RUNNING])
def test_one_turn_alone_renders(state):
    """The smallest session."""
    for name in ("e", "d", "u", "c"):
        screen = screens.screen_of(screens.tab(name), state)
        for panel in (escalation_verdict, streak_panel, escalation_details, transcript_panel, escalation_turns):
            assert "turn" in said(panel(screen)).lower()
