"""What a record of a large file is called in a list: its name, its first words of a user, its number of messages.

A look at the front of the record, in whatever format it is: it names and counts, and decides nothing.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from ...core.conversation.formats.several import name_of
from ...core.conversation.model import Json
from ...core.conversation.remarks import shown

#: Characters of a title.
TITLE_CHARS: Final = 80
#: Containers of one record that are looked into.
_LOOKS: Final = 120
#: Characters of a text that are looked at.
_READ: Final = 400

_USERS: Final = frozenset(("user", "human"))
_SPEAKERS: Final = _USERS | {"assistant", "model", "system", "developer", "tool", "function", "gpt", "ai", "gemini"}
_SAYS: Final = ("role", "from", "type", "author", "sender")
_TEXTS: Final = ("content", "value", "text", "parts", "message", "input")


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands at the front of one record."""

    name: str = field(default="", repr=False)
    #: The first words of a user; empty where none says any.
    words: str = field(default="", repr=False)
    #: How many messages its longest list of them has; 0 where it has no list.
    messages: int = 0
    #: Whether it is a message itself.
    is_message: bool = False

    @property
    def title(self) -> str:
        """Name and words, as far as there are any."""
        return shown(": ".join(filter(None, (self.name, self.words))), TITLE_CHARS)


def heading(record: Json) -> Heading:
    """Look at the front of a record."""
    words, later, messages, looks = "", "", 0, _LOOKS
    waiting: deque[Json] = deque([record])
    while waiting and looks and not (words and messages):
        looks -= 1
        at = waiting.popleft()
        if isinstance(at, dict):
            if not words and _speaker(at) in _USERS:
                said = _words(next((at[key] for key in _TEXTS if key in at), None))
                # What stands in angle brackets was put there by a harness: the task is what follows.
                words, later = ("", later or said) if said.startswith("<") else (said, later)
            waiting.extend(value for value in at.values() if isinstance(value, (dict, list)))
        elif at and isinstance(at[0], dict):
            if any(_speaker(item) for item in at[:2] if isinstance(item, dict)):
                messages = max(messages, len(at))
            waiting.extend(at[:20])
    return Heading(name_of(record), words or later, messages, isinstance(record, dict) and _is_message(record))


def _is_message(record: dict[str, Json]) -> bool:
    inner = next((record[key] for key in ("message", "payload") if isinstance(record.get(key), dict)), record)
    return _speaker(record) in _SPEAKERS or _speaker(inner) in _SPEAKERS


def _speaker(at: dict[str, Json]) -> str:
    """Who speaks in this object, as it says; empty where it is nobody known."""
    for key in _SAYS:
        said = at.get(key)
        said = said.get("role") if isinstance(said, dict) else said
        if isinstance(said, str) and said.lower() in _SPEAKERS:
            return said.lower()
    return ""


def _words(said: Json) -> str:
    """The first words of a content: a text, a list of parts, or an object with a text."""
    for _ in range(4):
        if isinstance(said, list):
            said = next((part for part in said if _has_text(part)), None)
        elif isinstance(said, dict):
            said = next((said[key] for key in _TEXTS if key in said), None)
        else:
            break
    return " ".join(said[:_READ].split())[:TITLE_CHARS] if isinstance(said, str) else ""


def _has_text(part: Json) -> bool:
    return isinstance(part, str) or (isinstance(part, dict) and isinstance(part.get("text"), str))
