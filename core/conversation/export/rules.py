"""What an API would refuse in a body: a call and its results apart, turns or ids that it does not allow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from ..model import Json

_ID = re.compile(r"[a-zA-Z0-9_-]+")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")


def openai_faults(messages: list[dict[str, Json]]) -> Counter[str]:
    """What OpenAI Chat refuses, with how often."""
    faults: Counter[str] = Counter()
    waiting: set[str] = set()
    for message in messages:
        if message.get("role") == "tool":
            if message.get("tool_call_id") not in waiting:
                faults["results that answer no call right before them"] += 1
            waiting.discard(message.get("tool_call_id", ""))
            continue
        faults["calls without a result right behind them"] += len(waiting)
        waiting = set()
        for call in message.get("tool_calls", ()):
            _check(call.get("id"), call.get("function", {}).get("name"), faults, any_id=True)
            waiting.add(call.get("id", ""))
    return +faults


def anthropic_faults(messages: list[dict[str, Json]]) -> Counter[str]:
    """What Anthropic Messages refuses, with how often."""
    faults: Counter[str] = Counter()
    if messages and messages[0].get("role") != "user":
        faults["a first turn that is not the user's"] += 1
    waiting: set[str] = set()
    for role, blocks in _turns(messages):
        answered = {b.get("tool_use_id") for b in blocks if b.get("type") == "tool_result"}
        faults["results that answer no call right before them"] += len(answered - waiting)
        faults["calls without a result right behind them"] += len(waiting - answered)
        seen = False
        for block in blocks:
            seen = seen or block.get("type") != "tool_result"
            faults["results behind other content of a turn"] += seen and block.get("type") == "tool_result"
        faults["turns without content"] += not blocks
        calls = [b for b in blocks if b.get("type") == "tool_use"] if role == "assistant" else []
        for call in calls:
            _check(call.get("id"), call.get("name"), faults, any_id=False)
            faults["calls whose arguments are no object"] += not isinstance(call.get("input"), dict)
        waiting = {call.get("id", "") for call in calls}
    return +faults


def _check(given: Json, name: Json, faults: Counter[str], *, any_id: bool) -> None:
    id_fits = isinstance(given, str) and bool(given if any_id else _ID.fullmatch(given))
    if not id_fits or not isinstance(name, str) or not _NAME.fullmatch(name):
        faults["calls with an id or a name that it does not allow"] += 1


def _turns(messages: Iterable[dict[str, Json]]) -> Iterator[tuple[Json, list[dict[str, Json]]]]:
    """The turns as the API has them: messages of one role behind each other are one."""
    role: Json = None
    blocks: list[dict[str, Json]] = []
    for message in messages:
        if message.get("role") != role and role is not None:
            yield role, blocks
            blocks = []
        role, content = message.get("role"), message.get("content")
        blocks += [{"type": "text"}] if isinstance(content, str) and content else []
        blocks += [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    if role is not None:
        yield role, blocks
