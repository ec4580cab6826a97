"""What a format is: its name, how it is recognized, how it is read, and what reading it loses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from .draft import Draft
from .source import Source


class Holds(Enum):
    """What a format holds; formats that wrap others ask for the half that is due."""

    # Halves key small tables; an enum's own hash is a call into Python.
    __hash__ = object.__hash__

    #: What a model is asked: a request body, a list of messages.
    REQUEST = auto()
    #: What one model answered: a response body, a stream.
    REPLY = auto()
    #: Both, or several conversations: sessions, logs, exports.
    CONVERSATIONS = auto()


class Medium(Enum):
    """What a format is written in."""

    JSON = auto()
    TEXT = auto()
    #: Streams are: server-sent events, or their JSON one a line.
    BOTH = auto()


#: For formats that are never one body with `messages`: hardly a field has this name, so they are not asked of any.
NO_BODY: Final = frozenset({"\0"})


@dataclass(frozen=True, slots=True)
class Match:
    """How well a source fits: a score in (0, 1] and the structure that spoke for it."""

    score: float
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Format:
    """One format. Both functions are pure; `read` fills a draft and never raises on a source it matches."""

    #: Stable, and that of its cases in tests/cases.
    name: str
    title: str
    #: The structure it is recognized by, one phrase.
    recognized_by: str
    #: What the normalized conversation does not hold of it, one phrase; "nothing" where it holds all.
    loses: str
    match: Callable[[Source], Match | None]
    read: Callable[[Source, Draft], None]
    holds: Holds = Holds.CONVERSATIONS
    medium: Medium = Medium.JSON
    #: `match` is asked only where one of these fields stands at the root; empty: always.
    fields: frozenset[str] = frozenset()
    #: Of a body with `messages` it is asked only where one of these is among its names (`Source.names`); empty: always.
    tells: frozenset[str] = frozenset()
    #: The highest score of `match`, of formats that look into what they wrap: they are asked last, or not at all.
    at_most: float = 1.0
    #: Text without structure of its own: never looked for inside another format.
    alone: bool = False
    #: A case of tests/cases that is in it; empty where there is none yet.
    example: str = ""
    #: Its priority in the list of formats (1 is highest).
    priority: int = 1


__all__ = ["NO_BODY", "Format", "Holds", "Match", "Medium", "Source"]
