"""The probability figure: marks, bars and bases as values say, drawn live after a page reload, freed when closed."""

from __future__ import annotations

import gc
import weakref

import pytest
from routing_workbench.core.vgr.decision import Route
from routing_workbench.widgets.figures import LANES, ProbabilityFigure
from routing_workbench.widgets.panels import Bar, Lane
from routing_workbench.widgets.text import Html


def lane(value=None, *bars, argues=None, above=Route.LOCAL, asked=True) -> Lane:
    """One lane with these bars."""
    return Lane("readout", "", value, "", bars, above, argues, asked, Html())


@pytest.fixture(scope="module")
def figure():
    """One figure for all tests of this module: making one takes a while."""
    made = ProbabilityFigure()
    yield made
    made.close()


def drawn(figure, first: Lane):
    """Shapes of the first lane as (x0, x1, dash, width), after it was shown."""
    figure.show_lanes((first, *[lane(asked=False)] * (LANES - 1)))
    return [(shape.x0, shape.x1, shape.line.dash, shape.line.width) for shape in figure.layout.shapes if shape.y1 <= 45]


def test_a_score_stands_at_its_value(figure):
    """On the axis from 0 to 1, and nothing where there is none."""
    drawn(figure, lane(0.34))
    assert figure.data[0].x == (0.34, None, None, None)


@pytest.mark.parametrize(
    ("argues", "symbol", "colour"),
    [(Route.LOCAL, "square", "#0b8f80"), (Route.CLOUD, "circle", "#8a63e0"), (None, "square", "#808080")],
)
def test_a_mark_tells_its_tier_by_shape_and_colour(figure, argues, symbol, colour):
    """Square argues LOCAL, circle CLOUD, grey neither."""
    drawn(figure, lane(0.5, argues=argues))
    assert (figure.data[0].marker.symbol[0], figure.data[0].marker.color[0]) == (symbol, colour)


def test_the_bar_that_is_read_is_heavy_and_its_side_is_tinted(figure):
    """The other bar is thin."""
    shapes = drawn(figure, lane(0.34, Bar("dial", 0.2, True), Bar("bar", 0.9, False)))
    assert shapes == [(0, 1, "solid", 1), (0.2, 1, None, 0), (0.2, 0.2, None, 2), (0.9, 0.9, None, 1)]


def test_not_asked_has_a_dotted_base_and_no_tint(figure):
    """Unlike unknown."""
    assert drawn(figure, lane(None, Bar("bar", 0.5, True), asked=False))[0] == (0, 1, "dot", 1)


def test_unknown_is_a_question_mark_on_an_empty_lane(figure):
    """Asked, no usable answer."""
    drawn(figure, lane(None, Bar("bar", 0.9, False)))
    assert [label.text for label in figure.layout.annotations] == ["bar 0.90", "<b>?</b>"]


def test_labels_of_bars_close_together_are_numbers(figure):
    """Names would run into each other; the values beside the chart have them."""
    drawn(figure, lane(0.3, Bar("dial", 0.7, True), Bar("bar", 0.9, True)))
    assert [label.text for label in figure.layout.annotations] == ["<b>0.70</b>", "<b>0.90</b>"]


def test_a_score_outside_the_axis_stands_at_its_end(figure):
    """A judge's number is not trusted with the layout."""
    drawn(figure, lane(7.0))
    assert figure.data[0].x[0] == 1.0


def test_the_state_of_a_reload_is_live(figure):
    """Plotly syncs its traits only when a figure is made."""
    drawn(figure, lane(0.61, Bar("bar", 0.9, True)))
    state = figure.get_state()
    assert state["_widget_data"][0]["x"] == [0.61, None, None, None]
    assert len(state["_widget_layout"]["shapes"]) == len(figure.layout.shapes)


def test_the_same_lanes_are_sent_once(figure):
    """A repaint that changes nothing costs nothing."""
    drawn(figure, lane(0.2))
    before = figure._last_layout_edit_id
    drawn(figure, lane(0.2))
    assert figure._last_layout_edit_id == before


def test_a_change_is_one_message(figure):
    """Marks and bars move together."""
    drawn(figure, lane(0.2))
    before = figure._last_layout_edit_id
    drawn(figure, lane(0.8, Bar("bar", 0.9, True)))
    assert figure._last_layout_edit_id == before + 1


def test_the_ground_is_the_page(figure):
    """A figure stays white in the dark theme otherwise."""
    assert (figure.layout.paper_bgcolor, figure.layout.plot_bgcolor) == ("rgba(0,0,0,0)", "rgba(0,0,0,0)")


def test_a_closed_figure_is_freed():
    """Anywidget holds a figure whose module is a file for good."""
    made = ProbabilityFigure()
    gone = weakref.ref(made)
    made.close()
    del made
    gc.collect()
    assert gone() is None


def sent(figure, monkeypatch):
    """What the figure sends from here on, in order: messages, and names of traits."""
    found = []
    monkeypatch.setattr(figure, "send", lambda content, buffers=(): found.append((content, list(buffers))))
    monkeypatch.setattr(figure, "send_state", lambda key: found.append((key, [])))
    return found


def test_saved_state_does_not_carry_plotly(figure):
    """A notebook that saves widget state would hold five megabytes of it."""
    assert len(figure.get_state()["_esm"]) < 5_000


def test_a_page_gets_plotly_when_it_asks(figure, monkeypatch):
    """As bytes of the module, which a page asks for once."""
    messages = sent(figure, monkeypatch)
    figure._receive(figure, {"want": "plotly"}, [])
    ((content, (source,)),) = messages
    assert content == {"plotly": True}
    assert source.endswith(str(ProbabilityFigure.__mro__[1]._esm).encode()[-200:])
    assert len(source) > 1_000_000


def test_a_page_that_has_loaded_plotly_gets_what_is_drawn_now(figure, monkeypatch):
    """Changes are heard from the answer on; what came before is in the state."""
    messages = sent(figure, monkeypatch)
    figure._receive(figure, {"want": "current"}, [])
    assert messages == [(["_widget_data", "_widget_layout"], []), ({"current": True}, [])]


def test_a_label_with_room_in_a_wide_chart_only_is_marked(figure):
    """The stylesheet hides it in a narrow one."""
    drawn(figure, lane(0.96, Bar("dial", 0.2, True), Bar("floor", 0.5, False), Bar("bar", 0.9, False)))
    assert [label.text for label in figure.layout.annotations] == [
        "<b>dial 0.20</b>",
        "<span>floor 0.50</span>",
        "bar 0.90",
    ]


def test_the_question_mark_stands_clear_of_the_bars(figure):
    """On a bar it cannot be read."""
    drawn(figure, lane(None, Bar("bar", 0.5, True)))
    assert figure.layout.annotations[-1].x == 0.35
