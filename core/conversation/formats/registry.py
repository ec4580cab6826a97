"""The registry: which formats a source could be in, asking only those whose fields stand there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ..reading import FormatMatch
from .format import Format, Holds, Match, Medium
from .source import Source

#: So many formats may stand in each other: a body in a JSON string in a log row in a capture, and some more.
MAX_DEPTH: Final = 8
#: So many answers to whom to ask are remembered.
_REMEMBERED: Final = 1000


class Found(NamedTuple):
    """A format and how well a source fits it."""

    format: Format
    match: Match


class Registry:
    """All formats, in the order that decides between equal scores."""

    def __init__(self, formats: Sequence[Format]) -> None:
        self.formats = tuple(formats)
        self._names = {one.name: one for one in self.formats}
        ranked = list(enumerate(self.formats))
        json = [(rank, one) for rank, one in ranked if one.medium is not Medium.TEXT]
        self._text = [(rank, one) for rank, one in ranked if one.medium is not Medium.JSON]
        self._always = [(rank, one) for rank, one in json if not one.fields]
        self._by_field: dict[str, list[tuple[int, Format]]] = {}
        for rank, one in json:
            for name in one.fields:
                self._by_field.setdefault(name, []).append((rank, one))
        self._known = frozenset(self._by_field)
        #: Whom to ask, by the fields that count and by the half that is due: most pastes are alike.
        self._asked_before: dict[tuple[frozenset[str] | None, Holds | None], list[tuple[int, Format]]] = {}

    def named(self, name: str) -> Format | None:
        """The format of this name."""
        return self._names.get(name)

    def found(self, source: Source, holds: Holds | None = None) -> list[Found]:
        """All formats (of one half) that the source could be in, best first; equal scores in the registry's order."""
        if source.depth > MAX_DEPTH:
            return []
        if source.registry is self and (known := source.found_as.get(holds)) is not None:
            return known
        found = []
        for rank, one in self._asked(source, holds):
            if (match := one.match(source)) is not None:
                found.append((-match.score, rank, Found(one, match)))
        found.sort()
        source.found_as[holds] = made = [one for _, _, one in found]
        return made

    def candidates(self, source: Source) -> tuple[FormatMatch, ...]:
        """The same, as a reading reports it."""
        return tuple(FormatMatch(f.name, f.title, match.score, match.reason) for f, match in self.found(source))

    def best(self, source: Source, holds: Holds | None = None) -> Format | None:
        """The format for something inside another format: one with a structure of its own, and of this half."""
        return next((found.format for found in self.found(source, holds) if not found.format.alone), None)

    def _asked(self, source: Source, holds: Holds | None) -> list[tuple[int, Format]]:
        """The formats to ask (of one half), each with its place in the registry."""
        known = source.fields & self._known if source.is_json else None
        asked = self._asked_before.get((known, holds))
        if asked is None:
            every = self._text if known is None else self._asked_for(known)
            asked = [(rank, one) for rank, one in every if holds is None or one.holds is holds]
            if len(self._asked_before) >= _REMEMBERED:
                self._asked_before.clear()
            self._asked_before[known, holds] = asked
        return asked

    def _asked_for(self, known: frozenset[str]) -> list[tuple[int, Format]]:
        """The formats of JSON to ask where these fields stand at the root."""
        return list(dict.fromkeys([*self._always, *(one for name in known for one in self._by_field[name])]))
