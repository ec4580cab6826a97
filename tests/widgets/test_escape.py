"""The one escaping function: text that is not ours is shown as text, whatever it holds."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.widgets.text import Html, esc, h, join

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "\"><a href='javascript:alert(1)'>x</a>",
    "</textarea></style></template><b>out</b>",
    "&lt;script&gt; &amp; &#60;",
    "`${alert(1)}`",
    "<!-- --!> ]]> <?php",
)


class Seen(HTMLParser):
    """What a browser would make of a fragment: its tags with attributes, and its text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        """Keep a tag with its attributes."""
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        """Keep what can be read."""
        self.text += data


def seen(html: str) -> Seen:
    """Parse a fragment."""
    parser = Seen()
    parser.feed(html)
    parser.close()
    return parser


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_shows_as_itself_in_a_node(text):
    """No tag comes of it, and all of it is there to read."""
    found = seen(h("p", None, text))
    assert (found.tags, found.text) == ([("p", {})], text)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_inside_its_attribute(text):
    """An attribute value never ends early."""
    assert seen(h("p", {"title": text})).tags == [("p", {"title": text})]


@given(st.text())
def test_no_text_makes_a_tag_or_ends_an_attribute(text):
    """Whatever a conversation holds, the page has our element and no other."""
    found = seen(h("p", {"title": text, "data-k": text}, text))
    assert [tag for tag, _ in found.tags] == ["p"]
    assert set(found.tags[0][1]) == {"title", "data-k"}


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Cn"])))
def test_plain_text_is_shown_unchanged(text):
    """Nothing is lost on the way to the screen."""
    assert seen(h("p", None, text)).text == text


@given(st.text(alphabet=st.characters()))
def test_escaped_text_can_always_be_sent(text):
    """A lone surrogate would end the websocket's message."""
    esc(text).encode("utf-8")


def test_text_that_reorders_its_surroundings_is_shown_by_its_code():
    """A right-to-left override in a tool name must not turn the sentence around."""
    assert esc("a\u202eb") == "a[U+202E]b"


def test_control_characters_are_shown_as_replaced():
    """A NUL has no place in HTML; a line break and a tab do."""
    assert esc("a\x00b\n\t") == "a\ufffdb\n\t"


def test_html_passes_once_and_is_not_escaped_again():
    """A child that was built stays as it was built."""
    assert h("p", None, h("b", None, "x < y"), " & ") == "<p><b>x &lt; y</b> &amp; </p>"


def test_html_joined_with_text_is_text_again():
    """An f-string over Html loses its mark, so the mistake shows and cannot run."""
    assert h("p", None, f"{Html('<b>ours</b>')}") == "<p>&lt;b&gt;ours&lt;/b&gt;</p>"


def test_html_in_an_attribute_is_escaped():
    """Markup that passes as a child is only text as a value."""
    assert h("p", {"title": Html('<b a="1">')}) == '<p title="&lt;b a=&quot;1&quot;&gt;"></p>'


def test_nothing_and_nested_children():
    """None and False are left out, numbers and nested lists are written."""
    assert h("ul", {"hidden": True, "id": None, "class": False}, None, [1, [0.5, "x"]], False) == (
        "<ul hidden>10.5x</ul>"
    )


def test_join_escapes_parts_and_what_stands_between():
    """Each part as a child would be."""
    assert join(["a", Html("<br>")], " < ") == "a &lt; <br>"


@pytest.mark.parametrize("tag", ["script", "img", "iframe", "a", "style", "foreignObject", "p onclick=x"])
def test_tags_that_load_or_run_are_refused(tag):
    """A panel cannot build them by mistake."""
    with pytest.raises(ValueError, match="builds no"):
        h(tag)


@pytest.mark.parametrize(
    "attributes",
    [
        {"onclick": "x"},
        {"ONLOAD": "x"},
        {"srcdoc": "x"},
        {"formaction": "x"},
        {"href": "javascript:x"},
        {"src": "http://x"},
        {"a b": "x"},
        {"style": "background:url(//x)"},
        {"style": "x:expression(1)\\"},
        {"style": 'x:"'},
    ],
)
def test_attributes_that_load_or_run_are_refused(attributes):
    """Nor these."""
    with pytest.raises(ValueError, match="writes"):
        h("p", attributes)


def test_void_tags_take_no_children():
    """`<br>x</br>` would be two elements."""
    with pytest.raises(ValueError, match="takes no children"):
        h("br", None, "x")
