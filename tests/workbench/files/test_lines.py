"""Lines in a stream: their numbers and places, and long ones by their ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from routing_workbench.workbench.files import lines as lines_module
from routing_workbench.workbench.files import source as source_module
from routing_workbench.workbench.files.headway import Headway
from routing_workbench.workbench.files.lines import lines
from routing_workbench.workbench.files.source import TextSource


def found(content):
    """The lines of these bytes."""
    return list(lines(TextSource("a", content), Headway()))


@pytest.fixture
def small(monkeypatch):
    """Pieces of 4 bytes, lines of up to 10 kept whole, ends of 3."""
    monkeypatch.setattr(source_module, "PIECE", 4)
    monkeypatch.setattr(lines_module, "KEPT", 10)
    monkeypatch.setattr(lines_module, "END", 3)


@given(st.binary(max_size=60).map(lambda content: content.replace(b"x", b"\n")), st.integers(1, 9))
def test_each_line_stands_where_it_says(content, piece):
    """Whatever the pieces."""
    before = source_module.PIECE
    source_module.PIECE = piece
    try:
        made = found(content)
    finally:
        source_module.PIECE = before
    expected = [(number, line) for number, line in enumerate(content.split(b"\n"), 1) if line.strip()]
    assert [(line.number, line.head) for line in made] == expected
    assert all(content[line.start : line.start + line.length] == line.head and line.whole for line in made)


@pytest.mark.usefixtures("small")
def test_of_a_long_line_its_ends_are_kept():
    """It is not loaded."""
    content = b"ab\n" + b"".join(b"%d" % (at % 10) for at in range(30)) + b"\nxy"
    one, long, last = found(content)
    assert (one.head, last.head, last.number, last.start) == (b"ab", b"xy", 3, 34)
    assert (long.head, long.tail, long.length, long.start, long.whole) == (b"012", b"789", 30, 3, False)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("length", range(8, 16))
def test_the_ends_are_right_at_the_limit(length):
    """Where a line is just too long."""
    content = bytes(range(65, 65 + length))
    (line,) = found(content)
    assert line.length == length
    assert line.head == (content if length <= 10 else content[:3])
    assert line.tail == (b"" if length <= 10 else content[-3:])


def test_blank_lines_are_none():
    """But they are counted."""
    assert [(line.number, line.start) for line in found(b"\n \r\na\n\n")] == [(3, 4)]
