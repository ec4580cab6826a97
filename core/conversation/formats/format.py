"""What a format is: its name, how it is recognized, how it is read, and what reading it loses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..model import Json
from ..positions import Path
from .draft import Draft
from .message_list import MessageList, message_list


@dataclass(frozen=True, slots=True, repr=False)
class Source:
    """What a format looks at: a JSON value and its path in the paste, or the text where the paste is no JSON."""

    value: Json = None
    path: Path = ()
    #: The pasted text, and the range of its content.
    text: str = ""
    start: int = 0
    end: int = 0
    is_json: bool = True
    #: `value` is the list of several documents, not one list.
    several: bool = False
    #: The list of messages in it, or None; found once, for all formats.
    messages: MessageList | None = field(init=False, default=None, compare=False)
    #: The objects at the root: the value, or the first of a list.
    objects: list[dict[str, Json]] = field(init=False, default_factory=list, compare=False)
    #: Names of all their fields.
    fields: frozenset[str] = field(init=False, default=frozenset(), compare=False)

    def __post_init__(self) -> None:
        if self.is_json:
            object.__setattr__(self, "messages", message_list(self.value, self.path))
            object.__setattr__(self, "objects", objects_in(self.value))
            object.__setattr__(self, "fields", frozenset().union(*self.objects))


def objects_in(value: Json) -> list[dict[str, Json]]:
    """The object, or the first objects of a list."""
    items = value[:50] if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, dict)]


@dataclass(frozen=True, slots=True)
class Match:
    """How well a source fits: a score in (0, 1] and the structure that spoke for it."""

    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Format:
    """One format. Both functions are pure; `read` fills a draft and never raises on a source it matches."""

    name: str
    title: str
    #: The structure it is recognized by, one phrase.
    recognized_by: str
    #: What the normalized conversation does not hold of it, one phrase; "nothing" where it holds all.
    loses: str
    match: Callable[[Source], Match | None]
    read: Callable[[Source, Draft], None]
