"""The Escalation tab: a session replayed turn by turn, its streak, and what the judge read each time (SPEC 6.2)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from bench_page import Bench
from playwright.sync_api import Locator, expect

#: Seven declines, one reply without a verdict, then escalations: with two confirmations turn 10 latches.
_SCRIPT = "decline x7, unavailable, escalate"
_TURNS = 17

#: A mock that notes the text of each transcript it is sent, by turn, and may pass for another kind of driver; it
#: holds its answer at `stop_at`.
_NOTING = """import asyncio
from routing_workbench.core.conversation.model import text_of
from routing_workbench.core.vgr.evidence import Origin, OriginKind
from routing_workbench.workbench.drivers.mock import MockDriver
sent = {{}}
class Noting(MockDriver):
    origin = Origin(OriginKind.{kind}, "noting")
    stop_at = {stop_at}
    async def complete(self, call):
        sent[call.turn] = text_of(call.request.messages[-1].content)
        if call.turn == self.stop_at:
            await asyncio.Event().wait()
        return await super().complete(call)
bench._session.set_driver(Noting(bench._session._desk._drivers.mock.script))"""

#: Lines and fields of the streak's drawing: x in columns (turn 1 begins at 0), y in pixels of the screen.
_DRAWN = """(svg, turns) => {
  const home = svg.getBoundingClientRect();
  const column = (x) => (x - home.x) * turns / home.width;
  const box = (node) => {
    const b = node.getBoundingClientRect();
    return { left: column(b.left), right: column(b.right), top: b.top - home.y, bottom: b.bottom - home.y,
      x: column((b.left + b.right) / 2), y: (b.top + b.bottom) / 2 - home.y };
  };
  const line = (node) => {
    const at = (name) => node[name].baseVal.value;
    return [at("x1") * turns / home.width, at("x2") * turns / home.width, at("y1"), at("y2")];
  };
  const all = (selector, read) => [...svg.querySelectorAll(selector)].map(read);
  return { pixel: turns / home.width, bar: all("line.lvl.bar", line), levels: all("line.lvl:not(.bar)", line),
    steps: all("line.sc[stroke-width='3'], line.sg[stroke-width='3']", line),
    latch: all("line.sc[stroke-width='2']", line), off: all("rect.off", box),
    texts: all("text", (node) => node.textContent), picks: all("rect.pick", box) };
}"""


@pytest.fixture
def session(bench: Bench, examples: Path) -> Bench:
    """The Escalation tab with the session of 17 turns, every one of them declined."""
    bench.paste((examples / "conversations" / "agent-tidewatch-dst-loop.json").read_text(encoding="utf-8"))
    bench.bring("escalation")
    expect(bench.status).to_contain_text("Done")
    expect(bench.reason).to_contain_text("17")
    return bench


@pytest.fixture
def replayed(session: Bench) -> Bench:
    """The same, judged as `_SCRIPT` says, which is typed into the driver panel."""
    _judge(session, _SCRIPT)
    expect(session.status).to_have_text(re.compile(r"^Done17 turns, 10 calls until the latch$"))
    return session


def _judge(bench: Bench, answers: str) -> None:
    field = bench.setting("rung:escalation_judge:answer")
    field.fill(answers)
    field.press("Enter")
    bench.settle()


def _rows(bench: Bench) -> list[list[str]]:
    """The table's rows as cells: turn, evidence, verdict, streak before, after, who served."""
    found: list[list[str]] = bench.panel("streak").evaluate(
        """panel => [...panel.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell, at) =>
          (at === 2 ? cell.querySelector(".v, .fail")?.innerText ?? "" : cell.innerText).trim()))"""
    )
    return found


def _turn(bench: Bench, number: int) -> Locator:
    return bench.panel("streak").locator(f"tbody [data-k=t{number}]")


def _expect_turn(bench: Bench, number: int, row: int | None = None) -> None:
    """This turn is the one looked at: in selector, slider, card, judge's view and its row, which may begin earlier."""
    expect(bench.panel("turns").locator(".pick .b")).to_have_text(f"turn {number} of {_TURNS}")
    expect(bench.slider("turn")).to_have_value(str(number))
    expect(bench.panel("streak").locator("tr.here")).to_have_attribute("data-k", f"t{row or number}")
    expect(bench.verdict.locator(".lamp")).to_contain_text(f"turn {number}")
    expect(bench.panel("transcript").locator(".ph")).to_contain_text(f"escalation transcript of turn {number}")


def test_every_turn_has_its_verdict_streak_and_tier(replayed: Bench) -> None:
    """Declines clear, no verdict leaves the streak, two escalations latch, and then nobody is asked."""
    replayed.setting("escalation:view").get_by_text("Table").click()
    expect(replayed.panel("streak").locator("tbody tr")).to_have_count(_TURNS)
    declined = [[str(turn), "continue", "decline", "0", "0", "LOCAL"] for turn in range(1, 8)]
    latched = [[str(turn), "latched", "not asked", "2", "2", "CLOUD"] for turn in range(11, 18)]
    assert _rows(replayed) == [
        *declined,
        ["8", "continue", "unavailable", "0", "0", "LOCAL"],
        ["9", "pending", "escalate", "0", "1", "LOCAL"],
        ["10", "escalate", "escalate", "1", "2", "CLOUD"],
        *latched,
    ]


def test_runs_that_say_the_same_fold(replayed: Bench) -> None:
    """Seven declines and seven latched turns are a row each beside the chart."""
    assert [row[0] for row in _rows(replayed)] == ["1 to 7", "8", "9", "10", "11 to 17"]
    assert _rows(replayed)[4] == ["11 to 17", "latched", "not asked", "2", "2", "CLOUD"]


def test_the_card_says_which_turn_latched_and_who_serves(replayed: Bench) -> None:
    """The latching turn is looked at first; the card is of that turn, and says the whole session once."""
    _expect_turn(replayed, 10)
    expect(replayed.word).to_have_text("CLOUD")
    expect(replayed.verdict.locator(".lamp")).to_contain_text("capable, latched at this turn")
    expect(replayed.verdict.locator("[data-k=Streak] .x")).to_have_text("2 of 2")
    expect(replayed.verdict.locator("[data-k=Evidence] .x")).to_have_text("escalate")
    expect(replayed.verdict.get_by_role("status")).to_contain_text("CLOUD.")
    expect(replayed.panel("turn-verdict").locator("h3")).to_have_text("Verdict that latched")
    said = '{"escalate": true,\n "reason": "Scripted: the same step fails again, and nothing new is tried."}'
    assert replayed.panel("turn-verdict").locator("pre").text_content() == said


def test_the_streak_is_drawn_step_by_step(replayed: Bench) -> None:
    """Levels, risers, the bar, the latch and the field where nobody is asked stand at their turns and values."""
    drawn = replayed.panel("streak").locator(".streakbox > svg").evaluate(_DRAWN, _TURNS)
    pixel, bar = drawn["pixel"], drawn["bar"][0][2]
    zero = max(level[2] for level in drawn["levels"])
    half = (bar + zero) / 2
    assert bar < half < zero
    expected = [
        (0, 8, zero, zero),
        (8, 8, zero, half),
        (8, 9, half, half),
        (9, 9, half, bar),
        (9, 10, bar, bar),
    ]
    assert len(drawn["steps"]) == len(expected)
    for found, wanted in zip(drawn["steps"], expected, strict=True):
        assert found[:2] == pytest.approx(wanted[:2], abs=pixel)
        assert found[2:] == pytest.approx(wanted[2:], abs=1)
    assert drawn["latch"][0][:2] == pytest.approx((10, 10), abs=pixel)
    assert [drawn["off"][0]["left"], drawn["off"][0]["right"]] == pytest.approx([10, 17], abs=pixel)
    for text in ("confirmations 2", "latch at 10", "latched, not asked"):
        assert text in drawn["texts"]


def test_a_turn_is_chosen_by_click_slider_and_keys(replayed: Bench) -> None:
    """A column of either drawing, a row, the buttons, the slider, and [ and ]; the ends hold."""
    replayed.panel("streak").locator("rect.pick[data-k=c4]").click()
    _expect_turn(replayed, 4)
    replayed.panel("turns").locator("rect.pick[data-k=c15]").click()
    _expect_turn(replayed, 15, row=11)
    expect(replayed.panel("transcript").locator(".ph")).to_contain_text("not asked: the session is latched")
    expect(replayed.panel("turn-verdict")).to_contain_text("Not asked: the session is latched since turn 10.")
    replayed.panel("turn-verdict").get_by_role("button", name="Go to turn 10").click()
    _expect_turn(replayed, 10)
    _turn(replayed, 9).locator(".reply").click()
    _expect_turn(replayed, 9)
    expect(replayed.word).to_have_text("LOCAL")
    replayed.setting("turn:next").click()
    _expect_turn(replayed, 10)
    replayed.slider("turn").press("Home")
    _expect_turn(replayed, 1)
    replayed.slider("turn").press("ArrowRight")
    _expect_turn(replayed, 2)
    replayed.setting("copy-transcript").focus()
    replayed.page.keyboard.press("]")
    _expect_turn(replayed, 3)
    replayed.page.keyboard.press("[")
    replayed.page.keyboard.press("[")
    _expect_turn(replayed, 1)
    replayed.page.keyboard.press("[")
    replayed.settle()
    _expect_turn(replayed, 1)
    expect(replayed.setting("turn:previous")).to_be_disabled()


def test_the_transcript_on_screen_is_the_text_that_is_sent(session: Bench) -> None:
    """Of several turns: as read, and as copied, each character that the judge got."""
    _judge(session, _SCRIPT)
    session.lab.execute(_NOTING.format(kind="MOCK", stop_at=None))
    expect(session.status).to_contain_text("10 calls until the latch")
    session.settle()
    sent = json.loads(session.lab.execute("import json\nprint(json.dumps(sent))"))
    assert sorted(map(int, sent)) == list(range(1, 11))
    session.setting("judge:view").get_by_text("As read").click()
    for turn in (1, 6, 10):
        session.slider("turn").fill(str(turn))
        _expect_turn(session, turn)
        assert session.panel("transcript").locator("[data-k=read] pre").text_content() == sent[str(turn)]
        assert session.copied("copy-transcript") == sent[str(turn)]
    expect(session.panel("transcript")).to_contain_text(f"{len(sent['10']):,}")


_KEY = "sk-live0123456789abcdefghij"


def test_a_secret_is_marked_as_sent_and_gone_once_redacted(bench: Bench, examples: Path) -> None:
    """The reference sends it as it stands, and the view says so; the operator's option takes it out of what is sent."""
    text = (examples / "conversations" / "agent-tidewatch-dst-loop.json").read_text(encoding="utf-8")
    turns = json.loads(text)
    turns["messages"][-2]["content"] = f"Use the key {_KEY} for the tide service."
    bench.paste(json.dumps(turns))
    bench.bring("escalation")
    expect(bench.status).to_contain_text("Done")
    bench.lab.execute(_NOTING.format(kind="MOCK", stop_at=None))
    bench.settle()
    view = bench.panel("transcript")
    _expect_turn(bench, _TURNS)
    expect(view.locator(".asis-count")).to_have_text("1 span sent unredacted")
    expect(view.locator("mark.asis")).to_have_text(_KEY)
    assert _KEY in json.loads(bench.lab.execute("import json\nprint(json.dumps(sent[17]))"))
    bench.setting("escalation:redact").check()
    expect(view.locator(".asis-count")).to_have_count(0)
    expect(view.locator("mark:not(.asis)")).to_have_count(1)
    expect(view).not_to_contain_text(_KEY)
    bench.settle()
    assert _KEY not in json.loads(bench.lab.execute("print(json.dumps(sent[17]))"))
    assert _KEY not in bench.copied("copy-transcript")
    expect(bench.row("judge-settings", "redact")).to_contain_text("Redaction on, the operator\u2019s own option")
    expect(bench.status).to_contain_text("Done")


def test_another_number_of_confirmations_decides_again(session: Bench) -> None:
    """Of a live driver one reads the same verdicts again and asks nobody; three needs another verdict, and waits."""
    _judge(session, _SCRIPT)
    session.lab.execute(_NOTING.format(kind="LIVE", stop_at=None))
    expect(session.status).to_have_text("Stale: driver switched")
    session.root.locator(".bar .primary").click()
    expect(session.status).to_contain_text("10 calls until the latch")
    session.settle()
    session.lab.execute("sent.clear()")
    slider = session.slider("escalation:confirmations")
    slider.fill("1")
    _expect_turn(session, 9)
    expect(session.verdict.locator(".lamp")).to_contain_text("capable, latched at this turn")
    expect(session.verdict.locator("[data-k=Streak] .x")).to_have_text("1 of 1")
    expect(session.panel("judge-settings").locator(".ph .tag")).to_contain_text("1 change")
    slider.fill("3")
    expect(session.status).to_contain_text("Stale")
    session.settle()
    assert session.lab.execute("print(len(sent))") == "0\n"
    session.root.locator(".bar .primary").click()
    _expect_turn(session, 11)
    expect(session.verdict.locator("[data-k=Streak] .x")).to_have_text("3 of 3")
    expect(session.panel("streak").locator(".streakbox")).to_contain_text("confirmations 3")
    session.lab.execute("sent.clear()")
    session.setting("escalation:reset").click()
    _expect_turn(session, 10)
    expect(session.setting("escalation:reset")).to_be_disabled()
    assert session.lab.execute("print(len(sent))") == "0\n"


def test_without_a_session_id_nothing_latches_and_a_warning_says_so(replayed: Bench) -> None:
    """Each turn starts from 0: with two confirmations every reply is served by the efficient tier."""
    replayed.setting("escalation:session").uncheck()
    expect(replayed.row("judge-settings", "session")).to_have_text(
        "warning A run without session id and confirmations > 1 can never latch."
    )
    expect(replayed.word).to_have_text("LOCAL")
    replayed.settle()
    replayed.setting("escalation:view").get_by_text("Table").click()
    expect(replayed.panel("streak").locator("tbody tr")).to_have_count(_TURNS)
    rows = _rows(replayed)
    assert rows[8:] == [[str(turn), "pending", "escalate", "0", "1", "LOCAL"] for turn in range(9, 18)]
    replayed.setting("escalation:session").check()
    expect(_turn(replayed, 10)).to_contain_text("CLOUD")
    expect(replayed.row("judge-settings", "session")).not_to_contain_text("warning")


def test_a_slow_replay_shows_turn_by_turn_and_cancel_keeps_what_was_judged(session: Bench) -> None:
    """At turn 5 the judge takes its time: four turns stand, the fifth is being asked, and Cancel keeps the four."""
    session.lab.execute(_NOTING.format(kind="MOCK", stop_at=5))
    expect(session.status).to_have_text(re.compile(r"^Asking judge at turn 5 of 17, \d+\.\d s$"))
    session.root.locator(".bar .primary").click()
    expect(session.status).to_have_text(re.compile(r"^Cancelled at \d+\.\d s$"))
    expect(session.reason).to_have_text("Cancelled at turn 5 of 17.")
    expect(session.verdict.locator(".detail")).to_have_text("4 of 17 turns judged: 4 decline.")
    session.setting("escalation:view").get_by_text("Table").click()
    assert [row[0] for row in _rows(session)] == ["1", "2", "3", "4"]
    session.lab.execute("Noting.stop_at = None")
    session.verdict.get_by_role("button", name="Replay again").click()
    expect(session.status).to_contain_text("Done17 turns, 17 calls")


def test_a_first_replay_that_is_slow_shows_its_progress(bench: Bench, examples: Path) -> None:
    """Without a verdict before it, the card counts the turns, and the table ends with the one that is asked."""
    bench.lab.execute(_NOTING.format(kind="MOCK", stop_at=4))
    bench.tab("escalation").click()
    bench.paste((examples / "conversations" / "agent-tidewatch-dst-loop.json").read_text(encoding="utf-8"))
    expect(bench.reason).to_have_text("Judging turn 4 of 17.")
    expect(bench.verdict.locator(".detail")).to_have_text("3 of 17 turns judged: 3 decline.")
    expect(bench.verdict.locator(".prog")).to_have_attribute("aria-label", "turn 4 of 17")
    expect(bench.panel("streak").locator("[data-k=asking]")).to_contain_text("no reply yet")
    expect(bench.panel("turns")).to_contain_text("3 of 17 replayed")
    bench.verdict.get_by_role("button", name="Cancel").click()
    expect(bench.reason).to_have_text("Cancelled at turn 4 of 17.")


def test_a_live_turn_at_the_end_asks_both_tiers(bench: Bench) -> None:
    """The efficient tier writes the reply that is due, the judge reads it, and the capable tier takes over."""
    bench.paste("User: hello\n\nAssistant: hello\n\nUser: and now?")
    bench.bring("escalation")
    expect(bench.panel("streak")).to_contain_text("Turn 2 is live: its reply was asked of the efficient tier.")
    note = bench.setting("escalation:handoff_note")
    note.fill("Look at the plan first.")
    note.press("Enter")
    _judge(bench, "escalate")
    expect(bench.word).to_have_text("CLOUD")
    expect(bench.verdict.locator(".lamp")).to_contain_text("turn 2")
    expect(bench.row("turn-verdict", "handoff")).to_contain_text("sent with the request")
    for rung in ("efficient", "escalation_judge", "capable"):
        expect(bench.row("turn-verdict", rung)).to_contain_text("ms")
    bench.setting("rung:efficient:fault").select_option("context overflow")
    _judge(bench, "decline")
    expect(bench.verdict.locator(".lamp")).to_contain_text("a fallback for this turn")
    expect(bench.panel("turn-verdict")).to_contain_text("There is no reply to judge.")
