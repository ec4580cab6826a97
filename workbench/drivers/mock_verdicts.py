"""What the mock's escalation judge says at each turn, from one line such as `decline x6, unavailable, escalate`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

#: A word of the list, and how many turns in a row it is said.
_ITEM = re.compile(r"(?P<word>.+?)(?:\s+x\s*(?P<times>[0-9]{1,6}))?", re.DOTALL)

_UNAVAILABLE = "unavailable"
#: Replies as a judge would give them; the words name the mock, so that no one takes them for a judgement.
_REPLIES: Mapping[str, str] = {
    "escalate": json.dumps(
        {"escalate": True, "reason": "Scripted: the same step fails again, and nothing new is tried."}
    ),
    "decline": json.dumps({"escalate": False, "reason": "Scripted: the work moves forward."}),
    _UNAVAILABLE: "Scripted: I would keep an eye on this session.",
}


def escalation_reply(answer: str, turn: int | None) -> str:
    """The text of the judge's reply at this turn, from 1; None is the first. The last word of a list goes on.

    A list holds at least one of `escalate`, `decline` and `unavailable`, which become replies of that kind; its other
    words are sent as they stand. An answer that is no list is sent as it stands, whole.
    """
    items = [_ITEM.fullmatch(item.strip()) for item in answer.split(",")]
    words = [(item["word"], int(item["times"] or 1)) for item in items if item is not None]
    if not any(word.lower() in _REPLIES for word, _ in words):
        return answer
    left = 1 if turn is None else turn
    said = ""
    for word, times in words:
        said, left = word, left - times
        if left <= 0:
            break
    return _REPLIES.get(said.lower(), said)
