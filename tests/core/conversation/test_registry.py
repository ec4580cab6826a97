"""The registry: every format is declared, found by its fields, shown by an example, and listed on its page."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from routing_workbench.core.conversation.formats import FORMATS, REGISTRY, Format, Source
from routing_workbench.core.conversation.formats.draft import Draft
from routing_workbench.core.conversation.formats.format import Match
from routing_workbench.core.conversation.formats.registry import Registry
from routing_workbench.core.conversation.formats.table import formats_page

HERE = Path(__file__).resolve().parent
PASTED = {
    paste.get("format") for path in HERE.glob("*.toml") for paste in tomllib.loads(path.read_text("utf-8"))["paste"]
}


def nothing(source: Source, draft: Draft) -> None:
    """Read nothing."""


def always(score: float, name: str, fields: frozenset[str] = frozenset()) -> Format:
    """A format that fits whatever it is asked about."""
    return Format(name, name, "", "", lambda source: Match(score, ""), nothing, fields=fields)


def test_every_format_declares_itself() -> None:
    """Names are unique, and each says how it is recognized and what it loses."""
    assert len({f.name for f in FORMATS}) == len(FORMATS)
    assert all(f.title and f.recognized_by and f.loses and f.priority in (1, 2, 3) for f in FORMATS)


@pytest.mark.parametrize("one", FORMATS, ids=lambda f: f.name)
def test_every_format_is_shown_by_a_paste(one: Format) -> None:
    """A case of tests/cases, or a paste here."""
    assert one.example or one.name in PASTED


def test_the_page_of_formats_is_up_to_date() -> None:
    """`make formats` writes it."""
    page = HERE.parents[2] / "core" / "FORMATS.md"
    assert page.read_text(encoding="utf-8") == formats_page()


def test_only_formats_whose_fields_stand_there_are_asked() -> None:
    """So one more format costs nothing where it cannot be meant."""
    registry = Registry([always(0.5, "any"), always(0.9, "a", frozenset({"a", "b"})), always(0.9, "z", frozenset("z"))])
    assert [f.name for f, _ in registry.found(Source({"a": 1, "b": 2}))] == ["a", "any"]


def test_of_equal_scores_the_earlier_format_wins() -> None:
    """The order of the registry decides."""
    registry = Registry([always(0.9, "first", frozenset("z")), always(0.9, "second")])
    assert [f.name for f, _ in registry.found(Source({"z": 1}))] == ["first", "second"]


def test_a_format_is_found_by_its_name() -> None:
    """And no other."""
    assert [REGISTRY.named(f.name) for f in FORMATS] == list(FORMATS)
    assert REGISTRY.named("no-such") is None
