"""Several conversations in one paste: each with its own places, extras, remarks and title."""

from __future__ import annotations

import json
from typing import Any

import pytest
from routing_workbench.core.conversation import Reading, read


def line(text: str, **more: Any) -> str:
    """A request of one user message."""
    return json.dumps({"model": "m", "messages": [{"role": "user", "content": text, **more}]})


def test_places_and_extras_are_each_conversations_own() -> None:
    """A place starts with the document; what is kept of one is not kept of the other."""
    first, second = read(line("a", name="n") + "\n" + line("b")).conversations
    assert [place.path for place in first.places] == ["[0].messages[0]"]
    assert [place.path for place in second.places] == ["[1].messages[0]"]
    assert dict(first.extras) == {"[0].model": "m", "[0].messages[0].name": "n"}
    assert dict(second.extras) == {"[1].model": "m"}


def test_a_remark_names_its_conversation() -> None:
    """By its index, and in words; remarks on the paste as a whole name none."""
    orphan = json.dumps({"model": "m", "messages": [{"role": "tool", "tool_call_id": "x", "content": "y"}]})
    found = read("\n".join([line("a"), '{"broken', line("b"), orphan]))
    warnings = {d.code: (d.conversation, d.place.line) for d in found.diagnostics if d.severity == "warning"}
    assert warnings == {"line-unread": (None, 2), "orphan-result": (2, 4)}
    assert next(d.message for d in found.diagnostics if d.code == "orphan-result").startswith("Conversation 3: ")


def test_what_belongs_to_no_conversation_is_kept_with_each() -> None:
    """A broken line is lost with none of them."""
    found = read("\n".join([line("a"), '{"broken', line("b")]))
    assert [one.extras["unread lines"] for one in found.conversations] == [{"2": '{"broken'}] * 2


def test_titles() -> None:
    """A name of its own, else the first words of the user, else the number."""
    named = json.dumps({"id": "run-7", "model": "m", "messages": [{"role": "user", "content": "a"}]})
    empty = json.dumps({"model": "m", "messages": [{"role": "user", "content": ""}]})
    long = line("word " * 50)
    found = read("\n".join([named, line("  two\n words "), empty, long]))
    titles = [one.title for one in found.conversations]
    assert titles[:3] == ["run-7", "two words", "conversation 3"]
    assert len(titles[3]) == 80


def test_messages_are_shared_with_the_conversation_of_the_same_title() -> None:
    """A line put in front moves the others, and costs them nothing."""
    before = read("\n".join(map(line, "abc")))
    after = read("\n".join(map(line, "xabc")), previous=before)
    old = [one.request.messages[0] for one in before.conversations]
    new = [one.request.messages[0] for one in after.conversations]
    assert [a is b for a, b in zip(new[1:], old, strict=True)] == [True] * 3


def test_one_that_is_nested_too_deep_is_left_out_alone() -> None:
    """The others stay, and the error stands at its line."""
    deep = '{"model": "m", "messages": [{"role": "user", "content": "x"}], "tools": ' + "[" * 200 + "]" * 200 + "}"
    found = read("\n".join([line("a"), deep, line("b")]))
    assert [one.title for one in found.conversations] == ["a", "b"]
    assert [(d.code, d.place.line) for d in found.diagnostics if d.severity == "error"] == [("json-too-deep", 2)]


def test_a_forced_format_reads_all_of_them() -> None:
    """The list stays a list."""
    text = '{"messages": [{"role": "user", "content": "a"}]}\n{"messages": [{"role": "user", "content": "b"}]}'
    assert read(text).format != read(text, force="several-conversations").format
    assert len(read(text, force="several-conversations").conversations) == 2


@pytest.mark.parametrize("count", [2, 3000])
def test_remarks_of_many_conversations_stay_with_each(count: int) -> None:
    """A data set of thousands says of each conversation what is to be said of it, as if it stood alone."""
    found: Reading = read("\n".join(line(f"q{i}") for i in range(count)))
    alone = [(d.severity, d.code) for d in read(line("q")).diagnostics]
    assert len(found.conversations) == count
    for index in range(count):
        assert [(d.severity, d.code) for d in found.diagnostics if d.conversation == index] == alone


def test_two_messages_of_one_conversation_stay_one() -> None:
    """Messages one a line, or in a list, are not several conversations."""
    messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    for text in (json.dumps(messages), "\n".join(map(json.dumps, messages))):
        assert len(read(text).conversations) == 1
