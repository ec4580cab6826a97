"""Where the messages of a conversation stand in the paste: the remarks at each, and each one's own stretch of it."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field

from ...core.conversation.diagnostics import Diagnostic, Severity
from ...core.conversation.json_text import TooDeep
from ...core.conversation.opening import opened
from ...core.conversation.positions import Path, Span, path_from_text, path_text
from ...core.conversation.reading import Conversation, Reading


@dataclass(frozen=True, slots=True)
class Problem:
    """A remark that stands at a message. `index` is its place in `Reading.diagnostics`."""

    severity: Severity
    text: str = field(repr=False)
    index: int


def problems_at(reading: Reading | None, chosen: int) -> dict[int, tuple[Problem, ...]]:
    """The remarks of a conversation by turn; those about the paste as a whole are at none."""
    if reading is None:
        return {}
    places = _Places(reading.conversations[chosen])
    found: dict[int, list[Problem]] = defaultdict(list)
    for index, one in enumerate(reading.diagnostics):
        if one.conversation not in (None, chosen):
            continue
        turn = places.turn_of(one)
        if turn is not None:
            text = f"{one.message} {one.next_step}".strip()
            found[turn].append(Problem(one.severity, text, index))
    return {turn: tuple(problems) for turn, problems in found.items()}


class _Places:
    """The places of a conversation, looked at only where a remark asks for them."""

    def __init__(self, conversation: Conversation) -> None:
        self._places = conversation.places
        self._paths: dict[str, int] | None = None
        self._starts: list[tuple[int, int, int]] | None = None

    def turn_of(self, one: Diagnostic) -> int | None:
        """The turn a remark stands at; None for none."""
        if one.place.path:
            return self._by_path(path_from_text(one.place.path))
        return None if one.place.start is None else self._by_offset(one.place.start)

    def _by_path(self, path: Path) -> int | None:
        if self._paths is None:
            self._paths = {}
            for turn, place in enumerate(self._places):
                if place.path:
                    self._paths.setdefault(place.path, turn)
        return next(
            (self._paths[text] for end in range(len(path), 0, -1) if (text := path_text(path[:end])) in self._paths),
            None,
        )

    def _by_offset(self, at: int) -> int | None:
        if self._starts is None:
            known = ((place.start, place.end, turn) for turn, place in enumerate(self._places) if not place.path)
            self._starts = sorted(
                (start, start + 1 if end is None else end, turn) for start, end, turn in known if start is not None
            )
        before = bisect_right(self._starts, at, key=lambda one: one[0])
        if not before:
            return None
        _, end, turn = self._starts[before - 1]
        return turn if at < end else None


def stretches(text: str, conversation: Conversation) -> list[Span | None]:
    """Each turn's half-open range of the paste; None where no place is known.

    What stands inside a string of the paste has the string's range. Parses the paste once more: it is asked for only
    where somebody looks at the source.
    """
    places = list(conversation.places)
    paths = {place.path: path_from_text(place.path) for place in places if place.path and place.start is None}
    found: dict[Path, Span] = {}
    if paths:
        try:
            document, _, _ = opened(text)
            found = {
                path: (place.start, len(text) if place.end is None else place.end)
                for path, place in document.places(paths.values()).items()
                if place.start is not None
            }
        except (TooDeep, RecursionError):
            found = {}
    made: list[Span | None] = []
    for place in places:
        if place.start is not None:
            made.append((place.start, len(text) if place.end is None else place.end))
        else:
            there = paths.get(place.path or "", ())
            while there and there not in found:
                there = there[:-1]
            made.append(found.get(there) if there else None)
    return made
