"""Where a value stands: what people call it."""

from __future__ import annotations

import pytest
from routing_workbench.core.conversation.positions import field_name, path_text


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
