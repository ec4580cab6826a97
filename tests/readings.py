"""What holds for every reading, whatever was pasted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from routing_workbench.core.conversation import Conversation, Place, Reading, Severity, locate, read
from routing_workbench.core.conversation.export import export
from routing_workbench.core.conversation.normalized import message_to_json, request_from_json, request_to_json

#: Formats that keep whatever stands in a paste, each text of it once at least.
LOSSLESS = frozenset(
    {
        "openai-chat-request",
        "anthropic-messages-request",
        "openai-responses-request",
        "gemini-request",
        "bedrock-converse-request",
        "ollama-chat-request",
        "mistral-chat-request",
        "claude-code-jsonl",
    }
)
#: Words that stand behind each other in a text: what a person would miss.
_WORDS = re.compile(r"[^\W\d_]{2,}(?: [^\W\d_]{2,})+")


def codes(found: Reading) -> list[str]:
    """The codes of the diagnostics."""
    return [d.code for d in found.diagnostics]


def well(found: Reading) -> None:
    """No reader failed, each turn has its place, the model can be written and read back, and errors say what to do."""
    assert "reader-failed" not in codes(found)
    assert found.conversations or found.failed
    for conversation in found.conversations:
        assert len(conversation.places) == len(conversation.request.turns)
        # One of several may be empty: it is listed, so that their number is right.
        assert conversation.request.turns or len(found.conversations) > 1
        assert request_from_json(request_to_json(conversation.request)) == conversation.request
        json.dumps(request_to_json(conversation.request), ensure_ascii=False, allow_nan=False).encode()
    assert all(d.next_step for d in found.diagnostics if d.severity is not Severity.NOTE)


def placed(text: str, found: Reading) -> None:
    """Each remark and each turn stands in the paste, in the line and column that are named."""
    for diagnostic in found.diagnostics:
        assert _is_within(diagnostic.place, text), diagnostic.code
    for conversation in found.conversations:
        for place in conversation.places:
            assert _is_within(place, text)
            assert place.start is not None or place.path is not None


def located(text: str, found: Reading) -> None:
    """The path of each turn leads to a place in the paste."""
    for conversation in found.conversations:
        for place in conversation.places:
            if place.path is not None and place.start is None:
                there = locate(text, place.path)
                assert there.start is not None
                assert _is_within(there, text)


def _is_within(place: Place, text: str) -> bool:
    if place.start is None:
        return place.line is None
    end = place.start if place.end is None else place.end
    line = text.count("\n", 0, place.start) + 1
    column = place.start - text.rfind("\n", 0, place.start)
    return 0 <= place.start <= end <= len(text) and (place.line, place.column) == (line, column)


def whole(conversation: Conversation) -> str:
    """All that a conversation holds, as JSON, in which 1, 1.0 and true differ."""
    request = request_to_json(conversation.request)
    others = [message_to_json(message) for message in conversation.alternatives]
    return json.dumps([request, conversation.stop_reason, others, dict(conversation.extras), conversation.title])


def steady(text: str, found: Reading, force: str | None = None) -> None:
    """Reading the paste again gives the same."""
    again = read(text, force=force)
    assert list(map(whole, again.conversations)) == list(map(whole, found.conversations))
    assert (again.format, again.diagnostics) == (found.format, found.diagnostics)


def exported(found: Reading) -> None:
    """Each conversation reads back from normalized JSON with the same turns."""
    for conversation in found.conversations:
        if conversation.request.turns:
            (again,) = read(export(conversation, "normalized").text).conversations
            assert request_to_json(again.request) == request_to_json(conversation.request)
            assert again.stop_reason == conversation.stop_reason


def words_lost(text: str, found: Reading) -> set[str]:
    """Words of the JSON in a paste that are neither in a turn nor kept beside one; none where nothing was read."""
    if not found.conversations:
        return set()
    held = " ".join(map(whole, found.conversations))
    said = {words for value in _strings(_documents(text)) for words in _WORDS.findall(value)}
    return {words for words in said if json.dumps(words)[1:-1] not in held}


def _documents(text: str) -> list[Any]:
    """The JSON of a paste: all of it, or each line and the data of each event that is some."""
    try:
        return [json.loads(text)]
    except (ValueError, RecursionError):
        pass
    found = []
    for line in text.split("\n"):
        try:
            found.append(json.loads(line.removeprefix("data:")))
        except (ValueError, RecursionError):
            continue
    return found


def _strings(value: Any) -> Iterator[str]:
    """All strings in a JSON value."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, (dict, list)):
            waiting += one.values() if isinstance(one, dict) else one
