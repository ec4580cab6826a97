"""The real local model through the widget: one conversation, its driver switched mock -> live -> cassette (SPEC 8).

Whether a model of 135 million parameters judges well is no matter here: its scores are real, carry their origin, and
come again from a recording once nobody is there to be asked.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench_page import Bench
from local_model import real_model
from playwright.sync_api import Locator, expect
from routing_workbench.workbench.local_model.server import HOST, LocalServer

#: Short, since the model is slow on a busy machine.
TEXT = "User: What is 12 times 12?\nAssistant: 12 times 12 is 144."
#: Everything that a run read, for a comparison to the last bit.
_ROWS = """import json
print(json.dumps([[r.rung, r.value, r.answer, r.miss, r.error, r.note] for r in bench.result.asked]))"""

ROUTES = """
[llm_clients.local]
format = "openai_chat"
base_url = "http://{host}:{port}/v1"
max_retries = 0

[targets.small]
id = "smollm2-135m"
llm_client = "local"
# A verdict that goes on is cut off; and what is said once is said each time.
extra_body = {{ max_tokens = 48, temperature = 0 }}

[routes.small]
type = "vgr"
local_target = "small"
cloud_target = "small"
deadline_seconds = 300 # as patient as it takes
"""


@pytest.fixture
def model() -> Iterator[LocalServer]:
    """The real model, started for one test, which ends it when it likes."""
    with real_model(context=2048) as server:
        yield server


def test_the_driver_is_switched_from_mock_to_live_to_cassette(bench: Bench, model: LocalServer, tmp_path: Path) -> None:
    """Nothing is asked by a switch; what the model said stands with its origin, and is said again by the cassette."""
    routes, tape = tmp_path / "routes.toml", tmp_path / "real.jsonl"
    routes.write_text(ROUTES.format(host=HOST, port=model.port), encoding="utf-8")
    live = f"smollm2-135m @ {HOST}:{model.port}"
    expect(_choice(bench, "live")).to_be_disabled()

    bench.paste(TEXT)
    expect(bench.word).to_have_text("LOCAL")
    assert _origins(bench) == {("mock", "seed 7")}
    assert _score(bench) == 0.96

    bench.take("configuration", str(routes))
    expect(_choice(bench, "live")).to_contain_text(live)
    _choice(bench, "live").click()
    expect(bench.root.locator(".badge").first).to_have_text(f"LIVE, {live}")
    expect(bench.word).to_have_text("LOCAL, stale")
    bench.take("record", str(tape))
    expect(bench.setting("stop-recording")).to_be_visible()
    assert _origins(bench) == {("mock", "seed 7")}
    assert not _was_asked(model), "a switch of the driver asked the model"

    _run(bench)
    assert _was_asked(model)
    assert _origins(bench) == {("live", live)}
    said, score = _rows(bench), _score(bench)
    assert isinstance(score, float)
    assert 0.0 < score < 1.0
    expect(bench.row("timeline", "readout")).to_contain_text(f"p(yes) = {score:.4f}")
    expect(bench.word).to_have_text(bench.lab.execute("print(bench.result.decision.effective.upper())").strip())

    bench.setting("stop-recording").click()
    model.stop()
    _choice(bench, "cassette:real").click()
    expect(bench.root.locator(".badge").first).to_contain_text("CASSETTE, real, ")
    expect(bench.status).to_contain_text("Stale: driver switched")
    assert _origins(bench) == {("live", live)}

    _run(bench)
    assert {kind for kind, _ in _origins(bench)} == {"cassette"}
    assert _rows(bench) == said


def _choice(bench: Bench, key: str) -> Locator:
    return bench.panel("driver").locator(f"[data-k='{key}'] button")


def _run(bench: Bench) -> None:
    """Run, and wait for the verdict."""
    bench.root.locator(".bar .primary").click()
    expect(bench.status).to_contain_text("Done", timeout=300_000)
    bench.settle()


def _rows(bench: Bench) -> list[list[object]]:
    rows: list[list[object]] = json.loads(bench.lab.execute(_ROWS))
    return rows


def _score(bench: Bench) -> object:
    (value,) = [value for rung, value, *_ in _rows(bench) if rung == "readout"]
    return value


def _origins(bench: Bench) -> set[tuple[str | None, ...]]:
    """Kind and label of the origin beside every value of the timeline, as they stand on screen."""
    marks = bench.panel("timeline").locator(".wf .o")
    return {(mark.inner_text(), mark.get_attribute("title")) for mark in marks.all()}


def _was_asked(model: LocalServer) -> bool:
    """Whether the server has worked on any call since it started."""
    connection = http.client.HTTPConnection(HOST, model.port, timeout=60.0)
    try:
        connection.request("GET", "/slots")
        return any(slot.get("id_task", -1) >= 0 for slot in json.loads(connection.getresponse().read()))
    finally:
        connection.close()
