"""The registry: which formats a source could be in, asking only those whose fields stand there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from ..reading import FormatMatch
from .format import Format, Holds, Match, Medium
from .source import Source

#: So many formats may stand in each other: a body in a JSON string in a log row in a capture, and some more.
MAX_DEPTH: Final = 8
#: So many answers to whom to ask are remembered.
_REMEMBERED: Final = 1000

_Key: TypeAlias = tuple[frozenset[str], frozenset[str] | None, Holds | None]


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
        self._text = [(rank, one) for rank, one in ranked if one.medium is not Medium.JSON]
        self._json = [(rank, one) for rank, one in ranked if one.medium is not Medium.TEXT]
        self._text = [(rank, one) for rank, one in ranked if one.medium is not Medium.JSON]
        self._fields = frozenset().union(*[one.fields for one in self.formats])
        self._tells = frozenset().union(*[one.tells for one in self.formats])
        #: Whom to ask, by what counts of a source: most pastes are alike.
        self._asked_before: dict[_Key, list[tuple[int, Format]]] = {}

    def named(self, name: str) -> Format | None:
        """The format of this name."""
        return self._names.get(name)

    def found(self, source: Source, holds: Holds | None = None) -> list[Found]:
        """All formats (of one half) that the source could be in, best first; equal scores in the registry's order."""
        if source.depth > MAX_DEPTH:
            return []
        if source.found_as is None:
            source.found_as = {}
        elif source.registry is self and (known := source.found_as.get(holds)) is not None:
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
        if not source.is_json:
            return self._text if holds is None else [one for one in self._text if one[1].holds is holds]
        names = source.names
        key = (source.fields & self._fields, None if names is None else names & self._tells, holds)
        asked = self._asked_before.get(key)
        if asked is None:
            if len(self._asked_before) >= _REMEMBERED:
                self._asked_before.clear()
            asked = self._asked_before[key] = [one for one in self._json if _is_asked(one[1], *key)]
        return asked


def _is_asked(one: Format, fields: frozenset[str], names: frozenset[str] | None, holds: Holds | None) -> bool:
    """Whether a format is asked of JSON with these fields at its root and, where it is a body, these names."""
    if holds is not None and one.holds is not holds:
        return False
    if one.fields and one.fields.isdisjoint(fields):
        return False
    return names is None or not one.tells or not one.tells.isdisjoint(names)
