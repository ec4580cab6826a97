"""Each state of a bench says in words what it is, and what to do next (UI 6, 11)."""

from __future__ import annotations

import re
from pathlib import Path

from bench_page import Bench
from playwright.sync_api import expect

#: Longer than any test waits: the run that asks is ended by the test.
_LONG = "20000"


def _conversation(examples: Path, name: str = "agent-ledgerlite-last-line.json") -> str:
    return (examples / "conversations" / name).read_text(encoding="utf-8")


def _delay(bench: Bench, rung: str, milliseconds: str) -> None:
    field = bench.setting(f"rung:{rung}:delay")
    field.fill(milliseconds)
    field.press("Enter")


def test_an_empty_bench_says_what_to_do(bench: Bench) -> None:
    """Every panel has its sentence, and Run says why it cannot."""
    expect(bench.status).to_have_text("")
    expect(bench.root.locator(".bar .primary")).to_have_text("Run")
    expect(bench.root.locator(".bar .primary")).to_be_disabled()
    expect(bench.root.locator(".bar .primary")).to_have_attribute(
        "title", "Nothing to run: paste a conversation first."
    )
    for panel, sentence in (
        ("turns", "No assistant turn yet."),
        ("messages", "No messages yet."),
        ("why", "The branch appears once a conversation is read."),
        ("timeline", "Nothing asked yet."),
        ("judge", "No judge reads this: the branch is unknown until a conversation is read."),
        ("policy", "1.0.0, no changes."),
    ):
        expect(bench.panel(panel)).to_contain_text(sentence)
    expect(bench.root.locator(".rw-probabilities")).to_contain_text("No score asked.")


def test_a_running_bench_says_what_it_asks_and_can_be_cancelled(bench: Bench, examples: Path) -> None:
    """The clock ticks in the browser; Cancel keeps what was gathered, and Run again goes on to a verdict."""
    bench.setting("scenario").select_option("slow judge")
    _delay(bench, "readout", _LONG)
    bench.paste(_conversation(examples))
    asking = re.compile(r"^Asking readout, \d+\.\d s of 30 s$")
    expect(bench.status).to_have_text(asking)
    expect(bench.reason).to_have_text(asking)
    expect(bench.row("timeline", "asking")).to_contain_text("asking")
    clock = bench.status.locator("[data-clock]")
    for _ in range(3):
        before = clock.inner_text()
        expect(clock).not_to_have_text(before)
        assert float(clock.inner_text().removesuffix(" s")) > float(before.removesuffix(" s"))

    cancel = bench.root.locator(".bar .primary")
    expect(cancel).to_have_text("Cancel")
    cancel.click()
    expect(bench.status).to_have_text(re.compile(r"^Cancelled at \d+\.\d s$"))
    expect(bench.reason).to_have_text("Cancelled while asking readout.")
    expect(bench.verdict.locator(".detail")).to_have_text("typing is kept. No verdict: the rest was not asked.")
    expect(bench.verdict.get_by_role("status")).to_have_text("Cancelled while asking readout.")
    expect(bench.panel("why")).to_contain_text("No decision: the run was cancelled.")
    _delay(bench, "readout", "1")
    expect(bench.word).to_have_text("LOCAL")


def test_a_verdict_stays_stale_while_a_slow_run_asks_again(bench: Bench, examples: Path) -> None:
    """The word is kept and marked, the panels too, and the card keeps its height."""
    bench.paste(_conversation(examples))
    expect(bench.word).to_have_text("LOCAL")
    height = bench.verdict.bounding_box()["height"]
    _delay(bench, "readout", _LONG)
    expect(bench.word).to_have_text("LOCAL, stale")
    expect(bench.status).to_contain_text("Asking readout")
    assert bench.verdict.bounding_box()["height"] == height
    expect(bench.panel("why").locator(".ph .tag")).to_have_text("stale")
    expect(bench.root.locator(".rw-probabilities .ph .tag")).to_have_text("stale")
    expect(bench.verdict.get_by_role("status")).to_have_text("")
    _delay(bench, "readout", "1")
    expect(bench.word).to_have_text("LOCAL")
    expect(bench.root.locator(".ph .tag", has_text="stale")).to_have_count(0)


def test_a_live_driver_waits_for_run_and_an_edit_makes_its_result_stale(bench: Bench, examples: Path) -> None:
    """Idle says what Run will ask of whom; edited, the verdict stays, marked, and nothing is asked."""
    bench.paste(_conversation(examples))
    expect(bench.word).to_have_text("LOCAL")
    bench.go_live()
    expect(bench.root.locator(".badge")).to_have_text("LIVE, judge-8b @ 127.0.0.1")
    expect(bench.status).to_have_text("Stale: driver switched")
    expect(bench.verdict.locator(".foot .o")).to_have_text("mock")
    bench.paste("")
    bench.wait_until_empty()
    bench.paste(_conversation(examples))
    expect(bench.status).to_have_text("Idle")
    expect(bench.reason).to_have_text("Branch agentic_verified. No evidence asked yet.")
    expect(bench.verdict.locator(".detail")).to_have_text("Run asks the live driver, judge-8b @ 127.0.0.1: typing.")
    bench.verdict.get_by_role("button", name="Run").click()
    expect(bench.word).to_have_text("LOCAL")
    expect(bench.verdict.locator(".foot .o")).to_have_text("live")
    height = bench.verdict.bounding_box()["height"]
    bench.setting("controls:prior_local").fill("0.4")
    bench.setting("controls:prior_local").press("Enter")
    expect(bench.word).to_have_text("LOCAL, stale")
    expect(bench.status).to_have_text(re.compile(r"^Stale: \S"))
    expect(bench.root.locator(".bar .primary")).to_have_text("Run again")
    assert bench.verdict.bounding_box()["height"] == height
    expect(bench.root.locator("section[data-k] .ph .tag", has_text="stale")).not_to_have_count(0)


def test_a_failed_run_says_what_failed_and_what_to_do(bench: Bench) -> None:
    """The local tier answers HTTP 401: the turn ends, in red, with the next step and what was asked before."""
    bench.setting("scenario").select_option("wrong key")
    bench.paste("User: what is 6 times 7?")
    expect(bench.status).to_have_text("Failed: attempt")
    expect(bench.verdict).to_have_class(re.compile(r"\bfailed\b"))
    expect(bench.reason).to_contain_text("HTTP 401")
    expect(bench.reason).to_have_css("color", "rgb(179, 38, 30)")
    expect(bench.verdict.locator(".detail")).to_have_text(re.compile(r"\w.*\.$"))
    expect(bench.verdict.get_by_role("status")).to_contain_text("HTTP 401")
    bench.verdict.get_by_text("Details").click()
    expect(bench.verdict.locator("details")).to_contain_text("Failed at stage attempt.")
    bench.setting("scenario").select_option("everything affirms")
    expect(bench.word).to_have_text("LOCAL")


def test_a_paste_that_cannot_be_read_says_where(bench: Bench) -> None:
    """Nothing is routed; the remark's place is a button that marks it in the editor."""
    bench.paste('{"messages": [\n  {"role": "user", "content": "an end that is missing\n')
    expect(bench.reason).to_have_text("Nothing to route: the paste could not be read.")
    remark = bench.root.locator(".diag li").first
    expect(remark.locator(".sev")).to_have_text("error")
    remark.get_by_role("button").press("Enter")
    expect(bench.editor).to_be_focused()


def test_the_verdict_is_said_once_a_run(bench: Bench, examples: Path) -> None:
    """A screen reader hears nothing while it runs and one sentence at the end."""
    bench.paste(_conversation(examples))
    expect(bench.word).to_have_text("LOCAL")
    said = bench.verdict.get_by_role("status")
    expect(said).to_have_text("LOCAL. Readout 0.96 clears the dial of 0.20.")
    said.evaluate(
        """node => {
          window.__said = [];
          new MutationObserver(() => window.__said.push(node.textContent))
            .observe(node, { subtree: true, childList: true, characterData: true });
        }"""
    )
    bench.lab.execute(_SLOW)
    expect(bench.status).to_contain_text("Asking readout")
    expect(bench.word).to_have_text("CLOUD")
    bench.settle()
    heard = [text for text in bench.page.evaluate("window.__said") if text]
    assert heard == ["CLOUD. Readout 0.10 misses 0.20 and deliberation 0.00 misses 0.50."]


_SLOW = """from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.script import Script
script = Script().edited(Rung.READOUT, answer="0.1", delay_ms=1500).edited(Rung.DELIBERATION, answer="no", delay_ms=1)
bench._session._post(lambda: bench._session._desk.script(lambda before: script, "scenario"))"""
