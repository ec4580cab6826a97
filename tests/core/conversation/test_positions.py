"""Where a value stands: what people call it."""

from __future__ import annotations

import pytest
from routing_workbench.core.conversation.positions import Lines, field_name, path_text, place_at, spans


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (("model",), "model"),
        (("messages", 1, "name"), "name"),
        (("calls", 0, 1), "calls"),
        (("messages", 1, "host.invalid/a b"), "host.invalid/a b"),
        (('it"s [0].odd', 2), 'it"s [0].odd'),
        ((3,), "[3]"),
    ],
)
def test_a_field_is_called_by_its_last_key(path: tuple[str | int, ...], name: str) -> None:
    """Whatever the key is made of; a path without a key by its text."""
    assert field_name(path_text(path)) == name


def test_a_name_that_is_no_path_stays_as_it_is() -> None:
    """Some of what is kept has a name of ours."""
    assert field_name("unread lines") == "unread lines"


TEXT = '{"a": [10, {"b": "x"}, 30], "c": {"a": 1}, "a": [7]}'


def value_at(path: tuple[str | int, ...], *, repeats: bool = True) -> str:
    """The text of the value that a path leads to, or of the nearest above it."""
    found = spans(TEXT, [0], False, [path], repeats=repeats)
    while path not in found:
        path = path[:-1]
    return TEXT[slice(*found[path])]


@pytest.mark.parametrize(
    ("path", "text"), [(("c", "a"), "1"), (("c",), '{"a": 1}'), ((), TEXT), (("c", "x", 3), '{"a": 1}'), (("z",), TEXT)]
)
def test_a_path_leads_to_its_value_or_the_nearest_above(path: tuple[str | int, ...], text: str) -> None:
    """By the document's own text."""
    assert value_at(path) == text


def test_of_a_repeated_key_the_last_one_counts() -> None:
    """As it does for the value that is read."""
    assert value_at(("a",)) == "[7]"
    assert value_at(("a", 0)) == "7"


def test_without_repeated_keys_the_first_one_is_enough() -> None:
    """What stands behind it is not looked at."""
    assert value_at(("a", 1, "b"), repeats=False) == '"x"'
    assert value_at(("a", 5), repeats=False) == '[10, {"b": "x"}, 30]'


def test_of_several_documents_the_first_step_is_the_document() -> None:
    """A path to none of them is left out."""
    text = '{"a": 1}\n{"a": 22}'
    assert spans(text, [0, 9], True, [(1, "a"), (7, "a")]) == {(1, "a"): (15, 17)}


def test_lines_are_counted_on_and_back() -> None:
    """Whatever the order of the offsets."""
    text = "ab\n\ncd\nef"
    lines = Lines(text, 3)
    assert [lines.place(at) for at in (5, 9, 0, 3)] == [place_at(text, at) for at in (5, 9, 0, 3)]
