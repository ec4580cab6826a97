"""No content of a file raises, and none makes a route usable that has an error."""

from __future__ import annotations

import pytest
import tomlkit
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st
from routing_workbench.core.conversation.diagnostics import Severity
from routing_workbench.workbench.config import read_routes
from routing_workbench.workbench.config.tables import ClassifierTable, ClientTable, DecisionTable, TargetTable, VgrTable

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
_NAMES = st.sampled_from(["a", "b", "r", "box", ""])
_SCALARS = (
    st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.floats()
    | _TEXT
    | _NAMES
    | st.dates()
    | st.sampled_from(["openai_chat", "http://127.0.0.1/v1", "active", "escalation", "sk-0123456789abcdef0"])
)
_JUNK = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES | _TEXT, inner, max_size=3),
    max_leaves=8,
)


def _tables(*models, **fixed):
    """Tables whose keys are mostly a model's and whose values are anything."""
    keys = sorted({key for model in models for key in model.model_fields})
    return st.dictionaries(st.sampled_from(keys) | _TEXT, _JUNK, max_size=6).map(lambda table: fixed | table)


_CLIENT = _tables(ClientTable, format="openai_chat", base_url="http://127.0.0.1/v1") | _JUNK
_TARGET = _tables(TargetTable, id="m", llm_client="box") | _JUNK
_DECISION = _tables(DecisionTable, candidates={"a": "a", "b": "b"}, rules=[{"candidate": "a", "cutoff": 0.5}])
_ROUTE = (
    _tables(VgrTable, type="vgr", local_target="a", cloud_target="b")
    | _tables(ClassifierTable, type="llm_classifier", judge_target="a", efficient_target="a", capable_target="b")
    | _DECISION.map(lambda decision: {"type": "llm_classifier", "judge_target": "a", "decision": decision})
    | _JUNK
)


def _some(tables):
    return st.dictionaries(_NAMES, tables, max_size=3) | _JUNK


_FILES = st.fixed_dictionaries({"llm_clients": _some(_CLIENT), "targets": _some(_TARGET), "routes": _some(_ROUTE)})


@settings(max_examples=60, deadline=None)
@examples(_FILES)
def test_any_values_are_read_or_told(values):
    """Whatever the types: a route has a problem just when an error concerns it, and every remark has its line.

    But for those that count how many more there are of one kind.
    """
    file = read_routes(tomlkit.dumps(values))
    for route in file.routes.values():
        errors = [one for one in route.diagnostics if one.severity is Severity.ERROR]
        assert bool(route.problem) == bool(errors)
        if not route.problem:
            assert route.kind is not None
            assert route.driver().origin.label != ""
    assert all(one.place.line is not None or " more like " in one.message for one in file.diagnostics)


@settings(max_examples=60, deadline=None)
@examples(st.text(max_size=60) | st.text("[]{}=.\"'\n#ab1-_, ", max_size=60))
def test_any_text_is_read_or_told(text):
    """TOML or not."""
    file = read_routes(text)
    assert file.routes == {}
    assert file.diagnostics != ()


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "a = " + "[" * 100_000,
        "a = " + "{a=" * 50_000,
        "a." * 50_000 + "b = 1",
        "a = " + "9" * 100_000,
        "a = 0x" + "f" * 100_000,
        "a = '''" + "x" * 100_000,
        "\x00" * 1000,
        "#" * 10_000_000,
    ],
    ids=["tables", "lists", "inline tables", "dots", "digits", "hex digits", "open text", "NUL", "long"],
)
def test_deep_and_huge_texts_are_told(text):
    """Without recursion, and without converting a number of that many digits."""
    assert Severity.ERROR in {one.severity for one in read_routes(text).diagnostics}


def test_names_of_any_kind_stay_on_one_line(given):
    """A name with line ends, quotes or backticks cannot pass for our own words."""
    name = "x\\n`y`\\u202e" * 20
    file = read_routes(given.endpoints + f'[routes."{name}"]\ntype = "vgr"\n"{name}" = 1\n')
    words = [one.message for one in file.diagnostics]
    assert words
    assert all(word.isprintable() and word.count("`") % 2 == 0 for word in words)


def test_tables_that_stand_twice_give_no_route(given):
    """Neither of the two is taken."""
    file = read_routes(given.vgr() + given.vgr()[len(given.endpoints) :])
    assert file.routes == {}
    assert [(one.code, one.place.line) for one in file.diagnostics] == [("no-toml", given.first + 4)]
