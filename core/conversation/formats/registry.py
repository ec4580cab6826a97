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
        known = source.found_as if source.registry is self else {}
        if holds not in known:
            found = []
            for rank, one in self._asked(source, holds):
                if (match := one.match(source)) is not None:
                    found.append((-match.score, rank, Found(one, match)))
            found.sort()
            known[holds] = [one for _, _, one in found]
        return known[holds]

    def top(self, source: Source, holds: Holds | None = None) -> Found | None:
        """The best of them that has a structure of its own, and so can stand inside another format.

        Formats that look into what they wrap are asked only where they can be better than all others.
        """
        if source.depth > MAX_DEPTH:
            return None
        known = source.top_as if source.registry is self else {}
        if holds not in known:
            known[holds] = self._top(source, holds)
        return known[holds]

    def _top(self, source: Source, holds: Holds | None) -> Found | None:
        best: Found | None = None
        best_rank = 0
        for rank, one in self._asked(source, holds):
            if best is not None and (one.at_most, best_rank) < (best.match.score, rank):
                if one.at_most < best.match.score:
                    break
                continue
            match = None if one.alone else one.match(source)
            if match is None:
                continue
            if best is None or (match.score, best_rank) > (best.match.score, rank):
                best, best_rank = Found(one, match), rank
        return best

    def candidates(self, source: Source) -> tuple[FormatMatch, ...]:
        """The same, as a reading reports it."""
        return tuple(FormatMatch(f.name, f.title, match.score, match.reason) for f, match in self.found(source))

    def _asked(self, source: Source, holds: Holds | None) -> list[tuple[int, Format]]:
        """The formats to ask (of one half), each with its place in the registry; those that can fit best come first."""
        if not source.is_json:
            return self._text if holds is None else [one for one in self._text if one[1].holds is holds]
        names = source.names
        key = (source.fields & self._fields, None if names is None else names & self._tells, holds)
        asked = self._asked_before.get(key)
        if asked is None:
            if len(self._asked_before) >= _REMEMBERED:
                self._asked_before.clear()
            asked = [one for one in self._json if _is_asked(one[1], *key)]
            asked.sort(key=lambda ranked: -ranked[1].at_most)
            self._asked_before[key] = asked
        return asked


def _is_asked(one: Format, fields: frozenset[str], names: frozenset[str] | None, holds: Holds | None) -> bool:
    """Whether a format is asked of JSON with these fields at its root and, where it is a body, these names."""
    if holds is not None and one.holds is not holds:
        return False
    if one.fields and one.fields.isdisjoint(fields):
        return False
    return names is None or not one.tells or not one.tells.isdisjoint(names)
