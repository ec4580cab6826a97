"""What each panel shows of a result: rows, margins, origins, folds and settings."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from routing_workbench.core.conversation.diagnostics import Place
from routing_workbench.core.explain.judged import JudgedView, Row, RowKind, Span
from routing_workbench.core.vgr.decision import Route
from routing_workbench.core.vgr.evidence import Asked, Miss, Rung
from routing_workbench.core.vgr.signals import Signals
from routing_workbench.widgets import panels
from routing_workbench.widgets.algorithm import Algorithm
from routing_workbench.widgets.panels import View

MINUS = "\N{MINUS SIGN}"


def text(html: str) -> str:
    """The text of a piece, tags as spaces."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)).replace("&quot;", '"').strip()


def row(html: str, key: str, tag: str = "li") -> str:
    """The row of this key."""
    found = re.search(rf'<{tag}[^>]* data-k="{re.escape(key)}"[^>]*>(.*?)</{tag}>', html, re.DOTALL)
    assert found, key
    return found[0]


# -------------------------------------------------------------------------------------- probabilities


def test_score_lane_clears_its_dial(screens):
    """The bar read here is heavy, the others thin; the value argues LOCAL as a square."""
    lanes = panels.lanes(screens.done())
    html = row(panels.lane_drawing(lanes), "readout", "div")
    assert 'class="thr on" x1="20%"' in html
    assert '<text class="on" x="20%" y="13" text-anchor="middle">dial 0.20</text>' in html
    assert 'class="thr" x1="90%"' in html
    assert '<rect class="pl"' in html
    assert text(row(panels.lane_values(lanes), "readout", "div")) == "mock 0.34 clears +0.14"


def test_lane_of_an_unusable_answer_has_a_question_mark(screens):
    """Asked without an answer: no mark, `?`, and why."""
    lanes = panels.lanes(screens.done())
    lane = lanes[1]
    assert (lane.value, lane.asked, lane.missed, lane.argues) == (None, True, "timed_out", None)
    assert ">?</text>" in row(panels.lane_drawing(lanes), "deliberation", "div")
    assert text(row(panels.lane_values(lanes), "deliberation", "div")) == "timed_out mock unknown"


def test_lane_of_a_failed_call_names_the_miss_alone(screens):
    """The column is narrow; the timeline has the status."""
    rows = (Asked(Rung.READOUT, 0.0, 0.1, screens.MOCK, miss=Miss.CALL_FAILED, error="HTTP 503"),)
    screen = screens.decided(screens.derived(), Signals(), rows)
    assert text(row(panels.lane_values(panels.lanes(screen)), "readout", "div")) == "call_failed mock unknown"
    assert "call_failed: HTTP 503" in text(panels.timeline(screen))


def test_timeline_says_a_timeout_once(screens):
    """The error of a timeout is the same word."""
    rows = (Asked(Rung.READOUT, 0.0, 0.1, screens.MOCK, miss=Miss.TIMED_OUT, error="timeout"),)
    assert "readout timed_out 100 mock" in text(panels.timeline(screens.decided(screens.derived(), Signals(), rows)))


def test_lane_that_was_not_asked_is_dotted(screens):
    """No question was sent: dotted base, and the words."""
    lanes = panels.lanes(screens.done())
    assert 'class="base off"' in row(panels.lane_drawing(lanes), "turn check", "div")
    assert text(row(panels.lane_values(lanes), "turn check", "div")) == "not asked"


def test_turn_check_at_its_bar_argues_cloud(screens):
    """Escalation counts towards CLOUD, with the streak."""
    screen = screens.done()
    asked = (Asked(Rung.TURN_CHECK, 0.0, 0.1, screens.MOCK, 0.5, "p = 0.50"),)
    screen = replace(screen, outcome=replace(screen.outcome, asked=asked, streak=1))
    lane = panels.lanes(screen)[3]
    assert (lane.argues, lane.shown) == (Route.CLOUD, "0.50")
    assert text(lane.says) == "streak 1 of 2"


def test_value_keeps_the_side_of_its_bar(screens):
    """0.1999 is not shown as 0.20."""
    asked = (*screens.ASKED, Asked(Rung.READOUT, 0.853, 0.06, screens.MOCK, 0.1999, "p = 0.1999", extra=True))
    screen = screens.decided(screens.derived(), Signals(), asked, extra=Signals(readout=0.1999))
    lane = panels.lanes(screen)[0]
    assert (lane.shown, lane.argues) == ("0.1999", Route.CLOUD)


def test_table_gives_the_values_of_the_chart(screens):
    """One row for each score and bar, margins signed."""
    html = panels.probabilities_below(screens.done(), View(table=True))
    assert text(row(html, "readout bar", "tr")) == f"readout 0.34 bar 0.90 {MINUS}0.56 not read mock"
    assert text(row(html, "prior bar", "tr")) == "prior not declared bar 0.50 not read"
    assert "<svg role" not in html


def test_verdicts_that_missed_say_why(screens):
    """Unknown names its miss; what nobody asked is not asked."""
    asked = (Asked(Rung.CLOUD_JUDGE, 0.9, 0.2, screens.MOCK, miss=Miss.UNPARSABLE),)
    html = panels.verdicts(screens.decided(screens.derived(), Signals(), asked))
    assert text(row(html, "cloud_judge", "div")) == "cloud_judge unknown: unparsable mock"
    assert text(row(html, "agreement", "div")) == "agreement not asked"


# ------------------------------------------------------------------------------------------- timeline


def test_timeline_shows_where_production_stops(screens):
    """Production, the heavy line, then the extras; totals apart."""
    says = text(panels.timeline(screens.done()))
    assert says.startswith("Evidence timeline 4 calls, 1,316 ms of 30,000 ms")
    stop = "Production stops here at 853 ms: agentic_verified asks nothing unless errors = 0 or the run recovered."
    assert says.index("typing") < says.index(stop) < says.index("readout")
    assert "All calls: production 853 ms, extra 463 ms 1,316" in says
    assert "cloud_judge not asked not a rung of agentic_verified" in says
    assert "Ask every rung, for diagnosis (2 extra calls, 463 ms)" in says


def test_timeline_hatches_extras_and_faults(screens):
    """Extra is hatched, a fault is hatched red and named."""
    html = panels.timeline(screens.done())
    assert '<i class="x" style="left:56.87%;width:4.20%">' in row(html, "x0")
    assert '<span class="fail">timed_out</span>' in row(html, "x1")
    assert '<i class="f"' in row(html, "x1")


def test_running_timeline_adds_the_question_that_is_open(screens):
    """Rows arrive one by one; the last is being asked."""
    html = panels.timeline(screens.running())
    assert text(row(html, "asking")) == "readout asking 0.9 s"


def test_rerun_shows_its_own_rows_not_the_last_ones(screens):
    """While a second run is on, the timeline is that run's."""
    says = text(panels.timeline(screens.rerunning()))
    assert "deliberation" not in says
    assert says.startswith("Evidence timeline 1 call, 812 ms of 30,000 ms")


def test_a_question_no_time_was_left_for_is_no_call(screens):
    """deadline_exhausted is a fault but was never sent."""
    rows = (*screens.ASKED, Asked(Rung.READOUT, 30.0, 0.0, screens.MOCK, miss=Miss.DEADLINE_EXHAUSTED))
    assert "Done 30.000 s, 2 calls, 1 fault" in text(panels.bar(screens.decided(screens.derived(), Signals(), rows)))


# --------------------------------------------------------------------------------------- judge's view


def test_view_is_marked_against_its_source(screens):
    """Dropped, redacted, clipped and folded rows, each with its note."""
    html = panels.judge_view(screens.done())
    assert text(html).startswith("Judge’s view agentic view, read by readout and deliberation Against source As read")
    assert "redacted 1 clipped 1 dropped 1 trajectory 6,744 / 12,000" in text(html)
    assert '<mark title="e-mail, 27 chars">[REDACTED]</mark>' in html
    assert text(row(html, "r2", "div")).endswith("redacted: e-mail, 27 chars")
    assert 'class="drop" data-k="r0"' in html
    assert text(row(html, "r16", "div")) == "14 ...[257 chars omitted]... clipped: 257 of 1,657 chars"


def test_runs_kept_whole_fold(screens):
    """The first rows of a section stay; the rest of the run is behind one line, whole."""
    html = panels.judge_view(screens.done())
    assert "<summary>Messages 5 to 13: 9 events kept whole, " in html
    assert html.count("[tool call] Bash(step") == 12


def dropped(index: int, note: str) -> Row:
    """A row of what no judge reads."""
    return Row(RowKind.DROPPED, (Span(f"[user] row {index};"),), index, note)


def test_runs_dropped_fold(screens):
    """With what was dropped, why, and how much; every row of them is behind the fold, its note with it."""
    rows = [dropped(index, f"dropped: outside the window, {index},000 chars") for index in (1, 2, 3)]
    html = panels.judge_view(judged(screens, *rows, Row(RowKind.KEPT, (Span("[user] row 4;"),), 4)))
    assert "<summary>Messages 1 to 3: 3 pieces dropped: outside the window, 6,000 chars</summary>" in html
    assert '<details class="run cuts" data-k="run0">' in html
    assert re.findall(r"row (\d);", html) == ["1", "2", "3", "4"]
    assert "dropped: outside the window, 2,000 chars" in html


def test_runs_dropped_for_several_reasons_count_each(screens):
    """Where a length is not told it is not summed."""
    notes = ("dropped: reasoning, 69 chars", "dropped: blank", "dropped: reasoning, 1 char", "")
    rows = [dropped(index, note) for index, note in enumerate(notes)]
    html = panels.judge_view(judged(screens, *rows, Row(RowKind.KEPT, (Span("[user] row 4;"),), 4)))
    assert "4 pieces dropped: 2 reasoning, 1 blank, 70 chars</summary>" in html


def test_as_read_is_the_views_text(screens):
    """What the judge reads, and nothing else."""
    screen = screens.done()
    html = panels.judge_view(screen, View(against_source=False))
    assert f'<pre class="json">{screen.derived.judged.text}</pre>'.replace("'", "&#39;") in html


def judged(screens, *rows: Row):
    """The done screen with a view of these rows."""
    screen = screens.done()
    view = JudgedView("session", "\n".join(r.spans[0].text for r in rows), rows, (), 0, 0, 0)
    return replace(screen, derived=replace(screen.derived, judged=view))


@pytest.mark.parametrize("count", [1, 3, 5, 6, 7, 20])
def test_every_row_of_a_view_is_shown_once(screens, count):
    """Folding neither loses nor repeats a row."""
    rows = [Row(RowKind.KEPT, (Span(f"[user] row {index};"),), 1) for index in range(count)]
    html = panels.judge_view(judged(screens, *rows))
    assert re.findall(r"row (\d+);", html) == [str(index) for index in range(count)]


def test_a_view_beyond_the_bound_says_what_is_left_out(screens):
    """Too long for the browser: counted, not silently cut."""
    rows = [Row(RowKind.KEPT, (Span("z" * 100_000),), 1) for _ in range(2)]
    html = panels.judge_view(judged(screens, *rows))
    assert "100,000 chars not listed here" in html
    assert "100,000 more chars are not listed here. Copy has them all." in html


# --------------------------------------------------------------------------------------- conversation


def test_counts_of_the_conversation(screens):
    """Messages, turns, calls, results and characters, with separators."""
    says = text(panels.conversation_details(screens.idle()))
    assert "1 instruction, 34 messages, 17 assistant turns, 16 calls, 16 results, 1,123 chars" in says


def test_format_and_why_it_was_read_so(screens):
    """Title, reason, number of candidates, and the list to force one."""
    html = panels.conversation_details(screens.idle())
    assert "read as Anthropic Messages request: tool_use blocks detected, 2 candidates Anthropic" in text(html)
    assert '<option value="openai-chat">OpenAI chat request, fits 0.41</option>' in html


def test_fields_that_are_not_read_are_named_once(screens):
    """The reading remarks on them; the panel does not list them again."""
    screen = screens.idle()
    conversation = replace(screen.reading.conversations[0], extras={"system[0].cache_control": {"type": "ephemeral"}})
    html = panels.conversation_details(
        replace(screen, reading=replace(screen.reading, conversations=(conversation,), diagnostics=()))
    )
    assert "cache_control" not in html


def test_forced_format_says_so(screens):
    """A format that is not the best fit was forced."""
    screen = screens.idle()
    forced = replace(screen.reading, format=screen.reading.candidates[1])
    html = panels.conversation_details(replace(screen, reading=forced))
    assert "a messages array forced detect, 2 candidates" in text(html)
    assert '<option value="openai-chat" selected>' in html


def test_attempt_switch_follows_the_setting(screens):
    """The final assistant message, or the local tier."""
    html = panels.conversation_details(screens.idle())
    assert 'value="true" aria-pressed="true">message 34</button>' in html
    assert 'value="false" aria-pressed="false">ask the local tier</button>' in html


def test_attempt_switch_says_where_it_is_no_choice(screens):
    """Another algorithm than VGR takes the conversation as it is."""
    html = panels.conversation_details(replace(screens.idle(), algorithm=Algorithm.ESCALATION))
    assert html.count('disabled title="The escalation judge reads every reply as it was pasted."') == 2


def test_problems_are_sorted_and_jump_by_their_index(screens):
    """Warnings before notes; the button carries the index in the reading."""
    html = panels.conversation_details(screens.idle())
    assert text(row(html, "d1")) == (
        "warning line 19:16 A system reminder in a user message is read as user text. "
        "Check what the judge reads. messages[0].content[0]"
    )
    assert html.index('data-k="d1"') < html.index('data-k="d0"')
    assert 'data-act="jump-diagnostic" data-k="1"' in html


def test_a_problem_without_a_place_is_no_button(screens):
    """Nothing to jump to."""
    screen = screens.unreadable()
    error = replace(screen.reading.diagnostics[0], place=Place())
    html = panels.conversation_details(replace(screen, reading=replace(screen.reading, diagnostics=(error,))))
    assert text(row(html, "d0")).startswith("error whole paste The string is not closed.")
    assert "jump-diagnostic" not in html


def test_several_conversations_are_listed_to_choose_from(screens):
    """One native button each; what is on screen is pressed."""
    html = panels.conversation_details(replace(screens.several(), chosen=1))
    assert "3 conversations in this paste. Number 2 is on screen." in html
    assert html.count('data-act="choose-conversation"') == 3
    assert 'data-k="1" value="1" aria-pressed="true">session b</button>' in html
