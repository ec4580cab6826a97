"""The boxes of a bench: reading order, painting panel by panel, the figure made once, everything freed."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from ipywidgets.widgets.widget import _instances
from routing_workbench.widgets import layout as layout_module
from routing_workbench.widgets import panels
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
        "turns",
        "messages",
        "why",
        "probabilities_head",
        "lane_names",
        "lane_drawing",
        "lane_values",
        "verdicts",
        "timeline",
        "judge",
        "policy",
        "controls",
        "driver",
    ]


def test_every_surface_is_painted(layout, screens):
    """In every state of the bench."""
    for made_screen in screens.STATES.values():
        assert layout.paint(made_screen(), panels.START) == []
    assert [name for name, surface in layout.surfaces.items() if surface.html is None] == []


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


def test_messages_are_not_rendered_again_while_the_clock_runs(layout, screens, monkeypatch):
    """They are the longest panel and do not change then."""
    rendered = []

    def messages(screen, view):
        rendered.append(screen)
        return panels.messages(screen, view)

    part = layout_module._Part(messages, layout_module._conversation_of)
    monkeypatch.setattr(layout_module, "_PARTS", {**layout_module._PARTS, "messages": part})
    screen = screens.done()
    layout.paint(screen, panels.START)
    layout.paint(replace(screen, remark="later"), panels.START)
    layout.paint(screen, replace(panels.START, search="x"))
    assert len(rendered) == 2


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
