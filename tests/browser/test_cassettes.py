"""Recording and replaying from the driver panel: origins, what is missing, and the pace of a replay (UI 5)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bench_page import Bench
from playwright.sync_api import expect
from record_cassettes import RECORDED
from routing_workbench.workbench.drivers.cassette.shipped import shipped_cassettes

ALGORITHMS = ("vgr", "cutoffs", "escalation")


def _choose(bench: Bench, key: str) -> None:
    """Choose a driver by its key."""
    bench.choice(key).click()
    expect(bench.choice(key)).to_have_attribute("aria-pressed", "true")


def _run(bench: Bench) -> None:
    """Press Run, and wait for the end, whatever it is."""
    bench.root.locator(".bar .primary").click()
    bench.settle()
    expect(bench.status).to_have_text(re.compile("^(Done|Failed)"))


def _kinds(bench: Bench) -> set[str]:
    """The kinds of origin of the evidence on screen."""
    return {kind for kind, _ in bench.origins()}


@pytest.fixture
def pasted(bench: Bench, examples: Path) -> Bench:
    """A bench with a session, judged by the mock."""
    bench.paste((examples / "conversations" / "agent-ledgerlite-last-line.json").read_text(encoding="utf-8"))
    expect(bench.word).to_have_text("LOCAL")
    bench.settle()
    return bench


def test_every_shipped_cassette_has_its_example() -> None:
    """Else the next test would test nothing, or not all."""
    assert shipped_cassettes()
    assert set(shipped_cassettes()) <= set(RECORDED)


@pytest.mark.parametrize("name", sorted(shipped_cassettes()))
def test_a_shipped_cassette_is_replayed_with_its_origin_on_every_value(bench: Bench, examples: Path, name: str) -> None:
    """Choosing it asks nothing; Run replays each algorithm without network, whatever the model said then."""
    bench.paste((examples / "conversations" / RECORDED[name]).read_text(encoding="utf-8"))
    expect(bench.status).to_contain_text("Done")
    _choose(bench, f"cassette:{name}")
    expect(bench.status).to_have_text("Stale: driver switched")
    expect(bench.root.locator(".badge").first).to_have_text(re.compile(f"^CASSETTE, {name}, \\d{{4}}-\\d\\d-\\d\\d$"))
    expect(bench.row("driver", "remark")).to_contain_text("nothing leaves this machine")
    expect(bench.panel("driver").locator("[data-k=rungs]")).to_have_count(0)
    expect(bench.panel("driver").locator("[data-k=record]")).to_have_count(0)
    for algorithm in ALGORITHMS:
        bench.bring(algorithm)
        _run(bench)
        assert _kinds(bench) == {"cassette"}


def test_the_mock_is_recorded_beside_the_notebook_and_replayed(pasted: Bench) -> None:
    """All three algorithms give the same again, as CASSETTE; the file holds neither request nor conversation."""
    file = pasted.lab.path.parent / "take-one.jsonl"
    pasted.take("record", file.name)
    expect(pasted.row("driver", "record")).to_contain_text(f"Recording to {file.name}")
    said = {}
    for algorithm in ALGORITHMS:
        pasted.bring(algorithm)
        _run(pasted)
        said[algorithm] = pasted.reason.inner_text()
    pasted.setting("stop-recording").click()
    expect(pasted.setting("record")).to_be_visible()
    assert len(file.read_text(encoding="utf-8").splitlines()) > 5
    assert "ledger" not in file.read_text(encoding="utf-8").replace("agent-ledger", "")

    _choose(pasted, "cassette:take-one")
    expect(pasted.root.locator(".badge").first).to_contain_text("CASSETTE, take-one, ")
    expect(pasted.root.locator(".badge").first).to_contain_text(", of mock")
    for algorithm in ALGORITHMS:
        pasted.bring(algorithm)
        expect(pasted.status).to_have_text(re.compile("^(Stale|Idle)"))
        _run(pasted)
        expect(pasted.reason).to_have_text(said[algorithm])
        assert _kinds(pasted) == {"cassette"}
        expect(pasted.row("driver", "missing")).to_have_count(0)
    _choose(pasted, "mock")
    expect(pasted.status).to_contain_text("Done")
    pasted.settle()
    assert _kinds(pasted) == {"mock"}


def test_a_replay_names_what_a_changed_question_has_no_answer_for(pasted: Bench) -> None:
    """A setting that changes the question: the calls are missing, named, and nothing is invented for them."""
    pasted.bring("escalation")
    pasted.take("record", "take-two.jsonl")
    _run(pasted)
    pasted.setting("stop-recording").click()
    _choose(pasted, "cassette:take-two")
    pasted.slider("escalation:window_message_chars").fill("60")
    expect(pasted.status).to_contain_text("Stale")
    _run(pasted)
    missing = pasted.row("driver", "missing")
    expect(missing).to_contain_text("not on this cassette: escalation_judge of turn ")
    expect(missing).to_contain_text("The prompt, the policy or the conversation is not what was recorded.")
    count = int(re.search(r"([\d,]+) calls? (?:is|are) not on", missing.inner_text())[1])
    pasted.setting("escalation:view").get_by_text("Table").click()
    unknown = pasted.panel("streak").locator("tbody tr", has_text="not on this cassette")
    expect(unknown).to_have_count(count)
    expect(pasted.status).to_contain_text(f"{count} fault")
    pasted.setting("escalation:reset").click()
    _run(pasted)
    expect(missing).to_have_count(0)
    pasted.bring("vgr")
    _run(pasted)
    expect(missing).to_contain_text("not on this cassette: typing")


def test_a_replay_takes_the_pace_that_is_chosen(pasted: Bench) -> None:
    """At once by default; as recorded it takes the time that it took; a file that exists is not overwritten."""
    delay = pasted.setting("rung:readout:delay")
    delay.fill("1200")
    delay.press("Enter")
    expect(pasted.status).to_contain_text("Done")
    pasted.settle()
    pasted.take("record", "take-three.jsonl")
    _run(pasted)
    pasted.setting("stop-recording").click()
    pasted.take("record", "take-three.jsonl")
    expect(pasted.row("driver", "problem")).to_contain_text("take-three.jsonl exists")
    expect(pasted.status).to_contain_text("Done")

    _choose(pasted, "cassette:take-three")
    expect(pasted.row("driver", "problem")).to_have_count(0)
    took = {}
    for pace in ("none", "original", "0.5"):
        pasted.setting("pace").select_option(pace)
        _run(pasted)
        took[pace] = float(re.search(r"([\d.]+) s, ", pasted.status.inner_text())[1])
        expect(pasted.setting("pace")).to_have_value(pace)
    assert took["none"] < 0.6
    assert took["original"] >= 1.2
    assert 0.6 <= took["0.5"] < took["original"]


def test_a_file_that_is_no_cassette_says_where(pasted: Bench) -> None:
    """A recording that was damaged since: choosing it says the line, and the driver in use stays."""
    file = pasted.lab.path.parent / "take-four.jsonl"
    pasted.take("record", file.name)
    _run(pasted)
    pasted.setting("stop-recording").click()
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join([lines[0], lines[1][:40] + "\n", *lines[2:]]), encoding="utf-8")
    pasted.choice("cassette:take-four").click()
    expect(pasted.row("driver", "problem")).to_contain_text("Cassette take-four:")
    expect(pasted.row("driver", "problem")).to_contain_text("2")
    expect(pasted.root.locator(".badge").first).to_have_text("MOCK, seed 7")
    expect(pasted.word).to_have_text("LOCAL")
