"""A request with the records of its stream behind it: one conversation, each turn at its place, and nothing lost."""

from __future__ import annotations

import json

from routing_workbench.core.conversation import read
from routing_workbench.core.conversation.model import text_of

REQUEST = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "options": {"seed": 1}}
PIECES = [
    {"model": "m", "message": {"role": "assistant", "content": "y"}, "done": False},
    {"model": "m", "message": {"role": "assistant", "content": "o"}, "done": True},
]


def lines(*values: object) -> str:
    """One document a line."""
    return "\n".join(map(json.dumps, values))


def test_the_reply_stands_where_its_first_record_does() -> None:
    """The place of a record is that in the paste, not that in its stream."""
    (found,) = read(lines(REQUEST, *PIECES)).conversations
    assert [place.path for place in found.places] == ["[0].messages[0]", "[1]"]
    assert text_of(found.request.messages[-1].content) == "yo"
    assert found.extras["[0].options"] == {"seed": 1}


def test_places_of_later_exchanges_are_their_own() -> None:
    """Of two exchanges, the second stands behind the first."""
    first, second = read(lines(REQUEST, *PIECES, REQUEST, *PIECES)).conversations
    assert [place.path for place in first.places] == ["[0].messages[0]", "[1]"]
    assert [place.path for place in second.places] == ["[3].messages[0]", "[4]"]


def test_whole_replies_behind_a_request_are_no_stream() -> None:
    """The second reply is a conversation of its own, and not put together with the first."""
    reply = {"choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "yo"}}]}
    conversations = read(lines({"model": "m", "messages": REQUEST["messages"]}, reply, reply)).conversations
    assert [len(one.request.messages) for one in conversations] == [2, 1]
