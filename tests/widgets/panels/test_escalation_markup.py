"""What holds for all HTML of the Escalation tab: hostile text stays text, keys are unique, sections are named."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from html.parser import HTMLParser
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from routing_workbench.widgets.panels.escalation import (
    escalation_details,
    escalation_settings,
    escalation_turns,
    escalation_verdict,
    streak_panel,
    transcript_panel,
)
from routing_workbench.widgets.panels.view import View

_spec = spec_from_file_location("escalation_screens", Path(__file__).with_name("escalation_screens.py"))
screens = module_from_spec(_spec)
_spec.loader.exec_module(screens)

PLAIN = (escalation_verdict, escalation_details, escalation_settings, escalation_turns)
LOOKED_AT = (streak_panel, transcript_panel)
VIEWS = (View(), View(escalation_table=True, against_source=False))
TAGS = set(
    "div span section h3 p ul ol li b br g code pre mark button input select option label table thead tbody tr th td "
    "caption details summary svg rect circle path line text i".split()
)
VOID = {"br", "input"}
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</td></tr></table></pre></button><b>",
    "<svg onload=alert(1)>",
    "\u202e\x00\ud800\u2028",
)
#: Text that chooses between shapes rather than being shown.
_SHAPES = {"name", "bench"}


def rendered(screen):
    """Every panel of the tab, in both ways of looking."""
    for panel in PLAIN:
        yield panel.__name__, panel(screen)
    for panel in LOOKED_AT:
        for view in VIEWS:
            yield panel.__name__, panel(screen, view)


def poisoned(value, text):
    """The value with `text` in every slot that holds text."""
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return text
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        return type(value)(poisoned(one, text) for one in value)
    if is_dataclass(value):
        changed = {
            field.name: poisoned(getattr(value, field.name), text)
            for field in fields(value)
            if field.init and field.name not in _SHAPES
        }
        return replace(value, **changed)
    return value


class Tree(HTMLParser):
    """Reads HTML and keeps what a browser would make of it."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.acts, self.text = set(), set(), ""
        self.open = [("root", set())]
        self.twins, self.broken, self.scripts = [], [], []

    def handle_starttag(self, tag, attrs):
        """Note the tag, its key among its siblings, its act, and anything that would run."""
        given = dict(attrs)
        self.tags.add(tag)
        self.scripts += [name for name in given if name.startswith("on") or name in ("src", "href")]
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


def tree(html):
    """The HTML as read."""
    found = Tree()
    found.feed(html)
    found.close()
    return found


@pytest.mark.parametrize("state", sorted(screens.STATES))
@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_in_every_slot_stays_text(state, hostile):
    """Reasons, transcript, names, notes, errors: none adds a tag or an attribute, or closes one of ours."""
    for name, html in rendered(poisoned(screens.STATES[state](), hostile)):
        found = tree(html)
        assert not found.broken, name
        assert len(found.open) == 1, name
        assert found.tags <= TAGS, name
        assert not found.scripts, name


@pytest.mark.parametrize("panel", [streak_panel, escalation_details, transcript_panel])
def test_hostile_text_is_shown_as_it_is(panel):
    """Escaping loses nothing: the judge's reason and the transcript stand there letter for letter."""
    shown = screens.tab()
    text = "<img src=x onerror=alert(1)>"
    turns = tuple(replace(turn, reason=text) if turn.verdict else turn for turn in shown.turns)
    request = screens.request()
    said = replace(request.messages[0], content=(screens.Text(text),))
    view = screens.escalation_view(replace(request, messages=(said, *request.messages[1:18])), 9, screens.CONFIG)
    screen = screens.screen_of(replace(shown, turns=turns, view=view))
    assert text in tree(panel(screen)).text


@pytest.mark.parametrize("state", sorted(screens.STATES))
def test_keys_are_unique_among_siblings(state):
    """The surface matches elements by key."""
    for name, html in rendered(screens.STATES[state]()):
        assert tree(html).twins == [], name


@pytest.mark.parametrize("state", sorted(screens.STATES))
def test_ids_carry_the_bench_and_name_their_section(state):
    """Two benches of a page share no id; each panel is a section named by its h3."""
    for name, html in rendered(replace(screens.STATES[state](), bench="rw2")):
        ids = re.findall(r' id="([^"]*)"', html)
        assert all(one.startswith("rw2-") for one in ids), name
        for named in re.findall(r'aria-labelledby="([^"]*)"', html):
            assert named in ids, name


@pytest.mark.parametrize("state", sorted(screens.STATES))
def test_a_tier_is_never_told_by_colour_alone(state):
    """LOCAL and CLOUD stand as words with their shape wherever a tier's class stands."""
    for name, html in rendered(screens.STATES[state]()):
        for tier, shape, word in re.findall(
            r'<span class="tier (\w+)"><svg class="g"[^>]*><(\w+)[^>]*></\2></svg>([^<]+)</span>', html
        ):
            assert (tier, shape, word) in {("local", "rect", "LOCAL"), ("cloud", "circle", "CLOUD")}, name
        assert html.count('class="tier') == len(re.findall(r'class="tier \w+"><svg class="g"', html)), name


@pytest.mark.parametrize("state", sorted(screens.STATES))
def test_acts_are_those_of_the_table(state):
    """What a control reports is what the shell knows."""
    known = {
        "turn", "turn:previous", "turn:next", "escalation:confirmations", "escalation:recent_turn_window",
        "escalation:window_message_chars", "escalation:handoff_note", "escalation:session", "escalation:redact",
        "escalation:reset", "escalation:view", "judge:view", "copy-transcript", "copy-record", "run", "cancel",
        "paste", "example",
    }  # fmt: skip
    for name, html in rendered(screens.STATES[state]()):
        assert tree(html).acts <= known, name
