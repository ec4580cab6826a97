"""Text that is no TOML is told with line and column, and every key's place is found."""

from __future__ import annotations

import pytest
from routing_workbench.core.conversation.diagnostics import Diagnostic
from routing_workbench.workbench.config.document import LONGEST, TomlText, read_toml

TEXT = """\
# A comment.
plain = 1

[llm_clients.box] # one
format = "openai_chat"
extra_headers = { a = "b", c = "d" }

[routes."odd name"]
checker.tests_dir = "x"
  indented = 30
decision = { rules = [
   # first
   { candidate = "a", cutoff = 0.5 },
   { candidate = "b", cutoff = 0.6 },
  ], fallback = "b" }
text = \"\"\"
[routes.no]
key = 1
\"\"\"

[[routes.x.decision.rules]]
cutoff = 0.1

[[routes.x.decision.rules]]
cutoff = 0.2

[llm_clients.late]
z = 1
"""


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        (("plain",), 2, 1),
        (("llm_clients", "box"), 4, 1),
        (("llm_clients", "box", "format"), 5, 1),
        (("llm_clients", "box", "extra_headers", "c"), 6, 28),
        (("routes", "odd name"), 8, 1),
        (("routes", "odd name", "checker"), 9, 1),
        (("routes", "odd name", "checker", "tests_dir"), 9, 1),
        (("routes", "odd name", "indented"), 10, 3),
        (("routes", "odd name", "decision"), 11, 1),
        (("routes", "odd name", "decision", "rules", 1), 14, 6),
        (("routes", "odd name", "decision", "rules", 1, "cutoff"), 14, 23),
        (("routes", "odd name", "decision", "fallback"), 15, 6),
        (("routes", "odd name", "text"), 16, 1),
        (("routes", "x"), 21, 1),
        (("routes", "x", "decision", "rules", 1), 24, 1),
        (("routes", "x", "decision", "rules", 1, "cutoff"), 25, 1),
        (("llm_clients", "late", "z"), 28, 1),
        # What is not there stands where it would.
        (("llm_clients", "late", "missing"), 27, 1),
    ],
)
def test_a_path_leads_to_its_key(path, line, column):
    """In tables, inline tables, lists, dotted keys and tables that are written in several parts."""
    toml = read_toml(TEXT)
    assert isinstance(toml, TomlText)
    place = toml.places([path])[path]
    assert (place.line, place.column) == (line, column)


def test_places_are_found_together_as_alone():
    """Marks for many paths do not move each other."""
    toml = read_toml(TEXT)
    assert isinstance(toml, TomlText)
    paths = [
        ("plain",),
        ("llm_clients",),
        ("llm_clients", "box"),
        ("routes", "x"),
        ("routes", "x", "decision"),
        ("no",),
    ]
    together = toml.places(paths)
    assert together == {path: toml.places([path])[path] for path in paths}


def test_a_text_that_holds_the_mark_is_read_all_the_same():
    """Even the character that marks places may stand in a file."""
    text = "a = '\U000f7a3e0.0\U000f7a3e'\n  b = 2\n"
    toml = read_toml(text)
    assert isinstance(toml, TomlText)
    place = toml.places([("b",)])[("b",)]
    assert (place.line, place.column) == (2, 3)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("a = 1\nb = \n", 2, None, "No TOML: this is no TOML."),
        ("a = 1 b = 2", 1, 7, "No TOML: this is no TOML."),
        ("a = 1\nb = [1,\n2", 3, None, "No TOML: a value is missing, or not closed."),
        ('a = "x', 1, None, "No TOML: the file ends inside a value or a table's name."),
        ("[a", 1, None, "No TOML: the file ends inside a value or a table's name."),
        ("a = 2020-13-45", 1, None, "No TOML: this is no date."),
        ("a = +_1", 1, None, "No TOML: this is no number."),
        ("a = 1\n= 1", 2, 1, "No TOML: a key is missing before this."),
        ('a = "\\ud800"', 1, 7, "No TOML: an escape is no character."),
        ("a = '\ud800'", 1, 6, "No TOML: half a surrogate pair."),
        ("a = 1\n  a = 2\n", 2, 3, "No TOML: a name stands twice."),
        ("[a]\nx = 1\n[b]\ny = 1\n[a]\nz = 1\nq = 1\n[c]\n", 5, 1, "No TOML: a name stands twice."),
        ("[a]\nx = 1\nx = 2\n[b]\n", 3, 1, "No TOML: a name stands twice."),
        ("[[a]]\nb = 1\n\n[a]\nc = 1\n", 4, 1, "No TOML: a name stands twice."),
        ("a = { b = 1, b = 2 }\nc = 1\n", 1, 1, "No TOML: a name stands twice."),
        ("[a]\nb.c = 1\n[a.b]\nd = 1\n", 3, 1, "No TOML: a table stands twice."),
        ("x.y = 1\n[x]\nz = 1\n", 2, 1, "No TOML: a table stands twice."),
        ("a = " + "[" * 5000, 1, None, "No TOML: values or names are nested too deep."),
    ],
)
def test_what_is_no_toml_is_told_where_it_is(text, line, column, message):
    """Repeated names too, which tomlkit notices further down."""
    found = read_toml(text)
    assert isinstance(found, Diagnostic)
    assert (found.code, found.message, found.place.line) == ("no-toml", message, line)
    assert column is None or found.place.column == column


def test_a_file_that_is_too_long_is_not_read():
    """And says how long it may be."""
    found = read_toml("#" * (LONGEST + 1))
    assert isinstance(found, Diagnostic)
    assert found.message == "The file has 200,001 characters, and at most 200,000 are read."
