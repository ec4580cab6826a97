"""Every fault of the driver panel, injected by one choice: what the screen says, and what it never does (SPEC 5-7).

What a fault does to a rung is a rule of `fault_rules`; here a person injects it and reads the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench_page import Bench
from fault_rules import HARMS, Effect, Harm
from playwright.sync_api import expect
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.workbench.drivers.script import Fault

_SESSION = (
    "User: fix the build\n\nAssistant: I ran it and it failed.\n\nUser: again\n\nAssistant: It failed again, likewise."
)


def _apart(words: Callable[[Harm], str]) -> Iterator[tuple[Fault, Harm]]:
    """Every fault, in an order in which the words on screen change from each to the next."""
    left: dict[str, list[tuple[Fault, Harm]]] = {}
    for fault, harm in HARMS.items():
        left.setdefault(words(harm), []).append((fault, harm))
    last = ""
    while left:
        last = max((said for said in left if said != last), key=lambda said: len(left[said]))
        yield left[last].pop()
        if not left[last]:
            del left[last]


def _inject(bench: Bench, rung: Rung, fault: Fault) -> None:
    """Choose the fault, which is all that a person does."""
    bench.setting(f"rung:{rung.value}:fault").select_option(fault.value)


def _expect_alive(bench: Bench, rung: Rung) -> None:
    """All faults of the list were tried, the bench had no error of its own, and the kernel answers."""
    options = bench.setting(f"rung:{rung.value}:fault").locator("option").all_text_contents()
    assert sorted(options) == sorted(fault.value for fault in Fault)
    expect(bench.root.locator(".rw-error")).to_have_count(0)
    assert bench.lab.execute("print(6 * 7)") == "42\n"
    bench.setting("clear-faults").click()
    expect(bench.panel("driver").locator(".ph .tag.err")).to_have_count(0)


def _words(harm: Harm, rung: Rung) -> str:
    """How the record names what happened to this rung; empty where its reply is read."""
    match harm.effect(rung):
        case Effect.FAILED:
            return "timed_out" if harm.said == "timeout" else f"call_failed: {harm.said}"
        case Effect.UNREADABLE:
            return "unparsable"
    return ""


def test_no_faulty_readout_ever_licenses_local(bench: Bench) -> None:
    """Deliberation denies, so only a readout could: with none, CLOUD; its row says why, and nothing is drawn of it."""
    bench.paste("User: what is 6 times 7?\n\nAssistant: 42")
    bench.setting("rung:deliberation:answer").select_option("no")
    bench.expect_mark(0, 0.96, "square")
    expect(bench.word).to_have_text("LOCAL")
    row = bench.panel("timeline").locator(".wf li:not(.note)", has_text="readout")
    for fault, harm in _apart(lambda harm: _words(harm, Rung.READOUT)):
        _inject(bench, Rung.READOUT, fault)
        if words := _words(harm, Rung.READOUT):
            expect(row).to_contain_text(words)
            expect(bench.word).to_have_text("CLOUD")
            bench.expect_mark(0, None)
            expect(bench.root.locator(".rw-column").nth(1).locator(".lane").first).not_to_contain_text("0.")
            expect(bench.status).to_contain_text("Done")
        else:
            expect(row).to_contain_text("0.96")
            expect(bench.word).to_have_text("LOCAL")
        expect(bench.panel("driver").locator(".ph .tag.err")).to_have_text("1 fault")
    _expect_alive(bench, Rung.READOUT)
    expect(bench.word).to_have_text("LOCAL")


def test_a_faulty_route_answer_takes_the_fallback_with_its_reason(bench: Bench) -> None:
    """With fail_open on each fault names its reason code; no rule wins, and no probability of it is a match."""
    bench.paste("User: what is 6 times 7?")
    bench.bring("cutoffs")
    bench.root.locator("[data-act='cutoffs:fail_open'][value=true]").click()
    field = bench.panel("driver").locator(".probs [data-k=small] input[type=number]")
    field.fill("0.9")
    field.press("Enter")
    label = bench.verdict.locator(".lamp .label")
    expect(label).to_have_text("small")

    def code(harm: Harm) -> str:
        return harm.reason_code if harm.loses(Rung.ROUTE) else ""

    for fault, harm in _apart(code):
        _inject(bench, Rung.ROUTE, fault)
        expect(bench.verdict.locator("[data-k=Confidence]")).to_contain_text(f"reason {code(harm)}")
        expect(label).to_have_text("large")
        expect(bench.panel("cutoffs-rules").locator("li.win")).to_have_attribute("data-k", "relse")
        failure = bench.panel("cutoffs-usable").locator("li", has_text="judge failure")
        expect(failure).to_contain_text(_words(harm, Rung.ROUTE) if harm.said else "none")
    _expect_alive(bench, Rung.ROUTE)
    expect(label).to_have_text("small")


def test_a_faulty_judge_gives_no_verdict_and_moves_no_streak(bench: Bench) -> None:
    """Each turn is unavailable and says why; nothing latches, and once the fault is gone two escalations do."""
    bench.paste(_SESSION)
    bench.bring("escalation")
    answer = bench.setting("rung:escalation_judge:answer")
    answer.fill("escalate")
    answer.press("Enter")
    expect(bench.word).to_have_text("CLOUD")
    bench.setting("escalation:view").get_by_text("Table").click()
    rows = bench.panel("streak").locator("tbody tr")
    rung = Rung.ESCALATION_JUDGE

    def says(harm: Harm) -> str:
        return f"no reply: {harm.said}" if harm.said else "" if not harm.loses(rung) else str(harm)

    for fault, harm in _apart(says):
        _inject(bench, rung, fault)
        if not says(harm):
            expect(bench.word).to_have_text("CLOUD")
            expect(rows.nth(1).locator(".num.b")).to_have_text("2")
            continue
        expect(rows.first.locator(".v")).to_have_text("unavailable")
        expect(rows.locator(".num.b")).to_have_text(["0", "0"])
        expect(bench.word).to_have_text("LOCAL")
        said = bench.panel("turn-verdict").locator(".pb > p").first
        expect(said).to_contain_text(says(harm) if harm.said else "unavailable: ")
        expect(bench.panel("streak").locator(".tier.cloud")).to_have_count(0)
    _expect_alive(bench, rung)
    expect(bench.word).to_have_text("CLOUD")


def test_a_faulty_local_tier_never_serves(bench: Bench) -> None:
    """The attempt is asked: a tier that fails serves CLOUD or fails the turn; a poor text is for the judges to see."""
    bench.paste("User: what is 6 times 7?")
    expect(bench.word).to_have_text("LOCAL")
    for fault, harm in _apart(lambda harm: harm.said and f"{harm.said} {harm.is_eligible}"):
        _inject(bench, Rung.ATTEMPT, fault)
        if not harm.said:
            expect(bench.status).to_contain_text("Done")
        elif harm.is_eligible:
            expect(bench.word).to_have_text("CLOUD")
            expect(bench.panel("timeline")).to_contain_text(_words(harm, Rung.ATTEMPT))
        else:
            expect(bench.reason).to_have_text(f"Local tier failed: {harm.said}.")
            expect(bench.status).to_have_text("Failed: attempt")
    _expect_alive(bench, Rung.ATTEMPT)
    expect(bench.word).to_have_text("LOCAL")
