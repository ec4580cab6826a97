"""The reader in a real page: thousands of messages, read, searched, jumped in and edited; none of it is HTML."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from bench_page import Bench
from lab_page import PATIENCE
from playwright.sync_api import Locator, expect

#: Messages of the long session.
_MESSAGES = 5_000

#: Watches the frames that are drawn; what takes the page longer than 50 ms is a long task.
_WATCH = """() => {
  window.__tasks = [];
  new PerformanceObserver(list => window.__tasks.push(...list.getEntries().map(one => Math.round(one.duration))))
    .observe({ type: "longtask" });
}"""

#: Rows that are seen, each with its number and where it begins and ends in the window of the list.
_SEEN = """scroll => {
  const { top, bottom } = scroll.getBoundingClientRect();
  return [...scroll.querySelectorAll("li")].map(row => [Number(row.dataset.k.slice(1)), row.getBoundingClientRect()])
    .filter(([, box]) => box.bottom > top + 20 && box.top < bottom)
    .map(([turn, box]) => [turn, Math.round(box.top - top), Math.round(box.bottom - top)]);
}"""

#: Counts what the reader sends from now on.
_COUNT = """import json
_sizes, _reader = [], bench._layout.reader
def _counted(content, buffers=None, _send=type(_reader).send):
    _sizes.append(len(json.dumps(content)) + sum(map(len, buffers or [])))
    _send(_reader, content, buffers)
object.__setattr__(_reader, "send", _counted)"""


def _session(messages: int) -> str:
    """A session of rounds: a step and its call, then its result; every seventh fails, and each says its number."""
    said = [{"role": "user", "content": "Find out why the tide tables are an hour off."}]
    for number in range(messages // 2 - 1):
        call = {"name": "Bash", "arguments": json.dumps({"command": f"pytest -k case_{number}"})}
        step = f"Step {number}. " + "I look at the next table. " * (number % 23)
        said.append({"role": "assistant", "content": step, "tool_calls": [{"id": f"c{number}", "function": call}]})
        result = f"output {number}\n" + "a line of it\n" * (number % 40)
        failed = f"Traceback (most recent call last):\n  case {number}\nValueError: an hour off"
        said.append({"role": "tool", "tool_call_id": f"c{number}", "content": result if number % 7 else failed})
    said.append({"role": "assistant", "content": "The tables are right now."})
    return json.dumps({"messages": said})


@pytest.fixture
def long(bench: Bench) -> Bench:
    """A bench with a session of thousands of messages."""
    path = bench.lab.path.parent / "long.json"
    path.write_text(_session(_MESSAGES), encoding="utf-8")
    bench.lab.execute(f"bench.open({str(path)!r})")
    expect(bench.message(0)).to_be_visible()
    bench.settle()
    return bench


@pytest.fixture
def read(bench: Bench, examples: Path) -> Bench:
    """A bench with a session that fits into an editor."""
    bench.paste((examples / "conversations" / "agent-tidewatch-dst-loop.json").read_text(encoding="utf-8"))
    expect(bench.word).to_have_text("CLOUD")
    bench.settle()
    return bench


def _scroll(bench: Bench) -> Locator:
    return bench.panel("messages").locator(".scroll")


def _expect_seen(bench: Bench, turn: int) -> None:
    """Wait until the row of a message stands in the window of the list."""
    handle = _scroll(bench).element_handle()
    wanted = f"([scroll, turn]) => ({_SEEN})(scroll).some(([seen]) => seen === turn)"
    bench.page.wait_for_function(wanted, arg=[handle, turn], timeout=PATIENCE)


def _search(bench: Bench, text: str) -> None:
    bench.setting("messages:search").fill(text)


def _found(bench: Bench) -> Locator:
    return bench.panel("messages").locator(".found")


def test_thousands_of_messages_are_scrolled_and_only_the_seen_are_there(long: Bench) -> None:
    """To the end by wheel and scrollbar and back: rows stand one below the other, filled, without a gap."""
    page, scroll = long.page, _scroll(long)
    page.evaluate(_WATCH)
    scroll.hover()
    for _ in range(40):
        page.mouse.wheel(0, 700)
        page.evaluate("() => new Promise(requestAnimationFrame)")
    seen = scroll.evaluate(_SEEN)
    assert seen[0][0] > 100
    for (turn, _, bottom), (after, top, _) in pairwise(seen):
        assert (after, top) == (turn + 1, bottom)
    expect(long.message(seen[1][0]).locator(".said")).not_to_contain_text("on the way")
    for end, turn in ((10**9, _MESSAGES - 1), (0, 0)):
        scroll.evaluate("(node, end) => { node.scrollTop = end; }", end)
        _expect_seen(long, turn)
        expect(long.message(turn).locator(".said")).to_contain_text("tables are")
        assert long.panel("messages").locator("li").count() < 200
    expect(long.message(0)).to_have_attribute("aria-setsize", f"{_MESSAGES}")
    # Loaded machines are slow; a page that draws all rows takes seconds.
    assert max(page.evaluate("window.__tasks"), default=0) < 1_000


def test_focus_stays_on_a_row_that_is_scrolled_away(long: Bench) -> None:
    """Keys go on from it, and it comes back into view."""
    long.message(3).locator(".role").click()
    expect(long.message(3)).to_be_focused()
    _scroll(long).evaluate("node => { node.scrollTop = 60_000; }")
    assert 3 not in [turn for turn, *_ in _scroll(long).evaluate(_SEEN)]
    expect(long.message(3)).to_be_focused()
    long.page.keyboard.press("ArrowDown")
    expect(long.message(4)).to_be_focused()
    _expect_seen(long, 4)


def test_a_message_is_gone_to_by_its_number_and_the_attempt_by_a_key(long: Bench) -> None:
    """From anywhere; a panel's link does the same."""
    number = long.panel("messages").get_by_label("Go to message number")
    number.fill("2500")
    number.press("Enter")
    _expect_seen(long, 2499)
    long.message(2499).focus()
    long.page.keyboard.press("a")
    expect(long.message(_MESSAGES - 1)).to_be_focused()
    long.lab.execute("bench._layout.reader.go_to(1200)")
    expect(long.message(1200)).to_be_focused()
    _expect_seen(long, 1200)


def test_a_search_counts_and_steps_through_all_of_it(long: Bench) -> None:
    """In names, arguments and folded results too; the match that is gone to is opened and marked."""
    _search(long, "OUTPUT 2222")
    expect(_found(long)).to_have_text("1 of 1")
    expect(long.message(4446).locator("mark.at")).to_have_text("output 2222")
    _expect_seen(long, 4446)
    _search(long, "case_10")
    expect(_found(long)).to_contain_text(" of 111")
    field = long.setting("messages:search")
    for press, text in (("Enter", "case_10"), ("Shift+Enter", "case_10")):
        before = _found(long).inner_text()
        field.press(press)
        expect(_found(long)).not_to_have_text(before)
        expect(long.panel("messages").locator("mark.at")).to_have_text(text)
    _search(long, "no such words")
    expect(_found(long)).to_have_text("no match")
    expect(long.panel("messages").locator("mark")).to_have_count(0)


def test_filters_list_what_they_count(long: Bench) -> None:
    """Failed results and calls; where the reader is stays as near as it can."""
    panel = long.panel("messages")
    expect(panel.locator(".seg button").first).to_have_text("all 5,000")
    panel.get_by_role("button", name="failed 357").click()
    expect(panel.locator("li").first).to_have_attribute("aria-setsize", "357")
    for row in panel.locator("li").all()[:5]:
        expect(row.locator(".fail")).to_have_text("failed")
    panel.get_by_role("button", name="calls 2,499").click()
    expect(panel.locator("li").first).to_have_attribute("aria-setsize", "2499")
    # What is not listed is gone to all the same.
    long.lab.execute("bench._layout.reader.go_to(0)")
    expect(long.message(0)).to_be_focused()
    expect(panel.locator("li").first).to_have_attribute("aria-setsize", "5000")


def test_a_call_and_its_result_are_shown_together(read: Bench) -> None:
    """On hover and on selection, and a key goes from one to the other."""
    call, result = read.message(2).locator("button.fold"), read.message(3).locator("button.fold")
    pairs = read.panel("messages").locator(".pair")
    expect(pairs).to_have_count(0)
    call.hover()
    expect(pairs).to_have_count(2)
    expect(read.message(3).locator(".pair")).to_have_count(1)
    read.panel("messages").locator("h3").hover()
    result.focus()
    expect(read.message(2).locator(".pair")).to_have_count(1)
    read.page.keyboard.press("g")
    expect(read.message(2)).to_be_focused()
    read.panel("messages").get_by_role("button", name="Result 3").click()
    expect(read.message(3)).to_be_focused()


def test_what_has_no_partner_says_so(bench: Bench) -> None:
    """And its remark goes to its place in the source."""
    messages = [
        {"role": "user", "content": "Look."},
        {"role": "tool", "tool_call_id": "gone", "content": "1 line"},
        {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "Read", "arguments": "{}"}}]},
        {"role": "user", "content": "Well?"},
    ]
    bench.paste(json.dumps({"messages": messages}))
    expect(bench.message(1)).to_contain_text("no call in this conversation")
    expect(bench.message(2)).to_contain_text("no result in this conversation")
    bench.panel("messages").get_by_role("button", name="problems 2").click()
    expect(bench.panel("messages").locator("li")).to_have_count(2)
    bench.message(1).locator("button.problem").click()
    expect(bench.editor).to_be_focused()
    selected = "area => area.value.slice(area.selectionStart, area.selectionEnd)"
    assert json.loads(bench.editor.evaluate(selected)) == messages[1]


def test_a_problem_is_jumped_to_from_the_conversation_panel(bench: Bench) -> None:
    """To its row, and to its place in the source."""
    session = json.loads(_session(200))
    session["messages"].insert(150, {"role": "tool", "tool_call_id": "gone", "content": "1 line"})
    bench.paste(json.dumps(session))
    expect(bench.message(0)).to_be_visible()
    bench.root.locator("[data-act=jump-diagnostic]").first.click()
    expect(bench.message(150)).to_contain_text("This tool result for `gone` answers no earlier call.")
    _expect_seen(bench, 150)
    expect(bench.editor).to_be_focused()


def test_a_long_text_opens_piece_by_piece(bench: Bench) -> None:
    """What is not shown is counted; a repaint leaves it open."""
    bench.paste("User: " + "tide" * 15_000)
    row = bench.message(0)
    expect(row.locator(".chars")).to_have_text("60,000")
    row.get_by_role("button", name="Show 20,000 chars of 59,100 more chars").click()
    expect(row.locator(".mores")).to_contain_text("Show 39,100 more chars")
    bench.lab.execute("bench._session.set_controls(prior_local=0.5)")
    bench.settle()
    row.get_by_role("button", name="Show 39,100 more chars").click()
    expect(row.get_by_role("button", name="Show less")).to_be_visible()
    expect(row.locator(".mores")).to_have_text("Show less")
    assert row.locator(".full").evaluate("node => node.textContent.length") == 60_000
    row.get_by_role("button", name="Show less").click()
    expect(row.locator(".mores")).to_contain_text("Show 20,000 chars of")
    assert row.locator(".full").evaluate("node => node.textContent.length") == 900


def test_a_message_as_it_was_pasted(bench: Bench) -> None:
    """For one row by a key, for all by the switch."""
    text = '{"messages": [{"role":"user",  "content":"why?"}, {"role":"assistant","content": "So."}]}'
    bench.paste(text)
    expect(bench.message(1)).to_contain_text("So.")
    bench.message(0).focus()
    bench.page.keyboard.press("r")
    expect(bench.message(0).locator(".full")).to_have_text('{"role":"user",  "content":"why?"}')
    expect(bench.message(1).locator(".full")).to_have_text("So.")
    bench.panel("messages").get_by_role("button", name="raw", exact=True).click()
    expect(bench.message(1).locator(".full")).to_have_text('{"role":"assistant","content": "So."}')
    bench.panel("messages").get_by_role("button", name="read", exact=True).click()
    expect(bench.message(0).locator(".full")).to_have_text("why?")


def test_an_edit_moves_the_verdict_and_undo_takes_it_back(read: Bench) -> None:
    """Typed text outlives a repaint, as does its caret; the edited row says so."""
    failed = [
        int(turn)
        for turn in read.lab.execute(
            "print(*[mark.turn for mark in bench.screen.derived.results if mark.failed])"
        ).split()
    ]
    assert len(failed) == 7
    panel, row = read.panel("messages"), read.message(1)
    row.focus()
    read.page.keyboard.press("e")
    area = panel.locator("textarea")
    expect(area).to_be_focused()
    area.press("ControlOrMeta+End")
    read.page.keyboard.type("\nAnd be quick")
    read.lab.execute("bench._session.set_controls(prior_local=0.5)")
    read.settle()
    expect(area).to_be_focused()
    read.page.keyboard.type(".")
    _scroll(read).evaluate("node => { node.scrollTop = 1_000; }")
    read.settle()
    expect(area).to_be_focused()
    area.press("ControlOrMeta+Enter")
    expect(area).to_have_count(0)
    expect(row).to_contain_text("And be quick.")
    expect(row.locator(".tag.warn")).to_have_text("edited")
    expect(row).to_be_focused()
    panel.get_by_role("button", name="Undo").click()
    expect(row).not_to_contain_text("And be quick.")
    expect(row.locator(".tag.warn")).to_have_count(0)
    panel.get_by_role("button", name="Redo").click()
    expect(row).to_contain_text("And be quick.")


def test_a_result_that_is_edited_counts_anew(read: Bench) -> None:
    """And arguments are edited as JSON; a message that is removed comes back by undo."""
    panel = read.panel("messages")
    read.message(2).locator("button.fold").focus()
    read.page.keyboard.press("e")
    area = panel.locator("textarea")
    expect(area).to_have_value('{\n  "command": "pytest tests/test_forecast.py -q"\n}')
    area.fill('{"command": "ls"}')
    panel.get_by_role("button", name="Save").click()
    expect(read.message(2).locator("button.fold")).to_have_text("Bash ls")
    before = _scroll(read).evaluate("node => node.scrollTop")
    read.message(3).focus()
    panel.get_by_role("button", name="Remove").click()
    expect(panel.locator("li").first).to_have_attribute("aria-setsize", "34")
    expect(read.message(2)).to_contain_text("no result in this conversation")
    assert _scroll(read).evaluate("node => node.scrollTop") == before
    panel.get_by_role("button", name="Undo").click()
    expect(panel.locator("li").first).to_have_attribute("aria-setsize", "35")
    expect(read.message(2)).not_to_contain_text("no result in this conversation")


def test_an_edit_is_left_by_escape_and_never_lost_with_its_message(read: Bench) -> None:
    """The run is not cancelled by it; and where the message goes, what was typed stays to be copied."""
    panel = read.panel("messages")
    read.message(1).focus()
    read.page.keyboard.press("e")
    area = panel.locator("textarea")
    expect(area).to_be_focused()
    area.fill("something else")
    area.press("Escape")
    expect(area).to_have_count(0)
    expect(read.message(1)).to_be_focused()
    read.page.keyboard.press("e")
    expect(area).to_be_focused()
    area.fill("typed for long")
    read.lab.execute("bench._session.set_text('User: another one')")
    read.settle()
    expect(area).to_have_value("typed for long")
    expect(panel).to_contain_text("The message is no longer there. Copy what you typed.")
    panel.get_by_role("button", name="Cancel").click()
    expect(area).to_have_count(0)


def test_a_small_change_moves_nothing(long: Bench) -> None:
    """A message edited above the window, one appended: what is read stays where it is, and little is sent."""
    number = long.panel("messages").get_by_label("Go to message number")
    number.fill("3000")
    number.press("Enter")
    _expect_seen(long, 2999)
    long.settle()
    # Rows around are filled once nothing is on the way any more.
    expect(long.panel("messages").locator(".said", has_text="on the way")).to_have_count(0)
    long.lab.execute(_COUNT)
    before = _scroll(long).evaluate(_SEEN)
    text = "A longer text than before.\\n" * 30
    long.lab.execute(f"bench.edit_message(1, 0, '{text}')")
    long.settle()
    long.lab.execute("assert bench._layout.reader.rows[1].chars > 600")
    assert _scroll(long).evaluate(_SEEN) == before
    assert int(long.lab.execute("print(sum(_sizes))")) < 5_000


def test_signs_that_reorder_or_hide_are_shown(bench: Bench) -> None:
    """NUL, escapes and bidirectional overrides, by name; right-to-left text stays as it is."""
    hebrew = "\u05e9\u05dc\u05d5\u05dd"
    text = f"a\u0000b\u001b[31m\u202eevil\u2066 {hebrew}"
    bench.paste(json.dumps({"messages": [{"role": "user", "content": text}]}))
    shown = f"a\u2400b\u241b[31m[U+202E]evil[U+2066] {hebrew}"
    expect(bench.message(0).locator(".full")).to_have_text(shown)


def test_a_page_that_is_loaded_again_shows_the_same(read: Bench) -> None:
    """Messages, filter and search."""
    read.panel("messages").get_by_role("button", name="failed 7").click()
    _search(read, "assert")
    expect(_found(read)).to_contain_text(" of ")
    read.lab.save()
    read.lab.reload()
    expect(read.panel("messages").locator("li").first).to_have_attribute("aria-setsize", "7")
    expect(read.setting("messages:search")).to_have_value("assert")
    expect(read.panel("messages").locator("mark").first).to_be_visible()
