"""A bench can be read in both themes and at every width: contrast, sizes and overflow measured on each text (UI 2-4).

Where BENCH_SHOTS names a folder, a picture of each state goes there.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable
from pathlib import Path

import pytest
from bench_page import Bench
from playwright.sync_api import expect

#: Every text that is seen, with its contrast (WCAG 2.2) and size; alpha and opacity blended over what lies behind.
_TEXTS = """root => {
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\\d.e-]+/g).map(Number);
    const scale = text.startsWith("color(") ? 255 : 1;
    return [r * scale, g * scale, b * scale, a];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = (colour) => {
    const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = colour.slice(0, 3).map((c) => linear(c / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (node) => {
    const layers = [];
    for (let at = node; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour[3]) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
  };
  const found = [];
  const measure = (node, text, style) => {
    const colour = parse(node.closest("svg") && node.namespaceURI.endsWith("svg") ? style.fill : style.color);
    for (let at = node; at; at = at.parentElement) colour[3] *= Number(getComputedStyle(at).opacity);
    const back = behind(node);
    const [a, b] = [light(over(colour, back)), light(back)].sort((x, y) => y - x);
    found.push({ text: text.trim().slice(0, 60), contrast: (a + 0.05) / (b + 0.05), size: parseFloat(style.fontSize),
      where: node.closest("[data-k]")?.dataset.k ?? node.className });
  };
  const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !node.closest(".sr, :disabled, option");
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement: node } = texts.currentNode;
    if (data.trim() && seen(node)) measure(node, data, getComputedStyle(node));
  }
  for (const node of root.querySelectorAll("select, textarea, input:not([type=checkbox], [type=range], [type=file])")) {
    if (!seen(node)) continue;
    const { color } = getComputedStyle(node, node.placeholder && !node.value ? "::placeholder" : null);
    const { fontSize } = getComputedStyle(node);
    measure(node, node.value || node.placeholder || "control", { color, fontSize });
  }
  return found;
}"""

#: What reaches beyond the bench's sides, as far as nothing around it scrolls or cuts it.
_OVERFLOW = """root => {
  const { left, right } = root.getBoundingClientRect();
  const cut = (node) => {
    for (let at = node.parentElement; at && at !== root; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== "visible") return true;
    return false;
  };
  const beyond = [...root.querySelectorAll("*")].filter((node) => {
    const box = node.getBoundingClientRect();
    const beyond = box.right > right + 0.5 || box.left < left - 0.5;
    return beyond && box.width && node.checkVisibility() && !node.closest(".sr") && !cut(node);
  }).map((node) => `${node.localName}.${node.getAttribute("class")} ${node.textContent.slice(0, 40)}`);
  if (root.scrollWidth > root.clientWidth) beyond.push(`scrolls: ${root.scrollWidth} in ${root.clientWidth}`);
  return beyond;
}"""

_UNFOLD = "root => { for (const fold of root.querySelectorAll('details')) fold.open = true; }"

#: Ids that stand on two elements of the bench, and elements whose name is not found.
_IDS = """root => {
  const ids = [...root.querySelectorAll("[id]")].map((node) => node.id);
  const named = [...root.querySelectorAll("[aria-labelledby]")];
  const lost = named.filter((node) => node.ariaLabelledByElements.length !== 1);
  return [...ids.filter((id, at) => ids.indexOf(id) !== at), ...lost.map((node) => node.outerHTML.slice(0, 80))];
}"""

_WIDTHS = (480, 800, 1200, 1600)


def _conversation(examples: Path, name: str) -> str:
    return (examples / "conversations" / name).read_text(encoding="utf-8")


def _denied(bench: Bench, examples: Path) -> None:
    bench.paste(_conversation(examples, "agent-tidewatch-dst-loop.json"))
    expect(bench.word).to_have_text("CLOUD")


def _committed(bench: Bench, examples: Path) -> None:
    bench.setting("controls:diagnose").check()
    bench.paste(_conversation(examples, "agent-ledgerlite-last-line.json"))
    expect(bench.word).to_have_text("LOCAL")
    bench.expect_mark(0, 0.96, "square")


def _unusable(bench: Bench, examples: Path) -> None:
    bench.setting("scenario").select_option("hedging judge")
    bench.paste(_conversation(examples, "agent-ledgerlite-last-line.json"))
    expect(bench.reason).to_contain_text("0.55")


def _stale(bench: Bench, examples: Path) -> None:
    _committed(bench, examples)
    bench.go_live()
    expect(bench.word).to_have_text("LOCAL, stale")


def _failed(bench: Bench, examples: Path) -> None:
    bench.setting("scenario").select_option("wrong key")
    bench.paste("User: what is 6 times 7?")
    expect(bench.status).to_have_text("Failed: attempt")


def _unread(bench: Bench, examples: Path) -> None:
    del examples
    bench.paste('{"messages": [\n  {"role": "user", "content": "an end that is missing\n')
    expect(bench.reason).to_contain_text("Nothing to route")


def _long(bench: Bench, examples: Path) -> None:
    """No name and no text has a place to break at."""
    long = "x" * 300
    call = {"id": long, "type": "function", "function": {"name": long, "arguments": json.dumps({long: long})}}
    messages = [
        {"role": "user", "content": long * 9},
        {"role": "assistant", "content": long, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": long + "y", "content": long * 9, long: 1},
        {"role": "assistant", "content": long * 9},
    ]
    bench.drop(f"{long}.json", json.dumps({"messages": messages, long: 1}).encode())
    expect(bench.word).to_be_visible()
    bench.lab.execute(
        "from routing_workbench.core.vgr.evidence import Rung\nfor rung in Rung:\n"
        f"    bench._session.set_rung(rung, answer={long!r})"
    )
    bench.go_live(long)
    expect(bench.status).to_have_text("Stale: driver switched")


def _cutoffs(bench: Bench, examples: Path) -> None:
    """Changed rules, one that is shadowed, a refused configuration, every fold open."""
    bench.paste(_conversation(examples, "agent-tidewatch-dst-loop.json"))
    bench.bring("cutoffs")
    bench.setting("cutoffs:add-rule").last.click()
    expect(bench.slider("cutoffs:cutoff")).to_have_count(3)
    bench.slider("cutoffs:cutoff").last.fill("0.9")
    expect(bench.panel("cutoffs-rules").locator(".note")).to_have_count(1)
    bench.root.evaluate(_UNFOLD)
    bench.take("cutoffs:config", '{"candidates": 1}')
    expect(bench.row("cutoffs-what-if", "problem")).to_be_visible()


def _cutoffs_failed(bench: Bench, examples: Path) -> None:
    """The judge fails, and the rules stand as a table; the fallback takes the turn."""
    _cutoffs(bench, examples)
    bench.setting("cutoffs:view").get_by_text("Table").click()
    bench.root.locator("[data-act='cutoffs:fail_open'][value=true]").click()
    bench.setting("rung:route:fault").select_option("HTTP 503")
    expect(bench.verdict.locator(".chain")).to_contain_text("upstream_5xx")


def _long_cutoffs(bench: Bench, examples: Path) -> None:
    """Labels, models and instructions without a place to break at."""
    del examples
    long = "x" * 300
    labels = [f"{name}{long}" for name in "abc"]
    config = {
        "candidates": {label: f"model-{label}" for label in labels},
        "policy": {"rules": [{"candidate": label, "cutoff": 0.2} for label in labels]},
        "fallback": labels[-1],
        "instructions": long * 9,
        "evidence": {long: long},
    }
    bench.paste(f"User: {long * 9}")
    bench.bring("cutoffs")
    bench.root.evaluate(_UNFOLD)
    bench.take("cutoffs:config", json.dumps(config))
    expect(bench.verdict.locator(".lamp .label")).to_contain_text("ax")
    bench.slider("cutoffs:cutoff").first.fill("0.5")
    bench.take("cutoffs:config", json.dumps(config | {long: 1}))
    expect(bench.row("cutoffs-what-if", "problem")).to_be_visible()


def _escalation(bench: Bench, examples: Path) -> None:
    """A session that latches, with a secret that is sent, and a setting changed."""
    session = json.loads(_conversation(examples, "agent-tidewatch-dst-loop.json"))
    session["messages"][-2]["content"] = "The key is sk-live0123456789abcdefghij."
    bench.paste(json.dumps(session))
    bench.bring("escalation")
    bench.setting("rung:escalation_judge:answer").fill("decline x2, escalate, unavailable, decline, escalate")
    bench.setting("rung:escalation_judge:answer").press("Enter")
    expect(bench.word).to_have_text("CLOUD")
    bench.slider("escalation:recent_turn_window").fill("6")
    bench.slider("turn").fill("17")
    expect(bench.panel("transcript").locator(".asis-count")).to_be_visible()
    bench.root.evaluate(_UNFOLD)


def _escalation_warned(bench: Bench, examples: Path) -> None:
    """Without a session id, every row in a table; the last turn is live, and its tier fails."""
    session = json.loads(_conversation(examples, "agent-tidewatch-dst-loop.json"))
    del session["messages"][-1]
    bench.paste(json.dumps(session))
    bench.bring("escalation")
    bench.setting("escalation:session").uncheck()
    bench.setting("rung:efficient:fault").select_option("context overflow")
    bench.setting("escalation:view").get_by_text("Table").click()
    expect(bench.panel("streak").locator("tbody tr").last).to_contain_text("fallback")
    expect(bench.row("judge-settings", "session")).to_contain_text("can never latch")


def _long_escalation(bench: Bench, examples: Path) -> None:
    """Replies, reasons, a handoff note and a path without a place to break at, over many turns."""
    del examples
    long = "x" * 300
    bench.paste("\n\n".join(f"User: {long * 3}\n\nAssistant: {long * 3}" for _ in range(30)))
    bench.bring("escalation")
    bench.setting("rung:escalation_judge:answer").fill(json.dumps({"escalate": True, "reason": long * 9}))
    bench.setting("rung:escalation_judge:answer").press("Enter")
    bench.setting("escalation:handoff_note").fill(long)
    bench.setting("escalation:handoff_note").press("Enter")
    expect(bench.word).to_have_text("CLOUD")
    bench.take("configuration", f"{long}.toml")
    expect(bench.row("driver", "problem")).to_be_visible()


def _sources(bench: Bench, examples: Path) -> None:
    """A configuration in use, a live driver, a recording that is on, and another file's problems."""
    folder = bench.lab.path.parent
    good = (examples / "routes.toml").read_text(encoding="utf-8")
    (folder / "routes.toml").write_text(good, encoding="utf-8")
    (folder / "wrong.toml").write_text(good.replace('mode = "evaluate"', "mod = 1"), encoding="utf-8")
    _committed(bench, examples)
    bench.take("configuration", "routes.toml")
    bench.setting("route").select_option("assistant")
    bench.choice("live").click()
    expect(bench.status).to_have_text("Stale: driver switched")
    bench.take("record", f"look-{secrets.token_hex(4)}.jsonl")
    expect(bench.setting("stop-recording")).to_be_visible()
    bench.take("configuration", "wrong.toml")
    expect(bench.row("driver", "problem")).to_be_visible()
    expect(bench.row("driver", "remarks")).to_be_visible()


def _missing(bench: Bench, examples: Path) -> None:
    """A replay that lacks what is asked."""
    _escalation(bench, examples)
    name = f"look-{secrets.token_hex(4)}"
    bench.take("record", f"{name}.jsonl")
    bench.root.locator(".bar .primary").click()
    bench.settle()
    bench.setting("stop-recording").click()
    bench.choice(f"cassette:{name}").click()
    bench.slider("escalation:window_message_chars").fill("60")
    expect(bench.status).to_contain_text("Stale")
    bench.root.locator(".bar .primary").click()
    expect(bench.row("driver", "missing")).to_be_visible()


_STATES: dict[str, Callable[[Bench, Path], None]] = {
    "empty": lambda bench, examples: None,
    "denied": _denied,
    "committed": _committed,
    "unusable": _unusable,
    "stale": _stale,
    "failed": _failed,
    "unread": _unread,
    "long": _long,
    "cutoffs": _cutoffs,
    "cutoffs-failed": _cutoffs_failed,
    "cutoffs-long": _long_cutoffs,
    "escalation": _escalation,
    "escalation-warned": _escalation_warned,
    "escalation-long": _long_escalation,
    "sources": _sources,
    "missing": _missing,
}


def _fit(bench: Bench, width: int) -> None:
    """Make the bench itself so many pixels wide, in a window of 1,000 px height: a scrollbar may come or go."""
    for _ in range(5):
        viewport = bench.page.viewport_size
        assert viewport is not None
        missing = width - bench.root.evaluate("root => root.clientWidth")
        if not missing and viewport["height"] == 1000:
            return
        bench.lab.resize(viewport["width"] + missing, 1000)
        bench.page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    expect(bench.root).to_have_js_property("clientWidth", width)


def _overflowing(bench: Bench) -> list[str]:
    """What reaches beyond the bench once its layout has come to rest: a chart takes its new width a little later."""
    found: list[str] = []
    for _ in range(30):
        found = bench.root.evaluate(_OVERFLOW)
        if not found:
            break
        bench.page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    return found


def _shoot(bench: Bench, name: str) -> None:
    """Take a picture of the whole bench, which the notebook would scroll, where somebody wants one."""
    folder = os.environ.get("BENCH_SHOTS")
    if not folder:
        return
    viewport = bench.page.viewport_size
    assert viewport is not None
    bench.lab.resize(viewport["width"], bench.root.evaluate("root => root.scrollHeight") + 400)
    bench.root.screenshot(path=Path(folder) / f"{name}.png")


@pytest.mark.parametrize("state", _STATES)
def test_every_text_can_be_read_in_both_themes(bench: Bench, examples: Path, state: str) -> None:
    """AA asks 4.5 to 1 of each text; none is smaller than 11 px."""
    bench.lab.resize(1720, 3400)
    _STATES[state](bench, examples)
    bench.settle()
    for theme in ("light", "dark"):
        bench.lab.theme(theme)
        texts = bench.root.evaluate(_TEXTS)
        _shoot(bench, f"{state}-{theme}")
        assert len(texts) > 30
        assert bench.root.evaluate(_IDS) == []
        assert [text for text in texts if text["contrast"] < 4.5] == []
        assert [text for text in texts if round(text["size"], 1) < 11] == []
    bench.lab.theme("light")


@pytest.mark.parametrize("state", [state for state in _STATES if state != "unusable"])
def test_nothing_overflows_at_any_width(bench: Bench, examples: Path, state: str) -> None:
    """The bench from 480 to 1,600 px wide; the chart follows with its marks in place."""
    _STATES[state](bench, examples)
    bench.settle()
    for width in _WIDTHS:
        _fit(bench, width)
        if state == "committed":
            bench.expect_mark(0, 0.96, "square")
        overflowing = _overflowing(bench)
        small = [text for text in bench.root.evaluate(_TEXTS) if round(text["size"], 1) < 11]
        _shoot(bench, f"{state}-{width}")
        assert (overflowing, small) == ([], []), f"at {width} px"
