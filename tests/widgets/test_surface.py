"""A surface: its HTML travels by message, is sent when asked for, and is never part of saved state."""

from __future__ import annotations

import pytest
from routing_workbench.widgets.act import Act
from routing_workbench.widgets.surface import LONGEST, Surface, sendable
from routing_workbench.widgets.text import Html, h


@pytest.fixture
def acts():
    """What was reported."""
    return []


@pytest.fixture
def surface(acts):
    """A surface whose messages to the browser are kept in `surface.sent`."""
    made = Surface(acts.append)
    object.__setattr__(made, "sent", [])
    object.__setattr__(made, "send", lambda content, buffers=None: made.sent.append(content))
    yield made
    made.close()


def test_show_sends_the_html(surface):
    """One message for one show."""
    surface.show(h("p", None, "secret words"))
    assert surface.sent == [{"html": "<p>secret words</p>"}]


def test_the_same_html_is_sent_once(surface):
    """A repaint that changes nothing costs nothing."""
    surface.show(h("p", None, "a"))
    surface.show(h("p", None, "a"))
    assert len(surface.sent) == 1


def test_a_new_view_gets_what_is_current(surface):
    """A page reload shows the live state."""
    surface.show(h("p", None, "old"))
    surface.show(h("p", None, "new"))
    surface._receive(surface, {"want": True}, [])
    assert surface.sent[-1] == {"html": "<p>new</p>"}


def test_a_view_before_the_first_show_gets_nothing(surface):
    """Nothing is shown yet."""
    surface._receive(surface, {"want": True}, [])
    assert surface.sent == []


def test_saved_state_holds_no_html(surface):
    """Widget state goes into notebooks; a conversation must not."""
    surface.show(h("p", None, "secret words"))
    assert "secret words" not in str(surface.get_state())


def test_repr_holds_no_html(surface):
    """Nor does a traceback or a log."""
    surface.show(h("p", None, "secret words"))
    assert "secret words" not in repr(surface)


def test_an_act_reaches_the_callback(surface, acts):
    """As text, also where the browser sent a number."""
    surface._receive(surface, {"act": "policy", "k": "m3", "value": 0.5}, [])
    assert acts == [Act("policy", "m3", "0.5")]


def test_an_act_without_key_and_value(surface, acts):
    """Both are empty then."""
    surface._receive(surface, {"act": "run"}, [])
    assert acts == [Act("run")]


@pytest.mark.parametrize("content", [{}, {"act": None}, {"act": 3}, {"html": "<p>"}])
def test_other_messages_do_nothing(surface, acts, content):
    """A browser sends what it likes."""
    surface._receive(surface, content, [])
    assert (acts, surface.sent) == ([], [])


def test_text_is_refused(surface):
    """What was not escaped is not shown."""
    with pytest.raises(TypeError, match="takes Html, got str"):
        surface.show("<b>not escaped</b>")


def test_html_that_is_too_long_is_refused(surface):
    """The websocket would drop it silently."""
    with pytest.raises(ValueError, match="List fewer rows"):
        surface.show(Html("x" * (LONGEST + 1)))


def test_copied_text_can_be_sent(surface):
    """A lone surrogate is no UTF-8."""
    surface.copy_text("a\ud800b")
    assert surface.sent == [{"copy": "a\ufffdb"}]


def test_text_that_can_be_sent_is_sent_as_it_is():
    """Characters beyond the basic plane too."""
    assert sendable("a\U0001f600\r\nb") == "a\U0001f600\r\nb"
