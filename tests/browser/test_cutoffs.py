"""The Cutoffs tab: probabilities against ordered cutoffs, what-ifs, the question as sent, failures (SPEC 6.1)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from bench_page import Bench
from playwright.sync_api import Locator, expect

#: The example rules: small above 0.60, mid above 0.35, else large.
_MODELS = ("local-coder-8b", "relay-coder-32b", "summit-coder")

#: Of a row's drawing: where the bar, its end, the cutoff and the winning side stand on the axis from 0 to 1.
_DRAWN = """row => {
  const svg = row.querySelector("svg.ch");
  const home = svg.getBoundingClientRect();
  const at = (x) => (x - home.x) / home.width;
  const box = (selector) => svg.querySelector(selector)?.getBoundingClientRect();
  const [bar, end, cutoff, side] = [".pbar", "path.end", "line.thr", ".side"].map(box);
  return { pixel: 1 / home.width, bar: bar ? [at(bar.left), at(bar.right)] : null,
    end: end ? at((end.left + end.right) / 2) : null, cutoff: cutoff ? at((cutoff.left + cutoff.right) / 2) : null,
    side: side ? [at(side.left), at(side.right)] : null, label: svg.querySelector("text")?.textContent ?? "" };
}"""


@pytest.fixture
def routed(bench: Bench, examples: Path) -> Bench:
    """The Cutoffs tab with an example, answered with even probabilities."""
    bench.paste((examples / "conversations" / "agent-tidewatch-dst-loop.json").read_text(encoding="utf-8"))
    bench.bring("cutoffs")
    bench.lab.execute("bench._session.set_probabilities(dict.fromkeys(('small', 'mid', 'large'), 1 / 3))")
    expect(bench.status).to_contain_text("Done")
    bench.settle()
    return bench


def _row(bench: Bench, key: str) -> Locator:
    """A row of the rules by its order: r1, r2 ... or relse."""
    return bench.panel("cutoffs-rules").locator(f".rules > [data-k={key}]")


def _label(bench: Bench) -> Locator:
    return bench.verdict.locator(".lamp .label")


def _probability(bench: Bench, label: str, kind: str = "number") -> Locator:
    return bench.panel("driver").locator(f".probs [data-k={label}] input[type={kind}]")


def _answer(bench: Bench, **probabilities: str) -> None:
    """Type the mock's probabilities; the slider of each follows."""
    for label, value in probabilities.items():
        _probability(bench, label).fill(value)
        _probability(bench, label).press("Enter")
        expect(_probability(bench, label, "range")).to_have_value(f"{float(value):g}")


def _expect_drawn(bench: Bench, key: str, probability: float | None, cutoff: float | None) -> None:
    """The bar ends at the probability and the line stands at the cutoff, each within a pixel of the screen."""
    found = _row(bench, key).evaluate(_DRAWN)
    pixel = found["pixel"]
    if probability is None:
        assert found["bar"] is found["end"] is None
    else:
        assert found["bar"] == pytest.approx([0, probability], abs=pixel)
        assert found["end"] == pytest.approx(probability, abs=pixel)
    if cutoff is None:
        assert found["cutoff"] is found["side"] is None
    else:
        assert found["cutoff"] == pytest.approx(cutoff, abs=pixel)
        assert found["side"] == pytest.approx([cutoff, 1], abs=pixel)
        assert found["label"] == f"cutoff {cutoff:.2f}"


def _expect_row(bench: Bench, key: str, *says: str, wins: bool = False) -> None:
    """The row's value, needs, margin and state, and whether it is the one that takes the turn."""
    row = _row(bench, key)
    for text in says:
        expect(row).to_contain_text(text)
    expect(row).to_have_class("win" if wins else "")


def test_probabilities_are_drawn_against_their_cutoffs_in_rule_order(routed: Bench) -> None:
    """Bars, ends, cutoffs and winning sides stand where their numbers say; the first match alone is marked."""
    _answer(routed, small="0.22", mid="0.43", large="0.35")
    expect(_label(routed)).to_have_text("mid")
    expect(routed.reason).to_have_text("Rule 2 won: mid scored 0.43, greater than its cutoff of 0.35.")
    expect(routed.verdict.locator(".lamp")).to_contain_text("relay-coder-32b")
    rows = routed.panel("cutoffs-rules").locator(".rules > li:not(.hd)")
    assert rows.evaluate_all("rows => rows.map(row => row.dataset.k)") == ["r1", "r2", "relse"]
    expect(rows.locator(".who .b")).to_have_text(["small", "mid", "large"])
    _expect_row(routed, "r1", "0.22", "> 0.60", "\u22120.38", "no")
    _expect_row(routed, "r2", "0.43", "> 0.35", "+0.08", "wins", wins=True)
    _expect_row(routed, "relse", "0.35", "fallback", "not compared", "not reached")
    expect(rows.locator(".o")).to_have_text(["mock", "mock", "mock"])
    _expect_drawn(routed, "r1", 0.22, 0.6)
    _expect_drawn(routed, "r2", 0.43, 0.35)
    _expect_drawn(routed, "relse", 0.35, None)


def test_the_drawing_follows_at_every_value_and_width(routed: Bench) -> None:
    """From 0 to 1, at the cutoff itself, and in a narrow bench."""
    for value in ("0", "0.05", "0.35", "0.97", "1"):
        _answer(routed, mid=value)
        expect(_row(routed, "r2").locator(".num .b")).to_have_text(f"{float(value):.2f}")
        _expect_drawn(routed, "r2", float(value), 0.35)
    for width in (1000, 700):
        routed.lab.resize(width, 1000)
        _expect_drawn(routed, "r2", 1, 0.35)
    routed.lab.resize(1600, 1000)


def test_a_slider_across_the_boundary_flips_the_winner_and_the_drawing(routed: Bench) -> None:
    """A probability at its cutoff does not win, one hundredth above it does; likewise the cutoff moved below it."""
    _answer(routed, small="0.1", mid="0.34", large="0.56")
    slider = _probability(routed, "mid", "range")
    slider.press("ArrowRight")
    expect(routed.reason).to_have_text("No rule won: mid scored 0.35, and 0.35 is not greater than its cutoff of 0.35.")
    expect(_label(routed)).to_have_text("large")
    _expect_row(routed, "r2", "0.35", "0.00", "no, equal")
    _expect_row(routed, "relse", "taken", wins=True)
    _expect_drawn(routed, "r2", 0.35, 0.35)
    slider.press("ArrowRight")
    expect(_label(routed)).to_have_text("mid")
    _expect_row(routed, "r2", "0.36", "+0.01", "wins", wins=True)
    _expect_row(routed, "relse", "not reached")
    _expect_drawn(routed, "r2", 0.36, 0.35)

    cutoff = routed.slider("cutoffs:cutoff").nth(1)
    cutoff.press("ArrowRight")
    expect(_label(routed)).to_have_text("large")
    _expect_row(routed, "r2", "> 0.36", "0.00", "no, equal")
    _expect_drawn(routed, "r2", 0.36, 0.36)
    cutoff.press("ArrowLeft")
    cutoff.press("ArrowLeft")
    expect(_label(routed)).to_have_text("mid")
    _expect_drawn(routed, "r2", 0.36, 0.34)
    expect(routed.panel("cutoffs-what-if").locator(".ph .tag")).to_have_text("1 change")
    expect(routed.row("cutoffs-what-if", "compared")).to_have_text(
        "With 1 change: mid. With the example: mid. The label does not move."
    )


def test_a_dragged_cutoff_asks_nobody_again(routed: Bench) -> None:
    """A cutoff is none of the question: with a live driver the same answer is read under the new rule at once."""
    _answer(routed, small="0.5")
    routed.lab.execute(_NOTING.format(kind="LIVE"))
    expect(routed.status).to_have_text("Stale: driver switched")
    routed.root.locator(".bar .primary").click()
    expect(_label(routed)).to_have_text("large")
    expect(routed.status).to_contain_text("Done")
    slider = routed.slider("cutoffs:cutoff").first
    slider.fill("0.49")
    expect(routed.reason).to_have_text("Rule 1 won: small scored 0.50, greater than its cutoff of 0.49.")
    expect(_label(routed)).to_have_text("small")
    slider.fill("0.51")
    expect(_label(routed)).to_have_text("large")
    expect(routed.status).to_contain_text("Done")
    _expect_drawn(routed, "r1", 0.5, 0.51)
    assert routed.lab.execute("print(len(asked))") == "1\n"
    routed.setting("cutoffs:window").fill("2")
    routed.setting("cutoffs:window").press("Enter")
    expect(routed.status).to_contain_text("Stale")
    assert routed.lab.execute("print(len(asked))") == "1\n"


#: A mock that notes what it is asked, and may pass for another kind of driver; it answers as the mock in use does.
_NOTING = """from routing_workbench.core.vgr.evidence import Origin, OriginKind
from routing_workbench.workbench.drivers.mock import MockDriver
asked = []
class Noting(MockDriver):
    origin = Origin(OriginKind.{kind}, "noting")
    async def decide(self, question):
        asked.append(question)
        return await super().decide(question)
bench._session.set_driver(Noting(bench._session._desk._drivers.mock.script))"""


def test_a_rule_that_can_never_win_says_why(routed: Bench) -> None:
    """An earlier rule of the same label with a lower cutoff shadows it; raised before that, it is reached again."""
    panel = routed.panel("cutoffs-what-if")
    panel.get_by_role("button", name="small", exact=True).click()
    expect(_row(routed, "r3")).to_contain_text("small")
    expect(routed.panel("cutoffs-rules").locator(".note")).to_have_count(0)
    routed.slider("cutoffs:cutoff").nth(2).fill("0.7")
    note = "Never wins: rule 1 comes first with the same label and a cutoff of 0.60."
    expect(_row(routed, "r3").locator(".note")).to_have_text(note)
    for number in (3, 2):
        panel.get_by_role("button", name=f"Rule {number} one place earlier").click()
    expect(_row(routed, "r1")).to_contain_text("> 0.70")
    expect(routed.panel("cutoffs-rules").locator(".note")).to_have_count(0)


def test_rules_are_added_reordered_removed_and_reset(routed: Bench) -> None:
    """What is copied is what is on screen; the last rule can't go, and Reset brings the example back."""
    panel = routed.panel("cutoffs-what-if")
    baseline = json.loads(routed.copied("copy-cutoffs"))
    assert baseline["policy"]["rules"] == [{"candidate": "small", "cutoff": 0.6}, {"candidate": "mid", "cutoff": 0.35}]
    panel.get_by_role("button", name="large", exact=True).click()
    expect(_row(routed, "r3")).to_contain_text("large")
    panel.get_by_role("button", name="Rule 3 one place earlier").click()
    expect(_row(routed, "r2")).to_contain_text("large")
    panel.get_by_role("button", name="Remove rule 1").click()
    expect(_row(routed, "r1")).to_contain_text("large")
    routed.setting("cutoffs:fallback").select_option("small")
    expect(_row(routed, "relse")).to_contain_text("small")
    made = json.loads(routed.copied("copy-cutoffs"))
    assert made["policy"]["rules"] == [{"candidate": "large", "cutoff": 0.5}, {"candidate": "mid", "cutoff": 0.35}]
    assert made["fallback"] == "small"
    panel.get_by_role("button", name="Remove rule 2").click()
    expect(panel.get_by_role("button", name="Remove rule 1")).to_be_disabled()
    routed.setting("cutoffs:reset").click()
    expect(_row(routed, "r2")).to_contain_text("mid")
    assert json.loads(routed.copied("copy-cutoffs")) == baseline


def test_a_judge_that_fails_takes_the_fallback_or_is_raised(routed: Bench) -> None:
    """With fail_open off the run fails with the next step; on, the fallback takes it with the reason code."""
    routed.setting("rung:route:fault").select_option("HTTP 503")
    expect(routed.status).to_have_text("Failed: route")
    expect(routed.reason).to_have_text("Decision judge failed: HTTP 503.")
    expect(routed.verdict.locator(".detail")).to_contain_text("turn fail_open on")
    _expect_row(routed, "r1", "none", "unknown")
    _expect_drawn(routed, "r1", None, 0.6)
    routed.root.locator("[data-act='cutoffs:fail_open'][value=true]").click()
    expect(_label(routed)).to_have_text("large")
    expect(routed.reason).to_have_text("The judge's endpoint answered with a 5xx status.")
    expect(routed.verdict.locator(".chain")).to_contain_text("reason upstream_5xx")
    expect(routed.verdict.locator("[data-k=Confidence] .x")).to_have_text("0.0")
    expect(routed.panel("cutoffs-usable")).to_contain_text("call_failed: HTTP 503")
    _expect_row(routed, "relse", "taken", wins=True)
    for fault, code in (
        ("timeout at first byte", "timeout"),
        ("connection refused", "transport"),
        ("HTTP 401", "upstream_non_5xx"),
        ("not JSON", "invalid_response"),
        ("context overflow", "client_error"),
    ):
        routed.setting("rung:route:fault").select_option(fault)
        expect(routed.verdict.locator(".chain")).to_contain_text(f"reason {code}")
        expect(_label(routed)).to_have_text("large")


@pytest.mark.parametrize("fail_open", ["false", "true"])
def test_an_answer_that_is_not_usable_takes_the_fallback(routed: Bench, fail_open: str) -> None:
    """NaN, a label left out or too many, no distribution: invalid_verdict, whatever fail_open says; no bar wins."""
    routed.root.locator(f"[data-act='cutoffs:fail_open'][value={fail_open}]").click()
    _answer(routed, small="0.9")
    expect(_label(routed)).to_have_text("small")
    for act, option, why in (
        ("rung:route:fault", "NaN", "a probability that is not a number"),
        ("rung:route:fault", "none", ""),
        ("rung:route:answer", "missing label", "lacks a configured label"),
        ("rung:route:answer", "extra label", "a label that is not configured"),
        ("rung:route:answer", "no distribution", "no distribution over the labels"),
        ("rung:route:answer", "boolean", "no distribution over the labels"),
    ):
        routed.setting(act).select_option(option)
        if not why:
            expect(_label(routed)).to_have_text("small")
            continue
        expect(routed.reason).to_contain_text(why)
        expect(_label(routed)).to_have_text("large")
        expect(routed.verdict.locator("[data-k='Judge answer'] .x")).to_have_text("not usable")
        expect(routed.verdict.locator(".chain")).to_contain_text("reason invalid_verdict")
        expect(routed.panel("cutoffs-rules").locator("li.win")).to_have_attribute("data-k", "relse")
        expect(routed.panel("cutoffs-flips")).to_contain_text("the answer is not usable")


_GOOD = {
    "candidates": {"quick": "model-q", "deep": "model-d"},
    "policy": {"rules": [{"candidate": "quick", "cutoff": 0.25}]},
    "fallback": "deep",
    "instructions": "Which of the two?",
}


def _open_paste(bench: Bench) -> Locator:
    """Unfold the field for a configuration and give it."""
    fold = bench.panel("cutoffs-what-if").locator("[data-k=paste]")
    fold.evaluate("fold => { fold.open = true; }")
    return fold.locator("textarea")


def test_a_pasted_configuration_is_taken(routed: Bench) -> None:
    """Its labels, models, rules and words are asked and drawn at once; the field keeps its text."""
    area = _open_paste(routed)
    routed.take("cutoffs:config", json.dumps(_GOOD))
    expect(_label(routed)).to_have_text("quick")
    _expect_row(routed, "r1", "quick", "model-q", "0.50", "> 0.25", wins=True)
    _expect_drawn(routed, "r1", 0.5, 0.25)
    expect(routed.panel("cutoffs-question")).to_contain_text("Question route: choose one of deep, quick.")
    expect(routed.panel("cutoffs-question").locator("summary")).to_contain_text("the operator\u2019s")
    expect(routed.panel("driver").locator(".probs > li")).to_have_count(2)
    assert json.loads(routed.copied("copy-cutoffs")) | _GOOD == json.loads(routed.copied("copy-cutoffs"))
    expect(area).to_have_value(json.dumps(_GOOD))


def test_a_configuration_that_is_refused_says_why_and_changes_nothing(routed: Bench) -> None:
    """The sentence names what is wrong; rules, verdict and what was typed stay, and a good one clears it."""
    before = routed.copied("copy-cutoffs")
    area = _open_paste(routed)
    same = _GOOD | {"candidates": {"quick": "model-q", "deep": "model-q"}}
    wrong = _GOOD | {"policy": {"rules": [{"candidate": "quick", "cutoff": 1.5}]}}
    unknown = _GOOD | {"temperature": 1}
    for text, says in (
        ('{"candidates": ', "Line 1, column 16: this is no JSON."),
        (json.dumps(same), "model-q"),
        (json.dumps(wrong), "1.5"),
        (json.dumps(unknown), "temperature"),
        ("", "no JSON"),
    ):
        routed.take("cutoffs:config", text)
        problem = routed.row("cutoffs-what-if", "problem")
        expect(problem).to_contain_text(says)
        expect(problem).to_have_attribute("role", "alert")
        expect(area).to_have_value(text)
        assert routed.copied("copy-cutoffs") == before
        expect(_label(routed)).to_have_text("large")
        expect(routed.status).to_contain_text("Done")
    routed.take("cutoffs:config", json.dumps(_GOOD))
    expect(routed.row("cutoffs-what-if", "problem")).to_have_count(0)
    expect(_label(routed)).to_have_text("quick")


def test_the_question_on_screen_is_the_one_that_is_sent_and_names_no_model(routed: Bench) -> None:
    """Instructions, labels and context, compared with what the driver got and with the result; models are nowhere."""
    routed.setting("cutoffs:window").fill("4")
    routed.setting("cutoffs:window").press("Enter")
    routed.lab.execute(_NOTING.format(kind="MOCK"))
    expect(routed.status).to_contain_text("Done")
    routed.settle()
    sent = json.loads(
        routed.lab.execute("import json\nq = asked[-1]\nprint(json.dumps([q.instructions, q.labels, q.context]))")
    )
    asked = json.loads(
        routed.lab.execute("q = bench.result.question\nprint(json.dumps([q.instructions, q.labels, q.context]))")
    )
    assert sent == asked
    panel = routed.panel("cutoffs-question")
    shown = panel.locator("pre.context").text_content()
    assert shown == json.dumps(sent[2], ensure_ascii=False, indent=2)
    assert panel.locator("[data-k=instructions] pre").text_content() == sent[0]
    expect(panel).to_contain_text("choose one of large, mid, small")
    assert sent[1] == sent[2]["candidates"] == ["large", "mid", "small"]
    assert len(sent[2]["task"]) >= 5
    everything = panel.text_content()
    assert [model for model in _MODELS if model in everything or model in json.dumps(sent)] == []
    expect(_row(routed, "r1")).to_contain_text(_MODELS[0])


def test_trying_a_smallest_flip_gives_what_it_promised(routed: Bench) -> None:
    """Each of them, from the same start: a cutoff as a what-if, a probability of the mock."""
    _answer(routed, small="0.55", mid="0.25", large="0.2")
    expect(routed.reason).to_contain_text("No rule won: small scored 0.55, below its cutoff of 0.60.")
    flips = routed.panel("cutoffs-flips").locator(".flips > li")
    said = {
        "p(mid) 0.25 \u2192 above 0.35": "mid",
        "mid cutoff 0.35 \u2192 below 0.25": "mid",
        "p(small) 0.55 \u2192 above 0.60": "small",
        "small cutoff 0.60 \u2192 below 0.55": "small",
    }
    expect(flips).to_have_count(len(said))
    changes, gives = (flips.locator(cell).all_text_contents() for cell in (".what", ".cut"))
    assert dict(zip(changes, gives, strict=True)) == said
    assert gives == ["small", "small", "mid", "mid"]
    expect(routed.verdict.locator(".foot")).to_contain_text(f"{changes[0]} gives small")
    flips.filter(has_text="small cutoff").get_by_role("button", name="Try").click()
    expect(_label(routed)).to_have_text("small")
    expect(routed.panel("cutoffs-what-if").locator(".ph .tag")).to_have_text("1 change")
    expect(routed.row("cutoffs-what-if", "compared")).to_have_text("With 1 change: small. With the example: large.")
    routed.setting("cutoffs:reset").click()
    expect(_label(routed)).to_have_text("large")
    flips.filter(has_text="p(mid)").get_by_role("button", name="Try").click()
    expect(_label(routed)).to_have_text("mid")
    assert float(_probability(routed, "mid").input_value()) == pytest.approx(0.35)
    assert routed.lab.execute("print(bench.screen.cutoffs.outcome.probabilities[1][1] > 0.35)") == "True\n"
    routed.go_live()
    expect(routed.status).to_contain_text("Stale")
    locked = routed.panel("cutoffs-flips").locator(".flips > li", has_text="p(").get_by_role("button")
    expect(locked.first).to_be_disabled()


def test_a_slow_question_says_so_and_can_be_cancelled(routed: Bench) -> None:
    """The verdict before it stands, marked stale; without one the card says what is asked."""
    delay = routed.setting("rung:route:delay")
    delay.fill("20000")
    delay.press("Enter")
    expect(routed.status).to_have_text(re.compile(r"^Asking route, \d+\.\d s of 30 s$"))
    expect(routed.verdict.locator(".word")).to_have_text("large, stale")
    expect(routed.panel("cutoffs-rules").locator(".ph .tag")).to_have_text("stale")
    routed.root.locator(".bar .primary").click()
    expect(routed.status).to_contain_text("Cancelled at")
    expect(routed.reason).to_have_text("Cancelled while asking route.")
    delay.fill("1")
    delay.press("Enter")
    expect(_label(routed)).to_have_text("large")
