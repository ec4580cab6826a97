"""A routes.toml loaded from the driver panel: its routes, what they set, and its problems with file and line (UI 5)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from bench_page import Bench
from playwright.sync_api import expect


@pytest.fixture
def pasted(bench: Bench, examples: Path) -> Bench:
    """A bench with a session; the example configuration lies beside its notebook."""
    shutil.copy(examples / "routes.toml", bench.lab.path.parent / "routes.toml")
    bench.paste((examples / "conversations" / "agent-ledgerlite-last-line.json").read_text(encoding="utf-8"))
    expect(bench.word).to_have_text("LOCAL")
    bench.settle()
    return bench


def test_a_file_of_several_routes_asks_which_and_sets_what_it_says(pasted: Bench) -> None:
    """Loading chooses nothing by itself; a route sets its algorithm's tab and offers its models, and sends nothing."""
    live = pasted.choice("live")
    expect(live).to_be_disabled()
    expect(pasted.panel("driver")).to_contain_text("No live driver is configured.")
    pasted.take("configuration", "routes.toml")
    expect(pasted.row("driver", "problem")).to_contain_text("routes.toml has 3 routes; name one of")
    expect(pasted.row("driver", "configuration")).to_contain_text("no route of it is in use")
    expect(pasted.setting("route").locator("option")).to_have_text(["choose a route", "assistant", "agent", "triage"])
    pasted.setting("route").select_option("triage")
    expect(pasted.row("driver", "configuration")).to_contain_text("routes.toml, route triage")
    expect(pasted.row("driver", "problem")).to_have_count(0)
    expect(live).to_be_enabled()
    expect(live).to_contain_text("asks real models")
    expect(pasted.root.locator(".badge").first).to_have_text("MOCK, seed 7")
    pasted.bring("cutoffs")
    rules = pasted.panel("cutoffs-rules").locator(".rules > li:not(.hd) .who")
    expect(rules).to_have_text(["smallsmall-8b", "largelarge-1", "largelarge-1"])
    expect(pasted.setting("cutoffs:reset")).to_be_disabled()
    expect(pasted.panel("cutoffs-question")).to_contain_text("the operator\u2019s")

    pasted.setting("route").select_option("assistant")
    expect(pasted.row("driver", "configuration")).to_contain_text("route assistant")
    pasted.bring("vgr")
    expect(pasted.word).to_have_text("LOCAL")
    live.click()
    expect(pasted.status).to_have_text("Stale: driver switched")
    models = pasted.row("driver", "models").locator("li")
    expect(models).to_have_text(
        [
            "localsmall-8b @ 127.0.0.1:8080",
            "judgejudge-8b @ 127.0.0.1:8080",
            "cloud_judgelarge-1 @ api.example.com",
            "cloudlarge-1 @ api.example.com",
        ]
    )
    expect(pasted.row("driver", "remark")).to_contain_text("Run sends ")


def test_what_is_wrong_with_a_file_is_told_with_its_line(pasted: Bench) -> None:
    """Every problem on a line of its own, each with file and line; the driver in use and its result stay."""
    folder = pasted.lab.path.parent
    good = (folder / "routes.toml").read_text(encoding="utf-8")
    wrong = good.replace('format = "openai_chat"', 'format = "openai_chatt"').replace('mode = "evaluate"', "mod = 1", 1)
    (folder / "wrong.toml").write_text(wrong, encoding="utf-8")
    (folder / "broken.toml").write_text(good.replace("[targets.judge]", "[targets.judge"), encoding="utf-8")
    pasted.take("configuration", "wrong.toml")
    problem = pasted.row("driver", "problem")
    expect(problem.locator(".text").first).to_have_text("wrong.toml has no route that can be used.")
    for part, says in (
        ('"openai_chatt"', "`format` must be one of openai_chat, anthropic_messages"),
        ("mod = 1", "`mod` is no key of route `assistant`. Write `mode` if that was meant."),
    ):
        expect(problem.locator("li", has_text=f"wrong.toml:{_line(wrong, part)}:1: {says}")).to_have_count(1)
    pasted.take("configuration", "broken.toml")
    expect(problem).to_contain_text(f"broken.toml:{_line(good, '[targets.judge]')}:15: ")
    pasted.take("configuration", "nowhere/at-all.toml")
    expect(problem).to_contain_text("nowhere/at-all.toml cannot be read: No such file or directory. Check the path.")
    expect(problem).to_have_attribute("role", "alert")
    pasted.take("configuration", " ")
    expect(pasted.root.locator(".rw-error")).to_contain_text("There is no path. Enter that of the configuration")
    expect(pasted.word).to_have_text("LOCAL")
    expect(pasted.status).to_contain_text("Done")
    expect(pasted.choice("live")).to_be_disabled()


def test_what_is_wrong_with_other_routes_stands_beside_the_one_in_use(pasted: Bench) -> None:
    """A route that is missing in the list, and a table that nobody reads, are told with their lines."""
    folder = pasted.lab.path.parent
    good = (folder / "routes.toml").read_text(encoding="utf-8")
    odd = good.replace('mode = "evaluate"', "mod = 1", 1) + '\n[route.more]\ntype = "vgr"\n'
    (folder / "odd.toml").write_text(odd, encoding="utf-8")
    pasted.take("configuration", "odd.toml")
    expect(pasted.setting("route").locator("option")).to_have_text(["choose a route", "agent", "triage"])
    pasted.setting("route").select_option("triage")
    expect(pasted.row("driver", "configuration")).to_contain_text("odd.toml, route triage")
    expect(pasted.row("driver", "problem")).to_have_count(0)
    remarks = pasted.row("driver", "remarks").locator("li")
    expect(remarks).to_have_text(
        [
            f"errorodd.toml:{_line(odd, 'mod = 1')}:1: `mod` is no key of route `assistant`. "
            "Write `mode` if that was meant.",
            f"warningodd.toml:{_line(odd, '[route.more]')}:1: `route` is not read here. "
            "Write `routes` if that was meant.",
        ]
    )


def _line(text: str, part: str) -> int:
    """The number of the line that holds this."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def test_a_key_that_stands_in_the_file_is_never_shown(pasted: Bench) -> None:
    """The problem names the line and the next step; the key is not in the page."""
    key = "sk-written0123456789abcdef"
    good = (pasted.lab.path.parent / "routes.toml").read_text(encoding="utf-8")
    leaky = good.replace('api_key_env = "EXAMPLE_API_KEY"', f'api_key = "{key}"')
    (pasted.lab.path.parent / "leaky.toml").write_text(leaky, encoding="utf-8")
    pasted.take("configuration", "leaky.toml")
    pasted.settle()
    problem = pasted.row("driver", "problem")
    expect(problem).to_contain_text(f"leaky.toml:{_line(leaky, 'api_key =')}:1: `api_key` holds a key")
    expect(problem).to_contain_text("name that in api_key_env of the client")
    pasted.settle()
    assert key not in pasted.page.content()
    assert key not in pasted.lab.execute("print(bench.screen.driver.problem, repr(bench.screen))")
