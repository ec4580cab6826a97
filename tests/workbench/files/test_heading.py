"""What a record is called in a list."""

from __future__ import annotations

import pytest
from routing_workbench.workbench.files.heading import Heading, heading


@pytest.mark.parametrize(
    ("record", "title", "messages"),
    [
        ({"messages": [{"role": "user", "content": "Hi  there\n you"}]}, "Hi there you", 1),
        ({"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Yes"}]}, "Hi", 2),
        ({"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}, "Hi", 1),
        ({"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": "Hi"}]}}, "Hi", 0),
        ({"id": "r-1", "request": {"messages": [{"role": "user", "content": "Hi"}]}}, "r-1: Hi", 1),
        ({"mapping": {"a": {"message": {"author": {"role": "user"}, "content": {"parts": ["Hi"]}}}}}, "Hi", 0),
        ({"type": "response_item", "payload": {"role": "user", "content": [{"text": "<env>"}]}}, "<env>", 0),
        ([{"role": "user", "content": [{"type": "tool_result", "content": "x"}]}], "", 1),
        ({"a": 1}, "", 0),
        ("text", "", 0),
    ],
)
def test_a_record_is_called_by_its_name_and_the_first_words_of_a_user(record, title, messages):
    """In whatever format it is."""
    found = heading(record)
    assert (found.title, found.messages) == (title, messages)


def test_what_a_harness_put_first_is_not_the_title():
    """The task is what follows."""
    messages = [{"role": "user", "content": "<environment_context>"}, {"role": "user", "content": "Mend it"}]
    assert heading({"messages": messages}).title == "Mend it"


def test_a_long_text_gives_a_short_title():
    """In time that does not grow with it."""
    found = heading({"messages": [{"role": "user", "content": "word " * 1_000_000}]})
    assert len(found.title) == 80


def test_deep_nesting_ends():
    """A record may be anything."""
    deep: list[object] = []
    for _ in range(5_000):
        deep = [deep]
    assert heading({"a": deep}) == Heading()
