"""The registry: which formats a source could be in, asking only those whose fields stand there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ..reading import FormatMatch
from .format import Format, Holds, Match, Medium
from .source import Source

#: So many formats may stand in each other: a body in a JSON string in a log row in a capture, and some more.
MAX_DEPTH: Final = 8


class Found(NamedTuple):
    """A format and how well a source fits it."""

    format: Format
    match: Match


class Registry:
    """All formats, in the order that decides between equal scores."""

    def __init__(self, formats: Sequence[Format]) -> None:
        self.formats = tuple(formats)
        self._names = {one.name: one for one in self.formats}
        self._rank = {one.name: rank for rank, one in enumerate(self.formats)}
        json = [one for one in self.formats if one.medium is not Medium.TEXT]
        self._text = [one for one in self.formats if one.medium is not Medium.JSON]
        self._always = [one for one in json if not one.fields]
        self._by_field: dict[str, list[Format]] = {}
        for one in json:
            for name in one.fields:
                self._by_field.setdefault(name, []).append(one)

    def named(self, name: str) -> Format | None:
        """The format of this name."""
        return self._names.get(name)

    def found(self, source: Source, holds: Holds | None = None) -> list[Found]:
        """All formats (of one half) that the source could be in, best first; equal scores in the registry's order."""
        if source.depth > MAX_DEPTH:
            return []
        asked = self._asked(source)
        if holds is not None:
            asked = [one for one in asked if one.holds is holds]
        found = [Found(one, match) for one in asked if (match := one.match(source)) is not None]
        if len(found) > 1:
            found.sort(key=lambda one: (-one.match.score, self._rank[one.format.name]))
        return found

    def candidates(self, source: Source) -> tuple[FormatMatch, ...]:
        """The same, as a reading reports it."""
        return tuple(FormatMatch(f.name, f.title, match.score, match.reason) for f, match in self.found(source))

    def best(self, source: Source, holds: Holds | None = None) -> Format | None:
        """The format for something inside another format: one with a structure of its own, and of this half."""
        return next((found.format for found in self.found(source, holds) if not found.format.alone), None)

    def _asked(self, source: Source) -> list[Format]:
        if not source.is_json:
            return self._text
        asked = list(self._always)
        known = source.fields & self._by_field.keys()
        for name in known:
            asked += self._by_field[name]
        return asked if len(known) < 2 else list(dict.fromkeys(asked))
