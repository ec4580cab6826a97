"""The boxes of a bench: reading order, painting panel by panel, the figure made once, everything freed."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from ipywidgets.widgets.widget import _instances
from routing_workbench.widgets import layout as layout_module
from routing_workbench.widgets import panels
from routing_workbench.widgets.act import Act
from routing_workbench.widgets.algorithm import Algorithm
from routing_workbench.widgets.layout import Layout
from routing_workbench.widgets.surface import Surface


@pytest.fixture
def made():
    """Set when the figure is there."""
    return threading.Event()


@pytest.fixture
def layout(made):
    """A layout that nobody listens to."""
    bench = Layout(lambda act: None, lambda text, name: None, made.set)
    yield bench
    bench.close()


def surfaces(box):
    """The surfaces of a box in the order of the page."""
    for child in getattr(box, "children", ()):
        if isinstance(child, Surface):
            yield child
        else:
            yield from surfaces(child)


def test_the_page_is_in_reading_order(layout):
    """Which is the order of the tab key too (UI 2)."""
    names = {surface: name for name, surface in layout.surfaces.items()}
    assert [names.get(surface, "errors") for surface in surfaces(layout.root)] == [
        "errors",
        "bar",
        "conversation_head",
        "conversation_details",
        "verdict",
        "cutoffs_verdict",
        "escalation_verdict",
        "turns",
        "why",
        "probabilities_head",
        "lane_names",
        "lane_drawing",
        "lane_values",
        "verdicts",
        "timeline",
        "judge",
        "policy",
        "cutoffs_rules",
        "cutoffs_question",
        "cutoffs_usable",
        "cutoffs_settings",
        "cutoffs_flips",
        "streak",
        "escalation_details",
        "escalation_settings",
        "transcript",
        "controls",
        "driver",
    ]


def test_every_surface_is_painted(layout, screens, cutoffs):
    """In every state of the bench, once its algorithm is on screen."""
    escalation = replace(screens.idle(), algorithm=Algorithm.ESCALATION)
    made = [*screens.STATES.values(), *cutoffs.STATES.values(), lambda: escalation]
    for one in made:
        assert layout.paint(one(), panels.START) == []
    assert [name for name, surface in layout.surfaces.items() if surface.html is None] == []


def showing(layout) -> list[str]:
    """The root's classes that show panes."""
    return [name for name in layout.root._dom_classes if name.startswith("rw-on-")]


def test_the_panes_of_one_algorithm_are_shown(layout, screens, cutoffs):
    """Before anything is painted too, so that a page never shows all three."""
    assert showing(layout) == ["rw-on-vgr"]
    layout.paint(cutoffs.done(), panels.START)
    assert showing(layout) == ["rw-on-cutoffs"]
    layout.paint(screens.done(), panels.START)
    assert showing(layout) == ["rw-on-vgr"]


def test_each_part_of_an_algorithm_stands_in_its_pane(layout):
    """Which the stylesheet hides while another is on screen."""

    def panes(box, inside=None):
        for child in getattr(box, "children", ()):
            of = next((name for name in getattr(child, "_dom_classes", ()) if name.startswith("rw-of-")), inside)
            if isinstance(child, Surface):
                yield child, of
            else:
                yield from panes(child, of)

    found = dict(panes(layout.root))
    for name, part in layout_module._PARTS.items():
        assert found[layout.surfaces[name]] == (f"rw-of-{part.of.value}" if part.of else None), name


def test_a_hidden_pane_is_left_as_it_was(layout, screens, cutoffs):
    """Nothing in it is painted: state and failure are those of the algorithm on screen."""
    layout.paint(screens.done(), panels.START)
    before = {name: layout.surfaces[name].html for name, part in layout_module._PARTS.items() if part.of == "vgr"}
    layout.paint(cutoffs.failed(), panels.START)
    assert {name: layout.surfaces[name].html for name in before} == before
    assert "The decision judge failed" in layout.surfaces["cutoffs_verdict"].html


def test_element_ids_are_those_of_their_pane(layout, screens, cutoffs):
    """Every algorithm has a verdict, and all of them are in the page."""
    layout.paint(screens.done(), panels.START)
    layout.paint(cutoffs.done(), panels.START)
    assert 'id="rw-verdict"' in layout.surfaces["verdict"].html
    assert 'id="rw-cutoffs-verdict"' in layout.surfaces["cutoffs_verdict"].html
    assert 'id="rw-driver"' in layout.surfaces["driver"].html


def test_no_figure_is_made_for_a_pane_that_is_hidden(layout, cutoffs, screens):
    """An outcome of verification-gated routing may be there all the same."""
    layout.paint(replace(cutoffs.done(), outcome=screens.done().outcome), panels.START)
    assert layout._maker is None


def test_a_panel_that_fails_says_so_and_the_others_stand(layout, screens, monkeypatch):
    """With the kind of the error and no more: its text may quote the conversation."""

    def broken(screen, view):
        raise KeyError("secret words")

    parts = {**layout_module._PARTS, "why": layout_module._Part(broken)}
    monkeypatch.setattr(layout_module, "_PARTS", parts)
    failed = layout.paint(screens.done(), panels.START)
    assert [(name, type(error)) for name, error in failed] == [("why", KeyError)]
    assert "This panel could not be drawn: KeyError." in layout.surfaces["why"].html
    assert "secret words" not in layout.surfaces["why"].html
    assert "CLOUD" in layout.surfaces["verdict"].html


def test_no_figure_before_a_score(layout, screens):
    """Loading plotly takes seconds, and a page gets five megabytes."""
    layout.paint(screens.idle(), panels.START)
    assert (layout._maker, layout._lanes.layout.display) == (None, "none")


def test_the_figure_is_made_once_and_reused(layout, screens, made):
    """Changed in place from then on."""
    layout.paint(screens.done(), panels.START)
    assert made.wait(60)
    layout.paint(screens.done(), panels.START)
    figure = layout._figure
    assert figure.data[0].x[0] == 0.34
    layout.paint(screens.local(), panels.START)
    assert layout._figure is figure
    assert figure.data[0].x[0] == 0.93


def test_the_table_stands_in_place_of_the_chart(layout, screens):
    """The same values, on demand."""
    layout.paint(screens.done(), replace(panels.START, table=True))
    assert layout._lanes.layout.display == "none"
    assert "<table" in layout.surfaces["verdicts"].html


def test_messages_are_sent_once_while_the_clock_runs(layout, screens):
    """They are the longest panel and do not change then."""
    sent = []
    object.__setattr__(layout.reader, "send", lambda content, buffers=None: sent.append(content))
    screen = screens.done()
    layout.paint(screen, panels.START)
    before = len(sent)
    layout.paint(replace(screen, remark="later"), panels.START)
    assert (len(sent), before > 0) == (before, True)


def test_a_reader_that_fails_says_so_and_the_panels_stand(layout, screens, monkeypatch):
    """With the kind of the error and no more."""

    def broken(screen, source):
        raise KeyError("secret words")

    monkeypatch.setattr(layout.reader, "show", broken)
    failed = layout.paint(screens.done(), panels.START)
    assert [(name, type(error)) for name, error in failed] == [("messages", KeyError)]
    assert "CLOUD" in layout.surfaces["verdict"].html


def test_a_panel_brings_a_message_into_view(screens):
    """By `go-message`, which goes no further; a remark is for the shell too."""
    acts, sent = [], []
    layout = Layout(acts.append, lambda *given: None, lambda: None)
    try:
        layout.paint(screens.idle(), panels.START)
        object.__setattr__(layout.reader, "send", lambda content, buffers=None: sent.append(content))
        layout.surfaces["why"]._on_act(Act("go-message", "5"))
        layout.surfaces["conversation_details"]._on_act(Act("jump-diagnostic", "1"))
    finally:
        layout.close()
    assert sent == [{"go": {"row": 5, "focus": True}}, {"go": {"row": 1, "focus": False}}]
    assert acts == [Act("jump-diagnostic", "1")]


def test_errors_are_shown_and_taken_away(layout):
    """As text, with the next step."""
    layout.show_errors([("Painting failed: <b>.", "Make a new bench.")])
    assert "Painting failed: &lt;b&gt;. Make a new bench." in layout.errors.html
    layout.show_errors([])
    assert layout.errors.html == ""


def test_saved_state_holds_no_conversation(layout, screens):
    """No trait of any widget does."""
    layout.paint(screens.done(), panels.START)
    layout.paste.set_text("secret words")
    state = "".join(str(widget.get_state()) for widget in list(_instances.values()))
    for words in ("secret words", "test_dst_gap", "The gap test passes now", "1 failed, 22 passed"):
        assert words not in state


def test_closing_frees_every_widget(made, screens):
    """Also the layouts that ipywidgets makes beside them, and the figure."""
    before = set(_instances)
    bench = Layout(lambda act: None, lambda text, name: None, made.set)
    bench.paint(screens.done(), panels.START)
    assert made.wait(60)
    bench.close()
    assert set(_instances) - before == set()
