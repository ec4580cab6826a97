"""Every JSON format of the registry, on a session that the benches write in it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from bodies import REQUESTS, Turn, turns_of
from logs import LOGS
from replies import REPLIES, STREAMS
from routing_workbench.core.conversation import read
from routing_workbench.core.conversation.formats import FORMATS, REGISTRY, Source
from routing_workbench.core.conversation.formats.format import Medium
from routing_workbench.core.conversation.opening import opened
from sessions import session
from traces import EMBEDDED, TRACES

HERE = Path(__file__).resolve().parent
WRITERS = {**REQUESTS, **REPLIES, **STREAMS, **LOGS, **TRACES, **EMBEDDED}
TURNS: list[Turn] = list(turns_of(session("agentic", 22)[0]))


def format_of(writer: str) -> str:
    """The name of the format; a comma and what is special about a writer may follow it."""
    return writer.partition(",")[0]


def test_the_bench_measures_every_json_format() -> None:
    """A new one needs a writer."""
    assert {format_of(name) for name in WRITERS} == {one.name for one in FORMATS if one.medium is not Medium.TEXT}


@pytest.mark.parametrize("writer", WRITERS)
def test_a_session_is_read_as_what_it_is_written_in(writer: str) -> None:
    """Nothing of it fails."""
    found = read(WRITERS[writer](TURNS))
    assert found.format is not None
    assert (found.format.name, found.failed) == (format_of(writer), False)


def pastes() -> list[str]:
    """All pastes of the tests, those of the cases too."""
    tables = [tomllib.loads(path.read_text("utf-8")) for path in HERE.glob("*.toml")]
    cases = [path.read_text("utf-8") for path in (HERE.parents[1] / "cases").glob("*/input*")]
    return cases + [paste["text"] for table in tables for paste in table["paste"] if "text" in paste]


def test_who_is_not_asked_would_not_have_fitted() -> None:
    """`fields`, `tells` and `at_most` save work, and change no answer."""
    for text in [*pastes(), *(write(TURNS) for write in WRITERS.values())]:
        source = opened(text)[1]
        unfit = Medium.TEXT if source.is_json else Medium.JSON
        found = REGISTRY.found(source)
        fits = [one.name for one in FORMATS if one.medium is not unfit and one.match(source) is not None]
        assert sorted(one.format.name for one in found) == sorted(fits)
        assert all(one.match.score <= one.format.at_most for one in found)
        assert REGISTRY.top(source) == next((one for one in found if not one.format.alone), None)


def test_a_value_inside_is_taken_apart_once() -> None:
    """What told the format is not decoded again to be read."""
    source = Source({"body": '{"a": 1}'}, registry=REGISTRY)
    inner = source.inside(source.value["body"], ("body",))
    assert source.inside(source.value["body"], ("body",)) is inner
    assert source.inside(source.value["body"], ("other",)) is not inner
