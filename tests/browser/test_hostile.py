"""Whatever a conversation, a file name, a model or an error says is shown as text, and nothing of it runs (DESIGN)."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
from bench_page import Bench
from lab_page import LabPage
from live_model import LiveModel
from playwright.sync_api import expect

#: Runs, loads or leads elsewhere, each in its own way, if any part of it becomes HTML.
_ATTACK = (
    "<img src=x onerror=\"window.__pwned='AT'\">\"'><script>window.__pwned='AT'</script>"
    "<svg onload=window.__pwned='AT'>"
    '<iframe src="javascript:parent.__pwned=1"></iframe><a href="javascript:window.__pwned=2">go</a>'
    "<img src=http://elsewhere.invalid/AT><style>body{display:none}</style><b onmouseover=alert(1)>{{7*7}}</b>&lt;"
)

#: All that a bench is made of.
_ELEMENTS = set(
    "div section ul ol li kbd h2 h3 button span select option optgroup textarea p input code pre svg rect circle line "
    "path g defs clipPath text tspan details summary i b br label mark table caption thead tbody tr th td".split()
)
_INSIDE = """root => [...root.querySelectorAll("*")].map(node => [node.localName, ...[...node.attributes]
  .filter(({ name, value }) => name.startsWith("on") || ["href", "src", "srcdoc", "action", "formaction"].includes(name)
    || /javascript:/i.test(value) && !["value", "title", "aria-label", "data-k"].includes(name))
  .map(({ name }) => name)])"""


def _attack(at: str) -> str:
    return at + _ATTACK.replace("AT", at)


def _expect_harmless(bench: Bench, shown: tuple[str, ...]) -> None:
    """Each of these attacks stands in the bench as text; no element is made of one, and none ran."""
    for at in shown:
        expect(bench.root).to_contain_text(f"{at}<img src=x onerror=", use_inner_text=False)
    found = bench.root.evaluate(_INSIDE)
    assert {name for name, *_ in found} <= _ELEMENTS
    assert [attributes for _, *attributes in found if attributes] == []
    assert bench.page.evaluate("window.__pwned") is None
    assert bench.page.evaluate("document.body.checkVisibility()")


def _conversation(role: str) -> str:
    call = {"name": _attack("tool"), "arguments": json.dumps({_attack("key"): _attack("argument")})}
    return json.dumps(
        {
            "model": _attack("model"),
            _attack("field"): _attack("value"),
            "messages": [
                {"role": "system", "content": _attack("system")},
                {"role": "user", "content": _attack("user"), "name": _attack("name"), _attack("extra"): 1},
                {
                    "role": "assistant",
                    "content": _attack("said"),
                    "tool_calls": [{"id": _attack("id"), "type": "function", "function": call}],
                },
                {"role": "tool", "tool_call_id": _attack("id"), "content": "Error: " + _attack("result")},
                {"role": "tool", "tool_call_id": _attack("orphan"), "content": _attack("orphaned")},
                {"role": role, "content": _attack("odd")},
                {"role": "assistant", "content": _attack("attempt")},
            ],
            "tools": [{"type": "function", "function": {"name": _attack("defined"), "parameters": {_attack("p"): 1}}}],
        }
    )


def test_a_hostile_conversation_is_text(bench: Bench) -> None:
    """Roles, texts, tool names, ids, arguments and field names; listed, unfolded, searched, judged and remarked on."""
    shown = ("field", "system", "user", "said", "tool", "argument", "result", "orphaned", "attempt")
    bench.paste(_conversation(_attack("role")))
    expect(bench.reason).to_have_text("No branch can verify this turn.")
    _expect_harmless(bench, (*shown, "role"))
    bench.paste(_conversation("user"))
    expect(bench.reason).not_to_have_text("No branch can verify this turn.")
    _expect_harmless(bench, (*shown, "odd"))
    for button in bench.panel("messages").locator("button.fold").all():
        button.click()
    bench.message(1).focus()
    bench.page.keyboard.press("e")
    expect(bench.panel("messages").locator("textarea")).to_have_value(_attack("user"))
    bench.page.keyboard.press("Escape")
    bench.message(1).press("r")
    expect(bench.message(1)).to_contain_text("name<img src=x onerror=")
    bench.setting("messages:search").fill("<script>")
    bench.setting("judge:view").get_by_text("As read").click()
    bench.setting("probabilities:view").get_by_text("Table").click()
    expect(bench.panel("judge").locator("pre")).to_contain_text("<script>")
    bench.root.evaluate("root => { for (const fold of root.querySelectorAll('details')) fold.open = true; }")
    _expect_harmless(bench, ("user", "said", "argument", "result", "attempt"))


def test_remarks_on_a_hostile_paste_are_text(bench: Bench) -> None:
    """A paste that breaks inside an attack, one whose fields have the wrong types, and one that is no JSON at all."""
    whole = _conversation(_attack("role"))
    for text in (
        whole[:-40],
        whole.replace('"messages": [', '"messages": 7, "was": ['),
        _attack("plain"),
        f"<{whole}>",
    ):
        bench.paste(text)
        expect(bench.editor).to_have_value(text)
        bench.settle()
        _expect_harmless(bench, ())


def test_a_hostile_file_name_is_text(bench: Bench) -> None:
    """A file's name stands in the head of the Conversation panel."""
    bench.drop(_attack("file"), b"User: hello")
    _expect_harmless(bench, ("file",))


def test_hostile_answers_of_the_mock_are_text(bench: Bench) -> None:
    """An attempt that the mock writes, as typed into the driver panel, and what a judge is made to say."""
    bench.paste("User: what is 6 times 7?")
    answer = bench.setting("rung:attempt:answer")
    answer.fill(_attack("answer"))
    answer.press("Enter")
    answer.press("Tab")
    expect(bench.panel("messages")).to_contain_text("answer<img src=x onerror=")
    bench.lab.execute(
        "from routing_workbench.core.vgr.evidence import Rung\n"
        "for rung in Rung:\n"
        f"    bench._session.set_rung(rung, answer={_attack('judge')!r})"
    )
    expect(bench.setting("rung:deliberation:answer")).to_have_value(_attack("judge"))
    _expect_harmless(bench, ("judge",))
    expect(answer).to_have_value(_attack("judge"))


#: Fits into the name of a file, which has no slash.
_FILE = "take<img src=x onerror=window.__pwned='take'><svg onload=window.__pwned=1>"


def _session(bench: Bench) -> None:
    """A short session on the Escalation tab."""
    bench.paste("User: fix it\n\nAssistant: done\n\nUser: again\n\nAssistant: done again")
    bench.bring("escalation")
    expect(bench.status).to_contain_text("Done")


def _judge_says(bench: Bench, reason: str) -> None:
    """Type a judge's reply into the driver panel."""
    field = bench.setting("rung:escalation_judge:answer")
    field.fill(json.dumps({"escalate": True, "reason": reason}))
    field.press("Enter")


def test_a_hostile_reason_of_the_judge_is_text(bench: Bench) -> None:
    """As typed into the driver panel; in the row, the turn's verdict, the card, and what the tiers write."""
    _session(bench)
    _judge_says(bench, _attack("reason"))
    expect(bench.panel("turn-verdict").locator("pre")).to_contain_text("reason<img src=x onerror=")
    expect(bench.panel("streak").locator("tbody .dim").first).to_contain_text("reason<img src=x onerror=")
    _expect_harmless(bench, ("reason",))
    bench.setting("escalation:view").get_by_text("Table").click()
    note = bench.setting("escalation:handoff_note")
    note.fill(_attack("note"))
    note.press("Enter")
    bench.paste(f"User: one\n\nAssistant: {_attack('said')}\n\nUser: {_attack('user')}")
    for rung in ("efficient", "capable"):
        field = bench.setting(f"rung:{rung}:answer")
        field.fill(_attack(rung))
        field.press("Enter")
    _judge_says(bench, _attack("again"))
    expect(bench.panel("turn-verdict").locator("pre")).to_contain_text("again<img src=x onerror=")
    for view in ("As read", "Against source"):
        bench.setting("judge:view").get_by_text(view).click()
        expect(bench.panel("transcript")).to_contain_text("efficient<img src=x onerror=", use_inner_text=False)
        _expect_harmless(bench, ("again", "said", "user", "efficient"))


def test_hostile_labels_models_and_configurations_are_text(bench: Bench) -> None:
    """Labels and models of a pasted configuration in every panel, and what a refused one has to say."""
    bench.paste("User: what is 6 times 7?")
    bench.bring("cutoffs")
    config = {
        "candidates": {_attack("small"): _attack("model"), _attack("large"): _attack("target")},
        "policy": {
            "rules": [
                {"candidate": _attack(label), "cutoff": cutoff} for label, cutoff in (("small", 0.2), ("large", 1))
            ]
        },
        "fallback": _attack("large"),
        "instructions": _attack("instructions"),
        "evidence": {_attack("evidence"): _attack("proof")},
    }
    fold = bench.panel("cutoffs-what-if").locator("[data-k=paste]")
    fold.evaluate("fold => { fold.open = true; }")
    bench.take("cutoffs:config", json.dumps(config))
    expect(bench.verdict.locator(".lamp .label")).to_contain_text("small<img src=x onerror=")
    shown = ("small", "large", "model", "instructions", "evidence", "proof")
    _expect_harmless(bench, shown)
    for act in ("cutoffs:add-rule", "cutoffs:remove-rule"):
        bench.setting(act).last.click()
    bench.setting("cutoffs:view").get_by_text("Table").click()
    bench.setting("rung:route:answer").select_option("missing label")
    expect(bench.verdict.locator(".chain")).to_contain_text("invalid_verdict")
    bench.settle()
    _expect_harmless(bench, shown)
    for refused, at in (
        (config | {_attack("key"): 1}, "key"),
        (config | {"fallback": _attack("fallback")}, "fallback"),
        (config | {"candidates": {_attack("one"): _attack("same"), _attack("two"): _attack("same")}}, "same"),
    ):
        bench.take("cutoffs:config", json.dumps(refused))
        expect(bench.row("cutoffs-what-if", "problem")).to_contain_text(f"{at}<img src=x")
        _expect_harmless(bench, ("small", "large"))


def test_hostile_answers_of_a_decision_endpoint_are_text(bench: Bench) -> None:
    """The provider's own choice, a label that nobody configured, and a note."""
    bench.paste("User: what is 6 times 7?")
    bench.bring("cutoffs")
    bench.lab.execute(
        "from routing_workbench.workbench.drivers.mock import MockDriver\n"
        "from routing_workbench.workbench.drivers.protocol import Answer\n"
        "class Hostile(MockDriver):\n"
        "    async def decide(self, question):\n"
        f"        given = dict.fromkeys(question.labels, 0.2) | {{{_attack('extra')!r}: 0.4}}\n"
        f"        return Answer(given, choice={_attack('choice')!r}, confidence=0.5, note={_attack('note')!r})\n"
        "bench._session.set_driver(Hostile())"
    )
    expect(bench.verdict.locator(".chain")).to_contain_text("invalid_verdict")
    bench.settle()
    expect(bench.panel("cutoffs-usable")).to_contain_text("extra<img src=x")
    _expect_harmless(bench, ("choice", "note"))


def test_hostile_cassettes_and_what_they_hold_are_text(bench: Bench) -> None:
    """The name of a cassette in the driver panel, in origins and problems; the replies that were recorded to it."""
    _session(bench)
    _judge_says(bench, _attack("reason"))
    bench.take("record", f"{_FILE}.jsonl")
    expect(bench.row("driver", "record")).to_contain_text("Recording to take<img")
    bench.root.locator(".bar .primary").click()
    bench.settle()
    bench.setting("stop-recording").click()
    choice = bench.panel("driver").locator("[data-act=driver][value^='cassette:take<']")
    choice.click()
    expect(bench.root.locator(".badge").first).to_contain_text("CASSETTE, take<img src=x")
    bench.root.locator(".bar .primary").click()
    expect(bench.status).to_contain_text("Done")
    expect(bench.panel("turn-verdict").locator("pre")).to_contain_text("reason<img src=x onerror=")
    _expect_harmless(bench, ("take", "reason"))
    bench.bring("vgr")
    bench.root.locator(".bar .primary").click()
    expect(bench.row("driver", "missing")).to_contain_text("not on this cassette")
    bench.take("configuration", _attack("nowhere"))
    expect(bench.row("driver", "problem")).to_contain_text("nowhere<img src=x")
    _expect_harmless(bench, ("take", "nowhere"))


def test_a_hostile_routes_file_and_a_hostile_endpoint_are_text(bench: Bench) -> None:
    """Names of routes, targets and models, unknown keys, and every word that the endpoint answers."""
    folder = bench.lab.path.parent
    _session(bench)
    with LiveModel(says=_attack("reply")) as model:
        model.write_routes(folder / "hostile.toml")
        written = (folder / "hostile.toml").read_text(encoding="utf-8")
        named = written.replace('id = "judge-8b"', f"id = {json.dumps(_attack('model'))}")
        named = named.replace("routes.assistant", f"routes.{json.dumps(_attack('route'))}")
        (folder / "hostile.toml").write_text(named, encoding="utf-8")
        bench.take("configuration", "hostile.toml")
        bench.choice("live").click()
        expect(bench.root.locator(".badge").first).to_contain_text("LIVE, model<img src=x")
        bench.root.locator(".bar .primary").click()
        expect(bench.panel("turn-verdict").locator("pre")).to_contain_text("reply<img src=x onerror=")
        _expect_harmless(bench, ("model", "route", "reply"))
        bench.bring("vgr")
        bench.root.locator(".bar .primary").click()
        expect(bench.status).to_contain_text("Done")
        _expect_harmless(bench, ("model", "route"))
    wrong = named.replace('type = "vgr"', f'type = "vgr"\n{json.dumps(_attack("key"))} = 1')
    (folder / "hostile.toml").write_text(wrong, encoding="utf-8")
    bench.take("configuration", "hostile.toml")
    expect(bench.row("driver", "problem")).to_contain_text("key<img src=x onerror=")
    _expect_harmless(bench, ("key", "route", "model"))


_CELL = """
from routing_workbench import Workbench
from routing_workbench.core.vgr.evidence import Origin, OriginKind
from routing_workbench.core.vgr.policy import Policy
from routing_workbench.widgets.screen import Controls
from routing_workbench.workbench.drivers.mock import MockDriver
from routing_workbench.workbench.drivers.protocol import TransportError

class Hostile(MockDriver):
    raises = RAISES
    origin = Origin(OriginKind.MOCK, ATTACKS["origin"])

    def models_for(self, category):
        return (ATTACKS["models"],)

    async def complete(self, call):
        if self.raises:
            raise type(ATTACKS["class"], (Exception,), {})(ATTACKS["raised"])
        if call.rung == "attempt":
            return await super().complete(call)
        raise TransportError(ATTACKS["error"], call.rung)

bench = Workbench(
    "User: what is 6 times 7?",
    driver=Hostile(),
    policy=Policy(version=ATTACKS["policy"]),
    controls=Controls(approval=ATTACKS["approval"], mode=MODE),
)
bench
"""


def test_a_hostile_driver_policy_and_error_are_text(lab: LabPage, tmp_path: Path) -> None:
    """The driver's label, model names, its errors and what it raises, the policy's version and the approval text."""
    named = ("origin", "models", "class", "raised", "error", "policy", "approval")
    start = (
        f"ATTACKS = { ({at: _attack(at) for at in named})!r}\nfrom routing_workbench.core.vgr.decision import Mode\n"
    )
    settings = (
        "RAISES, MODE = False, Mode.SHADOW",
        "RAISES, MODE = True, Mode.SHADOW",
        "RAISES, MODE = False, Mode.ACTIVE",
    )
    cells = [f"{start}{setting}{_CELL}" for setting in settings]
    path = tmp_path / "hostile.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells]), path)
    lab.open_notebook(path)
    lab.run_all()
    answering, raising, unapproved = (Bench(lab, cell) for cell in range(3))
    expect(answering.status).to_contain_text("Done")
    _expect_harmless(answering, ("origin", "policy"))
    expect(raising.status).to_contain_text("Failed")
    _expect_harmless(raising, ("origin", "policy"))
    expect(unapproved.status).to_contain_text("Failed: configuration")
    expect(unapproved.setting("controls:approval")).to_have_value(_attack("approval"))
    _expect_harmless(unapproved, ("origin", "policy"))
    lab.save()
