"""Very deep, very many, very long: reading takes time and memory in proportion, whatever a paste holds.

Costs are compared with each other, or with `json.loads` of the same text, in processor time of this thread.
"""

from __future__ import annotations

import gc
import json
import time
import tracemalloc
from collections.abc import Callable

import pytest
from routing_workbench.core.conversation import read

TINY = '{"role":"user","content":"a"}'
DEEP = 10_000


def cost(work: Callable[[], object]) -> float:
    """Seconds of this thread, the least of three times."""
    times = []
    for _ in range(3):
        gc.collect()
        begun = time.thread_time()
        work()
        times.append(time.thread_time() - begun)
    return min(times)


def tiny(messages: int, one: str = TINY) -> str:
    """A body of very many very short messages."""
    return '{"messages":[' + ",".join([one] * messages) + "]}"


@pytest.mark.parametrize(
    "text",
    [
        "[" * DEEP + "]" * DEEP,
        '{"a":' * DEEP + "1" + "}" * DEEP,
        '{"messages":[{"role":"user","content":[' * DEEP,
        '{"messages":[{"role":"user","content":' + "[" * DEEP + "]" * DEEP + "}]}",
    ],
    ids=["lists", "objects", "messages", "content"],
)
def test_ten_thousand_levels_are_refused_at_once(text: str) -> None:
    """For less than it takes to read as many parts side by side."""
    assert [one.code for one in read(text).diagnostics] == ["json-too-deep"]
    flat = json.dumps({"messages": [{"role": "user", "content": ["a"] * DEEP}]})
    assert cost(lambda: read(text)) < 2 * cost(lambda: read(flat))


@pytest.mark.parametrize("one", [TINY, '{"role":"user","content":"a","name":"n"}', '{"role":"x","content":"a"}'])
def test_tiny_messages_cost_in_proportion(one: str) -> None:
    """Plain ones, ones of which something is kept, and ones that are remarked on."""
    few, many = tiny(10_000, one), tiny(80_000, one)
    assert len(read(many).conversations[0].request.messages) == 80_000
    assert cost(lambda: read(many)) < 8 * 3 * cost(lambda: read(few))


def test_many_tiny_messages_take_little_more_memory_than_their_json() -> None:
    """At the peak, four times what `json.loads` takes."""
    text = tiny(20_000)

    def peak(work: Callable[[], object]) -> int:
        tracemalloc.start()
        try:
            work()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(lambda: read(text)) < 4 * peak(lambda: json.loads(text))


def test_ten_megabytes_in_one_message_cost_a_few_times_their_json() -> None:
    """One text is taken as it is."""
    text = json.dumps({"messages": [{"role": "user", "content": "word \n" * 1_700_000}]})
    assert cost(lambda: read(text)) < 8 * cost(lambda: json.loads(text))


def test_many_conversations_cost_in_proportion() -> None:
    """Each is read by itself, and none looks at the others."""
    few, many = ("\n".join([tiny(2)] * count) for count in (500, 4000))
    assert len(read(many).conversations) == 4000
    assert cost(lambda: read(many)) < 8 * 3 * cost(lambda: read(few))
