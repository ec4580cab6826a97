"""The events of a Codex rollout that repeat what its items say: which are copies, and which stand there alone.

Up to about version 0.15 each text stands in an event (`user_message`, `agent_message`) and in an item; later in the
items alone, or once more in an `item_completed`. Where an item is missing, the event is all there is.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, Literal, NamedTuple, TypeAlias

from ..model import Json
from .session_records import kind_of

Speaker: TypeAlias = Literal["user", "assistant", "reasoning"]
#: Types of events, and the field with their text.
_EVENTS: Final[dict[str, tuple[Speaker, str]]] = {
    "user_message": ("user", "message"),
    "agent_message": ("assistant", "message"),
    "agent_reasoning": ("reasoning", "text"),
    "agent_reasoning_raw_content": ("reasoning", "text"),
}
#: Types of the items that an `item_completed` holds.
_COMPLETED: Final[dict[str, Speaker]] = {"UserMessage": "user", "AgentMessage": "assistant", "Reasoning": "reasoning"}


class Said(NamedTuple):
    """What an event says."""

    speaker: Speaker
    text: str


def said_in(payload: Json) -> Said | None:
    """The text of an event that repeats an item; None for all other events, and for those without a text."""
    kind = kind_of(payload)
    if kind is None:
        return None
    if kind in _EVENTS:
        speaker, name = _EVENTS[kind]
        text = payload.get(name)
        return Said(speaker, text) if isinstance(text, str) and text else None
    item = payload.get("item") if kind == "item_completed" else None
    named = _COMPLETED.get(kind_of(item) or "")
    if named is None or not isinstance(item, dict):
        return None
    text = text_in(item.get("content")) or text_in(item.get("summary_text")) or text_in(item.get("text"))
    return Said(named, text) if text else None


def text_in(content: Json) -> str:
    """The texts of a content, or of a list of summaries, joined by a newline."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part if isinstance(part, str) else part.get("text") for part in parts if isinstance(part, (str, dict))]
    return "\n".join(text for text in texts if isinstance(text, str))


def said_by(item: Json) -> Said | None:
    """The same of an item: who says what in a message or a reasoning."""
    kind = item.get("type", "message") if isinstance(item, dict) else None
    if kind == "reasoning":
        return Said("reasoning", text_in(item.get("summary")) or text_in(item.get("content")))
    role = item.get("role") if kind == "message" else None
    if role == "user" or role == "assistant":
        return Said(role, text_in(item.get("content")))
    return None


class Mirrors:
    """Tells the events that are copies of items from those that stand alone."""

    def __init__(self, items: list[tuple[Said, int]]) -> None:
        """`items` are what the items of a session say, each with the number of its record."""
        self._left = Counter(said for said, _ in items)
        self._by_speaker: dict[str, list[tuple[int, str]]] = {}
        for said, number in items:
            self._by_speaker.setdefault(said.speaker, []).append((number, said.text))
        #: By speaker, the first of these that stands behind the last event asked for.
        self._next: dict[str, int] = {}

    def has(self, speaker: Speaker) -> bool:
        """Whether some item is of this speaker."""
        return speaker in self._by_speaker

    def copy_of(self, said: Said, number: int) -> str | None:
        """What an item says that says the same; the nearest ones may say more or less of it. Ask in order."""
        if self._left[said] > 0:
            self._left[said] -= 1
            return said.text
        placed, behind = self._by_speaker.get(said.speaker, []), self._next.get(said.speaker, 0)
        while behind < len(placed) and placed[behind][0] < number:
            behind += 1
        self._next[said.speaker] = behind
        near = [text for _, text in placed[max(behind - 1, 0) : behind + 1]]
        return next((text for text in near if said.text.strip() in text or (text and text in said.text)), None)
