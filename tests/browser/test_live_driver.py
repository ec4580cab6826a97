"""Real models from the widget: what is sent and when, origins, Cancel, and a key that nobody sees (UI 5, SPEC 7)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from bench_page import Bench
from fault_server import PATIENCE
from live_model import KEY_VARIABLE, LiveModel
from playwright.sync_api import expect
from routing_workbench.core.vgr.evidence import Rung

_EXAMPLE = "agent-ledgerlite-last-line.json"


@pytest.fixture
def model() -> Iterator[LiveModel]:
    """A model that answers, until the end of the test."""
    with LiveModel() as server:
        yield server


def _configured(bench: Bench, examples: Path, model: LiveModel) -> None:
    """Paste a session, load the model's configuration, and choose it."""
    bench.paste((examples / "conversations" / _EXAMPLE).read_text(encoding="utf-8"))
    expect(bench.word).to_have_text("LOCAL")
    model.write_routes(bench.lab.path.parent / "live.toml")
    bench.take("configuration", "live.toml")
    choice = bench.choice("live")
    expect(choice).to_be_enabled()
    choice.click()
    expect(bench.status).to_have_text("Stale: driver switched")


def _run(bench: Bench) -> None:
    bench.root.locator(".bar .primary").click()
    expect(bench.status).to_contain_text("Done")
    bench.settle()


def test_nothing_is_sent_before_run_and_then_every_value_is_live(
    bench: Bench, examples: Path, model: LiveModel
) -> None:
    """Loading, switching, editing and going through the tabs connect to nobody; Run asks, and says whose answers."""
    _configured(bench, examples, model)
    expect(bench.root.locator(".badge").first).to_have_text(f"LIVE, {model.label}")
    bench.setting("controls:deadline").fill("20")
    bench.setting("controls:deadline").press("Enter")
    for algorithm in ("cutoffs", "escalation", "vgr"):
        bench.bring(algorithm)
    expect(bench.status).to_contain_text("Stale")
    expect(bench.row("driver", "remark")).to_contain_text(f"Run sends 1 call to {model.label}.")
    bench.settle()
    assert (len(model.seen), model.connections) == (0, 0)

    _run(bench)
    assert model.asked() == [Rung.TYPING, Rung.READOUT]
    assert bench.origins() == [("live", model.label)]
    for algorithm, rungs in (("cutoffs", {Rung.ROUTE}), ("escalation", {Rung.ESCALATION_JUDGE})):
        before = len(model.seen)
        bench.bring(algorithm)
        _run(bench)
        assert set(model.asked()[before:]) == rungs
        assert bench.origins() == [("live", model.label)]
    assert {seen.json["model"] for seen in model.seen} == {"judge-8b"}
    sent = len(model.seen)
    bench.choice("mock").click()
    expect(bench.status).to_contain_text("Done")
    bench.settle()
    assert [kind for kind, _ in bench.origins()] == ["mock"]
    assert len(model.seen) == sent


def test_cancel_closes_the_connection(bench: Bench, examples: Path, model: LiveModel) -> None:
    """The server sees its client leave; what was gathered stays, and Run again asks anew."""
    model.held = Rung.READOUT
    _configured(bench, examples, model)
    bench.root.locator(".bar .primary").click()
    expect(bench.status).to_have_text(re.compile(r"^Asking readout, \d+\.\d s of 30 s$"))
    assert not model.left.is_set()
    bench.root.locator(".bar .primary").click()
    assert model.left.wait(PATIENCE)
    expect(bench.status).to_contain_text("Cancelled at")
    expect(bench.reason).to_have_text("Cancelled while asking readout.")
    assert model.asked() == [Rung.TYPING, Rung.READOUT]
    model.held = None
    _run(bench)
    expect(bench.word).to_have_text("LOCAL")


def test_another_driver_chosen_while_it_asks_lets_go_of_the_call(
    bench: Bench, examples: Path, model: LiveModel
) -> None:
    """Switching ends the call in flight, and the mock answers at once."""
    model.held = Rung.READOUT
    _configured(bench, examples, model)
    bench.root.locator(".bar .primary").click()
    expect(bench.status).to_contain_text("Asking readout")
    bench.choice("mock").click()
    assert model.left.wait(PATIENCE)
    expect(bench.status).to_contain_text("Done")
    expect(bench.word).to_have_text("LOCAL")


def test_a_server_that_is_gone_is_a_fault_with_a_next_step(bench: Bench, examples: Path) -> None:
    """Refused connections are named in the timeline, nothing of them is evidence, and the kernel lives on."""
    with LiveModel() as model:
        _configured(bench, examples, model)
    bench.root.locator(".bar .primary").click()
    expect(bench.status).to_contain_text("fault")
    expect(bench.word).to_have_text("CLOUD")
    row = bench.panel("timeline").locator(".wf li:not(.note)", has_text="readout")
    expect(row).to_contain_text("call_failed: transport")
    assert bench.lab.execute("print(6 * 7)") == "42\n"


def test_the_key_is_sent_and_nobody_sees_it(bench: Bench, examples: Path, model: LiveModel, live_key: str) -> None:
    """Not the page, no message to it, no widget state, no saved notebook, no record, no recording."""
    frames: list[str | bytes] = []

    def heard(frame: str | bytes) -> None:
        frames.append(frame)

    for socket in bench.lab.websockets:
        socket.on("framereceived", heard)
        socket.on("framesent", heard)
    _configured(bench, examples, model)
    bench.take("record", "with-key.jsonl")
    model.says = f"yes, and {live_key}"
    _run(bench)
    assert {seen.headers["authorization"] for seen in model.seen} == {f"Bearer {live_key}"}
    record = bench.copied("copy-record")
    bench.setting("stop-recording").click()
    bench.settle()
    assert len(frames) > 10
    where = {
        "page": bench.page.content(),
        "messages": b"".join(f.encode() if isinstance(f, str) else f for f in frames).decode("latin-1"),
        "notebook": nbformat.writes(bench.lab.saved()),
        "record": record,
        "recording": (bench.lab.path.parent / "with-key.jsonl").read_text(encoding="utf-8"),
        "reprs": bench.lab.execute("print(repr(bench), repr(bench.screen), repr(bench.result))"),
    }
    assert [name for name, text in where.items() if live_key in text] == []
    assert "browser" not in where["record"]
    assert KEY_VARIABLE not in where["recording"]


def test_the_same_turn_from_the_mock_a_model_and_its_recording(bench: Bench, examples: Path, tmp_path: Path) -> None:
    """Mock, live, cassette: each value says where it is from, and the recording needs no server any more."""
    with LiveModel() as model:
        _configured(bench, examples, model)
        assert [kind for kind, _ in bench.origins()] == ["mock"]
        name = tmp_path.name
        bench.take("record", f"{name}.jsonl")
        _run(bench)
        assert bench.origins() == [("live", model.label)]
        said = bench.reason.inner_text()
        bench.setting("stop-recording").click()
    bench.choice(f"cassette:{name}").click()
    expect(bench.status).to_have_text("Stale: driver switched")
    _run(bench)
    expect(bench.reason).to_have_text(said)
    ((kind, label),) = bench.origins()
    assert kind == "cassette"
    assert label.startswith(f"{name}, ")
