"""The bench: input to screen and back, errors on screen, and no conversation saved."""

from __future__ import annotations

import json

import pytest
from ipywidgets.widgets.widget import _instances
from routing_workbench import Algorithm, Workbench
from routing_workbench.core.cutoffs.config import config_from_text
from routing_workbench.widgets.act import Act

TALK = json.dumps({"messages": [{"role": "user", "content": "Why is the sky blue, secret words?"}]})


@pytest.fixture
def bench():
    """A bench with the mock driver."""
    made = Workbench()
    yield made
    made.close()


def settled(bench):
    """Wait until everything so far is read, run and painted."""
    assert bench._session.wait(30)
    assert bench._painter.settle(30)
    return bench


def shown(bench, panel):
    """A panel's HTML."""
    return settled(bench)._layout.surfaces[panel].html


def listed(bench):
    """What the messages say, a line each."""
    return [block.text for row in settled(bench)._layout.reader.rows for block in row.content]


def test_a_pasted_conversation_is_shown(bench):
    """From the editor through the session to the panels."""
    bench._layout.paste._receive(None, {"text": TALK, "n": 1}, [])
    assert listed(bench)[0] == "Why is the sky blue, secret words?"


def test_a_given_text_is_read_and_put_into_the_editor():
    """`Workbench(text)` is a paste."""
    bench = Workbench(TALK)
    try:
        assert settled(bench)._layout.paste.text == TALK
        assert listed(bench)[0] == "Why is the sky blue, secret words?"
    finally:
        bench.close()


def test_an_example_replaces_what_was_typed(bench):
    """In the editor too."""
    bench._layout.paste._receive(None, {"text": TALK, "n": 1}, [])
    name = settled(bench).screen.examples[0][0]
    bench._on_act(Act("example", "", name))
    settled(bench)
    assert bench.screen.source_name == name
    assert bench._layout.paste.text == bench._session.text != TALK


def test_what_is_typed_is_never_put_back(bench):
    """The editor is the user's while they type."""
    sent = []
    object.__setattr__(bench._layout.paste, "send", lambda content, buffers=None: sent.append(content))
    for number in range(1, 6):
        bench._layout.paste._receive(None, {"text": TALK + " " * number, "n": number}, [])
    settled(bench)
    assert [message for message in sent if "set" in message] == []


def test_a_file_is_opened_by_path(bench, tmp_path):
    """On the kernel's machine."""
    path = tmp_path / "talk.json"
    path.write_text(TALK, encoding="utf-8")
    bench.open(path)
    assert "talk.json" in shown(bench, "conversation_head")


def test_a_path_that_is_none_is_an_error_of_the_call(bench, tmp_path):
    """It was typed in a cell, so it is said there."""
    with pytest.raises(FileNotFoundError):
        bench.open(tmp_path / "none.json")


def test_looking_changes_the_screen_and_asks_nothing(bench):
    """A switch."""
    bench._layout.paste._receive(None, {"text": TALK, "n": 1}, [])
    settled(bench)
    before = bench.result
    bench._on_act(Act("probabilities:view", "table", "table"))
    assert "<table" in shown(bench, "verdicts")
    assert bench.result is before


def test_an_error_in_a_handler_lands_on_screen(bench):
    """With its kind only: the text of an error may quote the conversation."""
    bench._layout.surfaces["driver"]._on_act(Act("choose-conversation", "", "secret words"))
    settled(bench)
    assert "Handling the last input failed: ValueError." in bench._layout.errors.html
    assert "secret words" not in bench._layout.errors.html


def test_a_value_that_is_refused_says_why(bench):
    """In our own words."""
    bench._layout.surfaces["controls"]._on_act(Act("controls:prior_local", "", "7"))
    settled(bench)
    assert "The prior is not usable. Enter 0 to 1, or nothing." in bench._layout.errors.html


def test_an_error_can_be_closed(bench):
    """It is gone then."""
    bench._layout.surfaces["controls"]._on_act(Act("controls:prior_local", "", "7"))
    bench._layout.errors._on_act(Act("dismiss"))
    settled(bench)
    assert bench._layout.errors.html == ""


def test_a_remark_selects_its_place(bench):
    """In code points of the paste."""
    bench._layout.paste._receive(None, {"text": '{"messages": [{"role": "user", "content": "x"}', "n": 1}, [])
    remarks = settled(bench).screen.reading.diagnostics
    index = next(index for index, remark in enumerate(remarks) if remark.place.start is not None)
    picked = []
    object.__setattr__(bench._layout.paste, "send", lambda content, buffers=None: picked.append(content))
    bench._on_act(Act("jump-diagnostic", str(index)))
    place = remarks[index].place
    assert picked[0]["select"][0] == place.start


def test_copying_a_record_before_a_run_says_so(bench):
    """There is nothing to copy."""
    bench._layout.surfaces["verdict"]._on_act(Act("copy-record"))
    settled(bench)
    assert "There is no record yet. Run the bench first." in bench._layout.errors.html


def test_the_record_before_a_run_is_an_error(bench):
    """With the next step."""
    with pytest.raises(RuntimeError, match="Run the bench first"):
        bench.to_json()


def test_the_result_is_there_after_a_run(bench):
    """The same record as JSON, without the conversation."""
    bench._layout.paste._receive(None, {"text": TALK, "n": 1}, [])
    settled(bench)
    record = bench.to_json()
    assert record == bench.result.to_json()
    assert "secret words" not in record


def test_the_bundle_has_widgets_and_a_page_without_a_kernel(bench):
    """Neither holds the conversation."""
    bench._layout.paste._receive(None, {"text": TALK, "n": 1}, [])
    bundle = settled(bench)._repr_mimebundle_()
    assert sorted(bundle) == ["application/vnd.jupyter.widget-view+json", "text/html", "text/plain"]
    assert "secret words" not in json.dumps(bundle)


def test_a_bench_shown_at_once_saves_its_first_result():
    """The page without a kernel keeps what the cell gave when it ran."""
    bench = Workbench(TALK)
    try:
        assert "served" in bench._repr_mimebundle_()["text/plain"]
    finally:
        bench.close()


def test_nothing_of_the_conversation_is_in_widget_state(bench):
    """It is saved into notebooks."""
    bench._layout.paste._receive(None, {"text": TALK, "n": 1}, [])
    settled(bench)
    assert "secret words" not in "".join(str(widget.get_state()) for widget in list(_instances.values()))


def test_repr_is_cheap_and_says_the_state(bench):
    """No content, no serialisation."""
    bench._layout.paste._receive(None, {"text": TALK, "n": 1}, [])
    assert repr(settled(bench)) == f"<Workbench {bench._bench}, done>"


def test_two_benches_do_not_meet(bench):
    """Neither text nor element ids."""
    other = Workbench(TALK)
    try:
        settled(other)
        assert listed(bench) == []
        assert bench._bench != other._bench
    finally:
        other.close()


def test_another_tab_is_shown_by_an_act(bench):
    """And what it shows is copied: the configuration as JSON, the transcript as the judge reads it."""
    bench._layout.paste._receive(None, {"text": TALK, "n": 1}, [])
    copied = []
    object.__setattr__(bench._layout.surfaces["bar"], "copy_text", copied.append)
    bench._on_act(Act("algorithm", "cutoffs", "cutoffs"))
    assert settled(bench).screen.algorithm is Algorithm.CUTOFFS
    bench._on_act(Act("copy-cutoffs"))
    assert config_from_text(copied[0]) == bench.screen.cutoffs.config
    bench._on_act(Act("algorithm", "escalation", "escalation"))
    settled(bench)
    bench._on_act(Act("copy-transcript"))
    assert copied[1] == bench.screen.escalation.view.text
