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
    """One figure for all tests of this module: making one sends five megabytes."""
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
