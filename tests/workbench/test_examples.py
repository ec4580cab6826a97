"""The examples: there, read without an error, and each one different."""

from __future__ import annotations

from importlib.resources import files

import pytest
from routing_workbench.core.conversation.diagnostics import Severity
from routing_workbench.core.conversation.read import read
from routing_workbench.workbench.analysis import analyze
from routing_workbench.workbench.examples import example, examples

NAMES = [name for name, _ in examples()]


def test_every_file_is_offered_and_every_offer_is_a_file():
    """One list."""
    folder = files("routing_workbench.examples") / "conversations"
    assert sorted(NAMES) == sorted(entry.name for entry in folder.iterdir())


def test_titles_are_short_and_differ():
    """They fill a menu."""
    titles = [title for _, title in examples()]
    assert len(set(titles)) == len(titles)
    assert max(map(len, titles)) <= 48


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_read_with_notes_at_most(name):
    """What a newcomer sees first is in order."""
    reading = read(example(name))
    assert len(reading.conversations) == 1
    assert {remark.severity for remark in reading.diagnostics} <= {Severity.NOTE}


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_routed(name):
    """To one of the tiers, for a reason."""
    found = analyze(example(name))
    assert found.failure is None
    assert found.reason.headline


def test_the_examples_show_several_branches():
    """Otherwise they would teach one thing."""
    assert len({analyze(example(name)).branch for name in NAMES}) >= 3


def test_a_name_that_is_none_says_which_there_are():
    """And not where files lie."""
    with pytest.raises(KeyError, match=r"no example '\.\./__init__\.py'; there are: agent-tidewatch"):
        example("../__init__.py")
