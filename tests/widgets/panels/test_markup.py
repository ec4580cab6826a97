"""What holds for every panel's HTML: hostile text stays text, keys are unique, acts are documented, sections named."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from routing_workbench.core.explain.reason import Reason
from routing_workbench.core.explain.trace import Trace
from routing_workbench.widgets import panels
from routing_workbench.widgets.panels import View

PANELS = {
    name: getattr(panels, name)
    for name in (
        "bar",
        "conversation_head",
        "verdict",
        "why",
        "timeline",
        "driver",
        "controls",
        "turns",
        "policy",
        "cutoffs_verdict",
        "cutoffs_question",
        "cutoffs_usable",
        "cutoffs_settings",
        "cutoffs_flips",
    )
}
LANES = {name: getattr(panels, name) for name in ("lane_names", "lane_drawing", "lane_values")}
LOOKED_AT = {
    name: getattr(panels, name)
    for name in (
        "conversation_details",
        "probabilities_head",
        "probabilities_below",
        "judge_view",
        "cutoffs_rules",
    )
}
VIEWS = (View(), View(against_source=False, table=True, cutoffs_table=True))

TAGS = set(
    "div span section h2 h3 p ul ol li b i br code pre mark button input textarea select option optgroup label "
    "table thead tbody tr th td caption details summary svg rect circle path line text".split()
)
ATTRIBUTES = set(
    "class id style title role type value disabled checked selected placeholder min max step tabindex scope viewbox x "
    "y cx cy r x1 x2 y1 y2 width height d overflow stroke-dasharray text-anchor aria-hidden aria-label aria-labelledby "
    "aria-pressed aria-selected data-k data-act data-clock data-keep data-form data-take label rows spellcheck".split()
)
VOID = {"br", "input"}


class Tree(HTMLParser):
    """Reads HTML and keeps what a browser would make of it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.open: list[tuple[str, set[str]]] = [("root", set())]
        self.twins: list[str] = []
        self.acts: set[str] = set()
        self.text = ""
        self.broken: list[str] = []

    def handle_starttag(self, tag, attrs):
        """Note the tag, its attributes, its key among its siblings, its act."""
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        given = dict(attrs)
        self.acts |= {given["data-act"]} if "data-act" in given else set()
        if "data-k" in given:
            key = f"{tag} {given['data-k']}"
            self.twins += [key] if key in self.open[-1][1] else []
            self.open[-1][1].add(key)
        if tag not in VOID:
            self.open.append((tag, set()))

    def handle_endtag(self, tag):
        """Close the innermost tag, or note that another was closed."""
        if self.open[-1][0] != tag:
            self.broken.append(tag)
        else:
            self.open.pop()

    def handle_data(self, data):
        """Collect the text."""
        self.text += data

    def handle_comment(self, data):
        """We write none."""
        self.broken.append(f"comment {data}")

    def handle_decl(self, decl):
        """We write none."""
        self.broken.append(f"declaration {decl}")

    def handle_pi(self, data):
        """We write none."""
        self.broken.append(f"instruction {data}")


def tree(html: str) -> Tree:
    """The HTML as read."""
    found = Tree()
    found.feed(html)
    found.close()
    return found


def rendered(screen):
    """Every panel of a screen, in both ways of looking."""
    for name, panel in PANELS.items():
        yield name, panel(screen)
    for name, panel in LANES.items():
        yield name, panel(panels.lanes(screen))
    for name, panel in LOOKED_AT.items():
        for view in VIEWS:
            yield name, panel(screen, view)


#: Fields that choose between shapes rather than being shown.
_SHAPES = {"kind", "bar_name", "source"}


def poisoned(value, text: str):
    """The value with `text` in every slot that holds text: names, messages, arguments, notes, errors."""
    if isinstance(value, (Enum, Trace, Reason)):
        return value
    if isinstance(value, str):
        return text
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(poisoned(one, text) for one in value))
    if isinstance(value, tuple):
        return tuple(poisoned(one, text) for one in value)
    if isinstance(value, list):
        return [poisoned(one, text) for one in value]
    if isinstance(value, dict):
        return {text + str(index): poisoned(one, text) for index, one in enumerate(value.values())}
    if is_dataclass(value):
        changes = {
            field.name: poisoned(getattr(value, field.name), text)
            for field in fields(value)
            if field.init and field.name not in _SHAPES
        }
        return replace(value, **changes)
    return value


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "<svg onload=alert(1)>",
    "</textarea></option></select></button><b>",
    "&lt;script&gt;&#60;script>",
    "<!-- -->]]><?x?><!doctype html>",
    "`a` javascript:alert(1) some_name",
    "\u202e\x00\ud800\u2028",
    "line\nline\r\n\tline",
)


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_in_every_slot_stays_text(screen, hostile):
    """No slot of the screen can add a tag, an attribute, a comment, or close one of ours."""
    for name, html in rendered(poisoned(screen, hostile)):
        found = tree(html)
        assert not found.broken, name
        assert len(found.open) == 1, name
        assert found.tags <= TAGS, name
        assert found.attributes <= ATTRIBUTES, name


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=20)), max_size=4).map("".join))
def test_arbitrary_text_in_every_slot_stays_text(screens, text):
    """The same for any text, on the screen that shows the most."""
    for name, html in rendered(poisoned(screens.done(), text)):
        found = tree(html)
        assert not found.broken, name
        assert found.tags <= TAGS, name
        assert found.attributes <= ATTRIBUTES, name


@pytest.mark.parametrize("panel", ["bar", "verdict", "judge_view", "timeline", "driver", "why"])
def test_hostile_text_is_shown_as_it_is(screens, panel):
    """Escaping loses nothing: the text is on screen, letter for letter."""
    text = '"><img src=x onerror=alert(1)>'
    html = getattr(panels, panel)(poisoned(screens.done(), text))
    assert text in tree(html).text


def test_row_keys_are_unique_among_siblings(screen):
    """The surface matches rows by key, so no two siblings share one."""
    for name, html in rendered(screen):
        assert tree(html).twins == [], name


def test_ids_carry_the_bench(screens):
    """Two benches of a page never share an element id."""
    for name, html in rendered(replace(screens.done(), bench="rw2")):
        for found in re.findall(r'(?:id|aria-labelledby)="([^"]*)"', html):
            assert found.startswith("rw2-"), name


def test_sections_are_named_by_their_h3(screen):
    """Each panel is a section with the id of its heading."""
    for name, html in rendered(screen):
        if name.startswith(("bar", "conversation", "lane", "probabilities")):
            continue
        named = re.search(r'<section class="panel[^"]*" aria-labelledby="([^"]+)"', html)
        assert named, name
        assert re.search(rf'<h3[^>]* id="{named[1]}"', html) or f'<h3 id="{named[1]}"' in html, name


def test_every_act_is_in_the_table(screen):
    """What a control reports is documented in the package."""
    known = set(re.findall(r"`([a-z:_-]+)`", panels.__doc__))
    for name, html in rendered(screen):
        for act in tree(html).acts:
            rung = re.fullmatch(r"rung:\w+:(answer|delay|fault)", act)
            assert rung or act in known, f"{name}: {act}"


def test_toggles_carry_aria_pressed(screens):
    """A switch says which side is on."""
    html = panels.controls(screens.done())
    assert html.count('aria-pressed="true"') == 1
    assert html.count('aria-pressed="false"') == 3
